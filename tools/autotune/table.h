/* table.h - tables: in columns as wide as they must be on a terminal, else separated by tabs */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct table {
    const char **cells; /* an array of stb_ds */
    size_t columns;
    unsigned right; /* a bit for each column that is flush right */
};

bool on_terminal(void);
/* Of a row as many cells are taken as the table has columns; it may be given more. */
void add_row(struct table *table, const char *const *cells);
#define ADD_ROW(table, ...) add_row(table, (const char *const[]){__VA_ARGS__})
void print_table(struct table *table); /* and empties it */

/* table.h - tables: in columns as wide as they must be on a terminal, else separated by tabs */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct table {
    const char **cells; /* an array of stb_ds */
    size_t columns;
    unsigned right;   /* a bit for each column that is flush right */
    unsigned shrinks; /* a bit for each column whose cells are shortened where the terminal is too narrow */
    /* If the terminal is too narrow, the first column stands on lines of its own above the others. Each column from
       `below` on, 0: none, stands on lines of its own below them. */
    bool grouped;
    size_t below;
};

bool on_terminal(void);
size_t terminal_width(void); /* in columns; 80 where it is not known */
/* Takes as many cells of a row as the table has columns; the row may have more. */
void add_row(struct table *table, const char *const *cells);
#define ADD_ROW(table, ...) add_row(table, (const char *const[]){__VA_ARGS__})
void print_table(struct table *table); /* and empties it */

/* table.h - tables. On a terminal a column is as wide as its widest cell; elsewhere tabs separate cells */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct table {
    const char **cells; /* an array of stb_ds */
    size_t columns;
    unsigned right;   /* bit n: column n is flush right */
    unsigned shrinks; /* bit n: the cells of column n may be shortened if the terminal is too narrow */
    /* If the terminal is too narrow: `grouped` puts the first column on lines of its own, above the other columns. Each
       column from `below` on stands on a line of its own, below the other columns; 0: none. */
    bool grouped;
    size_t below;
};

bool on_terminal(void);
size_t terminal_width(void); /* in columns; 80 if not known */
/* Adds the first cells of a row, one for each column of the table. The row may have more cells. */
void add_row(struct table *table, const char *const *cells);
#define ADD_ROW(table, ...) add_row(table, (const char *const[]){__VA_ARGS__})
void print_table(struct table *table); /* prints and empties the table */

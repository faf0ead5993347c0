/* table.c - see table.h */
#include "table.h"
#include "text.h"
#include <unistd.h>

bool on_terminal(void) { return isatty(STDOUT_FILENO) != 0; }
void add_row(struct table *table, const char *const *cells) {
    for (size_t column = 0; column < table->columns; column++) PUSH(table->cells, cells[column]);
}
static size_t width_of(const char *text) { /* in characters */
    size_t width = 0;
    for (; *text; text++) width += (*text & 0xC0) != 0x80;
    return width;
}
static void print_cell(const struct table *table, size_t cell, const size_t *widths) {
    const size_t column = cell % table->columns;
    const int gap = (int)(widths[column] - width_of(table->cells[cell]));
    const bool right = table->right >> column & 1, last = column + 1 == table->columns;
    printf("%*s%s%*s%s", right ? gap : 0, "", table->cells[cell], right || last ? 0 : gap, "", last ? "\n" : "  ");
}
void print_table(struct table *table) {
    size_t widths[16] = {0};
    const size_t cells = COUNT(table->cells);
    for (size_t i = 0; i < cells; i++) {
        const size_t width = width_of(table->cells[i]);
        if (width > widths[i % table->columns]) widths[i % table->columns] = width;
    }
    for (size_t i = 0; i < cells; i++) {
        if (on_terminal())
            print_cell(table, i, widths);
        else
            printf("%s%s", table->cells[i], (i + 1) % table->columns ? "\t" : "\n");
    }
    stbds_arrfree(table->cells);
}

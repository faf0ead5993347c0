/* table.c - see table.h */
#define _DEFAULT_SOURCE /* struct winsize */
#include "table.h"
#include "shown.h"
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST_COLUMNS = 16, GAP = 2, NARROWEST = 12 }; /* NARROWEST: the least width of a shortened cell */

bool on_terminal(void) { return isatty(STDOUT_FILENO) != 0; }
size_t terminal_width(void) {
    struct winsize size = {.ws_col = 0};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}
void add_row(struct table *table, const char *const *cells) {
    for (size_t column = 0; column < table->columns; column++) PUSH(table->cells, cells[column]);
}
static size_t width_of(const char *text) { /* returns the width in characters */
    size_t width = 0;
    for (; *text; text++) width += (*text & 0xC0) != 0x80;
    return width;
}
static void measure(const struct table *table, size_t *widths) {
    for (size_t i = 0; i < COUNT(table->cells); i++) {
        const size_t width = width_of(table->cells[i]);
        if (width > widths[i % table->columns]) widths[i % table->columns] = width;
    }
}
static size_t sum_of(const size_t *widths, size_t from, size_t columns) {
    size_t sum = 0;
    for (size_t i = from; i < columns; i++) sum += widths[i] + (i > from ? GAP : 0);
    return sum;
}
/* Narrows the widest of the columns that may be shortened, until all columns fit. */
static void shrink(const struct table *table, size_t *widths, size_t from, size_t columns, size_t room) {
    while (sum_of(widths, from, columns) > room) {
        size_t widest = MOST_COLUMNS;
        for (size_t i = from; i < columns; i++)
            if (table->shrinks >> i & 1 && widths[i] > NARROWEST &&
                (widest == MOST_COLUMNS || widths[i] > widths[widest]))
                widest = i;
        if (widest == MOST_COLUMNS) return;
        widths[widest]--;
    }
}
static void print_cell(const struct table *table, const char *text, size_t column, size_t columns,
                       const size_t *widths) {
    const bool right = table->right >> column & 1, last = column + 1 == columns;
    if (width_of(text) > widths[column]) text = shortened(text, widths[column]);
    const int gap = (int)(widths[column] - width_of(text));
    printf("%*s%s%*s%s", right ? gap : 0, "", text, right || last ? 0 : gap, "", last ? "\n" : "  ");
}
/* Prints the first cell of a row as a heading, if it differs from the first cell of the row above. */
static void print_heading(const struct table *table, size_t row, size_t room) {
    const char *heading = table->cells[row];
    if (!row || strcmp(heading, table->cells[row - table->columns]) != 0) printf("%s\n", shortened(heading, room));
}
/* Prints the columns from `below` on, each behind its name. The first row of the table has the names. */
static void print_below(const struct table *table, size_t row, size_t room) {
    const size_t indent = 2 * GAP;
    for (size_t i = table->below; row && i < table->columns; i++)
        if (*table->cells[row + i] && strcmp(table->cells[row + i], "-") != 0)
            printf("%*s%s  %s\n", (int)indent, "", table->cells[i],
                   shortened(table->cells[row + i], room - indent - GAP - width_of(table->cells[i])));
}
static void print_narrow(struct table *table, size_t *widths, size_t room) {
    const size_t columns = table->below ? table->below : table->columns;
    shrink(table, widths, 1, columns, room - GAP);
    for (size_t row = 0; row < COUNT(table->cells); row += table->columns) {
        print_heading(table, row, room);
        printf("%*s", GAP, "");
        for (size_t i = 1; i < columns; i++) print_cell(table, table->cells[row + i], i, columns, widths);
        if (table->below) print_below(table, row, room);
    }
}
static void print_wide(struct table *table, size_t *widths, size_t room) {
    shrink(table, widths, 0, table->columns, room);
    for (size_t i = 0; i < COUNT(table->cells); i++)
        print_cell(table, table->cells[i], i % table->columns, table->columns, widths);
}
void print_table(struct table *table) {
    size_t widths[MOST_COLUMNS] = {0};
    const size_t room = on_terminal() ? terminal_width() : 0;
    measure(table, widths);
    if (!room)
        for (size_t i = 0; i < COUNT(table->cells); i++)
            printf("%s%s", table->cells[i], (i + 1) % table->columns ? "\t" : "\n");
    else if (table->grouped && sum_of(widths, 0, table->columns) > room)
        print_narrow(table, widths, room);
    else
        print_wide(table, widths, room);
    stbds_arrfree(table->cells);
}

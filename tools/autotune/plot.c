/* plot.c - autotune plot: a race as a picture, by gnuplot */
#include "command.h"
#include "escape.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include "table.h"
#include "gnuplot.h"
#include <math.h>

/* The rows that have a time (they are the first rows), and the unit of the plotted times. */
struct plot {
    const struct row *rows;
    size_t count;
    double least, most, unit;
    const char *unit_name;
};
static bool is_plotted(const struct row *row) { return !row->failed && autotune__is_within(row->ns, 1e-300, 1e150); }
static struct plot plot_of(const struct row *rows) {
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1, "nanoseconds"}, {1e3, "microseconds"}, {1e6, "milliseconds"}, {1e9, "seconds"}};
    struct plot plot = {rows, 0, AUTOTUNE__NEVER, 0, 1, NULL};
    for (; plot.count < COUNT(rows) && is_plotted(&rows[plot.count]); plot.count++) {
        plot.least = fmin(plot.least, rows[plot.count].ns);
        plot.most = fmax(plot.most, rows[plot.count].ns);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units && (i == 0 || plot.least >= units[i].ns); i++) {
        plot.unit = units[i].ns;
        plot.unit_name = units[i].name;
    }
    return plot;
}

/* Appends the numbers of an axis with a logarithmic scale: 1, 2 and 5 times powers of ten. If the ends are near to each
   other, the numbers are multiples of such a number. By default gnuplot writes only powers of ten. */
static void append_scale(autotune__text *out, const char *axis, double low, double high) {
    const double decade = pow(10, floor(log10((high - low) / 4))), parts = (high - low) / 4 / decade,
                 step = decade * (parts > 5 ? 10 : parts > 2 ? 5 : parts > 1 ? 2 : 1);
    size_t written = 0;
    append(out, "set logscale %s\nset %stics (", axis, axis);
    if (high > 4 * low)
        for (double power = pow(10, floor(log10(low))); power <= high; power *= 10)
            for (int i = 0; i < 3; i++) {
                const double at = power * (i == 0 ? 1 : i == 1 ? 2 : 5);
                if (at >= low && at <= high) append(out, "%s'%.10g' %.10g", written++ ? ", " : "", at, at);
            }
    else
        for (double at = ceil(low / step) * step; at <= high; at += step)
            append(out, "%s'%.10g' %.10g", written++ ? ", " : "", at, at);
    append(out, ")\n");
}
/* Appends the time of each configuration by its rank. Finalists get their median, and a line to their least time. */
static void append_times(autotune__text *out, const struct plot *plot, bool finalists) {
    append(out, "%s << END\n", finalists ? "$finalists" : "$others");
    for (size_t i = 0; i < plot->count; i++) {
        const struct value at = plot->rows[i].at;
        const double min = number_at(member(at, "min_ns")), ns = plot->rows[i].ns;
        if (was_finalist(at) != finalists) continue;
        append(out, "%zu %.9g %.9g\n", i + 1, ns / plot->unit, (min > 0 ? min : ns) / plot->unit);
    }
    append(out, "END\n");
}
static int append_sorted_plot(autotune__text *out, const struct plot *plot) {
    const double low = plot->least / plot->unit * 0.8, high = plot->most / plot->unit * 1.25;
    size_t finalists = 0;
    for (size_t i = 0; i < plot->count; i++) finalists += was_finalist(plot->rows[i].at);
    append_times(out, plot, true);
    append_times(out, plot, false);
    append(out,
           "set xlabel 'configurations, sorted by time'\nset ylabel '%s'\nset key top left\n"
           "set xrange [0:%zu]\nset yrange [%.9g:%.9g]\n",
           plot->unit_name, plot->count + 1, low, high);
    append_scale(out, "y", low, high);
    append(out, "plot ");
    if (finalists) append(out, "$finalists using 1:2:3:2 with yerrorbars pointtype 7 title 'finalists: median, least'");
    if (finalists && finalists < plot->count) append(out, ", ");
    if (finalists < plot->count) append(out, "$others using 1:2 with points pointtype 6 title 'left before: least'");
    append(out, "\n");
    return DONE;
}

/* A heat map of two axes: a cell has the least time over the values of all other axes. */
struct plot_axis {
    const char *name, **values; /* the values, each once, sorted; NULL: no configuration has the axis */
};
static bool is_shown_as(struct value value, const char *text) {
    autotune__text out = {NULL, false};
    append_value(&out, value);
    const bool is = COUNT(out.at) == strlen(text) && (!out.at || !memcmp(out.at, text, strlen(text)));
    autotune__free_text(&out);
    return is;
}
static struct value value_on(const struct row *row, const char *axis) { /* missing: the row has no such axis */
    const struct value config = member(row->at, "config");
    struct value name = {NULL, -1};
    while (next_member(config, &name))
        if (is_shown_as(name, axis)) return value_of(name);
    return name;
}
static int order_names(const void *left, const void *right) {
    return compare_naturally(*(const char *const *)left, *(const char *const *)right);
}
static struct plot_axis axis_of(const struct plot *plot, const char *name) {
    struct plot_axis axis = {name, NULL};
    for (size_t row = 0; row < plot->count; row++) {
        const struct value at = value_on(&plot->rows[row], name);
        if (at.place > 0) index_of(&axis.values, at);
    }
    if (axis.values) qsort(axis.values, COUNT(axis.values), sizeof *axis.values, order_names);
    return axis;
}
static void append_tics(autotune__text *out, char direction, const struct plot_axis *axis) {
    append(out, "set %clabel ", direction);
    append_gnuplot(out, axis->name);
    append(out, "\nset %crange [-0.5:%zu.5]\nset %ctics (", direction, COUNT(axis->values) - 1, direction);
    for (size_t i = 0; i < COUNT(axis->values); i++) {
        append(out, i ? ", " : "");
        append_gnuplot_label(out, axis->values[i]);
        append(out, " %zu", i);
    }
    append(out, ")\n");
}
/* Finds the cell of a row in the heat map. Returns false if the row lacks one of the axes. */
static bool find_cell(const struct row *row, struct plot_axis *x, struct plot_axis *y, size_t *cell) {
    const struct value x_at = value_on(row, x->name), y_at = value_on(row, y->name);
    if (x_at.place < 0 || y_at.place < 0) return false;
    *cell = index_of(&x->values, x_at) * COUNT(y->values) + index_of(&y->values, y_at);
    return true;
}
/* Appends the place, the least time and the text of each cell. The cell of the winner has the time of the winner, even
   if another row of the cell has a lesser time. If a race has a winner, it is the first row. */
static void append_cells(autotune__text *out, const struct plot *plot, struct plot_axis *x, struct plot_axis *y) {
    const size_t height = COUNT(y->values), count = COUNT(x->values) * height;
    double *least = autotune__allocate(count * sizeof *least);
    size_t winner = count, cell;
    if (!least) no_memory();
    if (plot->rows[0].winner) (void)find_cell(&plot->rows[0], x, y, &winner);
    for (size_t row = 0; row < plot->count; row++)
        if (find_cell(&plot->rows[row], x, y, &cell) && cell < count && (row == 0 || cell != winner) &&
            (!(least[cell] > 0) || plot->rows[row].ns < least[cell]))
            least[cell] = plot->rows[row].ns;
    append(out, "$cells << END\n");
    for (cell = 0; cell < count; cell++)
        if (least[cell] > 0)
            append(out, "%zu %zu %.9g \"%s%s\"\n", cell / height, cell % height, least[cell] / plot->unit,
                   shown_time(least[cell]), cell == winner ? " WINNER" : "");
    append(out, "END\n");
    if (winner < count) append(out, "$winner << END\n%zu %zu\nEND\n", winner / height, winner % height);
    autotune__free(least);
}
static void append_heat_map(autotune__text *out, const struct plot *plot, struct plot_axis *x, struct plot_axis *y) {
    const double low = plot->least / plot->unit * 0.99, high = plot->most / plot->unit * 1.01;
    size_t winner;
    append_cells(out, plot, x, y);
    append_tics(out, 'x', x);
    append_tics(out, 'y', y);
    append(out,
           "unset key\nset palette defined (0 '#fff7bc', 1 '#fec44f', 2 '#d95f0e')\n"
           "set cblabel '%s'\nset cbrange [%.9g:%.9g]\n",
           plot->unit_name, low, high);
    append_scale(out, "cb", low, high);
    append(out, "plot ");
    if (!options.terminal)
        append(out, "$cells using 1:2:(0.5):(0.5):3 with boxxyerror fillcolor palette fillstyle solid, ");
    if (!options.terminal && plot->rows[0].winner && find_cell(&plot->rows[0], x, y, &winner))
        append(out, "$winner using 1:2:(0.48):(0.48) with boxxyerror linecolor 'black' linewidth 3 fillstyle empty, ");
    append(out, "$cells using 1:2:4 with labels\n");
}
static int append_axes_plot(autotune__text *out, const struct plot *plot) {
    const char *comma = strchr(options.axes, ',');
    int status = DONE;
    if (!comma) return fail(NOT_DONE, "--axes '%s': two axes with a comma between them", shown(options.axes));
    struct plot_axis x = axis_of(plot, formatted("%.*s", (int)(comma - options.axes), options.axes)),
                     y = axis_of(plot, comma + 1);
    if (x.values && y.values)
        append_heat_map(out, plot, &x, &y);
    else
        status =
            fail(FAULTY, "--axes '%s': there is no axis '%s'", shown(options.axes), shown(x.values ? y.name : x.name));
    stbds_arrfree(x.values);
    stbds_arrfree(y.values);
    return status;
}

/* Returns the title of the picture. In a terminal gnuplot writes no names beside axes, so the title has them. */
static const char *title_of(const struct record *record, const struct plot *plot) {
    const char *name = formatted("%s  %s", short_name(record->tuner), record->key);
    if (!options.terminal) return shortened(name, 100);
    name = shortened(name, terminal_width() > 60 ? terminal_width() - 36 : 24); /* gnuplot shows no longer title */
    return options.axes ? formatted("%s: least time of a call", name)
                        : formatted("%s: time of a call in %s", name, plot->unit_name);
}
static int draw(const struct record *record) {
    autotune__text script = {NULL, false};
    const struct value at = open_record(record);
    struct row *rows = rows_of(at);
    const struct plot plot = plot_of(rows);
    int status = append_terminal(&script, options.terminal ? NULL : options.output);
    append(&script, "set encoding utf8\nset title ");
    append_gnuplot(&script, title_of(record, &plot));
    append(&script, "\n");
    if (status == DONE && !plot.count) status = fail(FAULTY, "%s: no configuration has a time", record->tuner);
    if (status == DONE) status = options.axes ? append_axes_plot(&script, &plot) : append_sorted_plot(&script, &plot);
    if (status == DONE) status = run_gnuplot(&script);
    autotune__free_text(&script);
    stbds_arrfree(rows);
    close_json(at);
    return status;
}
static int plot(char **arguments) {
    int status;
    if (options.terminal == (options.output != NULL))
        return fail(NOT_DONE, "plot: --output FILE.png, --output FILE.svg or --terminal");
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    const struct record *last = &records[COUNT(records) - 1]; /* the latest, if there are several devices or builds */
    if (strcmp(records->tuner, last->tuner) == 0 && strcmp(records->key, last->key) == 0)
        status = draw(last);
    else
        status = fail(NOT_DONE, "plot: %zu records match: name a tuner and a key, as 'autotune list' shows them",
                      COUNT(records));
    stbds_arrfree(records);
    return status;
}
const struct command plot_command = {
    .name = "plot",
    .run = plot,
    .least = 1,
    .most = 2,
    .options = "fdotx",
    .synopsis = "--output FILE | --terminal [--axes X,Y] TUNER [KEY]",
    .purpose = "a race as a picture, by gnuplot",
    .help = "All configurations, sorted by time: of finalists the median, with a bar down to the least time;\n"
            "of others the least time. With --axes a heat map: the least time for each pair of two axes'\n"
            "values, and the winner where it stands.\n",
};

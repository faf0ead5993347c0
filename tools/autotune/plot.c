/* Text in a script of gnuplot: in single quotes nothing is expanded or run, and noenhanced terminals show it as it is. */
static void append_gnuplot(autotune__text *out, const char *text) {
    autotune__append(out, "'");
    for (; *text; text++) autotune__append(out, *text == '\'' ? "''" : "%c", *text);
    autotune__append(out, "'");
}
static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}
static int append_terminal(autotune__text *out) {
    if (options.terminal) {
        struct winsize size = {.ws_col = 0};
        const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 && size.ws_row > 10;
        autotune__append(out, "set terminal dumb noenhanced size %d,%d\n", known ? size.ws_col - 1 : 79, known ? size.ws_row - 2 : 24);
        return DONE;
    }
    if (ends_with(options.output, ".svg"))
        autotune__append(out, "set terminal svg noenhanced size 1000,600 background 'white'\n");
    else if (ends_with(options.output, ".png"))
        autotune__append(out, "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal pngcairo noenhanced size 1000,600\n"
                              "if (!strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal png noenhanced size 1000,600\n");
    else
        return fail(NOT_DONE, "%s: the name of a plot ends with .png or .svg", shown(options.output));
    autotune__append(out, "set output ");
    append_gnuplot(out, options.output);
    autotune__append(out, "\n");
    return DONE;
}

/* The rows that have a time, which come first, and in what unit they are plotted. */
struct plot {
    const autotune__json *json;
    const struct row *rows;
    size_t count;
    double least, most, unit;
    const char *unit_name;
};
static struct plot plot_of(const autotune__json *json, const struct row *rows) {
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1, "nanoseconds"}, {1e3, "microseconds"}, {1e6, "milliseconds"}, {1e9, "seconds"}};
    struct plot plot = {json, rows, 0, AUTOTUNE__NEVER, 0, 1, NULL};
    for (; plot.count < COUNT(rows) && !rows[plot.count].failed && autotune__is_within(rows[plot.count].ns, 1e-300, 1e150); plot.count++) {
        plot.least = fmin(plot.least, rows[plot.count].ns);
        plot.most = fmax(plot.most, rows[plot.count].ns);
    }
    for (size_t i = 0; i < sizeof units / sizeof *units && (i == 0 || plot.least >= units[i].ns); i++) {
        plot.unit = units[i].ns;
        plot.unit_name = units[i].name;
    }
    return plot;
}

/* Every configuration by its rank; of finalists the median, and how far it is from the least time. */
static void append_times(autotune__text *out, const struct plot *plot, bool finalists) {
    autotune__append(out, "%s << END\n", finalists ? "$finalists" : "$others");
    for (size_t i = 0; i < plot->count; i++) {
        const int at = plot->rows[i].at;
        const double min = autotune__number_at(plot->json, autotune__member(plot->json, at, "min_ns")), ns = plot->rows[i].ns;
        if (autotune__was_finalist(plot->json, at) != finalists) continue;
        autotune__append(out, "%zu %.9g %.9g\n", i + 1, ns / plot->unit, (min > 0 ? min : ns) / plot->unit);
    }
    autotune__append(out, "END\n");
}
static int append_sorted_plot(autotune__text *out, const struct plot *plot) {
    size_t finalists = 0;
    for (size_t i = 0; i < plot->count; i++) finalists += autotune__was_finalist(plot->json, plot->rows[i].at);
    append_times(out, plot, true);
    append_times(out, plot, false);
    autotune__append(out,
                     "set xlabel 'configurations, sorted by time'\nset ylabel '%s'\nset key top left\nset logscale y\n"
                     "set xrange [0:%zu]\nset yrange [%.9g:%.9g]\nplot ",
                     plot->unit_name, plot->count + 1, plot->least / plot->unit * 0.8, plot->most / plot->unit * 1.25);
    if (finalists) autotune__append(out, "$finalists using 1:2:3:2 with yerrorbars pointtype 7 title 'finalists: median, least'");
    if (finalists && finalists < plot->count) autotune__append(out, ", ");
    if (finalists < plot->count) autotune__append(out, "$others using 1:2 with points pointtype 6 title 'left before: least'");
    autotune__append(out, "\n");
    return DONE;
}

/* Two axes against each other: the least time over all others. */
struct plot_axis {
    const char *name, **values; /* each once, sorted; NULL: no configuration has such an axis */
};
static int value_on(const struct plot *plot, size_t row, const char *axis) { /* -1: it has no such axis */
    const int config = autotune__member(plot->json, plot->rows[row].at, "config");
    for (int at = 0; config > 0 && (at = autotune__next_member(plot->json, config, at)) > 0;)
        if (is_value(plot->json, at, axis)) return at + 1;
    return -1;
}
static int order_names(const void *left, const void *right) {
    return compare_naturally(*(const char *const *)left, *(const char *const *)right);
}
static struct plot_axis axis_of(const struct plot *plot, const char *name) {
    struct plot_axis axis = {name, NULL};
    for (size_t row = 0; row < plot->count; row++) {
        const int at = value_on(plot, row, name);
        if (at > 0) index_of(&axis.values, plot->json, at);
    }
    if (axis.values) qsort(axis.values, stbds_arrlenu(axis.values), sizeof *axis.values, order_names);
    return axis;
}
static void append_tics(autotune__text *out, char direction, const struct plot_axis *axis) {
    autotune__append(out, "set %clabel ", direction);
    append_gnuplot(out, axis->name);
    autotune__append(out, "\nset %crange [-0.5:%zu.5]\nset %ctics (", direction, stbds_arrlenu(axis->values) - 1, direction);
    for (size_t i = 0; i < stbds_arrlenu(axis->values); i++) {
        autotune__append(out, i ? ", " : "");
        append_gnuplot(out, axis->values[i]);
        autotune__append(out, " %zu", i);
    }
    autotune__append(out, ")\n");
}
static void append_cells(autotune__text *out, const struct plot *plot, struct plot_axis *x, struct plot_axis *y) {
    const size_t height = stbds_arrlenu(y->values), count = stbds_arrlenu(x->values) * height;
    double *least = autotune__allocate(count * sizeof *least);
    if (!least) no_memory();
    for (size_t row = 0; row < plot->count; row++) { /* the fastest of a cell comes first, but for a winner that is not the fastest */
        const int x_at = value_on(plot, row, x->name), y_at = value_on(plot, row, y->name);
        if (x_at < 0 || y_at < 0) continue;
        double *cell = &least[index_of(&x->values, plot->json, x_at) * height + index_of(&y->values, plot->json, y_at)];
        if (!(*cell > 0) || plot->rows[row].ns < *cell) *cell = plot->rows[row].ns;
    }
    autotune__append(out, "$cells << END\n");
    for (size_t i = 0; i < count; i++)
        if (least[i] > 0) autotune__append(out, "%zu %zu %.9g\n", i / height, i % height, least[i] / plot->unit);
    autotune__append(out, "END\n");
    autotune__free(least);
}
static void append_heat_map(autotune__text *out, const struct plot *plot, struct plot_axis *x, struct plot_axis *y) {
    append_cells(out, plot, x, y);
    append_tics(out, 'x', x);
    append_tics(out, 'y', y);
    autotune__append(out, "unset key\nset palette defined (0 '#fff7bc', 1 '#fec44f', 2 '#d95f0e')\nset cblabel '%s'\nset logscale cb\n",
                     plot->unit_name);
    autotune__append(out, "set cbrange [%.9g:%.9g]\nplot ", plot->least / plot->unit * 0.99, plot->most / plot->unit * 1.01);
    if (!options.terminal) autotune__append(out, "$cells using 1:2:(0.5):(0.5):3 with boxxyerror fillcolor palette fillstyle solid, ");
    autotune__append(out, "$cells using 1:2:(sprintf('%%.3g', $3)) with labels\n");
}
static int append_axes_plot(autotune__text *out, const struct plot *plot) {
    const char *comma = strchr(options.axes, ',');
    int status = DONE;
    if (!comma) return fail(NOT_DONE, "--axes '%s': two axes with a comma between them", shown(options.axes));
    struct plot_axis x = axis_of(plot, number(0, "%.*s", (int)(comma - options.axes), options.axes)), y = axis_of(plot, comma + 1);
    if (x.values && y.values)
        append_heat_map(out, plot, &x, &y);
    else
        status = fail(FAULTY, "--axes '%s': there is no axis '%s'", shown(options.axes), shown(x.values ? y.name : x.name));
    stbds_arrfree(x.values);
    stbds_arrfree(y.values);
    return status;
}

static int run_gnuplot(const autotune__text *script) {
    int ends[2], status;
    if (pipe(ends) != 0) return fail(NOT_DONE, "gnuplot: %s", strerror(errno));
    const pid_t child = fork();
    if (child < 0) return fail(NOT_DONE, "gnuplot: %s", strerror(errno));
    if (child == 0) {
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv("LC_ALL", "C.UTF-8", 1); /* the encoding of the script */
        execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN); /* it may have ended, which its status says */
    autotune__write_all(ends[1], script->at, stbds_arrlenu(script->at));
    close(ends[1]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return DONE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(NOT_DONE, "plot needs gnuplot, which is not installed; 'autotune show' draws bars without it");
    return fail(NOT_DONE, "gnuplot failed");
}
static int draw(const struct record *record) {
    autotune__text script = {NULL, false};
    autotune__json json = open_record(record);
    struct row *rows = rows_of(&json);
    const struct plot plot = plot_of(&json, rows);
    int status = append_terminal(&script);
    autotune__append(&script, "set encoding utf8\nset title ");
    append_gnuplot(&script, number(0, "%s  %s", record->tuner, record->key));
    autotune__append(&script, "\n");
    if (status == DONE && !plot.count) status = fail(FAULTY, "%s: no configuration has a time", record->tuner);
    if (status == DONE) status = options.axes ? append_axes_plot(&script, &plot) : append_sorted_plot(&script, &plot);
    if (script.broken) no_memory();
    if (status == DONE) status = run_gnuplot(&script);
    autotune__free_text(&script);
    stbds_arrfree(rows);
    autotune__free_json(&json);
    return status;
}
static int plot(char **arguments) {
    int status;
    if (options.terminal == (options.output != NULL)) return fail(NOT_DONE, "plot: --output FILE.png, --output FILE.svg or --terminal");
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    const struct record *last = &records[stbds_arrlenu(records) - 1]; /* of several devices or builds the latest */
    if (strcmp(records->tuner, last->tuner) == 0 && strcmp(records->key, last->key) == 0)
        status = draw(last);
    else
        status = fail(NOT_DONE, "plot: %zu records match: name a tuner and a key, as 'autotune list' shows them", stbds_arrlenu(records));
    stbds_arrfree(records);
    return status;
}

/* search.c - which strategy finds a fast configuration of a large space with the fewest trials? Compares the strategies
   of autotune.h with KTT's rule, on the same spaces. peers.sh runs two other tuners, which PyPI has.

       bench_search [--seeds N] [--ours] [--plot FILE.svg] [FOLDER]     the tables; --ours: of AUTOTUNE_SURROGATE alone;
                                                                        --plot: the curves as a picture, by gnuplot
       bench_search --leave-one-out FOLDER                              are the constants of the strategy good on
                                                                        spaces that they were not chosen on?
       --first-seed N                                                   seeds from N on, instead of from 0
       --without-values                                                 the searches do not know the values of axes
       bench_search --check                                             fewer seeds, generated spaces only; fails if a
                                                                        limit of the part "Limits" is exceeded

   A space is a table of configurations with their times. A configuration that failed has no time. Six spaces are
   generated here, and two more for the cost of a proposal. FOLDER adds one space for each NAME.csv or NAME.csv.gz in
   it. Such a file has a line of titles, and then a line for each configuration: its values, its status, its time, and
   columns that are ignored. The status is ok, or the configuration failed. Lines that start with # are left out.

   Each strategy starts from nothing for each seed. It gets recorded times without noise. A trial is the first launch of
   a configuration, also if the launch fails. Launching a configuration again costs nothing.

   F(n) is the best time after n trials, in the mean over the seeds. E(n) is the expected best time of n random draws
   without replacement. The score is the mean over n = 20 to 200 of (E(n) - F(n)) / (E(n) - optimum). The score of
   random drawing is 0. The score is 1 if the optimum is known after 20 trials. P5 is the share of seeds that are within
   5 % of the optimum. */
#define _GNU_SOURCE
#define AUTOTUNE_STATIC
#include "autotune.h"
#include "bench.h"

#include <dirent.h>

enum { TRIALS = 200, FIRST_SCORED = 20, MOST_AXES = AUTOTUNE_MAX_AXES, MOST_SPACES = 32 };

/* ---- Random numbers, the same on every machine ------------------------------------------------------------------- */

typedef struct dice {
    uint64_t state;
} dice;

static uint64_t roll(dice *d) { /* splitmix64 */
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
static double uniform(dice *d) { return ((double)(roll(d) >> 11) + 0.5) / 9007199254740992.0; } /* never 0, never 1 */
static size_t below(dice *d, size_t count) { return (size_t)(roll(d) % count); }

/* ---- Spaces ------------------------------------------------------------------------------------------------------ */

typedef struct space {
    char name[64];
    size_t axes, count[MOST_AXES]; /* count: how many values each axis has */
    size_t points;                 /* of the product of all axes */
    bool categorical[MOST_AXES];
    int64_t *integer[MOST_AXES]; /* the values of an axis; NULL: not all are integers */
    bool flat;                                   /* the median time is less than 1.2 times the optimum */
    bool generated;
    double *time;                                /* of each point; 0: not admitted; HUGE_VAL: it fails */
    size_t *configurations, configuration_count; /* admitted points, ascending */
    double optimum, slowest;
    double random[TRIALS + 1]; /* E(n) */
} space;

static void values_of(const space *s, size_t point, size_t *values) {
    for (size_t a = s->axes; a-- > 0;) {
        values[a] = point % s->count[a];
        point /= s->count[a];
    }
}
static size_t point_of(const space *s, const size_t *values) {
    size_t point = 0;
    for (size_t a = 0; a < s->axes; a++) point = point * s->count[a] + values[a];
    return point;
}

/* Computes E(n). The i-th fastest configuration is the best of n draws if it is drawn, and no faster configuration is
   drawn. sorted: the times of the configurations that work, ascending. */
static void expect_random(space *s, const double *sorted, size_t worked) {
    for (size_t n = 1; n <= TRIALS; n++) {
        double chance = (double)n / (double)s->configuration_count, expected = 0, all = 0;
        for (size_t i = 0; i < worked && chance > 0; i++) {
            expected += chance * sorted[i];
            all += chance;
            chance *= ((double)s->configuration_count - (double)(i + n)) / (double)(s->configuration_count - 1 - i);
        }
        s->random[n] = expected / all;
    }
}
/* Computes all other members from `time`. */
static void finish_space(space *s) {
    double *sorted = bench_grow(NULL, s->points * sizeof *sorted);
    size_t worked = 0;
    s->configurations = bench_grow(NULL, s->points * sizeof *s->configurations);
    for (size_t point = 0; point < s->points; point++) {
        if (!(s->time[point] > 0)) continue;
        s->configurations[s->configuration_count++] = point;
        if (s->time[point] < HUGE_VAL) sorted[worked++] = s->time[point];
    }
    if (s->configuration_count <= TRIALS || !worked) {
        fprintf(stderr, "%s: %zu configurations, of which %zu work: too few\n", s->name, s->configuration_count,
                worked);
        exit(2);
    }
    qsort(sorted, worked, sizeof *sorted, bench_compare);
    s->optimum = sorted[0];
    s->slowest = sorted[worked - 1];
    s->flat = sorted[worked / 2] < 1.2 * s->optimum;
    expect_random(s, sorted, worked);
    free(sorted);
}

/* Generated spaces. time() returns the time of the point with these values. x has the same values, as fractions of
   their axes: 0 is the first value of an axis, and 1 the last. luck is a random number of this point, from 0 to 1. */
typedef struct shape {
    const char *name;
    size_t axes, count[MOST_AXES];
    uint32_t categorical;                                                               /* a bit for each axis */
    double (*time)(const space *s, const size_t *values, const double *x, double luck);
} shape;

static double bowl(double x, double at, double depth) { return 1 + depth * (x - at) * (x - at); }
/* Each axis changes the time on its own. */
static double separable_time(const space *s, const size_t *v, const double *x, double luck) {
    (void)s;
    if (v[0] + v[1] > 9) return 0;
    return bowl(x[0], 0.6, 4) * bowl(x[1], 0.3, 3) * bowl(x[2], 0.8, 1) * (v[3] == 2 ? 1 : 1.3) * (v[4] ? 1 : 1.15) *
           bowl(x[5], 0, 0.5) * (1 + 0.03 * luck);
}
/* All slopes lead away from the optimum. */
static double deceptive_time(const space *s, const size_t *v, const double *x, double luck) {
    double far = 0, slope = 0;
    (void)v;
    for (size_t a = 0; a < s->axes; a++) {
        far = fmax(far, fabs(x[a] - 0.2));
        slope += (1 - x[a]) / (double)s->axes;
    }
    return (far < 0.25 ? 1 + far : 1.6 + slope) * (1 + 0.02 * luck);
}
/* Nothing leads to the few good points. */
static double needle_time(const space *s, const size_t *v, const double *x, double luck) {
    (void)s, (void)v, (void)x;
    return luck < 0.002 ? 0.5 + luck : 1 + 0.3 * luck;
}
/* The space has few different times, which are far apart. */
static double plateau_time(const space *s, const size_t *v, const double *x, double luck) {
    const double t = bowl(x[0], 0.7, 3) * bowl(x[1], 0.5, 3) * bowl(x[2], 0.1, 2) * bowl(x[3], 0.9, 2);
    (void)s, (void)v, (void)luck;
    return floor(4 * t) / 4;
}
/* 30 % of the points fail, most of them beside the best. */
static double failing_time(const space *s, const size_t *v, const double *x, double luck) {
    (void)s;
    if (x[0] + x[1] > 1.35 || luck < 0.1) return HUGE_VAL;
    return bowl(x[0], 0.8, 4) * bowl(x[1], 0.6, 4) * bowl(x[2] - 0.5 * x[0], 0, 2) * (v[3] == 1 ? 1 : 1.2) *
           (1 + 0.05 * luck);
}
/* Pairs of axes change the time together. */
static double twelve_time(const space *s, const size_t *v, const double *x, double luck) {
    double t = 1;
    (void)v;
    for (size_t a = 0; a + 1 < s->axes; a++)
        t += (a % 3 ? 0.1 : 0.3) * fabs(x[a] - (a % 2 ? 1 - x[a + 1] : x[a + 1])) + 0.05 * x[a];
    return t * (1 + 0.02 * luck);
}
static const shape shapes[] = {
    {"separable", 6, {8, 8, 6, 4, 2, 6}, 1 << 3, separable_time},
    {"deceptive", 4, {10, 10, 8, 8}, 0, deceptive_time},
    {"needle", 5, {8, 8, 8, 4, 4}, 0, needle_time},
    {"plateau", 4, {12, 12, 10, 8}, 0, plateau_time},
    {"failing", 4, {16, 16, 8, 4}, 1 << 3, failing_time},
    {"twelve axes", 12, {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2}, 0, twelve_time},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static space generate(const shape *like, uint64_t seed) {
    space s = {.axes = like->axes, .points = 1, .generated = true};
    dice d = {seed};
    snprintf(s.name, sizeof s.name, "%s", like->name);
    for (size_t a = 0; a < s.axes; a++) {
        s.count[a] = like->count[a];
        s.categorical[a] = like->categorical >> a & 1;
        s.points *= s.count[a];
    }
    s.time = bench_grow(NULL, s.points * sizeof *s.time);
    for (size_t point = 0; point < s.points; point++) {
        size_t values[MOST_AXES];
        double x[MOST_AXES];
        values_of(&s, point, values);
        for (size_t a = 0; a < s.axes; a++) x[a] = (double)values[a] / (double)(s.count[a] - 1);
        s.time[point] = like->time(&s, values, x, uniform(&d));
    }
    finish_space(&s);
    return s;
}

/* Recorded spaces. An axis whose values are numbers is ordered; any other axis is categorical. An axis with a single
   value is kept. */
typedef struct table {
    char ***cell;
    size_t rows, columns;
} table;

static char **split(char *line, size_t *count) {
    char **part = NULL;
    *count = 0;
    for (char *at = line; at; *count += 1) {
        part = bench_grow(part, (*count + 1) * sizeof *part);
        part[*count] = at;
        if ((at = strchr(at, ','))) *at++ = 0;
    }
    return part;
}
static table read_table(const char *path, bool compressed) { /* the first row has the titles */
    char command[4200], *line = NULL;
    size_t room = 0;
    table t = {.cell = NULL};
    if (compressed && strchr(path, '\'')) {
        fprintf(stderr, "%s: a path with a quote in it\n", path);
        exit(2);
    }
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *file = compressed ? popen(command, "r") : fopen(path, "r");
    while (file && getline(&line, &room, file) > 0) {
        size_t columns;
        line[strcspn(line, "\r\n")] = 0;
        if (*line == '#' || !*line) continue;
        t.cell = bench_grow(t.cell, (t.rows + 1) * sizeof *t.cell);
        t.cell[t.rows] = split(strdup(line), &columns);
        if (t.rows && columns != t.columns) {
            fprintf(stderr, "%s: row %zu has %zu columns and not %zu\n", path, t.rows, columns, t.columns);
            exit(2);
        }
        t.columns = columns;
        t.rows++;
    }
    if (file) compressed ? pclose(file) : fclose(file);
    free(line);
    if (t.rows < 2) {
        fprintf(stderr, "%s: not such a table\n", path);
        exit(2);
    }
    return t;
}
static void free_table(table *t) {
    for (size_t r = 0; r < t->rows; r++) {
        free(t->cell[r][0]);
        free(t->cell[r]);
    }
    free(t->cell);
}
static int by_size(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}
static int64_t *integers_of(char **text, size_t count) { /* ascending; NULL: not all are integers */
    int64_t *integer = bench_grow(NULL, count * sizeof *integer);
    for (size_t k = 0; k < count; k++) {
        char *end;
        integer[k] = strtoll(text[k], &end, 10);
        if (!*end) continue;
        free(integer);
        return NULL;
    }
    qsort(integer, count, sizeof *integer, by_size);
    return integer;
}
/* Gives each row of a column the number of its value. If all values are numbers, they are numbered by size, else in the
   order of the rows. Returns how many values there are. */
static size_t number_values(const table *t, size_t column, size_t *number, bool *categorical, int64_t **integer) {
    char **known = NULL;
    size_t count = 0;
    *categorical = false;
    for (size_t r = 1; r < t->rows; r++) {
        char *value = t->cell[r][column], *end;
        size_t k = 0;
        while (k < count && strcmp(known[k], value)) k++;
        number[r] = k;
        if (k < count) continue;
        known = bench_grow(known, (count + 1) * sizeof *known);
        known[count++] = value;
        strtod(value, &end);
        if (*end || !*value) *categorical = true;
    }
    if (!*categorical) {
        size_t *rank = bench_grow(NULL, count * sizeof *rank);
        for (size_t k = 0; k < count; k++) {
            rank[k] = 0;
            for (size_t j = 0; j < count; j++) rank[k] += strtod(known[j], NULL) < strtod(known[k], NULL);
        }
        for (size_t r = 1; r < t->rows; r++) number[r] = rank[number[r]];
        free(rank);
    }
    *integer = *categorical ? NULL : integers_of(known, count);
    free(known);
    return count;
}
static space read_space(const char *path, const char *name, bool compressed) {
    table t = read_table(path, compressed);
    space s = {.points = 1};
    size_t status = 0, *number[MOST_AXES];
    snprintf(s.name, sizeof s.name, "%.*s", (int)strcspn(name, "."), name);
    while (status < t.columns && strcmp(t.cell[0][status], "status")) status++;
    if (!status || status + 1 >= t.columns || status > MOST_AXES) {
        fprintf(stderr, "%s: 1 to %d columns of values, then one that is called status, then the time\n", path,
                (int)MOST_AXES);
        exit(2);
    }
    for (s.axes = 0; s.axes < status; s.axes++) {
        number[s.axes] = bench_grow(NULL, t.rows * sizeof *number[0]);
        s.count[s.axes] = number_values(&t, s.axes, number[s.axes], &s.categorical[s.axes], &s.integer[s.axes]);
        s.points *= s.count[s.axes];
    }
    s.time = bench_grow(NULL, s.points * sizeof *s.time);
    for (size_t point = 0; point < s.points; point++) s.time[point] = 0;
    for (size_t r = 1; r < t.rows; r++) {
        size_t values[MOST_AXES];
        for (size_t a = 0; a < s.axes; a++) values[a] = number[a][r];
        s.time[point_of(&s, values)] = strcmp(t.cell[r][status], "ok") ? HUGE_VAL : strtod(t.cell[r][status + 1], NULL);
    }
    for (size_t a = 0; a < s.axes; a++) free(number[a]);
    free_table(&t);
    finish_space(&s);
    return s;
}
static int by_name(const void *a, const void *b) { return strcmp(((const space *)a)->name, ((const space *)b)->name); }
static size_t read_folder(const char *folder, space *spaces, size_t most) {
    DIR *directory = opendir(folder);
    size_t count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');
        const bool compressed = dot && !strcmp(dot, ".gz");
        char path[4096];
        if (!strstr(entry->d_name, ".csv") || count == most) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        spaces[count++] = read_space(path, entry->d_name, compressed);
    }
    if (!count) {
        fprintf(stderr, "%s: no tables, which are called NAME.csv or NAME.csv.gz\n", folder);
        exit(2);
    }
    closedir(directory);
    qsort(spaces, count, sizeof *spaces, by_name);
    return count;
}

/* ---- One run of one strategy ------------------------------------------------------------------------------------- */

typedef struct run {
    const space *space;
    dice dice;
    size_t trials;
    unsigned char *tried; /* a flag for each point */
    double best, curve[TRIALS + 1];
    autotune__search_constants constants; /* of the strategies of autotune.h */
} run;

static bool is_over(const run *r) { return r->trials >= TRIALS; }
static bool is_admitted(const space *s, size_t point) { return s->time[point] > 0; }

/* Tries a point, and returns its time. HUGE_VAL: the point fails, or the run is over. */
static double try_point(run *r, size_t point) {
    const double time = r->space->time[point];
    if (r->tried[point]) return time;
    if (is_over(r)) return HUGE_VAL;
    r->tried[point] = 1;
    if (time < r->best) r->best = time;
    r->curve[++r->trials] = r->best < HUGE_VAL ? r->best : r->space->slowest;
    return time;
}
static size_t draw(run *r) { return r->space->configurations[below(&r->dice, r->space->configuration_count)]; }
static size_t draw_new(run *r) {
    size_t point;
    do point = draw(r);
    while (r->tried[point]);
    return point;
}

/* ---- KTT's rule ------------------------------------------------------------------------------------------------ */

/* Returns a random admitted and untried point that differs from the point in one or two values. SIZE_MAX: none was
   found. KTT enumerates these neighbours. Drawing until one fits makes the same choice with less work. */
static size_t draw_one_or_two_changed(run *r, size_t point) {
    const space *s = r->space;
    size_t single = 0, pairs = 0, values[MOST_AXES];
    for (size_t a = 0; a < s->axes; a++) {
        pairs += single * (s->count[a] - 1);
        single += s->count[a] - 1;
    }
    for (size_t attempt = 0; attempt < 4000; attempt++) {
        const bool two = below(&r->dice, single + pairs) >= single;
        values_of(s, point, values);
        for (int change = 0; change <= two; change++) {
            size_t pick = below(&r->dice, single), a = 0;
            while (pick >= s->count[a] - 1) pick -= s->count[a++] - 1;
            values[a] = pick + (pick >= values[a]);
        }
        const size_t near = point_of(s, values);
        if (near != point && is_admitted(s, near) && !r->tried[near]) return near;
    }
    return SIZE_MAX;
}

static void run_random(run *r) {
    while (!is_over(r)) try_point(r, draw_new(r));
}

/* KTT, MCMC: the strategy tries ten random points, and the best of them becomes the origin. Then it tries random points
   that differ from the origin in one or two values. A point that is not slower becomes the origin. In one of fifty
   steps a slower point does, too. */
static void run_ktt_mcmc(run *r) {
    enum { BOOT = 10 };
    size_t origin = draw(r), now;
    double time = try_point(r, origin), now_time;
    for (int i = 1; i < BOOT; i++)
        if ((now_time = try_point(r, now = draw_new(r))) <= time) origin = now, time = now_time;
    while (!is_over(r)) {
        now = draw_one_or_two_changed(r, origin);
        if (now == SIZE_MAX) {
            time = try_point(r, origin = draw_new(r));
            continue;
        }
        now_time = try_point(r, now);
        if (now_time <= time || uniform(&r->dice) < 0.02) origin = now, time = now_time;
    }
}

/* ---- The strategies of autotune.h, by the functions that a user calls -------------------------------------------- */

static bool tells_values = true;

/* WHERE: true: the space may have points with the first `bound` values. */
static bool in_table(void *user, const size_t *values, size_t bound) {
    const space *s = user;
    return bound < s->axes || is_admitted(s, point_of(s, values));
}
static autotune_search *start_search(const space *s, autotune_strategy strategy, uint64_t seed) {
    autotune_search_axis axes[MOST_AXES];
    autotune_search_desc desc = {axes, s->axes, in_table, (void *)(uintptr_t)s, strategy, seed};
    autotune_search *search;
    for (size_t a = 0; a < s->axes; a++)
        axes[a] = (autotune_search_axis){s->count[a], s->categorical[a], tells_values ? s->integer[a] : NULL};
    if (!(search = autotune_search_create(&desc)) ||
        autotune_search_prefer(search, s->configurations[0]) != AUTOTUNE_OK) {
        fprintf(stderr, "%s: %s\n", s->name, autotune_last_error());
        exit(2);
    }
    return search;
}
/* Makes the trials of a run, and destroys the search. point_of_row: NULL: the search asks for points of the space. */
static void drive(run *r, autotune_search *search, const size_t *point_of_row) {
    size_t asked;
    autotune__set_constants(search, &r->constants);
    while (!is_over(r) && autotune_search_ask(search, &asked) == AUTOTUNE_OK) {
        const size_t point = point_of_row ? point_of_row[asked] : asked;
        if (r->tried[point]) {
            fprintf(stderr, "%s: the search asked for the same point twice\n", r->space->name);
            exit(2);
        }
        autotune_search_tell(search, asked, try_point(r, point));
    }
    autotune_search_destroy(search);
}
static void run_ours(run *r, autotune_strategy strategy) {
    drive(r, start_search(r->space, strategy, roll(&r->dice)), NULL);
}
static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}
/* Gives the same space to the search as a table with a row for each configuration, as CONFIGS or desc.configs do. */
static void run_our_table(run *r, autotune_strategy strategy) {
    const space *s = r->space;
    const size_t rows = s->configuration_count;
    autotune__space as_table = {.points = 1, .located = SIZE_MAX};
    size_t *row = bench_grow(NULL, rows * sizeof *row);
    autotune__new_dimension(&as_table, rows)->columns = 1;
    for (size_t a = 0; a < s->axes; a++)
        autotune__new_axis(&as_table, "axis", s->categorical[a] ? AUTOTUNE_STRING
                                              : s->integer[a] && tells_values ? AUTOTUNE_I64
                                                                : AUTOTUNE_F64)->values =
            bench_grow(NULL, rows * sizeof *as_table.axes[0].values);
    for (size_t i = 0; i < rows; i++) {
        static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
        size_t values[MOST_AXES];
        values_of(s, s->configurations[i], values);
        for (size_t a = 0; a < s->axes; a++)
            as_table.axes[a].values[i] = s->categorical[a] ? (uintptr_t)names[values[a]]
                                        : s->integer[a] && tells_values ? (uint64_t)s->integer[a][values[a]]
                                                          : bits_of((double)values[a]);
        row[i] = i;
    }
    autotune_search *search = autotune__search_space(&as_table, strategy, roll(&r->dice));
    search->list = row;
    search->list_count = rows;
    autotune_search_prefer(search, 0);
    drive(r, search, s->configurations);
    for (size_t a = 0; a < s->axes; a++) free(as_table.axes[a].values);
    free(row);
}
static void run_our_random(run *r) { run_ours(r, AUTOTUNE_RANDOM); }
static void run_our_surrogate(run *r) { run_ours(r, AUTOTUNE_SURROGATE); }
static void run_our_surrogate_table(run *r) { run_our_table(r, AUTOTUNE_SURROGATE); }

typedef struct strategy {
    const char *name;
    void (*run)(run *);
} strategy;
static const strategy strategies[] = {
    {"random", run_random},
    {"KTT, MCMC", run_ktt_mcmc},
    {"AUTOTUNE_RANDOM", run_our_random},
    {"AUTOTUNE_SURROGATE", run_our_surrogate},
    {"the same, as a table", run_our_surrogate_table},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies, TABLE = STRATEGIES - 1, SURROGATE = TABLE - 1 };

/* ---- Many runs --------------------------------------------------------------------------------------------------- */

typedef struct figures {
    double score, p5_at_100, p5_at_200;
    double curve[TRIALS + 1]; /* F(n) / optimum */
} figures;

static size_t first_seed;

static figures measure(const space *s, const strategy *by, size_t seeds, const autotune__search_constants *constants) {
    figures f = {.score = 0};
    run r = {.space = s, .tried = bench_grow(NULL, s->points), .constants = *constants};
    for (size_t seed = 0; seed < seeds; seed++) {
        r.dice.state = 1000003 * (first_seed + seed) + 17;
        r.trials = 0;
        r.best = HUGE_VAL;
        memset(r.tried, 0, s->points);
        by->run(&r);
        /* The strategy may have ended before its last trial. */
        for (size_t n = r.trials + 1; n <= TRIALS; n++) r.curve[n] = r.trials ? r.curve[r.trials] : s->slowest;
        for (size_t n = 1; n <= TRIALS; n++) f.curve[n] += r.curve[n] / s->optimum / (double)seeds;
        f.p5_at_100 += (r.curve[100] <= 1.05 * s->optimum) / (double)seeds;
        f.p5_at_200 += (r.curve[200] <= 1.05 * s->optimum) / (double)seeds;
    }
    for (size_t n = FIRST_SCORED; n <= TRIALS; n++) {
        const double random = s->random[n] / s->optimum;
        f.score += (random - f.curve[n]) / (random - 1) / (TRIALS - FIRST_SCORED + 1);
    }
    free(r.tried);
    return f;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

typedef struct summary {
    double score, worst, p5_at_100, p5_at_200;
    size_t count;
} summary;
/* The means and the worst of the spaces that are not flat. */
static summary summarise(const figures *f, const space *spaces, size_t count, bool generated) {
    summary s = {.worst = HUGE_VAL};
    for (size_t i = 0; i < count; i++) s.count += !spaces[i].flat && spaces[i].generated == generated;
    for (size_t i = 0; i < count; i++) {
        if (spaces[i].flat || spaces[i].generated != generated) continue;
        s.score += f[i].score / (double)s.count;
        s.p5_at_100 += f[i].p5_at_100 / (double)s.count;
        s.p5_at_200 += f[i].p5_at_200 / (double)s.count;
        if (f[i].score < s.worst) s.worst = f[i].score;
    }
    return s;
}
static void print_scores(figures (*f)[MOST_SPACES], size_t first, const space *spaces, size_t count, bool generated) {
    printf("\n%-36s", "score");
    for (size_t i = 0; i < count; i++)
        if (spaces[i].generated == generated) printf(" %14.14s%s", spaces[i].name, spaces[i].flat ? "*" : " ");
    printf(" |  mean  worst  P5@100  P5@200\n");
    for (size_t k = first; k < STRATEGIES; k++) {
        const summary s = summarise(f[k], spaces, count, generated);
        printf("%-36s", strategies[k].name);
        for (size_t i = 0; i < count; i++)
            if (spaces[i].generated == generated) printf(" %14.2f ", f[k][i].score);
        printf(" | %5.2f  %5.2f  %6.2f  %6.2f\n", s.score, s.worst, s.p5_at_100, s.p5_at_200);
    }
}
static const size_t shown[] = {10, 20, 30, 50, 70, 100, 150, 200};
enum { SHOWN = sizeof shown / sizeof *shown };
static void print_curves(figures (*f)[MOST_SPACES], size_t first, const space *spaces, size_t count) {
    printf("\nBest found / optimum after n trials, in the mean over the seeds\n");
    for (size_t i = 0; i < count; i++) {
        printf("\n%-24s", spaces[i].name);
        for (size_t n = 0; n < SHOWN; n++) printf(" %7zu", shown[n]);
        printf("\n");
        for (size_t k = first; k < STRATEGIES; k++) {
            printf("%-24s", strategies[k].name);
            for (size_t n = 0; n < SHOWN; n++) printf(" %7.3f", f[k][i].curve[shown[n]]);
            printf("\n");
        }
    }
}
/* One curve for each strategy: the geometric mean over the spaces. */
static void plot_curves(const char *path, figures (*f)[MOST_SPACES], size_t first, size_t count) {
    FILE *gnuplot = system("command -v gnuplot > /dev/null") ? NULL : popen("gnuplot", "w");
    if (!gnuplot) {
        printf("\nNo picture: gnuplot is not installed\n");
        return;
    }
    fprintf(gnuplot,
            "set terminal svg size 900,560 background 'white' noenhanced\nset output '%s'\nset logscale y\nset grid\n",
            path);
    fprintf(gnuplot, "set xlabel 'trials'\nset ylabel 'best found / optimum, geometric mean over the spaces'\nplot");
    for (size_t k = first; k < STRATEGIES; k++)
        fprintf(gnuplot, "%s '-' with lines linewidth 2 title '%s'", k > first ? "," : "", strategies[k].name);
    fprintf(gnuplot, "\n");
    for (size_t k = first; k < STRATEGIES; k++) {
        for (size_t n = 5; n <= TRIALS; n++) {
            double sum = 0;
            for (size_t i = 0; i < count; i++) sum += log(f[k][i].curve[n]) / (double)count;
            fprintf(gnuplot, "%zu %g\n", n, exp(sum));
        }
        fprintf(gnuplot, "e\n");
    }
    if (pclose(gnuplot))
        fprintf(stderr, "no picture: gnuplot could not write %s\n", path);
    else
        printf("\nThe curves, over all spaces: %s\n", path);
}

/* ---- What a proposal costs --------------------------------------------------------------------------------------- */

typedef struct cost_case {
    const char *name;
    size_t axes, count, limit_us;
    bool (*where)(void *user, const size_t *values, size_t bound);
} cost_case;
static size_t evaluations; /* how often WHERE was evaluated */

static bool one_in_three(void *user, const size_t *values, size_t bound) { /* admits 19,683 of 3^10 points */
    size_t sum = 0;
    (void)user;
    evaluations++;
    for (size_t a = 0; a < bound; a++) sum += values[a] * (a + 1);
    return bound < 10 || sum % 3 == 0;
}
/* Admits one in a thousand of 10^9 points. WHERE can decide only if all values are known. */
static bool one_in_a_thousand(void *user, const size_t *values, size_t bound) {
    uint64_t hash = 0;
    (void)user;
    evaluations++;
    if (bound < 9) return true;
    for (size_t a = 0; a < bound; a++) hash = (hash + values[a] + 1) * 0x9E3779B97F4A7C15u;
    return (hash >> 32) % 1000 == 0;
}
static const cost_case cost_cases[] = {
    {"19,683 configurations, 10 axes", 10, 3, 50, one_in_three},
    {"10^9 points, one in 10^3 admitted", 9, 10, 200, one_in_a_thousand},
};
enum { COST_CASES = sizeof cost_cases / sizeof *cost_cases, COST_TRIALS = 500 };

static double cost_time(const size_t *values, size_t axes) {
    double t = 1;
    for (size_t a = 0; a < axes; a++)
        t += 0.3 * fabs((double)values[a] - (double)(a % 3)) + 0.1 * (double)values[a] * (double)values[(a + 1) % axes];
    return t;
}
/* The user data of where_repeated(), which evaluates WHERE `times` times. The difference of the times with 1 and 2 is
   the cost of WHERE. */
typedef struct where_times {
    const cost_case *of;
    int times;
} where_times;
static bool where_repeated(void *user, const size_t *values, size_t bound) {
    const where_times *w = user;
    bool admitted = false;
    for (int i = 0; i < w->times; i++) admitted = w->of->where(NULL, values, bound);
    return admitted;
}
/* Returns the processor time, in seconds, of COST_TRIALS proposals and of telling their times. */
static double search_seconds(const cost_case *c, int times) {
    where_times where = {c, times};
    autotune_search_axis axes[MOST_AXES];
    autotune_search_desc desc = {axes, c->axes, where_repeated, &where, AUTOTUNE_SURROGATE, 1};
    space s = {.axes = c->axes};
    double spent = 0;
    for (size_t a = 0; a < c->axes; a++) {
        axes[a] = (autotune_search_axis){.count = c->count};
        s.count[a] = c->count;
    }
    autotune_search *search = autotune_search_create(&desc);
    evaluations = 0;
    for (size_t n = 0; n < COST_TRIALS && search; n++) {
        size_t values[MOST_AXES], point;
        double start = bench_thread_seconds();
        if (autotune_search_ask(search, &point) != AUTOTUNE_OK) exit(2);
        spent += bench_thread_seconds() - start;
        values_of(&s, point, values);
        const double time = cost_time(values, c->axes);
        start = bench_thread_seconds();
        autotune_search_tell(search, point, time);
        spent += bench_thread_seconds() - start;
    }
    autotune_search_destroy(search);
    return spent;
}
static void print_costs(void) {
    printf(
        "\nA proposal of AUTOTUNE_SURROGATE, mean of %d with their answers: microseconds of processor time without "
        "WHERE\n\n%-34s %8s "
        "%8s %5s %22s\n",
        (int)COST_TRIALS, "", "us", "limit", "met", "WHERE per proposal");
    for (size_t i = 0; i < COST_CASES; i++) {
        enum { REPEATS = 7 };
        double cost[REPEATS];
        size_t asked = 0;
        for (size_t k = 0; k < REPEATS; k++) {
            const double once = search_seconds(&cost_cases[i], 1);
            asked = evaluations;
            cost[k] = 1e6 * (asked ? 2 * once - search_seconds(&cost_cases[i], 2) : once) / COST_TRIALS;
        }
        const double us = bench_summary(cost, REPEATS).median;
        printf("%-34s %8.1f %8zu %5s %22.0f\n", cost_cases[i].name, us, cost_cases[i].limit_us,
               bench_judge(us, (double)cost_cases[i].limit_us), (double)asked / COST_TRIALS);
    }
}

/* ---- Leave one out ----------------------------------------------------------------------------------------------- */

/* Halves and doubles each constant of the strategy, one at a time: these are the choices. For each space, takes the
   choice that is best on the other spaces, and scores it on the space that was left out. The other spaces are all but
   this space, or the spaces of other kernels, or the spaces of other devices. The name of a space is KERNEL_DEVICE. */
enum { THE_SPACE, ITS_KERNEL, ITS_DEVICE, WAYS };
static const char *const ways[WAYS] = {"the space", "its kernel", "its device"};

static bool leaves_out(int what, const space *s, const space *other) {
    const size_t kernel = strcspn(s->name, "_"), other_kernel = strcspn(other->name, "_");
    if (what == THE_SPACE) return s == other;
    if (what == ITS_DEVICE) return !strcmp(s->name + kernel, other->name + other_kernel);
    return kernel == other_kernel && !strncmp(s->name, other->name, kernel);
}
static void leave_one_out(const space *spaces, size_t count, size_t seeds) {
    enum { CHOICES = 9 };
    autotune__search_constants choice[CHOICES];
    static const char *const names[CHOICES] = {"as they are",  "first 4",     "first 16",   "additive 0.1",
                                               "additive 0.6", "fading 0.15", "fading 0.6", "cap 0.5",
                                               "cap 2"};
    double score[CHOICES][MOST_SPACES];
    for (size_t c = 0; c < CHOICES; c++) choice[c] = autotune__usual_constants;
    choice[1].first = 4;
    choice[2].first = 16;
    choice[3].additive = 0.1;
    choice[4].additive = 0.6;
    choice[5].fading = 0.15;
    choice[6].fading = 0.6;
    choice[7].cap = 0.5;
    choice[8].cap = 2;
    printf("%-24s", "score");
    for (size_t i = 0; i < count; i++) printf(" %14.14s%s", spaces[i].name, spaces[i].flat ? "*" : " ");
    printf(" |  mean\n");
    for (size_t c = 0; c < CHOICES; c++) {
        double mean = 0, spaces_counted = 0;
        printf("%-24s", names[c]);
        for (size_t i = 0; i < count; i++) {
            score[c][i] = measure(&spaces[i], &strategies[SURROGATE], seeds, &choice[c]).score;
            if (!spaces[i].flat) mean += score[c][i], spaces_counted++;
            printf(" %14.2f ", score[c][i]);
            fflush(stdout);
        }
        printf(" | %5.3f\n", mean / spaces_counted);
    }
    for (int what = 0; what < WAYS; what++) {
        double left_out = 0, usual = 0;
        size_t counted = 0;
        printf("\nleft out: %-14s %-20s %8s %14s\n", ways[what], "best on the others", "score", "as they are");
        for (size_t i = 0; i < count; i++) {
            size_t best = 0;
            double best_sum = -HUGE_VAL;
            if (spaces[i].flat) continue;
            for (size_t c = 0; c < CHOICES; c++) {
                double sum = 0;
                for (size_t j = 0; j < count; j++)
                    if (!leaves_out(what, &spaces[i], &spaces[j]) && !spaces[j].flat) sum += score[c][j];
                if (sum > best_sum) best_sum = sum, best = c;
            }
            printf("%-24s %-20s %8.2f %14.2f\n", spaces[i].name, names[best], score[best][i], score[0][i]);
            left_out += score[best][i];
            usual += score[0][i];
            counted++;
        }
        printf("%-24s %-20s %8.3f %14.3f\n", "mean", "", left_out / (double)counted, usual / (double)counted);
    }
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

/* The least scores with the seeds of --check. Nothing leads to a needle. There the limit only says that the strategy is
   not much worse than random drawing. */
static const struct {
    const char *name;
    double least;
} limits[] = {
    {"separable", 0.9}, {"deceptive", 0.6}, {"needle", -0.4}, {"plateau", 0.8}, {"failing", 0.6}, {"twelve axes", 0.5},
};
static int check(const space *spaces, size_t count, size_t seeds) {
    enum { TABLE_SEEDS = 2 }; /* to sort the columns of 354,294 rows takes half a second */
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        const figures surrogate = measure(&spaces[i], &strategies[SURROGATE], seeds, &autotune__usual_constants),
                      few = measure(&spaces[i], &strategies[SURROGATE], TABLE_SEEDS, &autotune__usual_constants),
                      as_table = measure(&spaces[i], &strategies[TABLE], TABLE_SEEDS, &autotune__usual_constants),
                      random = measure(&spaces[i], &strategies[SURROGATE - 1], seeds, &autotune__usual_constants);
        double off = 0; /* by how much AUTOTUNE_RANDOM differs from the expected result of random drawing */
        for (size_t n = 1; n <= TRIALS; n++)
            off += (random.curve[n] * spaces[i].optimum / spaces[i].random[n] - 1) / TRIALS;
        const bool good = surrogate.score >= limits[i].least && fabs(as_table.score - few.score) < 0.03 &&
                          fabs(off) < 0.06;
        printf("%-12s surrogate %5.2f, at least %5.2f; as a table %+5.2f, at most 0.03 away; "
               "random draws %+5.1f %% from what is expected, at most 6: %s\n",
               spaces[i].name, surrogate.score, limits[i].least, as_table.score - few.score, 100 * off,
               good ? "yes" : "NO");
        failed |= !good;
    }
    return failed;
}

int main(int argc, char **argv) {
    static figures f[STRATEGIES][MOST_SPACES];
    static space spaces[MOST_SPACES];
    const char *folder = NULL, *plot = NULL;
    size_t seeds = 100, count = 0;
    bool checks = false, leaves = false, ours = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--check"))
            checks = true;
        else if (!strcmp(argv[i], "--leave-one-out"))
            leaves = true;
        else if (!strcmp(argv[i], "--ours"))
            ours = true;
        else if (!strcmp(argv[i], "--without-values"))
            tells_values = false;
        else if (!strcmp(argv[i], "--first-seed") && i + 1 < argc)
            first_seed = (size_t)atoi(argv[++i]);
        else if (!strcmp(argv[i], "--seeds") && i + 1 < argc && atoi(argv[i + 1]) > 0)
            seeds = (size_t)atoi(argv[++i]);
        else if (!strcmp(argv[i], "--plot") && i + 1 < argc)
            plot = argv[++i];
        else if (*argv[i] != '-' && !folder)
            folder = argv[i];
        else {
            fprintf(stderr, "usage: %s [--seeds N] [--first-seed N] [--without-values] [--ours] [--plot FILE.svg] "
                            "[--leave-one-out] [FOLDER], or --check\n",
                    argv[0]);
            return 2;
        }
    }
    if (leaves && !folder) {
        fprintf(stderr, "--leave-one-out needs a folder of spaces\n");
        return 2;
    }
    if (folder) count = read_folder(folder, spaces, MOST_SPACES - SHAPES);
    if (leaves) {
        leave_one_out(spaces, count, seeds);
        return 0;
    }
    for (size_t i = 0; i < SHAPES; i++) spaces[count++] = generate(&shapes[i], i);
    if (checks) return check(spaces, count, 40);
    const size_t first = ours ? SURROGATE : 0;
    printf("%zu seeds; %d trials; * flat, not in the means\n", seeds, (int)TRIALS);
    for (size_t k = first; k < STRATEGIES; k++)
        for (size_t i = 0; i < count; i++)
            f[k][i] = measure(&spaces[i], &strategies[k], seeds, &autotune__usual_constants);
    if (folder) print_scores(f, first, spaces, count, false);
    print_scores(f, first, spaces, count, true);
    print_curves(f, first, spaces, count);
    print_costs();
    if (plot) plot_curves(plot, f, first, count);
    return 0;
}

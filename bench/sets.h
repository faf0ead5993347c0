/* sets.h - sets of recorded times, generated here or read from files, and random numbers that are the same on every
   machine. */
#ifndef SETS_H
#define SETS_H

#include "bench.h"
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Random numbers, the same on every machine ------------------------------------------------------------------- */

typedef struct dice { uint64_t state; } dice;

static inline uint64_t roll(dice *d) { /* splitmix64 */
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
static inline double uniform(dice *d) { /* never 0, never 1 */
    return ((double)(roll(d) >> 11) + 0.5) / 9007199254740992.0;
}
static inline size_t below(dice *d, size_t count) { return (size_t)(roll(d) % count); }
/* Draws a normal variable by the method of Irwin and Hall, which needs no function of the math library. Such functions
   differ in their last digits from machine to machine. */
static inline double normal(dice *d) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += uniform(d);
    return sum;
}
static inline double exponential(dice *d) { return -log(uniform(d)); }
/* How much more than 1 a Pareto variable of shape 1.2 is: 5 in the mean, but mostly less than 1. */
static inline double pareto_excess(dice *d) { return pow(uniform(d), -1 / 1.2) - 1; }

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

enum { SETTLING = 12, GENERATED_RUNS = 32, GENERATED_COUNT = 1000, MOST_SETS = 32 };

typedef struct series {
    double *ns;      /* the times of the runs, in the order in which they were made */
    size_t count;    /* of `ns` */
    size_t settling; /* the number of runs at the beginning of `ns` during which the device still changed its clocks; 0:
                        add_series() left these runs out */
    double median;   /* of the runs after the settling ones */
} series;
typedef struct set {
    char name[64];
    series *configurations;
    size_t count;
} set;

static inline double median_of(const double *values, size_t count) {
    double *sorted = bench_grow(NULL, count * sizeof *sorted), median;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, bench_compare);
    median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return median;
}
static inline void add_series(set *s, const double *ns, size_t count, bool settles) {
    series added = {.count = settles ? count : count - SETTLING, .settling = settles ? SETTLING : 0};
    added.ns = bench_grow(NULL, added.count * sizeof *added.ns);
    memcpy(added.ns, ns + (count - added.count), added.count * sizeof *added.ns);
    added.median = median_of(added.ns + added.settling, added.count - added.settling);
    s->configurations = bench_grow(s->configurations, (s->count + 1) * sizeof added);
    s->configurations[s->count++] = added;
}

/* Cuts a recording to its longest stretch without a lasting change of speed. In this stretch the medians of any three
   runs in a row are within 0.7 %, or the stretch has only three runs. A single delayed run changes no median of
   three. */
static inline void keep_stationary(series *s) {
    enum { WINDOW = 3 };
    const double *runs = s->ns + s->settling;
    const size_t count = s->count - s->settling;
    size_t from = 0, length = 0;
    for (size_t start = 0; start + WINDOW <= count; start++) {
        double least = HUGE_VAL, most = 0;
        for (size_t end = start + WINDOW; end <= count; end++) {
            const double level = median_of(runs + end - WINDOW, WINDOW);
            least = fmin(least, level);
            most = fmax(most, level);
            if (most > 1.007 * least) break;
            if (end - start > length) { from = start; length = end - start; }
        }
    }
    if (!length) return;
    memmove(s->ns, runs + from, length * sizeof *s->ns);
    s->count = length;
    s->settling = 0;
    s->median = median_of(s->ns, length);
}

/* The shape of a generated set. Recorded spaces have such shapes. In a recording, runs that follow each other are not
   independent. Most runs differ by a tick of the clock or by `noise`. Stretches of some runs are slower by about
   `wave`, since clocks and temperatures change. Some of the slow configurations change their speed once. */
typedef struct shape {
    const char *name;
    double fastest_ns, noise, wave, tick_ns;
    double (*slowness)(dice *); /* returns the time of a random configuration, divided by fastest_ns */
    double fall;                /* during the first ten launches of a configuration the clocks fall by at most this
                                   share */
} shape;

static inline double wide_slowness(dice *d) { /* few are near the best, some are many times slower */
    const double body = 1 + exponential(d) * (0.5 + uniform(d)) + uniform(d);
    return uniform(d) < 0.1 ? body * (1 + 4 * uniform(d)) : body;
}
/* no parameter matters much */
static inline double flat_slowness(dice *d) { return 1 + 0.05 * exponential(d) + 0.04 * uniform(d) * uniform(d); }
static inline double clustered_slowness(dice *d) { /* two parameters matter, the others hardly */
    static const double tile[] = {1, 1, 1.04, 1.3, 1.9, 3.4}, unroll[] = {1, 1.02, 1.12, 1.5};
    return tile[below(d, 6)] * unroll[below(d, 4)] * (1 + 0.02 * uniform(d));
}
/* one in eight is near the best, the others are far from it */
static inline double tied_slowness(dice *d) {
    return uniform(d) < 0.125 ? 1 + 0.003 * uniform(d) : 1.08 + 0.5 * exponential(d);
}
static const shape shapes[] = {
    {"generated wide", 550e3, 0.0006, 0.001, 1024, wide_slowness, 0},
    {"generated flat", 68e6, 0.0004, 0.010, 1024, flat_slowness, 0},
    {"generated clustered", 4e6, 0.002, 0.005, 32, clustered_slowness, 0},
    {"generated falling", 550e3, 0.0006, 0.001, 1024, wide_slowness, 0.1},
    {"generated tied", 4e6, 0.002, 0.005, 32, tied_slowness, 0},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, STEADY_SHAPES = 3 }; /* STEADY_SHAPES: the first ones are steady */

static inline set generate(const shape *like, uint64_t seed) {
    dice d = {seed};
    set s = {.count = 0};
    snprintf(s.name, sizeof s.name, "%s", like->name);
    for (size_t c = 0; c < GENERATED_COUNT; c++) {
        const double slowness = like->slowness(&d), noise = like->noise * (0.5 + uniform(&d));
        /* the run from which on the configuration is faster; GENERATED_RUNS: none */
        const size_t turns = slowness > 3 && uniform(&d) < 0.05 ? below(&d, GENERATED_RUNS) : GENERATED_RUNS;
        const double fall = like->fall > 0 ? like->fall * uniform(&d) : 0;
        double ns[GENERATED_RUNS], wave = 0;
        for (size_t run = 0; run < GENERATED_RUNS; run++) {
            if (uniform(&d) < 0.25) wave = uniform(&d) < 0.35 ? like->wave * exponential(&d) : 0;
            double t = like->fastest_ns * slowness * (1 + wave + noise * normal(&d));
            if (!(like->fall > 0) && run < SETTLING) t *= 1 + 0.1 / (double)(run + 1);
            if (run < 10) t *= 1 - fall * (double)(10 - run) / 10;
            if (run >= turns) t *= 0.6;
            ns[run] = like->tick_ns * floor(t / like->tick_ns + 0.5);
        }
        add_series(&s, ns, GENERATED_RUNS, like->fall > 0);
    }
    return s;
}

/* Reads one file. If the file is no table of times, prints a message and exits. */
static inline set read_set(const char *path, const char *name, bool compressed) {
    char command[4200], *line = NULL;
    size_t room = 0, number = 0;
    set s = {.count = 0};
    if (compressed && strchr(path, '\'')) {
        fprintf(stderr, "%s: a path with a quote in it\n", path);
        exit(2);
    }
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *file = compressed ? popen(command, "r") : fopen(path, "r");
    snprintf(s.name, sizeof s.name, "%.*s", (int)strcspn(name, "."), name);
    while (file && getline(&line, &room, file) > 0) {
        double ns[1024];
        size_t count = 0;
        number++;
        if (*line == '#' || *line == '\n') continue;
        for (char *at = line, *end; count < 1024 && (ns[count] = strtod(at, &end), end != at); at = end + (*end == ','))
            count++;
        for (size_t i = 0; i < count; i++) if (!(ns[i] > 0)) count = 0;
        if (count <= SETTLING) {
            fprintf(stderr, "%s:%zu: not more than %d times in ns, separated by commas\n", path, number, SETTLING);
            exit(2);
        }
        add_series(&s, ns, count, false);
    }
    free(line);
    if (!file || (compressed ? pclose(file) : fclose(file)) != 0 || s.count < 2) {
        fprintf(stderr, "%s: cannot be read, or holds fewer than two configurations\n", path);
        exit(2);
    }
    return s;
}
static inline bool ends_in(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && !strcmp(text + length - tail, end);
}
static inline size_t read_folder(const char *folder, set *sets, size_t most) {
    struct dirent **entries;
    const int found = scandir(folder, &entries, NULL, alphasort);
    size_t count = 0;
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        const bool compressed = ends_in(name, ".csv.gz");
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if ((compressed || ends_in(name, ".csv")) && count < most) sets[count++] = read_set(path, name, compressed);
        free(entries[i]);
    }
    if (found >= 0) free(entries);
    if (!count) {
        fprintf(stderr, "%s: no file NAME.csv or NAME.csv.gz there\n", folder);
        exit(2);
    }
    return count;
}

#endif

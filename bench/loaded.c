/* loaded.c - the race of autotune.h on a machine whose processors other processes use. Is its pick right, is its
   verdict right, and how long does the race take?

       bench_loaded [--races N] [--only SPACE] [BUSY ...]
                N: 20 of each space; SPACE: its name in the table; BUSY: numbers of busy processes, 0 2 4 8

   There are four spaces. Their launches take far less than a millisecond, about one, some milliseconds, and half a
   second. They are the matrix product of examples/matmul.c with fewer configurations, a stencil over a small and over a
   large grid, and a large product. The large product has too many configurations for the time limit of a race. Each
   race has its own key and seed, and runs while BUSY processes compute, on any processor.

   The truth is measured under the same load: if another process uses the same core and its caches, another
   configuration may be the fastest. So after each race all configurations are launched in some rounds, in random
   order. A sample is the lesser processor time of two launches. In the first rounds a configuration is left out if
   it takes more than twice the best time. In later rounds the limit is 1.5 times the best time. The median over all
   rounds is the truth. Even and odd rounds are two measurements: the best configuration by one of them should be
   fast by the other. A pick is right if it is within 5 % of the best truth. */
#define _GNU_SOURCE
#define main matmul_main
#include "../examples/matmul.c"
#undef main

#include "bench.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* ---- The spaces -------------------------------------------------------------------------------------------------- */

enum { MOST = 128, SMALL = 1000, LARGE = 2200, PRODUCT = 2112 };
static float *from, *to, *factor; /* factor: of the large product; the grids are its other matrices */

/* Replaces each point by the mean of five points, in tiles, with rows or columns as the inner loop. */
static void sweep(int n, int tile_i, int tile_j, int by_rows, int unroll) {
    for (int ii = 1; ii < n - 1; ii += tile_i)
        for (int jj = 1; jj < n - 1; jj += tile_j) {
            const int i_end = smaller(ii + tile_i, n - 1), j_end = smaller(jj + tile_j, n - 1);
            #define CELL(i, j)                                                                                         \
                to[(i) * n + (j)] = 0.2f * (from[(i) * n + (j)] + from[(i) * n + (j) - 1] + from[(i) * n + (j) + 1] +  \
                                            from[((i) - 1) * n + (j)] + from[((i) + 1) * n + (j)])
            if (by_rows)
                for (int i = ii; i < i_end; i++) {
                    int j = jj;
                    if (unroll == 4)
                        for (; j + 3 < j_end; j += 4) { CELL(i, j); CELL(i, j + 1); CELL(i, j + 2); CELL(i, j + 3); }
                    for (; j < j_end; j++) CELL(i, j);
                }
            else
                for (int j = jj; j < j_end; j++) for (int i = ii; i < i_end; i++) CELL(i, j);
        }
}

static int seed;
static autotune_result race_product(void) {
    autotune_result r;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 48, 96), AXIS(rows, 1, 2, 4, 8), AXIS(columns, 4, 8, 16, 32),
                   AXIS(order, "ijk", "kji"), WHERE(columns <= tile)),
             1, product(N, a, b, c, order, tile, rows, columns), .key = KEY(seed), .seed = (uint64_t)seed,
             .strategy = AUTOTUNE_RANDOM, .result = &r);
    return r;
}
static autotune_result race_large_product(void) {
    autotune_result r;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 48, 96), AXIS(rows, 1, 2, 4, 8), AXIS(columns, 4, 8, 16, 32),
                   AXIS(order, "ijk", "kji"), WHERE(columns <= tile)),
             1, product(PRODUCT, from, factor, to, order, tile, rows, columns), .key = KEY(seed),
             .seed = (uint64_t)seed, .result = &r);
    return r;
}
static autotune_result race_sweep(int n) {
    autotune_result r;
    AUTOTUNE(SPACE(AXIS(tile_i, 8, 32, 128, 4096), AXIS(tile_j, 16, 64, 256, 4096), AXIS(by_rows, 1, 0),
                   AXIS(unroll, 1, 4), WHERE(by_rows || unroll == 1)),
             1, sweep(n, tile_i, tile_j, by_rows, unroll), .key = KEY(seed, n), .seed = (uint64_t)seed, .result = &r);
    return r;
}
static autotune_result race_small(void) { return race_sweep(SMALL); }
static autotune_result race_large(void) { return race_sweep(LARGE); }

static bool launch_product_of(int n, const float *x, const float *y, float *z, size_t index) {
    static const char *const orders[] = {"ijk", "kji"};
    static const int tiles[] = {16, 32, 48, 96}, rows[] = {1, 2, 4, 8}, columns[] = {4, 8, 16, 32};
    const int tile = tiles[index / 32], column = columns[index / 2 % 4];
    if (column > tile) return false;
    product(n, x, y, z, orders[index % 2], tile, rows[index / 8 % 4], column);
    return true;
}
/* Returns false if the space has no such point. */
static bool launch_product(size_t index) { return launch_product_of(N, a, b, c, index); }
static bool launch_large_product(size_t index) { return launch_product_of(PRODUCT, from, factor, to, index); }
static bool launch_sweep(int n, size_t index) {
    static const int i_tiles[] = {8, 32, 128, 4096}, j_tiles[] = {16, 64, 256, 4096};
    const int by_rows = index / 2 % 2 == 0, unroll = index % 2 ? 4 : 1;
    if (!by_rows && unroll == 4) return false;
    sweep(n, i_tiles[index / 16], j_tiles[index / 4 % 4], by_rows, unroll);
    return true;
}
static bool launch_small(size_t index) { return launch_sweep(SMALL, index); }
static bool launch_large(size_t index) { return launch_sweep(LARGE, index); }

/* ---- The truth --------------------------------------------------------------------------------------------------- */

enum { MOST_ROUNDS = 400, FIRST_ROUNDS = 4 };
typedef struct subject {
    const char *name;
    size_t points;
    int rounds;                                 /* how many rounds follow each race */
    bool (*launch)(size_t index);
    autotune_result (*race)(void);
    double samples[MOST][MOST_ROUNDS], truth[MOST], best; /* seconds of processor time */
    int measured;                               /* rounds */
    bool slow[MOST];
} subject;
static subject subjects[] = {
    {.name = "matrix product", .points = 128, .rounds = 16, .launch = launch_product, .race = race_product},
    {.name = "stencil, small", .points = 64, .rounds = 6, .launch = launch_small, .race = race_small},
    {.name = "stencil, large", .points = 64, .rounds = 3, .launch = launch_large, .race = race_large},
    {.name = "large product", .points = 128, .rounds = 1, .launch = launch_large_product, .race = race_large_product},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* Returns the median of the rounds `first`, `first` + `step`, ... before `end`. */
static double median_of(const subject *s, size_t point, int first, int end, int step) {
    double sample[MOST_ROUNDS];
    int count = 0;
    for (int round = first; round < end; round += step) sample[count++] = s->samples[point][round];
    qsort(sample, (size_t)count, sizeof *sample, bench_compare);
    return sample[count / 2];
}
static void leave_slow_ones_out(subject *s) {
    double best = HUGE_VAL;
    for (size_t i = 0; i < s->points; i++) {
        if (!s->slow[i]) s->truth[i] = median_of(s, i, 0, s->measured, 1);
        best = fmin(best, s->truth[i]);
    }
    for (size_t i = 0; i < s->points; i++)
        s->slow[i] = s->truth[i] > (s->measured < FIRST_ROUNDS ? 2 : 1.5) * best;
}
static void measure_a_round(subject *s) {
    size_t order[MOST];
    for (size_t i = 0; i < s->points; i++) order[i] = i;
    for (size_t i = s->points; i > 1; i--) {
        const size_t j = (size_t)rand() % i, swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    for (size_t k = 0; k < s->points; k++) {
        double least = HUGE_VAL;
        for (int again = 0; again < 2 && !s->slow[order[k]]; again++) {
            const double start = bench_thread_seconds();
            if (s->launch(order[k])) least = fmin(least, bench_thread_seconds() - start);
            if (least > 0.1) break; /* long launches vary little; or there is no such point */
        }
        s->samples[order[k]][s->measured] = least;
    }
    if (++s->measured <= FIRST_ROUNDS) leave_slow_ones_out(s);
}
static void find_truth(subject *s) {
    double half[2][MOST];
    size_t best[2] = {0, 0};
    s->best = HUGE_VAL;
    for (size_t i = 0; i < s->points; i++) {
        if (!s->slow[i]) s->truth[i] = median_of(s, i, 0, s->measured, 1);
        s->best = fmin(s->best, s->truth[i]);
        for (int h = 0; h < 2; h++) {
            half[h][i] = s->slow[i] ? HUGE_VAL : median_of(s, i, h, s->measured, 2);
            if (half[h][i] < half[h][best[h]]) best[h] = i;
        }
    }
    printf("    %s: the best takes %.3f ms; by the odd rounds of %d the best of the even ones is %.1f %% slow, the "
           "other way round %.1f %%\n", s->name, 1e3 * s->best, s->measured,
           100 * (half[1][best[0]] / half[1][best[1]] - 1), 100 * (half[0][best[1]] / half[0][best[0]] - 1));
}

/* ---- The load ---------------------------------------------------------------------------------------------------- */

static pid_t keep_busy(void) { /* the process runs until it is killed, or this process ends */
    const pid_t child = fork();
    if (child) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned long count = 0;; count++) {}
}

/* ---- Races ------------------------------------------------------------------------------------------------------- */

typedef struct tally {
    int races, right, verdicts[AUTOTUNE_UNRELIABLE + 1], right_with[AUTOTUNE_UNRELIABLE + 1];
} tally;
static tally whole;

static void race(subject *s, int races, int busy) {
    double *loss = bench_grow(NULL, (size_t)races * sizeof *loss);
    double *seconds = bench_grow(NULL, (size_t)races * sizeof *seconds);
    autotune_result *results = bench_grow(NULL, (size_t)races * sizeof *results);
    tally t = {.races = races};
    double sum = 0;
    s->measured = 0;
    memset(s->slow, 0, sizeof s->slow);
    for (int i = 0; i < races; i++) {
        seed++;
        results[i] = s->race();
        if (results[i].doubt) printf("    %s: %s\n", s->name, results[i].doubt);
        for (int k = 0; k < s->rounds && s->measured < MOST_ROUNDS; k++) measure_a_round(s);
    }
    while (s->measured < 2 * FIRST_ROUNDS) measure_a_round(s);
    find_truth(s);
    for (int i = 0; i < races; i++) {
        const double l = s->truth[results[i].index] / s->best - 1;
        loss[i] = l;
        seconds[i] = results[i].seconds;
        sum += l;
        t.verdicts[results[i].verdict]++;
        if (l <= 0.05) { t.right++; t.right_with[results[i].verdict]++; }
    }
    qsort(loss, (size_t)races, sizeof *loss, bench_compare);
    qsort(seconds, (size_t)races, sizeof *seconds, bench_compare);
    printf("%-16s %4d %6d", s->name, busy, t.right);
    for (int v = AUTOTUNE_SEPARATED; v <= AUTOTUNE_UNRELIABLE; v++)
        printf("  %3d of %3d", t.right_with[v], t.verdicts[v]);
    printf(" %8.1f %8.1f %9.2f %8.2f\n", 100 * sum / races, 100 * loss[races - 1], seconds[races / 2],
           seconds[races - 1]);
    fflush(stdout);
    whole.races += races;
    whole.right += t.right;
    for (int v = 0; v <= AUTOTUNE_UNRELIABLE; v++) {
        whole.verdicts[v] += t.verdicts[v];
        whole.right_with[v] += t.right_with[v];
    }
    free(loss);
    free(seconds);
    free(results);
}

int main(int argc, char **argv) {
    int races = 20, loads[16] = {0, 2, 4, 8}, count = 0;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--races") && i + 1 < argc && atoi(argv[i + 1]) > 0) races = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--only") && i + 1 < argc) only = argv[++i];
        else if (*argv[i] >= '0' && *argv[i] <= '9' && count < 16) loads[count++] = atoi(argv[i]);
        else {
            fprintf(stderr, "usage: %s [--races N] [--only SPACE] [BUSY ...]\n", argv[0]);
            return 2;
        }
    }
    if (!count) count = 4;
    setenv("AUTOTUNE_CACHE", "off", 1); /* so that every race really runs */
    setenv("AUTOTUNE_LOG", "off", 1);   /* the log would warn about so many keys */
    for (int i = 0; i < N * N; i++) { a[i] = (float)(1 + i * 7 % 11); b[i] = 1 / (float)(1 + i * 5 % 13); }
    from = calloc((size_t)LARGE * LARGE, sizeof *from);
    to = calloc((size_t)LARGE * LARGE, sizeof *to);
    factor = calloc((size_t)PRODUCT * PRODUCT, sizeof *factor);
    if (!from || !to || !factor) return 2;
    for (int i = 0; i < LARGE * LARGE; i++) from[i] = (float)(i % 17);
    for (int i = 0; i < PRODUCT * PRODUCT; i++) factor[i] = 1 / (float)(1 + i * 5 % 13);
    printf("\n%-16s %4s %6s  %10s  %10s  %10s  %10s %8s %8s %9s %8s\n", "", "busy", "right", "separated", "tie",
           "unresolved", "unreliable", "loss %", "worst", "seconds", "most");
    for (int i = 0; i < count; i++) {
        pid_t busy[64];
        for (int k = 0; k < loads[i]; k++) busy[k] = keep_busy();
        for (int k = 0; k < SUBJECTS; k++)
            if (!only || !strcmp(only, subjects[k].name)) race(&subjects[k], races, loads[i]);
        for (int k = 0; k < loads[i]; k++) { kill(busy[k], SIGKILL); waitpid(busy[k], NULL, 0); }
    }
    printf("\n%d of %d right", whole.right, whole.races);
    for (int v = AUTOTUNE_SEPARATED; v <= AUTOTUNE_UNRELIABLE; v++)
        printf(", %s %d of %d", autotune_verdict_text((autotune_verdict)v), whole.right_with[v], whole.verdicts[v]);
    printf("\n");
    return 0;
}

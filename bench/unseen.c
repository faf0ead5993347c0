/* unseen.c - keys that were never tuned: how much time is lost if a guess, a rule of `autotune fit`, or another way
   chooses their configurations, instead of tuning each key?

       bench_unseen COMMAND [PROBLEM...]       COMMAND: the program autotune

   Three problems have a formula for the time of a configuration at a size. So their optimum is known:
   - "one" has one size.
   - "two" has two sizes.
   - "cliff" has one size. Beyond one size, the cliff, the other half of the space is three times as fast.

   Three problems are measured:
   - "matmul" is the product of matrices of examples/matmul.c: 360 configurations, 40 sizes from 24 to 160, of which 12
     are tuned.
   - "rests" is the same product with loops of variable length at the edges of its tiles. So sizes that are multiples of
     eight are a kind of their own.
   - "sort" sorts 10^2 to 10^7 values.

   All times are measured twice, by the processor time of the thread. The library tunes on the first times, with a
   virtual clock. Regret is computed from the second times. For the two products the bench also draws the tuned sizes at
   random, many times: some sizes of each kind, spread over the range of sizes. */
#define _GNU_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include "bench.h"
#include <math.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SIZES = 64, MOST_CONFIGS = 360 };
typedef struct problem {
    const char *name;
    int sizes, configs, n[MOST_SIZES], m[MOST_SIZES];
    bool tuned[MOST_SIZES];
    bool kind[MOST_SIZES];                      /* a part of the key: the size is a multiple of eight */
    bool is_drawn;                              /* the bench also draws the tuned sizes */
    double tuning[MOST_SIZES][MOST_CONFIGS];    /* the times for tuning, in nanoseconds */
    double judging[MOST_SIZES][MOST_CONFIGS];   /* the times for regret, in nanoseconds */
} problem;
static problem *now;                            /* the problem that is measured now */

/* ---- Formulas ---------------------------------------------------------------------------------------------------- */

static double off(double value, double best) { double d = log2(value / best); return 1 + 0.08 * d * d; }
/* Tiles from 4 to 131, each 1.06 times the one before, and an unrolled loop in each second configuration. A tile that
   does not divide the size computes more than the size. */
static double one_size(int n, int m, int config) {
    const double tile = floor(4 * pow(1.06, config / 2)), rest = ceil(n / tile) * tile / n;
    (void)m;
    return 1e4 * n * off(tile, 2 * pow(n, 0.45)) * (0.7 + 0.3 * rest) * (config % 2 ? 1.04 : 1 + 2.0 / tile);
}
static double two_sizes(int n, int m, int config) {
    const double tile = 4 << config % 8, other = 4 << config / 8;
    return 1e3 * n * m * off(tile, sqrt(n)) * off(other, 1 + m / 16.0) * (tile * other > 8192 ? 1.5 : 1);
}
static double cliff(int n, int m, int config) {
    (void)m;
    return one_size(n, 1, config % 60) * ((config >= 60) == (n > 700) ? 1 : 3);
}
static void fill(double (*cost)(int n, int m, int config)) {
    for (int s = 0; s < now->sizes; s++)
        for (int c = 0; c < now->configs; c++) now->tuning[s][c] = now->judging[s][c] = cost(now->n[s], now->m[s], c);
}
/* Sets the sizes, in equal steps of the logarithm. One size in `every` is tuned. */
static void space_out(int sizes, double from, double to, int every) {
    now->sizes = sizes;
    for (int s = 0; s < sizes; s++) {
        now->n[s] = (int)rint(from * pow(to / from, s / (sizes - 1.0)));
        now->m[s] = 1;
        now->tuned[s] = s % every == every / 2;
    }
}
static void make_one(void) { space_out(40, 24, 4096, 3), now->configs = 120, fill(one_size); }
static void make_cliff(void) { space_out(40, 24, 4096, 3), now->configs = 120, fill(cliff); }
static void make_two(void) {
    now->configs = 64;
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++) {
            now->n[now->sizes] = 16 << i;
            now->m[now->sizes] = 16 << k;
            now->tuned[now->sizes++] = (i + k) % 2 == 0;
        }
    fill(two_sizes);
}

/* ---- Measured ---------------------------------------------------------------------------------------------------- */

/* A time is the least of twelve batches of launches. A batch lasts some 0.1 ms. All sizes have a batch before any size
   has the next one. So a disturbance of a second disturbs one batch of each size, and not all batches of a few sizes. A
   launch above 2 ms is disturbed less, so it has two batches, and a launch above 20 ms has one. */
static double batch(void (*run)(int size, int config), void (*prepare)(int size), int size, int config, int launches) {
    double sum = 0;
    if (launches > 1) run(size, config);        /* fills caches and branch predictors for this configuration */
    for (int i = 0; i < launches; i++) {
        if (prepare) prepare(size);
        const double start = bench_thread_seconds();
        if (prepare) run(size, config);
        else for (; i < launches; i++) run(size, config);
        sum += bench_thread_seconds() - start;
    }
    return 1e9 * sum / launches;
}
/* Like batch(). The clock of a virtual machine jumps now and then. So a time below half of the known time is measured
   again. */
static double checked_batch(void (*run)(int size, int config), void (*prepare)(int size), int size, int config,
                            double known) {
    const int launches = known < 1e5 ? (int)(1e5 / fmax(known, 1e3)) + 1 : 1;
    const double ns = batch(run, prepare, size, config, launches);
    return ns < known / 2 ? fmax(ns, batch(run, prepare, size, config, launches)) : ns;
}
static void measure_once(void (*run)(int size, int config), void (*prepare)(int size), int round) {
    for (int s = 0; s < now->sizes; s++)
        for (int config = 0; config < now->configs; config++) {
            double *least = round % 2 ? &now->judging[s][config] : &now->tuning[s][config];
            if (round == 0) *least = batch(run, prepare, s, config, 1);
            else if (round == 1) *least = 1e300;
            const double first = now->tuning[s][config];
            if (round > 1 && first > (round < 4 ? 2e7 : 2e6)) continue;
            *least = fmin(*least, checked_batch(run, prepare, s, config, first));
        }
}
static void measure(void (*run)(int size, int config), void (*prepare)(int size)) {
    enum { ROUNDS = 24 };
    for (int round = 0; round < ROUNDS; round++) {
        measure_once(run, prepare, round);
        fprintf(stderr, "\r%s: %d of %d rounds  ", now->name, round + 1, ROUNDS);
    }
    fprintf(stderr, "\n");
}

static float *a, *b, *c;
static bool halves_rests;
static int smaller(int x, int y) { return x < y ? x : y; }
static int fitting(int size, int rest) {
    if (!halves_rests) return smaller(size, rest);
    while (size > rest) size /= 2;
    return size;
}
static inline __attribute__((always_inline))
void block(int n, int depth, bool first, const float *x, const float *y, float *z, int rows, int columns) {
    float sum[8][32];
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) sum[i][j] = first ? 0 : z[i * n + j];
    for (int k = 0; k < depth; k++)
        for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) sum[i][j] += x[i * n + k] * y[k * n + j];
    for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) z[i * n + j] = sum[i][j];
}
static void unrolled(int n, int depth, bool first, const float *x, const float *y, float *z, int rows, int columns) {
    #define UNROLL(r, s) case 100 * r + s: block(n, depth, first, x, y, z, r, s); break;
    #define UNROLL_ROWS(r) UNROLL(r, 1) UNROLL(r, 2) UNROLL(r, 4) UNROLL(r, 8) UNROLL(r, 16) UNROLL(r, 32)
    switch (100 * rows + columns) {
        UNROLL_ROWS(1) UNROLL_ROWS(2) UNROLL_ROWS(4) UNROLL_ROWS(8)
        default: block(n, depth, first, x, y, z, rows, columns);
    }
}
static const char *const orders[] = { "ijk", "ikj", "jik", "jki", "kij", "kji" };
static const int tiles[] = { 16, 32, 48, 96 }, row_counts[] = { 1, 2, 4, 8 }, column_counts[] = { 4, 8, 16, 32 };
static int matmul_configs[MOST_CONFIGS];        /* the points that WHERE admits */
static void multiply(int size, int config) {
    const int point = matmul_configs[config], n = now->n[size], tile = tiles[point / 16 % 4],
              rows = row_counts[point / 4 % 4], columns = column_counts[point % 4];
    const char *order = orders[point / 64];
    int at[3];
    for (int p = 0; p < n; p += tile) for (int q = 0; q < n; q += tile) for (int r = 0; r < n; r += tile) {
        at[order[0] - 'i'] = p; at[order[1] - 'i'] = q; at[order[2] - 'i'] = r;
        int k = at[2], i_end = smaller(at[0] + tile, n), j_end = smaller(at[1] + tile, n), depth = smaller(tile, n - k);
        for (int i = at[0], height; i < i_end; i += height) {
            height = fitting(rows, i_end - i);
            for (int j = at[1], width; j < j_end; j += width) {
                width = fitting(columns, j_end - j);
                unrolled(n, depth, k == 0, a + i * n + k, b + k * n + j, c + i * n + j, height, width);
            }
        }
    }
}
static void make_product(bool halves) {
    now->is_drawn = true;
    halves_rests = halves;
    space_out(40, 24, 160, 3);                  /* 13 sizes are tuned */
    now->tuned[39] = now->tuned[37] = false;    /* 12 are left */
    for (int point = 0; point < 384; point++)
        if (column_counts[point % 4] <= tiles[point / 16 % 4]) matmul_configs[now->configs++] = point;
    float **const all[] = { &a, &b, &c };
    for (int i = 0; i < 3; i++) {
        *all[i] = (float *)bench_grow(*all[i], 160 * 160 * sizeof(float));
        for (int k = 0; k < 160 * 160; k++) (*all[i])[k] = (float)(1 + k * 7 % 11);
    }
    measure(multiply, NULL);
}
static void make_matmul(void) { make_product(true); }
static void make_rests(void) { make_product(false); }

enum { LARGEST = 10000000, SORTS = 12 };
static uint32_t *values, *scratch, *unsorted;
static const int cut_offs[] = { 1, 8, 16, 32, 64, 128, 256, 512 };
static void insertion_sort(uint32_t *v, int n) {
    for (int i = 1; i < n; i++) {
        uint32_t x = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
}
static void merge_sort(uint32_t *v, int n, int cut_off) {
    if (n <= cut_off) { insertion_sort(v, n); return; }
    int half = n / 2, left = 0, right = half;
    merge_sort(v, half, cut_off);
    merge_sort(v + half, n - half, cut_off);
    memcpy(scratch, v, sizeof *v * (size_t)n);
    for (int i = 0; i < n; i++)
        v[i] = right == n || (left < half && scratch[left] <= scratch[right]) ? scratch[left++] : scratch[right++];
}
static void radix_sort(uint32_t *v, int n, int bits) {
    static int start[65537];
    for (int shift = 0; shift < 32; shift += bits) {
        const uint32_t mask = (1u << bits) - 1;
        memset(start, 0, sizeof *start * (mask + 2));
        for (int i = 0; i < n; i++) start[(v[i] >> shift & mask) + 1]++;
        for (uint32_t d = 0; d < mask; d++) start[d + 1] += start[d];
        for (int i = 0; i < n; i++) scratch[start[v[i] >> shift & mask]++] = v[i];
        memcpy(v, scratch, sizeof *v * (size_t)n);
    }
}
static int order(const void *x, const void *y) {
    const uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;
    return (p > q) - (p < q);
}
static void sort(int size, int config) {
    const int n = now->n[size];
    if (config == 0) qsort(values, (size_t)n, sizeof *values, order);
    else if (config <= 8) merge_sort(values, n, cut_offs[config - 1]);
    else radix_sort(values, n, config == 9 ? 8 : config == 10 ? 11 : 16);
}
static void shuffle(int size) { memcpy(values, unsorted, sizeof *values * (size_t)now->n[size]); }
static void make_sort(void) {
    uint32_t state = 1;
    space_out(24, 100, LARGEST, 2);
    now->configs = SORTS;
    uint32_t **const all[] = { &values, &scratch, &unsorted };
    for (int i = 0; i < 3; i++) *all[i] = (uint32_t *)bench_grow(NULL, LARGEST * sizeof **all[i]);
    for (int i = 0; i < LARGEST; i++) unsorted[i] = state = state * 1664525u + 1013904223u;
    measure(sort, shuffle);
}

/* ---- The library ------------------------------------------------------------------------------------------------- */

static uint64_t virtual_ns;
static uint64_t virtual_now(autotune_backend *self) { return (void)self, virtual_ns; }
static autotune_result tune(int size, autotune_mode mode) {
    static autotune_backend clock;
    autotune_result result;
    clock = autotune_cpu();
    clock.now = virtual_now;
    AUTOTUNE(SPACE(RANGE(config, 0, now->configs - 1, 1)), 1, (void)(virtual_ns += (uint64_t)now->tuning[size][config]),
             .name = now->name, .key = KEY(now->n[size], now->m[size], now->kind[size]), .mode = mode,
             .unseen = AUTOTUNE_GUESS, .strategy = AUTOTUNE_EXHAUSTIVE, .backend = &clock, .result = &result);
    return result;
}
enum { NONE = -1 };
static int *answers;                            /* for each size: the guess of a child process; NONE: it made none */
static void tune_some(void) {
    for (int s = 0; s < now->sizes; s++) if (now->tuned[s]) tune(s, AUTOTUNE_FORCE);
}
static void guess_others(void) {
    for (int s = 0; s < now->sizes; s++) {
        const autotune_result result = tune(s, AUTOTUNE_CACHED);
        answers[s] = result.verdict == AUTOTUNE_GUESSED ? (int)result.index : NONE;
    }
}
static void tune_and_guess(void) { tune_some(), guess_others(); }
static void run(void (*what)(void)) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) { what(); _exit(0); }
    if (waitpid(child, &status, 0) != child || status) { fprintf(stderr, "a process failed\n"); exit(2); }
}

/* ---- What it loses ----------------------------------------------------------------------------------------------- */

static int best_at(int size, double (*times)[MOST_CONFIGS]) {
    int best = 0;
    for (int config = 0; config < now->configs; config++) if (times[size][config] < times[size][best]) best = config;
    return best;
}
static int nearest(int size) {
    int found = 0;
    double least = 1e300;
    for (int s = 0; s < now->sizes; s++) {
        const double d = fabs(log((double)now->n[s] / now->n[size])) + fabs(log((double)now->m[s] / now->m[size]));
        if (now->tuned[s] && d < least) least = d, found = s;
    }
    return found;
}
static int single(void) {
    int best = 0;
    double least = 1e300;
    for (int config = 0; config < now->configs; config++) {
        double sum = 0;
        for (int s = 0; s < now->sizes; s++)
            if (now->tuned[s]) sum += now->tuning[s][config] / now->tuning[s][best_at(s, now->tuning)];
        if (sum < least) least = sum, best = config;
    }
    return best;
}
/* ANCHOR(n), ANCHOR(m): all sizes of a bucket get the winner of the size that came first. Returns the bucket of n. */
static int bucket(int n) { return (int)ceil(log2(n)); }
static bool shares_bucket(int s, int size) {
    return bucket(now->n[s]) == bucket(now->n[size]) && bucket(now->m[s]) == bucket(now->m[size]);
}
static double regret(int size, int config) {
    return now->judging[size][config] / now->judging[size][best_at(size, now->judging)] - 1;
}
static void print(const char *way, double *regrets, int count) {
    if (!count) return;
    qsort(regrets, (size_t)count, sizeof *regrets, bench_compare);
    printf("%-10s %-32s %4d %9.1f %% %8.1f %% %8.1f %%\n", now->name, way, count, 100 * regrets[(count - 1) / 2],
           100 * regrets[(int)ceil(0.95 * count) - 1], 100 * regrets[count - 1]);
}
static void judge(const char *way, const int *chosen) {
    double regrets[MOST_SIZES];
    int count = 0;
    for (int s = 0; s < now->sizes; s++)
        if (!now->tuned[s] && chosen[s] != NONE) regrets[count++] = regret(s, chosen[s]);
    print(way, regrets, count);
}
static void judge_buckets(void) {               /* every size of a bucket may come first */
    static double regrets[MOST_SIZES * MOST_SIZES];
    int count = 0;
    for (int s = 0; s < now->sizes; s++)
        for (int first = 0; first < now->sizes; first++)
            if (!now->tuned[s] && s != first && shares_bucket(first, s))
                regrets[count++] = regret(s, best_at(first, now->tuning));
    print("ANCHOR, whichever came first", regrets, count);
}
/* Draws `wanted` sizes of a kind: divides the list of these sizes into equal parts, and draws one size of each part. */
static void draw_of_kind(bool kind, int wanted) {
    int of_kind[MOST_SIZES], count = 0;
    for (int s = 0; s < now->sizes; s++)
        if ((now->n[s] % 8 == 0) == kind) of_kind[count++] = s;
    for (int i = 0; i < wanted; i++) {
        const int from = i * count / wanted, end = (i + 1) * count / wanted;
        now->tuned[of_kind[from + rand() % (end - from)]] = true;
    }
}
/* In each draw three of the four sizes that are multiples of eight are tuned, and nine of the other sizes. */
static void judge_draws(const char *way, bool key_has_kind) {
    enum { DRAWS = 200 };
    static double regrets[DRAWS * MOST_SIZES];
    double worst[DRAWS];
    int count = 0, good = 0;
    srand(1);
    setenv("AUTOTUNE_CACHE", "off", 1);
    for (int s = 0; s < now->sizes; s++) now->kind[s] = key_has_kind && now->n[s] % 8 == 0;
    for (int i = 0; i < DRAWS; i++) {
        worst[i] = 0;
        memset(now->tuned, 0, sizeof now->tuned);
        draw_of_kind(true, 3);
        draw_of_kind(false, 9);
        run(tune_and_guess);
        for (int s = 0; s < now->sizes; s++) {
            if (now->tuned[s] || answers[s] == NONE) continue;
            regrets[count++] = regret(s, answers[s]);
            worst[i] = fmax(worst[i], regret(s, answers[s]));
        }
        good += worst[i] <= 0.15;
    }
    unsetenv("AUTOTUNE_CACHE");
    print(way, regrets, count);
    qsort(worst, DRAWS, sizeof *worst, bench_compare);
    printf("%-10s   the worst of a draw: %.1f %% in the median, at most 15 %% in %d of %d draws\n", now->name,
           100 * worst[DRAWS / 2], good, (int)DRAWS);
}
static int compare_ways(const char *command) {
    char folder[] = "/tmp/bench-unseen-XXXXXX", line[500];
    int chosen[MOST_SIZES], failed;
    if (!mkdtemp(folder)) return 2;
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
    setenv("AUTOTUNE_LOG", "errors", 1);
    run(tune_some);
    for (int s = 0; s < now->sizes; s++) chosen[s] = best_at(s, now->tuning);
    judge("each size tuned", chosen);
    run(guess_others);
    judge("guess: four nearest keys", answers);
    snprintf(line, sizeof line, "'%s' fit --format json --cache '%s' > %s/table", command, now->name, folder);
    failed = system(line);
    run(guess_others);
    judge("rule of autotune fit", answers);
    for (int s = 0; s < now->sizes; s++) chosen[s] = best_at(nearest(s), now->tuning);
    judge("winner of the nearest key", chosen);
    for (int s = 0; s < now->sizes; s++) chosen[s] = single();
    judge("best single configuration", chosen);
    judge_buckets();
    for (int s = 0; s < now->sizes; s++) chosen[s] = 0;
    judge("first configuration", chosen);
    if (now->is_drawn) {
        judge_draws("guess over draws", false);
        judge_draws("guess, KEY(n, n % 8 == 0)", true);
    }
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line) || failed;
}
int main(int count, char **arguments) {
    static const struct { const char *name; void (*make)(void); } all[] = {
        { "one", make_one }, { "two", make_two }, { "cliff", make_cliff }, { "matmul", make_matmul },
        { "rests", make_rests }, { "sort", make_sort }};
    int failed = 0;
    if (count < 2) { fprintf(stderr, "usage: bench_unseen COMMAND [PROBLEM...]\n"); return 2; }
    answers = (int *)mmap(NULL, MOST_SIZES * sizeof *answers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                          0);
    printf("%-10s %-32s %4s %11s %10s %10s\n", "problem", "regret of", "", "median", "95 %", "worst");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool wanted = count == 2;
        for (int k = 2; k < count; k++) wanted = wanted || !strcmp(arguments[k], all[i].name);
        if (!wanted) continue;
        now = (problem *)bench_grow(NULL, sizeof *now);
        memset(now, 0, sizeof *now);
        now->name = all[i].name;
        all[i].make();
        failed |= compare_ways(arguments[1]);
        free(now);
    }
    return failed != 0;
}

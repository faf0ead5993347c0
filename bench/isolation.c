/* isolation.c - the cost of .isolate = AUTOTUNE_CHILD, for programs that have written to much or little memory.

     bench_isolation [RACES] [MIB ...]      by default 21 races of each kind, at 10, 100 and 1024 MiB

   The kernel adds blocks of a matrix to another matrix. There are 16 configurations, with .restore. In the first table
   a formula moves the clock of the race. So races with and without a child make the same launches, and their difference
   is the cost of the child. The table has the time of the call, and the time that processors computed, parent and child
   together. In the second table 4 of the 16 configurations crash. The last lines have the picks, with the clock of the
   machine: the time of the winner beyond that of the best configuration, by the least of 201 launches each.

   Races of the two kinds alternate, each with its own key. Figures are medians; ratios are medians of pairs. A launch
   computes some 0.3 ms with the matrix of 512^2, and ten times as long with that of 1536^2. */
#define _GNU_SOURCE
#include "bench.h"
#include "autotune.h"
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

enum { SMALL = 512, LARGE = 1536, MOST_RACES = 101 };
static float from[LARGE * LARGE], to[LARGE * LARGE];
static int n = SMALL, forks, crashes, key;
static uint64_t told_ns;                        /* the time of the clock that add_blocks() moves */

static void count_fork(void) { forks++; }
static uint64_t told_now(autotune_backend *self) { return (void)self, told_ns; }
static __attribute__((__noinline__)) void add_blocks(int tile, int unroll, bool trial) {
    if (trial && crashes && tile == 256) raise(SIGSEGV);
    for (int i0 = 0; i0 < n; i0 += tile)
        for (int j0 = 0; j0 < n; j0 += tile)
            for (int j = j0; j < j0 + tile; j++)
                for (int i = i0; i < i0 + tile; i += unroll)
                    for (int k = 0; k < unroll; k++) to[j * n + i + k] += from[(i + k) * n + j];
    told_ns += 500000 + 1000 * (uint64_t)(tile ^ 16) + 3000 * (uint64_t)(unroll ^ 4);
}
static autotune_result race(autotune_backend *clock, autotune_isolate isolate) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 8, 16, 64, 256), AXIS(unroll, 1, 2, 4, 8)), 1, add_blocks(tile, unroll, autotune_trial),
             .key = KEY(++key), .name = "add_blocks", .restore = BUFFERS({to, (size_t)n * (size_t)n * sizeof *to}),
             .isolate = isolate, .cache = AUTOTUNE_CACHE_OFF, .backend = clock, .result = &result);
    if (result.status != AUTOTUNE_OK) exit(1);
    return result;
}
static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return values[count / 2];
}
static double computed_of(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}
static double computed(void) { return computed_of(RUSAGE_SELF) + computed_of(RUSAGE_CHILDREN); }

/* Compares races in the process with races in a child. with_crashes: compares races in children without crashes and
   with crashes. */
static void compare_costs(int races, size_t mib, bool with_crashes) {
    static double ms[2][MOST_RACES], cpu_ms[2][MOST_RACES], ratio[MOST_RACES], cpu_ratio[MOST_RACES];
    autotune_backend clock = autotune_cpu();
    int forks_of[2] = {0, 0};
    clock.now = told_now;
    for (int i = 0; i < races; i++) {
        for (int turn = 0; turn < 2; turn++) {
            const int side = turn ^ (i & 1);
            crashes = with_crashes && side;
            forks = 0;
            const double begun = bench_seconds(CLOCK_MONOTONIC), computed_before = computed();
            (void)race(&clock, side || with_crashes ? AUTOTUNE_CHILD : AUTOTUNE_IN_PROCESS);
            ms[side][i] = 1e3 * (bench_seconds(CLOCK_MONOTONIC) - begun);
            cpu_ms[side][i] = 1e3 * (computed() - computed_before);
            forks_of[side] += forks;
        }
        ratio[i] = ms[1][i] / ms[0][i];
        cpu_ratio[i] = cpu_ms[1][i] / cpu_ms[0][i];
    }
    printf("%5lu MiB  %4d^2  %8.1f ms  %8.1f ms  %5.2f x    %8.1f ms  %8.1f ms  %5.2f x    %.2f, %.2f\n",
           (unsigned long)mib, n, median(ms[0], races), median(ms[1], races), median(ratio, races),
           median(cpu_ms[0], races), median(cpu_ms[1], races), median(cpu_ratio, races), (double)forks_of[0] / races,
           (double)forks_of[1] / races);
    fflush(stdout);
}
/* Measures the least time of a launch of each configuration over the rounds, in microseconds. Returns the least time of
   all. */
enum { TILES = 4, UNROLLS = 4 };
static const int tiles[TILES] = {8, 16, 64, 256}, unrolls[UNROLLS] = {1, 2, 4, 8};
static double least_us[TILES * UNROLLS];
static double measure_all(int rounds) {
    double best = 1e300;
    for (int i = 0; i < TILES * UNROLLS; i++) least_us[i] = 1e300;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < TILES * UNROLLS; i++) {
            const double begun = bench_seconds(CLOCK_MONOTONIC);
            add_blocks(tiles[i / UNROLLS], unrolls[i % UNROLLS], false);
            const double us = 1e6 * (bench_seconds(CLOCK_MONOTONIC) - begun);
            if (us < least_us[i]) least_us[i] = us;
            if (us < best) best = us;
        }
    return best;
}
static void compare_picks(int races) {
    static double loss[2][MOST_RACES];
    const double best = measure_all(201);
    crashes = 0;
    for (int i = 0; i < races; i++)
        for (int side = 0; side < 2; side++) {
            const autotune_result result = race(NULL, side ? AUTOTUNE_CHILD : AUTOTUNE_IN_PROCESS);
            loss[side][i] = least_us[result.index] / best - 1;
        }
    for (int side = 0; side < 2; side++) {
        double sum = 0;
        for (int i = 0; i < races; i++) sum += loss[side][i];
        printf("picks %s: %.1f %% slower than the best in the mean, %.1f %% in the median\n",
               side ? "in a child" : "in the process", 100 * sum / races, 100 * median(loss[side], races));
    }
}
static void write_to_all_of(size_t mib) { /* writes to `mib` MiB, besides the 18 MiB of the matrices */
    static size_t written;
    if (mib <= written) return;
    char *memory = (char *)bench_grow(NULL, (mib - written) << 20);
    memset(memory, 1, (mib - written) << 20);
    __asm__ volatile("" : : "r"(memory) : "memory");
    written = mib;
}
static void be_quiet(void *user, autotune_log_level level, const char *line) { (void)user, (void)level, (void)line; }
int main(int count, char **arguments) {
    static const size_t usual[] = {10, 100, 1024};
    const int races = count > 1 ? atoi(arguments[1]) | 1 : BENCH_PAIRS;
    const size_t sizes = count > 2 ? (size_t)count - 2 : sizeof usual / sizeof *usual;
    size_t mib = 0;
    if (races < 1 || races > MOST_RACES) return 2;
    autotune_set_log(be_quiet, NULL);               /* each race has a key of its own, and there are many */
    pthread_atfork(NULL, count_fork, NULL);
    for (int i = 0; i < LARGE * LARGE; i++) from[i] = (float)i;
    (void)race(NULL, AUTOTUNE_IN_PROCESS);
    puts("in the process; in a child\n  written   matrix    time of the call                      computed");
    for (size_t i = 0; i < sizes; i++) {
        mib = count > 2 ? (size_t)atol(arguments[2 + i]) : usual[i];
        write_to_all_of(mib);
        compare_costs(races, mib, false);
        n = LARGE;
        compare_costs(races, mib, false);
        n = SMALL;
    }
    puts("in a child; in children, as 4 of 16 configurations crash");
    n = LARGE;
    compare_costs(races, mib, true);
    n = SMALL;
    compare_picks(races);
    return 0;
}

/* cc.c - functions that are compiled for each configuration: what a hit costs over the same statement with a direct
   call, what the first call of a process costs when all is known from an earlier run, and what a race of 96
   configurations takes that are all compiled, or are all on disk.

       bench_cc            the folder of the cache is a new one in TMPDIR or /tmp, and is removed
       bench_cc race       one race of the 96 from nothing, alone, for peers.py: wall time, the processor's, and the
                           winner, separated by tabs */
#define _GNU_SOURCE
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"
#include "bench.h"
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 1 << 20, N = 192, RUNS = 5 };
void work(const long *n, long *out);
void product(int n, const float *a, const float *b, float *c);
static autotune_cc_program small = CC_PROGRAM("void work(const long *n, long *out) { *out += *n * SCALE; }\n", "-O2");
static autotune_cc_program large = CC_PROGRAM(
    "void product(int n, const float *restrict a, const float *restrict b, float *restrict c) {\n"
    "    for (int i = 0; i < n; i += ROWS) for (int j = 0; j < n; j += COLUMNS) {\n"
    "        float sum[ROWS][COLUMNS] = {{0}};\n"
    "        for (int k = 0; k < n; k++) for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++)\n"
    "            sum[r][s] += a[(i + r) * n + k] * b[k * n + j + s];\n"
    "        for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++) c[(i + r) * n + j + s] = sum[r][s];\n"
    "    }\n"
    "}\n", "-march=native", "$FLAGS");
static float a[N * N], b[N * N], c[N * N];

/* ---- Hits ---- */

static __attribute__((__noinline__)) void direct(const long *n, long *out) { *out += *n * 3; }
static void (*volatile not_inlined)(const long *, long *) = direct;
#define LOOP(name, call) \
    static __attribute__((__noinline__, __aligned__(64))) void name(const long *n, long *out) { \
        void (*const function)(const long *, long *) = not_inlined; \
        (void)function; \
        for (size_t i = 0; i < CALLS; i++) \
            AUTOTUNE(SPACE(AXIS(SCALE, 3, 5)), 1, call, .key = KEY(*n), .max_trials = 1, .preset = AUTOTUNE_FAST); \
    }
LOOP(hit_direct, function(n, out))
LOOP(hit_compiled, CC_CALL(&small, work, n, out))
static void hits(void) {
    double difference[BENCH_PAIRS];
    long n = 7, out = 0;
    bench_spread spread;
    for (int pair = -1; pair < BENCH_PAIRS; pair++) {
        double times[2];
        for (int k = 0; k < 2; k++) {
            const int compiled = (pair + k) & 1;
            const double began = bench_thread_seconds();
            (compiled ? hit_compiled : hit_direct)(&n, &out);
            times[compiled] = bench_thread_seconds() - began;
        }
        if (pair >= 0) difference[pair] = (times[1] - times[0]) / CALLS * 1e9;
    }
    spread = bench_summary(difference, BENCH_PAIRS);
    printf("hit, over the same statement with a direct call   %6.2f ns  (%.2f to %.2f), at most 2: %s\n", spread.median,
           spread.low, spread.high, bench_judge(spread.median, 2));
}

/* ---- Processes that know nothing yet ---- */

typedef struct told { double wall, own, compilers, winner_ns; int verdict, tried; char winner[100]; } told;
static double cpu(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}
static void first_call(told *result) {
    long n = 7, out = 0;
    const double began = bench_thread_seconds();
    AUTOTUNE(SPACE(AXIS(SCALE, 3, 5)), 1, CC_CALL(&small, work, &n, &out), .key = KEY(n), .preset = AUTOTUNE_FAST);
    result->wall = bench_thread_seconds() - began;
}
static void race(told *result) {
    autotune_result said;
    const double began = bench_seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < N * N; i++) { a[i] = (float)(i % 7); b[i] = (float)(i % 5); }
    AUTOTUNE(SPACE(AXIS(ROWS, 1, 2, 3, 4, 6, 8), AXIS(COLUMNS, 8, 16, 32, 48),
                   AXIS(FLAGS, "-O2", "-O2 -ffast-math", "-O3", "-O3 -ffast-math")),
             1, CC_CALL(&large, product, N, a, b, c), .mode = AUTOTUNE_FORCE, .strategy = AUTOTUNE_EXHAUSTIVE,
             .result = &said);
    result->wall = bench_seconds(CLOCK_MONOTONIC) - began;
    result->own = cpu(RUSAGE_SELF);
    result->compilers = cpu(RUSAGE_CHILDREN);
    result->winner_ns = said.median_ns;
    result->verdict = (int)said.verdict;
    result->tried = (int)said.tried;
    snprintf(result->winner, sizeof result->winner, "%lld\t%lld\t%s", (long long)autotune_get_int(&said.config, "ROWS"),
             (long long)autotune_get_int(&said.config, "COLUMNS"), autotune_get_string(&said.config, "FLAGS"));
}
static told in_process(void (*run)(told *)) {
    int ends[2];
    told result;
    memset(&result, 0, sizeof result);
    fflush(stdout);
    if (pipe(ends) != 0) exit(2);
    if (fork() == 0) {
        run(&result);
        _exit(write(ends[1], &result, sizeof result) != sizeof result);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != sizeof result) exit(2);
    close(ends[0]);
    wait(NULL);
    return result;
}
static void print_race(const char *what, const told *t) {
    printf("%s  %6.2f s, of the processor %6.2f s the compilers', %5.2f s ours; winner %.1f us, %s\n", what, t->wall,
           t->compilers, t->own, t->winner_ns / 1e3, autotune_verdict_text((autotune_verdict)t->verdict));
}
int main(int count, char **arguments) {
    char folder[200], command[300];
    double first[2 * RUNS + 1];
    bench_spread spread;
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/autotune-bench-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) return 2;
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (count > 1 && !strcmp(arguments[1], "race")) {
        const told t = in_process(race);
        printf("%.3f\t%.3f\t%d\t%s\n", t.wall, t.own + t.compilers, t.tried, t.winner);
        return system(command) != 0;
    }
    in_process(first_call);
    for (int i = 0; i < 2 * RUNS + 1; i++) first[i] = in_process(first_call).wall * 1e3;
    spread = bench_summary(first, 2 * RUNS + 1);
    printf("first call of a process, winner and image on disk  %6.3f ms  (%.3f to %.3f), at most 0.5: %s\n",
           spread.median, spread.low, spread.high, bench_judge(spread.median, 0.5));
    hits();
    for (int i = 0; i < RUNS; i++) {
        told t;
        if (i < 2) {
            snprintf(command, sizeof command, "rm -rf '%s/cc'", folder);
            if (system(command) != 0) return 2;
        }
        t = in_process(race);
        print_race(i < 2 ? "96 configurations, all compiled" : "96 configurations, all on disk ", &t);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

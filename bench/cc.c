/* cc.c - functions that are compiled for each configuration. The bench prints the time of a hit beyond the same
   statement with a direct call. It prints the time of the first call of a process that finds winner and machine code on
   disk. And it prints the time of a race of 96 configurations. In some races all 96 are compiled, in the others all are
   on disk.

       bench_cc            all figures. The folder of the cache is a new one in TMPDIR or /tmp, and is removed
       bench_cc race       one race of the 96 from nothing, for peers.py. Prints, separated by tabs: wall time,
                           processor time, how many configurations were tried, and the winner
       bench_cc picks N    N races from nothing and N with all on disk, in turns: how far is each winner from the best?
                           N is odd */
#define _GNU_SOURCE
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"
#include "bench.h"
#include <dlfcn.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 1 << 20, N = 192, RUNS = 5 };
void work(const long *n, long *out);
void product(int n, const float *a, const float *b, float *c);
static autotune_cc_program small = CC_PROGRAM("void work(const long *n, long *out) { *out += *n * SCALE; }\n", "-O2");
#define PRODUCT \
    "void product(int n, const float *restrict a, const float *restrict b, float *restrict c) {\n" \
    "    for (int i = 0; i < n; i += ROWS) for (int j = 0; j < n; j += COLUMNS) {\n" \
    "        float sum[ROWS][COLUMNS] = {{0}};\n" \
    "        for (int k = 0; k < n; k++) for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++)\n" \
    "            sum[r][s] += a[(i + r) * n + k] * b[k * n + j + s];\n" \
    "        for (int r = 0; r < ROWS; r++) for (int s = 0; s < COLUMNS; s++) c[(i + r) * n + j + s] = sum[r][s];\n" \
    "    }\n" \
    "}\n"
static autotune_cc_program large = CC_PROGRAM(PRODUCT, "-march=native", "$FLAGS");
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

/* ---- New processes ---- */

/* The results of a child process. Times are in seconds. */
typedef struct told {
    double wall;                                /* wall time; of first_call(): processor time of the thread */
    double own, compilers;                      /* processor time of the process, and of the compilers */
    double winner_ns;
    double over;                                /* time of the winner divided by the time of the best */
    double loadings;                            /* the best, loaded twice: the longer time divided by the shorter */
    int verdict, tried;
    char winner[100];
} told;
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

/* ---- Picks ---- */

/* The judge of a race. This program itself compiles the same 96 configurations. It loads each of them twice, since
   equal code at another address takes another time. After the race the same process times them, since another process
   gets other memory pages for the matrices. First each is called three times. Then configurations within 1.15 times the
   best are called in 31 rounds, each in a new random order. */
enum { ALL = 96, LOADINGS = 2 * ALL, ROUNDS = 31 };
typedef void product_function(int n, const float *a, const float *b, float *c);
static const int rows[] = { 1, 2, 3, 4, 6, 8 }, columns[] = { 8, 16, 32, 48 };
static const char *const flags[] = { "-O2", "-O2 -ffast-math", "-O3", "-O3 -ffast-math" };
static product_function *loaded[LOADINGS];

static void name_of(int i, char *name, size_t room) {       /* as race() writes the winner */
    snprintf(name, room, "%d\t%d\t%s", rows[i / 16], columns[i / 4 % 4], flags[i % 4]);
}
static bool load_all(const char *folder) {
    char source[250], command[800];
    FILE *file;
    snprintf(source, sizeof source, "%s/product.c", folder);
    if (!(file = fopen(source, "w")) || fputs(PRODUCT, file) < 0 || fclose(file) != 0) return false;
    for (int i = 0; i < LOADINGS; i++) {            /* each file has its own name, so dlopen() loads each */
        char library[250];
        void *handle;
        snprintf(library, sizeof library, "%s/%d.so", folder, i);
        snprintf(command, sizeof command, "cc -march=native %s -DROWS=%d -DCOLUMNS=%d -shared -fPIC '%s' -o '%s'",
                 flags[i / 2 % 4], rows[i / 32], columns[i / 8 % 4], source, library);
        if (system(command) != 0 || !(handle = dlopen(library, RTLD_NOW))) return false;
        *(void **)&loaded[i] = dlsym(handle, "product");
    }
    return true;
}
static double microseconds(int i) {
    const double began = bench_seconds(CLOCK_MONOTONIC);
    loaded[i](N, a, b, c);
    return 1e6 * (bench_seconds(CLOCK_MONOTONIC) - began);
}
/* Times the functions whose `median` is within `factor` of the least, and writes their new medians. */
static void time_all(double median[LOADINGS], double factor, int rounds) {
    static double time[LOADINGS][ROUNDS];
    int order[LOADINGS], count = 0;
    double least = INFINITY;
    for (int i = 0; i < LOADINGS; i++) if (median[i] < least) least = median[i];
    for (int i = 0; i < LOADINGS; i += 2)
        if (median[i] <= factor * least || median[i + 1] <= factor * least) {
            order[count++] = i;
            order[count++] = i + 1;
        }
    for (int i = 0; i < LOADINGS; i++) median[i] = INFINITY;
    for (int round = 0; round < rounds; round++)
        for (int k = count; k-- > 0;) {
            const int j = rand() % (k + 1), i = order[j];
            order[j] = order[k];
            order[k] = i;
            time[i][round] = microseconds(i);
        }
    for (int k = 0; k < count; k++) median[order[k]] = bench_summary(time[order[k]], (size_t)rounds).median;
}
static void judge(told *result) {
    double median[LOADINGS];
    int best = 0, pick = -1;
    race(result);
    for (int i = 0; i < LOADINGS; i++) median[i] = 0;
    time_all(median, 1, 3);
    time_all(median, 1.15, ROUNDS);
    for (int i = 0; i < ALL; i++) {
        char name[100];
        name_of(i, name, sizeof name);
        if (!strcmp(name, result->winner)) pick = i;
        if (median[2 * i] + median[2 * i + 1] < median[2 * best] + median[2 * best + 1]) best = i;
    }
    result->over = (median[2 * pick] + median[2 * pick + 1]) / (median[2 * best] + median[2 * best + 1]);
    result->loadings = median[2 * best] > median[2 * best + 1] ? median[2 * best] / median[2 * best + 1]
                                                               : median[2 * best + 1] / median[2 * best];
}
static int picks(int count, const char *folder) {
    static double over[2][999], loadings[2 * 999];
    char command[300];
    int unsure[2] = { 0, 0 }, within[2] = { 0, 0 };
    if (count < 1 || count > 999 || count % 2 == 0) {
        fprintf(stderr, "picks: an odd number of races below 1000\n");
        return 2;
    }
    if (!load_all(folder)) return 2;
    for (int i = 0; i < 2 * count; i++) {
        told t;
        snprintf(command, sizeof command, "cd '%s' && find . -mindepth 1 -maxdepth 1 %s -exec rm -rf {} +", folder,
                 i % 2 ? "! -name cc" : "");
        if (system(command) != 0) return 2;
        t = in_process(judge);
        printf("%s  winner %.3f times the best's time, %s  (%s)\n", i % 2 ? "all on disk " : "all compiled", t.over,
               autotune_verdict_text((autotune_verdict)t.verdict), t.winner);
        over[i % 2][i / 2] = t.over;
        loadings[i] = t.loadings;
        within[i % 2] += t.over <= 1.02;
        unsure[i % 2] += t.verdict == AUTOTUNE_UNRESOLVED;
    }
    for (int i = 0; i < 2; i++) {
        const double median = bench_summary(over[i], (size_t)count).median;     /* also sorts `over` */
        printf("%s  median %.3f, worst %.3f; %d of %d within 2 %%; %d unresolved\n",
               i ? "all on disk " : "all compiled", median, over[i][count - 1], within[i], count, unsure[i]);
    }
    printf("the best, loaded twice: %.3f times, in the median\n",
           bench_summary(loadings, (size_t)(2 * count - 1)).median);
    return 0;
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
    if (count > 2 && !strcmp(arguments[1], "picks")) {
        const int status = picks(atoi(arguments[2]), folder);
        return system(command) != 0 ? 2 : status;
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

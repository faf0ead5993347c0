/* cache.c - what the cache on disk costs: the first call of a process, which reads the file; the first call with
   another key, which is in it; and the size of a record.

   Each figure is the median over processes that were forked before they knew anything. The file is in the memory of the
   system, as after any earlier run. Its records are of a space of sixteen configurations, all of which were tried.

   At last the first call of a program that is started anew, for 10 records, by the clock on the wall: all that a user
   waits for, pages of the C library that no call touched before included. In mode OFF nothing is looked up; without a
   file it is found out which machine and which program this is; the file and the record of the key are the rest. */
#define _GNU_SOURCE
#include "autotune.h"
#include "bench.h"
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t virtual_ns;
static uint64_t virtual_now(autotune_backend *self) { return (void)self, virtual_ns; }
static autotune_backend virtual_clock;

static autotune_result tune(long key, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64, 128), AXIS(unroll, 1, 2, 4, 8)), 1,
             (void)(virtual_ns += (uint64_t)(1000000 * unroll + 100000 * tile), kernel(1, 1, tile, unroll)),
             .key = KEY(key, "f32"), .mode = mode, .backend = &virtual_clock, .result = &result);
    return result;
}
static void tune_all(long first, long records) { for (long key = first; key < records; key++) tune(key, AUTOTUNE_ON); }

typedef struct timing { double first, another; int known; } timing;
static void know_two(timing *t, long records) {
    const double start = bench_thread_seconds();
    const autotune_result first = tune(records / 2, AUTOTUNE_REQUIRE);
    const double loaded = bench_thread_seconds();
    const autotune_result another = tune(records / 3, AUTOTUNE_REQUIRE);
    t->first = loaded - start;
    t->another = bench_thread_seconds() - loaded;
    t->known = first.status == AUTOTUNE_OK && another.status == AUTOTUNE_OK;
}

/* Runs one of the two in a process of its own. */
static int in_child(timing *t, long first, long records) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        if (t) know_two(t, records);
        else tune_all(first, records);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* What `bench_cache --first-call` prints. */
static int print_first_call(void) {
    const double start = bench_seconds(CLOCK_MONOTONIC);
    const autotune_result result = tune(5, AUTOTUNE_ON);
    printf("%.9f\n", bench_seconds(CLOCK_MONOTONIC) - start);
    return result.status != AUTOTUNE_OK;
}
/* Of new programs with these variables, in milliseconds; negative: one of them failed. */
static double median_first_call(const char *program, const char *mode, const char *cache) {
    double ms[BENCH_PAIRS], seconds;
    char command[4200];
    snprintf(command, sizeof command, "AUTOTUNE_MODE=%s AUTOTUNE_CACHE=%s '%s' --first-call", mode, cache, program);
    for (int i = 0; i < BENCH_PAIRS; i++) {
        FILE *const printed = popen(command, "r");
        const int read = printed && fscanf(printed, "%lf", &seconds) == 1;
        if (!printed || pclose(printed) != 0 || !read) return -1;
        ms[i] = 1e3 * seconds;
    }
    return bench_summary(ms, BENCH_PAIRS).median;
}
static int measure_new_programs(const char *program, int tabs) {
    static const struct { const char *name, *mode, *cache; double goal_ms; } cases[] = {
        { "a new program, OFF", "off", "on", 0 }, { "a new program, no file", "cached", "off", 0 },
        { "a new program, 10 records", "require", "on", 0.2 },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double ms = median_first_call(program, cases[c].mode, cases[c].cache), goal_ms = cases[c].goal_ms;
        char goal[20] = "-";
        if (ms < 0) return 1;
        if (goal_ms > 0) snprintf(goal, sizeof goal, "%.1f", goal_ms);
        printf(tabs ? "%s\t-\t%.2f\t-\t%s\t%s\n" : "%-28s         - %12.2f            - %8s %6s\n", cases[c].name, ms,
               goal, goal_ms > 0 ? bench_judge(ms, goal_ms) : "-");
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct { const char *name; long records; double goal_ms; } cases[] = {
        { "10 records", 10, 1 }, { "100 records", 100, 2 }, { "1000 records", 1000, 5 }, { "10000 records", 10000, 20 },
    };
    char folder[] = "/tmp/autotune-bench-XXXXXX", file[sizeof folder + 20], command[sizeof folder + 20];
    const int tabs = bench_tabs(argc, argv);
    const char *pinned = bench_pin(0) ? "pinned to a core" : "not pinned";
    timing *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    long made = 0;
    int failed = 0;
    virtual_clock = autotune_cpu();
    virtual_clock.now = virtual_now;
    if (argc > 1 && !strcmp(argv[1], "--first-call")) return print_first_call();
    if (t == MAP_FAILED || !mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/results.jsonl", folder);
    setenv("AUTOTUNE_CACHE", "on", 1);
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
    if (!tabs) printf("%d processes, %s\n\n%-28s %9s %12s %12s %8s %6s\n", BENCH_PAIRS, pinned, "",
                      "KB each", "1st call ms", "another us", "goal ms", "met");
    for (size_t c = 0; c < sizeof cases / sizeof *cases && !failed; c++) {
        double first[BENCH_PAIRS], another[BENCH_PAIRS];
        struct stat status;
        failed |= !in_child(NULL, made, cases[c].records) || stat(file, &status) != 0;
        made = cases[c].records;
        for (int i = 0; i < BENCH_PAIRS && !failed; i++) {
            failed |= !in_child(t, 0, made) || !t->known;
            first[i] = 1e3 * t->first;
            another[i] = 1e6 * t->another;
        }
        if (failed) break;
        const double spent = bench_summary(first, BENCH_PAIRS).median;
        printf(tabs ? "%s\t%.2f\t%.2f\t%.1f\t%.0f\t%s\n" : "%-28s %9.2f %12.2f %12.1f %8.0f %6s\n", cases[c].name,
               (double)status.st_size / 1e3 / (double)made, spent, bench_summary(another, BENCH_PAIRS).median,
               cases[c].goal_ms, bench_judge(spent, cases[c].goal_ms));
        if (c == 0) failed |= measure_new_programs(argv[0], tabs);
    }
    if (failed) fprintf(stderr, "a winner that was written is not known: %s\n", autotune_last_error());
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}

/* cache.c - the cost of the cache on disk. Each line has the size of a record, the time of the first call of a process,
   and the time of the first call with another key. The first call reads the file. The call with another key finds the
   winner among the lines that were read.

   Each figure is the median over processes that knew no winner when they were forked. The file is in the page cache of
   the system, as after any earlier run. Its records are of a space of sixteen configurations, all of which were tried.

   The next figures are the first call of a new program, with 10 records, by the processor time of its thread. This time
   includes the work of the system, also for pages of the C library that are used for the first time. Each line does one
   thing more than the line above it. So the difference is the time of this thing.

   The last figures are guesses for keys that were never tuned: from 1,000 keys in the file, which was read before, and
   from 1,000 keys that this process raced. */
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

static autotune_unseen unseen;
static autotune_result tune(long key, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64, 128), AXIS(unroll, 1, 2, 4, 8)), 1,
             (void)(virtual_ns += (uint64_t)(1000000 * unroll + 100000 * tile), kernel(1, 1, tile, unroll)),
             .key = KEY(key, "f32"), .mode = mode, .unseen = unseen, .backend = &virtual_clock, .result = &result);
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

/* Times two guesses, in a process that only knows the keys up to `records`. */
static double guess(long key, int *known) {
    const double start = bench_thread_seconds();
    *known &= tune(key, AUTOTUNE_ON).verdict == AUTOTUNE_GUESSED;
    return bench_thread_seconds() - start;
}
static void guess_two(timing *t, long records) {
    t->known = tune(records / 2, AUTOTUNE_REQUIRE).status == AUTOTUNE_OK;
    unseen = AUTOTUNE_GUESS;
    t->first = guess(records, &t->known);
    t->another = guess(records + 1, &t->known);
}
static void race_and_guess_two(timing *t, long records) {
    setenv("AUTOTUNE_CACHE", "off", 1);
    tune_all(0, records);
    guess_two(t, records);
}

/* Runs the job in a child process. */
static int in_child(void (*job)(timing *t, long records), timing *t, long records) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        job(t, records);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
static long made;                               /* how many records the file has */
static void make_records(timing *t, long records) { (void)t, tune_all(made, records); }

/* Prints the output of `bench_cache --first-call KEY DEVICE`. Only the device "cpu" is described by the processor's
   name and caches. */
static int print_first_call(long key, const char *device) {
    virtual_clock.device = device;
    const double start = bench_thread_seconds();
    const autotune_result result = tune(key, AUTOTUNE_ON);
    printf("%.9f\n", bench_thread_seconds() - start);
    return result.status != AUTOTUNE_OK && key < 10;
}
static const struct part { const char *name, *mode, *cache, *arguments; } parts[] = {
    { "a new program, OFF", "off", "on", "5 cpu" },
    { " + which program it is", "cached", "off", "5 bench" },
    { " + which machine", "cached", "off", "5 cpu" },
    { " + the file of 10 records", "cached", "readonly", "10 cpu" },
    { " + the record: all", "require", "on", "5 cpu" },
};
enum { PARTS = sizeof parts / sizeof *parts };
/* Returns the first call of a new program, in milliseconds; negative: it failed. */
static double first_call(const char *program, const struct part *part) {
    double seconds;
    char command[4200];
    snprintf(command, sizeof command, "AUTOTUNE_MODE=%s AUTOTUNE_CACHE=%s '%s' --first-call %s", part->mode,
             part->cache, program, part->arguments);
    FILE *const printed = popen(command, "r");
    const int read = printed && fscanf(printed, "%lf", &seconds) == 1;
    return !printed || pclose(printed) != 0 || !read ? -1 : 1e3 * seconds;
}
/* Prints a line of the table. goal_ms: 0: there is no goal. judged: the time that is compared with the goal. */
static void print_line(int tabs, const char *name, double first_ms, double another_us, double goal_ms, double judged) {
    char another[20] = "-", goal[20] = "-";
    if (another_us > 0) snprintf(another, sizeof another, "%.1f", another_us);
    if (goal_ms > 0) snprintf(goal, sizeof goal, "%g", goal_ms);
    printf(tabs ? "%s\t-\t%.3f\t%s\t%s\t%s\n" : "%-28s         - %12.3f %12s %8s %6s\n", name, first_ms, another, goal,
           goal_ms > 0 ? bench_judge(judged, goal_ms) : "-");
}
static int measure_new_programs(const char *program, int tabs) {
    double ms[PARTS][BENCH_PAIRS];
    for (int i = 0; i < BENCH_PAIRS; i++)
        for (int p = 0; p < PARTS; p++) if ((ms[p][i] = first_call(program, &parts[p])) < 0) return 1;
    for (int p = 0; p < PARTS; p++) {
        const double median = bench_summary(ms[p], BENCH_PAIRS).median;
        print_line(tabs, parts[p].name, median, 0, p == PARTS - 1 ? 0.2 : 0, median);
    }
    return 0;
}
static int measure_guesses(timing *t, int tabs) {
    double first[BENCH_PAIRS], another[BENCH_PAIRS];
    for (int i = 0; i < BENCH_PAIRS; i++) {
        if (!in_child(guess_two, t, made) || !t->known) return 1;
        first[i] = 1e3 * t->first;
        another[i] = 1e6 * t->another;
    }
    const double ms = bench_summary(first, BENCH_PAIRS).median;
    print_line(tabs, "a guess, 1000 keys on disk", ms, bench_summary(another, BENCH_PAIRS).median, 1, ms);
    if (!in_child(race_and_guess_two, t, made) || !t->known) return 1;
    print_line(tabs, "a guess, 1000 in memory", 1e3 * t->first, 1e6 * t->another, 0.05, 1e3 * t->another);
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
    int failed = 0;
    virtual_clock = autotune_cpu();
    virtual_clock.now = virtual_now;
    if (argc > 3 && !strcmp(argv[1], "--first-call")) return print_first_call(atol(argv[2]), argv[3]);
    if (t == MAP_FAILED || !mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/results.jsonl", folder);
    setenv("AUTOTUNE_CACHE", "on", 1);
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
    if (!tabs) printf("%d processes, %s\n\n%-28s %9s %12s %12s %8s %6s\n", BENCH_PAIRS, pinned, "",
                      "KB each", "1st call ms", "another us", "goal ms", "met");
    for (size_t c = 0; c < sizeof cases / sizeof *cases && !failed; c++) {
        double first[BENCH_PAIRS], another[BENCH_PAIRS];
        struct stat status;
        failed |= !in_child(make_records, NULL, cases[c].records) || stat(file, &status) != 0;
        made = cases[c].records;
        for (int i = 0; i < BENCH_PAIRS && !failed; i++) {
            failed |= !in_child(know_two, t, made) || !t->known;
            first[i] = 1e3 * t->first;
            another[i] = 1e6 * t->another;
        }
        if (failed) break;
        const double spent = bench_summary(first, BENCH_PAIRS).median;
        printf(tabs ? "%s\t%.2f\t%.2f\t%.1f\t%.0f\t%s\n" : "%-28s %9.2f %12.2f %12.1f %8.0f %6s\n", cases[c].name,
               (double)status.st_size / 1e3 / (double)made, spent, bench_summary(another, BENCH_PAIRS).median,
               cases[c].goal_ms, bench_judge(spent, cases[c].goal_ms));
        if (made == 10) failed |= measure_new_programs(argv[0], tabs);
        if (made == 1000) failed |= measure_guesses(t, tabs);
    }
    if (failed) fprintf(stderr, "a winner that was written is not known: %s\n", autotune_last_error());
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}

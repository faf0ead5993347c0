/* processor.c - the race on this machine's processor, with the noise of this machine. How often does the race separate
   equal configurations? How often does it separate different configurations, also while another process keeps a core
   busy? How good is its pick in the space of examples/matmul.c, and how long does the race take?

       bench_processor [--races N] [--quick]        N: 100; --quick: without the exhaustive measurement and the fixed
                                                    schedule (a minute)

   Races of two configurations: both are loops of additions. The second loop has as many additions as the first, or 3 %
   more. In every other race the two loops change places.

   Three methods choose a configuration for the matrix product:
   - The race, several times with different seeds.
   - A fixed schedule with 25 ms of warm-up and 100 ms of repetitions for each configuration, as Triton's do_bench.
   - An exhaustive measurement, with rounds of all configurations in random order.
   At the end each pick and the pick of the exhaustive measurement run in turns. Clock and load change both times of
   such a pair, so their ratio is exact. */
#define _GNU_SOURCE
#define main matmul_main
#include "../examples/matmul.c"
#undef main

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static autotune_backend cpu;
static double now_ns(void) { return (double)cpu.now(&cpu); }
static int ascending(const void *left, const void *right) {
    const double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}
static double median_of(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}
static uint64_t random_state = 1;
static size_t below(size_t count) { /* splitmix64 */
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (size_t)((z ^ z >> 31) % count);
}
static void shuffle(size_t *order, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t j = below(i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/* ---- Races of two ------------------------------------------------------------------------------------------------ */

static volatile double sink;
__attribute__((__noinline__)) static void add(long count) {
    double sum = sink;
    for (long i = 0; i < count; i++) {
        sum += (double)i;
        __asm__ volatile("" : "+x"(sum));
    }
    sink = sum;
}
static long additions_in(double ns) { /* returns how many additions this machine makes in this time */
    const long sample = 1000000;
    double least = HUGE_VAL;
    for (int i = 0; i < 20; i++) {
        const double start = now_ns();
        add(sample);
        least = fmin(least, now_ns() - start);
    }
    return (long)(ns / least * (double)sample);
}

typedef struct tally { int verdicts[AUTOTUNE_UNRELIABLE + 1], right, wrong; double seconds; } tally;

static tally race_pairs(int races, long first, long second) {
    tally t = {.right = 0};
    for (int i = 0; i < races; i++) {
        static int key;
        const long left = i % 2 ? second : first, right = i % 2 ? first : second;
        autotune_result r;
        key++;
        AUTOTUNE(SPACE(AXIS(which, 0, 1)), 1, add(which ? right : left), .key = KEY(key), .seed = (uint64_t)i,
                 .result = &r);
        t.verdicts[r.verdict]++;
        t.seconds += r.seconds / races;
        if (r.verdict != AUTOTUNE_SEPARATED) continue;
        if ((r.index == 0) == (left < right)) t.right++;
        else t.wrong++;
    }
    return t;
}
/* Starts a process that keeps one core busy. The process runs until it is killed, or this process ends. */
static pid_t keep_busy(void) {
    const pid_t child = fork();
    if (child) return child;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) add(1000000);
}
static void print_tally(const char *name, double ns, const tally *t, const char *goal, bool met) {
    printf("%-34s %6.0f us %6d %6d %6d %6d %6d %8.1f ms   %s: %s\n", name, ns / 1e3, t->right, t->wrong,
           t->verdicts[AUTOTUNE_TIE], t->verdicts[AUTOTUNE_UNRESOLVED], t->verdicts[AUTOTUNE_UNRELIABLE],
           1e3 * t->seconds, goal, met ? "yes" : "NO");
    fflush(stdout);
}
static void print_pairs(int races) {
    static const double lengths[] = {20e3, 200e3, 2e6};
    printf(
        "Races of two, %d each; of these separated and right, separated and wrong, tie, unresolved, unreliable; time "
        "of a race\n\n"
        "%-34s %9s %6s %6s %6s %6s %6s\n",
        races, "", "launch", "right", "wrong", "tie", "unres.", "unrel.");
    for (int busy = 0; busy < 2; busy++) {
        const pid_t child = busy ? keep_busy() : 0;
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            const long count = additions_in(lengths[i]);
            const tally equal = race_pairs(races, count, count);
            print_tally(busy ? "equal, one core kept busy" : "equal", lengths[i], &equal, "separated in 5 % at most",
                        equal.verdicts[AUTOTUNE_SEPARATED] <= races * 5 / 100);
            const tally apart = race_pairs(races, count, count * 103 / 100);
            print_tally(busy ? "3 % apart, one core kept busy" : "3 % apart", lengths[i], &apart,
                        "right in 70 %, wrong in 2 % at most",
                        apart.right >= races * 70 / 100 && apart.wrong <= races * 2 / 100);
        }
        if (child) { kill(child, SIGKILL); waitpid(child, NULL, 0); }
    }
}

/* ---- The space of the matrix product ----------------------------------------------------------------------------- */

typedef struct choice { const char *order; int tile, rows, columns; } choice;
enum { MOST = 512 };
static choice space[MOST];
static size_t space_size;

static void list_space(void) { /* as examples/matmul.c describes it */
    static const char *const orders[] = {"ijk", "ikj", "jik", "jki", "kij", "kji"};
    static const int tiles[] = {16, 32, 48, 96}, rows[] = {1, 2, 4, 8}, columns[] = {4, 8, 16, 32};
    for (int o = 0; o < 6; o++)
        for (int t = 0; t < 4; t++)
            for (int r = 0; r < 4; r++)
                for (int s = 0; s < 4; s++)
                    if (columns[s] <= tiles[t])
                        space[space_size++] = (choice){orders[o], tiles[t], rows[r], columns[s]};
}
static double launch_ns(size_t i) {
    const choice *s = &space[i];
    const double start = now_ns();
    product(N, a, b, c, s->order, s->tile, s->rows, s->columns);
    return now_ns() - start;
}
static double sample_ns(size_t i) { return fmin(fmin(launch_ns(i), launch_ns(i)), launch_ns(i)); }

/* Measures rounds of all configurations, in random order. A sample is the least of three launches. The configuration
   with the smallest median wins. */
static size_t exhaustive(double *seconds) {
    enum { ROUNDS = 60 };
    static double samples[MOST][ROUNDS];
    size_t order[MOST], best = 0;
    double least = HUGE_VAL;
    const double start = now_ns();
    for (size_t i = 0; i < space_size; i++) order[i] = i;
    for (int round = 0; round < ROUNDS; round++) {
        shuffle(order, space_size);
        for (size_t k = 0; k < space_size; k++) samples[order[k]][round] = sample_ns(order[k]);
    }
    for (size_t i = 0; i < space_size; i++) {
        const double median = median_of(samples[i], ROUNDS);
        if (median < least) { least = median; best = i; }
    }
    *seconds = (now_ns() - start) / 1e9;
    return best;
}
/* Gives each configuration 25 ms of warm-up and 100 ms of repetitions. The configuration with the smallest median
   wins. */
static size_t fixed_schedule(double *seconds, size_t *launches) {
    size_t best = 0, room = 0;
    double least = HUGE_VAL, *times = NULL;
    const double start = now_ns();
    *launches = 0;
    for (size_t i = 0; i < space_size; i++) {
        size_t count = 0;
        for (const double end = now_ns() + 25e6; now_ns() < end; ++*launches) launch_ns(i);
        for (const double end = now_ns() + 100e6; now_ns() < end; count++) {
            if (count == room && !(times = realloc(times, (room = 2 * room + 4096) * sizeof *times))) exit(2);
            times[count] = launch_ns(i);
        }
        *launches += count;
        const double median = median_of(times, count);
        if (median < least) { least = median; best = i; }
    }
    free(times);
    *seconds = (now_ns() - start) / 1e9;
    return best;
}
static double ratio(size_t pick, size_t reference) { /* of the times of both: the median of pairs */
    enum { PAIRS = 301 };
    double ratios[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        double x, y;
        if (i % 2) { x = sample_ns(pick); y = sample_ns(reference); }
        else { y = sample_ns(reference); x = sample_ns(pick); }
        ratios[i] = x / y;
    }
    return median_of(ratios, PAIRS);
}
static size_t tuned(int seed, autotune_result *r) {
    AUTOTUNE(SPACE(AXIS(order, "ijk", "ikj", "jik", "jki", "kij", "kji"), AXIS(tile, 16, 32, 48, 96),
                   AXIS(rows, 1, 2, 4, 8), AXIS(columns, 4, 8, 16, 32), WHERE(columns <= tile)),
             1, product(N, a, b, c, order, tile, rows, columns), .key = KEY(seed), .seed = (uint64_t)seed, .result = r);
    for (size_t i = 0; i < space_size; i++)
        if (!strcmp(space[i].order, autotune_get_string(&r->config, "order")) &&
            space[i].tile == autotune_get_int(&r->config, "tile") &&
            space[i].rows == autotune_get_int(&r->config, "rows") &&
            space[i].columns == autotune_get_int(&r->config, "columns"))
            return i;
    return 0;
}
static void print_matmul(bool quick) {
    enum { SEEDS = 10 };
    size_t picks[SEEDS], launches = 0, reference = 0, other = 0;
    double times[SEEDS], counts[SEEDS], ratios[SEEDS], long_seconds = 0, fixed_seconds = 125e-3 * (double)space_size;
    list_space();
    for (int i = 0; i < N * N; i++) { a[i] = (float)(1 + i * 7 % 11); b[i] = 1 / (float)(1 + i * 5 % 13); }
    for (int i = 0; i < SEEDS; i++) {
        autotune_result r;
        picks[i] = tuned(i, &r);
        times[i] = r.seconds;
        counts[i] = (double)r.launches;
    }
    printf("\nThe matrix product's %zu configurations\n\n%-34s %10s %10s   %s\n", space_size, "", "seconds", "launches",
           "its pick's time over the best's");
    if (quick) {
        printf("%-34s %10.3f %10.0f\n", "the race, median of 10 seeds", median_of(times, SEEDS),
               median_of(counts, SEEDS));
        return;
    }
    other = fixed_schedule(&fixed_seconds, &launches);
    reference = exhaustive(&long_seconds);
    for (int i = 0; i < SEEDS; i++) ratios[i] = ratio(picks[i], reference);
    const double middle = median_of(ratios, SEEDS), race_seconds = median_of(times, SEEDS);
    printf("%-34s %10.3f %10.0f   %.3f (median of 10 seeds; %.3f to %.3f)\n", "the race", race_seconds,
           median_of(counts, SEEDS), middle, ratios[0], ratios[SEEDS - 1]);
    printf("%-34s %10.3f %10zu   %.3f\n", "25 ms + 100 ms each", fixed_seconds, launches, ratio(other, reference));
    printf("%-34s %10.3f %10zu   %.3f\n", "all of them, 60 rounds", long_seconds, 180 * space_size,
           ratio(reference, reference));
    printf("a tenth of the fixed schedule's time at most: %s; within 2 %% of the exhaustive pick: %s\n",
           race_seconds < fixed_seconds / 10 ? "yes" : "NO", middle < 1.02 ? "yes" : "NO");
}

int main(int argc, char **argv) {
    int races = 100;
    bool quick = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick")) quick = true;
        else if (!strcmp(argv[i], "--races") && i + 1 < argc && atoi(argv[i + 1]) > 0) races = atoi(argv[++i]);
        else {
            fprintf(stderr, "usage: %s [--races N] [--quick]\n", argv[0]);
            return 2;
        }
    }
    setenv("AUTOTUNE_CACHE", "off", 1); /* so that every race really runs */
    setenv("AUTOTUNE_LOG", "off", 1);   /* the log would warn about so many keys */
    cpu = autotune_cpu();
    print_pairs(races);
    print_matmul(quick);
    return 0;
}

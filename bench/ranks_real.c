/* ranks_real.c - compares ranks that race together, and ranks that divide a race, with one rank alone. The clock is
   real, and each rank has a core. `ranks_real RANKS` prints a row for 2, 4, 8, ... up to RANKS ranks (2 without the
   argument). It needs as many idle cores. */
#define _GNU_SOURCE
#define _DEFAULT_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#define MOST_RANKS 64
#include "../tests/forked_ranks.h"
#include "bench.h"

/* The shared memory of the ranks. A rank polls this memory to wait for the others, as MPI does within a machine. */
typedef struct meeting {
    int arrived;
    unsigned round;
    double values[MOST_RANKS][MOST_VALUES];
    unsigned char bytes[MOST_BYTES];
} meeting;
static meeting *place;
static void await_all(const autotune_ranks *self) {
    const unsigned round = __atomic_load_n(&place->round, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&place->arrived, 1, __ATOMIC_ACQ_REL) == self->count) {
        __atomic_store_n(&place->arrived, 0, __ATOMIC_RELAXED);
        __atomic_add_fetch(&place->round, 1, __ATOMIC_RELEASE);
        return;
    }
    for (unsigned looks = 1; __atomic_load_n(&place->round, __ATOMIC_ACQUIRE) == round; looks++)
        if (looks % 100000 == 0) sched_yield();
}
static autotune_status real_max(autotune_ranks *self, double *values, size_t count) {
    CHECK(count <= MOST_VALUES);
    memcpy(place->values[self->rank], values, count * sizeof *values);
    await_all(self);
    for (int r = 0; r < self->count; r++)
        for (size_t i = 0; i < count; i++) if (place->values[r][i] > values[i]) values[i] = place->values[r][i];
    await_all(self);
    return AUTOTUNE_OK;
}
static autotune_status real_share(autotune_ranks *self, void *bytes, size_t count) {
    CHECK(count <= MOST_BYTES);
    if (self->rank == 0) memcpy(place->bytes, bytes, count);
    await_all(self);
    memcpy(bytes, place->bytes, count);
    await_all(self);
    return AUTOTUNE_OK;
}

/* Some 100 to 400 us of multiplications, each of which waits for the one before. */
static volatile uint64_t product;
static void multiply(int point) {
    const uint64_t mixed = (uint64_t)(point + 1) * 0x9E3779B97F4A7C15u;
    uint64_t x = mixed | 1;
    for (uint64_t left = 80000 + (240000 * (mixed >> 40) >> 24); left > 0; left--) x = x * 6364136223846793005u + left;
    product = x;
}
/* The races. Ranks that divide a race save launches of the screen. So their space is large. */
static const struct { autotune_agreement agree; const char *name; int points; } manners[] = {
    {AUTOTUNE_TOGETHER, "together", 64},
    {AUTOTUNE_DIVIDED, "divided", 1024},
};
static size_t manner;
typedef struct race_time { double seconds, launches, tried; } race_time;
static void race_once(int rank, int count) {
    race_time *time = (race_time *)(void *)shared->results + rank;
    autotune_ranks ranks = {rank, count, real_max, real_share, NULL};
    const int points = manners[manner].points;
    autotune_result result;
    CHECK(bench_pin(rank));
    await_all(&ranks);      /* all processes were started, each on its core */
    const double before = bench_seconds(CLOCK_MONOTONIC);
    AUTOTUNE(SPACE(RANGE(point, 0, points - 1, 1)), 1, multiply(point), .ranks = &ranks,
             .agree = manners[manner].agree, .strategy = AUTOTUNE_EXHAUSTIVE, .result = &result);
    time->seconds = bench_seconds(CLOCK_MONOTONIC) - before;
    time->launches = (double)result.launches;
    time->tried = (double)result.tried;
    CHECK(result.status == AUTOTUNE_OK);
}
static race_time race_of(int count) {
    memset(place, 0, sizeof *place);
    run_ranks(count, 120, race_once);
    return *(const race_time *)(const void *)shared->results;
}

/* Races of so many ranks, interleaved with those of one rank alone. */
static double median(double *sample) { return bench_summary(sample, BENCH_PAIRS).median; }
static void print_row(int count) {
    double ms[2][BENCH_PAIRS], launches[2][BENCH_PAIRS], tried[2][BENCH_PAIRS], ratio[BENCH_PAIRS];
    for (int i = 0; i < BENCH_PAIRS; i++) {
        for (int turn = 0; turn < 2; turn++) {
            const int all = (i + turn) % 2;
            const race_time race = race_of(all ? count : 1);
            ms[all][i] = 1e3 * race.seconds;
            launches[all][i] = race.launches;
            tried[all][i] = race.tried;
        }
        ratio[i] = ms[1][i] / ms[0][i];
    }
    const bench_spread spread = bench_summary(ratio, BENCH_PAIRS);
    printf("%5d   %-8s   %15.0f   %12.0f   %8.1f   %17.0f   %8.1f   %5.2f (%.2f to %.2f)", count, manners[manner].name,
           median(tried[1]), median(launches[1]), median(ms[1]), median(launches[0]), median(ms[0]), spread.median,
           spread.low, spread.high);
    if (manners[manner].agree == AUTOTUNE_TOGETHER) printf("   at most 1.2: %s", bench_judge(spread.median, 1.2));
    printf("\n");
    fflush(stdout);
}

int main(int arguments, char **argument) {
    const int most = arguments > 1 ? atoi(argument[1]) : 2;
    cpu_set_t allowed;
    if (most < 2 || most > MOST_RANKS || sched_getaffinity(0, sizeof allowed, &allowed) ||
        CPU_COUNT(&allowed) < most) {
        fprintf(stderr, "ranks_real: takes a number of ranks from 2 to %d, and as many processors\n", MOST_RANKS);
        return EXIT_FAILURE;
    }
    share_run();
    setenv("AUTOTUNE_CACHE", "off", 1);
    place = (meeting *)mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(place != MAP_FAILED);
    printf("races on the real clock, a core for each rank: of %d configurations together, of %d divided; medians of %d "
           "pairs\n", manners[0].points, manners[1].points, BENCH_PAIRS);
    printf("ranks              tried by a rank   its launches      in ms   of one rank alone      in ms   times as "
           "long (quartiles)\n");
    for (manner = 0; manner < sizeof manners / sizeof *manners; manner++)
        for (int count = 2; count <= most; count = count < most && 2 * count > most ? most : 2 * count)
            print_row(count);
    return EXIT_SUCCESS;
}

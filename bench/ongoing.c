/* ongoing.c - the cost of a call in mode ONLINE while its race goes on. The space has 10,000 admitted points. The body
   takes nearly no time, so nearly all the time of a call is that of the tuner. The bench times the first call, which
   describes the space, and then 10,000 calls in blocks of 100. Then it repeats this with a body of 20 us, and subtracts
   the time of the body. */
#define _GNU_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include "bench.h"

enum { POINTS = 10000, CALLS = 10000, BLOCK = 100, BLOCKS = CALLS / BLOCK };

static volatile double spent;
/* Not the processor time of the thread, since reading it takes longer than a call. */
static double seconds_now(void) { return bench_seconds(CLOCK_MONOTONIC); }
static void work(int64_t point, double seconds) {       /* the later points are a little slower */
    const double end = seconds_now() + seconds * (1 + 1e-5 * (double)point);
    if (seconds > 0) while (seconds_now() < end) spent = end;
}
/* Returns the seconds of the calls without their bodies. ongoing: how many calls were made before the race ended. */
static double call(int count, double seconds, int *ongoing) {
    const double start = seconds_now();
    double in_bodies = 0;
    for (int i = 0; i < count; i++) {
        autotune_result result;
        AUTOTUNE_BLOCK(SPACE(RANGE(point, 0, POINTS - 1, 1)), .mode = AUTOTUNE_ONLINE, .key = KEY(seconds > 0),
                       .cache = AUTOTUNE_CACHE_OFF, .result = &result) {
            const double from = seconds_now();
            work(point, seconds);
            in_bodies += seconds_now() - from;
        }
        *ongoing += result.verdict == AUTOTUNE_ONGOING;
    }
    return seconds_now() - start - in_bodies;
}
static void measure(const char *name, double seconds) {
    double us[BLOCKS - 1], first;
    int ongoing = 0;
    first = 1e6 * call(1, seconds, &ongoing);
    (void)call(BLOCK - 1, seconds, &ongoing);
    for (int block = 0; block < BLOCKS - 1; block++) us[block] = 1e6 * call(BLOCK, seconds, &ongoing) / BLOCK;
    const bench_spread cost = bench_summary(us, BLOCKS - 1);
    printf("%-24s %9.0f %9.2f %9.2f %9.2f %9.2f   %5d %6s\n", name, first, cost.median, cost.low, cost.high,
           us[BLOCKS - 2], ongoing, bench_judge(cost.median, 3));
}

int main(void) {
    bench_pin(0);
    printf("%d points, %d calls; us per call, with its two readings of a clock\n\n%-24s %9s %9s %19s %9s   %5s %6s\n",
           POINTS, CALLS, "", "the first", "median", "(middle half)", "highest", "going", "met");
    measure("a body of no time", 0);
    measure("a body of 20 us", 20e-6);
    return 0;
}

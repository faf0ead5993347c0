/* ranks.c - compares ranks that race together, and ranks that divide a race, with one rank alone: how many launches and
   exchanges do they need? The clock is virtual. Prints a table. `ranks LATENCY_US RANKS` also calculates the time of
   the exchanges of RANKS ranks that race together. It assumes that a maximum over all ranks is a tree, and that each
   level takes LATENCY_US. ranks_real.c has the real clock. */
#define _GNU_SOURCE
#define _DEFAULT_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "../tests/forked_ranks.h"
#include "bench.h"

enum { KEYS = 40, POINTS = 64 };
static uint64_t noise;
static double uniform(void) {
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    return (double)(noise >> 11) / 9007199254740992.0;
}
/* Launches take 100 to 400 us, with a noise of 3 % on each rank. */
static void launch(int key, int point) {
    const uint64_t mixed = (uint64_t)(key * POINTS + point + 1) * 0x9E3779B97F4A7C15u;
    spend((uint64_t)((100e3 + 300e3 * (double)(mixed >> 40) / (1 << 24)) * (1 + 0.03 * uniform())));
}
static autotune_agreement agree;
typedef struct sums { double launches, tried, exchanges, tuned_ns; } sums;
static void tune_keys(int rank, int count) {
    sums *sum = (sums *)(void *)shared->results + rank;
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_ranks ranks = all_ranks(count);
    noise = (uint64_t)rank * 7919 + 17;
    for (int key = 0; key < KEYS; key++) {
        const uint64_t before = virtual_now(NULL);
        autotune_result result;
        AUTOTUNE(SPACE(RANGE(point, 0, POINTS - 1, 1)), 1, launch(key, point), .key = KEY(key), .backend = &own_clock,
                 .ranks = &ranks, .agree = agree, .strategy = AUTOTUNE_EXHAUSTIVE, .result = &result);
        CHECK(result.status == AUTOTUNE_OK);
        sum->launches += (double)result.launches;
        sum->tried += (double)result.tried;
        sum->tuned_ns += (double)(virtual_now(NULL) - before);
    }
    sum->exchanges = shared->exchanges[rank];
}

int main(int arguments, char **argument) {
    const double latency_us = arguments > 1 ? atof(argument[1]) : 2, many = arguments > 2 ? atof(argument[2]) : 10000;
    double alone = 0, exchanges = 0, levels = 0, tuned_ns = 0;
    share_run();
    setenv("AUTOTUNE_CACHE", "off", 1);
    printf("a key of %d configurations, the mean of %d keys\n", POINTS, KEYS);
    printf("ranks              tried by a rank   its launches   of one rank alone   exchanges\n");
    for (int count = 1; count <= MOST_RANKS; count *= 2)
        for (int divided = 0; divided <= (count > 1); divided++) {
            agree = divided ? AUTOTUNE_DIVIDED : AUTOTUNE_TOGETHER;
            run_ranks(count, 120, tune_keys);
            const sums sum = *(const sums *)(const void *)shared->results;
            if (count == 1) alone = sum.launches;
            if (agree == AUTOTUNE_TOGETHER) {
                exchanges = sum.exchanges / KEYS;
                tuned_ns = sum.tuned_ns / KEYS;
            }
            printf("%5d   %-8s   %15.1f   %12.1f   %17.2f   %9.1f\n", count,
                   agree == AUTOTUNE_DIVIDED ? "divided" : "together", sum.tried / KEYS, sum.launches / KEYS,
                   sum.launches / alone, sum.exchanges / KEYS);
        }
    for (double reached = 1; reached < many; reached *= 2) levels++;
    printf("%.0f ranks, a tree of %.0f levels up and down, %.1f us each: %.1f ms of exchanges, %.0f ms of launches\n",
           many, levels, latency_us, 2 * levels * latency_us * exchanges / 1e3, tuned_ns / 1e6);
    return 0;
}

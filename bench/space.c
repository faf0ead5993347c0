/* space.c - how long the first call with a new key takes to describe and filter a space of a million configurations.

   A statement is timed twice, in turns: with a space of a million points, and with a space of a single configuration.
   Both calls try one configuration. So their difference is the cost of the size of the space. The bench also prints the
   time before the first launch of the body, which contains no launch. */
#define _GNU_SOURCE
#include "autotune.h"
#include "bench.h"

typedef struct timing { double first_launch, whole; autotune_result result; } timing;

/* Makes a first call with side^3 points. WHERE admits points whose sum is at most `limit`. */
static timing first_call(int side, int limit, int attempt) {
    timing t = { .first_launch = 0 };
    const double start = bench_thread_seconds();
    AUTOTUNE_BLOCK(SPACE(RANGE(a, 0, side - 1, 1), RANGE(b, 0, side - 1, 1), RANGE(c, 0, side - 1, 1),
                         WHERE(a + b + c <= limit)),
                   .key = KEY(side, limit, attempt), .max_trials = 1, .preset = AUTOTUNE_FAST, .result = &t.result) {
        if (t.first_launch <= 0) t.first_launch = bench_thread_seconds() - start;
        kernel(a, b, c, 1);
    }
    t.whole = bench_thread_seconds() - start;
    return t;
}

static const struct { const char *name; int side, limit; double goal; } cases[] = {     /* goal: seconds */
    { "WHERE keeps every one",   100, 297, 0.1 },
    { "WHERE keeps one percent", 100,  37, 0.1 },
};

int main(int argc, char **argv) {
    const int tabs = bench_tabs(argc, argv);
    const char *pinned = bench_pin(0) ? "pinned to a core" : "not pinned";
    if (!tabs)
        printf("%d pairs, %s; a million points, milliseconds\n\n%-28s %9s %12s %12s %12s %8s %6s\n", BENCH_PAIRS,
               pinned, "", "admitted", "1st launch", "whole call", "less small", "goal", "met");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double first_launch[BENCH_PAIRS], whole[BENCH_PAIRS], cost[BENCH_PAIRS];
        const int side = cases[c].side, limit = cases[c].limit;
        timing large, small = first_call(1, limit, -1);
        for (int pair = 0; pair < BENCH_PAIRS; pair++) {
            if (pair % 2) small = first_call(1, limit, pair);
            large = first_call(side, limit, pair);
            if (pair % 2 == 0) small = first_call(1, limit, pair);
            first_launch[pair] = 1e3 * large.first_launch;
            whole[pair] = 1e3 * large.whole;
            cost[pair] = 1e3 * (large.whole - small.whole);
        }
        if (large.result.status != AUTOTUNE_OK || large.result.cache_hit) {
            fprintf(stderr, "%s: not a first call that worked: %s\n", cases[c].name,
                    autotune_status_text(large.result.status));
            return 1;
        }
        const double spent = bench_summary(cost, BENCH_PAIRS).median;
        const bench_spread first = bench_summary(first_launch, BENCH_PAIRS), all = bench_summary(whole, BENCH_PAIRS);
        printf(tabs ? "%s\t%zu\t%.1f\t%.1f\t%.1f\t%.0f\t%s\n" : "%-28s %9zu %12.1f %12.1f %12.1f %8.0f %6s\n",
               cases[c].name, large.result.space_size, first.median, all.median, spent, 1e3 * cases[c].goal,
               bench_judge(spent, 1e3 * cases[c].goal));
    }
    return 0;
}

/* hit.c - the cost of a hit: a tuned call whose winner is known, compared with a direct call of the same function.

       bench_hit [--least]

   Each case is a pair of loops. Both loops make the same calls with the same arguments, one of them directly, the other
   one through a call site. The loops of a pair run one after the other, and begin alternately. The cost is the median,
   over all pairs, of the difference per call. With --least there are twice as many pairs, and the cost is the
   difference of the least times of both loops. Use --least if other programs keep the processor busy most of the
   time. */
#define _GNU_SOURCE
#include "autotune.h"
#include "bench.h"

enum { CALLS = 1 << 20, KEYS = 64, MANY = 1000 };

/* The values that the loops read. They are kept in memory, so that the compiler knows none of them. */
typedef struct arguments {
    long n, m;
    int part[8];
    const char *name;
    struct { long n, m; } pair[KEYS];       /* keys for rotation and for random order */
    unsigned char order[CALLS];             /* the random order of these keys; it never repeats within a loop, so no
                                               branch predictor learns it */
    struct { long n, m; } many[MANY];
    unsigned short many_order[CALLS];
} arguments;

#define LOOP __attribute__((__noinline__, __aligned__(64))) static void
#define TIMES for (size_t i = 0; i < CALLS; i++)

/* The race of a key tries a single configuration, since the winner does not matter here. */
#define BRIEFLY .max_trials = 1, .preset = AUTOTUNE_FAST

LOOP no_call(const arguments *a) { TIMES __asm__ volatile("" : : "r"(a)); }
LOOP plain_direct(const arguments *a) { TIMES kernel(a->n, a->m, 16, 1); }
LOOP no_key_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY);
}
LOOP two_integers_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                   .key = KEY(a->n, a->m));
}
LOOP result_tuned(const arguments *a) {
    autotune_result result;
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                   .key = KEY(a->n, a->m), .result = &result);
}
LOOP watched_tuned(const arguments *a) {        /* in mode ON .watch times no call */
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                   .key = KEY(a->n, a->m), .watch = 256);
}
LOOP block_tuned(const arguments *a) {
    TIMES AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), BRIEFLY, .key = KEY(a->n, a->m)) {
        kernel(a->n, a->m, tile, unroll);
    }
}
LOOP select_tuned(const arguments *a) {
    TIMES AUTOTUNE_SELECT((BRIEFLY, .key = KEY(a->n, a->m)), kernel(a->n, a->m, 16, 1), kernel(a->n, a->m, 32, 2));
}
LOOP eight_parts_tuned(const arguments *a) {
    const int *p = a->part;
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                   .key = KEY(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]));
}
LOOP string_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                   .key = KEY(a->name));
}

/* Keys without a winner, and modes that never race. */
LOOP off_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll),
                   .key = KEY(a->n, a->m), .mode = AUTOTUNE_OFF);
}
LOOP forced_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                   .key = KEY(a->n, a->m), .mode = AUTOTUNE_FORCE);
}
LOOP cached_miss_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll),
                   .key = KEY(a->n, a->m), .mode = AUTOTUNE_CACHED, .cache = AUTOTUNE_CACHE_OFF);
}
LOOP cached_hit_tuned(const arguments *a) {
    for (autotune_mode mode = AUTOTUNE_ON; mode <= AUTOTUNE_CACHED; mode = (autotune_mode)(mode + 1))
        for (size_t i = mode == AUTOTUNE_CACHED ? 0 : CALLS - 1; i < CALLS; i++)
            AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll), BRIEFLY,
                     .key = KEY(a->n, a->m), .mode = mode);
}
LOOP required_miss_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(a->n, a->m, tile, unroll),
                   .key = KEY(a->n, a->m), .mode = AUTOTUNE_REQUIRE, .cache = AUTOTUNE_CACHE_OFF);
}
static autotune_status fails(void) { return AUTOTUNE_FAILED; }
LOOP failed_tuned(const arguments *a) {
    TIMES AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, fails(), .key = KEY(a->n, a->m),
                   .cache = AUTOTUNE_CACHE_OFF);
}

LOOP rotation_direct(const arguments *a) { TIMES kernel(a->pair[i % KEYS].n, a->pair[i % KEYS].m, 16, 1); }
LOOP rotation_tuned(const arguments *a) {
    TIMES {
        const long n = a->pair[i % KEYS].n, m = a->pair[i % KEYS].m;
        AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(n, m, tile, unroll), BRIEFLY,
                 .key = KEY(n, m));
    }
}
LOOP random_direct(const arguments *a) { TIMES kernel(a->pair[a->order[i]].n, a->pair[a->order[i]].m, 16, 1); }
LOOP random_tuned(const arguments *a) {
    TIMES {
        const long n = a->pair[a->order[i]].n, m = a->pair[a->order[i]].m;
        AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(n, m, tile, unroll), BRIEFLY,
                 .key = KEY(n, m));
    }
}

LOOP many_direct(const arguments *a) { TIMES kernel(a->many[a->many_order[i]].n, a->many[a->many_order[i]].m, 16, 1); }
LOOP many_tuned(const arguments *a) {
    TIMES {
        const long n = a->many[a->many_order[i]].n, m = a->many[a->many_order[i]].m;
        AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(n, m, tile, unroll), BRIEFLY,
                 .key = KEY(n, m));
    }
}

typedef void loop(const arguments *);
/* goal: the limit of the cost in ns per call; 0: no limit */
static const struct { const char *name; double goal; loop *direct, *tuned; } cases[] = {
    { "no key",                     2, plain_direct,    no_key_tuned },
    { "key of two integers",        3, plain_direct,    two_integers_tuned },
    { "the same, with .result",    15, plain_direct,    result_tuned },
    { "the same, with .watch",      8, plain_direct,    watched_tuned },
    { "the same, AUTOTUNE_BLOCK",   3, plain_direct,    block_tuned },
    { "the same, AUTOTUNE_SELECT",  3, plain_direct,    select_tuned },
    { "key of eight integers",      0, plain_direct,    eight_parts_tuned },
    { "key of one string",          0, plain_direct,    string_tuned },
    { "CACHED, known",              3, plain_direct,    cached_hit_tuned },
    { "FORCE, tuned before",      100, plain_direct,    forced_tuned },
    { "CACHED, not known",        100, plain_direct,    cached_miss_tuned },
    { "REQUIRE, not known",       100, no_call,         required_miss_tuned },
    { "OFF",                      100, plain_direct,    off_tuned },
    { "all have failed",          100, no_call,         failed_tuned },
    { "64 keys in rotation",      3.5, rotation_direct, rotation_tuned },
    { "64 keys in random order",  3.5, random_direct,   random_tuned },
    { "1,000 keys in random order", 0, many_direct,     many_tuned },
};

static double ns_per_call(loop *f, const arguments *a) {
    const double start = bench_thread_seconds();
    f(a);
    return (bench_thread_seconds() - start) * 1e9 / CALLS;
}

static void measure(size_t c, const arguments *a, bool least, bench_spread *direct, bench_spread *cost) {
    double direct_ns[2 * BENCH_PAIRS], cost_ns[2 * BENCH_PAIRS], tuned_ns = 0, least_tuned = 0;
    const int pairs = least ? 2 * BENCH_PAIRS : BENCH_PAIRS;
    cases[c].direct(a);
    cases[c].tuned(a);      /* tunes: from here on every call is a hit */
    for (int pair = 0; pair < pairs; pair++) {
        if (pair % 2) tuned_ns = ns_per_call(cases[c].tuned, a);
        direct_ns[pair] = ns_per_call(cases[c].direct, a);
        if (pair % 2 == 0) tuned_ns = ns_per_call(cases[c].tuned, a);
        cost_ns[pair] = tuned_ns - direct_ns[pair];
        if (!pair || tuned_ns < least_tuned) least_tuned = tuned_ns;
    }
    *direct = bench_summary(direct_ns, (size_t)pairs);
    *cost = bench_summary(cost_ns, (size_t)pairs);
    if (least) {                                /* direct_ns is sorted now */
        direct->median = direct_ns[0];
        cost->median = least_tuned - direct_ns[0];
    }
}

static arguments *make_arguments(void) {
    arguments *a = calloc(1, sizeof *a);
    if (!a) abort();
    a->n = 512, a->m = 256, a->name = "conv2d_nhwc_3x3";
    for (int i = 0; i < 8; i++) a->part[i] = 32 << i;
    for (int i = 0; i < KEYS; i++) a->pair[i].n = 64 * (1 + i % 8), a->pair[i].m = 32 * (1 + i / 8);
    for (int i = 0; i < MANY; i++) a->many[i].n = 64 * (1 + i % 40), a->many[i].m = 32 * (1 + i / 40);
    unsigned long long state = 1;
    for (size_t i = 0; i < CALLS; i++) {    /* a linear congruence: Knuth's MMIX constants, the highest six bits */
        state = state * 6364136223846793005u + 1442695040888963407u;
        a->order[i] = (unsigned char)(state >> 58);
        a->many_order[i] = (unsigned short)((state >> 32) % MANY);
    }
    return a;
}

int main(int argc, char **argv) {
    const int tabs = bench_tabs(argc, argv);
    const bool least = argc > 1 && !strcmp(argv[1], "--least");
    arguments *a = make_arguments();
    const char *pinned = bench_pin(0) ? "pinned to a core" : "not pinned";
    if (!tabs)
        printf("%d pairs of %d calls, %s; ns per call%s\n\n%-28s %8s %8s %17s %8s %6s\n",
               least ? 2 * BENCH_PAIRS : BENCH_PAIRS, CALLS, pinned, least ? ", the least" : "", "", "direct", "cost",
               "(middle half)", "goal", "met");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench_spread direct, cost;
        char goal[16] = "-";
        measure(c, a, least, &direct, &cost);
        if (cases[c].goal > 0) snprintf(goal, sizeof goal, "%g", cases[c].goal);
        printf(tabs ? "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t%s\n" : "%-28s %8.2f %8.2f %8.2f %8.2f %8s %6s\n", cases[c].name,
               direct.median, cost.median, cost.low, cost.high, goal,
               cases[c].goal > 0 ? bench_judge(cost.median, cases[c].goal) : "-");
    }
    free(a);
    return 0;
}

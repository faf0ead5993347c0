/* hit.c - what a hit costs: a tuned call whose winner is known, against the direct call of the same function.

   Each case is a pair of loops which make the same calls with the same arguments, one directly and one through a call
   site. The loops of a pair run one after the other, the first one in turns; the cost is the median, over all pairs, of
   the difference per call. */
#define _GNU_SOURCE
#include "autotune.h"
#include "bench.h"

enum { CALLS = 1 << 20, KEYS = 64 };

/* What the loops read. Kept in memory, so that the compiler knows none of it. */
typedef struct arguments {
    long n, m;
    int part[8];
    const char *name;
    struct { long n, m; } pair[KEYS];       /* keys for rotation and for random order … */
    unsigned char order[CALLS];             /* … and the order, never repeated within a loop, so that no branch
                                               predictor learns it */
} arguments;

#define LOOP __attribute__((__noinline__, __aligned__(64))) static void
#define TIMES for (size_t i = 0; i < CALLS; i++)

/* A key's first call tries a single configuration: which one wins is of no interest here. */
#define BRIEFLY .max_trials = 1, .preset = AUTOTUNE_FAST

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

typedef void loop(const arguments *);
/* goal: ns per call, 0 for none */
static const struct { const char *name; double goal; loop *direct, *tuned; } cases[] = {
    { "no key",                     2, plain_direct,    no_key_tuned },
    { "key of two integers",        3, plain_direct,    two_integers_tuned },
    { "the same, with .result",    15, plain_direct,    result_tuned },
    { "the same, AUTOTUNE_BLOCK",   3, plain_direct,    block_tuned },
    { "the same, AUTOTUNE_SELECT",  3, plain_direct,    select_tuned },
    { "key of eight integers",      0, plain_direct,    eight_parts_tuned },
    { "key of one string",          0, plain_direct,    string_tuned },
    { "64 keys in rotation",       10, rotation_direct, rotation_tuned },
    { "64 keys in random order",   20, random_direct,   random_tuned },
};

static double ns_per_call(loop *f, const arguments *a) {
    const double start = bench_thread_seconds();
    f(a);
    return (bench_thread_seconds() - start) * 1e9 / CALLS;
}

static void measure(size_t c, const arguments *a, bench_spread *direct, bench_spread *cost) {
    double direct_ns[BENCH_PAIRS], cost_ns[BENCH_PAIRS], tuned_ns;
    cases[c].direct(a);
    cases[c].tuned(a);      /* tunes: from here on every call is a hit */
    for (int pair = 0; pair < BENCH_PAIRS; pair++) {
        if (pair % 2) tuned_ns = ns_per_call(cases[c].tuned, a);
        direct_ns[pair] = ns_per_call(cases[c].direct, a);
        if (pair % 2 == 0) tuned_ns = ns_per_call(cases[c].tuned, a);
        cost_ns[pair] = tuned_ns - direct_ns[pair];
    }
    *direct = bench_summary(direct_ns, BENCH_PAIRS);
    *cost = bench_summary(cost_ns, BENCH_PAIRS);
}

static arguments *make_arguments(void) {
    arguments *a = calloc(1, sizeof *a);
    if (!a) abort();
    a->n = 512, a->m = 256, a->name = "conv2d_nhwc_3x3";
    for (int i = 0; i < 8; i++) a->part[i] = 32 << i;
    for (int i = 0; i < KEYS; i++) a->pair[i].n = 64 * (1 + i % 8), a->pair[i].m = 32 * (1 + i / 8);
    unsigned long long state = 1;
    for (size_t i = 0; i < CALLS; i++) {    /* a linear congruence: Knuth's MMIX constants, the highest six bits */
        state = state * 6364136223846793005u + 1442695040888963407u;
        a->order[i] = (unsigned char)(state >> 58);
    }
    return a;
}

int main(int argc, char **argv) {
    const int tabs = bench_tabs(argc, argv);
    arguments *a = make_arguments();
    const char *pinned = bench_pin(0) ? "pinned to a core" : "not pinned";
    if (!tabs)
        printf("%d pairs of %d calls, %s; ns per call\n\n%-28s %8s %8s %17s %8s %6s\n", BENCH_PAIRS, CALLS, pinned, "",
               "direct", "cost", "(middle half)", "goal", "met");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench_spread direct, cost;
        char goal[16] = "-";
        measure(c, a, &direct, &cost);
        if (cases[c].goal > 0) snprintf(goal, sizeof goal, "%.0f", cases[c].goal);
        printf(tabs ? "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t%s\n" : "%-28s %8.2f %8.2f %8.2f %8.2f %8s %6s\n", cases[c].name,
               direct.median, cost.median, cost.low, cost.high, goal,
               cases[c].goal > 0 ? bench_judge(cost.median, cases[c].goal) : "-");
    }
    free(a);
    return 0;
}

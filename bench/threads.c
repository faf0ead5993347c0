/* threads.c - do two threads that hit one call site slow each other down?

   A pair of measurements runs both threads one after the other, and runs both at once. Each thread always has the same
   core and the same key. The ratio is the time per thread when both run at once, divided by its time alone. The direct
   call is measured in the same way. Its ratio shows the loss that the machine causes: two processors may be one core,
   and the clock may fall with the load. */
#define _GNU_SOURCE
#include "autotune.h"
#include "bench.h"
#include <pthread.h>

enum { CALLS = 1 << 22, THREADS = 2 };

__attribute__((__noinline__)) static void direct_loop(long n, long m) {
    for (int i = 0; i < CALLS; i++) kernel(n, m, 16, 1);
}
__attribute__((__noinline__)) static void tuned_loop(long n, long m) {
    for (int i = 0; i < CALLS; i++)
        AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(n, m, tile, unroll),
                 .key = KEY(n, m), .max_trials = 1, .preset = AUTOTUNE_FAST);
}

typedef struct worker {
    void (*loop)(long, long);
    long n, m;
    int core, pinned;
    pthread_barrier_t *start;
    double seconds;
} worker;

static void *work(void *argument) {
    worker *w = argument;
    w->pinned = bench_pin(w->core);
    pthread_barrier_wait(w->start);
    const double start = bench_thread_seconds();
    w->loop(w->n, w->m);
    w->seconds = bench_thread_seconds() - start;
    return NULL;
}

/* Runs the workers at the same time and returns the sum of their seconds. */
static double together(worker *w, unsigned count) {
    pthread_t thread[THREADS];
    pthread_barrier_t start;
    double seconds = 0;
    if (pthread_barrier_init(&start, NULL, count) != 0) abort();
    for (unsigned i = 0; i < count; i++) {
        w[i].start = &start;
        if (pthread_create(&thread[i], NULL, work, &w[i]) != 0) abort();
    }
    for (unsigned i = 0; i < count; i++) {
        pthread_join(thread[i], NULL);
        seconds += w[i].seconds;
    }
    pthread_barrier_destroy(&start);
    return seconds;
}

static double alone(worker *w) {
    double seconds = 0;
    for (int i = 0; i < THREADS; i++) seconds += together(&w[i], 1);
    return seconds;
}

/* goal: 0 for none */
static const struct { const char *name; void (*loop)(long, long); long other_n; double goal; } cases[] = {
    { "direct call",                     direct_loop, 512, 0 },
    { "one call site, the same key",     tuned_loop,  512, 1.10 },
    { "one call site, different keys",   tuned_loop, 1024, 1.10 },
};

int main(int argc, char **argv) {
    const int tabs = bench_tabs(argc, argv);
    int pinned = 1;
    (void)bench_pin(0);     /* remembers the cores before a thread is confined to one */
    if (!tabs)
        printf(
            "%d pairs of %d calls per thread; time per thread of two at once over one alone\n\n%-32s %8s %8s %17s %8s "
            "%6s\n",
            BENCH_PAIRS, CALLS, "", "alone ns", "ratio", "(middle half)", "goal", "met");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        worker w[THREADS] = { { .loop = cases[c].loop, .n = 512, .m = 256, .core = 0 },
                              { .loop = cases[c].loop, .n = cases[c].other_n, .m = 256, .core = 1 } };
        double ratio[BENCH_PAIRS], alone_ns[BENCH_PAIRS];
        char goal[16] = "-";
        alone(w);           /* tunes both keys: from here on every call is a hit */
        for (int pair = 0; pair < BENCH_PAIRS; pair++) {
            double both = 0, one;
            if (pair % 2) both = together(w, THREADS);
            one = alone(w);
            if (pair % 2 == 0) both = together(w, THREADS);
            ratio[pair] = both / one;
            alone_ns[pair] = one * 1e9 / CALLS / THREADS;
        }
        for (int i = 0; i < THREADS; i++) pinned &= w[i].pinned;
        const bench_spread r = bench_summary(ratio, BENCH_PAIRS), ns = bench_summary(alone_ns, BENCH_PAIRS);
        if (cases[c].goal > 0) snprintf(goal, sizeof goal, "%.2f", cases[c].goal);
        printf(tabs ? "%s\t%.2f\t%.3f\t%.3f\t%.3f\t%s\t%s\n" : "%-32s %8.2f %8.3f %8.3f %8.3f %8s %6s\n", cases[c].name,
               ns.median, r.median, r.low, r.high, goal,
               cases[c].goal > 0 ? bench_judge(r.median, cases[c].goal) : "-");
    }
    if (!pinned)
        fputs("the two threads could not be pinned to two cores: the ratios include their sharing one\n", stderr);
    return 0;
}

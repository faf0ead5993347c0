/* bench.h - what the benchmark programs share: a clock, a core to stay on, and the median of interleaved pairs. */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE
#error "bench.h needs sched_setaffinity: define _GNU_SOURCE before the first #include"
#endif

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A median of an odd count is one of the measurements. */
enum { BENCH_PAIRS = 21 };

/* The functions that the benchmarks call; see kernel.c. */
long kernel(long n, long m, int tile, int unroll);

static inline double bench_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The time this thread spent on a core. Other programs that take the core in between do not count. Every cost that a
   bench looks for does count: it is paid in instructions or in waiting for memory, never asleep. */
static inline double bench_thread_seconds(void) { return bench_seconds(CLOCK_THREAD_CPUTIME_ID); }

/* Moves this thread to the k-th core that it may run on. False where there is no such core or it is not allowed. */
static inline int bench_pin(int k) {
    static cpu_set_t allowed;       /* as it was before the first pin */
    static int known;
    if (!known) known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    for (size_t core = 0; known && core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed) || k-- != 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        return sched_setaffinity(0, sizeof one, &one) == 0;
    }
    return 0;
}

/* realloc(), or the end of the program. */
static inline void *bench_grow(void *old, size_t bytes) {
    void *block = realloc(old, bytes);
    if (block) return block;
    fprintf(stderr, "out of memory\n");
    exit(2);
}

static inline int bench_compare(const void *left, const void *right) {
    const double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}

/* The median and the quartiles of an odd number of samples, which are put into order. */
typedef struct bench_spread { double low, median, high; } bench_spread;
static inline bench_spread bench_summary(double *sample, size_t count) {
    qsort(sample, count, sizeof *sample, bench_compare);
    return (bench_spread){ sample[count / 4], sample[count / 2], sample[count - 1 - count / 4] };
}

/* With --tabs the programs print one row per line, its fields separated by tabs, for scripts that lay tables side by
   side. */
static inline int bench_tabs(int argc, char **argv) { return argc > 1 && strcmp(argv[1], "--tabs") == 0; }

static inline const char *bench_judge(double value, double goal) { return value <= goal ? "yes" : "NO"; }

#endif

/* bench.h - functions for the benchmark programs: a clock, pinning to a core, and medians of interleaved pairs. */
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

/* The number of pairs is odd, so the median is one of the measurements. */
enum { BENCH_PAIRS = 21 };

/* The functions that the benchmarks call; see kernel.c. */
long kernel(long n, long m, int tile, int unroll);

static inline double bench_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the processor time of this thread. It does not contain the time of other programs on the core. It contains
   all costs that a bench measures: these are instructions and waits for memory, and the thread never sleeps. */
static inline double bench_thread_seconds(void) { return bench_seconds(CLOCK_THREAD_CPUTIME_ID); }

/* Moves this thread to the k-th core that it may run on. Returns false if there is no such core, or if the system
   refuses it. */
static inline int bench_pin(int k) {
    static cpu_set_t allowed;       /* the cores that were allowed before the first pin */
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

/* Like realloc(), but ends the program if there is no memory. */
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

/* The median and the quartiles of an odd number of samples. The function sorts the samples. */
typedef struct bench_spread { double low, median, high; } bench_spread;
static inline bench_spread bench_summary(double *sample, size_t count) {
    qsort(sample, count, sizeof *sample, bench_compare);
    return (bench_spread){ sample[count / 4], sample[count / 2], sample[count - 1 - count / 4] };
}

/* With --tabs the programs print each row as a line, with tabs between fields, for scripts that put tables side by
   side. */
static inline int bench_tabs(int argc, char **argv) { return argc > 1 && strcmp(argv[1], "--tabs") == 0; }

static inline const char *bench_judge(double value, double goal) { return value <= goal ? "yes" : "NO"; }

#endif

/* openmp_region.c [LOOPS] - the time of an empty region in nanoseconds: the least over twenty loops of 200,000
   regions. tests/openmp/standin.c replaces libgomp, and starts no threads. So the difference of this time with and
   without libautotune_openmp.so is the cost of that library. bench/openmp.sh runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void body_function(void *);
void GOMP_parallel(body_function *body, void *data, unsigned threads, unsigned flags);

static volatile long calls;
static void body(void *data) { (void)data, calls++; }
static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
int main(int count, char **arguments) {
    enum { CALLS = 200000 };
    const int loops = count > 1 ? atoi(arguments[1]) : 20;
    double least_ns = 1e9;
    for (int loop = 0; loop < loops; loop++) {
        const double began_ns = now_ns();
        for (int i = 0; i < CALLS; i++) GOMP_parallel(body, NULL, 0, 0);
        const double ns = (now_ns() - began_ns) / CALLS;
        if (ns < least_ns) least_ns = ns;
    }
    printf("%.1f\n", least_ns);
    return 0;
}

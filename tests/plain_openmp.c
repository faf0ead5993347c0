/* plain_openmp.c - races in child processes of a program with OpenMP threads: in a child, the runtime of gcc would wait
   for threads that the child does not have. */
#include "plain.h"
#include <pthread.h>
#include <signal.h>

static int forks;
static void count_fork(void) { forks++; }

static double sum_of(const double *values, int count, int threads) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < count; i++) sum += values[i];
    return sum;
}
enum { COUNT = 10000 };
static double values[COUNT];
static double sum;
static void tune(int key, autotune_result *result) {
    forks = 0;
    AUTOTUNE(SPACE(AXIS(threads, 1, 2, 3)), 1,
             (threads == 3 && autotune_trial ? (void)raise(SIGSEGV) : (void)(sum = sum_of(values, COUNT, threads))),
             .isolate = AUTOTUNE_CHILD, .preset = AUTOTUNE_FAST, .key = KEY(key), .launch_timeout = 5,
             .result = result);
}
static void regions_of_the_program_and_of_trials(void) {
    for (int i = 0; i < COUNT; i++) values[i] = 1;
    for (int key = 0; key < 3; key++) {
        autotune_result result;
        CHECK(sum_of(values, COUNT, 2) == COUNT);       /* the runtime starts threads in the program */
        sum = 0;
        tune(key, &result);
        CHECK(result.status == AUTOTUNE_OK && result.failed == 1 && forks == 2 && sum == COUNT);
        tune(key, &result);
        CHECK(result.cache_hit && forks == 0);
    }
}

int main(void) {
    CHECK(pthread_atfork(NULL, count_fork, NULL) == 0);
    static const plain_test tests[] = {
        {"regions of the program and of trials", regions_of_the_program_and_of_trials},
    };
    return RUN_PLAIN_TESTS(tests);
}

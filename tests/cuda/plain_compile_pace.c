/* plain_compile_pace.c - how many kernels are compiled at once by default: as many as do more in the same time. */
#define _GNU_SOURCE
#include <unistd.h>

/* Sixteen processors, whatever is here. */
static long of_sixteen_processors(int name) { return name == _SC_NPROCESSORS_ONLN ? 16 : sysconf(name); }
#define sysconf of_sixteen_processors

#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include "../plain.h"
#include "standin.h"

/* A compiler that compiles so many kernels a second where `at_once` are in work. Each thread computes for this share of
   the time. From the second decision on a kernel takes `heavier` times as long. */
static size_t settles_at(double rate(size_t at_once), size_t most, double share, double heavier) {
    autotune__compile_pace pace = autotune__set_pace(most, true, 0);
    double now = 0;
    for (int i = 0; i < 200; i++) {
        const double slower = pace.at_once > 1 ? heavier : 1, between = slower * 1e9 / rate(pace.at_once),
                     took = between * (double)pace.at_once;
        now += between;
        autotune__keep_pace(&pace, (uint64_t)now, (uint64_t)took, (uint64_t)(share * took));
        CHECK(pace.at_once >= 1 && pace.at_once <= most);
    }
    CHECK(autotune__is_settled(&pace));
    return pace.at_once;
}
static double in_parallel(size_t at_once) { return (double)at_once; }
static double one_by_one(size_t at_once) { return 1 + 0.02 * (double)at_once; }
static double worse_together(size_t at_once) { return 1 / (double)at_once; }
static double up_to_four(size_t at_once) { return at_once < 4 ? (double)at_once : 4; }

static void threads_are_as_many_as_gain_something(void) {
    const double elsewhere = 0; /* it is computed in other processes */
    CHECK(settles_at(in_parallel, 15, elsewhere, 1) == 15 && settles_at(in_parallel, 3, elsewhere, 1) == 3);
    CHECK(settles_at(in_parallel, 1, elsewhere, 1) == 1 && settles_at(up_to_four, 15, elsewhere, 1) == 4);
    CHECK(settles_at(one_by_one, 15, elsewhere, 1) == 1 && settles_at(worse_together, 15, elsewhere, 1) == 1);
    const autotune__compile_pace fixed = autotune__set_pace(7, false, 0);
    CHECK(fixed.at_once == 7 && autotune__is_settled(&fixed));
}
static void kernels_that_take_longer_do_not_slow_the_pace(void) {
    CHECK(settles_at(in_parallel, 15, 0.9, 1) == 15 && settles_at(in_parallel, 15, 0.9, 10) == 15);
}

static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void nothing(int n) { if (n < 0) for (int i = TILE;;) i++; }");
/* The pace is that of this machine, where other programs may run: so three races are made at most, of which one that is
   not crowded is enough. */
static void a_front_end_that_is_shared_is_not_crowded(void) {
    enum { EACH_TIME = 12, RACES = 3 };
    unsigned least = EACH_TIME;
    CUcontext context;
    autotune_result result;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS);
    for (int race = 0; race < RACES && least > 5; race++) {
        const int first = 1 + race * EACH_TIME;
        standin_share_front_end(true);
        AUTOTUNE(SPACE(RANGE(TILE, first, first + EACH_TIME - 1, 1)), 1,
                 CUDA_LAUNCH(&program, "nothing", THREADS(32), SHARED(0), TILE), .backend = CUDA(0), .key = KEY(race),
                 .strategy = AUTOTUNE_EXHAUSTIVE, .result = &result);
        CHECK(result.status == AUTOTUNE_OK && result.tried == EACH_TIME);
        fprintf(stderr, "%u in work at once\n", standin_most_at_once());
        if (standin_most_at_once() < least) least = standin_most_at_once();
    }
    CHECK(least <= 5); /* four were tried, and the calling thread compiles too */
}

int main(void) {
    const plain_test tests[] = {{"threads_are_as_many_as_gain_something", threads_are_as_many_as_gain_something},
                                {"kernels_that_take_longer_do_not_slow_the_pace",
                                 kernels_that_take_longer_do_not_slow_the_pace},
                                {"a_front_end_that_is_shared_is_not_crowded",
                                 a_front_end_that_is_shared_is_not_crowded}};
    return RUN_PLAIN_TESTS(tests);
}

/* plain_compile_pace.c - how many kernels are compiled at once by default: as many as do more in the same time. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include "../plain.h"
#include "standin.h"

#include <dlfcn.h>

/* Sixteen processors, whatever is here. */
long sysconf(int name) {
    long (*real)(int);
    void *symbol = dlsym(RTLD_NEXT, "sysconf");
    memcpy(&real, &symbol, sizeof real);
    return name == _SC_NPROCESSORS_ONLN ? 16 : real(name);
}

/* A compiler that compiles so many kernels a second where `at_once` are in work. */
static size_t settles_at(double rate(size_t at_once), size_t most) {
    autotune__cuda_pace pace = autotune__cuda_set_out(most, true, 0);
    double now = 0;
    for (int i = 0; i < 200; i++) {
        now += 1e9 / rate(pace.at_once);
        autotune__cuda_pace_on(&pace, (uint64_t)now);
        CHECK(pace.at_once >= 1 && pace.at_once <= most);
    }
    CHECK(pace.settled);
    return pace.at_once;
}
static double in_parallel(size_t at_once) { return (double)at_once; }
static double one_by_one(size_t at_once) { return 1 + 0.02 * (double)at_once; }
static double worse_together(size_t at_once) { return 1 / (double)at_once; }
static double up_to_four(size_t at_once) { return at_once < 4 ? (double)at_once : 4; }

static void threads_are_as_many_as_gain_something(void) {
    CHECK(settles_at(in_parallel, 15) == 15 && settles_at(in_parallel, 3) == 3 && settles_at(in_parallel, 1) == 1);
    CHECK(settles_at(one_by_one, 15) == 1 && settles_at(worse_together, 15) == 1);
    CHECK(settles_at(up_to_four, 15) == 4);
    CHECK(autotune__cuda_set_out(7, false, 0).at_once == 7 && autotune__cuda_set_out(7, false, 0).settled);
}

static autotune_cuda_program program = CUDA_PROGRAM(
    "extern \"C\" __global__ void nothing(int n) { if (n < 0) for (int i = TILE;;) i++; }");
static void a_front_end_that_is_shared_is_not_crowded(void) {
    CUcontext context;
    autotune_result result;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS);
    standin_share_front_end(true);
    AUTOTUNE(SPACE(RANGE(TILE, 1, 12, 1)), 1, CUDA_LAUNCH(&program, "nothing", THREADS(32), SHARED(0), TILE),
             .backend = CUDA(0), .strategy = AUTOTUNE_EXHAUSTIVE, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 12);
    fprintf(stderr, "%u in work at once\n", standin_most_at_once());
    CHECK(standin_most_at_once() <= 5); /* four were tried, and the calling thread compiles too */
}

int main(void) {
    const plain_test tests[] = {{"threads_are_as_many_as_gain_something", threads_are_as_many_as_gain_something},
                                {"a_front_end_that_is_shared_is_not_crowded",
                                 a_front_end_that_is_shared_is_not_crowded}};
    return RUN_PLAIN_TESTS(tests);
}

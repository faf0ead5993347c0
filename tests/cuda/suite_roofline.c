/* suite_roofline.c - the least time that bytes and operations take on a device: from what, how often, and where it is
   unknown. */
#include "../sanitized.h"
#include "saxpy.h"

#include <math.h>
#include <pthread.h>

/* The stand-in copies a byte in 1 ps, after 1 us; the kernel of the probe has 8 blocks of 256 threads on each of 80
   multiprocessors, which make 16 rounds of 16 operations here, since that takes 200 us. */
static const double BYTES_COPIED = 16 << 20, OPERATIONS = 80.0 * 8 * 256 * 16 * 16, KERNEL_NS = 200e3;
static double probe_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)shared_bytes;
    return !strcmp(name, "instance_0") && grid[0] % 8 == 0 && block[0] == 256 ? KERNEL_NS : 50e3;
}
static void start(void) {
    start_cuda();
    standin_set_cost(probe_cost);
    standin_set_quantum(1);
}
TestSuite(roofline, .init = start, .fini = expect_no_misuse);
static bool is_near(double a, double b) { return a > 0.99 * b && a < 1.01 * b; }

Test(roofline, it_is_what_takes_longer_moving_or_computing) {
    const double copy_ns = 1000 + BYTES_COPIED / 1000, moving = autotune_roofline(1e6, 0),
                 computing = autotune_roofline(0, 1e9);
    cr_expect(is_near(moving, 1e6 * copy_ns / (2 * BYTES_COPIED)), "%g", moving);
    /* hot: half of what a launch costs first */
    cr_expect(is_near(computing, 1e9 * (KERNEL_NS / 2) / OPERATIONS), "%g", computing);
    cr_expect(autotune_roofline(1e6, 1e9) == (moving > computing ? moving : computing));
    cr_expect(autotune_roofline(1e6, 1) == moving && autotune_roofline(1, 1e9) == computing);
    cr_expect(autotune_roofline(0, 0) == 0);
}
Test(roofline, a_context_is_probed_once_and_nothing_of_it_is_left) {
    const size_t memory = standin_memory_in_use(), objects = standin_objects();
    const double first = autotune_roofline(1e6, 1e6);
    const unsigned copies = standin_calls("cuMemcpyAsync"), launches = standin_launches("instance_0");
    cr_assert(copies >= 5 && launches >= 6);
    cr_assert(autotune_roofline(1e6, 1e6) == first);
    cr_assert(standin_calls("cuMemcpyAsync") == copies && standin_launches("instance_0") == launches &&
              standin_compilations() == 1);
    cr_assert(standin_memory_in_use() == memory && standin_objects() == objects, "%zu objects of %zu",
              standin_objects(), objects);
    CUcontext other;
    MUST(cuCtxCreate(&other, NULL, 0, 0));
    cr_assert(is_near(autotune_roofline(1e6, 1e6), first), "another context on the same device");
    cr_assert(standin_compilations() == 1, "has the same code");
    MUST(cuCtxCreate(&other, NULL, 0, 1));
    const double half = autotune_roofline(0, 1e9);
    MUST(cuCtxPopCurrent(&other));
    MUST(cuCtxPopCurrent(&other));
    cr_assert(is_near(half, 2 * autotune_roofline(0, 1e9)), "%g: another device, with half the multiprocessors", half);
}
static void *ask(void *answer) {
    MUST(cuCtxSetCurrent(context));
    return *(double *)answer = autotune_roofline(1e6, 1e6), NULL;
}
Test(roofline, threads_share_one_probe) {
    double answers[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, ask, &answers[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    cr_assert(answers[0] > 0 && answers[1] == answers[0] && answers[2] == answers[0]);
    cr_assert(standin_compilations() == 1 && standin_calls("cuStreamCreate") == 2, "one is the test's own");
}
Test(roofline, what_needs_no_answer_gets_none) {
    cr_expect(autotune_roofline(-1, 0) == 0 && autotune_roofline(0, -1) == 0 && autotune_roofline((double)NAN, 1) == 0);
    cr_expect(standin_calls("cuStreamCreate") == 1, "and nothing is probed");
}
static autotune_result tune_until(double share) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .stop_at_ns = share * autotune_roofline(1e8, 0), .key = KEY(share), .result = &result);
    return result;
}
Test(roofline, it_is_waited_for_outside_of_statements) {
    standin_end_late();
    cr_assert(autotune_roofline(1e6, 1e6) > 0);
    const autotune_result ended = tune_until(1.1);
    cr_assert(ended.status == AUTOTUNE_OK && tune_until(1.1).cache_hit);
}
Test(roofline, a_capture_is_left_alone) {
    CUstream blocking;
    CUgraph graph;
    MUST(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    MUST(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const unsigned all = standin_captured();
    cr_assert(autotune_roofline(1e6, 1e6) == 0 && standin_captured() == all);
    MUST(cuStreamEndCapture(blocking, &graph));
    cr_assert(autotune_roofline(1e6, 1e6) > 0);
    MUST(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_GLOBAL));
    cr_assert(autotune_roofline(1e6, 1e6) > 0, "what is known needs no probe");
    MUST(cuStreamEndCapture(blocking, &graph));
}
Test(roofline, what_fails_is_tried_again) {
    static const char *const functions[] = {"cuStreamCreate", "cuMemAlloc", "cuMemcpyAsync", "cuEventRecord",
                                            "cuEventElapsedTime"};
    static const unsigned nth[] = {1, 3, 1, 128 + 3, 64 + 3}; /* the clock is measured first: by 64 pairs, and in memory
                                                                 of its own */
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const size_t memory = standin_memory_in_use(), objects = standin_objects();
        standin_fail(functions[i], nth[i], CUDA_ERROR_OUT_OF_MEMORY);
        cr_expect(autotune_roofline(1e6, 1e6) == 0, "%s", functions[i]);
        cr_expect(standin_memory_in_use() == memory && standin_objects() == objects, "%s", functions[i]);
    }
    cr_expect(autotune_roofline(1e6, 1e6) > 0);
}
Test(roofline, without_the_kernel_it_is_unknown) {
    standin_fail("cuModuleLoadDataEx", 1, CUDA_ERROR_NO_BINARY_FOR_GPU);
    cr_assert(autotune_roofline(0, 1e9) == 0);
    cr_assert(autotune_roofline(0, 1e9) > 0, "it is tried again");
}
Test(roofline, a_thread_without_a_context_asks_about_device_0) {
    MUST(cuCtxSetCurrent(NULL));
    cr_assert(autotune_roofline(1e6, 0) > 0);
    CUcontext now;
    MUST(cuCtxGetCurrent(&now));
    cr_assert(now == NULL);
}
Test(roofline, a_sticky_error_is_remembered) {
    standin_break("instance_0", CUDA_ERROR_ILLEGAL_ADDRESS);
    cr_assert(autotune_roofline(1e6, 1e6) == 0);
    const unsigned all = standin_all_calls();
    cr_assert(autotune_roofline(1e6, 1e6) == 0 && standin_all_calls() <= all + 1,
              "the driver is only asked for the context");
}

Test(roofline, a_race_ends_there) {
    const double at = autotune_roofline(1e8, 0);
    const autotune_result whole = tune_until(0.5), ended = tune_until(1.1);
    cr_assert(at > 48e3 && at < 56e3, "%g, and a launch takes 50 us", at);
    cr_assert(whole.launches > 20 && ended.launches < 10 && ended.verdict == AUTOTUNE_UNRESOLVED, "%zu %zu",
              whole.launches, ended.launches);
    const unsigned all = standin_all_calls();
    cr_assert(tune_until(1.1).cache_hit);
#if defined __OPTIMIZE__ && !ADDRESS_SANITIZED /* not optimised for debugging */
    cr_assert_leq(standin_all_calls(), all + 2, "a hit does not ask for it");
#else
    cr_assert_leq(standin_all_calls(), all + 6, "a hit asks for what is known");
#endif
}

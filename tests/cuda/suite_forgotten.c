/* suite_forgotten.c - a statement whose call launches a kernel, but which has no .backend: the log says so, and says it
   of no other statement. */
#include "saxpy.h"

static void start(void) {
    start_cuda();
    standin_last();
}
TestSuite(forgotten, .init = start, .fini = expect_no_misuse);

static const char told[] = "the call leaves untimed work on a device: add .backend = CUDA(stream)";
static bool was_told(void) { return contains(logged, told); }

enum { KEEP_QUEUED, WAIT };
static CUresult launch_and(int what, CUstream where, unsigned block) {
    const CUresult result = launch_on(saxpy_function, where, cld(N, block), block);
    return result == CUDA_SUCCESS && what == WAIT ? cuCtxSynchronize() : result;
}
static autotune_result tune(CUstream where, int what, int key, autotune_backend *backend) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256)), 1, launch_and(what, where, (unsigned)block), .key = KEY(key),
             .backend = backend, .result = &result);
    return result;
}

Test(forgotten, work_on_the_legacy_stream_is_told_with_the_call_site) {
    const autotune_result result = tune(NULL, KEEP_QUEUED, 1, NULL);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert(was_told() && contains(logged, "suite_forgotten.c:tune [key=1]: the call leaves"), "%s", logged);
}
Test(forgotten, work_on_a_stream_that_blocks_is_told) {
    CUstream blocking;
    MUST(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    (void)tune(blocking, KEEP_QUEUED, 1, NULL);
    cr_assert(was_told(), "%s", logged);
}
Test(forgotten, work_on_the_threads_own_stream_is_told_at_the_usual_level) {
    setenv("AUTOTUNE_LOG", "errors", 1);
    (void)tune(CU_STREAM_PER_THREAD, KEEP_QUEUED, 1, NULL);
    cr_assert(was_told(), "%s", logged);
}
Test(forgotten, it_is_told_once_for_a_call_site) {
    const size_t objects = standin_objects();
    (void)tune(NULL, KEEP_QUEUED, 1, NULL);
    cr_assert(was_told(), "%s", logged);
    *logged = 0;
    MUST(cuCtxSynchronize());
    (void)tune(NULL, KEEP_QUEUED, 2, NULL);
    cr_assert(!was_told(), "%s", logged);
    cr_assert_eq(standin_objects(), objects);
}
Test(forgotten, it_is_asked_around_the_first_launch_alone) {
    (void)tune(NULL, WAIT, 1, NULL);
    cr_assert_eq(standin_calls("cuStreamQuery"), 2);
    cr_assert_eq(standin_calls("cuEventRecord"), 2);
    const unsigned all = standin_all_calls();
    cr_assert(tune(NULL, WAIT, 1, NULL).cache_hit);
    cr_assert_eq(standin_all_calls(), all + 2, "a launch, and the program waits for it");
}

/* ---- Where nothing is said --------------------------------------------------------------------------------------- */

Test(forgotten, a_call_that_leaves_nothing_is_not_told) {
    (void)tune(NULL, WAIT, 1, NULL);
    cr_assert(!was_told(), "%s", logged);
}
Test(forgotten, work_of_before_is_none_of_the_call) {
    MUST(launch_on(saxpy_function, NULL, 1, 64));
    (void)tune(NULL, KEEP_QUEUED, 1, NULL);
    cr_assert(!was_told(), "%s", logged);
    cr_assert_eq(standin_calls("cuStreamQuery"), 2);
}
Test(forgotten, a_statement_with_a_backend_asks_nothing) {
    autotune_backend own = autotune_cpu();
    (void)tune(NULL, KEEP_QUEUED, 1, &own);
    MUST(cuCtxSynchronize());
    (void)tune(stream, KEEP_QUEUED, 1, CUDA(stream));
    cr_assert(!was_told(), "%s", logged);
    cr_assert_eq(standin_calls("cuStreamQuery"), 0);
}
static void expect_capture_stays(unsigned flags) {
    CUstream where;
    CUgraph graph;
    MUST(cuStreamCreate(&where, flags));
    MUST(cuStreamBeginCapture(where, CU_STREAM_CAPTURE_MODE_GLOBAL));
    (void)tune(where, KEEP_QUEUED, 1, NULL);
    cr_expect(!was_told(), "%s", logged);
    MUST(cuStreamEndCapture(where, &graph));
    MUST(cuGraphDestroy(graph));
}
Test(forgotten, a_capture_stays_whole) { expect_capture_stays(CU_STREAM_DEFAULT); }
Test(forgotten, a_capture_of_a_stream_that_does_not_block_stays_whole) { expect_capture_stays(CU_STREAM_NON_BLOCKING); }
Test(forgotten, without_a_context_nothing_is_asked) {
    autotune_result result;
    MUST(cuCtxSetCurrent(NULL));
    AUTOTUNE(SPACE(AXIS(count, 1, 2)), 1, (void)count, .result = &result);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(standin_calls("cuThreadExchangeStreamCaptureMode"), 0);
}

TestSuite(unstarted, .fini = expect_no_misuse);
Test(unstarted, a_driver_that_the_program_has_not_started_is_not_started) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(count, 1, 2)), 1, (void)count, .result = &result);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(standin_calls("cuInit"), 0);
    cr_assert_gt(standin_calls("cuCtxGetCurrent"), 0);
}

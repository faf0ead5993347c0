/* suite_replay.c - hot batches of CUDA_LAUNCH: replayed as graphs, so that a kernel that is shorter than its launch is
   timed right; and when they are not. */
#include "saxpy.h"

static const char text[] = "extern \"C\" __global__ void add(int n, float *y) {\n"
                           "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) * STEP;\n"
                           "    for (int k = i; k < i + STEP && k < n; k++) y[k] = y[k] + 1;\n"
                           "}\n";
static autotune_cuda_program program = CUDA_PROGRAM(text);

/* A launch keeps the CPU busy for 10 us. Hot kernels take half of what is said here: 3, 2 and 2.5 us. */
enum { LENGTH = 64 };
static unsigned broken_launch, hanging_launch, made; /* the kernel breaks, or hangs, at this launch; 0: never */
static double short_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)block, (void)shared_bytes;
    if (++made == broken_launch) standin_break(name, CUDA_ERROR_LAUNCH_FAILED);
    if (made == hanging_launch) standin_hang(name);
    return grid[0] == 8 ? 6e3 : grid[0] == 4 ? 4e3 : 5e3;
}
static void start(void) {
    start_cuda();
    standin_set_cost(short_cost);
    standin_set_overhead(10e3);
    standin_set_quantum(32);
}
TestSuite(replay, .init = start, .fini = expect_no_misuse);

static autotune_result tune(CUstream where, autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4)), 8 / STEP, CUDA_LAUNCH(&program, "add", THREADS(8), SHARED(0), LENGTH, y),
             .backend = CUDA(where), .cache_state = o.cache_state, .restore = o.restore, .key = o.key,
             .launch_timeout = o.launch_timeout, .result = &result);
    return result;
}
static const autotune_options hot = {.cache_state = AUTOTUNE_HOT};
static bool was_added(size_t times) { /* to all elements alike */
    MUST(cuMemcpyDtoH(host, y, LENGTH * 4));
    for (int i = 0; i < LENGTH; i++)
        if (host[i] != (float)i + (float)times) return false;
    return true;
}

/* ---- What is replayed -------------------------------------------------------------------------------------------- */

Test(replay, a_kernel_that_is_shorter_than_its_launch_is_timed_right) {
    const autotune_result result = tune(stream, hot);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert(result.median_ns > 1.95e3 && result.median_ns < 2.05e3, "%g", result.median_ns);
    cr_assert_geq(standin_calls("cuGraphLaunch"), 10);
}
Test(replay, launches_are_counted_as_they_were_made) {
    const size_t objects = standin_objects();
    const autotune_result result = tune(stream, hot);
    cr_assert(result.launches == standin_launches("instance_0"), "%zu of %u", result.launches,
              standin_launches("instance_0"));
    cr_assert(was_added(result.launches));
    cr_assert_eq(standin_objects(), objects + 1, "the winner's module is left");
}
Test(replay, the_default_streams_are_replayed_on_too) {
    cr_assert(tune(0, hot).index == 1 && standin_calls("cuGraphLaunch") > 0, "%s", logged);
    cr_assert(tune(CU_STREAM_PER_THREAD, hot).cache_hit);
}
Test(replay, the_full_name_is_known) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 8 / STEP, AUTOTUNE_CUDA_LAUNCH(&program, "add", THREADS(8), SHARED(0), LENGTH, y),
             .backend = CUDA(stream), .cache_state = AUTOTUNE_HOT, .result = &result);
    cr_assert(result.index == 1 && standin_calls("cuGraphLaunch") > 0);
}

/* If the CPU takes several times as long as the kernel for its launch, and never twice the same, only batches tell
   kernels apart. */
static unsigned fastest_shape;
static uint64_t seed = 1;
static double unsteady_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    standin_set_overhead(5e3 * (1 + (double)(seed >> 11) / (double)((uint64_t)1 << 53)));
    return grid[0] == fastest_shape ? 4e3 : 5e3;
}
Test(replay, launches_that_take_the_cpu_longer_than_the_device) {
    static autotune_cuda_program file = CUDA_PROGRAM_FILE(SOURCES "/saxpy.cu");
    standin_set_cost(unsteady_cost);
    standin_set_noise(0.02);
    for (fastest_shape = 1; fastest_shape <= 32; fastest_shape += 6) {
        const int none = 0;
        const float a = 2;
        autotune_result result;
        AUTOTUNE(SPACE(RANGE(shape, 1, 32, 1)), shape,
                 CUDA_LAUNCH(&file, "saxpy", THREADS(1), SHARED(0), none, a, x, y), .backend = CUDA(stream),
                 .cache_state = AUTOTUNE_HOT, .key = KEY(fastest_shape), .result = &result);
        cr_assert(result.index + 1 == fastest_shape && result.verdict == AUTOTUNE_SEPARATED, "not %u: %s",
                  fastest_shape, logged);
        cr_assert(result.median_ns > 2e3 && result.median_ns < 2.1e3 && result.min_ns > 2e3, "%g %g", result.median_ns,
                  result.min_ns);
        *logged = 0;
    }
}

/* ---- What the program launches itself: its stream is held until all of a batch is queued ------------------------- */

static autotune_result tune_own(CUresult (*call)(unsigned blocks, unsigned block)) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4)), 8 / STEP, call(blocks.x, 64), .backend = CUDA(stream),
             .cache_state = AUTOTUNE_HOT, .result = &result);
    return result;
}
static CUresult launch_own(unsigned blocks, unsigned block) { return launch(saxpy_function, blocks, block); }
static CUresult launch_and_wait(unsigned blocks, unsigned block) {
    const CUresult result = launch_own(blocks, block);
    return result ? result : cuStreamSynchronize(stream);
}
static const char cpu_limit[] = "the call waits for the device: times below some 10 us may be those of the CPU";
Test(replay, launches_of_the_program_that_are_shorter_than_for_the_cpu_are_timed_right) {
    const autotune_result result = tune_own(launch_own);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert(result.median_ns > 1.95e3 && result.median_ns < 2.05e3, "%g", result.median_ns);
    cr_assert(standin_calls("cuLaunchHostFunc") > 10 && !contains(logged, cpu_limit));
    const unsigned held = standin_calls("cuLaunchHostFunc");
    cr_assert(tune_own(launch_own).cache_hit && standin_calls("cuLaunchHostFunc") == held);
}
Test(replay, a_call_that_waits_for_its_launch_is_held_three_times_and_the_log_says_that_the_cpu_limits) {
    const autotune_result result = tune_own(launch_and_wait);
    cr_assert(result.status == AUTOTUNE_OK && result.median_ns > 9e3, "%g", result.median_ns);
    cr_assert_eq(standin_calls("cuLaunchHostFunc"), 3);
    cr_assert(contains(logged, cpu_limit), "%s", logged);
}
Test(replay, what_cannot_be_held_is_launched) {
    standin_fail("cuLaunchHostFunc", 1, CUDA_ERROR_NOT_SUPPORTED);
    const autotune_result result = tune_own(launch_own);
    cr_assert(result.status == AUTOTUNE_OK && result.median_ns > 9e3, "%g", result.median_ns);
    cr_assert_eq(standin_calls("cuLaunchHostFunc"), 1);
}
Test(replay, longer_launches_are_not_held) {
    standin_set_cost(cost);
    const autotune_result result = tune_own(launch_own);
    cr_assert(result.status == AUTOTUNE_OK && standin_calls("cuLaunchHostFunc") <= 1, "but the first: %u",
              standin_calls("cuLaunchHostFunc"));
}
Test(replay, nor_are_cold_ones) {
    tune(stream, (autotune_options){.cache_state = AUTOTUNE_COLD});
    cr_assert_eq(standin_calls("cuLaunchHostFunc"), 0);
}

/* ---- What is not ------------------------------------------------------------------------------------------------- */

static void expect_no_graph(autotune_result result) {
    cr_expect(result.status == AUTOTUNE_OK && was_added(result.launches), "%s", logged);
    cr_expect_eq(standin_calls("cuStreamBeginCapture") + standin_calls("cuGraphLaunch"), 0);
}
Test(replay, cold_launches_are_not) {
    const autotune_options none = {.cache_state = AUTOTUNE_CACHE_STATE_DEFAULT};
    expect_no_graph(tune(stream, none));
}
Test(replay, nor_are_launches_that_are_prepared_one_by_one) {
    const autotune_options restored = {.cache_state = AUTOTUNE_HOT,
                                       .restore = {.at = {{.memory = device(y), .bytes = BYTES}}, .count = 1}};
    const autotune_result result = tune(stream, restored);
    cr_assert(result.status == AUTOTUNE_OK && was_added(1) && standin_calls("cuStreamBeginCapture") == 0);
}
Test(replay, nor_a_block) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(STEP, 1, 2)), .backend = CUDA(stream), .cache_state = AUTOTUNE_HOT, .result = &result) {
        const autotune_grid blocks = GRID(8 / STEP);
        (void)CUDA_LAUNCH(&program, "add", THREADS(8), SHARED(0), LENGTH, y);
    }
    expect_no_graph(result);
}
static autotune_status both(autotune_status first, autotune_status second) {
    return first != AUTOTUNE_OK ? first : second;
}
Test(replay, nor_a_call_that_is_more_than_one_launch) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 8 / STEP,
             both(AUTOTUNE_OK, CUDA_LAUNCH(&program, "add", THREADS(8), SHARED(0), LENGTH, y)),
             .backend = CUDA(stream), .cache_state = AUTOTUNE_HOT, .result = &result);
    expect_no_graph(result);
}
Test(replay, nor_one_that_goes_on_after_it) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 8 / STEP,
             CUDA_LAUNCH(&program, *")\"" == ')' ? "add" : ")", THREADS(8), SHARED(0), LENGTH, y) == AUTOTUNE_OK
                 ? (autotune_status)AUTOTUNE_OK
                 : (autotune_status)AUTOTUNE_FAILED,
             .backend = CUDA(stream), .cache_state = AUTOTUNE_HOT, .result = &result);
    expect_no_graph(result);
}

/* ---- What fails -------------------------------------------------------------------------------------------------- */

static void expect_plain_batches(const char *function, unsigned nth, int code) {
    const size_t objects = standin_objects();
    standin_fail(function, nth, code);
    const autotune_result result = tune(stream, hot);
    cr_expect(result.status == AUTOTUNE_OK && result.failed == 0, "%s: %s", function, logged);
    cr_expect(result.median_ns > 1.95e3 && result.median_ns < 2.05e3 && result.min_ns > 1.9e3, "%s: %g", function,
              result.median_ns);
    cr_expect(!contains(logged, "min 0.") && !contains(logged, "ns, median"),
              "%s: a sample is of a batch that did not run: %s", function, logged);
    cr_expect(standin_calls("cuLaunchHostFunc") > 10, "%s: they are held until all are queued", function);
    cr_expect(standin_calls("cuStreamBeginCapture") <= 1, "%s: once is enough", function);
    cr_expect(was_added(standin_launches("instance_0")), "%s", function);
    cr_expect_eq(standin_objects(), objects + 1, "%s: %zu", function, standin_objects());
}
Test(replay, without_a_stream_batches_are_launched_one_by_one) {
    expect_plain_batches("cuStreamCreate", 1, CUDA_ERROR_OUT_OF_MEMORY);
}
Test(replay, a_capture_that_does_not_begin) {
    expect_plain_batches("cuStreamBeginCapture", 1, CUDA_ERROR_ILLEGAL_STATE);
}
Test(replay, a_capture_that_does_not_end) {
    expect_plain_batches("cuStreamEndCapture", 1, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}
Test(replay, a_graph_that_is_refused) {
    expect_plain_batches("cuGraphInstantiateWithFlags", 1, CUDA_ERROR_OUT_OF_MEMORY);
}
Test(replay, a_graph_that_is_not_uploaded) { expect_plain_batches("cuGraphUpload", 1, CUDA_ERROR_OUT_OF_MEMORY); }
Test(replay, a_graph_that_is_not_launched) { expect_plain_batches("cuGraphLaunch", 1, CUDA_ERROR_INVALID_VALUE); }
Test(replay, a_graph_that_is_launched_only_once) { expect_plain_batches("cuGraphLaunch", 2, CUDA_ERROR_INVALID_VALUE); }

Test(replay, a_launch_that_cannot_be_captured_is_made) {
    unsigned fell_back = 0, failed = 0;
    for (unsigned nth = 110; nth < 150; nth++) { /* some of these are captured, the others fail their configuration */
        const autotune_options o = {.cache_state = AUTOTUNE_HOT, .key = KEY(nth)};
        const unsigned captures = standin_calls("cuStreamBeginCapture");
        standin_fail("cuLaunchKernel", nth, CUDA_ERROR_NOT_SUPPORTED);
        const autotune_result result = tune(stream, o);
        cr_assert(result.status == AUTOTUNE_OK && was_added(standin_launches("instance_0")), "%u: %s", nth, logged);
        fell_back += !result.failed;
        failed += result.failed > 0;
        if (result.failed)
            cr_expect(standin_calls("cuStreamBeginCapture") > captures + 20, "%u: other batches are replayed", nth);
        else
            cr_expect(standin_calls("cuStreamBeginCapture") < captures + 20, "%u: no batch after it is captured", nth);
    }
    cr_assert(fell_back && failed, "%u %u", fell_back, failed);
}
Test(replay, a_kernel_that_breaks_in_a_graph_stops_tuning) {
    broken_launch = 3000;
    const autotune_result result = tune(stream, hot);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_calls("cuGraphLaunch") > 0, "%s", autotune_last_error());
    cr_assert(contains(autotune_last_error(), "the kernel ended with CUDA_ERROR_LAUNCH_FAILED (719)"), "%s",
              autotune_last_error());
}
Test(replay, a_kernel_that_hangs_in_a_graph_ends_with_its_deadline) {
    const autotune_options o = {.cache_state = AUTOTUNE_HOT, .launch_timeout = 0.05};
    hanging_launch = 3000;
    const autotune_result result = tune(stream, o);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_calls("cuGraphLaunch") > 0, "%s", autotune_last_error());
    cr_assert(contains(autotune_last_error(), "did not end within 0.05 s"), "%s", autotune_last_error());
}

/* suite_hold.c - hot batches: their stream is held until all launches are queued. So a kernel that is shorter than its
   launch is timed right. */
#include "saxpy.h"

static const char text[] = "extern \"C\" __global__ void add(int n, float *y) {\n"
                           "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) * STEP;\n"
                           "    for (int k = i; k < i + STEP && k < n; k++) y[k] = y[k] + 1;\n"
                           "}\n";
static autotune_cuda_program program = CUDA_PROGRAM(text);

/* A launch keeps the CPU busy for 10 us. short_cost() gives 6, 4 and 5 us for the kernels; with hot caches they take
   half of this time. */
enum { LENGTH = 64 };
static unsigned broken_launch, hanging_launch; /* the number of the launch that breaks, or hangs; 0: none */
static unsigned made;                          /* launches so far */
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
TestSuite(hold, .init = start, .fini = expect_no_misuse);

static autotune_result tune(CUstream where, autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4)), 8 / STEP, CUDA_LAUNCH(&program, "add", THREADS(8), SHARED(0), LENGTH, y),
             .backend = CUDA(where), .cache_state = o.cache_state, .restore = o.restore, .key = o.key,
             .launch_timeout = o.launch_timeout, .result = &result);
    return result;
}
static const autotune_options hot = {.cache_state = AUTOTUNE_HOT};
/* Returns true if each element was increased by `times`. */
static bool was_added(size_t times) {
    MUST(cuMemcpyDtoH(host, y, LENGTH * 4));
    for (int i = 0; i < LENGTH; i++)
        if (host[i] != (float)i + (float)times) return false;
    return true;
}

/* ---- CUDA_LAUNCH ------------------------------------------------------------------------------------------------- */

Test(hold, a_kernel_that_is_shorter_than_its_launch_is_timed_right) {
    const autotune_result result = tune(stream, hot);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert(result.median_ns > 1.95e3 && result.median_ns < 2.05e3, "%g", result.median_ns);
    cr_assert_geq(standin_calls("cuLaunchHostFunc"), 10);
}
Test(hold, launches_are_counted_as_they_were_made) {
    const size_t objects = standin_objects();
    const autotune_result result = tune(stream, hot);
    cr_assert(result.launches == standin_launches("instance_0"), "%zu of %u", result.launches,
              standin_launches("instance_0"));
    cr_assert(was_added(result.launches));
    cr_assert_eq(standin_objects(), objects + 1, "the winner's module is left");
}
Test(hold, the_default_streams_are_held_too) {
    cr_assert(tune(0, hot).index == 1 && standin_calls("cuLaunchHostFunc") > 0, "%s", logged);
    cr_assert(tune(CU_STREAM_PER_THREAD, hot).cache_hit);
}
/* The CPU takes longer for a launch than the device for the kernel, and a different time for each launch. So the times
   of single launches cannot distinguish the kernels, but the times of held batches can. */
static unsigned fastest_shape;
static uint64_t seed = 1;
static double unsteady_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    standin_set_overhead(5e3 * (1 + (double)(seed >> 11) / (double)((uint64_t)1 << 53)));
    return grid[0] == fastest_shape ? 4e3 : 5e3;
}
Test(hold, launches_that_take_the_cpu_longer_than_the_device) {
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

/* ---- What the program launches itself ---------------------------------------------------------------------------- */

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
Test(hold, launches_of_the_program_that_are_shorter_than_for_the_cpu_are_timed_right) {
    const autotune_result result = tune_own(launch_own);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert(result.median_ns > 1.95e3 && result.median_ns < 2.05e3, "%g", result.median_ns);
    cr_assert(standin_calls("cuLaunchHostFunc") > 10 && !contains(logged, cpu_limit));
    const unsigned held = standin_calls("cuLaunchHostFunc");
    cr_assert(tune_own(launch_own).cache_hit && standin_calls("cuLaunchHostFunc") == held);
}
static unsigned held_before, in_a_row, most_in_a_row;
/* Launches, and counts in `in_a_row` the calls since the stream was held last. */
static CUresult launch_and_count(unsigned blocks, unsigned block) {
    const unsigned held = standin_calls("cuLaunchHostFunc");
    in_a_row = held == held_before ? in_a_row + 1 : 1;
    held_before = held;
    if (in_a_row > most_in_a_row) most_in_a_row = in_a_row;
    return launch_own(blocks, block);
}
Test(hold, the_long_batches_of_a_clock_with_coarse_steps_are_held) {
    standin_set_quantum(1024);
    const autotune_result result = tune_own(launch_and_count);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1, "%s", logged);
    cr_assert(result.median_ns > 1.95e3 && result.median_ns < 2.05e3, "%g", result.median_ns);
    cr_assert(most_in_a_row > 400 && most_in_a_row < 4000, "%u", most_in_a_row);
}
Test(hold, a_call_that_waits_for_its_launch_is_held_three_times_and_the_log_says_that_the_cpu_limits) {
    const autotune_result result = tune_own(launch_and_wait);
    cr_assert(result.status == AUTOTUNE_OK && result.median_ns > 9e3, "%g", result.median_ns);
    cr_assert_eq(standin_calls("cuLaunchHostFunc"), 3);
    cr_assert(contains(logged, cpu_limit), "%s", logged);
}
Test(hold, what_cannot_be_held_is_launched) {
    standin_fail("cuLaunchHostFunc", 1, CUDA_ERROR_NOT_SUPPORTED);
    const autotune_result result = tune_own(launch_own);
    cr_assert(result.status == AUTOTUNE_OK && result.median_ns > 9e3, "%g", result.median_ns);
    cr_assert_eq(standin_calls("cuLaunchHostFunc"), 1);
}
Test(hold, longer_launches_are_not_held) {
    standin_set_cost(cost);
    const autotune_result result = tune_own(launch_own);
    cr_assert(result.status == AUTOTUNE_OK && standin_calls("cuLaunchHostFunc") <= 1, "but the first: %u",
              standin_calls("cuLaunchHostFunc"));
}
Test(hold, nor_are_cold_ones) {
    tune(stream, (autotune_options){.cache_state = AUTOTUNE_COLD});
    cr_assert_eq(standin_calls("cuLaunchHostFunc"), 0);
}

Test(hold, nor_are_launches_that_are_prepared_one_by_one) {
    const autotune_options restored = {.cache_state = AUTOTUNE_HOT,
                                       .restore = {.at = {{.memory = device(y), .bytes = BYTES}}, .count = 1}};
    const autotune_result result = tune(stream, restored);
    cr_assert(result.status == AUTOTUNE_OK && was_added(1) && standin_calls("cuLaunchHostFunc") == 0);
}
/* ---- What fails -------------------------------------------------------------------------------------------------- */

Test(hold, a_kernel_that_breaks_in_a_batch_stops_tuning) {
    broken_launch = 1600;
    const autotune_result result = tune(stream, hot);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_calls("cuLaunchHostFunc") > 0, "%s",
              autotune_last_error());
    cr_assert(contains(autotune_last_error(), "the kernel ended with CUDA_ERROR_LAUNCH_FAILED (719)"), "%s",
              autotune_last_error());
}
Test(hold, a_kernel_that_hangs_in_a_batch_ends_with_its_deadline) {
    const autotune_options o = {.cache_state = AUTOTUNE_HOT, .launch_timeout = 0.05};
    hanging_launch = 1600;
    const autotune_result result = tune(stream, o);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_calls("cuLaunchHostFunc") > 0, "%s",
              autotune_last_error());
    cr_assert(contains(autotune_last_error(), "did not end within 0.05 s"), "%s", autotune_last_error());
}

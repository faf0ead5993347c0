/* suite_launches.c - existing launches wrapped: which launches are raced, how they are timed, how they change memory,
   and what the errors of launches mean. */
#include "saxpy.h"

static void start_and_watch(void) {
    standin_watch_memory();
    start_cuda();
}
TestSuite(launches, .init = start_and_watch, .fini = expect_no_misuse);

static autotune_result tune(CUfunction function, autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch(function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .cache_state = o.cache_state, .mode = o.mode, .outputs = o.outputs,
             .zero = o.zero, .launch_timeout = o.launch_timeout, .result = &result);
    return result;
}
static const autotune_options no_options;

/* ---- The race ---------------------------------------------------------------------------------------------------- */

Test(launches, the_fastest_on_the_device_wins_and_memory_is_as_after_one_call) {
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert(result.tried == 4 && result.failed == 0 && result.launches == standin_launches("saxpy"));
    cr_assert(result.median_ns > 49e3 && result.median_ns < 51e3, "%g: events cost nothing", result.median_ns);
    cr_assert(result.default_ns > 89e3 && result.default_ns < 91e3, "%g", result.default_ns);
    cr_assert(y_was_updated(1));
}
Test(launches, a_hit_makes_one_call_and_asks_only_for_the_context) {
    tune(saxpy_function, no_options);
    USE(tune(saxpy_function, no_options));
    const unsigned questions = standin_calls("cuCtxGetCurrent"), launched = standin_launches("saxpy"),
                   all = standin_all_calls();
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.cache_hit && result.index == 2 && result.launches == 1);
    cr_assert_eq(standin_launches("saxpy"), launched + 1);
    cr_assert_eq(standin_calls("cuCtxGetCurrent"), questions + 1);
    cr_assert_eq(standin_all_calls(), all + 2);
    cr_assert(y_was_updated(2 + CALLS_IN_USE));
}
/* Returns the number of fills that empty the caches: all fills without the 64 + 56 fills that calibrate the clock. */
static unsigned flushes(void) { return standin_calls("cuMemsetD8Async") - (64 + 56); }
Test(launches, caches_are_cold_by_default) {
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert_geq(flushes(), result.launches - 1, "every trial is flushed");
    cr_assert(contains(logged, "; caches were cold"), "%s", logged);
}
Test(launches, hot_is_a_choice_and_times_batches) {
    const autotune_options hot = {.cache_state = AUTOTUNE_HOT};
    const autotune_result result = tune(saxpy_function, hot);
    cr_assert_eq(flushes(), 0);
    cr_assert(contains(logged, "; caches were hot"), "%s", logged);
    cr_assert(result.index == 2 && result.median_ns > 24e3 && result.median_ns < 26e3, "%g: a hot launch costs half",
              result.median_ns);
}
Test(launches, what_has_not_ended_yet_is_waited_for) {
    standin_end_late();
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && !result.failed, "%s", logged);
    cr_assert(tune(saxpy_function, no_options).cache_hit);
}
Test(launches, without_buffers_a_hot_batch_has_one_pair_of_events) {
    autotune_result result;
    standin_set_quantum(1024);
    AUTOTUNE(SPACE(AXIS(block, 64, 256)), cld(N, (unsigned)block), launch(saxpy_function, blocks.x, (unsigned)block),
             .backend = CUDA(stream), .cache_state = AUTOTUNE_HOT, .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1);
    cr_assert(standin_calls("cuEventRecord") < result.launches, "%u records for %zu launches",
              standin_calls("cuEventRecord"), result.launches);
}
/* A configuration fails if its time on the stream is shorter than that of any launch. Two configurations have such a
   time:
   - where == 1 launches on another stream;
   - where == 2 makes a launch that the driver refuses, and ignores the error. */
static CUstream other;
static CUresult launch_somewhere(int where, unsigned blocks, unsigned block) {
    const CUresult result = launch_on(saxpy_function, where == 1 ? other : stream, blocks, where == 2 ? 4096 : block);
    return where == 2 ? CUDA_SUCCESS : result;
}
static void expect_only_the_launch_that_ran(autotune_cache_state state) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(where, 0, 1, 2)), cld(N, 256), launch_somewhere(where, blocks.x, 256), .backend = CUDA(stream),
             .cache_state = state, .key = KEY(state), .result = &result);
    cr_expect(result.status == AUTOTUNE_OK && result.index == 0 && result.tried == 3 && result.failed == 2, "%s",
              logged);
    cr_expect(contains(logged, "less than an empty launch takes") &&
                  contains(logged, "another stream than .backend names"),
              "%s", logged);
    cr_expect(contains(logged, "nobody asked for the error"), "%s", logged);
}
Test(launches, a_launch_that_takes_no_time_did_not_run_on_the_stream) {
    MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    for (int quantum = 32; quantum <= 1024; quantum *= 2) {
        standin_set_quantum(quantum);
        expect_only_the_launch_that_ran(AUTOTUNE_COLD);
        expect_only_the_launch_that_ran(AUTOTUNE_HOT);
        cr_assert_eq(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    }
}
Test(launches, where_all_launches_take_no_time_the_reason_is_given) {
    autotune_result result;
    MUST(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    AUTOTUNE(SPACE(AXIS(where, 1, 2)), cld(N, 256), launch_somewhere(where, blocks.x, 256), .backend = CUDA(stream),
             .result = &result);
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED &&
                  contains(autotune_last_error(), "another stream than .backend names"),
              "%s", autotune_last_error());
}
/* Functions of the CUDA runtime, for these tests. If the runtime refuses a launch, it keeps the error in
   `runtime_error`, and does not call the driver. */
static int runtime_error, runtime_asked;
static CUdeviceptr spare;
int cudaPeekAtLastError(void);
int cudaGetLastError(void);
const char *cudaGetErrorName(int code);
int cudaPeekAtLastError(void) {
    runtime_asked++;
    return runtime_error;
}
int cudaGetLastError(void) {
    const int code = runtime_error;
    runtime_error = 0;
    return code;
}
const char *cudaGetErrorName(int code) { return code == 9 ? "cudaErrorInvalidConfiguration" : "another"; }

/* The part of the header of the CUDA runtime that a call site reads. It comes after autotune_cuda.h. */
#define __DRIVER_TYPES_H__
typedef enum cudaError { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9 } cudaError_t;
static cudaError_t launch_as_runtime(unsigned blocks, unsigned block) {
    return launch(saxpy_function, blocks, block) == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidConfiguration;
}
static autotune_result tune_as_runtime(autotune_mode mode, unsigned block_0, unsigned block_1) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, block_0, 2048u, block_1)), cld(N, block),
             (mode == AUTOTUNE_ON ? cuMemsetD8Async(spare, 0, BYTES, stream) : CUDA_SUCCESS,
              launch_as_runtime(blocks.x, block)),
             .backend = CUDA(stream), .mode = mode, .key = KEY(block_0), .restore = BUFFERS({device(y), BYTES}),
             .result = &result);
    return result;
}
Test(launches, an_error_of_the_runtime_that_the_call_returns_fails_the_configuration) {
    MUST(cuMemAlloc(&spare, BYTES));
    const autotune_result result = tune_as_runtime(AUTOTUNE_ON, 64, 256);
    cr_expect(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 1 && y_was_updated(1), "%s",
              logged);
    cr_expect(contains(logged, "block=2048  (cudaErrorInvalidConfiguration (9))"), "%s", logged);
    cr_expect_eq(tune_as_runtime(AUTOTUNE_ON, 4096, 2048).status, AUTOTUNE_ERR_ALL_FAILED);
    cr_expect_eq(tune_as_runtime(AUTOTUNE_OFF, 4096, 2048).status, AUTOTUNE_FAILED);
    cr_expect(y_was_updated(1));
}
Test(launches, in_mode_online_what_was_refused_is_made_with_another_one) {
    enum { CALLS = 300 };
    autotune_result result;
    for (int i = 0; i < CALLS; i++) {
        result = tune_as_runtime(AUTOTUNE_ONLINE, 64, 256);
        cr_assert(result.status == AUTOTUNE_OK && result.index != 1, "%d: %s", i, logged);
        MUST(cuStreamSynchronize(stream));
    }
    cr_expect(y_was_updated(CALLS));
    cr_expect(contains(logged, "block=2048"), "it was tried: %s", logged);
}

/* Before the launch it makes a fill, so that a refused launch, too, takes time on the stream. */
static void launch_or_be_refused(int refused, unsigned blocks) {
    MUST(cuMemsetD32Async(x, 0, N, stream));
    if (refused) runtime_error = 9;
    else MUST(launch(saxpy_function, blocks, 256));
}
static autotune_result tune_with_refusals(autotune_cache_state state) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(refused, 0, 1, 2)), cld(N, 256), launch_or_be_refused(refused, blocks.x),
             .backend = CUDA(stream), .cache_state = state, .result = &result);
    return result;
}
static void expect_refusals(autotune_cache_state state) {
    const autotune_result result = tune_with_refusals(state), again = tune_with_refusals(state);
    cr_expect(result.status == AUTOTUNE_OK && result.index == 0 && result.tried == 3 && result.failed == 2, "%s",
              logged);
    cr_expect(contains(logged, "the CUDA runtime refused a launch") &&
                  contains(logged, "cudaErrorInvalidConfiguration (9)"),
              "%s", logged);
    cr_expect_eq(runtime_error, 0, "the program does not meet the error of a trial");
    cr_expect(again.cache_hit && again.index == 0);
}
Test(launches, an_error_of_the_runtime_that_nobody_asks_for_fails_the_configuration_cold) {
    expect_refusals(AUTOTUNE_COLD);
}
Test(launches, an_error_of_the_runtime_that_nobody_asks_for_fails_the_configuration_hot) {
    expect_refusals(AUTOTUNE_HOT);
}
Test(launches, an_error_of_before_stays_the_programs_and_a_hit_does_not_ask_the_runtime) {
    runtime_error = 2;
    cr_expect_eq(tune(saxpy_function, no_options).status, AUTOTUNE_OK);
    cr_expect_eq(runtime_error, 2);
    runtime_asked = 0;
    cr_expect(tune(saxpy_function, no_options).cache_hit);
    cr_expect_eq(runtime_asked, 0);
}
Test(launches, so_does_one_of_a_call_of_mode_online_and_an_error_of_before_stays_the_programs) {
    autotune_result result;
    int calls = 0, failed = 0, before;
    do {
        before = runtime_error = calls < 1 ? 2 : 0;
        AUTOTUNE(SPACE(AXIS(refused, 0, 1, 2)), cld(N, 256), launch_or_be_refused(refused, blocks.x),
                 .backend = CUDA(stream), .mode = AUTOTUNE_ONLINE, .result = &result);
        failed += result.status == AUTOTUNE_FAILED;
        cr_expect_eq(runtime_error, before);
    } while (!result.cache_hit && ++calls < 2000);
    cr_expect(result.cache_hit && result.index == 0 && failed == 2, "%d failed: %s", failed, logged);
    cr_expect(contains(logged, "the CUDA runtime refused a launch"), "%s", logged);
}
Test(launches, times_are_right_under_noise_and_coarse_events) {
    standin_set_noise(0.2);
    standin_set_quantum(1024);
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2, "%s", logged);
    cr_assert(result.median_ns > 49e3 && result.median_ns < 61e3, "%g", result.median_ns);
}
Test(launches, nothing_of_the_race_is_left) {
    const size_t memory = standin_memory_in_use(), objects = standin_objects();
    tune(saxpy_function, no_options);
    cr_assert_eq(standin_memory_in_use(), memory);
    cr_assert_eq(standin_objects(), objects);
}

/* ---- The launches of one sample: they are queued together, and waited for once ----------------------------------- */

/* Launches take a tenth of the usual time. So one sample needs several launches. */
static unsigned launches_made, broken_launch, hanging_launch;
static double short_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    if (++launches_made == broken_launch) standin_break(name, CUDA_ERROR_LAUNCH_FAILED);
    if (launches_made == hanging_launch) standin_hang(name);
    return cost(name, grid, block, shared_bytes) / 10;
}
static autotune_result tune_short(double launch_timeout, void (*setup)(void *, const autotune_config *)) {
    autotune_result result;
    standin_set_cost(short_cost);
    standin_set_quantum(64);
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .launch_timeout = launch_timeout, .setup = setup,
             .result = &result);
    return result;
}
Test(launches, those_of_a_sample_are_waited_for_once) {
    const autotune_result result = tune_short(0, NULL);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert(result.median_ns > 4.9e3 && result.median_ns < 5.1e3, "%g: each has its own events", result.median_ns);
    cr_assert(result.launches == standin_launches("saxpy") && y_was_updated(1));
    cr_assert_geq(flushes(), result.launches - 1, "every one is flushed");
    cr_assert_lt(standin_calls("cuEventQuery"), result.launches / 2);
}
static void do_nothing(void *user, const autotune_config *config) { (void)config; (void)user; }
Test(launches, what_setup_prepares_must_not_meet_the_launch_before) {
    const autotune_result result = tune_short(0, do_nothing);
    cr_assert(result.index == 2 && standin_calls("cuEventQuery") >= result.launches - 1);
}
/* Tunes in a new context, because the launch with this number breaks or hangs, and the context is lost. */
static void lose_at(unsigned launch_number, double launch_timeout) {
    CUcontext fresh;
    MUST(cuCtxCreate(&fresh, NULL, 0, 0));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    MUST(cuModuleLoad(&module, KERNELS "/saxpy.cubin"));
    MUST(cuMemAlloc(&x, BYTES));
    MUST(cuMemAlloc(&y, BYTES));
    saxpy_function = kernel("saxpy"), launches_made = 0;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .key = KEY(launch_number), .launch_timeout = launch_timeout);
    cr_expect(contains(autotune_last_error(), "tuning stopped at block="), "%u: %s", launch_number,
              autotune_last_error());
    MUST(cuCtxPopCurrent(&fresh));
}
/* These tests make many races. So they begin with start_cuda(), which does not protect device memory: a launch with
   protected memory takes ten times as long. */
Test(launches, one_that_breaks_among_them_stops_tuning_and_is_named, .init = start_cuda) {
    const unsigned half = (unsigned)tune_short(0, NULL).launches / 2;
    /* Some of these eight launches are the first launch of a sample, some are the last. */
    for (broken_launch = half; broken_launch < half + 8; broken_launch++) {
        standin_break("", 0);
        lose_at(broken_launch, 0);
        cr_expect(contains(autotune_last_error(), "CUDA_ERROR_LAUNCH_FAILED (719)"), "%s", autotune_last_error());
    }
}
Test(launches, one_that_hangs_among_them_ends_with_the_deadline, .init = start_cuda) {
    const unsigned half = (unsigned)tune_short(0, NULL).launches / 2;
    for (hanging_launch = half; hanging_launch < half + 8; hanging_launch++) {
        standin_hang("");
        lose_at(hanging_launch, 0.02);
        cr_expect(contains(autotune_last_error(), "did not end within 0.02 s"), "%s", autotune_last_error());
    }
}
Test(launches, one_that_cannot_be_prepared_among_them_fails_its_configuration, .init = start_cuda) {
    unsigned failed = 0;
    for (unsigned nth = 60; nth < 70; nth++) {
        autotune_result result;
        const unsigned launched = standin_launches("saxpy");
        standin_set_cost(short_cost);
        standin_set_quantum(64);
        fill_arrays();
        standin_fail("cuMemcpyAsync", nth, CUDA_ERROR_INVALID_VALUE);
        AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
                 launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
                 .restore = BUFFERS({device(y), BYTES}), .key = KEY(nth), .result = &result);
        cr_assert(result.status == AUTOTUNE_OK && result.failed == 1, "%u: %s", nth, logged);
        cr_assert(result.launches == standin_launches("saxpy") - launched, "%u: %zu", nth, result.launches);
        cr_assert(y_was_updated(1));
        failed += contains(logged, "(cuMemcpyAsync: CUDA_ERROR_INVALID_VALUE (1))");
    }
    cr_assert_eq(failed, 10);
}

/* ---- What is launched -----------------------------------------------------------------------------------------------
 */

static CUresult twice(unsigned blocks, unsigned block) {
    const CUresult result = launch(saxpy_function, blocks, block);
    return result == CUDA_SUCCESS ? launch(saxpy_function, blocks, block) : result;
}
Test(launches, a_function_of_the_callers_may_launch_several_kernels) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 256)), cld(N, (unsigned)block), twice(blocks.x, (unsigned)block),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.index == 1 && result.median_ns > 74e3 && result.median_ns < 76e3, "%g: 50 us cold and 25 us warm",
              result.median_ns);
    MUST(cuMemcpyDtoH(host, y, BYTES));
    cr_assert(host[3] == 15, "3 + 2 x 3, twice");
}
Test(launches, the_status_of_cuLaunchKernelEx_counts) {
    autotune_result result;
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    CUlaunchConfig config = {.gridDimY = 1, .gridDimZ = 1, .blockDimY = 1, .blockDimZ = 1, .hStream = stream};
    AUTOTUNE(SPACE(AXIS(block, 2048u, 256u)), cld(N, block),
             (config.gridDimX = blocks.x, config.blockDimX = block,
              cuLaunchKernelEx(&config, saxpy_function, arguments, NULL)),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.failed == 1);
    cr_assert(y_was_updated(1));
}
Test(launches, a_block_and_a_select_launch_as_well) {
    autotune_result result;
    AUTOTUNE_BLOCK(SPACE(AXIS(block, 64, 256)), .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}),
                   .result = &result) {
        if (launch(saxpy_function, cld(N, (unsigned)block), (unsigned)block) != CUDA_SUCCESS) AUTOTUNE_REJECT("no");
    }
    cr_assert(result.index == 1 && y_was_updated(1));
    AUTOTUNE_SELECT((.backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result),
                    launch(saxpy_function, 1, 4096), launch(saxpy_function, cld(N, 64), 64),
                    launch(saxpy_function, cld(N, 512), 512));
    cr_assert(result.index == 2 && result.failed == 1 && y_was_updated(2), "%s", logged);
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------
 */

Test(launches, a_wrong_output_fails_its_configuration) {
    const autotune_options o = {
        .outputs = {.at = {{.memory = device(y), .bytes = BYTES, .type = AUTOTUNE_F32}}, .count = 1}};
    standin_set_cost(NULL);
    const autotune_result result = tune(kernel("saxpy_wrong"), o);
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 1, "%s", logged);
    cr_assert(contains(logged, "block=128  (wrong output: element 1 is 1, not 3)"), "%s", logged);
    cr_assert(y_was_updated(1));
}
static CUdeviceptr sums;
static CUresult launch_sums(unsigned blocks, unsigned block) {
    int n = N;
    void *arguments[] = {&n, &x, &sums};
    return cuLaunchKernel(kernel("block_sums"), blocks, 1, 1, block, 1, 1, block * 4, stream, arguments, NULL);
}
Test(launches, outputs_that_are_not_restored_are_poisoned_first) {
    autotune_result result;
    MUST(cuMemAlloc(&sums, 4 * cld(N, 64)));
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u), AXIS(less, 0u, 1u)), cld(N, 64),
             launch_sums(blocks.x - less, 64 + 0 * block), .backend = CUDA(stream),
             .outputs = BUFFERS({device(sums), 4 * cld(N, 64), AUTOTUNE_F32}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 2, "%s", logged);
    cr_assert(contains(logged, "less=1  (wrong output: element 15 is "), "%s", logged);
    MUST(cuMemcpyDtoH(host, sums, 4 * cld(N, 64)));
    cr_assert(host[0] == 2016 && host[15] == 40 * (960 + 999) / 2, "%g %g",
              (double)host[0], (double)host[15]);
}
Test(launches, zeroed_memory_is_zero_before_every_trial_and_as_it_was_before_the_call) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 256)), cld(N, (unsigned)block), launch(saxpy_function, blocks.x, (unsigned)block),
             .backend = CUDA(stream), .zero = BUFFERS({device(y), BYTES}),
             .outputs = BUFFERS({device(y), BYTES, AUTOTUNE_F32}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.failed == 0, "%s", logged);
    cr_assert(y_was_updated(1));
}
Test(launches, without_memory_for_snapshots_the_first_configuration_is_launched_untuned) {
    standin_fail("cuMemAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY);
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_ERR_MEMORY && result.index == 0 && result.launches == 1);
    cr_assert(contains(autotune_last_error(), "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)"), "%s", autotune_last_error());
    cr_assert(y_was_updated(1));
    cr_assert(tune(saxpy_function, no_options).index == 2, "the next call tunes");
}
Test(launches, without_memory_to_empty_the_cache_the_first_configuration_is_launched_untuned) {
    /* Calls 1 and 2 are for the snapshot, and for the calibration of the clock. */
    standin_fail("cuMemAlloc", 3, CUDA_ERROR_OUT_OF_MEMORY);
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_ERR_MEMORY && result.index == 0, "%s", autotune_last_error());
    cr_assert(y_was_updated(1));
}
Test(launches, a_buffer_that_the_device_cannot_reach_is_refused) {
    autotune_result result;
    MUST(cuMemFree(y));
    AUTOTUNE(SPACE(AXIS(block, 64, 256)), 1, CUDA_SUCCESS, .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_FAILED &&
                  contains(autotune_last_error(), "cannot be saved (cuMemcpyAsync: CUDA_ERROR_INVALID_VALUE (1))"),
              "%s", autotune_last_error());
}

/* ---- Errors ---------------------------------------------------------------------------------------------------------
 */

Test(launches, a_launch_that_the_driver_refuses_is_data) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 2048, 64, 256)), cld(N, (unsigned)block),
             launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 1 && y_was_updated(1));
    cr_assert(contains(logged, "block=2048  (CUDA_ERROR_INVALID_VALUE (1))"), "%s", logged);
}
Test(launches, if_all_are_refused_the_sentence_has_the_codes) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 2048, 4096)), 1, launch(saxpy_function, blocks.x, (unsigned)block),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(contains(autotune_last_error(), "block=2048: CUDA_ERROR_INVALID_VALUE (1)"), "%s", autotune_last_error());
}
/* For each error code that a launch returns: the status of the statement. */
static const struct {
    int code;
    autotune_status status;
} classes[] = {{1, AUTOTUNE_OK},
               {2, AUTOTUNE_OK},
               {200, AUTOTUNE_OK},
               {209, AUTOTUNE_OK},
               {218, AUTOTUNE_OK},
               {222, AUTOTUNE_OK},
               {500, AUTOTUNE_OK},
               {701, AUTOTUNE_OK},
               {720, AUTOTUNE_OK},
               {912, AUTOTUNE_OK},
               {12345, AUTOTUNE_OK},
               {3, AUTOTUNE_ERR_ENVIRONMENT},
               {34, AUTOTUNE_ERR_ENVIRONMENT},
               {36, AUTOTUNE_ERR_ENVIRONMENT},
               {100, AUTOTUNE_ERR_ENVIRONMENT},
               {101, AUTOTUNE_ERR_ENVIRONMENT},
               {201, AUTOTUNE_ERR_ENVIRONMENT},
               {221, AUTOTUNE_ERR_ENVIRONMENT},
               {803, AUTOTUNE_ERR_ENVIRONMENT},
               {804, AUTOTUNE_ERR_ENVIRONMENT},
               {600, AUTOTUNE_ERR_ENVIRONMENT},
               {900, AUTOTUNE_ERR_ENVIRONMENT},
               {906, AUTOTUNE_ERR_ENVIRONMENT},
               {908, AUTOTUNE_ERR_ENVIRONMENT},
               {226, AUTOTUNE_ERR_DEVICE},
               {700, AUTOTUNE_ERR_DEVICE},
               {702, AUTOTUNE_ERR_DEVICE},
               {710, AUTOTUNE_ERR_DEVICE},
               {714, AUTOTUNE_ERR_DEVICE},
               {719, AUTOTUNE_ERR_DEVICE},
               {721, AUTOTUNE_ERR_DEVICE},
               {810, AUTOTUNE_ERR_DEVICE},
               {911, AUTOTUNE_ERR_DEVICE},
               {4, AUTOTUNE_ERR_DEVICE},
               {214, AUTOTUNE_ERR_DEVICE},
               {220, AUTOTUNE_ERR_DEVICE},
               {709, AUTOTUNE_ERR_DEVICE},
               {999, AUTOTUNE_ERR_DEVICE}};
static CUresult answer(int code, int id) { return id == 1 ? (CUresult)code : cuMemsetD8Async(y, 0, BYTES, 0); }
Test(launches, every_code_has_its_class) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        CUcontext fresh;
        autotune_result result;
        MUST(cuCtxCreate(&fresh, NULL, 0, 0)); /* a sticky error ends its context, so each code has a new context */
        AUTOTUNE(SPACE(AXIS(id, 0, 1)), 1, answer(classes[i].code, id), .backend = CUDA(0), .key = KEY(i),
                 .result = &result);
        cr_expect(result.status == classes[i].status, "%d: %s: %s", classes[i].code,
                  autotune_status_text(result.status), autotune_last_error());
        cr_expect(result.status != AUTOTUNE_OK || result.failed == 1, "%d", classes[i].code);
        MUST(cuCtxPopCurrent(&fresh));
    }
}
Test(launches, an_illegal_address_stops_tuning_for_good_and_names_the_configuration) {
    const autotune_result result = tune(kernel("saxpy_wild"), no_options);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE, "%s", logged);
    cr_assert(contains(autotune_last_error(), "tuning stopped at block=128, and the call was not made: "
                                              "the kernel ended with CUDA_ERROR_ILLEGAL_ADDRESS (700)"),
              "%s", autotune_last_error());
    const unsigned launched = standin_launches("saxpy_wild");
    cr_assert(tune(saxpy_function, no_options).status == AUTOTUNE_ERR_DEVICE && standin_launches("saxpy") == 0);
    cr_assert(contains(autotune_last_error(),
                       "the device can no longer be used in this process, since suite_launches.c:tune tried block=128 "
                       "(the kernel ended with CUDA_ERROR_ILLEGAL_ADDRESS (700)); the call was not made"),
              "%s", autotune_last_error());
    cr_assert_eq(standin_launches("saxpy_wild"), launched);
    cr_assert_str_empty(standin_misuse(), "the driver is not called again: %s", standin_misuse());
}
Test(launches, an_error_that_is_told_later_is_the_errors_of_its_own_launch) {
    standin_break("saxpy", CUDA_ERROR_ASSERT);
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_launches("saxpy") == 1);
    cr_assert(contains(autotune_last_error(),
                       "block=64, and the call was not made: the kernel ended with CUDA_ERROR_ASSERT (710)"),
              "%s", autotune_last_error());
}
Test(launches, an_error_of_a_kernel_before_the_statement_is_found_before_its_first_launch) {
    standin_fail("cuMemcpyAsync", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
    const autotune_result result = tune(saxpy_function, no_options);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_launches("saxpy") == 0, "%s", autotune_last_error());
    cr_assert(contains(autotune_last_error(),
                       "cannot be saved (cuMemcpyAsync: CUDA_ERROR_ILLEGAL_ADDRESS (700)): the call was not made"),
              "%s", autotune_last_error());
}
Test(launches, a_launch_that_hangs_ends_with_its_deadline) {
    const autotune_options o = {.launch_timeout = 0.05};
    standin_hang("saxpy");
    const autotune_result result = tune(saxpy_function, o);
    cr_assert(result.status == AUTOTUNE_ERR_DEVICE && standin_launches("saxpy") == 1);
    cr_assert(contains(autotune_last_error(), "did not end within 0.05 s, .launch_timeout: it counts as hung"), "%s",
              autotune_last_error());
    cr_assert(standin_calls("cuMemFree") < standin_calls("cuMemAlloc"),
              "what the kernel may still write to is not freed");
}
/* The launch of 128 threads ends when a call waits for the stream, or after `slow_for` queries of events. */
static bool slow;
static unsigned slow_for;
static CUresult launch_slowly(unsigned blocks, unsigned block) {
    if (slow_for && block == 128) standin_keep_busy_for(slow_for);
    else if (slow && block == 128) standin_keep_busy();
    return launch(saxpy_function, blocks, block);
}
static autotune_result tune_slowly(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u, 256u)), cld(N, block), launch_slowly(blocks.x, block),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .launch_timeout = slow_for ? 1e-9 : 0.05,
             .result = &result);
    return result;
}
Test(launches, a_launch_that_is_slow_is_not_one_that_hangs) {
    slow = true;
    cr_assert_eq(tune_slowly().status, AUTOTUNE_ERR_DEVICE);
    const unsigned launches_before = standin_launches("saxpy");
    cr_assert(tune_slowly().status == AUTOTUNE_ERR_DEVICE && standin_launches("saxpy") == launches_before);
    MUST(cuStreamSynchronize(stream));
    slow = false;
    fill_arrays();
    cr_assert(tune_slowly().status == AUTOTUNE_OK && y_was_updated(1), "%s", autotune_last_error());
    cr_assert(tune_slowly().cache_hit && y_was_updated(2));
}
Test(launches, a_launch_that_ends_a_little_later_has_failed_and_the_race_goes_on) {
    slow_for = 1;
    const autotune_result result = tune_slowly();
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 1 && result.tried == 3, "%s",
              logged);
    cr_assert(contains(logged, "block=128  (the launch took longer than 1e-09 s, .launch_timeout)"), "%s", logged);
    cr_assert(y_was_updated(1));
    cr_assert(tune_slowly().cache_hit && y_was_updated(2));
}
Test(launches, what_was_queued_before_has_no_deadline) {
    const autotune_options o = {.launch_timeout = 0.05};
    standin_keep_busy();
    cr_assert(tune(saxpy_function, o).status == AUTOTUNE_OK, "%s", autotune_last_error());
}
Test(launches, a_bad_timeout_is_an_error_of_the_option) {
    const autotune_options o = {.launch_timeout = -1};
    cr_assert(tune(saxpy_function, o).status == AUTOTUNE_ERR_ARGUMENT &&
              contains(autotune_last_error(), ".launch_timeout is -1"));
}

static CUresult hit_answer;
static CUresult launch_or_answer(unsigned blocks, unsigned block, bool trial) {
    return !trial && hit_answer != CUDA_SUCCESS ? hit_answer : launch(saxpy_function, blocks, block);
}
static autotune_result tune_answering(CUresult code) {
    autotune_result result;
    hit_answer = code;
    AUTOTUNE(SPACE(AXIS(block, 64, 256)), cld(N, (unsigned)block),
             launch_or_answer(blocks.x, (unsigned)block, autotune_trial), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .result = &result);
    return result;
}
Test(launches, a_winner_that_fails_is_forgotten_but_not_for_what_it_cannot_help) {
    cr_assert(tune_answering(CUDA_SUCCESS).status == AUTOTUNE_OK);
    cr_assert(tune_answering(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED).status == AUTOTUNE_ERR_ENVIRONMENT);
    cr_assert(contains(autotune_last_error(), "the call failed: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED (901)"), "%s",
              autotune_last_error());
    cr_assert(tune_answering(CUDA_SUCCESS).cache_hit, "the winner is known still");
    cr_assert(tune_answering(CUDA_ERROR_INVALID_HANDLE).status == AUTOTUNE_FAILED);
    cr_assert(contains(autotune_last_error(), "the winner failed (CUDA_ERROR_INVALID_HANDLE (400)) and is forgotten"),
              "%s", autotune_last_error());
    cr_assert(!tune_answering(CUDA_SUCCESS).cache_hit && y_was_updated(3));
}

/* ---- Without a race ---------------------------------------------------------------------------------------------- */

/* The first two configurations have blocks of 2048 and 4096 threads. No device launches so many. */
static autotune_result launch_untuned(autotune_mode mode, int key) {
    autotune_result result;
    int n = N;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    AUTOTUNE(SPACE(AXIS(block, 2048, 4096, 256, 64)), cld(N, (unsigned)block),
             cuLaunchKernel(saxpy_function, blocks.x, 1, 1, (unsigned)block, 1, 1, 0, stream, arguments, NULL),
             .backend = CUDA(stream), .key = KEY(key), .mode = mode, .result = &result);
    return result;
}
Test(launches, without_a_race_what_cannot_be_launched_is_passed_on) {
    static const autotune_mode modes[] = {AUTOTUNE_OFF, AUTOTUNE_CACHED};
    for (int i = 0; i < 4; i++) {
        const autotune_result result = launch_untuned(modes[i / 2], i / 2);
        cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.verdict == AUTOTUNE_DEFAULT, "%s",
                  logged);
        cr_assert_eq(result.launches, i % 2 ? 1u : 3u, "the next call knows");
        cr_assert(y_was_updated(i + 1));
    }
    cr_assert(contains(logged, "block=2048, the first configuration, does not run here: CUDA_ERROR_INVALID_VALUE"),
              "%s", logged);
}

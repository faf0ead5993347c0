/* suite_contexts.c - the context of a statement: contexts and devices, default streams, captured streams. */
#include "saxpy.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(contexts, .init = start_cuda, .fini = expect_no_misuse);

static autotune_result tune_on(CUfunction function, CUstream where, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch_on(function, where, blocks.x, (unsigned)block), .backend = CUDA(where),
             .restore = BUFFERS({device(y), BYTES}), .mode = mode, .result = &result);
    return result;
}

/* Makes a context with its own arrays and its own copy of the kernel. It becomes the current context. */
static CUfunction enter_context(CUcontext *made, CUdevice on) {
    CUmodule loaded;
    CUfunction function;
    MUST(cuCtxCreate(made, NULL, 0, on));
    MUST(cuModuleLoad(&loaded, KERNELS "/saxpy.cubin"));
    MUST(cuModuleGetFunction(&function, loaded, "saxpy"));
    MUST(cuMemAlloc(&x, BYTES));
    MUST(cuMemAlloc(&y, BYTES));
    fill_arrays();
    return function;
}

/* ---- Contexts -------------------------------------------------------------------------------------------------------
 */

Test(contexts, contexts_on_one_device_share_a_winner) {
    CUcontext other;
    cr_assert(!tune_on(saxpy_function, 0, AUTOTUNE_ON).cache_hit);
    const CUfunction function = enter_context(&other, 0);
    const unsigned launched = standin_launches("saxpy");
    autotune_result result = tune_on(function, 0, AUTOTUNE_ON);
    cr_assert(result.cache_hit && result.index == 2 && result.launches == 1 && y_was_updated(1));
    cr_assert_eq(standin_launches("saxpy"), launched + 1);

    USE(tune_on(function, 0, AUTOTUNE_ON));
    const unsigned questions = standin_calls("cuStreamIsCapturing");
    tune_on(function, 0, AUTOTUNE_ON);
    cr_assert_eq(standin_calls("cuStreamIsCapturing"), questions, "a call there is a hit");
    MUST(cuCtxSetCurrent(context));
    tune_on(saxpy_function, 0, AUTOTUNE_ON);
    cr_assert_eq(standin_calls("cuStreamIsCapturing"), questions, "and so it is back here");
}
Test(contexts, another_device_is_tuned_for_itself) {
    CUcontext other;
    tune_on(saxpy_function, 0, AUTOTUNE_ON);
    const autotune_result result = tune_on(enter_context(&other, 1), 0, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && !result.cache_hit && result.tried == 4 && y_was_updated(1));
}
Test(contexts, a_winner_that_fails_in_one_context_is_forgotten_in_all) {
    CUcontext other;
    tune_on(saxpy_function, 0, AUTOTUNE_ON);
    const CUfunction function = enter_context(&other, 0);
    cr_assert(tune_on(function, 0, AUTOTUNE_ON).cache_hit);
    standin_fail("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    cr_assert(tune_on(function, 0, AUTOTUNE_ON).status == AUTOTUNE_FAILED);
    const autotune_result again = tune_on(function, 0, AUTOTUNE_ON);
    cr_assert(again.status == AUTOTUNE_OK && !again.cache_hit && again.tried == 4);
}
Test(contexts, a_winner_that_fails_where_it_was_found_is_forgotten_in_all) {
    CUcontext other;
    tune_on(saxpy_function, 0, AUTOTUNE_ON);
    const CUfunction function = enter_context(&other, 0);
    cr_assert(tune_on(function, 0, AUTOTUNE_ON).cache_hit);
    MUST(cuCtxSetCurrent(context));
    standin_fail("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    cr_assert(tune_on(saxpy_function, 0, AUTOTUNE_ON).status == AUTOTUNE_FAILED);
    MUST(cuCtxSetCurrent(other));
    cr_assert(!tune_on(function, 0, AUTOTUNE_ON).cache_hit);
}
Test(contexts, a_winner_that_is_cleared_or_found_anew_is_forgotten_in_all) {
    CUcontext other;
    tune_on(saxpy_function, 0, AUTOTUNE_ON);
    const CUfunction function = enter_context(&other, 0);
    cr_assert(tune_on(function, 0, AUTOTUNE_ON).cache_hit);
    cr_assert_eq(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    cr_assert(!tune_on(function, 0, AUTOTUNE_ON).cache_hit, "this context's own entry still answers");
    cr_assert(tune_on(function, 0, AUTOTUNE_ON).cache_hit);

    MUST(cuCtxSetCurrent(context));
    cr_assert(tune_on(saxpy_function, 0, AUTOTUNE_ON).cache_hit);
    MUST(cuCtxSetCurrent(other));
    cr_assert(!tune_on(function, 0, AUTOTUNE_FORCE).cache_hit);
    MUST(cuCtxSetCurrent(context));
    const unsigned questions = standin_calls("cuStreamIsCapturing");
    cr_assert(tune_on(saxpy_function, 0, AUTOTUNE_ON).cache_hit);
    cr_assert(standin_calls("cuStreamIsCapturing") > questions, "the old winner's entry of this context still answers");
}
Test(contexts, a_context_at_the_address_of_an_older_one_is_another) {
    CUcontext other, reborn;
    CUfunction function = enter_context(&other, 0);
    tune_on(function, 0, AUTOTUNE_ON);
    standin_break("saxpy", CUDA_ERROR_LAUNCH_FAILED);
    cr_assert(tune_on(function, 0, AUTOTUNE_FORCE).status == AUTOTUNE_ERR_DEVICE);
    cr_assert(tune_on(function, 0, AUTOTUNE_FORCE).status == AUTOTUNE_ERR_DEVICE, "this context is lost");
    standin_break("", 0);
    MUST(cuCtxDestroy(other));
    standin_create_in_place(&reborn);
    cr_assert(reborn == other);
    cr_assert(tune_on(function, 0, AUTOTUNE_FORCE).status == AUTOTUNE_OK, "%s", autotune_last_error());
}
Test(contexts, without_a_context_the_streams_own_is_current_while_tuning) {
    CUcontext now;
    MUST(cuCtxSetCurrent(NULL));
    const autotune_result result = tune_on(saxpy_function, stream, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2, "%s", autotune_last_error());
    MUST(cuCtxGetCurrent(&now));
    cr_assert(now == NULL, "and not after it");
    MUST(cuCtxSetCurrent(context));
    cr_assert(y_was_updated(1));
}
static CUresult clear(int times, CUcontext *where) {
    CUresult result = cuCtxGetCurrent(where);
    for (int i = 0; i < times && result == CUDA_SUCCESS; i++) result = cuMemsetD8Async(y, 0, BYTES, 0);
    return result;
}
Test(contexts, without_context_and_stream_the_primary_context_is_taken) {
    CUcontext now = NULL, first = NULL;
    autotune_result result;
    MUST(cuCtxSetCurrent(NULL));
    for (int i = 0; i < 3; i++) {
        AUTOTUNE(SPACE(AXIS(times, 4, 1)), 1, clear(times, &now), .backend = CUDA(0), .key = KEY(i), .result = &result);
        cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && now != NULL, "%s", logged);
        if (i == 0) first = now;
        cr_assert(now == first);
    }
    cr_assert_eq(standin_calls("cuDevicePrimaryCtxRetain"), 1);
    MUST(cuCtxGetCurrent(&now));
    cr_assert(now == NULL);
    MUST(cuCtxSetCurrent(context));
}

static bool is_told_of_the_fork(CUstream where) {
    const autotune_result result = tune_on(saxpy_function, where, AUTOTUNE_ON);
    return result.status == AUTOTUNE_ERR_ENVIRONMENT && result.launches == 0 &&
           contains(autotune_last_error(),
                    "CUDA does not work in a process made by fork: call exec there, or use CUDA only in the child");
}
Test(contexts, a_process_made_by_fork_is_told_so_and_makes_no_call) {
    int status = 0;
    tune_on(saxpy_function, stream, AUTOTUNE_ON);
    const pid_t child = fork();
    if (child == 0) _exit(is_told_of_the_fork(stream) && is_told_of_the_fork(0) ? EXIT_SUCCESS : EXIT_FAILURE);
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    cr_assert(tune_on(saxpy_function, stream, AUTOTUNE_ON).cache_hit && y_was_updated(2), "here all is as before");
}

/* ---- Streams --------------------------------------------------------------------------------------------------------
 */

Test(contexts, all_streams_share_a_winner) {
    CUstream second;
    MUST(cuStreamCreate(&second, 0));
    tune_on(saxpy_function, stream, AUTOTUNE_ON);
    cr_assert(tune_on(saxpy_function, second, AUTOTUNE_ON).cache_hit);
    cr_assert(tune_on(saxpy_function, 0, AUTOTUNE_ON).cache_hit);
    cr_assert(y_was_updated(3));
}
Test(contexts, default_streams_have_a_name) {
    cr_assert(autotune__cuda_named(NULL) == CU_STREAM_LEGACY && autotune__cuda_named(stream) == stream);
    cr_assert(tune_on(saxpy_function, CU_STREAM_PER_THREAD, AUTOTUNE_ON).status == AUTOTUNE_OK);
    cr_assert(y_was_updated(1));
}
Test(contexts, a_stream_of_another_context_is_an_error) {
    CUcontext other;
    CUfunction function = enter_context(&other, 0);
    const autotune_result result = tune_on(function, stream, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_ERR_ENVIRONMENT, "%s", autotune_last_error());
    cr_assert(contains(autotune_last_error(), "the stream is not of the current context"), "%s", autotune_last_error());
    cr_assert_eq(standin_launches("saxpy"), 0);
    MUST(cuCtxSetCurrent(context));
    cr_assert_eq(tune_on(saxpy_function, stream, AUTOTUNE_ON).status, AUTOTUNE_OK);
}

/* ---- Capture --------------------------------------------------------------------------------------------------------
 */

Test(contexts, a_captured_stream_gets_the_first_configuration_and_nothing_else) {
    CUgraph graph;
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const autotune_result result = tune_on(saxpy_function, stream, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.verdict == AUTOTUNE_DEFAULT && result.index == 0 &&
              result.launches == 1);
    cr_assert_eq(standin_captured(), 1);
    expect_no_misuse();
    MUST(cuStreamEndCapture(stream, &graph));
    cr_assert_eq(standin_launches("saxpy"), 0);
    cr_assert(!tune_on(saxpy_function, stream, AUTOTUNE_ON).cache_hit, "nothing was remembered");
}
Test(contexts, a_captured_stream_gets_no_launch_where_only_a_winner_may_be_launched) {
    CUgraph graph;
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const unsigned before = standin_calls("cuLaunchKernel");
    const autotune_result result = tune_on(saxpy_function, stream, AUTOTUNE_REQUIRE);
    cr_assert(result.status == AUTOTUNE_ERR_MISS && result.launches == 0, "%s", autotune_last_error());
    cr_assert(standin_calls("cuLaunchKernel") == before && standin_captured() == 0);
    expect_no_misuse();
    MUST(cuStreamEndCapture(stream, &graph));
}
Test(contexts, a_captured_stream_gets_the_known_winner) {
    CUgraph graph;
    tune_on(saxpy_function, stream, AUTOTUNE_ON);
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    autotune_result result = tune_on(saxpy_function, stream, AUTOTUNE_ON);
    cr_assert(result.cache_hit && result.index == 2);
    result = tune_on(saxpy_function, stream, AUTOTUNE_FORCE);
    cr_assert(result.cache_hit && result.index == 2, "FORCE waits until after the capture");
    cr_assert_eq(standin_captured(), 2);
    MUST(cuStreamEndCapture(stream, &graph));
}
Test(contexts, the_legacy_stream_is_not_tuned_while_another_is_captured) {
    CUgraph graph;
    /* The legacy stream waits for a stream of this kind. It does not wait for a non-blocking stream. */
    MUST(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const autotune_result result = tune_on(saxpy_function, 0, AUTOTUNE_ON);
    cr_assert(result.verdict == AUTOTUNE_DEFAULT && result.status == AUTOTUNE_ERR_ENVIRONMENT, "%s",
              autotune_last_error());
    cr_assert(contains(autotune_last_error(), "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT (906)"), "%s", autotune_last_error());
    cr_assert_eq(result.launches, 1, "the call is made, as on a captured stream, and the driver refuses it");
    MUST(cuStreamEndCapture(stream, &graph));
}
Test(contexts, what_another_stream_captures_does_not_keep_one_from_tuning) {
    CUgraph graph;
    CUstream second;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    MUST(cuStreamCreate(&second, 0));
    MUST(cuStreamBeginCapture(second, CU_STREAM_CAPTURE_MODE_GLOBAL));
    const autotune_result result = tune_on(saxpy_function, stream, AUTOTUNE_ON);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.tried == 4, "%s", autotune_last_error());
    MUST(cuThreadExchangeStreamCaptureMode(&mode));
    cr_assert(mode == CU_STREAM_CAPTURE_MODE_GLOBAL, "the thread's mode is as it was");
    MUST(cuStreamEndCapture(second, &graph));
}

/* Another thread captures its stream in global mode. The capture begins at the fifth launch of a race, and ends at the
   fiftieth. */
static struct {
    pthread_t thread;
    pthread_barrier_t turn;
    CUresult result;
    unsigned launches;
} capturer;
static void *capture_in_turn(void *argument) {
    CUstream its_own;
    CUgraph graph;
    (void)argument;
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&its_own, CU_STREAM_DEFAULT));
    pthread_barrier_wait(&capturer.turn);
    MUST(cuStreamBeginCapture(its_own, CU_STREAM_CAPTURE_MODE_GLOBAL));
    pthread_barrier_wait(&capturer.turn);
    pthread_barrier_wait(&capturer.turn);
    capturer.result = cuStreamEndCapture(its_own, &graph);
    pthread_barrier_wait(&capturer.turn);
    return NULL;
}
static void let_it_begin(void) {
    pthread_barrier_wait(&capturer.turn);
    pthread_barrier_wait(&capturer.turn);
}
static void let_it_end(void) {
    let_it_begin();
    pthread_join(capturer.thread, NULL);
}
static void start_capturer(void) {
    pthread_barrier_init(&capturer.turn, NULL, 2);
    pthread_create(&capturer.thread, NULL, capture_in_turn, NULL);
}
static CUresult launch_while_it_captures(unsigned blocks, unsigned block) {
    if (++capturer.launches == 5) let_it_begin();
    if (capturer.launches == 50) let_it_end();
    return launch(saxpy_function, blocks, block);
}
Test(contexts, a_capture_that_another_thread_begins_meanwhile_is_left_alone) {
    autotune_result result;
    start_capturer();
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch_while_it_captures(blocks.x, (unsigned)block), .backend = CUDA(stream),
             .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2 && result.failed == 0 && capturer.launches > 50, "%s",
              logged);
    cr_assert(capturer.result == CUDA_SUCCESS && y_was_updated(1));
}
static autotune_cuda_program set_program = CUDA_PROGRAM("extern \"C\" __global__ void set(float *y) { y[0] = VALUE; }");
static autotune_result set_untuned(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(VALUE, 5, 6)), 1, CUDA_LAUNCH(&set_program, "set", THREADS(1), SHARED(0), y),
             .backend = CUDA(stream), .mode = AUTOTUNE_OFF, .result = &result);
    return result;
}
Test(contexts, what_is_loaded_without_a_race_leaves_anothers_capture_alone) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    start_capturer();
    let_it_begin();
    cr_assert(set_untuned().status == AUTOTUNE_OK, "%s", autotune_last_error());
    MUST(cuThreadExchangeStreamCaptureMode(&mode));
    cr_assert(mode == CU_STREAM_CAPTURE_MODE_GLOBAL, "the thread's mode is as it was");
    let_it_end();
    cr_assert(capturer.result == CUDA_SUCCESS);
    MUST(cuMemcpyDtoH(host, y, 4));
    cr_assert(host[0] == 5);
}

/* ---- A statement inside a trial of another statement: it has its own stream and events --------------------------- */

static CUresult nested(unsigned blocks, unsigned block) {
    const autotune_result inner = tune_on(saxpy_function, 0, AUTOTUNE_ON);
    return inner.status == AUTOTUNE_OK ? launch(saxpy_function, blocks, block) : CUDA_ERROR_UNKNOWN;
}
Test(contexts, a_tuner_inside_anothers_trial_leaves_its_clock_alone) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 256)), cld(N, (unsigned)block), nested(blocks.x, (unsigned)block),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1, "%s", logged);
    cr_assert(y_was_updated(2));
}

/* ---- Created tuners: another thread tunes them later, on the stream that the program named before ---------------- */

static autotune_status launch_created(void *user, const autotune_config *config) {
    const unsigned block = (unsigned)autotune_get_int(config, "block");
    return autotune_cuda_status(launch_on(*(CUfunction *)user, stream, cld(N, block), block));
}
static const int64_t created_blocks[] = {2048, 64, 256};
static const autotune_axis created_axis = {.name = "block", .values = created_blocks, .count = 3};
static autotune_tuner *create(void) {
    const autotune_desc desc = {
        .name = "created", .axes = &created_axis, .axis_count = 1, .launch = launch_created, .user = &saxpy_function};
    return autotune_create(&desc);
}
Test(contexts, a_created_tuner_has_statuses_and_hits) {
    autotune_tuner *tuner = create();
    autotune_result result;
    const autotune_options options = {.backend = CUDA(stream),
                                      .result = &result,
                                      .restore = {.at = {{.memory = device(y), .bytes = BYTES}}, .count = 1}};
    cr_assert(autotune_call(tuner, &options) == AUTOTUNE_OK && result.index == 2 && result.failed == 1, "%s", logged);
    cr_assert(contains(logged, "block=2048  (CUDA_ERROR_INVALID_VALUE (1))"), "%s", logged);
    cr_assert(autotune_call(tuner, &options) == AUTOTUNE_OK && result.cache_hit && y_was_updated(2));
    autotune_destroy(tuner);
}
static void *tune_what_was_queued(void *result) {
    CUstream captured;
    CUcontext other;
    CUgraph graph;
    MUST(cuCtxCreate(&other, NULL, 0, 1));
    MUST(cuStreamCreate(&captured, 0));
    MUST(cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    (void)CUDA(captured); /* the last stream that this thread named; the tuner must use the stream of its case */
    *(autotune_status *)result = autotune_tune_all();
    MUST(cuStreamEndCapture(captured, &graph));
    return NULL;
}
Test(contexts, what_was_queued_keeps_its_stream_and_context) {
    autotune_tuner *tuner = create();
    const autotune_options options = {.backend = CUDA(stream),
                                      .restore = {.at = {{.memory = device(y), .bytes = BYTES}}, .count = 1}};
    autotune_status status = AUTOTUNE_FAILED;
    pthread_t thread;
    cr_assert(autotune_add(tuner, &options) == AUTOTUNE_OK);
    pthread_create(&thread, NULL, tune_what_was_queued, &status);
    pthread_join(thread, NULL);
    cr_assert(status == AUTOTUNE_OK, "%s", logged);
    cr_assert(y_was_updated(0));
    autotune_result result;
    autotune_options again = options;
    again.result = &result;
    cr_assert(autotune_call(tuner, &again) == AUTOTUNE_OK && result.cache_hit && result.index == 2 && y_was_updated(1));
    autotune_destroy(tuner);
}

/* ---- Threads --------------------------------------------------------------------------------------------------------
 */

static autotune_result results[4];
static void *tune_in_a_thread(void *result) {
    MUST(cuCtxSetCurrent(context));
    *(autotune_result *)result = tune_on(saxpy_function, stream, AUTOTUNE_ON);
    return NULL;
}
Test(contexts, threads_share_one_race) {
    pthread_t threads[4];
    size_t raced = 0;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, tune_in_a_thread, &results[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) {
        cr_assert(results[i].status == AUTOTUNE_OK && results[i].index == 2, "thread %d: status %d, index %zu; %s", i,
                  results[i].status, results[i].index, logged);
        raced += results[i].tried > 0;
    }
    cr_assert_eq(raced, 1);
    cr_assert(y_was_updated(4));
}

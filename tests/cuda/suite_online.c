/* suite_online.c - mode ONLINE on a device: no thread waits for a launch, kernels are compiled ahead, and a captured
   stream is left alone. */
#define _DEFAULT_SOURCE
#include "saxpy.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

/* The device is DEPTH launches behind the calls. */
enum { DEPTH = 20, MOST_CALLS = 6000 };
static void start(void) {
    standin_watch_memory();
    start_cuda();
    standin_set_depth(DEPTH);
    autotune_set_log(keep_line, NULL);
}
TestSuite(online, .init = start, .fini = expect_no_misuse);
TestSuite(broken_online, .init = start); /* without expect_no_misuse(): the program launches in a broken context */

/* Returns the number of calls of the driver that wait for the device, or may wait. */
static unsigned waits(void) {
    static const char *const functions[] = {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize",
                                            "cuMemcpyDtoH", "cuMemcpyHtoD", "cuMemcpyAsync", "cuMemAlloc", "cuMemFree",
                                            "cuMemsetD8Async", "cuMemsetD32Async"};
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) sum += standin_calls(functions[i]);
    return sum;
}
static unsigned watch;
static autotune_result call_on(CUstream where, CUfunction function) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch_on(function, where, blocks.x, (unsigned)block), .backend = CUDA(where), .mode = AUTOTUNE_ONLINE,
             .watch = watch, .result = &result);
    return result;
}
/* Returns true if y was updated `times` times. Each update adds 2 x. Only the first 1000 elements are compared, because
   a float is not exact for the numbers of later elements. */
static bool was_updated(unsigned times) {
    MUST(cuMemcpyDtoH(host, y, BYTES));
    for (int i = 0; i < 1000; i++)
        if (host[i] != (float)i * (float)(1 + 2 * times)) return false;
    return true;
}

/* ---- Launches of one's own --------------------------------------------------------------------------------------- */

Test(online, a_loop_is_tuned_and_nobody_waits) {
    const unsigned waited = waits();
    unsigned calls = 0;
    autotune_result result;
    do {
        result = call_on(stream, saxpy_function);
        cr_assert(result.status == AUTOTUNE_OK && result.launches == 1, "%s", logged);
        cr_assert_eq(standin_launches("saxpy"), ++calls);
    } while (!result.cache_hit && calls < MOST_CALLS);
    cr_assert(result.cache_hit && result.index == 2 && result.verdict == AUTOTUNE_SEPARATED, "%s", logged);
    cr_assert_eq(waits(), waited, "nothing was waited for");
    const unsigned all = standin_all_calls();
    cr_assert(call_on(stream, saxpy_function).index == 2);
    cr_assert_eq(standin_all_calls(), all + 2, "an ordinary hit: the context is asked for, and the kernel is launched");
    cr_assert(was_updated(calls + 1));
}
static double cost_after_a_change(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared) {
    return block[0] == 256 ? 200e3 : cost(name, grid, block, shared);
}
Test(online, a_winner_that_is_watched_and_slows_down_is_replaced) {
    unsigned calls = 0;
    autotune_result result;
    watch = 4;
    do result = call_on(stream, saxpy_function);
    while ((!result.cache_hit || result.verdict == AUTOTUNE_ONGOING) && ++calls < MOST_CALLS);
    cr_assert(result.index == 2 && calls < MOST_CALLS, "%s", logged);
    for (calls = 0; calls < 200; calls++) (void)call_on(stream, saxpy_function); /* they show the winner's usual time */
    standin_set_cost(cost_after_a_change);
    for (calls = 0; (result.index != 3 || result.verdict == AUTOTUNE_ONGOING) && ++calls < MOST_CALLS;)
        result = call_on(stream, saxpy_function);
    cr_assert(result.index == 3 && calls < MOST_CALLS, "%u calls: %s", calls, logged);
}
Test(online, a_captured_stream_is_left_alone) {
    CUgraph graph;
    for (int i = 0; i < 40; i++) (void)call_on(stream, saxpy_function);
    const unsigned queries = standin_calls("cuEventQuery"), records = standin_calls("cuEventRecord"),
                   captured = standin_captured(), modes = standin_calls("cuThreadExchangeStreamCaptureMode");
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    for (int i = 0; i < 10; i++) {
        const unsigned all = standin_all_calls(), questions = standin_calls("cuCtxGetCurrent") +
                                                              standin_calls("cuStreamIsCapturing");
        cr_assert_eq(call_on(stream, saxpy_function).status, AUTOTUNE_OK);
        cr_assert_eq(standin_all_calls() - all - 1,
                     standin_calls("cuCtxGetCurrent") + standin_calls("cuStreamIsCapturing") - questions,
                     "besides the launch it is asked for the context and the capture alone");
    }
    MUST(cuStreamEndCapture(stream, &graph));
    cr_assert(standin_calls("cuEventQuery") == queries && standin_calls("cuEventRecord") == records &&
              standin_calls("cuThreadExchangeStreamCaptureMode") == modes);
    cr_assert_eq(standin_captured(), captured + 10);
}
Test(online, the_first_call_may_be_captured) {
    CUgraph graph;
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    cr_assert(call_on(stream, saxpy_function).index == 0 && standin_captured() == 1);
    MUST(cuStreamEndCapture(stream, &graph));
    cr_assert(standin_calls("cuEventCreate") == 0 && call_on(stream, saxpy_function).verdict == AUTOTUNE_ONGOING);
}
/* A stream is captured in global mode, as another thread would do it. A query of an event outside the relaxed mode
   would end this capture. */
Test(online, the_capture_of_another_thread_goes_on) {
    CUstream captured;
    CUgraph graph;
    for (int i = 0; i < 10; i++) (void)call_on(stream, saxpy_function);
    MUST(cuStreamCreate(&captured, CU_STREAM_NON_BLOCKING));
    MUST(cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_GLOBAL));
    for (int i = 0; i < 100; i++) (void)call_on(stream, saxpy_function);
    MUST(cuStreamEndCapture(captured, &graph));
    cr_assert_gt(standin_calls("cuEventQuery"), 0u);
}
static CUstream streams[2];
static void *call_from_a_thread(void *unused) {
    MUST(cuCtxSetCurrent(context));
    for (int i = 0; i < 500; i++) cr_assert_eq(call_on(streams[i % 2], saxpy_function).status, AUTOTUNE_OK);
    return unused;
}
Test(online, each_call_is_clocked_on_its_own_stream_in_its_own_thread) {
    pthread_t threads[2];
    const unsigned waited = waits();
    for (int i = 0; i < 2; i++) MUST(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, call_from_a_thread, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    autotune_result result = call_on(stream, saxpy_function);
    for (unsigned calls = 0; !result.cache_hit && calls < MOST_CALLS; calls++) result = call_on(stream, saxpy_function);
    cr_assert(result.cache_hit, "%s", logged); /* any winner is right, because the two threads disturb each other */
    cr_assert_eq(waits(), waited);
}
/* A kernel breaks the context. A later call finds the sticky error. The library blames the configuration whose launch
   did not complete, and the race ends. */
Test(broken_online, a_context_that_breaks_ends_the_race) {
    autotune_result result;
    for (int i = 0; i < 60; i++) (void)call_on(stream, saxpy_function);
    standin_break("saxpy", CUDA_ERROR_ILLEGAL_ADDRESS);
    (void)call_on(stream, saxpy_function);
    for (int i = 0; i < 2 * DEPTH && !contains(logged, "CUDA_ERROR_ILLEGAL_ADDRESS"); i++)
        result = call_on(stream, saxpy_function);
    cr_assert(contains(logged, "CUDA_ERROR_ILLEGAL_ADDRESS (700); it is not tried again"), "%s", logged);
    const unsigned queries = standin_calls("cuEventQuery");
    result = call_on(stream, saxpy_function);
    cr_assert_neq(result.status, AUTOTUNE_OK);
    cr_assert_eq(standin_calls("cuEventQuery"), queries);
}
Test(online, shutting_down_frees_the_events) {
    const size_t objects = standin_objects();
    for (int i = 0; i < 60; i++) (void)call_on(stream, saxpy_function);
    cr_assert_gt(standin_objects(), objects);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    cr_assert_eq(standin_objects(), objects);
    cr_assert_eq(call_on(stream, saxpy_function).verdict, AUTOTUNE_ONGOING);
}
Test(online, a_context_that_was_destroyed_is_not_asked) {
    for (int i = 0; i < 60; i++) (void)call_on(stream, saxpy_function);
    MUST(cuCtxDestroy(context));
    standin_create_in_place(&context);
    const unsigned queries = standin_calls("cuEventQuery"), freed = standin_calls("cuEventDestroy");
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    cr_assert(standin_calls("cuEventQuery") == queries && standin_calls("cuEventDestroy") == freed);
}

/* ---- A kernel for each configuration ----------------------------------------------------------------------------- */

static const char text[] = "#ifdef BROKEN_AT\n"
                           "#if TILE == BROKEN_AT\n"
                           "#error this tile is broken\n"
                           "#endif\n"
                           "#endif\n"
                           "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) {\n"
                           "    for (int i = 0; i < TILE; i++) {\n"
                           "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n"
                           "        if (at < n) y[at] = a * x[at] + y[at];\n"
                           "    }\n"
                           "}\n";
static autotune_cuda_program tile = CUDA_PROGRAM(text, "-DNAMED"), broken_tile = CUDA_PROGRAM(text, "-DBROKEN_AT=2"),
                             one_tile = CUDA_PROGRAM(text, "-DTILE=1");
static double tile_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    return grid[0] == cld(N, 64) ? 40e3 : grid[0] == cld(N, 128) ? 60e3 : 80e3;
}
static int key;
static autotune_result call_program(autotune_cuda_program *program) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .mode = AUTOTUNE_ONLINE, .key = KEY(key), .result = &result);
    return result;
}
static pthread_t main_thread;
static volatile bool may_compile;
static volatile unsigned compiled_in_calls;
static void compile_slowly(void) {
    if (pthread_equal(pthread_self(), main_thread)) compiled_in_calls++;
    else while (!may_compile) usleep(1000);
}
static unsigned settle_program(autotune_cuda_program *program, unsigned calls, autotune_result *result) {
    for (result->cache_hit = false; !result->cache_hit && calls < MOST_CALLS; calls++) {
        *result = call_program(program);
        cr_assert(result->status == AUTOTUNE_OK, "%s", logged);
        if (calls % 50 == 49) do usleep(10000); while (standin_compiling()); /* the workers get time to compile */
    }
    return calls;
}
Test(online, kernels_are_compiled_ahead_and_not_waited_for) {
    autotune_result result;
    unsigned calls;
    main_thread = pthread_self();
    standin_set_cost(tile_cost);
    standin_set_before_compilation(compile_slowly);
    cr_assert(call_program(&tile).index == 0 && compiled_in_calls == 1);
    const unsigned waited = waits();
    for (calls = 1; calls < 200; calls++)
        cr_assert(call_program(&tile).index == 0, "the kernels of the others are not there yet");
    may_compile = true;
    calls = settle_program(&tile, calls, &result);
    cr_assert(result.index == 1 && compiled_in_calls == 1, "%d, %u: %s", (int)result.index, compiled_in_calls, logged);
    cr_assert_eq(waits(), waited);
    cr_assert(was_updated(calls));
}
static unsigned thread_count(void) {
    DIR *threads = opendir("/proc/self/task");
    unsigned count = 0;
    cr_assert(threads);
    while (readdir(threads)) count++;
    closedir(threads);
    return count;
}
Test(online, a_key_whose_kernels_are_loaded_starts_no_thread) {
    autotune_result result;
    standin_set_cost(tile_cost);
    const unsigned without = thread_count();
    (void)call_program(&tile);
    cr_assert_gt(thread_count(), without, "the kernels of the others are compiled ahead");
    (void)settle_program(&tile, 1, &result);
    cr_assert_eq(thread_count(), without);
    key = 1;
    for (result.cache_hit = false; !result.cache_hit; result = call_program(&tile))
        cr_assert_eq(thread_count(), without);
}
Test(online, what_cannot_be_compiled_is_made_with_another_configuration) {
    autotune_result result;
    unsigned calls;
    standin_set_cost(tile_cost);
    calls = settle_program(&broken_tile, 0, &result);
    cr_assert(result.index == 2, "%d: %s", (int)result.index, logged);
    cr_assert(was_updated(calls), "each call was made once");
}
Test(online, so_is_what_cannot_be_launched) {
    autotune_result result;
    unsigned calls = 0;
    do {
        AUTOTUNE(SPACE(AXIS(threads, 32, 2048, 64)), 1,
                 CUDA_LAUNCH(&one_tile, "tile_saxpy", THREADS(threads), SHARED(0), 1, 0.0f, x, y),
                 .backend = CUDA(stream), .key = KEY(1), .mode = AUTOTUNE_ONLINE, .result = &result, .name = "wide");
        cr_assert(result.status == AUTOTUNE_OK, "%s", logged);
    } while (!result.cache_hit && ++calls < MOST_CALLS);
    cr_assert(result.cache_hit && contains(logged, "threads=2048"), "%s", logged);
}

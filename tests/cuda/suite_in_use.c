/* suite_in_use.c - the first calls of a known winner on a device: two events stand around each call. Later calls ask
   for the time between the events, and no thread waits. */
#define _DEFAULT_SOURCE
#include "saxpy.h"
#include "expect.h"
#include "cache_file.h"

#include <pthread.h>

enum { TIMED = 8, MARKS = 2 * TIMED };
static void start(void) {
    standin_watch_memory();
    start_cuda();
}
TestSuite(in_use, .init = start, .fini = expect_no_misuse);
TestSuite(broken_in_use, .init = start); /* without expect_no_misuse(): the program launches in a broken context */

static double factor = 1; /* the time of a call for real, divided by the time of a trial */
static double cost_in_use(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared) {
    return factor * cost(name, grid, block, shared);
}
static autotune_result call_on(CUstream where) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch_on(saxpy_function, where, blocks.x, (unsigned)block), .backend = CUDA(where),
             .cache_state = AUTOTUNE_HOT, .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 2, "%s", logged);
    return result;
}
static autotune_result call(void) { return call_on(stream); }
static void race(void) {
    standin_set_cost(cost_in_use);
    cr_assert(!call().cache_hit);
}
/* Makes a call. Returns true if the call is a hit: it asks the driver for the current context, and launches. */
static autotune_result last;
static bool hits(void) {
    const unsigned all = standin_all_calls();
    last = call();
    return last.cache_hit && standin_all_calls() == all + 2;
}
static size_t calls_until_hit(void) {
    size_t calls = 0;
    while (!hits()) cr_assert(calls++ < 3000);
    return calls;
}
/* Returns the number of calls of the driver that wait for the device, or may wait. */
static unsigned waits(void) {
    static const char *const functions[] = {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize",
                                            "cuMemcpyDtoH", "cuMemcpyHtoD", "cuMemcpyAsync", "cuMemAlloc", "cuMemFree",
                                            "cuMemsetD8Async", "cuMemsetD32Async"};
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) sum += standin_calls(functions[i]);
    return sum;
}
static bool tells(void) { return contains(logged, "a call in use"); }

/* ---- What is timed ----------------------------------------------------------------------------------------------- */

Test(in_use, eight_calls_are_marked_and_the_next_one_asks_for_the_last) {
    race();
    const unsigned waited = waits(), records = standin_calls("cuEventRecord");
    const size_t objects = standin_objects();
    for (int i = 0; i < TIMED; i++) cr_assert(!hits() && is_nan(last.in_use_ns));
    cr_assert(!hits());
    cr_assert_eq(standin_calls("cuEventRecord"), records + MARKS);
    cr_assert_eq(standin_objects(), objects, "the marks are freed");
    cr_assert_eq(waits(), waited, "nobody waits");
    const double in_use_ns = call().in_use_ns;
    cr_expect(in_use_ns >= 25e3 && in_use_ns < 30e3, "%g", in_use_ns); /* 25 us of the kernel, and the event itself */
    cr_expect(!tells(), "%s", logged);
}
Test(in_use, the_tenth_call_with_a_known_winner_is_a_hit) {
    race();
    cr_expect_eq(calls_until_hit(), TIMED + 1);
    cr_expect(!is_nan(call().in_use_ns));
}
Test(in_use, a_device_that_is_behind_is_asked_later) {
    enum { DEPTH = 50 };
    race();
    standin_set_depth(DEPTH);
    const unsigned waited = waits();
    const size_t calls = calls_until_hit();
    cr_expect(calls >= DEPTH + TIMED && calls <= DEPTH + 2 * TIMED, "%zu", calls);
    cr_expect(waits() == waited && !is_nan(call().in_use_ns));
}
Test(in_use, a_device_that_never_answers_is_not_asked_for_ever) {
    race();
    standin_set_depth(100000);
    const size_t objects = standin_objects();
    cr_expect_eq(calls_until_hit(), 1001);
    cr_expect_eq(standin_objects(), objects, "the marks are freed");
    cr_expect(is_nan(call().in_use_ns) && !tells());
}
static CUstream streams[2];
static void *call_from_a_thread(void *unused) {
    MUST(cuCtxSetCurrent(context));
    for (int i = 0; i < 200; i++) (void)call_on(streams[i % 2]);
    return unused;
}
Test(in_use, threads_and_streams_share_the_eight_calls) {
    pthread_t threads[2];
    race();
    const unsigned records = standin_calls("cuEventRecord");
    for (int i = 0; i < 2; i++) MUST(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 2; i++) cr_assert(!pthread_create(&threads[i], NULL, call_from_a_thread, NULL));
    for (int i = 0; i < 2; i++) cr_assert(!pthread_join(threads[i], NULL));
    cr_expect(hits() && !is_nan(call().in_use_ns));
    cr_expect_eq(standin_calls("cuEventRecord"), records + MARKS);
}
static autotune_status launch_created(void *user, const autotune_config *config) {
    const unsigned block = (unsigned)autotune_get_int(config, "block");
    return (void)user, autotune_cuda_status(launch(saxpy_function, cld(N, block), block));
}
Test(in_use, calls_of_a_created_tuner_are_timed) {
    const int64_t blocks[] = {64, 256};
    const autotune_axis axis = {.name = "block", .values = blocks, .count = 2};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created};
    autotune_tuner *tuner = autotune_create(&desc);
    autotune_result result;
    autotune_options options = {.backend = CUDA(stream), .result = &result};
    for (int i = 0; i < 1 + TIMED + 1; i++) cr_assert_eq(autotune_call(tuner, &options), AUTOTUNE_OK);
    cr_assert_eq(autotune_call(tuner, &options), AUTOTUNE_OK);
    cr_expect(!is_nan(result.in_use_ns));
    autotune_destroy(tuner);
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static void use_with(double times) {
    race();
    factor = times;
    for (int i = 0; i < 2 * TIMED; i++) (void)call();
}
Test(in_use, what_takes_far_longer_in_use_is_told_once) {
    use_with(4);
    cr_expect(contains(logged, "x what the race measured: its trials were not like the program's calls (") &&
                  contains(logged, "); see 'In use' in the manual") && count_of(logged, "a call in use") == 1,
              "%s", logged);
}
Test(in_use, what_takes_far_less_in_use_is_told) {
    factor = 10;
    use_with(1);
    cr_expect(tells(), "%s", logged);
}
Test(in_use, what_is_as_raced_is_not_told) {
    use_with(1.8);
    cr_expect(!tells(), "%s", logged);
}
/* A race queues launches one after the other, so the time of the CPU is hidden. In use the CPU needs 6 us for each
   launch, and the kernel only 3 us. This difference is normal, so the log does not tell it. */
Test(in_use, the_launch_of_a_quick_kernel_is_not_told) {
    factor = 3e3 / 25e3;
    standin_set_overhead(6e3);
    use_with(3e3 / 25e3);
    cr_expect(!tells() && call().in_use_ns > 5e3, "%s", logged);
}

/* A process tunes. The test edits the record, so that the race took less than 10 ms. Another process uses the
   record. */
TestSuite(recorded_in_use, .init = use_new_folder, .fini = remove_folder);
static char *log_of_child;
static void run_in_child(void (*program)(void)) {
    int status;
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        start_cuda();
        standin_set_cost(cost_in_use);
        program();
        snprintf(log_of_child, sizeof logged, "%s", logged);
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}
static void use_for_longer(void) {
    factor = 4;
    while (!hits()) {}
}
Test(recorded_in_use, a_short_race_is_named) {
    char seconds[40];
    log_of_child = shared_memory(sizeof logged);
    run_in_child(race);
    const char *at = strstr(cache_bytes().at, "\"seconds\":");
    cr_assert(at);
    snprintf(seconds, sizeof seconds, "%.*s", (int)strcspn(at, ","), at);
    cr_assert_eq(edit_records(cache_file, seconds, "\"seconds\":0.009"), 1);
    run_in_child(use_for_longer);
    EXPECT_CONTAINS(log_of_child, "(the race took less than 10 ms, and the device's clock may rise for longer); see");
}

/* ---- What is left alone ------------------------------------------------------------------------------------------ */

Test(in_use, a_captured_stream_is_left_alone) {
    CUgraph graph;
    race();
    (void)call();
    const unsigned records = standin_calls("cuEventRecord");
    MUST(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    for (int i = 0; i < 10; i++) (void)call();
    cr_assert_eq(standin_calls("cuEventRecord"), records);
    MUST(cuStreamEndCapture(stream, &graph));
    cr_assert_eq(standin_captured(), 10);
    cr_expect_eq(calls_until_hit(), TIMED);
    cr_expect_eq(standin_calls("cuEventRecord"), records + MARKS - 2);
}
/* A stream is captured in global mode, as another thread would do it. A query of an event outside the relaxed mode
   would end this capture. */
Test(in_use, the_capture_of_another_thread_goes_on) {
    CUstream captured;
    CUgraph graph;
    race();
    MUST(cuStreamCreate(&captured, CU_STREAM_NON_BLOCKING));
    MUST(cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_GLOBAL));
    cr_expect_eq(calls_until_hit(), TIMED + 1);
    MUST(cuStreamEndCapture(captured, &graph));
}
Test(in_use, nothing_is_timed_while_a_tool_watches_the_launches) {
    race();
    setenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR", "/", 1);
    const unsigned records = standin_calls("cuEventRecord");
    cr_expect_eq(calls_until_hit(), 3 * TIMED + 1);
    cr_expect(standin_calls("cuEventRecord") == records && is_nan(call().in_use_ns));
}
Test(in_use, a_context_that_was_destroyed_is_asked_nothing) {
    race();
    (void)call();
    MUST(cuCtxDestroy(context));
    cr_expect_eq(autotune_shutdown(), AUTOTUNE_OK);
}
/* A kernel breaks the context in a call for real. The next calls of the program fail, too, and the program sees the
   error of the driver itself. */
Test(broken_in_use, an_error_of_the_device_stays_the_programs) {
    race();
    standin_break("saxpy", CUDA_ERROR_ILLEGAL_ADDRESS);
    (void)call();
    const size_t length = strlen(logged);
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch_on(saxpy_function, stream, blocks.x, (unsigned)block), .backend = CUDA(stream), .name = "another",
             .mode = AUTOTUNE_OFF, .result = &result);
    cr_expect_eq(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
    cr_expect(!tells() && strlen(logged) >= length, "%s", logged);
}

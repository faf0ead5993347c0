/* plain_in_use.c - the first calls of a known winner: their commands have events. Later calls ask for the times of
   the events, and no thread waits. */
#include "faults.h"

enum { TIMED = 8 };
static autotune_opencl_program source = OPENCL_PROGRAM("__kernel void add(__global float *y) {}");
static cl_kernel add;
static cl_mem y;
static autotune_result result;
static size_t evaluations;
static long factor = 1; /* the time of a launch, divided by the time in the race */

static double time_of(size_t local) { return (double)factor * (500 + 100000. / (double)local); }
static void begin(void) {
    memset(control, 0, sizeof *control);
    control->time_of = time_of;
    factor = 1;
    cl_program program = build(context, "");
    add = kernel_of(program, "add");
    MUST(clReleaseProgram(program));
    y = floats(context, 0);
    MUST(clSetKernelArg(add, 0, sizeof y, &y));
    *logged = 0;
    autotune_set_log(keep_log, NULL);
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
}
static void end(void) {
    MUST(clReleaseMemObject(y));
    MUST(clReleaseKernel(add));
}
static size_t evaluated(void) { return evaluations++, 1; }
static void launch(cl_command_queue on) {
    AUTOTUNE(SPACE(AXIS(local, 16, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(on),
             .key = KEY(evaluated()), .result = &result);
}
static void launch_here(void) { launch(queue); }
static void run(void) {
    AUTOTUNE(SPACE(AXIS(SIZE, 16, 64)), 1, OPENCL_RUN(&source, "add", GLOBAL(N), LOCAL(SIZE), y),
             .backend = OPENCL(queue), .key = KEY(evaluated()), .result = &result);
}
static cl_int enqueue_twice(size_t local, cl_event *first, cl_event *second) {
    const size_t n = N;
    const cl_int error = clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, first);
    return error != CL_SUCCESS ? error : clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, second);
}
static void call_of_ones_own(void) {
    AUTOTUNE(SPACE(AXIS(local, 16, 64)), 1, enqueue_twice((size_t)local, OPENCL_EVENT, OPENCL_EVENT),
             .backend = OPENCL(queue), .key = KEY(evaluated()), .result = &result);
}
/* Makes a call. Returns true if it is a hit. A hit evaluates its options once, any other call twice. */
static bool hits(void (*call)(void)) {
    const size_t before = evaluations;
    call();
    CHECK(result.status == AUTOTUNE_OK);
    return result.cache_hit && evaluations == before + 1;
}
static size_t calls_until_hit(void (*call)(void)) {
    size_t calls = 0;
    while (!hits(call)) CHECK(calls++ < 3000);
    return calls;
}
static bool is_unknown(double ns) { return !(ns >= 0); }

static void eight_calls_have_events(void) {
    static const struct { void (*call)(void); double ns; } kinds[] = {
        { launch_here, 2062.5 }, { run, 2062.5 }, { call_of_ones_own, 2 * 2062.5 } };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        begin();
        CHECK(!hits(kinds[i].call));
        const long waited = control->waits;
        CHECK(calls_until_hit(kinds[i].call) == TIMED + 1);
        CHECK(result.in_use_ns > kinds[i].ns - 2 && result.in_use_ns < kinds[i].ns + 2 && control->waits == waited);
        CHECK(!strstr(logged, "a call in use"));
        end();
    }
}
static void a_device_that_is_behind_is_asked_later(void) {
    begin();
    CHECK(!hits(launch_here));
    control->behind = 30;
    const long waited = control->waits;
    const size_t calls = calls_until_hit(launch_here);
    CHECK(calls >= 30 + TIMED && calls < 30 + 2 * TIMED && control->waits == waited && !is_unknown(result.in_use_ns));
    end();
}
static void what_takes_far_longer_is_told(void) {
    begin();
    CHECK(!hits(launch_here));
    factor = 20;
    CHECK(calls_until_hit(launch_here) == TIMED + 1);
    CHECK_LOG("41.2");
    CHECK_LOG("us a call in use, 20.0");
    end();
}
/* A queue without times cannot time the calls in use. They are made untimed, and the log says nothing about this. */
static cl_command_queue untimed;
static void launch_untimed(void) { launch(untimed); }
static void a_queue_without_times_is_left_alone(void) {
    begin();
    untimed = queue_with(0);
    CHECK(!hits(launch_here));
    const size_t length = strlen(logged);
    CHECK(calls_until_hit(launch_untimed) == 3 * TIMED + 1 && is_unknown(result.in_use_ns));
    CHECK(strlen(logged) == length);
    MUST(clReleaseCommandQueue(untimed));
    end();
}
static void a_command_that_ends_with_an_error_does_not_count(void) {
    begin();
    CHECK(!hits(launch_here));
    control->fail_at = control->launches + 3;
    CHECK(calls_until_hit(launch_here) == TIMED + 2 && !is_unknown(result.in_use_ns));
    end();
}
/* The launch() of a created tuner is no part of a statement, so its calls in use are not timed. */
static autotune_status launch_created(void *user, const autotune_config *config) {
    const autotune_opencl_size global = { 1, { N, 1, 1 } },
                               local = { 1, { (size_t)autotune_get_int(config, "local"), 1, 1 } };
    return (void)user, autotune_opencl_launch(add, global, local);
}
static void a_created_tuner_is_not_timed(void) {
    static const int64_t locals[] = { 16, 64 };
    const autotune_axis axis = { .name = "local", .values = locals, .count = 2 };
    const autotune_desc desc = { .name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created };
    begin();
    const autotune_options options = { .backend = OPENCL(queue), .result = &result };
    autotune_tuner *tuner = autotune_create(&desc);
    for (int i = 0; i < 5 * TIMED; i++) CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK);
    CHECK(is_unknown(result.in_use_ns) && result.cache_hit);
    autotune_destroy(tuner);
    end();
}

int main(void) {
    static const plain_test tests[] = {
        { "eight calls have events", eight_calls_have_events },
        { "a device that is behind", a_device_that_is_behind_is_asked_later },
        { "far longer", what_takes_far_longer_is_told },
        { "a queue without times", a_queue_without_times_is_left_alone },
        { "a command that fails", a_command_that_ends_with_an_error_does_not_count },
        { "a created tuner", a_created_tuner_is_not_timed }
    };
    setenv("AUTOTUNE_LOG", "winner", 1);
    find_test_device();
    (void)RUN_PLAIN_TESTS(tests);
    (void)autotune_shutdown();
    return EXIT_SUCCESS;
}

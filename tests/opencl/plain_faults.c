/* plain_faults.c - faults that a real device does not make on request: kernels that hang, end with an error, or break
   the device; no memory; no times. Also tests that need exact times. */
#include "faults.h"
#include "../sanitized.h"
#include <pthread.h>

static cl_kernel add;
static cl_mem y;

/* Makes a new context for each test, because a context whose device was lost stays lost. */
static void begin(void) {
    const char *text = "";
    memset(control, 0, sizeof *control);
    find_device();
    cl_program program = build(context, text);
    add = kernel_of(program, "add");
    MUST(clReleaseProgram(program));
    y = floats(context, 0);
    MUST(clSetKernelArg(add, 0, sizeof y, &y));
    *logged = 0;
    autotune_set_log(keep_log, NULL);
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
}
static void end(void) {
    control->lost = 0;
    MUST(clReleaseMemObject(y));
    MUST(clReleaseKernel(add));
    MUST(clReleaseCommandQueue(queue));
}
static autotune_result tune(double timeout) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(local, 1, 0, 16, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .launch_timeout = timeout, .result = &result);
    return result;
}
static bool is_winner(const autotune_result *result, long local) {
    return result->status == AUTOTUNE_OK && autotune_get_int(&result->config, "local") == local;
}

static void times_are_those_of_the_device(void) {
    begin();
    autotune_result result = tune(0);
    CHECK(is_winner(&result, 64) && all_are(y, 1));
    CHECK(result.median_ns > 2061 && result.median_ns < 2063);              /* 500 + 100000 / 64 ns */
    /* The first configuration takes 100500 ns, or NaN if the race had no time to compare it with the winner. */
    CHECK(!(result.default_ns <= 100499 || result.default_ns >= 100501));
    result = tune(0);
    CHECK(result.cache_hit && all_are(y, 2));
    CHECK(!strcmp(autotune_opencl(queue)->device, "test device, 4 compute units, 1024 MiB, OpenCL 1.2 test, driver 1"));
    end();
}
/* The commands that the program queued before are no part of a trial, and may take longer than a trial. So the library
   waits for them first. */
static void a_queue_is_empty_before_the_first_trial(void) {
    begin();
    const long launches = control->launches;
    control->before_finish = -1;
    CHECK(tune(0).status == AUTOTUNE_OK && control->before_finish == launches);
    end();
}
static void a_device_with_long_words_has_them_all(void) {
    char words[320];
    begin();
    control->wordy = 1;
    snprintf(words, sizeof words, "%-99s., 4 compute units, 1024 MiB, %-99s., driver 1", "test device",
             "OpenCL 1.2 test");
    CHECK(!strcmp(autotune_opencl(queue)->device, words));
    end();
}
static cl_int add_twice(size_t local, cl_event *first, cl_event *second) {
    const size_t n = N;
    const cl_int error = clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, first);
    return error != CL_SUCCESS ? error : clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, second);
}
/* The call makes two launches of 2062 ns each. The gap between them does not count. */
static void gaps_do_not_count(void) {
    static const long gaps_ns[] = { 0, 300 };
    autotune_result result;
    for (size_t i = 0; i < sizeof gaps_ns / sizeof *gaps_ns; i++) {
        begin();
        control->gap_ns = gaps_ns[i];
        AUTOTUNE(SPACE(AXIS(local, 16, 64)), 1, add_twice((size_t)local, OPENCL_EVENT, OPENCL_EVENT),
                 .backend = OPENCL(queue), .result = &result);
        CHECK(is_winner(&result, 64) && result.median_ns > 4123 && result.median_ns < 4125);
        end();
    }
}
static void a_kernel_that_ends_with_an_error_fails_its_configuration(void) {
    begin();
    control->fail_at = 1;
    autotune_result result = tune(0);
    CHECK(is_winner(&result, 64) && result.failed == 1 && all_are(y, 1));
    CHECK_LOG("local=1  (the kernel ended with CL_OUT_OF_RESOURCES (-5))");
    end();
    begin();
    control->refuse_local = 64;
    result = tune(0);
    CHECK(is_winner(&result, 16) && result.failed == 1 && all_are(y, 1));
    CHECK_LOG("local=64  (clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES (-5))");
    end();
}
static autotune_result tune_large_groups(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(local, 64, 512, 1024)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)),
             .backend = OPENCL(queue), .result = &result);
    return result;
}
static void the_driver_decides_how_large_a_work_group_can_be(void) {
    begin();
    autotune_result result = tune_large_groups();
    CHECK(is_winner(&result, 1024) && result.failed == 0);
    CHECK(tune_large_groups().cache_hit);
    end();
    begin();
    control->refuse_local = 1024;
    control->refusal = CL_INVALID_WORK_GROUP_SIZE;
    result = tune_large_groups();
    CHECK(is_winner(&result, 512) && result.failed == 1);
    CHECK_LOG("local=1024  (clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE (-54))");
    CHECK(tune_large_groups().cache_hit);
    end();
}
static void without_memory_nothing_is_tuned(void) {
    begin();
    control->no_memory = 1;
    autotune_result result = tune(0);
    CHECK(result.status == AUTOTUNE_ERR_MEMORY && control->launches == 1 && all_are(y, 1));
    CHECK_ERROR("cannot be saved");
    end();
}
static autotune_result tune_program(autotune_opencl_program *of, long key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(local, 1, 16, 64), AXIS(T, 1, 2)), 1, OPENCL_RUN(of, "add", GLOBAL(N), LOCAL(local), y),
             .backend = OPENCL(queue), .key = KEY(key), .restore = BUFFERS({y, BYTES}), .preset = AUTOTUNE_FAST,
             .result = &result);
    return result;
}
static void where_memory_ends_while_a_kernel_is_made_the_sentence_says_so(void) {
    enum { PLACES = THREAD_SANITIZED ? 10 : 200 };  /* with the thread sanitizer a race takes 100 times as long */
    static autotune_opencl_program programs[PLACES];
    long i;
    begin();
    autotune_set_log(keep_log, NULL);
    for (i = 0; i < PLACES; i++) {
        const autotune_opencl_program of = OPENCL_PROGRAM("__kernel void add(__global float *y) { T }");
        autotune_result result;
        programs[i] = of;
        *logged = 0;
        allocations_before_failure = i;
        result = tune_program(&programs[i], i);
        allocations_before_failure = -1;
        CHECK(result.status == AUTOTUNE_OK || result.status == AUTOTUNE_ERR_MEMORY);
        CHECK(result.status == AUTOTUNE_OK || strstr(autotune_last_error(), "memory"));
        CHECK(!strstr(logged, "(the launch failed)"));
        if (result.status == AUTOTUNE_OK && !result.failed) continue;
        result = tune_program(&programs[i], PLACES + i);
        CHECK(result.status == AUTOTUNE_OK && !result.failed);      /* with memory the kernels can be compiled */
    }
    end();
}
/* Checks that the device is lost: later statements in this context launch nothing. In a new context tuning works. */
static void check_that_it_is_lost(autotune_result result, const char *why) {
    const long launches = control->launches;
    CHECK(result.status == AUTOTUNE_ERR_DEVICE);
    CHECK_ERROR(why);
    result = tune(0);
    CHECK(result.status == AUTOTUNE_ERR_DEVICE && control->launches == launches);
    CHECK_ERROR("the device can no longer be used in this context, since plain_faults.c:tune tried ");
    CHECK_ERROR(why);
    begin();
    result = tune(0);
    CHECK(is_winner(&result, 64) && all_are(y, 1));
    end();
}
static void a_kernel_that_hangs_ends_tuning(void) {
    begin();
    control->hang_at = 3;
    check_that_it_is_lost(tune(0.2), "the launch did not end within 0.2 s, .launch_timeout: it counts as hung");
}
static void a_kernel_that_was_slow_costs_the_calls_until_it_ends(void) {
    autotune_result result;
    begin();
    control->hang_at = 3;
    CHECK(tune(0.2).status == AUTOTUNE_ERR_DEVICE && tune(0).status == AUTOTUNE_ERR_DEVICE);
    __atomic_store_n(&control->hang_ends, 1, __ATOMIC_RELAXED);
    result = tune(0);
    CHECK(is_winner(&result, 64) && !result.cache_hit);
    result = tune(0);
    CHECK(is_winner(&result, 64) && result.cache_hit);
    end();
}
static void a_kernel_that_breaks_the_device_ends_tuning(void) {
    begin();
    control->lose_at = 3;
    check_that_it_is_lost(tune(0), "the kernel ended with CL_OUT_OF_RESOURCES (-5)");
}
static void a_hit_on_a_lost_device_keeps_the_winner(void) {
    begin();
    CHECK(tune(0).status == AUTOTUNE_OK);
    control->lost = 1;
    CHECK(tune(0).status == AUTOTUNE_ERR_ENVIRONMENT);
    CHECK_ERROR("the call failed: clEnqueueNDRangeKernel: CL_INVALID_COMMAND_QUEUE (-36)");
    control->lost = 0;
    CHECK(tune(0).cache_hit);
    control->refuse_local = 64;                 /* now only the winner fails, and not the device */
    CHECK(tune(0).status == AUTOTUNE_FAILED);
    CHECK_ERROR("the winner failed (clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES (-5)) and is forgotten");
    control->refuse_local = 0;
    CHECK(!tune(0).cache_hit);
    CHECK(tune(0).cache_hit);
    end();
}

/* Threads launch winners at the same time. Each thread has its own kernel, and all share the kernels of a program. */
static autotune_opencl_program program = OPENCL_PROGRAM("__kernel void add(__global float *y) {}");
static void run(cl_command_queue on, cl_kernel kernel, cl_mem memory) {
    AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, OPENCL_LAUNCH(kernel, GLOBAL(N), LOCAL(local)), .backend = OPENCL(on),
             .key = KEY(1), .restore = BUFFERS({memory, BYTES}));
    AUTOTUNE(SPACE(AXIS(LOCAL_SIZE, 1, 64)), 1, OPENCL_RUN(&program, "add", GLOBAL(N), LOCAL(LOCAL_SIZE), memory),
             .backend = OPENCL(on), .key = KEY(2), .restore = BUFFERS({memory, BYTES}));
}
enum { THREADS = 8, CALLS = 100 };
static void *run_often(void *unused) {
    cl_mem own = floats(context, 0);
    cl_command_queue on = queue_with(CL_QUEUE_PROFILING_ENABLE);
    cl_program built = build(context, "");
    cl_kernel kernel = kernel_of(built, "add");
    int i;
    (void)unused;
    MUST(clSetKernelArg(kernel, 0, sizeof own, &own));
    for (i = 0; i < CALLS; i++) run(on, kernel, own);
    CHECK(all_are(own, 2 * CALLS));
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseProgram(built));
    MUST(clReleaseCommandQueue(on));
    MUST(clReleaseMemObject(own));
    return NULL;
}
static void threads_launch_winners(void) {
    pthread_t threads[THREADS];
    int i;
    begin();
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, run_often, NULL) == 0);
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    end();
}

static void a_queue_with_the_address_of_a_released_one_is_another(void) {
    begin();
    run(queue, add, y);
    run(queue, add, y);
    const cl_command_queue before = queue;
    autotune_backend *const backend = autotune_opencl(queue);
    MUST(clReleaseCommandQueue(queue));
    queue = queue_with(CL_QUEUE_PROFILING_ENABLE);          /* a queue in the same context */
    CHECK(queue == before && autotune_opencl(queue) == backend);
    end();
    begin();                                                /* a queue in a new context */
    CHECK(queue == before && autotune_opencl(queue) != backend);
    run(queue, add, y);
    CHECK(all_are(y, 2) && control->loads > 0);             /* the kernels were loaded into this context */
    end();
}

/* A call in mode ONLINE. */
static autotune_result call_online(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(local, 1, 0, 16, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)),
             .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE, .name = "online", .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
    return result;
}
static void calls_are_measured_and_not_waited_for(void) {
    long waits;
    int calls = 0;
    autotune_result result;
    begin();
    control->behind = 10;
    waits = control->waits;
    do result = call_online();
    while (++calls < 3000 && !result.cache_hit);
    CHECK(is_winner(&result, 64) && result.cache_hit && control->launches == calls);
    CHECK(control->waits == waits && control->barriers == 0);
    CHECK(all_are(y, (float)calls));
    end();
}
static void a_kernel_that_ends_with_an_error_is_retired(void) {
    int calls = 0;
    autotune_result result;
    begin();
    control->behind = 5;
    control->refuse_local = 64;                 /* a refused call is made again with another configuration */
    for (; calls < 30; calls++) (void)call_online();
    control->fail_at = control->launches + 1;   /* a kernel that ran and failed is not launched again */
    do result = call_online();
    while (++calls < 3000 && !result.cache_hit);
    CHECK(result.cache_hit && control->launches == calls && all_are(y, (float)calls));
    CHECK_LOG("the kernel ended with CL_OUT_OF_RESOURCES (-5); it is not tried again");
    end();
}
/* For local size 64 the program returns an error, and enqueues nothing. */
static cl_int add_or_refuse(size_t local, cl_event *event) {
    const size_t n = N;
    if (local == 64) return CL_INVALID_ARG_VALUE;
    return clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, event);
}
static autotune_result call_refused(int how) {
    autotune_result result;
    if (how == 0)
        AUTOTUNE(SPACE(AXIS(local, 1, 4, 16, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)),
                 .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE, .name = "in a call", .result = &result);
    else if (how == 1)
        AUTOTUNE_BLOCK(SPACE(AXIS(local, 1, 4, 16, 64)), .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE,
                       .name = "in a block", .result = &result) {
            OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local));
        }
    else if (how == 2)
        AUTOTUNE(SPACE(AXIS(local, 1, 4, 16, 64)), 1, add_or_refuse((size_t)local, OPENCL_EVENT),
                 .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE, .name = "by hand", .result = &result);
    else
        AUTOTUNE_BLOCK(SPACE(AXIS(local, 1, 4, 16, 64)), .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE,
                       .name = "by hand in a block", .result = &result) {
            const autotune_status status = autotune_opencl_status(add_or_refuse((size_t)local, OPENCL_EVENT));
            if (status != AUTOTUNE_OK) autotune_explain("refused by hand");
        }
    return result;
}
static void what_is_refused_before_its_launch_is_made_again(void) {
    for (int how = 0; how < 4; how++) {
        int calls = 0, refused = 0;
        autotune_result result;
        begin();
        control->refuse_local = 64;
        do {
            result = call_refused(how);
            refused += result.status != AUTOTUNE_OK;
        } while (++calls < 1000 && !result.cache_hit);
        CHECK(result.cache_hit && is_winner(&result, 16) && refused == 0);
        CHECK(all_are(y, (float)calls));
        end();
    }
}
static void without_times_nothing_is_tuned_online(void) {
    autotune_result result;
    begin();
    queue = queue_with(0);
    AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .mode = AUTOTUNE_ONLINE, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.verdict == AUTOTUNE_DEFAULT && control->launches == 1);
    CHECK_LOG("the queue has no CL_QUEUE_PROFILING_ENABLE: launches have no times, so use a queue with it");
    end();
}

int main(void) {
    static const plain_test tests[] = {
        { "times", times_are_those_of_the_device },
        { "the queue is empty", a_queue_is_empty_before_the_first_trial },
        { "long words", a_device_with_long_words_has_them_all },
        { "gaps", gaps_do_not_count },
        { "errors of kernels", a_kernel_that_ends_with_an_error_fails_its_configuration },
        { "large work-groups", the_driver_decides_how_large_a_work_group_can_be },
        { "without memory", without_memory_nothing_is_tuned },
        { "without memory for kernels", where_memory_ends_while_a_kernel_is_made_the_sentence_says_so },
        { "a kernel that hangs", a_kernel_that_hangs_ends_tuning },
        { "a kernel that was slow", a_kernel_that_was_slow_costs_the_calls_until_it_ends },
        { "a kernel that breaks the device", a_kernel_that_breaks_the_device_ends_tuning },
        { "a hit that fails", a_hit_on_a_lost_device_keeps_the_winner },
        { "threads", threads_launch_winners },
        { "the address of a released queue", a_queue_with_the_address_of_a_released_one_is_another },
        { "online", calls_are_measured_and_not_waited_for },
        { "online, errors of kernels", a_kernel_that_ends_with_an_error_is_retired },
        { "online, refused launches", what_is_refused_before_its_launch_is_made_again },
        { "online, without times", without_times_nothing_is_tuned_online }
    };
    setenv("AUTOTUNE_LOG", "full", 1);
    find_test_device();
    (void)RUN_PLAIN_TESTS(tests);
    return autotune_shutdown() == AUTOTUNE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* plain_launches.c - OPENCL(queue), OPENCL_LAUNCH and OPENCL_EVENT on a real device: PoCL, if there is no other.

   Its times are real, too. So a work-group of one work-item waits on purpose, and takes some fifty times as long. Other
   programs cannot hide such a difference, so the race must find it. */
#include "device.h"

static const char text[] =
    "__kernel void add(__global float *y, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (get_local_size(0) == 1) for (volatile int wait = 0; wait < 100; wait++);\n"
    "    if (i < n) y[i] += 1;\n"
    "}\n"
    "__kernel void tell(__global float *y, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) y[i] = get_local_size(0) == 8;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void sixteen(__global float *y, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) y[i] += 1;\n"
    "}\n"
    "__kernel void plane(__global float *y, int n) {\n"
    "    int i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);\n"
    "    if (i < n) y[i] += get_work_dim();\n"
    "}\n";
static cl_program program;
static cl_kernel add, tell, sixteen, plane;
static cl_mem y;

static cl_kernel kernel_on(const char *name, cl_mem memory) {
    cl_kernel kernel = kernel_of(program, name);
    int n = N;
    MUST(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    MUST(clSetKernelArg(kernel, 1, sizeof n, &n));
    return kernel;
}
static void begin(float value) {
    MUST(clFinish(queue));
    if (y) MUST(clReleaseMemObject(y));
    y = floats(context, value);
    MUST(clSetKernelArg(add, 0, sizeof y, &y));
    MUST(clSetKernelArg(tell, 0, sizeof y, &y));
    MUST(clSetKernelArg(sixteen, 0, sizeof y, &y));
    MUST(clSetKernelArg(plane, 0, sizeof y, &y));
    *logged = 0;
    autotune_set_log(keep_log, NULL);
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
}
static autotune_result tune_local(cl_command_queue on, int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(local, 1, 8, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(on),
             .key = KEY(key), .restore = BUFFERS({y, BYTES}), .result = &result);
    return result;
}

static void a_launch_is_tuned_and_then_known(void) {
    cl_device_type type;
    begin(1);
    autotune_result result = tune_local(queue, 1);
    CHECK(result.status == AUTOTUNE_OK && !result.cache_hit && result.tried == 3 && result.failed == 0);
    CHECK(result.index != 0 && result.median_ns > 0);
    CHECK(all_are(y, 2));
    result = tune_local(queue, 1);
    MUST(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    /* The description of a CPU device does not have its memory: the device reports free memory, which changes from run
       to run. */
    CHECK((type & CL_DEVICE_TYPE_CPU) ? !strstr(autotune_opencl(queue)->device, " MiB")
                                      : strstr(autotune_opencl(queue)->device, " MiB") != NULL);
    CHECK(result.status == AUTOTUNE_OK && result.cache_hit);
    CHECK(all_are(y, 3));
}
static void queues_and_contexts_of_equal_devices_share_winners(void) {
    cl_int error;
    begin(1);
    CHECK(tune_local(queue, 1).index != 0);
    cl_command_queue other = queue_with(CL_QUEUE_PROFILING_ENABLE);
    CHECK(tune_local(other, 1).cache_hit);
    MUST(clFinish(other));
    MUST(clReleaseCommandQueue(other));

    cl_context apart = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    MUST(error);
    cl_command_queue there = clCreateCommandQueue(apart, device, CL_QUEUE_PROFILING_ENABLE, &error);
    MUST(error);
    cl_program same = build(apart, text);
    cl_kernel kernel = kernel_of(same, "add"), before = add;
    cl_mem memory = floats(apart, 5);
    int n = N;
    MUST(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    MUST(clSetKernelArg(kernel, 1, sizeof n, &n));
    add = kernel;
    autotune_result result = tune_local(there, 1);
    CHECK(result.cache_hit && autotune_opencl(there) != autotune_opencl(queue));
    CHECK(tune_local(there, 1).cache_hit);
    MUST(clFinish(there));
    add = before;
    MUST(clReleaseMemObject(memory));
    MUST(clReleaseKernel(kernel));
    MUST(clReleaseProgram(same));
    MUST(clReleaseCommandQueue(there));
    MUST(clReleaseContext(apart));
    CHECK(tune_local(queue, 1).cache_hit);
}

static void the_driver_may_choose_and_sizes_are_rounded_up(void) {
    autotune_result result;
    begin(1);
    AUTOTUNE(SPACE(AXIS(local, 0, 1)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 0 && result.index == 0);
    CHECK(all_are(y, 2));
    begin(1);                                   /* N is no multiple of 24, so the global size is rounded up */
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(local, 24)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
                 .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.cache_hit);
    CHECK(all_are(y, 3));
}
static void a_launch_has_up_to_three_dimensions(void) {
    autotune_result result;
    begin(0);
    AUTOTUNE(SPACE(AXIS(rows, 1, 4)), 1, OPENCL_LAUNCH(plane, GLOBAL(128, 128), LOCAL(8, rows)),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && all_are(y, 2));
    AUTOTUNE(SPACE(AXIS(rows, 1, 4)), 1, OPENCL_LAUNCH(plane, GLOBAL(32, 32, 16), LOCAL(8, rows)),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && all_are(y, 5));
}

static void what_cannot_be_launched_fails_its_configuration(void) {
    autotune_result result;
    begin(1);
    AUTOTUNE(SPACE(AXIS(local, 8, 1 << 20, -1)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 0 && result.failed == 2 && all_are(y, 2));
    CHECK_LOG("local=1048576  (clEnqueueNDRangeKernel: CL_INVALID_WORK_");
    CHECK_LOG("in 1 dimensions, and LOCAL (-1, 1, 1) in 1: each size of GLOBAL must be 1 or more; LOCAL has no more");
    AUTOTUNE(SPACE(AXIS(rows, 1, 1024)), 1, OPENCL_LAUNCH(plane, GLOBAL(N, 1024), LOCAL(1024, rows)),
             .backend = OPENCL(queue), .result = &result);
    CHECK(result.failed == 1);
    CHECK_LOG("rows=1024  (clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE (-54))");
    AUTOTUNE(SPACE(AXIS(local, 16, 8, 0)), 1, OPENCL_LAUNCH(sixteen, GLOBAL(N), LOCAL(local)),
             .backend = OPENCL(queue), .result = &result);
    CHECK(result.index == 0 && result.failed == 2);
    CHECK_LOG("local=8  (clEnqueueNDRangeKernel: CL_INVALID_WORK_GROUP_SIZE (-54))");
    AUTOTUNE(SPACE(AXIS(rows, 0, 1)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(8, rows)), .backend = OPENCL(queue),
             .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED);
    CHECK_ERROR("in 1 dimensions, and LOCAL (8, 0, 1) in 2: each size of GLOBAL must be 1 or more");
    AUTOTUNE(SPACE(AXIS(items, 0, N)), 1, OPENCL_LAUNCH(add, GLOBAL(items), LOCAL(8)), .backend = OPENCL(queue),
             .result = &result);
    CHECK(result.index == 1 && result.failed == 1);
    CHECK_LOG("(GLOBAL is (0, 1, 1) in 1 dimensions, and LOCAL (8, 1, 1) in 1: each size of GLOBAL must be 1 or more");
}

/* Launches two kernels, as a function of another library would. */
static cl_int add_twice(size_t local, cl_event *first, cl_event *second) {
    const size_t n = N;
    const cl_int error = clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, first);
    return error != CL_SUCCESS ? error : clEnqueueNDRangeKernel(queue, add, 1, NULL, &n, &local, 0, NULL, second);
}
static void calls_of_ones_own_hand_their_events_over(void) {
    autotune_result result;
    begin(0);
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, add_twice((size_t)local, OPENCL_EVENT, OPENCL_EVENT),
                 .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 1 && result.cache_hit && all_are(y, 4));

    begin(0);                                   /* N is no multiple of 48, so the driver refuses this local size */
    AUTOTUNE(SPACE(AXIS(local, 48, 64)), 1, add_twice((size_t)local, OPENCL_EVENT, OPENCL_EVENT),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 1 && result.failed == 1 && all_are(y, 2));
    CHECK_LOG("(nothing was launched: an enqueue was refused, for its event was not set)");

    begin(0);
    AUTOTUNE(SPACE(AXIS(local, 48, 64)), 1,
             autotune_opencl_status(add_twice((size_t)local, OPENCL_EVENT, OPENCL_EVENT)), .backend = OPENCL(queue),
             .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 1 && all_are(y, 2));
    CHECK_LOG("(CL_INVALID_WORK_GROUP_SIZE (-54))");

    begin(0);
    AUTOTUNE(SPACE(AXIS(local, 8, 64)), 1, add_twice((size_t)local, NULL, NULL), .backend = OPENCL(queue),
             .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED && all_are(y, 0));
    CHECK_ERROR("nothing was launched: the call needs OPENCL_LAUNCH, or an enqueue with OPENCL_EVENT");
}

static bool refuses_eight;
static bool verify(void *user, const autotune_config *config) {
    (void)config;
    (void)user;
    return !refuses_eight;
}
static void outputs_are_compared_and_buffers_zeroed(void) {
    autotune_result result;
    begin(7);
    AUTOTUNE(SPACE(AXIS(local, 16, 8, 64)), 1, OPENCL_LAUNCH(tell, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .outputs = BUFFERS({y, BYTES, AUTOTUNE_F32}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 1 && all_are(y, 0));
    CHECK_LOG("local=8  (wrong output: element 0 is 1, not 0)");

    begin(7);                                   /* .zero: each trial begins with 0, but the call for real with 7 */
    AUTOTUNE(SPACE(AXIS(local, 8, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .zero = BUFFERS({y, BYTES}), .outputs = BUFFERS({y, BYTES, AUTOTUNE_F32}), .verify = verify,
             .cache_state = AUTOTUNE_COLD, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 0 && all_are(y, 8));
    refuses_eight = true;
    begin(7);
    AUTOTUNE(SPACE(AXIS(local, 8, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .restore = BUFFERS({y, BYTES}), .verify = verify, .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED && all_are(y, 7));
    AUTOTUNE(SPACE(AXIS(local, 8, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .key = KEY(1), .restore = BUFFERS({y, 2 * BYTES}), .result = &result);
    CHECK(result.status != AUTOTUNE_OK && all_are(y, 8));   /* the first configuration was launched untuned */
    CHECK_ERROR("clEnqueueCopyBuffer: CL_INVALID_VALUE (-30)");
}

static void on_a_queue_without_order_nothing_is_tuned(void) {
    autotune_result result;
    begin(1);
    cl_command_queue unordered = queue_with(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    result = tune_local(unordered, 1);
    MUST(clFinish(unordered));
    /* The first configuration was launched once. */
    CHECK(result.status == AUTOTUNE_OK && result.launches == 1 && all_are(y, 2));
    CHECK_LOG("the queue has CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE: launches overlap, so use a queue without it");
    AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(unordered),
             .mode = AUTOTUNE_ONLINE, .result = &result);
    MUST(clFinish(unordered));
    CHECK(result.status == AUTOTUNE_OK && result.launches == 1 && result.verdict == AUTOTUNE_DEFAULT);
    begin(1);
    CHECK(tune_local(queue, 1).status == AUTOTUNE_OK);
    MUST(clFinish(queue));                      /* two launches at the same time could lose an addition */
    CHECK(tune_local(unordered, 1).cache_hit);
    MUST(clFinish(unordered));
    CHECK(all_are(y, 3));                       /* a known winner is launched on this queue, too */
    MUST(clReleaseCommandQueue(unordered));
}
static void on_a_queue_without_times_nothing_is_tuned(void) {
    autotune_result result;
    begin(1);
    cl_command_queue silent = queue_with(0);
    result = tune_local(silent, 1);
    MUST(clFinish(silent));
    /* The first configuration was launched once. */
    CHECK(result.status == AUTOTUNE_OK && result.launches == 1 && all_are(y, 2));
    begin(1);
    CHECK(tune_local(queue, 1).status == AUTOTUNE_OK);
    MUST(clFinish(queue));                      /* two launches at the same time could lose an addition */
    CHECK(tune_local(silent, 1).cache_hit);
    MUST(clFinish(silent));
    CHECK(all_are(y, 3));                       /* a known winner is launched on this queue, too */
    MUST(clReleaseCommandQueue(silent));
}

static void a_statement_without_a_queue_ends_in_a_sentence(void) {
    autotune_backend cpu = virtual_backend("cpu");
    autotune_result result;
    begin(1);
    result = tune_local(NULL, 1);
    CHECK(result.status == AUTOTUNE_ERR_ENVIRONMENT && all_are(y, 1));
    CHECK_ERROR("OPENCL(queue): this is no command queue; the call was not made");
    AUTOTUNE(SPACE(AXIS(local, 8, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = &cpu,
             .result = &result);
    CHECK(result.status != AUTOTUNE_OK && all_are(y, 1));
    CHECK_ERROR("OPENCL_LAUNCH needs .backend = OPENCL(queue)");
}
static void a_hit_that_fails_says_why_and_is_forgotten(void) {
    autotune_result result;
    begin(1);
    for (int i = 0; i < 3; i++) {
        cl_kernel bare = kernel_of(program, "add");         /* no argument of this kernel is set, so it cannot run */
        AUTOTUNE(SPACE(AXIS(local, 8)), 1, OPENCL_LAUNCH(i == 1 ? bare : add, GLOBAL(N), LOCAL(local)),
                 .backend = OPENCL(queue), .result = &result);
        CHECK(i == 1 ? result.status == AUTOTUNE_FAILED : result.status == AUTOTUNE_OK && !result.cache_hit);
        if (i == 1)
            CHECK_ERROR("the winner failed (clEnqueueNDRangeKernel: CL_INVALID_KERNEL_ARGS (-52)) and is forgotten");
        MUST(clReleaseKernel(bare));
    }
}

/* A program tunes its kernels before their first call, and looks up their local sizes. */
static autotune_status launch(void *user, const autotune_config *config) {
    return autotune_opencl_launch((cl_kernel)user, GLOBAL(N), LOCAL(autotune_get_int(config, "local")));
}
static autotune_status launch_own(void *user, const autotune_config *config) {
    const size_t n = N, local = (size_t)autotune_get_int(config, "local");
    return autotune_opencl_status(clEnqueueNDRangeKernel(queue, (cl_kernel)user, 1, NULL, &n, &local, 0, NULL,
                                                         autotune_opencl_event()));
}
static void created_tuners_are_tuned_at_once_and_looked_up(void) {
    static const int64_t locals[] = { 1, 8, 64 };
    const autotune_axis axis = { .name = "local", .values = locals, .count = 3 };
    autotune_config config;
    begin(0);
    for (int own = 0; own < 2; own++) {
        const autotune_desc desc = { .name = own ? "own" : "wrapped", .axes = &axis, .axis_count = 1,
                                     .launch = own ? launch_own : launch, .user = add };
        autotune_tuner *tuner = autotune_create(&desc);
        autotune_options options = { .backend = OPENCL(queue), .key = KEY(N), .restore = BUFFERS({y, BYTES}) };
        CHECK(tuner && autotune_add(tuner, &options) == AUTOTUNE_OK);
        (void)OPENCL(NULL);                     /* the case that was added keeps its queue */
        CHECK(autotune_tune_all() == AUTOTUNE_OK && all_are(y, (float)own));
        CHECK(autotune_lookup(desc.name, options.key, &config) == AUTOTUNE_OK);
        CHECK(autotune_get_int(&config, "local") != 1);
        options.key = KEY(2 * N);               /* this call is not made: the thread named no queue */
        CHECK(autotune_call(tuner, &options) == AUTOTUNE_ERR_ENVIRONMENT && all_are(y, (float)own));
        CHECK_ERROR("OPENCL(queue): this is no command queue; the call was not made");
        options.mode = AUTOTUNE_ONLINE;
        CHECK(autotune_call(tuner, &options) == AUTOTUNE_ERR_ENVIRONMENT && all_are(y, (float)own));
        options.mode = AUTOTUNE_ON;
        options.key = KEY(N);
        options.backend = OPENCL(queue);
        CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK && all_are(y, (float)own + 1));
        autotune_destroy(tuner);
    }
}
static void calls_are_tuned_while_they_are_made(void) {
    autotune_result result, own;
    int calls, hits = 0;
    begin(0);
    for (calls = 0; calls < 10000 && hits < 3; calls++) {
        AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
                 .mode = AUTOTUNE_ONLINE, .name = "online", .result = &result);
        CHECK(result.status == AUTOTUNE_OK && result.launches == 1);
        if (calls % 20 == 19) MUST(clFinish(queue));
        hits += result.cache_hit;
    }
    if (!result.cache_hit || result.index != 1)
        fprintf(stderr, "%d calls, index %zu, %s, %g ns\n", calls, result.index, autotune_verdict_text(result.verdict),
                result.median_ns);
    CHECK(result.cache_hit && result.index == 1 && all_are(y, (float)calls));
    begin(0);
    for (calls = hits = 0; calls < 10000 && hits < 3; calls++) {
        AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, add_twice((size_t)local, OPENCL_EVENT, OPENCL_EVENT),
                 .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE, .name = "own", .result = &own);
        CHECK(own.status == AUTOTUNE_OK);
        if (calls % 20 == 19) MUST(clFinish(queue));
        hits += own.cache_hit;
    }
    CHECK(own.cache_hit && own.index == 1 && all_are(y, (float)(2 * calls)));
}

int main(void) {
    static const plain_test tests[] = {
        { "a launch is tuned, and then known", a_launch_is_tuned_and_then_known },
        { "queues and contexts share winners", queues_and_contexts_of_equal_devices_share_winners },
        { "the driver may choose; sizes are rounded up", the_driver_may_choose_and_sizes_are_rounded_up },
        { "dimensions", a_launch_has_up_to_three_dimensions },
        { "refusals", what_cannot_be_launched_fails_its_configuration },
        { "calls of one's own", calls_of_ones_own_hand_their_events_over },
        { "outputs, zero, verify", outputs_are_compared_and_buffers_zeroed },
        { "without order", on_a_queue_without_order_nothing_is_tuned },
        { "without times", on_a_queue_without_times_nothing_is_tuned },
        { "without a queue", a_statement_without_a_queue_ends_in_a_sentence },
        { "a hit that fails", a_hit_that_fails_says_why_and_is_forgotten },
        { "created tuners", created_tuners_are_tuned_at_once_and_looked_up },
        { "online", calls_are_tuned_while_they_are_made }
    };
    setenv("AUTOTUNE_LOG", "full", 1);
    setenv("AUTOTUNE_PRESET", "fast", 0);
    find_device();
    program = build(context, text);
    y = floats(context, 0);
    add = kernel_on("add", y);
    tell = kernel_on("tell", y);
    sixteen = kernel_on("sixteen", y);
    plane = kernel_on("plane", y);
    (void)RUN_PLAIN_TESTS(tests);
    MUST(clFinish(queue));
    return EXIT_SUCCESS;
}

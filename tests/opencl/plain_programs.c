/* plain_programs.c - OPENCL_PROGRAM and OPENCL_RUN on a real device: a kernel for each configuration, compiled by the
   driver. PoCL takes long to compile, so there are few configurations. */
#include "device.h"
#include <pthread.h>

static const char text[] =
    "#if PER == 3\n"
    "#error three is refused\n"
    "#endif\n"
    "__kernel void add(__global TYPE *y, TYPE by, int n, __local TYPE *room) {\n"
    "    int i = (int)get_global_id(0) * PER, last = min(i + PER, n);\n"
    "    room[get_local_id(0)] = by;\n"
    "    for (; i < last; i++) y[i] += room[get_local_id(0)];\n"
    "}\n";
static autotune_opencl_program program = OPENCL_PROGRAM(text, "-cl-fast-relaxed-math -DTYPE=float");
static cl_mem y;

static void begin(void) {
    y = floats(context, 1);
    *logged = 0;
    autotune_set_log(keep_log, NULL);
}
static autotune_result add_to(cl_mem memory, float by) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(PER, 1, 4), AXIS(local, 0, 8)), 1,
             OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(local), memory, by, (int)N, LOCAL_BYTES(1 << 14)),
             .backend = OPENCL(queue), .key = KEY(0), .restore = BUFFERS({memory, BYTES}),
             .strategy = AUTOTUNE_EXHAUSTIVE /* tries all, even if compiling takes long */, .result = &result);
    return result;
}

static void each_configuration_is_compiled(void) {
    begin();
    autotune_result result = add_to(y, 2);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 4 && result.failed == 0 && all_are(y, 3));
    result = add_to(y, 2);
    CHECK(result.status == AUTOTUNE_OK && result.cache_hit && all_are(y, 5));
}
static void another_context_loads_what_was_compiled(void) {
    const cl_context before = context;
    const cl_command_queue queue_before = queue;
    begin();
    find_device();
    cl_mem there = floats(context, 1);
    for (int i = 0; i < 2; i++) {
        autotune_result result = add_to(there, 2);
        CHECK(result.status == AUTOTUNE_OK && result.cache_hit && all_are(there, 3 + 2 * (float)i));
    }
    context = before;
    queue = queue_before;
    CHECK(add_to(y, 1).cache_hit && all_are(y, 2));
}

/* Several threads launch the same kernel, each with its own arguments. */
enum { THREADS = 8, CALLS = 200 };
static void *call_often(void *argument) {
    cl_mem *own = (cl_mem *)argument;
    int i;
    for (i = 0; i < CALLS; i++) CHECK(add_to(*own, 1).cache_hit);
    return NULL;
}
static void threads_do_not_mix_their_arguments(void) {
    pthread_t threads[THREADS];
    cl_mem own[THREADS];
    int i;
    for (i = 0; i < THREADS; i++) own[i] = floats(context, (float)i);
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, call_often, &own[i]) == 0);
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (i = 0; i < THREADS; i++) CHECK(all_are(own[i], (float)(i + CALLS)));
}

static void what_does_not_work_says_why(void) {
    autotune_result result;
    begin();
    AUTOTUNE(SPACE(AXIS(PER, 1, 3)), 1,
             OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(8), y, 1.0f, (int)N, LOCAL_BYTES(64)),
             .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.failed == 1 && result.index == 0 && all_are(y, 2));
    CHECK_LOG("PER=3  (does not compile: ");
    CHECK_LOG("three is refused");
    AUTOTUNE(SPACE(AXIS(PER, 1)), 1, OPENCL_RUN(&program, "add", GLOBAL(N), LOCAL(8), y), .backend = OPENCL(queue),
             .result = &result);
    CHECK_ERROR("add has 4 parameters, and OPENCL_RUN passes 1 arguments");
    AUTOTUNE(SPACE(AXIS(PER, 1)), 1,
             OPENCL_RUN(&program, "add", GLOBAL(N), LOCAL(8), y, 1.0, (int)N, LOCAL_BYTES(64)),
             .backend = OPENCL(queue), .result = &result);
    CHECK_ERROR("argument 2 of add has 8 bytes, and the kernel's parameter another size");
    AUTOTUNE(SPACE(AXIS(PER, 1)), 1, OPENCL_RUN(&program, "subtract", GLOBAL(N), LOCAL(8), y),
             .backend = OPENCL(queue), .result = &result);
    CHECK_ERROR("the program has no kernel subtract");
    static autotune_opencl_program missing = OPENCL_PROGRAM_FILE("not/here.cl");
    AUTOTUNE(SPACE(AXIS(PER, 1)), 1, OPENCL_RUN(&missing, "add", GLOBAL(N), LOCAL(8), y), .backend = OPENCL(queue),
             .result = &result);
    CHECK_ERROR("not/here.cl cannot be read");
}
/* The block ignores the status of OPENCL_RUN, but the status counts: a configuration fails in the race, and a call
   fails on a hit. */
static void what_fails_in_a_block_fails_the_trial(void) {
    autotune_result result;
    begin();
    const cl_mem spare = floats(context, 1);
    for (int i = 0; i < 3; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(PER, 3, 1)), .backend = OPENCL(queue), .restore = BUFFERS({y, BYTES}),
                       .result = &result) {
            const float zero = 0;
            CHECK(clEnqueueFillBuffer(queue, spare, &zero, sizeof zero, 0, BYTES, 0, NULL, OPENCL_EVENT) == CL_SUCCESS);
            OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(i < 2 ? 8 : 1 << 20), y, 1.0f, (int)N, LOCAL_BYTES(64));
        }
        CHECK(result.status == (i < 2 ? AUTOTUNE_OK : AUTOTUNE_FAILED) && result.index == 1);
        CHECK(all_are(y, i < 2 ? 2 + (float)i : 3));
    }
    CHECK_LOG("the winner failed (clEnqueueNDRangeKernel: ");
    AUTOTUNE_BLOCK(SPACE(AXIS(PER, 3)), .backend = OPENCL(queue), .result = &result) {
        OPENCL_LAUNCH(NULL, GLOBAL(0), LOCAL(1));
    }
    CHECK_ERROR("GLOBAL is (0, 1, 1)");
}
static void a_program_needs_no_options_and_a_value_may_have_two_lines(void) {
    static autotune_opencl_program bare = OPENCL_PROGRAM(
        "__kernel void more(__global float *y) { y[get_global_id(0)] += BY; }");
    autotune_result result;
    begin();
    AUTOTUNE(SPACE(AXIS(BY, "1 +\n1")), 1, OPENCL_RUN(&bare, "more", GLOBAL(N), LOCAL(8), y), .backend = OPENCL(queue),
             .restore = BUFFERS({y, BYTES}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && all_are(y, 3));
}
static void calls_are_tuned_while_they_are_made(void) {
    autotune_result result;
    int calls, hits = 0;
    begin();
    for (calls = 0; calls < 30000 && hits < 3; calls++) {
        AUTOTUNE(SPACE(AXIS(PER, 1, 3, 1024)), 1,           /* PER 3 does not compile; another is launched instead */
                 OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(1), y, 1.0f, (int)N, LOCAL_BYTES(64)),
                 .backend = OPENCL(queue), .mode = AUTOTUNE_ONLINE, .name = "online", .result = &result);
        CHECK(result.status == AUTOTUNE_OK);
        if (calls % 20 == 19) MUST(clFinish(queue));
        hits += result.cache_hit;
    }
    CHECK(all_are(y, (float)(1 + calls)));
    CHECK(result.cache_hit);
    CHECK(result.index != 1); /* on a busy machine any of the other two may win */
    CHECK_LOG("three is refused");
}
/* In modes without a race, a configuration that cannot be launched is replaced by the next configuration. It is not
   replaced if the call has already launched a kernel. */
static void first_configurations_that_do_not_run_give_way(void) {
    for (int i = 0; i < 4; i++) {
        const autotune_mode mode = i % 2 ? AUTOTUNE_CACHED : AUTOTUNE_OFF;
        /* For PER 4 the local size is too large. PER 3 does not compile; it is in the space if `step` is 1. */
        const int step = i < 2 ? 1 : 0;
        autotune_result result;
        begin();
        AUTOTUNE(SPACE(AXIS(PER, 3, 4, 1), WHERE(step || PER != 3)), 1,
                 OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(PER == 1 ? 8 : 1 << 20), y, 1.0f, (int)N,
                            LOCAL_BYTES(64)),
                 .backend = OPENCL(queue), .key = KEY(step), .mode = mode, .name = "gives way", .result = &result);
        CHECK(result.status == AUTOTUNE_OK && result.index == 2 && all_are(y, 2));
        CHECK(result.launches == (size_t)2 + (size_t)step);
        if (!i) CHECK_LOG("PER=3, the first configuration, does not run here: ");
    }
    autotune_result result;
    begin();
    AUTOTUNE_BLOCK(SPACE(AXIS(PER, 4, 1)), .backend = OPENCL(queue), .mode = AUTOTUNE_OFF, .result = &result) {
        OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(8), y, 1.0f, (int)N, LOCAL_BYTES(64));
        OPENCL_RUN(&program, "add", GLOBAL(N / PER), LOCAL(1 << 20), y, 1.0f, (int)N, LOCAL_BYTES(64));
    }
    CHECK(result.status == AUTOTUNE_FAILED && result.index == 0 && all_are(y, 2));
}
static void kernels_that_do_not_run_give_way(void) {
    const cl_program made = clCreateProgramWithSource(
        context, 1, (const char *[]){"__kernel void one(__global float *y) { y[get_global_id(0)] += 1; }"}, NULL, NULL);
    autotune_result result;
    begin();
    MUST(clBuildProgram(made, 0, NULL, "", NULL, NULL));
    const cl_kernel one = clCreateKernel(made, "one", NULL);
    MUST(clSetKernelArg(one, 0, sizeof y, &y));
    AUTOTUNE(SPACE(AXIS(local, 1 << 20, 8)), 1, OPENCL_LAUNCH(one, GLOBAL(N), LOCAL(local)), .backend = OPENCL(queue),
             .mode = AUTOTUNE_OFF, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 1 && all_are(y, 2));
    MUST(clReleaseKernel(one));
    MUST(clReleaseProgram(made));
}
static void shutting_down_frees_kernels(void) {
    begin();
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    CHECK(!add_to(y, 2).cache_hit && all_are(y, 3));
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}

int main(void) {
    static const plain_test tests[] = {
        { "each configuration is compiled", each_configuration_is_compiled },
        { "another context", another_context_loads_what_was_compiled },
        { "threads", threads_do_not_mix_their_arguments },
        { "what does not work says why", what_does_not_work_says_why },
        { "what fails in a block fails the trial", what_fails_in_a_block_fails_the_trial },
        { "without options", a_program_needs_no_options_and_a_value_may_have_two_lines },
        { "online", calls_are_tuned_while_they_are_made },
        { "first configurations that do not run", first_configurations_that_do_not_run_give_way },
        { "kernels that do not run", kernels_that_do_not_run_give_way },
        { "shutting down", shutting_down_frees_kernels }
    };
    setenv("AUTOTUNE_LOG", "full", 1);
    setenv("AUTOTUNE_PRESET", "fast", 0);
    find_device();
    (void)RUN_PLAIN_TESTS(tests);
    MUST(clFinish(queue));
    return EXIT_SUCCESS;
}

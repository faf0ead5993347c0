/* plain_hit_path.c - what a hit costs over the functions of OpenCL that it calls: at most 60 ns. These are replaced by
   ones that do nothing, after tuning; the least of many batches counts, because what disturbs one only ever makes it
   longer. */
#include "autotune_opencl.h"

#include "../sanitized.h"
#include "faults.h"

static autotune_opencl_program program = OPENCL_PROGRAM("__kernel void add(__global float *y) {}");
static cl_kernel add;
static cl_mem y;
static unsigned calls;

static cl_int CL_API_CALL no_launch(cl_command_queue on, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                    const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
                                    cl_event *event) {
    (void)on, (void)kernel, (void)dimensions, (void)offset, (void)count, (void)list, (void)event;
    calls += global[0] == N && local[0] == 64;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL no_argument(cl_kernel kernel, cl_uint at, size_t bytes, const void *value) {
    (void)kernel, (void)at, (void)bytes, (void)value;
    return CL_SUCCESS;
}
static cl_int(CL_API_CALL *volatile launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                            const size_t *, cl_uint, const cl_event *, cl_event *) = no_launch;
static cl_int(CL_API_CALL *volatile set)(cl_kernel, cl_uint, size_t, const void *) = no_argument;

static void tuned_kernel(int n) {
    AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(n), LOCAL(local)), .backend = OPENCL(queue),
             .key = KEY(n));
}
static void tuned_program(int n) {
    AUTOTUNE(SPACE(AXIS(SIZE, 1, 64)), 1, OPENCL_RUN(&program, "add", GLOBAL(n), LOCAL(SIZE), y),
             .backend = OPENCL(queue), .key = KEY(n));
}
static void direct_kernel(int n) {
    const size_t global = (size_t)n, local = 64;
    launch(queue, add, 1, NULL, &global, &local, 0, NULL, NULL);
}
static void direct_program(int n) {
    set(add, 0, sizeof y, &y);
    direct_kernel(n);
}
static double least_ns(void (*call)(int)) {
    enum { BATCHES = 200, BATCH = 2000 };
    void (*volatile unknown)(int) = call;
    double least = 1e18;
    for (int i = 0; i < BATCHES; i++) {
        const uint64_t began = machine_ns();
        for (int k = 0; k < BATCH; k++) unknown(N);
        const double ns = (double)(machine_ns() - began) / BATCH;
        if (ns < least) least = ns;
    }
    return least;
}
static bool hits_cost_little(void) {
    calls = 0;
    const double wrapped = least_ns(tuned_kernel) - least_ns(direct_kernel),
                 compiled = least_ns(tuned_program) - least_ns(direct_program);
    printf("over the enqueue: OPENCL_LAUNCH %.1f ns, OPENCL_RUN %.1f ns\n", wrapped, compiled);
    CHECK(calls == 4 * 200 * 2000);
    return wrapped <= 60 && compiled <= 60;
}

int main(void) {
#if SANITIZED
    return puts("SKIPPED: a sanitizer's code is in the way"), 77;
#endif
    find_test_device();
    cl_program built = build(context, "");
    add = kernel_of(built, "add");
    y = floats(context, 0);
    MUST(clSetKernelArg(add, 0, sizeof y, &y));
    tuned_kernel(N);
    tuned_program(N);
    replace_opencl_hit(no_launch, no_argument);
    CHECK(in_one_of_ten_tries(hits_cost_little));
    return EXIT_SUCCESS;
}

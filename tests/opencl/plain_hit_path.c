/* plain_hit_path.c - besides the functions of OpenCL that it calls, a hit takes at most the time of 160
   multiplications. After tuning, these functions are replaced by functions that do nothing. */
#include "autotune_opencl.h"

#include "../hit_cost.h"
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

static volatile int items = N;
static void tuned_kernel(void) {
    const int n = items;
    AUTOTUNE(SPACE(AXIS(local, 1, 64)), 1, OPENCL_LAUNCH(add, GLOBAL(n), LOCAL(local)), .backend = OPENCL(queue),
             .key = KEY(n));
}
static void tuned_program(void) {
    const int n = items;
    AUTOTUNE(SPACE(AXIS(SIZE, 1, 64)), 1, OPENCL_RUN(&program, "add", GLOBAL(n), LOCAL(SIZE), y),
             .backend = OPENCL(queue), .key = KEY(n));
}
static void enqueue(int n, int size) {
    const size_t global = (size_t)n, local = (size_t)size;
    launch(queue, add, 1, NULL, &global, &local, 0, NULL, NULL);
}
static void direct_kernel(void) { enqueue(items, 64); }
static void direct_program(void) {
    set(add, 0, sizeof y, &y);
    enqueue(items, 64);
}
static bool hits_cost_little(void) {
    static void (*const hits[])(void) = {multiply_160_times, direct_kernel, direct_program, tuned_kernel,
                                         tuned_program};
    double ns[5];
    calls = 0;
    least_ns(hits, ns, 5);
    CHECK(calls == 4 * HIT_CALLS);
    fprintf(stderr, "over the enqueue: OPENCL_LAUNCH %.1f ns, OPENCL_RUN %.1f ns, 160 multiplications %.1f ns\n",
            ns[3] - ns[1], ns[4] - ns[2], ns[0]);
    return ns[3] - ns[1] < ns[0] && ns[4] - ns[2] < ns[0];
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
    tuned_kernel();
    tuned_program();
    replace_opencl_hit(no_launch, no_argument);
    CHECK(in_one_of_ten_tries(hits_cost_little));
    return EXIT_SUCCESS;
}

/* opencl_registry.c - a library of kernels that chooses the local sizes for the device. It tunes all kernels at once,
   for the expected sizes. Each launch looks up the winner. For an unexpected size the driver chooses the local size.

       cc -I.. opencl_registry.c -lOpenCL -pthread && ./a.out */
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"

#include "opencl.h"

static const char *text =
    "__kernel void scale(__global float *v, int n) { int i = get_global_id(0); if (i < n) v[i] *= 2; }\n"
    "__kernel void smooth(__global float *v, int n) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) v[i] = sqrt(v[i] * v[i] + 1);\n"
    "}\n";
enum { MOST = 1 << 18 };
static opencl cl;
static struct kernel { const char *name; cl_kernel handle; autotune_tuner *tuner; } kernels[] = {
    { "scale", NULL, NULL }, { "smooth", NULL, NULL }
};
enum { KERNELS = sizeof kernels / sizeof *kernels };
static const int expected[] = { 1 << 12, MOST };
enum { EXPECTED = sizeof expected / sizeof *expected };
typedef struct launch { struct kernel *kernel; int n; } launch;

static autotune_status run(void *user, const autotune_config *config) {
    const launch *of = (const launch *)user;
    return autotune_opencl_launch(of->kernel->handle, GLOBAL(of->n), LOCAL(autotune_get_int(config, "local")));
}
static bool register_kernels(cl_program program, cl_mem memory) {
    static const int64_t locals[] = { 0, 8, 64, 256 };
    const autotune_axis axis = { .name = "local", .values = locals, .count = 4 };
    const int n = MOST;
    for (int k = 0; k < KERNELS; k++) {
        const autotune_desc desc = { .name = kernels[k].name, .axes = &axis, .axis_count = 1, .launch = run };
        cl_int error;
        kernels[k].handle = clCreateKernel(program, kernels[k].name, &error);
        MUST(error);
        MUST(clSetKernelArg(kernels[k].handle, 0, sizeof memory, &memory));
        MUST(clSetKernelArg(kernels[k].handle, 1, sizeof n, &n));
        if (!(kernels[k].tuner = autotune_create(&desc))) return false;
    }
    return true;
}
static autotune_status tune_kernels(cl_mem memory) {
    static launch launches[KERNELS][EXPECTED];
    for (int k = 0; k < KERNELS; k++)
        for (int e = 0; e < EXPECTED; e++) {
            launches[k][e] = (launch){ &kernels[k], expected[e] };
            autotune_add(kernels[k].tuner,
                         &(autotune_options){ .backend = OPENCL(cl.queue), .key = KEY(expected[e]),
                                              .user = &launches[k][e], .restore = BUFFERS({memory, 4 * MOST}) });
        }
    return autotune_tune_all();
}
/* Launches a kernel with the winner's local size, without a race. A library would call this for each launch. */
static autotune_status dispatch(struct kernel *kernel, int n) {
    autotune_config config;
    long local = 0;
    if (autotune_lookup(kernel->name, KEY(n), &config) == AUTOTUNE_OK) local = autotune_get_int(&config, "local");
    printf("%-6s n = %6d: local size %ld\n", kernel->name, n, local);
    (void)OPENCL(cl.queue);
    return autotune_opencl_launch(kernel->handle, GLOBAL(n), LOCAL(local));
}
int main(void) {
    static float host[MOST];
    autotune_status status;
    cl_int error;
    cl = first_device();
    cl_mem memory = buffer(cl, MOST, host);
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &error);
    MUST(error);
    MUST(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    if (!register_kernels(program, memory) || tune_kernels(memory) != AUTOTUNE_OK)
        return puts(autotune_last_error()), EXIT_FAILURE;

    status = dispatch(&kernels[1], MOST);       /* makes all elements 1 */
    if (status == AUTOTUNE_OK) status = dispatch(&kernels[0], 1 << 12);
    if (status == AUTOTUNE_OK) status = dispatch(&kernels[0], 1000);
    MUST(clEnqueueReadBuffer(cl.queue, memory, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL));
    for (int k = 0; k < KERNELS; k++) autotune_destroy(kernels[k].tuner);
    for (int i = 0; i < MOST; i++)
        if (status != AUTOTUNE_OK || host[i] != (i < 1000 ? 4.0f : i < 1 << 12 ? 2.0f : 1.0f))
            return printf("%s, element %d is %g\n", autotune_last_error(), i, (double)host[i]), EXIT_FAILURE;
    puts("all right");
}

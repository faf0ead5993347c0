/* opencl_saxpy.c [N] - an existing OpenCL launch, wrapped in OPENCL_LAUNCH. The axis is the number of work-items of a
   work-group. With the value 0 the driver chooses this number.

       cc -I.. opencl_saxpy.c -lOpenCL -pthread && ./a.out */
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"

#include "opencl.h"

static const char *text = "__kernel void saxpy(int n, float a, __global const float *x, __global float *y) {\n"
                          "    const int i = (int)get_global_id(0);\n"
                          "    if (i < n) y[i] += a * x[i];\n"     /* the number of work-items is rounded up */
                          "}\n";

int main(int count, char **arguments) {
    const opencl cl = first_device();
    int n = count > 1 ? atoi(arguments[1]) : 1 << 22, wrong = 0;
    const size_t bytes = sizeof(float) * (size_t)n;
    float a = 2, *host = malloc(bytes);
    cl_int error;
    for (int i = 0; i < n; i++) host[i] = (float)(i % 100);
    cl_mem x = buffer(cl, (size_t)n, host), y = buffer(cl, (size_t)n, host);
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &error);
    MUST(error);
    MUST(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    cl_kernel saxpy = clCreateKernel(program, "saxpy", &error);
    MUST(error);
    MUST(clSetKernelArg(saxpy, 0, sizeof n, &n));
    MUST(clSetKernelArg(saxpy, 1, sizeof a, &a));
    MUST(clSetKernelArg(saxpy, 2, sizeof x, &x));
    MUST(clSetKernelArg(saxpy, 3, sizeof y, &y));

    autotune_result result;
    AUTOTUNE(SPACE(AXIS(local, 0, 1, 16, 64, 256)), 1, OPENCL_LAUNCH(saxpy, GLOBAL(n), LOCAL(local)),
             .backend = OPENCL(cl.queue), .key = KEY(n), .restore = BUFFERS({y, bytes}), .result = &result);

    MUST(clEnqueueReadBuffer(cl.queue, y, CL_TRUE, 0, bytes, host, 0, NULL, NULL));
    for (int i = 0; i < n; i++) wrong += host[i] != 3 * (float)(i % 100);
    free(host);
    if (result.status != AUTOTUNE_OK || wrong)
        return printf("%s, %d wrong\n", autotune_last_error(), wrong), EXIT_FAILURE;
    printf("local size %s: %.1f us, the driver's choice: %.1f us; right\n", autotune_get_label(&result.config, "local"),
           result.median_ns / 1e3, result.default_ns / 1e3);
}

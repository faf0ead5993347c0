/* opencl_matmul.c [N] - a matrix product in OpenCL C, one compiled kernel for each configuration. The axes are the rows
   and columns that one work-item computes, and the size of a work-group. A further axis is the type of b: a buffer, or
   an image if the device has images. The kernel is opencl_matmul.cl.

       cc -I.. opencl_matmul.c -lOpenCL -lm -pthread && ./a.out

   A second run compiles and tunes nothing. */
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"

#include "opencl.h"
#include <math.h>

#ifndef MATMUL_FILE
#define MATMUL_FILE "opencl_matmul.cl"
#endif
static autotune_opencl_program program = OPENCL_PROGRAM_FILE(MATMUL_FILE, "-cl-fast-relaxed-math");

/* Returns the matrix as an image, with four floats in a pixel. NULL: the device has no images, or this image is too
   large. */
static cl_mem image_of(opencl cl, int n, float *values) {
    const cl_image_format format = { CL_RGBA, CL_FLOAT };
    cl_image_desc image = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = (size_t)n / 4,
                            .image_height = (size_t)n };
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    if (!has_images) return NULL;
    return clCreateImage(cl.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &image, values, NULL);
}
static void multiply(opencl cl, int n, cl_mem a, cl_mem b, cl_mem image, cl_mem c, autotune_result *result) {
    const size_t bytes = sizeof(float) * (size_t)n * (size_t)n;
    AUTOTUNE(SPACE(AXIS(IMAGE, 0, 1), AXIS(ROWS, 1, 4, 8), AXIS(VECTOR, 4, 8), AXIS(local, 0, 16),
                   WHERE(!IMAGE || image)), 1,
             OPENCL_RUN(&program, "matmul", GLOBAL(n / VECTOR, n / ROWS), LOCAL(local, local ? 1 : 0), n, a,
                        IMAGE ? image : b, c),
             .backend = OPENCL(cl.queue), .key = KEY(n), .outputs = BUFFERS({c, bytes, AUTOTUNE_F32}),
             .result = result);
}
int main(int count, char **arguments) {
    const opencl cl = first_device();
    const int n = count > 1 ? atoi(arguments[1]) : 256;
    const size_t elements = (size_t)n * (size_t)n;
    float *host = malloc(3 * elements * sizeof *host), *left = host, *right = host + elements,
          *product = right + elements;
    double error = 0;
    autotune_result tuned, known;
    for (size_t i = 0; i < elements; i++) left[i] = (float)(i % 13), right[i] = (float)(i % 7), product[i] = 0;
    cl_mem a = buffer(cl, elements, left), b = buffer(cl, elements, right), c = buffer(cl, elements, product),
           image = image_of(cl, n, right);

    multiply(cl, n, a, b, image, c, &tuned);
    multiply(cl, n, a, b, image, c, &known);

    MUST(clEnqueueReadBuffer(cl.queue, c, CL_TRUE, 0, elements * sizeof *product, product, 0, NULL, NULL));
    for (int row = 0; row < n; row += n / 8)
        for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += (double)left[row * n + k] * (double)right[k * n + column];
            error = fmax(error, fabs(sum - (double)product[row * n + column]));
        }
    free(host);
    if (tuned.status != AUTOTUNE_OK || !known.cache_hit || error > 1e-2)
        return printf("%s, error %g\n", autotune_last_error(), error), EXIT_FAILURE;
    printf("%zu of %zu raced, %zu failed: b as %s, rows %s, vector %s, local size %s: %.2f GFLOP/s, %.1f x the first; "
           "right\n", tuned.tried, tuned.space_size, tuned.failed,
           autotune_get_int(&tuned.config, "IMAGE") ? "an image" : "a buffer",
           autotune_get_label(&tuned.config, "ROWS"), autotune_get_label(&tuned.config, "VECTOR"),
           autotune_get_label(&tuned.config, "local"), 2.0 * n * n * n / tuned.median_ns,
           tuned.default_ns / tuned.median_ns);
}

/* cuda_gemm.c [N] - one kernel compiled for each configuration: the tiles of a matrix product. Needs libnvrtc when it runs.

       cc cuda_gemm.c -lcuda -lm -pthread && ./a.out */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))
#ifndef GEMM_FILE
#define GEMM_FILE "cuda_gemm.cu"
#endif
static autotune_cuda_program program = CUDA_PROGRAM_FILE(GEMM_FILE);

static autotune_result multiply(int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, CUstream stream) {
    const size_t bytes = sizeof(float) * (size_t)n * (size_t)n;
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(BLOCK, 16, 32, 64, 128), AXIS(PER_THREAD, 1, 2, 4, 8), AXIS(DEPTH, 8, 16),
                   WHERE(n % BLOCK == 0 && BLOCK / PER_THREAD >= 8 && BLOCK / PER_THREAD <= 32)),
             GRID(n / BLOCK, n / BLOCK),
             CUDA_LAUNCH(&program, "gemm", THREADS(BLOCK / PER_THREAD * (BLOCK / PER_THREAD)), SHARED(0), n, a, b, c),
             .backend = CUDA(stream), .key = KEY(n), .outputs = BUFFERS({(void *)c, bytes, AUTOTUNE_F32}), .result = &result);
    return result;
}

int main(int count, char **arguments) {
    const int n = count > 1 ? atoi(arguments[1]) : 1024;
    const size_t elements = (size_t)n * (size_t)n, bytes = sizeof(float) * elements;
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUdeviceptr on_device[3];
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < 3; i++) MUST(cuMemAlloc(&on_device[i], bytes));
    for (size_t i = 0; i < elements; i++) a[i] = (float)(i % 7) - 3, b[i] = (float)(i % 5) - 2;
    MUST(cuMemcpyHtoD(on_device[0], a, bytes));
    MUST(cuMemcpyHtoD(on_device[1], b, bytes));

    const autotune_result r = multiply(n, on_device[0], on_device[1], on_device[2], stream);
    if (r.status != AUTOTUNE_OK) return puts(autotune_last_error()), EXIT_FAILURE;
    const double operations = 2.0 * n * n * n;
    printf("winner  %8.1f us  %8.1f GFLOP/s  BLOCK %d PER_THREAD %d DEPTH %d\n", r.median_ns / 1e3, operations / r.median_ns,
           (int)autotune_get_int(&r.config, "BLOCK"), (int)autotune_get_int(&r.config, "PER_THREAD"),
           (int)autotune_get_int(&r.config, "DEPTH"));
    printf("first   %8.1f us  %8.1f GFLOP/s\n", r.default_ns / 1e3, operations / r.default_ns);
    printf("raced   %zu of %zu, %zu failed, %.2f s, %zu launches\n", r.tried, r.space_size, r.failed, r.seconds, r.launches);

    MUST(cuMemcpyDtoH(c, on_device[2], bytes));
    double error = 0;
    for (int i = 0; i < n; i += n / 16)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += (double)a[i * n + k] * (double)b[k * n + j];
            error = fmax(error, fabs(sum - (double)c[i * n + j]));
        }
    printf("error   %g, %s\n", error, error == 0 ? "right" : "WRONG");
    free(a);
    free(b);
    free(c);
    return error == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

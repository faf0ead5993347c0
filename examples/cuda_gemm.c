/* cuda_gemm.c [N [LIBCUBLAS]] - a matrix product, whose kernel, cuda_gemm.cu, is compiled for each configuration. If
   cuBLAS is installed, the program compares the winner with it. N is a multiple of 64. The program needs libnvrtc when
   it runs. Most of the tuning time is the time of the compiler.

       cc -O2 -I.. cuda_gemm.c -lcuda -lm -pthread && ./a.out */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include "cublas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))
#ifndef GEMM_FILE
#define GEMM_FILE "cuda_gemm.cu"
#endif
static autotune_cuda_program program = CUDA_PROGRAM_FILE(GEMM_FILE);

/* Only the first 128 rows of C are compared: they contain each row of a tile, whose height is at most 128. */
static size_t bytes_compared(int n) { return sizeof(float) * (size_t)(n < 128 ? n : 128) * (size_t)n; }

/* The axes are the size of a block's tile, the part of the tile that a thread computes, and the width of loads. Further
   axes are the slices in shared memory (one or two), the unrolling of the inner loop, and RESIDENT: the blocks that a
   multiprocessor has to hold. Two blocks leave half the registers to each. So RESIDENT 2 is only tried with few sums
   per thread. With RESIDENT 1 only UNROLL 8 is tried. */
#define PER_BLOCK (BLOCK_M / ROWS * (BLOCK_N / COLUMNS))
static autotune_result multiply(int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, CUstream stream) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(BLOCK_M, 64, 128), AXIS(BLOCK_N, 64, 128, 256), AXIS(BLOCK_K, 8, 16), AXIS(ROWS, 4, 8),
                   AXIS(COLUMNS, 8, 16), AXIS(VECTOR, 1, 2, 4), AXIS(STAGES, 1, 2), AXIS(UNROLL, 8, 2),
                   AXIS(RESIDENT, 1, 2), WHERE(n % BLOCK_M == 0 && n % BLOCK_N == 0 && BLOCK_N % (8 * COLUMNS) == 0),
                   WHERE(PER_BLOCK >= 64 && PER_BLOCK <= 256 && ROWS * COLUMNS >= 64),
                   WHERE(BLOCK_M * BLOCK_K % (VECTOR * PER_BLOCK) == 0 &&
                         BLOCK_K * BLOCK_N % (VECTOR * PER_BLOCK) == 0),
                   WHERE(STAGES * BLOCK_K * (BLOCK_M + 4 + BLOCK_N) <= 12288),
                   WHERE(RESIDENT == 1 ? UNROLL == 8 : PER_BLOCK == 256 && ROWS * COLUMNS == 64)),
             GRID(n / BLOCK_N, n / BLOCK_M), CUDA_LAUNCH(&program, "gemm", THREADS(PER_BLOCK), SHARED(0), n, a, b, c),
             .backend = CUDA(stream), .key = KEY(n), .outputs = BUFFERS({(void *)c, bytes_compared(n), AUTOTUNE_F32}),
             .max_seconds = 60, .result = &result);
    return result;
}

/* cuBLAS stores matrices by columns: so it computes C' = B' A'. */
static CUresult multiply_by_cublas(int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) {
    static const float one = 1, zero = 0;
    return cublas.sgemm(cublas.handle, 0, 0, n, n, n, &one, b, n, a, n, &zero, c, n) ? CUDA_ERROR_NOT_SUPPORTED
                                                                                     : CUDA_SUCCESS;
}

static double largest_error(int n, const float *a, const float *b, const float *c) {     /* of 16 rows */
    double largest = 0, *sum = malloc(sizeof *sum * (size_t)n);
    for (int i = 0; i < n; i += n / 16) {
        for (int j = 0; j < n; j++) sum[j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) sum[j] += (double)a[i * n + k] * (double)b[k * n + j];
        for (int j = 0; j < n; j++) largest = fmax(largest, fabs(sum[j] - (double)c[i * n + j]));
    }
    free(sum);
    return largest;
}
static void row(const char *name, int n, double ns, double winner_ns) {
    printf("%-10s%9.1f us %9.1f GFLOP/s %8.2f x the winner's time\n", name, ns / 1e3, 2.0 * n * n * n / ns,
           ns / winner_ns);
}

int main(int count, char **arguments) {
    const int n = count > 1 ? atoi(arguments[1]) : 4096;
    const size_t elements = (size_t)n * (size_t)n, bytes = sizeof(float) * elements;
    float *host[3];
    CUdeviceptr device[3];
    CUdevice first;
    CUcontext context;
    CUstream stream;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&first, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, first));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    for (int i = 0; i < 3; i++) {
        host[i] = malloc(bytes);
        MUST(cuMemAlloc(&device[i], bytes));
        /* small integers, so that all sums are exact */
        for (size_t at = 0; at < elements; at++) host[i][at] = (float)(at % (i ? 5 : 7)) - 2;
        MUST(cuMemcpyHtoD(device[i], host[i], bytes));
    }

    const autotune_result r = multiply(n, device[0], device[1], device[2], stream);
    if (r.status != AUTOTUNE_OK) return puts(autotune_last_error()), EXIT_FAILURE;
    row("winner", n, r.median_ns, r.median_ns);
    row("first", n, r.default_ns, r.median_ns);
    row("slowest", n, r.slowest_ns, r.median_ns);
    if (r.cache_hit) printf("raced      nothing: the winner is known from an earlier run\nchosen    ");
    else
        printf("raced      %zu of %zu, %zu failed, %.2f s, %zu launches\nchosen    ", r.tried, r.space_size, r.failed,
               r.seconds, r.launches);
    for (size_t i = 0; i < r.config.count; i++) printf(" %s %s", r.config.names[i], r.config.labels[i]);
    printf(": %s\n", autotune_verdict_text(r.verdict));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH(host[2], device[2], bytes));
    const double error = largest_error(n, host[0], host[1], host[2]);
    printf("error      %g, %s\n", error, error == 0 ? "right" : "WRONG");

    if (open_cublas(count > 2 ? arguments[2] : NULL, stream)) {       /* races our winner against cuBLAS; multiply()
                                                                         knows the winner from above */
        autotune_result duel;
        AUTOTUNE_SELECT((.backend = CUDA(stream), .key = KEY(n),
                         .outputs = BUFFERS({(void *)device[2], bytes_compared(n), AUTOTUNE_F32}),
                         .cache = AUTOTUNE_CACHE_OFF, .result = &duel),
                        multiply(n, device[0], device[1], device[2], stream),
                        multiply_by_cublas(n, device[0], device[1], device[2]));
        if (duel.status != AUTOTUNE_OK || duel.failed) return puts(autotune_last_error()), EXIT_FAILURE;
        const double ours = duel.index == 0 ? duel.median_ns : duel.runner_up_ns,
                     theirs = duel.index ? duel.median_ns : duel.runner_up_ns;
        row("cuBLAS", n, theirs, ours);
        printf("           in turns with it the winner takes %.1f us: %.0f %% of its speed\n", ours / 1e3,
               100 * theirs / ours);
    }
    for (int i = 0; i < 3; i++) free(host[i]);
    return error == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* cuda_gemm_fp16.c [N [LIBCUBLAS]] - a product of matrices in FP16 on tensor cores. The kernel, cuda_gemm_fp16.cu, is
   compiled for each configuration. If cuBLAS is installed, the program compares the winner with it. N is a multiple of
   256. The program needs a GPU of compute capability 9.0 (H100, H200), and libnvrtc when it runs.

       cc -O2 -I.. cuda_gemm_fp16.c -lcuda -lm -ldl -pthread && ./a.out 8192 */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include "cublas.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))
#ifndef GEMM_FILE
#define GEMM_FILE "cuda_gemm_fp16.cu"
#endif
static autotune_cuda_program program = CUDA_PROGRAM_FILE(GEMM_FILE, "--gpu-architecture=sm_90a");

typedef struct matrix { CUdeviceptr at; CUtensorMap map; } matrix;

/* The TMA loads pieces of 64 x 64 elements for tiles of every size, so one map is enough for all configurations. */
static matrix new_matrix(int n) {
    const cuuint64_t size[] = {(cuuint64_t)n, (cuuint64_t)n}, pitch[] = {2 * (cuuint64_t)n};
    const cuuint32_t piece[] = {64, 64}, step[] = {1, 1};
    matrix m;
    MUST(cuMemAlloc(&m.at, 2 * (size_t)n * (size_t)n));
    MUST(cuTensorMapEncodeTiled(&m.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void *)m.at, size, pitch, piece, step,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return m;
}

/* The axes are the size of a tile, the slices in shared memory, and the warp groups that multiply. Further axes are
   the blocks on one multiprocessor, and the size of the squares of tiles that share the L2 cache. */
#define SLICES_BYTES (STAGES * (BLOCK_M + BLOCK_N) * 128 + 1024)
static autotune_result multiply(int n, const matrix *a, const matrix *b, const matrix *c, CUstream stream) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(BLOCK_M, 64, 128, 256), AXIS(BLOCK_N, 64, 128, 256), AXIS(STAGES, 3, 4, 6), AXIS(GROUPS, 1, 2),
                   AXIS(RESIDENT, 1, 2), AXIS(SQUARE, 1, 8, 16), WHERE(n % BLOCK_M == 0 && n % BLOCK_N == 0),
                   WHERE(BLOCK_M % (64 * GROUPS) == 0 && BLOCK_M / GROUPS * BLOCK_N <= 128 * 128),
                   WHERE(RESIDENT == 1 ? BLOCK_M * BLOCK_N >= 128 * 128 : GROUPS == 1),
                   WHERE(RESIDENT * (SLICES_BYTES + 1024) <= 227 * 1024)),
             GRID((n / BLOCK_M) * (n / BLOCK_N)),
             CUDA_LAUNCH(&program, "gemm", THREADS(128 * (GROUPS + 1)), SHARED(SLICES_BYTES), n, a->map, b->map, c->at),
             .backend = CUDA(stream), .key = KEY(n), .max_seconds = 60, .result = &result,
             .outputs = BUFFERS({(void *)c->at, 2 * 256 * (size_t)n, AUTOTUNE_F16}));
    return result;
}
/* cuBLAS stores matrices by columns: so it computes C' = B A'. */
static CUresult multiply_by_cublas(int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) {
    enum { TRANSPOSED = 1, HALF = 2, SUMS_OF_FLOAT = 68, ANY = -1 };
    static const float one = 1, zero = 0;
    return cublas.gemm_ex(cublas.handle, TRANSPOSED, 0, n, n, n, &one, b, HALF, n, a, HALF, n, &zero, c, HALF, n,
                          SUMS_OF_FLOAT, ANY) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

/* The elements are small integers. Sums of their products are exact in FP32, and sums up to 2048 also in FP16. */
static double element(int which, size_t row, size_t column) {
    return (double)((row * 7 + column * (which ? 5 : 3) + row * column % 11) % 5) - 2;
}
static uint16_t half_of(double value) {                 /* value: -2, -1, 0, 1 or 2 */
    static const uint16_t halves[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    return halves[(int)value + 2];
}
static double value_of(uint16_t half) {
    const int exponent = half >> 10 & 31;
    return (half >> 15 ? -1 : 1) * ldexp((half & 1023) + (exponent ? 1024 : 0), (exponent ? exponent : 1) - 25);
}
static void fill(int which, int n, CUdeviceptr to) {
    uint16_t *const host = malloc(2 * (size_t)n * (size_t)n);
    for (size_t row = 0; row < (size_t)n; row++)
        for (size_t column = 0; column < (size_t)n; column++)
            host[row * (size_t)n + column] = half_of(element(which, row, column));
    MUST(cuMemcpyHtoD(to, host, 2 * (size_t)n * (size_t)n));
    free(host);
}
/* Checks about 16 rows of C, every 7th column of them, so that all parts of a tile are checked. Returns how many of
   these elements are wrong. */
static int count_wrong(int n, CUdeviceptr c) {
    uint16_t *const line = malloc(2 * (size_t)n);
    int wrong = 0;
    for (size_t row = 0; row < (size_t)n; row += (size_t)n / 16 + 5) {
        MUST(cuMemcpyDtoH(line, c + 2 * row * (size_t)n, 2 * (size_t)n));
        for (size_t column = row % 7; column < (size_t)n; column += 7) {
            double sum = 0;
            for (size_t k = 0; k < (size_t)n; k++) sum += element(0, row, k) * element(1, column, k);
            wrong += !(fabs(value_of(line[column]) - sum) <= fabs(sum) / 2048);
        }
    }
    free(line);
    return wrong;
}
static void row(const char *name, int n, double ns, double winner_ns) {
    printf("%-10s%9.1f us %9.1f TFLOP/s %8.2f x the winner's time\n", name, ns / 1e3, 2e-3 * n * n * n / ns,
           ns / winner_ns);
}

int main(int count, char **arguments) {
    const int n = count > 1 ? atoi(arguments[1]) : 4096;
    int major;
    CUdevice first;
    CUcontext context;
    CUstream stream;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&first, 0));
    MUST(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, first));
    if (major != 9) return puts("this kernel is for compute capability 9.0: H100, H200"), EXIT_FAILURE;
    MUST(cuDevicePrimaryCtxRetain(&context, first));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    const matrix a = new_matrix(n), b = new_matrix(n), c = new_matrix(n);
    fill(0, n, a.at);
    fill(1, n, b.at);

    const autotune_result r = multiply(n, &a, &b, &c, stream);
    if (r.status != AUTOTUNE_OK) return puts(autotune_last_error()), EXIT_FAILURE;
    row("winner", n, r.median_ns, r.median_ns);
    row("first", n, r.default_ns, r.median_ns);
    if (r.cache_hit) printf("raced      nothing: the winner is known from an earlier run\nchosen    ");
    else
        printf("raced      %zu of %zu, %zu failed, %.2f s, %zu launches\nchosen    ", r.tried, r.space_size, r.failed,
               r.seconds, r.launches);
    for (size_t i = 0; i < r.config.count; i++) printf(" %s %s", r.config.names[i], r.config.labels[i]);
    printf(": %s\n", autotune_verdict_text(r.verdict));
    MUST(cuStreamSynchronize(stream));
    const int wrong = count_wrong(n, c.at);
    printf("error      %d elements are wrong\n", wrong);

    if (open_cublas(count > 2 ? arguments[2] : NULL, stream)) {       /* races our winner against cuBLAS */
        autotune_result duel;
        AUTOTUNE_SELECT((.backend = CUDA(stream), .key = KEY(n), .cache = AUTOTUNE_CACHE_OFF, .result = &duel,
                         .outputs = BUFFERS({(void *)c.at, 2 * 256 * (size_t)n, AUTOTUNE_F16})),
                        multiply(n, &a, &b, &c, stream), multiply_by_cublas(n, a.at, b.at, c.at));
        if (duel.status != AUTOTUNE_OK || duel.failed) return puts(autotune_last_error()), EXIT_FAILURE;
        const double ours = duel.index == 0 ? duel.median_ns : duel.runner_up_ns,
                     theirs = duel.index ? duel.median_ns : duel.runner_up_ns;
        row("cuBLAS", n, theirs, ours);
        printf("           in turns with it the winner takes %.1f us: %.0f %% of its speed\n", ours / 1e3,
               100 * theirs / ours);
    }
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

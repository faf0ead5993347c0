/* cuda_reduce.c [N] - a sum, by one of three kernels. The axes are the kernel, the size of a block and the elements per
   thread. Each kernel adds to the result, so .zero zeroes the result before every trial. The terms are ones and zeros,
   so the sum is exact in any order, up to 2^24 ones.

       cc -I.. cuda_reduce.c -lcuda -pthread && ./a.out */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include <stdio.h>
#include <stdlib.h>

#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))

static autotune_cuda_program program = CUDA_PROGRAM(
    "__device__ float part(int n, const float *x) {            /* what one thread adds: PER_THREAD elements */\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < PER_THREAD; k++) {\n"
    "        const int i = (int)((blockIdx.x * PER_THREAD + k) * BLOCK + threadIdx.x);\n"
    "        sum += i < n ? x[i] : 0;\n"
    "    }\n"
    "    return sum;\n"
    "}\n"
    "extern \"C\" __global__ void by_atomics(int n, const float *x, float *sum) {     /* one addition for each thread "
    "*/\n"
    "    atomicAdd(sum, part(n, x));\n"
    "}\n"
    "extern \"C\" __global__ void by_shuffles(int n, const float *x, float *sum) {    /* for each warp */\n"
    "    float mine = part(n, x);\n"
    "    for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);\n"
    "    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);\n"
    "}\n"
    "extern \"C\" __global__ void by_blocks(int n, const float *x, float *sum) {      /* for each block */\n"
    "    __shared__ float parts[BLOCK];\n"
    "    parts[threadIdx.x] = part(n, x);\n"
    "    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {\n"
    "        __syncthreads();\n"
    "        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];\n"
    "    }\n"
    "    if (threadIdx.x == 0) atomicAdd(sum, parts[0]);\n"
    "}\n");

int main(int count, char **arguments) {
    const int n = count > 1 ? atoi(arguments[1]) : 1 << 24;
    const size_t bytes = sizeof(float) * (size_t)n;
    float *host = malloc(bytes), got = 0, zero = 0;
    double expected = 0;
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUdeviceptr x, sum;
    autotune_result result;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    MUST(cuMemAlloc(&x, bytes));
    MUST(cuMemAlloc(&sum, sizeof got));
    for (int i = 0; i < n; i++) expected += (double)(host[i] = i % 3 == 0);
    MUST(cuMemcpyHtoD(x, host, bytes));
    MUST(cuMemcpyHtoD(sum, &zero, sizeof zero));

    AUTOTUNE(SPACE(AXIS(kernel, "by_atomics", "by_shuffles", "by_blocks"), AXIS(BLOCK, 128, 512),
                   AXIS(PER_THREAD, 4, 16, 64)),
             (n + BLOCK * PER_THREAD - 1) / (BLOCK * PER_THREAD),
             CUDA_LAUNCH(&program, kernel, THREADS(BLOCK), SHARED(0), n, x, sum), .backend = CUDA(stream),
             .key = KEY(n), .zero = BUFFERS({(void *)sum, sizeof got}),
             .outputs = BUFFERS({(void *)sum, sizeof got, AUTOTUNE_F32}), .result = &result);

    MUST(cuMemcpyDtoH(&got, sum, sizeof got));
    if (result.status != AUTOTUNE_OK) return puts(autotune_last_error()), EXIT_FAILURE;
    printf("%s BLOCK %s PER_THREAD %s: %.1f us, %.1f GB/s; first %.1f us; %zu of %zu, %zu failed\n",
           autotune_get_string(&result.config, "kernel"), autotune_get_label(&result.config, "BLOCK"),
           autotune_get_label(&result.config, "PER_THREAD"), result.median_ns / 1e3, (double)bytes / result.median_ns,
           result.default_ns / 1e3, result.tried, result.space_size, result.failed);
    const bool right = (double)got == expected;
    printf("sum %.0f, %s\n", (double)got, right ? "right" : "WRONG");
    free(host);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* cuda_headers.c [FOLDER OF CUDA'S HEADERS] - how long tuning takes with empty caches, if the kernel includes
   <cooperative_groups.h>: 50 configurations, each compiled by NVRTC. Prints the seconds of the first call, and of the
   same call with a kernel that includes no header and reduces by shuffles. NVRTC has its own cache on disk, so only the
   first run of this program counts. */
#define _GNU_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include "bench.h"

#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))
#define SUM(start, reduce, is_first)                                                                              \
    start "extern \"C\" __global__ void sum(int n, const float *x, float *y) {\n"                                  \
          "    float mine = 0;\n"                                                                                   \
          "    for (int k = 0; k < EACH; k++) {\n"                                                                  \
          "        const int i = (int)((blockIdx.x * EACH + k) * BLOCK + threadIdx.x);\n"                           \
          "        mine += i < n ? x[i] : 0;\n"                                                                     \
          "    }\n" reduce "    if (" is_first ") atomicAdd(y, mine);\n"                                            \
          "}\n"

int main(int count, char **arguments) {
    const char *folder = count > 1 ? arguments[1] : "/usr/local/cuda/include";
    static char include[512], include_cccl[512];
    snprintf(include, sizeof include, "-I%s", folder);
    snprintf(include_cccl, sizeof include_cccl, "-I%s/cccl", folder);
    autotune_cuda_program programs[] = {
        CUDA_PROGRAM(SUM("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n",
                         "    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
                         "    for (int lanes = 16; lanes > 0; lanes /= 2) mine += warp.shfl_down(mine, lanes);\n",
                         "warp.thread_rank() == 0"),
                     include, include_cccl),
        CUDA_PROGRAM(SUM("", "    for (int lanes = 16; lanes > 0; lanes /= 2)\n"
                             "        mine += __shfl_down_sync(~0u, mine, lanes);\n", "threadIdx.x % 32 == 0"))};
    static const char *const names[] = {"with <cooperative_groups.h>", "without headers"};
    const int n = 1 << 24;
    CUdevice device;
    CUcontext context;
    CUdeviceptr x, y;
    setenv("AUTOTUNE_CACHE", "off", 1);
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemAlloc(&x, sizeof(float) * (size_t)n));
    MUST(cuMemAlloc(&y, sizeof(float)));
    MUST(cuMemsetD32(x, 0x3F800000, (size_t)n));            /* ones */
    for (int i = 0; i < 2; i++) {
        float sum;
        autotune_result result;
        MUST(cuMemsetD32(y, 0, 1));
        const double began = bench_seconds(CLOCK_MONOTONIC);
        AUTOTUNE(SPACE(AXIS(BLOCK, 64, 128, 256, 512, 1024), AXIS(EACH, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32)),
                 (n + BLOCK * EACH - 1) / (BLOCK * EACH),
                 CUDA_LAUNCH(&programs[i], "sum", THREADS(BLOCK), SHARED(0), n, x, y), .backend = CUDA(0),
                 .key = KEY(i), .zero = BUFFERS({(void *)(uintptr_t)y, sizeof(float)}), .max_seconds = 120,
                 .result = &result);
        MUST(cuMemcpyDtoH(&sum, y, sizeof sum));
        if (result.status != AUTOTUNE_OK || sum != (float)n)
            return fprintf(stderr, "%s; the sum is %g\n", autotune_last_error(), (double)sum), EXIT_FAILURE;
        printf("%-28s %zu of %zu, %zu failed, %zu launches, %6.2f s; %.1f us\n", names[i], result.tried,
               result.space_size, result.failed, result.launches, bench_seconds(CLOCK_MONOTONIC) - began,
               result.median_ns / 1e3);
    }
    return EXIT_SUCCESS;
}

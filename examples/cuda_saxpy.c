/* cuda_saxpy.c IMAGE [N] - an existing launch of the driver API, wrapped in AUTOTUNE. The axis is the number of threads
   of a block. IMAGE is the compiled cuda_saxpy.cu:

       nvcc -cubin -arch=native cuda_saxpy.cu && cc -I.. cuda_saxpy.c -lcuda -pthread && ./a.out cuda_saxpy.cubin */
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))

int main(int count, char **arguments) {
    int n = count > 2 ? atoi(arguments[2]) : 1 << 24, wrong = 0;
    size_t bytes = sizeof(float) * (size_t)n;
    float a = 2, *host = malloc(bytes);
    CUdevice device; CUcontext context; CUmodule module; CUfunction saxpy; CUdeviceptr x, y;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoad(&module, count > 1 ? arguments[1] : "cuda_saxpy.cubin"));
    MUST(cuModuleGetFunction(&saxpy, module, "saxpy"));
    for (int i = 0; i < n; i++) host[i] = (float)(i % 100);
    MUST(cuMemAlloc(&x, bytes)); MUST(cuMemcpyHtoD(x, host, bytes));
    MUST(cuMemAlloc(&y, bytes)); MUST(cuMemcpyHtoD(y, host, bytes));

    void *parameters[] = {&n, &a, &x, &y};
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u, 256u, 512u, 1024u)), ((unsigned)n + block - 1) / block,
             cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, 0, parameters, NULL),
             .backend = CUDA(0), .key = KEY(n), .restore = BUFFERS({(void *)y, bytes}), .result = &result);

    MUST(cuMemcpyDtoH(host, y, bytes));
    for (int i = 0; i < n; i++) wrong += host[i] != 3 * (float)(i % 100);
    free(host);
    if (result.status != AUTOTUNE_OK || wrong)
        return printf("%s, %d wrong\n", autotune_last_error(), wrong), EXIT_FAILURE;
    printf("%s threads a block: %.1f us, 64 threads: %.1f us; right\n", autotune_get_label(&result.config, "block"),
           result.median_ns / 1e3, result.default_ns / 1e3);
}

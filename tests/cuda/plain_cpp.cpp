// plain_cpp.cpp - the call site in C++: a CUresult is a status there too.
#include "autotune_cuda.h"

#include "../plain.h"
#include <stdlib.h>
#include "standin.h"

static CUresult launch(CUfunction function, unsigned blocks, unsigned block, CUdeviceptr x, CUdeviceptr y) {
    int n = 1000;
    float a = 2;
    void *arguments[] = {&n, &a, &x, &y};
    return cuLaunchKernel(function, blocks, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr);
}

static void a_CUresult_is_a_status() {
    CUcontext context;
    CUmodule module;
    CUfunction saxpy;
    CUdeviceptr x, y;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS);
    CHECK(cuModuleLoad(&module, KERNELS "/saxpy.cubin") == CUDA_SUCCESS);
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy") == CUDA_SUCCESS);
    CHECK(cuMemAlloc(&x, 4000) == CUDA_SUCCESS && cuMemAlloc(&y, 4000) == CUDA_SUCCESS);
    autotune_result result;
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(AXIS(block, 2048u, 256u)), (1000 + block - 1) / block, launch(saxpy, blocks.x, block, x, y),
                 .backend = CUDA(nullptr), .launch_timeout = 5, .result = &result);
        CHECK(result.status == AUTOTUNE_OK && result.index == 1);
        CHECK(result.cache_hit == (i == 1) && result.failed == (i == 0));
    }
    // Memory is named as the driver names it: y += 2 x is to be done once.
    float *ones = static_cast<float *>(calloc(1000, sizeof(float)));
    for (int i = 0; i < 1000; i++) ones[i] = 1;
    CHECK(cuMemcpyHtoD(x, ones, 4000) == CUDA_SUCCESS && cuMemcpyHtoD(y, ones, 4000) == CUDA_SUCCESS);
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u, 256u)), (1000 + block - 1) / block, launch(saxpy, blocks.x, block, x, y),
             .backend = CUDA(nullptr), .result = &result, .restore = BUFFERS({y, 4000}),
             .outputs = BUFFERS({y, 4000, AUTOTUNE_F32, 1e-4}));
    CHECK(result.status == AUTOTUNE_OK && result.tried == 3 && result.failed == 0);
    CHECK(cuMemcpyDtoH(ones, y, 4000) == CUDA_SUCCESS && ones[0] == 3 && ones[999] == 3);
    free(ones);
    AUTOTUNE(SPACE(AXIS(block, 2048u)), 1, launch(saxpy, blocks.x, block, x, y), .backend = CUDA(nullptr),
             .result = &result);
    CHECK(result.status == AUTOTUNE_FAILED && last_error_has("CUDA_ERROR_INVALID_VALUE (1)"));
    CHECK(SEEN(!*standin_misuse()));
}

// The runtime's header may come behind that of autotune.
enum cudaError { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9 };
enum other_error { other_success = 0, other_failure = 9 };
const char *cudaGetErrorName(cudaError error);
template <class Error> static Error launched_as(Error failure, unsigned block) {
    return block > 1024 ? failure : static_cast<Error>(0);
}
static void a_cudaError_is_a_status() {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 2048u)), 1, launched_as(cudaErrorInvalidConfiguration, block),
             .backend = CUDA(nullptr), .mode = AUTOTUNE_OFF, .result = &result);
    CHECK(result.status == AUTOTUNE_FAILED && last_error_has("(9)"));
    AUTOTUNE(SPACE(AXIS(block, 256u)), 1, launched_as(cudaErrorInvalidConfiguration, block), .backend = CUDA(nullptr),
             .mode = AUTOTUNE_OFF, .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
    AUTOTUNE(SPACE(AXIS(block, 2048u)), 1, launched_as(other_failure, block), .backend = CUDA(nullptr),
             .mode = AUTOTUNE_OFF, .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
}

static autotune_cuda_program program =
    CUDA_PROGRAM("struct pair { int a, b; };\n"
                 "template <class T> __global__ void write(T *out, pair p) { out[0] = p.a * p.b + TILE; }",
                 "-w");
struct pair {
    int a, b;
};
static void a_program_is_launched() {
    CUdeviceptr out;
    const pair p = {6, 7};
    int value = 0;
    autotune_result result;
    CHECK(cuMemAlloc(&out, sizeof value) == CUDA_SUCCESS);
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(TILE, 100)), GRID(1), CUDA_LAUNCH(&program, "write<int>", THREADS(1), SHARED(0), out, p),
                 .backend = CUDA(nullptr), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.cache_hit);
    CHECK(cuMemcpyDtoH(&value, out, sizeof value) == CUDA_SUCCESS && value == 142);
    AUTOTUNE(SPACE(AXIS(TILE, 100)), GRID(1), CUDA_LAUNCH(&program, "write<int>", 1, SHARED(0)),
             .backend = CUDA(nullptr), .result = &result);
    CHECK(result.status == AUTOTUNE_FAILED &&
          last_error_has("write<int> has 2 parameters, and CUDA_LAUNCH passes 0 arguments"));
    AUTOTUNE(SPACE(AXIS(TILE, 101), AXIS(cluster, 2u)), GRID(4 * cluster),
             CUDA_LAUNCH(&program, "write<int>", COOPERATIVE(CLUSTER(THREADS(32), cluster)), SHARED(0), out, p),
             .backend = CUDA(nullptr), .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
    CHECK(SEEN(!strcmp(standin_last_attributes(), "clusters of 2 x 1 x 1, cooperative")));
    AUTOTUNE(SPACE(AXIS(TILE, 101)), GRID(1), CUDA_LAUNCH(&program, "write<int>", COOPERATIVE(32), SHARED(0), out, p),
             .backend = CUDA(nullptr), .result = &result);
    CHECK(result.status == AUTOTUNE_OK);
    CHECK(SEEN(!strcmp(standin_last_attributes(), "clusters of 1 x 1 x 1, cooperative")));
}

int main() {
    const plain_test tests[] = {{"a_CUresult_is_a_status", a_CUresult_is_a_status},
                                {"a_cudaError_is_a_status", a_cudaError_is_a_status},
                                {"a_program_is_launched", a_program_is_launched}};
    return RUN_PLAIN_TESTS(tests);
}

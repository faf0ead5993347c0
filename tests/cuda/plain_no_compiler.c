/* plain_no_compiler.c - without libnvrtc, a statement that needs it ends with one sentence, and a wrapped launch is
   tuned. The program has its own dlopen(), which does not find the library. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "autotune_cuda.h"

#include "../plain.h"

void *dlopen(const char *name, int flags) {
    void *(*real)(const char *, int);
    void *symbol = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real, &symbol, sizeof real);
    return name && strstr(name, "nvrtc") ? NULL : real(name, flags);
}

static autotune_cuda_program source = CUDA_PROGRAM("extern \"C\" __global__ void saxpy() {}");
static autotune_result tune_source(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), 1, CUDA_LAUNCH(&source, "saxpy", block, SHARED(0)), .backend = CUDA(0),
             .result = &result);
    return result;
}
static autotune_result tune_compiled(CUfunction saxpy, CUdeviceptr memory) {
    autotune_result result;
    int n = 1;
    float a = 1;
    void *arguments[] = {&n, &a, &memory, &memory};
    AUTOTUNE(SPACE(AXIS(block, 64u, 128u)), 1,
             cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, 0, arguments, NULL), .backend = CUDA(0),
             .result = &result);
    return result;
}

static void a_program_in_source_needs_a_compiler(void) {
    CUcontext context;
    CUdeviceptr memory;
    CUmodule module;
    CUfunction saxpy;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS &&
          cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
    CHECK(cuModuleLoad(&module, KERNELS "/saxpy.cubin") == CUDA_SUCCESS &&
          cuModuleGetFunction(&saxpy, module, "saxpy") == CUDA_SUCCESS);
    CHECK(tune_source().status == AUTOTUNE_ERR_ENVIRONMENT);
    CHECK(last_error_has(
        "kernels cannot be compiled: libnvrtc, which the CUDA Toolkit installs, was not found: put its folder into "
        "LD_LIBRARY_PATH"));
    CHECK(tune_compiled(saxpy, memory).status == AUTOTUNE_OK);
}

int main(void) {
    const plain_test tests[] = {{"a_program_in_source_needs_a_compiler", a_program_in_source_needs_a_compiler}};
    return RUN_PLAIN_TESTS(tests);
}

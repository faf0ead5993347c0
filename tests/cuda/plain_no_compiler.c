/* plain_no_compiler.c - without libnvrtc what needs it ends with one sentence; what was compiled before runs. The
   library is hidden by a dlopen of the program's own. */
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

static char image[1 << 17];
static autotune_cuda_program source = CUDA_PROGRAM("extern \"C\" __global__ void saxpy() {}"),
                             compiled = CUDA_PROGRAM_IMAGE(image);
static autotune_result tune(autotune_cuda_program *program, CUdeviceptr memory) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128)), 1, CUDA_LAUNCH(program, "saxpy", block, SHARED(0), 1, 1.0f, memory, memory),
             .backend = CUDA(0), .key = KEY(program->image != NULL), .result = &result);
    return result;
}

static void a_program_in_source_needs_a_compiler(void) {
    CUcontext context;
    CUdeviceptr memory;
    FILE *file = fopen(KERNELS "/saxpy.cubin", "rb");
    CHECK(file && fread(image, 1, sizeof image, file) > 0 && fclose(file) == 0);
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS &&
          cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
    CHECK(tune(&source, memory).status == AUTOTUNE_ERR_ENVIRONMENT);
    CHECK(last_error_has(
        "kernels cannot be compiled: libnvrtc, which the CUDA Toolkit installs, was not found: put its folder into "
        "LD_LIBRARY_PATH"));
    CHECK(tune(&compiled, memory).status == AUTOTUNE_OK);
    CHECK(autotune_roofline(0, 1e9) == 0);
}

int main(void) {
    const plain_test tests[] = {{"a_program_in_source_needs_a_compiler", a_program_in_source_needs_a_compiler}};
    return RUN_PLAIN_TESTS(tests);
}

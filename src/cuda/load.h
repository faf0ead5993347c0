/* Loads machine code as a kernel into a context, and fills the variables of its module. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "../kernels/floor.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "context.h"

typedef struct autotune__cuda_kernel {
    CUfunction function;                        /* comes first with most_shared: hits read both */
    size_t most_shared;                         /* how many bytes of dynamic shared memory a block may have */
    uint64_t fitting;                           /* a hash of the sizes of arguments that fit the parameters; 0: no
                                                   arguments were checked */
    autotune__kernel loaded;
    CUmodule module;
    int resources[3];                           /* registers of a thread; bytes of local memory of a thread; bytes of
                                                   shared memory in variables */
    bool told;                                  /* the log shows its resources */
} autotune__cuda_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_kernel_of, autotune__cuda_kernel, loaded, autotune__kernel)

AUTOTUNE__API autotune_status autotune_cuda_fill(CUmodule module, const char *name, const void *data, size_t bytes) {
    CUdeviceptr memory = 0;
    size_t room = 0;
    CUresult result = autotune__driver.cuModuleGetGlobal_(&memory, &room, module, name);
    if (result == CUDA_ERROR_NOT_FOUND)
        autotune_explain("the module has no variable %s, or the kernel does not use it", name);
    else if (result == CUDA_SUCCESS && bytes > room) {
        autotune_explain("the variable %s has %zu bytes, and %zu are to be copied to it", name, room, bytes);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (result == CUDA_SUCCESS)                 /* programs do not capture this stream */
        result = autotune__driver.cuMemcpyAsync_(memory, (CUdeviceptr)(uintptr_t)data, bytes, CU_STREAM_PER_THREAD);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuStreamSynchronize_(CU_STREAM_PER_THREAD);
    if (result != CUDA_SUCCESS) autotune_explain("autotune_cuda_fill: %s (%d)", AUTOTUNE__CUDA_WORDS(result));
    return autotune__cuda_status_of((int)result);
}
/* The caller holds autotune__kernels_lock. Calls .loaded of the program, which fills the variables of a loaded module.
   Returns false if .loaded failed. */
static bool autotune__cuda_fill_module(const autotune__program *source, const autotune__cuda_kernel *kernel) {
    const autotune_cuda_program *program = (const autotune_cuda_program *)(const void *)source->declared;
    const autotune_status status = program->loaded ? program->loaded(program->user, kernel->module) : AUTOTUNE_OK;
    if (status != AUTOTUNE_OK) autotune_explain(".loaded of the program returned \"%s\"", autotune_status_text(status));
    return status == AUTOTUNE_OK;
}
/* Reads the resources of the kernel. Allows the kernel more than the default: dynamic shared memory beyond 48 KiB,
   and clusters of more than 8 blocks. */
static CUresult autotune__cuda_raise_limits(autotune__cuda_kernel *kernel, const autotune__cuda_context *context) {
    static const CUfunction_attribute asked[] = { CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                                  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES };
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUresult result = CUDA_SUCCESS;
    int i;
    for (i = 0; i < 3 && result == CUDA_SUCCESS; i++)
        result = cuda->cuFuncGetAttribute_(&kernel->resources[i], asked[i], kernel->function);
    kernel->most_shared = (size_t)(context->most_shared - kernel->resources[2]);
    if (result == CUDA_SUCCESS)
        result = cuda->cuFuncSetAttribute_(kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           (int)kernel->most_shared);
    if (result == CUDA_SUCCESS && context->capability >= 90)
        result = cuda->cuFuncSetAttribute_(kernel->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return result;
}
static CUresult autotune__cuda_load_module(autotune__cuda_kernel *kernel, const void *image) {
    char log[512] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    const CUresult result = autotune__driver.cuModuleLoadDataEx_(&kernel->module, image, 2, options, values);
    const char *end = strchr(log, '\n');
    if (result != CUDA_SUCCESS)
        autotune_explain("cuModuleLoadDataEx: %s (%d)%s%.*s", AUTOTUNE__CUDA_WORDS(result), *log ? ": " : "",
                         (int)(end ? end - log : (ptrdiff_t)strlen(log)), log);
    return result;
}
/* The caller holds autotune__kernels_lock. Finds the kernel in its module, and prepares it for launches. Newer drivers
   load a kernel at its first launch, so cuFuncLoad() loads the kernel now. */
static CUresult autotune__cuda_find_function(autotune__cuda_kernel *kernel, const autotune__compilation *compilation,
                                             const autotune__cuda_context *context) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUresult result = cuda->cuModuleGetFunction_(&kernel->function, kernel->module, compilation->symbol);
    if (result == CUDA_SUCCESS) result = cuda->cuFuncLoad_(kernel->function);
    if (result == CUDA_SUCCESS) result = autotune__cuda_raise_limits(kernel, context);
    if (result != CUDA_SUCCESS)
        autotune_explain("the program has no kernel %s that can be loaded: %s (%d)", compilation->name,
                         AUTOTUNE__CUDA_WORDS(result));
    else if (!autotune__cuda_fill_module(compilation->program, kernel)) result = CUDA_ERROR_INVALID_VALUE;
    return result;
}
static autotune__kernel *autotune__cuda_load(const autotune__target *target, const autotune__compilation *compilation,
                                             int *error) {
    autotune__cuda_kernel *kernel = (autotune__cuda_kernel *)autotune__allocate(sizeof *kernel);
    CUresult result = kernel ? autotune__cuda_load_module(kernel, compilation->image) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        result = autotune__cuda_find_function(kernel, compilation, autotune__cuda_context_at(target));
        if (result != CUDA_SUCCESS) autotune__driver.cuModuleUnload_(kernel->module);
    }
    *error = (int)result;
    if (result == CUDA_SUCCESS) return &kernel->loaded;
    autotune__free(kernel);
    return NULL;
}
static void autotune__cuda_unload(autotune__kernel *loaded) {
    autotune__cuda_kernel *kernel = autotune__cuda_kernel_of(loaded);
    const autotune__cuda_context *context = autotune__cuda_context_at(loaded->target);
    if (autotune__cuda_visit(context)) {
        autotune__driver.cuModuleUnload_(kernel->module);
        autotune__cuda_leave();
    }
    autotune__free(kernel);
}

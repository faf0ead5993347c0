/* Loading: machine code becomes a kernel in a context. */
#pragma once
#include <cuda.h>
#include <stddef.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/log.h"
#include "../statement/failures.h"
#include "../kernels/compiler.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "context.h"
#include "elf.h"

static const autotune_cuda_program *autotune__cuda_program_in(const autotune__program *program) {
    return (const autotune_cuda_program *)(const void *)program->of;
}
typedef struct autotune__cuda_kernel {
    CUfunction function;                        /* what a hit reads comes first */
    size_t shared_allowed;                      /* dynamic shared memory that asks for nothing more */
    autotune__kernel loaded;
    CUmodule module;
    int registers, static_shared, most_threads;
    size_t parameters;
} autotune__cuda_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_kernel_of, autotune__cuda_kernel, loaded, autotune__kernel)

static int autotune__cuda_function_attribute(CUfunction function, CUfunction_attribute attribute, int otherwise) {
    int value = otherwise;
    return autotune__driver.cuFuncGetAttribute_(&value, attribute, function) == CUDA_SUCCESS ? value : otherwise;
}
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
    if (result == CUDA_SUCCESS)                 /* on a stream that no program captures */
        result = autotune__driver.cuMemcpyAsync_(memory, (CUdeviceptr)(uintptr_t)data, bytes, CU_STREAM_PER_THREAD);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuStreamSynchronize_(CU_STREAM_PER_THREAD);
    autotune__cuda_told("autotune_cuda_fill", result);
    return autotune__cuda_status_of((int)result);
}
/* With the lock. The variables of a module that was loaded. False: they could not be filled. */
static bool autotune__cuda_fill_module(autotune__program *source, const autotune__cuda_kernel *kernel,
                                       const char *kernel_name, const void *image) {
    const autotune_cuda_program *program = autotune__cuda_program_in(source);
    const char *name;
    if (program->loaded) {
        const autotune_status status = program->loaded(program->user, kernel->module);
        if (status != AUTOTUNE_OK)
            autotune_explain(".loaded of the program returned \"%s\"", autotune_status_text(status));
        return status == AUTOTUNE_OK;
    }
    if (!source->said_unfilled && (name = autotune__elf_zero_constant(image)) != NULL) {
        source->said_unfilled = true;
        autotune__complain("%s: its __constant__ %s is filled by nobody and reads as zeros: set .loaded of the program",
                           kernel_name, name);
    }
    return true;
}
/* By the driver, or its cubin. Else by asking for one after the other up to an error, which tools that watch the driver
   report. */
static size_t autotune__cuda_count_parameters(CUfunction function, const void *image, const char *name) {
    size_t count, offset, size;
    if (autotune__driver.cuFuncGetParamCount_ &&
        autotune__driver.cuFuncGetParamCount_(function, &count) == CUDA_SUCCESS)
        return count;
    if ((count = autotune__elf_count_parameters(image, name)) != SIZE_MAX || !autotune__driver.cuFuncGetParamInfo_)
        return count;
    for (count = 0; autotune__driver.cuFuncGetParamInfo_(function, count, &offset, &size) == CUDA_SUCCESS; count++) {}
    return count;
}
static void autotune__cuda_describe_kernel(autotune__cuda_kernel *kernel, const autotune__cuda_context *context) {
    kernel->registers = autotune__cuda_function_attribute(kernel->function, CU_FUNC_ATTRIBUTE_NUM_REGS, 0);
    kernel->static_shared = autotune__cuda_function_attribute(kernel->function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0);
    kernel->most_threads = autotune__cuda_function_attribute(kernel->function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                                             1024);
    kernel->shared_allowed = context->most_shared > kernel->static_shared
                                 ? (size_t)(context->most_shared - kernel->static_shared)
                                 : 0;
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
/* With the lock. Loading is lazy in newer drivers; what the first launch would have to do is done here. */
static CUresult autotune__cuda_find_function(autotune__cuda_kernel *kernel, autotune__program *source,
                                             const char *name, const void *image, const char *symbol) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUresult result = cuda->cuModuleGetFunction_(&kernel->function, kernel->module, symbol);
    if (result == CUDA_SUCCESS && cuda->cuFuncLoad_) result = cuda->cuFuncLoad_(kernel->function);
    if (result != CUDA_SUCCESS)
        autotune_explain("the program has no kernel %s that can be loaded: %s (%d)", name,
                         AUTOTUNE__CUDA_WORDS(result));
    else if (!autotune__cuda_fill_module(source, kernel, name, image)) result = CUDA_ERROR_INVALID_VALUE;
    return result;
}
static autotune__kernel *autotune__cuda_load(const autotune__target *target, const autotune__compilation *compilation,
                                             int *error) {
    autotune__program *source = compilation->program;
    const void *own = source->image, *image = own ? own : compilation->image;
    const char *symbol = own ? compilation->name : compilation->symbol;
    autotune__cuda_kernel *kernel = (autotune__cuda_kernel *)autotune__allocate(sizeof *kernel);
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (kernel) {
        result = autotune__cuda_load_module(kernel, image);
        if (result == CUDA_SUCCESS &&
            (result = autotune__cuda_find_function(kernel, source, compilation->name, image, symbol)) !=
                CUDA_SUCCESS)
            autotune__driver.cuModuleUnload_(kernel->module);
    }
    *error = (int)result;
    if (result != CUDA_SUCCESS) {
        autotune__free(kernel);
        return NULL;
    }
    autotune__cuda_describe_kernel(kernel, autotune__cuda_context_at(target));
    kernel->parameters = autotune__cuda_count_parameters(kernel->function, image, symbol);
    return &kernel->loaded;
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

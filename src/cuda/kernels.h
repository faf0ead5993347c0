/* Kernels: compilations loaded into a context. A race lets go of those that it only tried. */
#pragma once
#include <cuda.h>
#include <pthread.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/functions.h"
#include "../base/memory.h"
#include "../base/log.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "elf.h"
#include "compilation.h"
#include "compile.h"

typedef struct autotune__cuda_kernel {
    const autotune_cuda_program *program;       /* what a hit reads comes first */
    const char *name;
    CUfunction function;
    size_t shared_allowed;                      /* dynamic shared memory that asks for nothing more */
    struct autotune__cuda_kernel *next;         /* the next kernel that the same configuration launches */
    const autotune__cuda_context *context;
    struct autotune__cuda_kernel *sibling;      /* of the same compilation in another context */
    CUmodule module;
    size_t users;                               /* sessions that try it */
    bool kept;                                  /* it was launched for real: entries may point to it */
    int registers, static_shared, most_threads;
    size_t parameters;
} autotune__cuda_kernel;

static int autotune__cuda_function_attribute(CUfunction function, CUfunction_attribute attribute, int otherwise) {
    int value = otherwise;
    return autotune__cuda.cuFuncGetAttribute_(&value, attribute, function) == CUDA_SUCCESS ? value : otherwise;
}
AUTOTUNE__API autotune_status autotune_cuda_fill(CUmodule module, const char *name, const void *data, size_t bytes) {
    CUdeviceptr memory = 0;
    size_t room = 0;
    CUresult result = autotune__cuda.cuModuleGetGlobal_(&memory, &room, module, name);
    if (result == CUDA_ERROR_NOT_FOUND)
        autotune__explain("the module has no variable %s, or the kernel does not use it", name);
    else if (result == CUDA_SUCCESS && bytes > room) {
        autotune__explain("the variable %s has %zu bytes, and %zu are to be copied to it", name, room, bytes);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (result == CUDA_SUCCESS)                 /* on a stream that no program captures */
        result = autotune__cuda.cuMemcpyAsync_(memory, (CUdeviceptr)(uintptr_t)data, bytes, CU_STREAM_PER_THREAD);
    if (result == CUDA_SUCCESS) result = autotune__cuda.cuStreamSynchronize_(CU_STREAM_PER_THREAD);
    autotune__cuda_told("autotune_cuda_fill", result);
    return autotune__cuda_status_of((int)result);
}
/* With the lock. The variables of a module that was loaded. False: they could not be filled. */
static bool autotune__cuda_fill_module(const autotune_cuda_program *program, const autotune__cuda_kernel *kernel,
                                       const void *image) {
    const char *name;
    if (program->loaded) {
        const autotune_status status = program->loaded(program->user, kernel->module);
        if (status != AUTOTUNE_OK)
            autotune__explain(".loaded of the program returned \"%s\"", autotune_status_text(status));
        return status == AUTOTUNE_OK;
    }
    if (!program->source->said_unfilled && (name = autotune__elf_zero_constant(image)) != NULL) {
        program->source->said_unfilled = true;
        autotune__complain("%s: its __constant__ %s is filled by nobody and reads as zeros: set .loaded of the program",
                           kernel->name, name);
    }
    return true;
}
/* By the driver, or its cubin. Else by asking for one after the other up to an error, which tools that watch the driver
   report. */
static size_t autotune__cuda_count_parameters(CUfunction function, const void *image, const char *name) {
    size_t count, offset, size;
    if (autotune__cuda.cuFuncGetParamCount_ && autotune__cuda.cuFuncGetParamCount_(function, &count) == CUDA_SUCCESS)
        return count;
    if ((count = autotune__elf_count_parameters(image, name)) != SIZE_MAX || !autotune__cuda.cuFuncGetParamInfo_)
        return count;
    for (count = 0; autotune__cuda.cuFuncGetParamInfo_(function, count, &offset, &size) == CUDA_SUCCESS; count++) {}
    return count;
}
/* With the lock. Loading is lazy in newer drivers; what the first launch would have to do is done here. */
static CUresult autotune__cuda_load(const autotune__cuda_context *context,
                                    const autotune__cuda_compilation *compilation, autotune__cuda_kernel *kernel) {
    const struct autotune__cuda_driver *cuda = &autotune__cuda;
    const autotune_cuda_program *program = compilation->program;
    const void *image = program->image ? program->image : compilation->image;
    const char *name = program->image ? compilation->name : compilation->lowered;
    char log[512] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    CUresult result = cuda->cuModuleLoadDataEx_(&kernel->module, image, 2, options, values);
    if (result != CUDA_SUCCESS) {
        const char *end = strchr(log, '\n');
        autotune__explain("cuModuleLoadDataEx: %s (%d)%s%.*s", autotune__cuda_error_name((int)result), (int)result,
                          *log ? ": " : "", (int)(end ? end - log : (ptrdiff_t)strlen(log)), log);
        return result;
    }
    if ((result = cuda->cuModuleGetFunction_(&kernel->function, kernel->module, name)) == CUDA_SUCCESS &&
        cuda->cuFuncLoad_)
        result = cuda->cuFuncLoad_(kernel->function);
    kernel->program = program;
    kernel->name = compilation->name;
    if (result != CUDA_SUCCESS)
        autotune__explain("the program has no kernel %s that can be loaded: %s (%d)", compilation->name,
                          autotune__cuda_error_name((int)result), (int)result);
    else if (!autotune__cuda_fill_module(program, kernel, image)) result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS) {
        cuda->cuModuleUnload_(kernel->module);
        kernel->module = NULL;
        return result;
    }
    kernel->registers = autotune__cuda_function_attribute(kernel->function, CU_FUNC_ATTRIBUTE_NUM_REGS, 0);
    kernel->static_shared = autotune__cuda_function_attribute(kernel->function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0);
    kernel->most_threads = autotune__cuda_function_attribute(kernel->function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                                             1024);
    kernel->parameters = autotune__cuda_count_parameters(kernel->function, image, name);
    kernel->shared_allowed = context->most_shared > kernel->static_shared
                                 ? (size_t)(context->most_shared - kernel->static_shared)
                                 : 0;
    return CUDA_SUCCESS;
}
static autotune__cuda_kernel *autotune__cuda_kernel_in(const autotune__cuda_context *context,
                                                       const autotune__cuda_compilation *compilation) {
    autotune__cuda_kernel *kernel = compilation->kernels;
    while (kernel && kernel->context != context) kernel = kernel->sibling;
    return kernel;
}
/* With the lock. NULL: it is not, or no longer. */
static autotune__cuda_kernel *autotune__cuda_loaded(const autotune__cuda_context *context,
                                                    const autotune__cuda_compilation *compilation) {
    autotune__cuda_kernel *kernel = autotune__cuda_kernel_in(context, compilation);
    return kernel && kernel->module ? kernel : NULL;
}
/* With the lock: loaded already, or now from what was compiled. NULL: it cannot be, and why was explained; error says
   whose fault. */
static autotune__cuda_kernel *autotune__cuda_load_into(const autotune__cuda_context *context,
                                                       autotune__cuda_compilation *compilation, CUresult *error) {
    autotune__cuda_kernel *kernel = autotune__cuda_kernel_in(context, compilation);
    *error = CUDA_ERROR_OUT_OF_MEMORY;
    if (!kernel) {
        if (!(kernel = (autotune__cuda_kernel *)autotune__allocate(sizeof *kernel))) return NULL;
        kernel->context = context;
        kernel->sibling = compilation->kernels;
        compilation->kernels = kernel;
    }
    *error = kernel->module ? CUDA_SUCCESS : autotune__cuda_load(context, compilation, kernel);
    autotune__cuda_forget_image(compilation);
    return *error == CUDA_SUCCESS ? kernel : NULL;
}
/* With the lock: this session tries it. */
static void autotune__cuda_use(autotune__cuda_session *session, autotune__cuda_kernel *kernel) {
    size_t i;
    for (i = 0; i < autotune__count(session->kernels); i++) if (session->kernels[i] == kernel) return;
    if (AUTOTUNE__PUSH(session->kernels, kernel)) kernel->users++;
    else kernel->kept = true;                   /* no memory to remember that it is to be let go */
}
static void autotune__cuda_let_go(autotune__cuda_session *session) {
    size_t i;
    pthread_mutex_lock(&autotune__cuda_programs_lock);
    for (i = 0; i < autotune__count(session->kernels); i++) {
        autotune__cuda_kernel *kernel = session->kernels[i];
        if (--kernel->users || kernel->kept || !kernel->module || autotune__cuda_lost(session)) continue;
        autotune__cuda.cuModuleUnload_(kernel->module);
        kernel->module = NULL;
    }
    for (i = 0; i < autotune__count(session->copies); i++) autotune__free(session->copies[i]);
    AUTOTUNE__FREE_ARRAY(session->kernels);
    AUTOTUNE__FREE_ARRAY(session->copies);
    pthread_mutex_unlock(&autotune__cuda_programs_lock);
}

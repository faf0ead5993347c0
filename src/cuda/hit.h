/* The part of CUDA that a hit runs: CUDA(stream), and CUDA_LAUNCH if the list of the entry has the kernel. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "site.h"
#include "driver.h"
#include "context.h"
#include "load.h"
#include "backend.h"
#include "start.h"
#include "launch.h"

AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream) {
    autotune__cuda_context *context = autotune__cuda_here.context;
    CUcontext current = NULL;
    autotune__cuda_here.stream = stream;
    if (autotune__cuda_works()) autotune__driver.cuCtxGetCurrent_(&current);
    if (AUTOTUNE__LIKELY(current && context && context->common.handle == current)) return &context->common.backend;
    return autotune__cuda_backend_of(current, stream);
}

AUTOTUNE__API autotune_status autotune__cuda_launch(autotune__tuning *tuning, const uint64_t *values,
                                                    const autotune__cuda_call *call) {
    autotune__cuda_kernel *kernel = tuning ? NULL : autotune__cuda_listed(values, call);
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;           /* launch_cold() makes the launch if it is no hit, if
                                                               its kernel is not listed, if its shared memory is
                                                               too large, or if the thread has no context */
    if (AUTOTUNE__LIKELY(kernel && call->shared <= kernel->most_shared))
        result = autotune__cuda_start_kernel(kernel, call, autotune__cuda_here.stream);
    if (AUTOTUNE__LIKELY(result == CUDA_SUCCESS)) return AUTOTUNE_OK;
    return result == CUDA_ERROR_INVALID_CONTEXT
               ? autotune__cuda_launch_cold(tuning, values, call)
               : autotune__launch_failed(&autotune__cuda_interface, "", (int)result);
}

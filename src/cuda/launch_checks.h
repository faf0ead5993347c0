/* What a kernel needs before its first launch: arguments that fit its parameters, and leave to use what not every
   kernel may. Whatever else cannot be launched the driver refuses itself. */
#pragma once
#include <cuda.h>
#include <limits.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "load.h"
#include "start.h"

static uint64_t autotune__cuda_volume(autotune_grid grid) { return (uint64_t)grid.x * grid.y * grid.z; }

/* A driver below 13.2 does not tell how many parameters there are: it is asked for one after the other up to an error,
   which tools that watch the driver report. */
static CUresult autotune__cuda_check_arguments(const autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    size_t count = SIZE_MAX, i, offset, size;
    if (cuda->cuFuncGetParamCount_) (void)cuda->cuFuncGetParamCount_(kernel->function, &count);
    for (i = 0; i < count; i++) {
        const CUresult result = cuda->cuFuncGetParamInfo_(kernel->function, i, &offset, &size);
        if (result == CUDA_ERROR_INVALID_VALUE) break;              /* there are no more */
        if (result != CUDA_SUCCESS) return autotune__cuda_told("cuFuncGetParamInfo", result);
        if (i >= call->arguments.count || size == call->arguments.sizes[i]) continue;
        autotune_explain("argument %zu of %s has %d bytes, and the kernel's parameter %zu: pass a value of its type",
                         i + 1, call->name, (int)call->arguments.sizes[i], size);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return autotune__check_count(i, call->arguments.count, call->name, "CUDA_LAUNCH") ? CUDA_SUCCESS
                                                                                      : CUDA_ERROR_INVALID_VALUE;
}
/* More dynamic shared memory than usual. What was asked for is never lowered: another thread may need it. */
static CUresult autotune__cuda_allow_shared(autotune__cuda_kernel *kernel, size_t bytes) {
    const int asked = bytes < INT_MAX ? (int)bytes : INT_MAX;       /* which no device has */
    CUresult result = CUDA_SUCCESS;
    autotune__lock_mutex(&autotune__kernels_lock);
    if (!autotune__cuda_is_allowed(kernel, bytes)) {
        result = autotune__driver.cuFuncSetAttribute_(kernel->function,
                                                      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, asked);
        if (result == CUDA_SUCCESS) __atomic_store_n(&kernel->shared_allowed, (size_t)asked, __ATOMIC_RELAXED);
    }
    autotune__unlock_mutex(&autotune__kernels_lock);
    return autotune__cuda_told("cuFuncSetAttribute: the dynamic shared memory", result);
}
/* Clusters of more than 8 blocks: not every device has them. */
static CUresult autotune__cuda_allow_cluster(const autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    if (autotune__cuda_volume(call->shape.cluster) <= 8) return CUDA_SUCCESS;
    return autotune__cuda_told("cuFuncSetAttribute: the size of the cluster",
                               autotune__driver.cuFuncSetAttribute_(
                                   kernel->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
}
static CUresult autotune__cuda_check(autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    const size_t count = call->arguments.count;
    const uint64_t sizes = autotune__hash_more(count + 1, (const char *)call->arguments.sizes,
                                               count * sizeof *call->arguments.sizes);
    const bool fit = __atomic_load_n(&kernel->fitting, __ATOMIC_RELAXED) == sizes;
    CUresult result = fit ? CUDA_SUCCESS : autotune__cuda_check_arguments(kernel, call);
    if (result == CUDA_SUCCESS) __atomic_store_n(&kernel->fitting, sizes, __ATOMIC_RELAXED);
    if (result == CUDA_SUCCESS) result = autotune__cuda_allow_shared(kernel, call->shared);
    return result == CUDA_SUCCESS ? autotune__cuda_allow_cluster(kernel, call) : result;
}

/* Do the arguments of a launch fit the parameters of its kernel, and its shared memory the device? Whatever else cannot
   be launched the driver refuses itself. */
#pragma once
#include <cuda.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "load.h"

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
static CUresult autotune__cuda_check(autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    const size_t count = call->arguments.count;
    const uint64_t sizes = autotune__hash_more(count + 1, (const char *)call->arguments.sizes,
                                               count * sizeof *call->arguments.sizes);
    const bool fit = __atomic_load_n(&kernel->fitting, __ATOMIC_RELAXED) == sizes;
    const CUresult result = fit ? CUDA_SUCCESS : autotune__cuda_check_arguments(kernel, call);
    if (result != CUDA_SUCCESS) return result;
    __atomic_store_n(&kernel->fitting, sizes, __ATOMIC_RELAXED);
    if (call->shared <= kernel->most_shared) return CUDA_SUCCESS;
    autotune_explain("SHARED gives %s %zu bytes, and a block of it can have %zu on this device", call->name,
                     call->shared, kernel->most_shared);
    return CUDA_ERROR_INVALID_VALUE;
}

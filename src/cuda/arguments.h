/* Compares the arguments of a launch with the parameters of its kernel, and its shared memory with the limit. The
   driver refuses all other launches that it cannot make. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "driver.h"
#include "load.h"

/* A driver below 13.2 cannot tell how many parameters a kernel has. So this function asks for parameter after parameter
   until the driver returns an error. Tools that watch the driver report this error. */
static autotune_status autotune__cuda_check_arguments(autotune__accelerator_session *session,
                                                      const autotune__cuda_kernel *kernel,
                                                      const autotune__cuda_call *call) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    size_t count = SIZE_MAX, i, offset, size;
    if (cuda->cuFuncGetParamCount_) (void)cuda->cuFuncGetParamCount_(kernel->function, &count);
    for (i = 0; i < count; i++) {
        const CUresult result = cuda->cuFuncGetParamInfo_(kernel->function, i, &offset, &size);
        if (result == CUDA_ERROR_INVALID_VALUE) break;              /* the kernel has no more parameters */
        if (result != CUDA_SUCCESS) return autotune__driver_outcome(session, "cuFuncGetParamInfo: ", (int)result);
        if (i >= call->arguments.count || size == call->arguments.sizes[i]) continue;
        autotune_explain("argument %zu of %s has %d bytes, and the kernel's parameter %zu: pass a value of its type",
                         i + 1, call->name, (int)call->arguments.sizes[i], size);
        return AUTOTUNE_FAILED;
    }
    return autotune__check_count(i, call->arguments.count, call->name, "CUDA_LAUNCH") ? AUTOTUNE_OK : AUTOTUNE_FAILED;
}
static autotune_status autotune__cuda_check(autotune__accelerator_session *session, autotune__cuda_kernel *kernel,
                                            const autotune__cuda_call *call) {
    const size_t count = call->arguments.count;
    const uint64_t sizes = autotune__hash_more(count + 1, (const char *)call->arguments.sizes,
                                               count * sizeof *call->arguments.sizes);
    const bool fit = __atomic_load_n(&kernel->fitting, __ATOMIC_RELAXED) == sizes;
    const autotune_status status = fit ? AUTOTUNE_OK : autotune__cuda_check_arguments(session, kernel, call);
    if (status != AUTOTUNE_OK) return status;
    __atomic_store_n(&kernel->fitting, sizes, __ATOMIC_RELAXED);
    if (call->shared <= kernel->most_shared) return AUTOTUNE_OK;
    autotune_explain("SHARED gives %s %zu bytes, and a block of it can have %zu on this device", call->name,
                     call->shared, kernel->most_shared);
    return AUTOTUNE_FAILED;
}

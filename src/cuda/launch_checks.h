/* Checks of a launch: what cannot be launched is refused before, with the numbers. */
#pragma once
#include <cuda.h>
#include "../api/types.h"
#include "../system/threads.h"
#include "../statement/failures.h"
#include "../kernels/program.h"
#include "../accelerator/launch.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "context.h"
#include "load.h"
#include "start.h"

/* A launch that the driver would refuse, or that would compute something else, is refused here with the numbers. What
   can be said without the kernel is said before it is compiled. */
static uint64_t autotune__cuda_volume(autotune_grid grid) { return (uint64_t)grid.x * grid.y * grid.z; }

static bool autotune__cuda_fits_in(autotune_grid grid, unsigned x, unsigned y, unsigned z) {
    return grid.x && grid.y && grid.z && grid.x <= x && grid.y <= y && grid.z <= z;
}
static CUresult autotune__cuda_check_shape(const autotune__cuda_context *context, const autotune__cuda_call *call) {
    const autotune_grid blocks = call->blocks, threads = call->shape.threads, cluster = call->shape.cluster;
    if (!autotune__cuda_fits_in(blocks, INT32_MAX, 65535, 65535))
        autotune_explain(
            "%u x %u x %u blocks: each is at least 1, the first at most 2147483647, the others at most 65535", blocks.x,
            blocks.y, blocks.z);
    else if (!autotune__cuda_fits_in(threads, 1024, 1024, 64) || autotune__cuda_volume(threads) > 1024)
        autotune_explain("%u x %u x %u threads: at least 1 and at most 1024 together, the third at most 64",
                               threads.x, threads.y, threads.z);
    else if (!cluster.x || !cluster.y || !cluster.z)
        autotune_explain("clusters of %u x %u x %u blocks: each is at least 1", cluster.x, cluster.y, cluster.z);
    else if (blocks.x % cluster.x || blocks.y % cluster.y || blocks.z % cluster.z)
        autotune_explain("%u x %u x %u blocks in clusters of %u x %u x %u: each must be a multiple", blocks.x,
                          blocks.y, blocks.z, cluster.x, cluster.y, cluster.z);
    else if (call->shape.attributes & AUTOTUNE__CUDA_CLUSTERED && !context->clusters)
        autotune_explain(
            "clusters of %u x %u x %u blocks need a device of compute capability 9.0 and a driver of CUDA 11.8, "
            "and this is %s",
            cluster.x, cluster.y, cluster.z, context->common.words);
    else if (call->shape.attributes & AUTOTUNE__CUDA_COOPERATIVE && !context->cooperative)
        autotune_explain(
            "a cooperative launch needs a device that has them and a driver of CUDA 11.8, and this is %s",
            context->common.words);
    else return CUDA_SUCCESS;
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}
static CUresult autotune__cuda_check_arguments(const autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    size_t i, offset, size;
    if (!autotune__driver.cuFuncGetParamInfo_) return CUDA_SUCCESS;
    for (i = 0; i < kernel->parameters && i < call->arguments.count; i++) {
        const CUresult result = autotune__driver.cuFuncGetParamInfo_(kernel->function, i, &offset, &size);
        if (result != CUDA_SUCCESS) return autotune__cuda_told("cuFuncGetParamInfo", result);
        if (size != call->arguments.sizes[i])
            return autotune__cuda_refuse(
                CUDA_ERROR_INVALID_VALUE,
                "argument %zu of %s has %d bytes, and the kernel's parameter %zu: pass a value of its type", i + 1,
                call->name, (int)call->arguments.sizes[i], size);
    }
    return autotune__check_count(kernel->parameters, call->arguments.count, call->name, "CUDA_LAUNCH")
               ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
static CUresult autotune__cuda_check_threads(const autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    const uint64_t threads = autotune__cuda_volume(call->shape.threads);
    if (threads <= (uint64_t)kernel->most_threads) return CUDA_SUCCESS;
    return autotune__cuda_refuse(
        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        "%u threads a block: with its %d registers each, or as it was declared, %s can have %d", (unsigned)threads,
        kernel->registers, call->name, kernel->most_threads);
}
static CUresult autotune__cuda_check_shared(const autotune__cuda_context *context, autotune__cuda_kernel *kernel,
                                            const autotune__cuda_call *call) {
    const size_t needed = call->shared + (size_t)kernel->static_shared, usual = (size_t)context->most_shared,
                 opted_in = (size_t)context->most_shared_opted_in, most = opted_in > usual ? opted_in : usual;
    CUresult result;
    if (needed > most || needed < call->shared)
        return autotune__cuda_refuse(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                                     "%zu bytes of dynamic shared memory, and %d static: a block can have %zu together",
                                     call->shared, kernel->static_shared, most);
    if (autotune__cuda_is_allowed(kernel, call->shared)) return CUDA_SUCCESS;
    autotune__lock_mutex(&autotune__kernels_lock); /* never lowered: another thread may need what it asked for */
    result = autotune__cuda_is_allowed(kernel, call->shared) || /* or to the kernel that this one is a copy of */
                     (size_t)autotune__cuda_function_attribute(
                         kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0) >= call->shared
                 ? CUDA_SUCCESS
                 : autotune__driver.cuFuncSetAttribute_(
                       kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)call->shared);
    if (result == CUDA_SUCCESS && !autotune__cuda_is_allowed(kernel, call->shared))
        __atomic_store_n(&kernel->shared_allowed, call->shared, __ATOMIC_RELAXED);
    autotune__unlock_mutex(&autotune__kernels_lock);
    return autotune__cuda_told("cuFuncSetAttribute", result);
}
/* How many clusters of this launch the device holds at once; 0: it cannot launch such clusters. Above 8 blocks a kernel
   must be allowed to have sizes that not every device has. */
static CUresult autotune__cuda_count_clusters(const autotune__cuda_kernel *kernel, const autotune__cuda_call *call,
                                              int *clusters) {
    CUlaunchAttribute attributes[2];
    CUlaunchConfig launch = autotune__cuda_describe_launch(call, NULL, attributes);
    const char *function = "cuFuncSetAttribute";
    CUresult result = CUDA_SUCCESS;
    launch.numAttrs = 1;                        /* the cluster's: whether the launch is cooperative too has no part in
                                                   the question */
    *clusters = 0;
    if (autotune__cuda_volume(call->shape.cluster) > 8)
        result = autotune__driver.cuFuncSetAttribute_(kernel->function,
                                                    CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    if (result == CUDA_SUCCESS) {
        function = "cuOccupancyMaxActiveClusters";
        result = autotune__driver.cuOccupancyMaxActiveClusters_(clusters, kernel->function, &launch);
    }
    return autotune__cuda_status_of((int)result) == AUTOTUNE_FAILED ? CUDA_SUCCESS
                                                                     : autotune__cuda_told(function, result);
}
/* Does enough of the launch fit on the device at the same time: a block, a cluster, and of a cooperative launch all
   blocks? */
static CUresult autotune__cuda_check_occupancy(const autotune__cuda_context *context,
                                               const autotune__cuda_kernel *kernel, const autotune__cuda_call *call) {
    const int threads = (int)autotune__cuda_volume(call->shape.threads);
    const size_t shared = call->shared + (size_t)kernel->static_shared;
    const autotune_grid cluster = call->shape.cluster;
    const uint64_t blocks = autotune__cuda_volume(call->blocks);
    int fit = 1;
    uint64_t at_once;
    CUresult result = autotune__driver.cuOccupancyMaxActiveBlocksPerMultiprocessor_(&fit, kernel->function, threads,
                                                                                  call->shared);
    if (result != CUDA_SUCCESS) return autotune__cuda_told("cuOccupancyMaxActiveBlocksPerMultiprocessor", result);
    if (!fit)
        return autotune__cuda_refuse(
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            "no block of %d threads, %d registers each and %zu bytes of shared memory fits on a multiprocessor",
            threads, kernel->registers, shared);
    at_once = (uint64_t)fit * (uint64_t)context->multiprocessors;
    if (call->shape.attributes & AUTOTUNE__CUDA_CLUSTERED) {
        if ((result = autotune__cuda_count_clusters(kernel, call, &fit)) != CUDA_SUCCESS) return result;
        if (fit <= 0)
            return autotune__cuda_refuse(
                CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                "no cluster of %u x %u x %u blocks of %d threads, %d registers each and %zu bytes of shared memory "
                "fits on the device", cluster.x, cluster.y, cluster.z, threads, kernel->registers, shared);
        at_once = (uint64_t)fit * autotune__cuda_volume(cluster);
    }
    if (!(call->shape.attributes & AUTOTUNE__CUDA_COOPERATIVE) || blocks <= at_once) return CUDA_SUCCESS;
    return autotune__cuda_refuse(
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        "a cooperative launch of %llu blocks of %d threads, %d registers each and %zu bytes of shared memory: the "
        "device holds %llu of them at once",
        (unsigned long long)blocks, threads, kernel->registers, shared, (unsigned long long)at_once);
}
static CUresult autotune__cuda_check(const autotune__cuda_context *context, autotune__cuda_kernel *kernel,
                                     const autotune__cuda_call *call) {
    CUresult result = autotune__cuda_check_arguments(kernel, call);
    if (result == CUDA_SUCCESS) result = autotune__cuda_check_threads(kernel, call);
    if (result == CUDA_SUCCESS) result = autotune__cuda_check_shared(context, kernel, call);
    return result == CUDA_SUCCESS ? autotune__cuda_check_occupancy(context, kernel, call) : result;
}

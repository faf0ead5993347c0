/* Starts kernels. The callers have checked the launch: if the kernel is in the list of its configuration, they check
   only its shared memory. */
#pragma once
#include "../api/floor.h"
#include "../kernels/floor.h"
#include "site.h"
#include "driver.h"
#include "load.h"

AUTOTUNE__INLINE autotune__cuda_kernel *autotune__cuda_listed(const uint64_t *values, const autotune__cuda_call *call) {
    return autotune__cuda_kernel_of(autotune__listed_kernel_of(values, call->program, call->name));
}
static __attribute__((__noinline__)) CUresult autotune__cuda_start_with_attributes(const autotune__cuda_kernel *kernel,
                                                                                   const autotune__cuda_call *call,
                                                                                   CUstream stream) {
    const autotune_grid blocks = call->blocks, threads = call->shape.threads, cluster = call->shape.cluster;
    CUlaunchAttribute attributes[2];
    CUlaunchConfig launch;
    if (call->shape.attributes & AUTOTUNE__CUDA_FIND_ONLY)
        return *(CUfunction *)(void *)call->arguments.at = kernel->function, CUDA_SUCCESS;
    memset(&launch, 0, sizeof launch);
    memset(attributes, 0, sizeof attributes);
    launch.gridDimX = blocks.x; launch.gridDimY = blocks.y; launch.gridDimZ = blocks.z;
    launch.blockDimX = threads.x; launch.blockDimY = threads.y; launch.blockDimZ = threads.z;
    launch.sharedMemBytes = (unsigned)call->shared;
    launch.hStream = stream;
    launch.attrs = attributes;
    if (call->shape.attributes & AUTOTUNE__CUDA_CLUSTERED) {
        CUlaunchAttribute *attribute = &attributes[launch.numAttrs++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute->value.clusterDim.x = cluster.x; attribute->value.clusterDim.y = cluster.y;
        attribute->value.clusterDim.z = cluster.z;
    }
    if (call->shape.attributes & AUTOTUNE__CUDA_COOPERATIVE) {
        CUlaunchAttribute *attribute = &attributes[launch.numAttrs++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute->value.cooperative = 1;
    }
    return autotune__driver.cuLaunchKernelEx_(&launch, kernel->function, call->arguments.at, NULL);
}
AUTOTUNE__INLINE CUresult autotune__cuda_start_kernel(const autotune__cuda_kernel *kernel,
                                                      const autotune__cuda_call *call, CUstream stream) {
    const autotune_grid blocks = call->blocks, threads = call->shape.threads;
    if (call->shape.attributes) return autotune__cuda_start_with_attributes(kernel, call, stream);
    return autotune__driver.cuLaunchKernel_(kernel->function, blocks.x, blocks.y, blocks.z, threads.x, threads.y,
                                          threads.z, (unsigned)call->shared, stream, call->arguments.at, NULL);
}

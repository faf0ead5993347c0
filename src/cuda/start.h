/* Starting a kernel. One that stands behind the values of its configuration is started without any further check. */
#pragma once
#include <cuda.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../kernels/find.h"
#include "site.h"
#include "driver.h"
#include "load.h"

AUTOTUNE__INLINE autotune__cuda_kernel *autotune__cuda_listed(const uint64_t *values, const autotune__cuda_call *call) {
    return autotune__cuda_kernel_of(autotune__listed_kernel_of(values, call->program, call->name));
}
AUTOTUNE__INLINE bool autotune__cuda_is_allowed(const autotune__cuda_kernel *kernel, size_t shared) {
    return shared <= __atomic_load_n(&kernel->shared_allowed, __ATOMIC_RELAXED);
}

/* A launch as cuLaunchKernelEx takes it. The caller has the memory for its attributes, of which there are at most
   two. */
static CUlaunchConfig autotune__cuda_describe_launch(const autotune__cuda_call *call, CUstream stream,
                                                     CUlaunchAttribute *attributes) {
    const autotune_cuda_shape *shape = &call->shape;
    CUlaunchConfig launch;
    memset(&launch, 0, sizeof launch);
    memset(attributes, 0, 2 * sizeof *attributes);
    launch.gridDimX = call->blocks.x; launch.gridDimY = call->blocks.y; launch.gridDimZ = call->blocks.z;
    launch.blockDimX = shape->threads.x; launch.blockDimY = shape->threads.y; launch.blockDimZ = shape->threads.z;
    launch.sharedMemBytes = (unsigned)call->shared;
    launch.hStream = stream;
    launch.attrs = attributes;
    if (shape->attributes & AUTOTUNE__CUDA_CLUSTERED) {
        CUlaunchAttribute *attribute = &attributes[launch.numAttrs++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute->value.clusterDim.x = shape->cluster.x;
        attribute->value.clusterDim.y = shape->cluster.y;
        attribute->value.clusterDim.z = shape->cluster.z;
    }
    if (shape->attributes & AUTOTUNE__CUDA_COOPERATIVE) {
        CUlaunchAttribute *attribute = &attributes[launch.numAttrs++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute->value.cooperative = 1;
    }
    return launch;
}
static __attribute__((__noinline__)) CUresult autotune__cuda_start_with_attributes(const autotune__cuda_kernel *kernel,
                                                                                   const autotune__cuda_call *call,
                                                                                   CUstream stream) {
    CUlaunchAttribute attributes[2];
    const CUlaunchConfig launch = autotune__cuda_describe_launch(call, stream, attributes);
    return autotune__driver.cuLaunchKernelEx_(&launch, kernel->function, call->arguments.at, NULL);
}
AUTOTUNE__INLINE CUresult autotune__cuda_start_kernel(const autotune__cuda_kernel *kernel,
                                                      const autotune__cuda_call *call, CUstream stream) {
    const autotune_grid blocks = call->blocks, threads = call->shape.threads;
    if (call->shape.attributes) return autotune__cuda_start_with_attributes(kernel, call, stream);
    return autotune__driver.cuLaunchKernel_(kernel->function, blocks.x, blocks.y, blocks.z, threads.x, threads.y,
                                          threads.z, (unsigned)call->shared, stream, call->arguments.at, NULL);
}

/* Contexts. The struct of a context is never freed. Each context has one backend inside its struct, and
   CUDA(stream) returns this backend. So a hit compares the address of the backend only. */
#pragma once
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"

typedef struct autotune__cuda_context {
    autotune__accelerator common;               /* has to come first: the floor `accelerator` allocates the struct */
    int capability;                             /* 90 for 9.0 */
    char architecture[12];                      /* the capability as text */
    int multiprocessors, most_shared;           /* how many multiprocessors; how many bytes of shared memory a block may
                                                   have */
    uint32_t held;                              /* the state of the stream that hold.h holds: AUTOTUNE__STREAM_... */
} autotune__cuda_context;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_context_of, autotune__cuda_context, common, const autotune__accelerator)

static const autotune__cuda_context *autotune__cuda_context_at(const autotune__target *target) {
    return autotune__cuda_context_of(autotune__accelerator_at(target));
}
static CUcontext autotune__cuda_handle(const autotune__cuda_context *context) {
    return (CUcontext)context->common.handle;
}
static __thread struct {                        /* the last CUDA(stream) of this thread that had a context */
    autotune__cuda_context *context;
    CUstream stream;
    CUresult refused;                           /* the error of autotune__cuda_other_context() */
} autotune__cuda_here;

/* Returns an attribute of the device; 0: the driver does not know it. */
static int autotune__cuda_attribute(CUdevice device, CUdevice_attribute attribute) {
    int value = 0;
    return autotune__driver.cuDeviceGetAttribute_(&value, attribute, device) == CUDA_SUCCESS ? value : 0;
}
static void autotune__cuda_leave(void) {
    CUcontext popped;
    autotune__driver.cuCtxPopCurrent_(&popped);
}
static bool autotune__cuda_describe(autotune__accelerator *accelerator) {
    autotune__cuda_context *context = autotune__cuda_context_of(accelerator);
    const int version = autotune__driver.version;
    char name[128] = "CUDA device";
    size_t bytes = 0;
    CUdevice device;
    CUresult result;
    if (autotune__driver.cuCtxPushCurrent_(autotune__cuda_handle(context)) != CUDA_SUCCESS) return false;
    result = autotune__driver.cuCtxGetDevice_(&device);
    autotune__cuda_leave();
    if (result != CUDA_SUCCESS) return false;
    autotune__driver.cuDeviceGetName_(name, sizeof name, device);
    autotune__driver.cuDeviceTotalMem_(&bytes, device);
    accelerator->flushed_bytes = 2 * (size_t)autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    context->capability = 10 * autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                          autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    autotune__put_text(context->architecture, sizeof context->architecture, "%d", context->capability);
    context->multiprocessors = autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    context->most_shared = autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    autotune__put_text(accelerator->words, sizeof accelerator->words,
                       "%s, compute %d.%d, %d SMs, %lu MiB, driver %d.%d", name, context->capability / 10,
                       context->capability % 10, context->multiprocessors, (unsigned long)(bytes >> 20),
                       version / 1000, version % 1000 / 10);
    accelerator->target.architecture = context->architecture;
    return true;
}
static unsigned long long autotune__cuda_id(CUcontext handle) {     /* 0: the context was destroyed */
    unsigned long long id = 0;
    return autotune__driver.cuCtxGetId_(handle, &id) == CUDA_SUCCESS ? id : 0;
}
/* Makes the context current until autotune__cuda_leave(), to free memory in it. Returns false if the device is lost,
   since it may still use the memory. Also returns false if the program destroyed the context, which freed the
   memory. */
static bool autotune__cuda_visit(const autotune__cuda_context *context) {
    const CUcontext handle = autotune__cuda_handle(context);
    return !autotune__lost_accelerator(&context->common) && autotune__cuda_id(handle) == context->common.id &&
           autotune__driver.cuCtxPushCurrent_(handle) == CUDA_SUCCESS;
}

/* The description of an OpenCL device, for logs and the cache. */
#pragma once
#include "../accelerator/floor.h"
#include "driver.h"

static cl_context autotune__opencl_context(const autotune__accelerator *of) { return (cl_context)of->handle; }
static cl_device_id autotune__opencl_device(const autotune__accelerator *of) { return (cl_device_id)(uintptr_t)of->id; }
/* Asks the device, or a queue, for a value, and stores the value in a variable. Without an answer the variable keeps
   its value. AUTOTUNE__OPENCL_ASK_QUEUE() is true if the queue answered. */
#define AUTOTUNE__OPENCL_ASK(accelerator, what, variable) \
    ((void)autotune__libopencl.clGetDeviceInfo_(autotune__opencl_device(accelerator), what, sizeof(variable), \
                                                &(variable), NULL))
#define AUTOTUNE__OPENCL_ASK_QUEUE(queue, what, variable) \
    (autotune__libopencl.clGetCommandQueueInfo_(queue, what, sizeof(variable), &(variable), NULL) == CL_SUCCESS)
static bool autotune__opencl_describe(autotune__accelerator *accelerator) {
    char name[128] = "", version[128] = "", driver[64] = "", size[32] = "";         /* a longer text stays empty */
    cl_ulong memory = 0, most = 0, cache = 0;
    cl_device_type type = 0;
    cl_uint units = 0;
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_NAME, name);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_VERSION, version);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DRIVER_VERSION, driver);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_TYPE, type);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_MAX_COMPUTE_UNITS, units);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_GLOBAL_MEM_SIZE, memory);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_MAX_MEM_ALLOC_SIZE, most);
    AUTOTUNE__OPENCL_ASK(accelerator, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cache);
    accelerator->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    if (!accelerator->is_cpu)                       /* for a CPU, drivers tell the free memory, which changes */
        autotune__put_text(size, sizeof size, "%lu MiB, ", (unsigned long)(memory >> 20));
    autotune__put_text(accelerator->words, sizeof accelerator->words, "%s, %u compute units, %s%s, driver %s", name,
                       (unsigned)units, size, version, driver);
    accelerator->flushed_bytes = (size_t)(2 * cache < most ? 2 * cache : most);
    return true;
}

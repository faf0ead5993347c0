/* libOpenCL, opened at run time; its errors; what a device tells of itself. */
#pragma once
#include <CL/cl.h>
#include <stdio.h>
#include "../system/library.h"
#include "../accelerator/errors.h"
#include "../accelerator/accelerator.h"

/* All of OpenCL 1.2. */
#define AUTOTUNE__OPENCL_FUNCTIONS(X) \
    X(clGetDeviceInfo) X(clRetainContext) X(clGetCommandQueueInfo) X(clFlush) X(clFinish) \
    X(clEnqueueBarrierWithWaitList) X(clEnqueueMarkerWithWaitList) X(clCreateBuffer) X(clReleaseMemObject) \
    X(clEnqueueCopyBuffer) X(clEnqueueFillBuffer) X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clGetEventInfo) \
    X(clGetEventProfilingInfo) X(clReleaseEvent) X(clCreateProgramWithSource) X(clCreateProgramWithBinary) \
    X(clBuildProgram) X(clGetProgramBuildInfo) X(clGetProgramInfo) X(clReleaseProgram) X(clCreateKernel) \
    X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelInfo) X(clGetKernelWorkGroupInfo) X(clEnqueueNDRangeKernel)

static struct autotune__opencl_library {
#define AUTOTUNE__OPENCL_FUNCTION(name) __typeof__(&name) name##_;
    AUTOTUNE__OPENCL_FUNCTIONS(AUTOTUNE__OPENCL_FUNCTION)
#undef AUTOTUNE__OPENCL_FUNCTION
    char problem[192];                          /* why OpenCL does not work here; "" if it does */
} autotune__libopencl;

static void autotune__opencl_open_library(void) {
    static const autotune__optional_library of = {
        { AUTOTUNE__OPENCL_LIBRARY, NULL }, "OpenCL is not available",
        AUTOTUNE__OPENCL_LIBRARY " was not found: install a loader, such as ocl-icd-libopencl1, and the driver of a "
                                 "device",
        "one for OpenCL 1.2 or later is needed"
    };
    autotune__open_functions(&of, AUTOTUNE__OPENCL_FUNCTIONS(AUTOTUNE__NAME_OF_FUNCTION), &autotune__libopencl,
                             autotune__libopencl.problem, sizeof autotune__libopencl.problem);
}
AUTOTUNE__DEFINE_WORKS(autotune__opencl_works, autotune__opencl_open_library, autotune__libopencl.problem)

/* Numbers are those of the specification; -9999 is NVIDIA's for a kernel that read or wrote what it must not. What is
   not listed fails the configuration, too. */
#define AUTOTUNE__OPENCL_ERRORS(X) \
    X(-1, DEVICE_NOT_FOUND, ERR_ENVIRONMENT) X(-2, DEVICE_NOT_AVAILABLE, ERR_DEVICE) \
    X(-3, COMPILER_NOT_AVAILABLE, ERR_ENVIRONMENT) X(-4, MEM_OBJECT_ALLOCATION_FAILURE, FAILED) \
    X(-5, OUT_OF_RESOURCES, FAILED) X(-6, OUT_OF_HOST_MEMORY, FAILED) X(-7, PROFILING_INFO_NOT_AVAILABLE, FAILED) \
    X(-8, MEM_COPY_OVERLAP, FAILED) X(-11, BUILD_PROGRAM_FAILURE, FAILED) X(-12, MAP_FAILURE, FAILED) \
    X(-14, EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, FAILED) X(-30, INVALID_VALUE, FAILED) \
    X(-32, INVALID_PLATFORM, ERR_ENVIRONMENT) X(-33, INVALID_DEVICE, ERR_ENVIRONMENT) \
    X(-34, INVALID_CONTEXT, ERR_ENVIRONMENT) X(-36, INVALID_COMMAND_QUEUE, ERR_ENVIRONMENT) \
    X(-38, INVALID_MEM_OBJECT, FAILED) X(-42, INVALID_BINARY, FAILED) X(-43, INVALID_BUILD_OPTIONS, FAILED) \
    X(-44, INVALID_PROGRAM, FAILED) X(-45, INVALID_PROGRAM_EXECUTABLE, FAILED) X(-46, INVALID_KERNEL_NAME, FAILED) \
    X(-48, INVALID_KERNEL, FAILED) X(-49, INVALID_ARG_INDEX, FAILED) X(-50, INVALID_ARG_VALUE, FAILED) \
    X(-51, INVALID_ARG_SIZE, FAILED) X(-52, INVALID_KERNEL_ARGS, FAILED) X(-53, INVALID_WORK_DIMENSION, FAILED) \
    X(-54, INVALID_WORK_GROUP_SIZE, FAILED) X(-55, INVALID_WORK_ITEM_SIZE, FAILED) \
    X(-57, INVALID_EVENT_WAIT_LIST, FAILED) X(-58, INVALID_EVENT, FAILED) X(-59, INVALID_OPERATION, FAILED) \
    X(-61, INVALID_BUFFER_SIZE, FAILED) X(-63, INVALID_GLOBAL_WORK_SIZE, FAILED) \
    X(-9999, ILLEGAL_READ_OR_WRITE_NV, ERR_DEVICE)
#define AUTOTUNE__OPENCL_ERROR(number, name, status) AUTOTUNE__DRIVER_ERROR(number, "CL_" #name, status)
AUTOTUNE__DEFINE_ERRORS(autotune__opencl_errors, "OpenCL error", AUTOTUNE__OPENCL_ERRORS(AUTOTUNE__OPENCL_ERROR))

static cl_context autotune__opencl_context(const autotune__accelerator *accelerator) {
    return (cl_context)accelerator->handle;
}
static cl_device_id autotune__opencl_device(const autotune__accelerator *accelerator) {
    return (cl_device_id)(uintptr_t)accelerator->id;
}
/* What the device or a queue tells becomes the value of a variable, which stays as it is where nothing is told. */
#define AUTOTUNE__OPENCL_ASK(accelerator, what, variable) \
    ((void)autotune__libopencl.clGetDeviceInfo_(autotune__opencl_device(accelerator), what, sizeof(variable), \
                                                &(variable), NULL))
#define AUTOTUNE__OPENCL_ASK_QUEUE(queue, what, variable) \
    (autotune__libopencl.clGetCommandQueueInfo_(queue, what, sizeof(variable), &(variable), NULL) == CL_SUCCESS)
static bool autotune__opencl_describe(autotune__accelerator *accelerator) {
    char name[96] = "", version[64] = "", driver[64] = "", size[32] = "";
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
    if (!accelerator->is_cpu)                          /* which tells what is free now, and that changes */
        snprintf(size, sizeof size, "%lu MiB, ", (unsigned long)(memory >> 20));
    snprintf(accelerator->words, sizeof accelerator->words, "%s, %u compute units, %s%s, driver %s", name,
             (unsigned)units, size, version, driver);
    accelerator->flushed_bytes = (size_t)(2 * cache < most ? 2 * cache : most);
    return true;
}

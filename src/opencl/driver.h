/* libOpenCL, opened at run time. */
#pragma once
#include <CL/cl.h>
#include "../system/floor.h"

/* OpenCL 1.2 has all these functions. */
#define AUTOTUNE__OPENCL_FUNCTIONS(X) \
    X(clGetDeviceInfo) X(clRetainContext) X(clGetCommandQueueInfo) X(clFlush) X(clFinish) \
    X(clEnqueueMarkerWithWaitList) X(clCreateBuffer) X(clReleaseMemObject) X(clEnqueueCopyBuffer) \
    X(clEnqueueFillBuffer) X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clGetEventInfo) \
    X(clGetEventProfilingInfo) X(clReleaseEvent) X(clCreateProgramWithSource) X(clCreateProgramWithBinary) \
    X(clBuildProgram) X(clGetProgramBuildInfo) X(clGetProgramInfo) X(clReleaseProgram) X(clCreateKernel) \
    X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelInfo) X(clEnqueueNDRangeKernel)

static struct autotune__opencl_library {
#define AUTOTUNE__OPENCL_FUNCTION(name) __typeof__(&name) name##_;
    AUTOTUNE__OPENCL_FUNCTIONS(AUTOTUNE__OPENCL_FUNCTION)
    char problem[192];                          /* why OpenCL does not work in this process; "": it works */
} autotune__libopencl;

static void autotune__opencl_open_library(void) {
    static const autotune__optional_library of = {
        { AUTOTUNE__OPENCL_LIBRARY, NULL }, "OpenCL is not available",
        AUTOTUNE__OPENCL_LIBRARY " was not found: install a loader, such as ocl-icd-libopencl1, and a driver",
        "one for OpenCL 1.2 or later is needed"
    };
    autotune__open_functions(&of, AUTOTUNE__OPENCL_FUNCTIONS(AUTOTUNE__NAME_OF_FUNCTION), &autotune__libopencl,
                             autotune__libopencl.problem, sizeof autotune__libopencl.problem);
}
AUTOTUNE__DEFINE_WORKS(autotune__opencl_works, autotune__opencl_open_library, autotune__libopencl.problem)

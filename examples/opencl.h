/* opencl.h - functions that the OpenCL examples share. The queue has profiling enabled, for the times of launches. */
#ifndef OPENCL_H
#define OPENCL_H

#include "autotune_opencl.h"
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) \
    do { \
        const cl_int error_ = (call); \
        if (error_ != CL_SUCCESS) { \
            printf("%s: error %d\n", #call, (int)error_); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

typedef struct opencl { cl_device_id device; cl_context context; cl_command_queue queue; } opencl;

static opencl first_device(void) {
    cl_platform_id platform;
    opencl cl = { NULL, NULL, NULL };
    cl_int error;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl.device, NULL) != CL_SUCCESS) {
        puts("there is no OpenCL device here");
        exit(EXIT_FAILURE);
    }
    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error);
    MUST(error);
    cl.queue = clCreateCommandQueue(cl.context, cl.device, CL_QUEUE_PROFILING_ENABLE, &error);
    MUST(error);
    return cl;
}
static cl_mem buffer(opencl cl, size_t count, float *values) {
    cl_int error;
    cl_mem memory = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, count * sizeof *values, values, &error);
    MUST(error);
    return memory;
}

#endif

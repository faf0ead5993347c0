/* device.h - functions for the OpenCL programs: a device with its queue, kernels, and a log for the test. */
#ifndef DEVICE_H
#define DEVICE_H

#include "autotune_opencl.h"

#include "plain.h"

enum { N = 1 << 14 };
#define BYTES (N * sizeof(float))

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

#define MUST(call) must(call, #call)
static inline void must(cl_int error, const char *call) {
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", call, (int)error);
    _exit(EXIT_FAILURE);
}

/* Finds a device. Without a device the program ends as skipped. */
static inline void find_device(void) {
    cl_platform_id platform;
    cl_uint platforms = 0;
    cl_int error;
    if (clGetPlatformIDs(1, &platform, &platforms) != CL_SUCCESS || !platforms ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        puts("no OpenCL device is here, NOT TRIED");
        exit(77);
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    MUST(error);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    MUST(error);
}
static inline cl_command_queue queue_with(cl_command_queue_properties properties) {
    cl_int error;
    cl_command_queue made = clCreateCommandQueue(context, device, properties, &error);
    MUST(error);
    return made;
}
static inline cl_program build(cl_context in, const char *text) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(in, 1, &text, NULL, &error);
    MUST(error);
    MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
    return program;
}
static inline cl_kernel kernel_of(cl_program program, const char *name) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    MUST(error);
    return kernel;
}
static inline cl_mem floats(cl_context in, float value) {
    float *host = (float *)malloc(BYTES);
    cl_mem memory;
    cl_int error;
    int i;
    CHECK(host != NULL);
    for (i = 0; i < N; i++) host[i] = value;
    memory = clCreateBuffer(in, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, host, &error);
    MUST(error);
    free(host);
    return memory;
}
static inline bool all_are(cl_mem memory, float value) {
    float *host = (float *)malloc(BYTES);
    int i, wrong = 0;
    CHECK(host != NULL);
    MUST(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
    for (i = 0; i < N; i++) wrong += host[i] < value || host[i] > value;
    free(host);
    return wrong == 0;
}

static char logged[1 << 16];
static inline void keep_log(void *user, autotune_log_level level, const char *line) {
    const size_t length = strlen(logged);
    (void)user, (void)level;
    snprintf(logged + length, sizeof logged - length, "%s\n", line);
}
static inline bool log_has(const char *part) { return strstr(logged, part) != NULL; }
#define CHECK_LOG(part) \
    (log_has(part) ? (void)0 : (fprintf(stderr, "the log has no \"%s\":\n%s\n", part, logged), _exit(EXIT_FAILURE)))
#define CHECK_ERROR(part) \
    (last_error_has(part) ? (void)0 \
                          : (fprintf(stderr, "%s:%d: the error has no \"%s\": %s\n", __FILE__, __LINE__, part, \
                                     autotune_last_error()), _exit(EXIT_FAILURE)))

#endif

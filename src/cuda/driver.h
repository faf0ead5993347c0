/* The driver, opened at run time. Each function is found by the name that the library exports. A function of this name
   has the same signature in all versions of the library. So neither a newer header nor a newer driver changes the
   called function. */
#pragma once
#include <cuda.h>
#include "../system/floor.h"

#define AUTOTUNE__CUDA_FUNCTIONS(X) \
    X(cuGetErrorName, "", (CUresult error, const char **name)) \
    X(cuInit, "", (unsigned flags)) \
    X(cuDriverGetVersion, "", (int *version)) \
    X(cuDeviceGetCount, "", (int *count)) \
    X(cuDeviceGet, "", (CUdevice *device, int ordinal)) \
    X(cuDeviceGetName, "", (char *name, int bytes, CUdevice device)) \
    X(cuDeviceTotalMem, "_v2", (size_t *bytes, CUdevice device)) \
    X(cuDeviceGetAttribute, "", (int *value, CUdevice_attribute attribute, CUdevice device)) \
    X(cuDevicePrimaryCtxRetain, "", (CUcontext *context, CUdevice device)) \
    X(cuCtxGetCurrent, "", (CUcontext *context)) \
    X(cuCtxGetDevice, "", (CUdevice *device)) \
    X(cuCtxPushCurrent, "_v2", (CUcontext context)) \
    X(cuCtxPopCurrent, "_v2", (CUcontext *context)) \
    X(cuLaunchHostFunc, "", (CUstream stream, CUhostFn function, void *data)) \
    X(cuStreamGetCtx, "", (CUstream stream, CUcontext *context)) \
    X(cuStreamIsCapturing, "", (CUstream stream, CUstreamCaptureStatus *status)) \
    X(cuThreadExchangeStreamCaptureMode, "", (CUstreamCaptureMode *mode)) \
    X(cuStreamSynchronize, "", (CUstream stream)) \
    X(cuStreamQuery, "", (CUstream stream)) \
    X(cuEventCreate, "", (CUevent *event, unsigned flags)) \
    X(cuEventDestroy, "_v2", (CUevent event)) \
    X(cuEventRecord, "", (CUevent event, CUstream stream)) \
    X(cuEventQuery, "", (CUevent event)) \
    X(cuEventElapsedTime, "", (float *milliseconds, CUevent start, CUevent stop)) \
    X(cuMemAlloc, "_v2", (CUdeviceptr *memory, size_t bytes)) \
    X(cuMemFree, "_v2", (CUdeviceptr memory)) \
    X(cuPointerGetAttribute, "", (void *value, CUpointer_attribute attribute, CUdeviceptr address)) \
    X(cuMemcpyAsync, "", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
    X(cuMemsetD8Async, "", (CUdeviceptr memory, unsigned char byte, size_t count, CUstream stream)) \
    X(cuModuleLoadDataEx, "", \
      (CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)) \
    X(cuModuleUnload, "", (CUmodule module)) \
    X(cuModuleGetFunction, "", (CUfunction *function, CUmodule module, const char *name)) \
    X(cuModuleGetGlobal, "_v2", (CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name)) \
    X(cuFuncGetAttribute, "", (int *value, CUfunction_attribute attribute, CUfunction function)) \
    X(cuFuncSetAttribute, "", (CUfunction function, CUfunction_attribute attribute, int value)) \
    X(cuLaunchKernel, "", \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
                             unsigned block_z, unsigned shared, CUstream stream, void **arguments, void **extra)) \
    X(cuLaunchKernelEx, "", (const CUlaunchConfig *launch, CUfunction function, void **arguments, void **extra)) \
    X(cuCtxGetId, "", (CUcontext context, unsigned long long *id)) \
    X(cuFuncLoad, "", (CUfunction function)) \
    X(cuFuncGetParamInfo, "", (CUfunction function, size_t index, size_t *offset, size_t *size))
/* Drivers before CUDA 13.2 have no such function: its pointer is NULL. */
#define AUTOTUNE__CUDA_NEW_FUNCTIONS(X) X(cuFuncGetParamCount, "", (CUfunction function, size_t *count))

/* Names of members end in an underscore, since cuda.h has macros with the names of the functions. */
static struct autotune__cuda_driver {
#define AUTOTUNE__CUDA_FUNCTION(name, suffix, parameters) CUresult (CUDAAPI *name##_) parameters;
    AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
    AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
    int version;                                /* 13000 for 13.0 */
    char problem[256];                          /* why CUDA does not work in this process; "": it works */
} autotune__driver;

/* A function of the CUDA runtime; NULL in a program that is not linked with the runtime. */
AUTOTUNE__BEGIN_C
extern const char *autotune__runtime_error_name(int code) __asm__("cudaGetErrorName") __attribute__((__weak__));
AUTOTUNE__END_C
static const char *autotune__cuda_error_name(int code) {
    const char *name = NULL;                    /* an unknown error keeps NULL */
    if (autotune__driver.cuGetErrorName_) (void)autotune__driver.cuGetErrorName_((CUresult)code, &name);
    if (!name && autotune__runtime_error_name) name = autotune__runtime_error_name(code);
    return name ? name : "CUDA error";
}
#define AUTOTUNE__CUDA_WORDS(code) autotune__cuda_error_name((int)(code)), (int)(code)          /* for "%s (%d)" */

/* Returns true if the function succeeded. Else notes in `problem` why CUDA does not work in this process. */
static bool autotune__cuda_starts(const char *function, CUresult result) {
    struct autotune__cuda_driver *cuda = &autotune__driver;
    if (result == CUDA_ERROR_STUB_LIBRARY)
        autotune__put_text(cuda->problem, sizeof cuda->problem,
                           "CUDA is not available: libcuda.so.1 is the toolkit's stub for linking: take its folder out "
                           "of LD_LIBRARY_PATH, or install NVIDIA's driver");
    else if (result != CUDA_SUCCESS)
        autotune__put_text(cuda->problem, sizeof cuda->problem, "CUDA is not available: %s: %s (%d)%s", function,
                           AUTOTUNE__CUDA_WORDS(result), result != CUDA_ERROR_NO_DEVICE ? ""
                               : ": no GPU is visible; CUDA_VISIBLE_DEVICES may hide it");
    return result == CUDA_SUCCESS;
}
/* The exported name of a function. cuda.h may have another name for it. */
#define AUTOTUNE__CUDA_NAME(name, suffix, parameters) #name suffix "\0"
static void autotune__cuda_open_driver(void) {
    static const autotune__optional_library of = {
        { "libcuda.so.1", NULL }, "CUDA is not available",
        "libcuda.so.1, which NVIDIA's driver installs, was not found", "a driver for CUDA 12.4 or later is needed"
    };
    struct autotune__cuda_driver *cuda = &autotune__driver;
    void *library = autotune__open_functions(&of, AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_NAME), cuda, cuda->problem,
                                             sizeof cuda->problem);
    int count = 0;
    if (!library) return;
    (void)autotune__find_functions(library, AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_NAME),
                                   (void *)&cuda->cuFuncGetParamCount_);
    if (autotune__cuda_starts("cuInit", cuda->cuInit_(0)) &&
        autotune__cuda_starts("cuDriverGetVersion", cuda->cuDriverGetVersion_(&cuda->version)) &&
        autotune__cuda_starts("cuDeviceGetCount", cuda->cuDeviceGetCount_(&count)) && !count)
        autotune__cuda_starts("cuDeviceGetCount", CUDA_ERROR_NO_DEVICE);
}
AUTOTUNE__DEFINE_WORKS(autotune__cuda_works, autotune__cuda_open_driver, autotune__driver.problem)

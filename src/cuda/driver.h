/* The driver, opened at run time. Every function is asked for by the version in which it got the signature that stands
   here, so that neither a newer header nor a newer driver changes what is called. */
#pragma once
#include <cuda.h>
#include <limits.h>
#include <stdio.h>
#include "../system/library.h"
#include "errors.h"

#define AUTOTUNE__CUDA_FUNCTIONS(X) \
    X(cuInit, 2000, (unsigned flags)) \
    X(cuDriverGetVersion, 2020, (int *version)) \
    X(cuDeviceGetCount, 2000, (int *count)) \
    X(cuDeviceGet, 2000, (CUdevice *device, int ordinal)) \
    X(cuDeviceGetName, 2000, (char *name, int bytes, CUdevice device)) \
    X(cuDeviceTotalMem, 3020, (size_t *bytes, CUdevice device)) \
    X(cuDeviceGetAttribute, 2000, (int *value, CUdevice_attribute attribute, CUdevice device)) \
    X(cuDevicePrimaryCtxRetain, 7000, (CUcontext *context, CUdevice device)) \
    X(cuCtxGetCurrent, 4000, (CUcontext *context)) \
    X(cuCtxGetDevice, 2000, (CUdevice *device)) \
    X(cuCtxPushCurrent, 4000, (CUcontext context)) \
    X(cuCtxPopCurrent, 4000, (CUcontext *context)) \
    X(cuStreamCreate, 2000, (CUstream *stream, unsigned flags)) \
    X(cuStreamDestroy, 4000, (CUstream stream)) \
    X(cuStreamGetCtx, 9020, (CUstream stream, CUcontext *context)) \
    X(cuStreamIsCapturing, 10000, (CUstream stream, CUstreamCaptureStatus *status)) \
    X(cuThreadExchangeStreamCaptureMode, 10010, (CUstreamCaptureMode *mode)) \
    X(cuStreamSynchronize, 2000, (CUstream stream)) \
    X(cuEventCreate, 2000, (CUevent *event, unsigned flags)) \
    X(cuEventDestroy, 4000, (CUevent event)) \
    X(cuEventRecord, 2000, (CUevent event, CUstream stream)) \
    X(cuEventQuery, 2000, (CUevent event)) \
    X(cuEventElapsedTime, 2000, (float *milliseconds, CUevent start, CUevent stop)) \
    X(cuMemAlloc, 3020, (CUdeviceptr *memory, size_t bytes)) \
    X(cuMemFree, 3020, (CUdeviceptr memory)) \
    X(cuMemcpyAsync, 4000, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
    X(cuMemsetD8Async, 3020, (CUdeviceptr memory, unsigned char byte, size_t count, CUstream stream)) \
    X(cuMemsetD32Async, 3020, (CUdeviceptr memory, unsigned word, size_t count, CUstream stream)) \
    X(cuModuleLoadDataEx, 2010, \
      (CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)) \
    X(cuModuleUnload, 2000, (CUmodule module)) \
    X(cuModuleGetFunction, 2000, (CUfunction *function, CUmodule module, const char *name)) \
    X(cuModuleGetGlobal, 3020, (CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name)) \
    X(cuFuncGetAttribute, 2020, (int *value, CUfunction_attribute attribute, CUfunction function)) \
    X(cuFuncSetAttribute, 9000, (CUfunction function, CUfunction_attribute attribute, int value)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050, \
      (int *blocks, CUfunction function, int threads, size_t shared)) \
    X(cuLaunchKernel, 4000, \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
                             unsigned block_z, unsigned shared, CUstream stream, void **arguments, void **extra))
/* Not in every driver that will do: some came with CUDA 11.4, 11.8, 12.0, 12.4 or 13.2. */
#define AUTOTUNE__CUDA_NEW_FUNCTIONS(X) \
    X(cuLaunchKernelEx, 11060, (const CUlaunchConfig *launch, CUfunction function, void **arguments, void **extra)) \
    X(cuOccupancyMaxActiveClusters, 11070, (int *clusters, CUfunction function, const CUlaunchConfig *launch)) \
    X(cuStreamBeginCapture, 10010, (CUstream stream, CUstreamCaptureMode mode)) \
    X(cuStreamEndCapture, 10000, (CUstream stream, CUgraph *graph)) \
    X(cuGraphDestroy, 10000, (CUgraph graph)) \
    X(cuGraphInstantiateWithFlags, 11040, (CUgraphExec *replayable, CUgraph graph, unsigned long long flags)) \
    X(cuGraphUpload, 11010, (CUgraphExec replayable, CUstream stream)) \
    X(cuGraphLaunch, 10000, (CUgraphExec replayable, CUstream stream)) \
    X(cuGraphExecDestroy, 10000, (CUgraphExec replayable)) \
    X(cuCtxGetId, 12000, (CUcontext context, unsigned long long *id)) \
    X(cuFuncLoad, 12040, (CUfunction function)) \
    X(cuFuncGetParamInfo, 12040, (CUfunction function, size_t index, size_t *offset, size_t *size)) \
    X(cuFuncGetParamCount, 13020, (CUfunction function, size_t *count))

/* Members end in an underscore: cuda.h has macros by the functions' own names. */
static struct autotune__cuda_driver {
#define AUTOTUNE__CUDA_FUNCTION(name, version, parameters) CUresult (CUDAAPI *name##_) parameters;
    AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
    AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
#undef AUTOTUNE__CUDA_FUNCTION
    int version;                                /* as 13000 for 13.0 */
    char problem[256];                          /* why CUDA does not work here; "" if it does */
} autotune__driver;

typedef CUresult(CUDAAPI *autotune__cuda_lookup)(const char *name, void **function, int version, cuuint64_t flags,
                                                 void *status);
typedef CUresult (CUDAAPI *autotune__cuda_lookup_v1)(const char *name, void **function, int version, cuuint64_t flags);

/* The address of a function of the driver into a member; false: the driver does not have it. */
static bool autotune__cuda_find(void *library, const char *name, int version, void *member) {
    void *symbol = autotune__symbol_of(library, "cuGetProcAddress_v2"), *function = NULL;
    autotune__cuda_lookup lookup = NULL;
    autotune__cuda_lookup_v1 lookup_v1 = NULL;
    CUresult result = CUDA_ERROR_NOT_FOUND;
    if (symbol) {
        memcpy(&lookup, &symbol, sizeof lookup);                    /* ISO C has no cast from void * to a function */
        result = lookup(name, &function, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, NULL);
    } else if ((symbol = autotune__symbol_of(library, "cuGetProcAddress"))) {     /* 11.3 to 11.8 */
        memcpy(&lookup_v1, &symbol, sizeof lookup_v1);
        result = lookup_v1(name, &function, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
    }
    if (result != CUDA_SUCCESS || !function) return false;
    memcpy(member, &function, sizeof function);
    return true;
}
/* Puts the addresses of functions side by side to `members`, without those that are newer than the driver. Names are as
   in autotune__open_functions(). Returns the first name that the driver does not have; NULL: it has all. */
static const char *autotune__cuda_find_all(void *library, const char *names, const int *versions, int newest,
                                           void *members) {
    const char *missing = NULL;
    char *member = (char *)members;
    for (; *names; names += strlen(names) + 1, versions++, member += sizeof(void *))
        if (*versions <= newest && !autotune__cuda_find(library, names, *versions, member) && !missing) missing = names;
    return missing;
}
/* Did the function succeed? Else CUDA does not work here. */
static bool autotune__cuda_starts(const char *function, CUresult result) {
    struct autotune__cuda_driver *cuda = &autotune__driver;
    if (result == CUDA_ERROR_STUB_LIBRARY)
        snprintf(cuda->problem, sizeof cuda->problem,
                 "libcuda.so.1 is the toolkit's stub for linking: take its folder out of LD_LIBRARY_PATH, or "
                 "install NVIDIA's driver");
    else if (result != CUDA_SUCCESS)
        snprintf(cuda->problem, sizeof cuda->problem, "%s: %s (%d)%s", function, AUTOTUNE__CUDA_WORDS(result),
                 result == CUDA_ERROR_NO_DEVICE ? ": no GPU is visible; CUDA_VISIBLE_DEVICES may hide it" : "");
    return result == CUDA_SUCCESS;
}
#define AUTOTUNE__CUDA_NAME(name, version, parameters) #name "\0"          /* as it is written, not as cuda.h has it */
#define AUTOTUNE__CUDA_VERSION(name, version, parameters) version,
static void autotune__cuda_open_driver(void) {
    static const int versions[] = { AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_VERSION) },
                     new_versions[] = { AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_VERSION) };
    struct autotune__cuda_driver *cuda = &autotune__driver;
    void *library = autotune__open_library("libcuda.so.1"),
         *symbol = library ? autotune__symbol_of(library, "cuInit") : NULL;
    const char *missing;
    int count = 0;
    if (symbol) memcpy(&cuda->cuInit_, &symbol, sizeof symbol);
    else snprintf(cuda->problem, sizeof cuda->problem, "libcuda.so.1, which NVIDIA's driver installs, was not found");
    if (!symbol || !autotune__cuda_starts("cuInit", cuda->cuInit_(0))) return;
    missing = autotune__cuda_find_all(library, AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_NAME), versions, INT_MAX,
                                      (void *)&cuda->cuInit_);
    if (cuda->cuDriverGetVersion_ &&
        !autotune__cuda_starts("cuDriverGetVersion", cuda->cuDriverGetVersion_(&cuda->version))) return;
    /* for a later version the driver may not be asked */
    (void)autotune__cuda_find_all(library, AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_NAME), new_versions,
                                  cuda->version, (void *)&cuda->cuLaunchKernelEx_);
    if (missing)
        snprintf(cuda->problem, sizeof cuda->problem, "the driver lacks %s: one for CUDA 11.3 or later is needed",
                 missing);
    else if (autotune__cuda_starts("cuDeviceGetCount", cuda->cuDeviceGetCount_(&count)) && !count)
        snprintf(cuda->problem, sizeof cuda->problem, "no GPU is visible; CUDA_VISIBLE_DEVICES may hide it");
}
AUTOTUNE__DEFINE_WORKS(autotune__cuda_works, autotune__cuda_open_driver, autotune__driver.problem)

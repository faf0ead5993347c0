/* Notices that the call of a statement leaves work on the device, although the statement names no backend. */
#pragma once
#include "../system/floor.h"
#include "../device/floor.h"
#include "driver.h"
#include "backend.h"

/* Returns true if a context is current, and CUDA works. Without a current context the function does not start the
   driver: after cuInit() a child made by fork() cannot use CUDA. */
static bool autotune__cuda_has_context(void) {
    void *library = autotune__find_library("libcuda.so.1");
    CUresult (CUDAAPI *get_current)(CUcontext *context);
    CUcontext current = NULL;
    return library && !autotune__find_functions(library, "cuCtxGetCurrent\0", (void *)&get_current) &&
           get_current(&current) == CUDA_SUCCESS && current && autotune__cuda_works();
}
/* Returns "CUDA(stream)" if the current context has work, else NULL. The function records an event on the legacy
   stream. The event ends after the work of all streams except non-blocking streams. Without work the event ends within
   some microseconds, so the function waits for at most 20 us. While a stream is captured the function returns NULL,
   since a query of the event would end the capture. */
static const char *autotune__cuda_at_work(void) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUstreamCaptureStatus capture;
    CUresult result;
    CUevent event;
    if (!autotune__cuda_has_context() || cuda->cuThreadExchangeStreamCaptureMode_(&mode) != CUDA_SUCCESS) return NULL;
    result = cuda->cuStreamIsCapturing_(CU_STREAM_LEGACY, &capture);
    if (result == CUDA_SUCCESS) result = cuda->cuStreamQuery_(CU_STREAM_LEGACY);
    if (result == CUDA_SUCCESS && cuda->cuEventCreate_(&event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS) {
        const uint64_t until = autotune__monotonic_ns() + 20000;
        (void)cuda->cuEventRecord_(event, CU_STREAM_LEGACY);
        do result = cuda->cuEventQuery_(event);
        while (result == CUDA_ERROR_NOT_READY && autotune__monotonic_ns() < until);
        if (result == CUDA_ERROR_NOT_READY) result = cuda->cuEventQuery_(event);    /* this thread may have slept */
        cuda->cuEventDestroy_(event);
    }
    cuda->cuThreadExchangeStreamCaptureMode_(&mode);
    return result == CUDA_ERROR_NOT_READY ? autotune__cuda_interface.named : NULL;
}
static __attribute__((__constructor__(101))) void autotune__cuda_tell_of_work(void) {
    autotune__device_at_work = autotune__cuda_at_work;
}

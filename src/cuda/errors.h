/* Errors. Names are ours: a stub library knows none. What is not listed fails the configuration. */
#pragma once
#include <cuda.h>
#include <stdarg.h>
#include <stdio.h>
#include "../api/types.h"
#include "../statement/failures.h"

/* CONFIGURATION: this configuration does not work. ENVIRONMENT: CUDA does not work here, or not now: a capture has
   begun. STICKY: from now on nothing in this context works, in this process. */
#define AUTOTUNE__CUDA_ERRORS(X) \
    X(1, INVALID_VALUE, CONFIGURATION) X(2, OUT_OF_MEMORY, CONFIGURATION) X(200, INVALID_IMAGE, CONFIGURATION) \
    X(209, NO_BINARY_FOR_GPU, CONFIGURATION) X(218, INVALID_PTX, CONFIGURATION) \
    X(222, UNSUPPORTED_PTX_VERSION, CONFIGURATION) \
    X(300, INVALID_SOURCE, CONFIGURATION) X(400, INVALID_HANDLE, CONFIGURATION) X(500, NOT_FOUND, CONFIGURATION) \
    X(701, LAUNCH_OUT_OF_RESOURCES, CONFIGURATION) X(720, COOPERATIVE_LAUNCH_TOO_LARGE, CONFIGURATION) \
    X(801, NOT_SUPPORTED, CONFIGURATION) \
    X(912, INVALID_CLUSTER_SIZE, CONFIGURATION) \
    X(3, NOT_INITIALIZED, ENVIRONMENT) X(34, STUB_LIBRARY, ENVIRONMENT) X(36, CALL_REQUIRES_NEWER_DRIVER, ENVIRONMENT) \
    X(46, DEVICE_UNAVAILABLE, ENVIRONMENT) X(100, NO_DEVICE, ENVIRONMENT) X(101, INVALID_DEVICE, ENVIRONMENT) \
    X(201, INVALID_CONTEXT, ENVIRONMENT) X(221, JIT_COMPILER_NOT_FOUND, ENVIRONMENT) X(600, NOT_READY, ENVIRONMENT) \
    X(802, SYSTEM_NOT_READY, ENVIRONMENT) X(803, SYSTEM_DRIVER_MISMATCH, ENVIRONMENT) \
    X(804, COMPAT_NOT_SUPPORTED_ON_DEVICE, ENVIRONMENT) X(900, STREAM_CAPTURE_UNSUPPORTED, ENVIRONMENT) \
    X(901, STREAM_CAPTURE_INVALIDATED, ENVIRONMENT) X(902, STREAM_CAPTURE_MERGE, ENVIRONMENT) \
    X(903, STREAM_CAPTURE_UNMATCHED, ENVIRONMENT) X(904, STREAM_CAPTURE_UNJOINED, ENVIRONMENT) \
    X(905, STREAM_CAPTURE_ISOLATION, ENVIRONMENT) X(906, STREAM_CAPTURE_IMPLICIT, ENVIRONMENT) \
    X(907, CAPTURED_EVENT, ENVIRONMENT) X(908, STREAM_CAPTURE_WRONG_THREAD, ENVIRONMENT) \
    X(4, DEINITIALIZED, STICKY) X(214, ECC_UNCORRECTABLE, STICKY) X(220, NVLINK_UNCORRECTABLE, STICKY) \
    X(226, CONTAINED, STICKY) \
    X(700, ILLEGAL_ADDRESS, STICKY) X(702, LAUNCH_TIMEOUT, STICKY) X(709, CONTEXT_IS_DESTROYED, STICKY) \
    X(710, ASSERT, STICKY) \
    X(714, HARDWARE_STACK_ERROR, STICKY) X(715, ILLEGAL_INSTRUCTION, STICKY) X(716, MISALIGNED_ADDRESS, STICKY) \
    X(717, INVALID_ADDRESS_SPACE, STICKY) X(718, INVALID_PC, STICKY) X(719, LAUNCH_FAILED, STICKY) \
    X(721, TENSOR_MEMORY_LEAK, STICKY) \
    X(810, MPS_CLIENT_TERMINATED, STICKY) X(911, EXTERNAL_DEVICE, STICKY) X(999, UNKNOWN, STICKY)

static autotune_status autotune__cuda_status_of(int code) {
    enum { CONFIGURATION = AUTOTUNE_FAILED, ENVIRONMENT = AUTOTUNE_ERR_ENVIRONMENT, STICKY = AUTOTUNE_ERR_DEVICE };
    switch (code) {
    case CUDA_SUCCESS: return AUTOTUNE_OK;
#define AUTOTUNE__CUDA_ERROR(number, name, class_) case number: return (autotune_status)class_;
    AUTOTUNE__CUDA_ERRORS(AUTOTUNE__CUDA_ERROR)
#undef AUTOTUNE__CUDA_ERROR
    default: return AUTOTUNE_FAILED;
    }
}
/* Did a kernel do what is forbidden? Other errors that are sticky may be the device's, or another process's. */
static bool autotune__cuda_is_of_kernel(int code) {
    return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_ASSERT ||
           (code >= CUDA_ERROR_HARDWARE_STACK_ERROR && code <= CUDA_ERROR_LAUNCH_FAILED);
}
static const char *autotune__cuda_error_name(int code) {
    switch (code) {
#define AUTOTUNE__CUDA_ERROR(number, name, class_) case number: return "CUDA_ERROR_" #name;
    AUTOTUNE__CUDA_ERRORS(AUTOTUNE__CUDA_ERROR)
#undef AUTOTUNE__CUDA_ERROR
    default: return "CUDA error";
    }
}

/* Why a hit failed that this thread launches, or launched last. The statement of a hit keeps nothing, so that the
   reason stands here until the verdict of the call is taken. */
static __thread struct { bool launching; CUresult result; char why[256]; } autotune__cuda_hit;

/* Why the launch, or the preparation, of this thread's statement failed. The first reason counts. */
static __attribute__((__format__(__printf__, 1, 2))) void autotune__cuda_explain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!autotune__cuda_hit.launching) autotune__explain_list(format, list);
    else if (!*autotune__cuda_hit.why)
        vsnprintf(autotune__cuda_hit.why, sizeof autotune__cuda_hit.why, format, list);
    va_end(list);
}

/* The answer of a driver's function whose result goes on to the call's verdict, with its reason. */
static CUresult autotune__cuda_told(const char *function, CUresult result) {
    if (result != CUDA_SUCCESS)
        autotune__cuda_explain("%s: %s (%d)", function, autotune__cuda_error_name((int)result), (int)result);
    return result;
}

/* Errors of CUDA's driver: their names, and whose fault each is. The names stand here because cuGetErrorName() of the
   toolkit's stub library knows none. An error that is not listed counts as one of the configuration. */
#pragma once
#include <cuda.h>
#include <stdarg.h>
#include <stdio.h>
#include "../api/types.h"
#include "../statement/failures.h"
#include "../accelerator/errors.h"

/* After an ERR_DEVICE nothing in the context works any more in this process. ERR_ENVIRONMENT is also a capture that has
   begun. */
#define AUTOTUNE__CUDA_ERRORS(X) \
    X(1, INVALID_VALUE, FAILED) X(2, OUT_OF_MEMORY, FAILED) X(200, INVALID_IMAGE, FAILED) \
    X(209, NO_BINARY_FOR_GPU, FAILED) X(218, INVALID_PTX, FAILED) X(222, UNSUPPORTED_PTX_VERSION, FAILED) \
    X(300, INVALID_SOURCE, FAILED) X(400, INVALID_HANDLE, FAILED) X(500, NOT_FOUND, FAILED) \
    X(701, LAUNCH_OUT_OF_RESOURCES, FAILED) X(720, COOPERATIVE_LAUNCH_TOO_LARGE, FAILED) \
    X(801, NOT_SUPPORTED, FAILED) X(912, INVALID_CLUSTER_SIZE, FAILED) X(3, NOT_INITIALIZED, ERR_ENVIRONMENT) \
    X(34, STUB_LIBRARY, ERR_ENVIRONMENT) X(36, CALL_REQUIRES_NEWER_DRIVER, ERR_ENVIRONMENT) \
    X(46, DEVICE_UNAVAILABLE, ERR_ENVIRONMENT) X(100, NO_DEVICE, ERR_ENVIRONMENT) \
    X(101, INVALID_DEVICE, ERR_ENVIRONMENT) X(201, INVALID_CONTEXT, ERR_ENVIRONMENT) \
    X(221, JIT_COMPILER_NOT_FOUND, ERR_ENVIRONMENT) X(600, NOT_READY, ERR_ENVIRONMENT) \
    X(802, SYSTEM_NOT_READY, ERR_ENVIRONMENT) X(803, SYSTEM_DRIVER_MISMATCH, ERR_ENVIRONMENT) \
    X(804, COMPAT_NOT_SUPPORTED_ON_DEVICE, ERR_ENVIRONMENT) X(900, STREAM_CAPTURE_UNSUPPORTED, ERR_ENVIRONMENT) \
    X(901, STREAM_CAPTURE_INVALIDATED, ERR_ENVIRONMENT) X(902, STREAM_CAPTURE_MERGE, ERR_ENVIRONMENT) \
    X(903, STREAM_CAPTURE_UNMATCHED, ERR_ENVIRONMENT) X(904, STREAM_CAPTURE_UNJOINED, ERR_ENVIRONMENT) \
    X(905, STREAM_CAPTURE_ISOLATION, ERR_ENVIRONMENT) X(906, STREAM_CAPTURE_IMPLICIT, ERR_ENVIRONMENT) \
    X(907, CAPTURED_EVENT, ERR_ENVIRONMENT) X(908, STREAM_CAPTURE_WRONG_THREAD, ERR_ENVIRONMENT) \
    X(4, DEINITIALIZED, ERR_DEVICE) X(214, ECC_UNCORRECTABLE, ERR_DEVICE) X(220, NVLINK_UNCORRECTABLE, ERR_DEVICE) \
    X(226, CONTAINED, ERR_DEVICE) X(700, ILLEGAL_ADDRESS, ERR_DEVICE) X(702, LAUNCH_TIMEOUT, ERR_DEVICE) \
    X(709, CONTEXT_IS_DESTROYED, ERR_DEVICE) X(710, ASSERT, ERR_DEVICE) X(714, HARDWARE_STACK_ERROR, ERR_DEVICE) \
    X(715, ILLEGAL_INSTRUCTION, ERR_DEVICE) X(716, MISALIGNED_ADDRESS, ERR_DEVICE) \
    X(717, INVALID_ADDRESS_SPACE, ERR_DEVICE) X(718, INVALID_PC, ERR_DEVICE) X(719, LAUNCH_FAILED, ERR_DEVICE) \
    X(721, TENSOR_MEMORY_LEAK, ERR_DEVICE) X(810, MPS_CLIENT_TERMINATED, ERR_DEVICE) \
    X(911, EXTERNAL_DEVICE, ERR_DEVICE) X(999, UNKNOWN, ERR_DEVICE)
#define AUTOTUNE__CUDA_ERROR(number, name, status) AUTOTUNE__DRIVER_ERROR(number, "CUDA_ERROR_" #name, status)
AUTOTUNE__DEFINE_ERRORS(autotune__cuda_errors, "CUDA error", AUTOTUNE__CUDA_ERRORS(AUTOTUNE__CUDA_ERROR))
static autotune_status autotune__cuda_status_of(int code) {
    return autotune__status_of_error(autotune__cuda_errors, code);
}
#define AUTOTUNE__CUDA_WORDS(code) AUTOTUNE__ERROR_WORDS(autotune__cuda_errors, code)
/* Is the error the fault of a kernel? Other sticky errors may be the fault of the device or of another process. */
static bool autotune__cuda_is_of_kernel(int code) {
    return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_ASSERT ||
           (code >= CUDA_ERROR_HARDWARE_STACK_ERROR && code <= CUDA_ERROR_LAUNCH_FAILED);
}
/* Refuses what the driver would refuse, with a reason. */
static __attribute__((__format__(__printf__, 2, 3))) CUresult autotune__cuda_refuse(CUresult result,
                                                                                    const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__explain_list(format, list);
    va_end(list);
    return result;
}
/* Passes on what a function of the driver returned. If that is an error, it is also explained. */
static CUresult autotune__cuda_told(const char *function, CUresult result) {
    if (result != CUDA_SUCCESS) autotune__explain_error(autotune__cuda_errors, function, (int)result);
    return result;
}

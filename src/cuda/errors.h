/* The status for each error of CUDA's driver. */
#pragma once
#include "../api/floor.h"
#include "driver.h"

/* After an ERR_DEVICE the context does not work any more in this process. Errors of a stream capture are
   ERR_ENVIRONMENT, since the program causes them. Any error that is not in the table is the fault of the configuration.
   The table has numbers, since older headers have fewer names. */
static autotune_status autotune__cuda_status_of(int code) {
    static const struct { int first, last; autotune_status status; } known[] = {
        { 3, 3, AUTOTUNE_ERR_ENVIRONMENT },     /* not initialized */
        { 4, 4, AUTOTUNE_ERR_DEVICE },          /* deinitialized */
        { 34, 46, AUTOTUNE_ERR_ENVIRONMENT },   /* the stub, an old driver, a device of another process */
        { 100, 101, AUTOTUNE_ERR_ENVIRONMENT }, /* no device */
        { 201, 201, AUTOTUNE_ERR_ENVIRONMENT }, /* no context */
        { 214, 214, AUTOTUNE_ERR_DEVICE },      /* an uncorrectable ECC error */
        { 220, 220, AUTOTUNE_ERR_DEVICE },      /* an uncorrectable NVLink error */
        { 221, 221, AUTOTUNE_ERR_ENVIRONMENT }, /* no compiler */
        { 226, 226, AUTOTUNE_ERR_DEVICE },      /* a contained error */
        { 600, 600, AUTOTUNE_ERR_ENVIRONMENT }, /* not ready */
        { 700, 700, AUTOTUNE_ERR_DEVICE },      /* an illegal address */
        { 702, 702, AUTOTUNE_ERR_DEVICE },      /* a launch that took too long */
        { 709, 710, AUTOTUNE_ERR_DEVICE },      /* the context is destroyed; assert */
        { 714, 719, AUTOTUNE_ERR_DEVICE },      /* faults of kernels */
        { 721, 721, AUTOTUNE_ERR_DEVICE },      /* tensor memory that a kernel kept */
        { 802, 804, AUTOTUNE_ERR_ENVIRONMENT }, /* driver and system do not fit */
        { 810, 810, AUTOTUNE_ERR_DEVICE },      /* another client of MPS ended */
        { 900, 908, AUTOTUNE_ERR_ENVIRONMENT }, /* a capture */
        { 911, 911, AUTOTUNE_ERR_DEVICE },      /* an external device */
        { 999, 999, AUTOTUNE_ERR_DEVICE }       /* unknown */
    };
    size_t i;
    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].first <= code && code <= known[i].last) return known[i].status;
    return code ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
/* Returns true if a kernel caused the error. Other errors with ERR_DEVICE may come from the device or from another
   process. */
static bool autotune__cuda_is_of_kernel(int code) {
    return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_ASSERT ||
           (code >= CUDA_ERROR_HARDWARE_STACK_ERROR && code <= CUDA_ERROR_LAUNCH_FAILED);
}

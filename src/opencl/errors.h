/* The errors of OpenCL, and the status for each. The specification has the numbers; -9999 is NVIDIA's number for a
   kernel with an illegal read or write. An error that is not listed fails the configuration, too. */
#pragma once
#include "../api/floor.h"

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
static const struct { int code; autotune_status status; const char *name; } autotune__opencl_errors[] = {
#define AUTOTUNE__OPENCL_ERROR(number, name, status) { number, AUTOTUNE_##status, "CL_" #name },
    AUTOTUNE__OPENCL_ERRORS(AUTOTUNE__OPENCL_ERROR)
    { 0, AUTOTUNE_FAILED, "OpenCL error" }      /* any error that is not listed */
};
static size_t autotune__opencl_known_error(int code) {
    size_t i = 0;
    while (autotune__opencl_errors[i].code && autotune__opencl_errors[i].code != code) i++;
    return i;
}
static autotune_status autotune__opencl_status_of(int code) {
    return code ? autotune__opencl_errors[autotune__opencl_known_error(code)].status : AUTOTUNE_OK;
}
static const char *autotune__opencl_error_name(int code) {
    return autotune__opencl_errors[autotune__opencl_known_error(code)].name;
}

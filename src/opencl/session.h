/* A session: one statement that is no hit, its queue, the events of its launches, and the status for errors. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "errors.h"
#include "device.h"

typedef struct autotune__opencl_session {
    autotune__accelerator_session common;       /* has to come first: the floor `accelerator` allocates the struct */
    cl_event **events[AUTOTUNE_MOST_QUEUED];    /* the events of the commands of each batch. Each event has its own
                                                   memory block, since OPENCL_EVENT returns the address of the event */
    bool asked_for_elements;                    /* building `elements` was tried */
    cl_kernel elements;                         /* the kernel that works on outputs; NULL: not built */
} autotune__opencl_session;
AUTOTUNE__DEFINE_AROUND(autotune__opencl_session_of, autotune__opencl_session, common.backend, autotune_backend)
static cl_command_queue autotune__opencl_queue_in(const autotune__opencl_session *session) {
    return (cl_command_queue)session->common.place;
}
#define AUTOTUNE__OPENCL_CALL(session, function, ...) \
    AUTOTUNE__DRIVER_CALL(session, #function, autotune__libopencl.function##_(__VA_ARGS__))

/* Returns true if the command of an event has ended. *error: its error; 0: no error. A NULL event counts as an error,
   since the enqueue was refused. */
static bool autotune__opencl_has_ended(void *event, int *error) {
    cl_int progress = CL_COMPLETE;
    *error = event ? autotune__libopencl.clGetEventInfo_((cl_event)event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                         sizeof progress, &progress, NULL)
                   : CL_INVALID_EVENT;
    if (*error == CL_SUCCESS && progress < 0) *error = progress;
    return *error != CL_SUCCESS || progress == CL_COMPLETE;
}
/* Tests the device by a new command. Returns true if the command ends without an error, or if the device is too busy to
   reach it in time. */
static bool autotune__opencl_responds(const autotune__opencl_session *session) {
    const cl_command_queue queue = autotune__opencl_queue_in(session);
    cl_event marker = NULL;
    int error = autotune__libopencl.clEnqueueMarkerWithWaitList_(queue, 0, NULL, &marker);
    if (error != CL_SUCCESS || autotune__libopencl.clFlush_(queue) != CL_SUCCESS) return false;
    if (!autotune__await_event(&session->common, marker, session->common.timeout_ns, &error)) error = CL_SUCCESS;
    autotune__libopencl.clReleaseEvent_(marker);
    return error == CL_SUCCESS;
}
/* Returns the status for an error. After an error of a kernel, and after some other errors, the device may be lost.
   Then autotune__opencl_responds() shows if the device is lost. */
static autotune_status autotune__opencl_judge(autotune__accelerator_session *common, int error, bool of_kernel) {
    const autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    autotune__tuning *tuning = autotune__tuning_with(&common->backend);
    autotune_status status = autotune__opencl_status_of(error);
    const bool doubtful = of_kernel || error == CL_OUT_OF_RESOURCES || error == CL_INVALID_COMMAND_QUEUE ||
                          error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (common->asked_later) return status;
    if (doubtful && !autotune__opencl_responds(session)) status = AUTOTUNE_ERR_DEVICE;
    if (status == AUTOTUNE_ERR_DEVICE && of_kernel && tuning) autotune__launch_broke_device(tuning);
    return status;
}
/* Returns AUTOTUNE_OK if launches on the queue can be measured. Else logs the reason once for each device. */
static autotune_status autotune__opencl_check_queue(autotune__accelerator_session *common) {
    const cl_command_queue queue = autotune__opencl_queue_in(autotune__opencl_session_of(&common->backend));
    cl_command_queue_properties properties = 0;
    const char *why = NULL;
    char line[600];
    (void)AUTOTUNE__OPENCL_ASK_QUEUE(queue, CL_QUEUE_PROPERTIES, properties);
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        why = "the queue has CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE: launches overlap, so use a queue without it";
    else if (!(properties & CL_QUEUE_PROFILING_ENABLE))
        why = "the queue has no CL_QUEUE_PROFILING_ENABLE: launches have no times, so use a queue with it";
    if (!why) return AUTOTUNE_OK;
    if (!autotune__tuning_with(&common->backend)) return AUTOTUNE_REJECTED;     /* a call on probation */
    if (!__atomic_exchange_n(&common->accelerator->said, true, __ATOMIC_RELAXED)) {
        autotune__put_text(line, sizeof line, "%s: %s", common->accelerator->words, why);
        autotune__say(AUTOTUNE_LOG_ERRORS, line);
    }
    return AUTOTUNE_REJECTED;
}

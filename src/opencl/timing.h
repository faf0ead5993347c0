/* A session's clock, by the events of batches of launches, and its calibration. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "device.h"
#include "session.h"

/* Releases the events of a batch, unless the device is lost: a launch that hangs may still set its event. */
static void autotune__opencl_drop_events(autotune__opencl_session *session, size_t batch) {
    size_t i;
    for (i = 0; i < autotune__count(session->events[batch]); i++) {
        cl_event *event = session->events[batch][i];
        if (*event && !autotune__lost(&session->common)) autotune__libopencl.clReleaseEvent_(*event);
        autotune__free(event);
    }
    AUTOTUNE__FREE_ARRAY(session->events[batch]);
}
static autotune_status autotune__opencl_begin_batch(autotune__accelerator_session *common) {
    autotune__opencl_drop_events(autotune__opencl_session_of(&common->backend), common->number);
    common->launched = false;
    return AUTOTUNE_OK;
}
/* Waits for the commands that the program queued before. No timeout limits these commands. */
static autotune_status autotune__opencl_start(autotune_backend *self) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    autotune_status status = AUTOTUNE_OK;
    if (!session->common.number) status = AUTOTUNE__OPENCL_CALL(session, clFinish, autotune__opencl_queue_in(session));
    return status == AUTOTUNE_OK ? autotune__begin_batch(self) : status;
}
/* Returns the address for the event of the next command. NULL: the command is not measured, or there is no memory.
   Without memory a trial fails, and a call on probation goes on without an event. */
static cl_event *autotune__opencl_next_event(autotune__opencl_session *session) {
    autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    cl_event *event;
    if (!session->common.running) return NULL;
    event = (cl_event *)autotune__allocate(sizeof *event);
    if (!event || !AUTOTUNE__PUSH(session->events[session->common.number], event)) {
        autotune__free(event);
        if (tuning) autotune__trial_failed(tuning, AUTOTUNE_ERR_MEMORY);
        return NULL;
    }
    return event;
}
static autotune_status autotune__opencl_nothing_launched(autotune__accelerator_session *common) {
    autotune_explain("nothing was launched: the call needs OPENCL_LAUNCH, or an enqueue with OPENCL_EVENT");
    autotune__refuse_call(autotune__tuning_with(&common->backend));
    return AUTOTUNE_FAILED;
}
/* After a call, checks that it launched at least one command. No thread waits for the call. */
static autotune_status autotune__opencl_clock_call(autotune_backend *self, size_t number, bool ended) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const autotune_status status = autotune__clock_measured(self, number, ended);
    size_t i;
    if (!ended || status != AUTOTUNE_OK) return status;
    for (i = 0; i < autotune__count(session->events[number]); i++) if (*session->events[number][i]) return AUTOTUNE_OK;
    return autotune__opencl_nothing_launched(&session->common);
}
/* Flushes the queue, since the program may not have flushed it, and waits for all batches. If the flush fails, the
   cause may be the error of a command. Then the error of the command is reported. */
static autotune_status autotune__opencl_await(autotune__accelerator_session *common) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const autotune__tuning *tuning = autotune__tuning_with(&common->backend);
    const bool failing = tuning && autotune__is_failing(tuning);
    const cl_int flushed = autotune__libopencl.clFlush_(autotune__opencl_queue_in(session));
    autotune_status status = AUTOTUNE_OK, other;
    size_t batch, i, count = 0;
    int error = 0;
    for (batch = 0; batch < common->number; batch++)
        for (i = 0; i < autotune__count(session->events[batch]) && status != AUTOTUNE_ERR_DEVICE; i++, count++) {
            const cl_event event = *session->events[batch][i];
            if (!event && !failing)
                autotune_explain("nothing was launched: an enqueue was refused, for its event was not set");
            if (!event) other = AUTOTUNE_FAILED;
            else if (flushed == CL_SUCCESS) other = autotune__wait_for_kernel(common, event);
            else other = autotune__opencl_has_ended(event, &error) ? autotune__kernel_outcome(common, error)
                                                                   : AUTOTUNE_OK;
            if (status == AUTOTUNE_OK || other == AUTOTUNE_ERR_DEVICE) status = other;
        }
    if (!count && !failing && flushed == CL_SUCCESS) return autotune__opencl_nothing_launched(common);
    return status == AUTOTUNE_OK ? autotune__driver_outcome(common, "clFlush: ", flushed) : status;
}
static bool autotune__opencl_has_done(autotune__accelerator_session *common, size_t number, int *error) {
    cl_event **const events = autotune__opencl_session_of(&common->backend)->events[number];
    size_t i;
    for (i = 0; i < autotune__count(events) && !*error; i++)
        if (!autotune__opencl_has_ended(*events[i], error)) return false;
    return true;
}
/* Sums the times of the commands of a batch. The time between two commands does not count, since drivers may compile
   then. PoCL compiles for 45 to 130 ms at the first launch with a new local size. */
static autotune_status autotune__opencl_measure(autotune__accelerator_session *common, size_t number, double *ns) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    cl_event **const events = session->events[number];
    autotune_status status = AUTOTUNE_OK;
    cl_ulong begun = 0, ended = 0;
    size_t i;
    *ns = 0;
    for (i = 0; i < autotune__count(events) && status == AUTOTUNE_OK; i++) {
        status = AUTOTUNE__OPENCL_CALL(session, clGetEventProfilingInfo, *events[i], CL_PROFILING_COMMAND_START,
                                       sizeof begun, &begun, NULL);
        if (status == AUTOTUNE_OK)
            status = AUTOTUNE__OPENCL_CALL(session, clGetEventProfilingInfo, *events[i], CL_PROFILING_COMMAND_END,
                                           sizeof ended, &ended, NULL);
        *ns += (double)(int64_t)(ended - begun);
    }
    return status;
}
/* Asks the device for the step of its clock. Times of events do not include the cost of reading a clock. */
static void autotune__opencl_calibrate(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    size_t step_ns = 0;
    AUTOTUNE__OPENCL_ASK(autotune__accelerator_session_of(self)->accelerator, CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                         step_ns);
    *resolution_ns = (double)step_ns;
    *cost_ns = 0;
}

/* A session's clock: the events of a batch of launches, or the CPU's clock; calibration. */
#pragma once
#include <CL/cl.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "device.h"
#include "session.h"

/* Events that a hung launch may still set are not released. */
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
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    autotune_status status = AUTOTUNE_OK;
    autotune__opencl_drop_events(session, common->number);
    /* What stands in the queue is no launch of ours, and has what time it takes. */
    if (!common->online && !common->number) status = AUTOTUNE__OPENCL_CALL(session, clFinish, session->queue);
    session->began = autotune__wait_clock();
    return status;
}
/* Where the event of a command goes that is about to be enqueued; NULL: it is not measured, or there is no memory. */
static cl_event *autotune__opencl_next_event(autotune__opencl_session *session) {
    autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    cl_event *event;
    if (!session->common.running || !tuning) return NULL;
    event = (cl_event *)autotune__allocate(sizeof *event);
    if (!event || !AUTOTUNE__PUSH(session->events[session->common.number], event)) {
        autotune__free(event);
        autotune__trial_failed(tuning, AUTOTUNE_ERR_MEMORY);
        return NULL;
    }
    return event;
}
static autotune_status autotune__opencl_nothing_launched(autotune__accelerator_session *common) {
    autotune_explain("nothing was launched: the call needs OPENCL_LAUNCH, or an enqueue with OPENCL_EVENT");
    autotune__refuse_call(autotune__tuning_with(&common->backend));
    return AUTOTUNE_FAILED;
}
static autotune_status autotune__opencl_end_batch(autotune__accelerator_session *common) {
    cl_event **const events = autotune__opencl_session_of(&common->backend)->events[common->number];
    size_t i;
    for (i = 0; i < autotune__count(events); i++) if (*events[i]) return AUTOTUNE_OK;
    return common->online ? autotune__opencl_nothing_launched(common) : AUTOTUNE_OK;
}
/* The commands are flushed, since nobody else may do so. If that fails, a command that ended with an error may be why,
   and tells more. */
static autotune_status autotune__opencl_await(autotune__accelerator_session *common) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const autotune__tuning *tuning = autotune__tuning_with(&common->backend);
    const bool failing = tuning && autotune__is_failing(tuning);
    const cl_int flushed = autotune__libopencl.clFlush_(session->queue);
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
    return status == AUTOTUNE_OK ? autotune__driver_outcome(common, "clFlush", flushed) : status;
}
static bool autotune__opencl_has_done(autotune__accelerator_session *common, size_t number, int *error) {
    cl_event **const events = autotune__opencl_session_of(&common->backend)->events[number];
    size_t i;
    for (i = 0; i < autotune__count(events) && !*error; i++)
        if (!autotune__opencl_has_ended(*events[i], error)) return false;
    return true;
}
/* The time in which the device worked on the commands of a batch. What overlaps counts once: with the beginnings in
   order, and the ends in order, the i-th end adds what lies behind the end before it and behind the i-th beginning.
   What lies between two commands does not count, since drivers compile there: at the first launch with a new local size
   PoCL does so for 45 to 130 ms. */
static autotune_status autotune__opencl_measure(autotune__accelerator_session *common, size_t number, double *ns) {
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    cl_event **const events = session->events[number];
    const size_t count = autotune__count(events);
    double *const begun = (double *)autotune__allocate(2 * count * sizeof *begun),
           *const ended = begun ? begun + count : NULL;
    autotune_status status = begun ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
    cl_ulong first = 0, time = 0;
    size_t i;
    for (i = 0; i < 2 * count && status == AUTOTUNE_OK && session->profiled; i++) {
        status = AUTOTUNE__OPENCL_CALL(session, clGetEventProfilingInfo, *events[i / 2],
                                       i % 2 ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START, sizeof time,
                                       &time, NULL);
        if (!i) first = time;
        (i % 2 ? ended : begun)[i / 2] = (double)(int64_t)(time - first);
    }
    *ns = 0;
    if (status == AUTOTUNE_OK) {
        autotune__sort(begun, count);
        autotune__sort(ended, count);
        for (i = 0; i < count; i++) *ns += ended[i] - (i && ended[i - 1] > begun[i] ? ended[i - 1] : begun[i]);
    }
    autotune__free(begun);
    return status;
}
/* Without times in events launches last from before the first command until the CPU knows that the last one is done. */
static autotune_status autotune__opencl_stop(autotune_backend *self, double *ns) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const autotune_status status = autotune__stop_batches(self, ns);
    if (!session->profiled) *ns = (double)(autotune__wait_clock() - session->began);
    return status;
}
/* The steps of events are the device's; reading them costs nothing. The CPU's clock has none that count, and what it
   measures of a launch besides its work cannot be told from that. */
static void autotune__opencl_calibrate(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    size_t step_ns = 0;
    if (autotune__opencl_session_of(self)->profiled)
        AUTOTUNE__OPENCL_ASK(autotune__accelerator_session_of(self)->accelerator, CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                             step_ns);
    *resolution_ns = (double)step_ns;
    *cost_ns = 0;
}
static autotune_status autotune__opencl_enter(autotune__accelerator_session *common) {
    const autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    if (session->profiled) return autotune__opencl_check_order(session);
    autotune_explain("the queue has no CL_QUEUE_PROFILING_ENABLE, without which a launch has a time only where it is "
                     "waited for");
    return AUTOTUNE_ERR_ARGUMENT;
}

/* A session's clock: events of launches, or the CPU's clock; .launch_timeout; calibration; mode ONLINE. */
#pragma once
#include <CL/cl.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../statement/sample.h"
#include "../statement/failures.h"
#include "../statement/for_backends.h"
#include "../accelerator/session.h"
#include "driver.h"
#include "session.h"

/* The time of launches is that in which the device works on them, by the times of their events. What overlaps counts
   once; what lies between two commands does not count, since drivers compile there: at the first launch with a new
   local size PoCL does so for 45 to 130 ms. Without times in events it lasts from before the first command until the
   CPU knows that the last one is done. */

static autotune_status autotune__opencl_start(autotune_backend *self) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    autotune_status status = AUTOTUNE_OK;
    if (!session->marked)                       /* what stands in the queue is no launch of ours, and has what time it
                                                   takes */
        status = AUTOTUNE__OPENCL_CALL(session, clFinish, session->queue);
    session->running = true;
    session->left = UINT32_MAX;
    session->began = autotune__wait_clock();
    return status;
}
static cl_event **autotune__opencl_events(const autotune__opencl_session *session) {
    return session->events[session->call];
}
/* Where the event of a command goes that is about to be enqueued; NULL: it is not measured, or there is no memory. In
   an out-of-order queue a launch waits for the one before. */
static cl_event *autotune__opencl_next_event(autotune__opencl_session *session) {
    autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    cl_event *event;
    if (!session->running || !tuning) return NULL;
    event = (cl_event *)autotune__allocate(sizeof *event);
    if (!event || !AUTOTUNE__PUSH(session->events[session->call], event)) {
        autotune__free(event);
        autotune__trial_failed(tuning, AUTOTUNE_ERR_MEMORY);
        return NULL;
    }
    if (session->left != autotune__launches_to_come(tuning)) (void)autotune__opencl_fence(session);
    session->left = autotune__launches_to_come(tuning);
    return event;
}
static autotune_status autotune__opencl_nothing_launched(void) {
    autotune_explain("nothing was launched: the call needs OPENCL_LAUNCH, or an enqueue with OPENCL_EVENT");
    return AUTOTUNE_FAILED;
}
/* Waits for the commands since start(). They are flushed, since nobody else may do so. If that fails, a command
   that ended with an error may be why, and tells more. */
static autotune_status autotune__opencl_wait(autotune__opencl_session *session) {
    const autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    const bool failing = tuning && autotune__is_failing(tuning);
    cl_event **const events = autotune__opencl_events(session);
    const cl_int flushed = autotune__lost(&session->common) ? CL_SUCCESS : autotune__libopencl.clFlush_(session->queue);
    autotune_status status = AUTOTUNE_OK, other;
    int error = 0;
    size_t i;
    if (autotune__lost(&session->common)) return autotune__still_lost(&session->common);
    if (!autotune__count(events) && !failing && flushed == CL_SUCCESS) return autotune__opencl_nothing_launched();
    for (i = 0; i < autotune__count(events) && status != AUTOTUNE_ERR_DEVICE; i++) {
        if (!*events[i]) {
            if (!failing) autotune_explain("nothing was launched: an enqueue was refused, for its event was not set");
            other = AUTOTUNE_FAILED;
        } else if (flushed == CL_SUCCESS) other = autotune__wait_for_kernel(&session->common, *events[i]);
        else other = autotune__opencl_has_ended(*events[i], &error) ? autotune__kernel_outcome(&session->common, error)
                                                                    : AUTOTUNE_OK;
        if (status == AUTOTUNE_OK || other == AUTOTUNE_ERR_DEVICE) status = other;
    }
    return status == AUTOTUNE_OK ? autotune__driver_outcome(&session->common, "clFlush", flushed) : status;
}
/* The time in which the device worked on the commands from one number to another: with the beginnings in order, and the
   ends in order, the i-th end adds what lies behind the end before it and behind the i-th beginning. */
static autotune_status autotune__opencl_busy(autotune__opencl_session *session, size_t from, size_t to, double *ns) {
    const size_t count = to - from;
    double *const begun = (double *)autotune__allocate(2 * count * sizeof *begun),
           *const ended = begun ? begun + count : NULL;
    autotune_status status = begun ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
    cl_ulong first = 0, time = 0;
    size_t i;
    for (i = 0; i < 2 * count && status == AUTOTUNE_OK; i++) {
        status = AUTOTUNE__OPENCL_CALL(session, clGetEventProfilingInfo,
                                       *autotune__opencl_events(session)[from + i / 2],
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
static autotune_status autotune__opencl_mark(autotune_backend *self) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    session->ends[session->marked++] = autotune__count(autotune__opencl_events(session));
    return AUTOTUNE_OK;
}
/* Events that a hung launch may still set are not released. */
static void autotune__opencl_drop_events(autotune__opencl_session *session) {
    cl_event **const events = autotune__opencl_events(session);
    size_t i;
    for (i = 0; i < autotune__count(events); i++) {
        if (*events[i] && !autotune__lost(&session->common)) autotune__libopencl.clReleaseEvent_(*events[i]);
        autotune__free(events[i]);
    }
    autotune__set_count(events, 0);
    session->marked = 0;
}
static autotune_status autotune__opencl_stop(autotune_backend *self, double *ns) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    autotune_status status = autotune__opencl_wait(session);
    const uint64_t ended = autotune__wait_clock();
    double times[AUTOTUNE_MOST_QUEUED];
    size_t from = 0;
    uint32_t i;
    (void)autotune__opencl_mark(self);
    for (i = 0; i < session->marked && status == AUTOTUNE_OK && session->profiled; i++) {
        status = autotune__opencl_busy(session, from, session->ends[i], &times[i]);
        from = session->ends[i];
    }
    autotune__sort(times, i);                   /* so many are known */
    *ns = session->profiled
              ? autotune__sum_of_launches(times, i, autotune__clock_in(autotune__tuning_with(self)).tick_ns)
              : (double)(ended - session->began);
    autotune__opencl_drop_events(session);
    session->running = false;
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

/* Mode ONLINE: each measured call keeps the events of its commands, which are asked later. Nothing waits for the
   device. */

static autotune_status autotune__opencl_enter_call(autotune_backend *self, void *place) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    const autotune_status status = autotune__check_accelerator(&session->common);
    if (status != AUTOTUNE_OK) return status;
    session->online = true;
    autotune__opencl_go_to(&session->common, place);
    if (session->profiled) return AUTOTUNE_OK;
    autotune_explain("the queue has no CL_QUEUE_PROFILING_ENABLE, without which a launch has a time only where it is "
                     "waited for");
    return AUTOTUNE_ERR_ARGUMENT;
}
static autotune_status autotune__opencl_clock_call(autotune_backend *self, size_t number, bool ended) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    autotune__tuning *tuning = autotune__tuning_with(self);
    size_t i;
    session->call = number;
    session->running = !ended;
    session->left = 0;                          /* no barrier comes before the call */
    if (!ended) autotune__opencl_drop_events(session);
    for (i = 0; ended && i < autotune__count(autotune__opencl_events(session)); i++)
        if (*autotune__opencl_events(session)[i]) return AUTOTUNE_OK;
    if (ended && tuning) autotune__refuse_call(tuning);
    return ended ? autotune__opencl_nothing_launched() : AUTOTUNE_OK;
}
static autotune_status autotune__opencl_ask(autotune_backend *self, size_t number, double *ns) {
    autotune__opencl_session *session = autotune__opencl_session_of(self);
    autotune_status status = autotune__check_accelerator(&session->common);
    int error = 0;
    size_t i;
    *ns = -1;
    session->call = number;
    for (i = 0; status == AUTOTUNE_OK && i < autotune__count(autotune__opencl_events(session)); i++) {
        if (!autotune__opencl_has_ended(*autotune__opencl_events(session)[i], &error)) return AUTOTUNE_OK;
        status = autotune__kernel_outcome(&session->common, error);
    }
    if (status == AUTOTUNE_OK) status = autotune__opencl_busy(session, 0, i, ns);
    autotune__opencl_drop_events(session);
    return status;
}

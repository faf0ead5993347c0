/* Mode ONLINE: events around each measured call, on the stream of that call, which are asked for later. Nothing here
   waits for the device. */
#pragma once
#include <cuda.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../accelerator/session.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "runtime.h"

/* A thread that has another context than the session's, or none, gets it until leave(). On a stream that is captured
   nothing is done. */
static void autotune__cuda_leave_call(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUcontext popped;
    if (session->relaxed) autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode);
    if (session->pushed) autotune__driver.cuCtxPopCurrent_(&popped);
    session->relaxed = session->pushed = session->entered = false;
}
static autotune_status autotune__cuda_enter_call(autotune_backend *self, void *place) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status = autotune__check_accelerator(&session->common);
    CUresult result;
    bool capturing;
    autotune__cuda_go_to(&session->common, place);
    session->outlives_call = true;
    if (status == AUTOTUNE_OK) status = autotune__cuda_enter(session);
    if (status != AUTOTUNE_OK) return status;
    result = autotune__cuda_ask_capture(session, &capturing);
    status = capturing ? AUTOTUNE_REJECTED
                       : autotune__driver_outcome(&session->common, "cuStreamIsCapturing", (int)result);
    if (status != AUTOTUNE_OK) autotune__cuda_leave_call(self);
    session->entered = status == AUTOTUNE_OK;
    return status;
}
static autotune_status autotune__cuda_clock_call(autotune_backend *self, size_t number, bool ended) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUevent *begun = &session->begun[number], *after = &session->ended[number];
    autotune_status status = AUTOTUNE_OK;
    session->marked = (uint32_t)number;
    session->running = !ended;
    if (ended) {
        status = AUTOTUNE__CUDA_CALL(session, cuEventRecord, *after, session->stream);
        return status == AUTOTUNE_OK ? autotune__cuda_ask_runtime(session) : status;
    }
    session->launched = false;
    if (!*begun) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, begun, CU_EVENT_DEFAULT);
    if (status == AUTOTUNE_OK && !*after) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, after, CU_EVENT_DEFAULT);
    autotune__cuda_watch_runtime(session);
    if (status == AUTOTUNE_OK) status = AUTOTUNE__CUDA_CALL(session, cuEventRecord, *begun, session->stream);
    return status;
}
/* The question would end the capture of another thread, were this one's mode not relaxed. */
static autotune_status autotune__cuda_ask_events(autotune__cuda_session *session, size_t number, double *ns) {
    float milliseconds = 0;
    autotune_status status;
    CUresult result;
    autotune__cuda_relax(session);
    result = autotune__driver.cuEventQuery_(session->ended[number]);
    if (result == CUDA_ERROR_NOT_READY || result == CUDA_ERROR_DEINITIALIZED) return AUTOTUNE_OK;
    if ((status = autotune__kernel_outcome(&session->common, (int)result)) != AUTOTUNE_OK) return status;
    status = AUTOTUNE__CUDA_CALL(session, cuEventElapsedTime, &milliseconds, session->begun[number],
                                 session->ended[number]);
    if (status == AUTOTUNE_OK) *ns = (double)milliseconds * 1e6;
    return status;
}
static autotune_status autotune__cuda_ask(autotune_backend *self, size_t number, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status;
    *ns = -1;
    if (autotune__lost(&session->common)) return autotune__still_lost(&session->common);
    if (session->entered) return autotune__cuda_ask_events(session, number, ns);
    /* Else nobody will know any more. */
    if (!autotune__cuda_visit(autotune__cuda_context_in(session))) return AUTOTUNE_OK;
    status = autotune__cuda_ask_events(session, number, ns);
    autotune__cuda_leave();
    autotune__cuda_leave_call(self);
    return status;
}
static void autotune__cuda_set_online(autotune_backend *backend) {
    backend->enter = autotune__cuda_enter_call;
    backend->leave = autotune__cuda_leave_call;
    backend->clock_call = autotune__cuda_clock_call;
    backend->ask = autotune__cuda_ask;
}

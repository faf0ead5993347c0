/* Calls of mode ONLINE, or of a winner on probation. No thread waits for their end. The session's context is current
   during the call. A later call, maybe of another thread, asks for the time. */
#pragma once
#include "../api/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "runtime.h"

/* enter() makes the session's context current, and leave() makes the thread's own context current again. enter()
   refuses a stream that is captured, and refuses calls on probation under ncu or compute-sanitizer. */
static void autotune__cuda_leave_call(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    if (session->relaxed) autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode);
    if (session->pushed) autotune__cuda_leave();
    session->relaxed = session->pushed = session->entered = false;
}
static autotune_status autotune__cuda_enter_call(autotune__accelerator_session *common) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune_status status = autotune__cuda_enter(session);
    if (status == AUTOTUNE_OK) status = autotune__cuda_refuse_capture(session);
    if (status == AUTOTUNE_OK && !autotune__tuning_with(&common->backend) && autotune__cuda_is_under_tool())
        status = AUTOTUNE_REJECTED;
    session->entered = status == AUTOTUNE_OK;
    if (status != AUTOTUNE_OK) autotune__cuda_leave_call(&common->backend);
    return status;
}
/* The query of an event ends the capture of another thread, unless this thread's capture mode is relaxed. */
static bool autotune__cuda_has_done(autotune__accelerator_session *common, size_t number, int *error) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune__cuda_relax(session);
    return autotune__cuda_has_ended(session->ended[number], error) && *error != CUDA_ERROR_DEINITIALIZED;
}
static autotune_status autotune__cuda_clock_call(autotune_backend *self, size_t number, bool ended) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status;
    /* only if a statement makes the call: the program itself asks for errors of a call on probation */
    if (!ended && autotune__tuning_with(self)) autotune__cuda_watch_runtime(session);
    status = autotune__clock_measured(self, number, ended);
    return ended && status == AUTOTUNE_OK ? autotune__cuda_ask_runtime(session) : status;
}
static autotune_status autotune__cuda_ask(autotune_backend *self, size_t number, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status;
    if (session->entered || autotune__lost(&session->common)) return autotune__ask_measured(self, number, ns);
    *ns = -1;
    /* If the context is gone, the time stays unknown. */
    if (!autotune__cuda_visit(autotune__cuda_context_in(session))) return AUTOTUNE_OK;
    status = autotune__ask_measured(self, number, ns);
    autotune__cuda_leave();
    autotune__cuda_leave_call(self);
    return status;
}

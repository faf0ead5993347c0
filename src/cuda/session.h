/* A session of a context: see accelerator/session.h. This room makes the context current, and refuses a stream that is
   captured or that belongs to another context. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "../accelerator/floor.h"
#include "errors.h"
#include "driver.h"
#include "context.h"

typedef struct autotune__cuda_session {
    autotune__accelerator_session common;       /* has to come first: the floor `accelerator` allocates the struct */
    CUevent begun[AUTOTUNE_MOST_QUEUED];        /* the event before each batch; NULL: not made yet */
    CUevent ended[AUTOTUNE_MOST_QUEUED];        /* the event after each batch; NULL: not made yet */
    bool in_range;                              /* a range of NVTX is open: see ranges.h */
    bool watches_runtime;                       /* errors of the CUDA runtime count, since this thread had no error
                                                   before */
    double least_ns;                            /* the shortest time of a launch in a batch; 0: no batch was timed */
    uint32_t held_too_long;                     /* how many batches held their stream for too long; MOST_TIMED_OUT: no
                                                   batch holds it any more; see hold.h */
    bool asked_for_elements;                    /* loading `elements` was tried; if it failed, work_on is NULL */
    CUmodule elements;                          /* the module that works on outputs */
    CUfunction work_on;
    bool entered;                               /* the call is between enter() and leave() */
    bool pushed;                                /* the context was made current; leave() or the end of the session
                                                   pops the context */
    bool relaxed;                               /* the thread's capture mode was changed; leave() or the end of the
                                                   session restores it */
    CUstreamCaptureMode capture_mode;           /* the mode before that change */
} autotune__cuda_session;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_session_of, autotune__cuda_session, common.backend, autotune_backend)
static autotune__cuda_context *autotune__cuda_context_in(const autotune__cuda_session *session) {
    return autotune__cuda_context_of(session->common.accelerator);
}
static CUstream autotune__cuda_stream(const autotune__cuda_session *session) { return (CUstream)session->common.place; }
#define AUTOTUNE__CUDA_CALL(session, function, ...) \
    AUTOTUNE__DRIVER_CALL(session, #function, autotune__driver.function##_(__VA_ARGS__))

/* Returns the status for an error. If a kernel of a statement caused the error, the configuration is convicted: later
   processes do not launch it. */
static autotune_status autotune__cuda_judge(autotune__accelerator_session *session, int error,
                                             bool of_kernel AUTOTUNE__UNUSED) {
    autotune__tuning *tuning = autotune__tuning_with(&session->backend);
    if (tuning && autotune__cuda_is_of_kernel(error)) autotune__launch_broke_device(tuning);
    return autotune__cuda_status_of(error);
}
static bool autotune__cuda_has_ended(void *event, int *error) {
    *error = (int)autotune__driver.cuEventQuery_((CUevent)event);
    return *error != CUDA_ERROR_NOT_READY;
}

/* Makes the session's context current if it is not. This thread may have no context, or tune a case that another thread
   queued. */
static autotune_status autotune__cuda_enter(autotune__cuda_session *session) {
    const CUcontext own = autotune__cuda_handle(autotune__cuda_context_in(session));
    CUcontext current = NULL;
    autotune_status status;
    if (!own || session->pushed) return AUTOTUNE_OK;
    autotune__driver.cuCtxGetCurrent_(&current);
    if (current == own) return AUTOTUNE_OK;
    status = AUTOTUNE__CUDA_CALL(session, cuCtxPushCurrent, own);
    session->pushed = status == AUTOTUNE_OK;
    return status;
}
/* Returns true if the stream is captured, or if it is the legacy stream while the program captures another stream. Then
   any work but a launch would end the capture. *result: the error of the query. */
static bool autotune__cuda_is_capturing(const autotune__cuda_session *session, CUresult *result) {
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    *result = autotune__driver.cuStreamIsCapturing_(autotune__cuda_stream(session), &capture);
    return capture != CU_STREAM_CAPTURE_STATUS_NONE || *result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}
static autotune_status autotune__cuda_refuse_capture(autotune__cuda_session *session) {
    CUresult result;
    return autotune__cuda_is_capturing(session, &result)
               ? AUTOTUNE_REJECTED : autotune__driver_outcome(&session->common, "cuStreamIsCapturing: ", (int)result);
}
/* Returns true if ncu or compute-sanitizer watches the launches. A launch then takes many times as long. */
static bool autotune__cuda_is_under_tool(void) {
    return autotune__variable("NV_COMPUTE_PROFILER_PERFWORKS_DIR") ||
           autotune__variable("NV_SANITIZER_INJECTION_TRANSPORT_TYPE");
}
/* Refuses a stream that the program made in another context. */
static autotune_status autotune__cuda_refuse_foreign(const autotune__cuda_session *session) {
    const CUstream stream = autotune__cuda_stream(session);
    const bool made = stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    CUcontext of_stream = NULL, current = NULL;
    if (!made || autotune__driver.cuStreamGetCtx_(stream, &of_stream) != CUDA_SUCCESS ||
        autotune__driver.cuCtxGetCurrent_(&current) != CUDA_SUCCESS || of_stream == current)
        return AUTOTUNE_OK;
    autotune_explain("the stream is not of the current context, which may be that of another device: call "
                     "cuCtxSetCurrent() or cudaSetDevice() for the device of the stream first");
    return AUTOTUNE_ERR_ENVIRONMENT;
}

/* Lets this thread allocate memory and load modules while another thread captures a stream, until leave() or the end of
   the session. In the default mode such a call fails, and ends the other thread's capture. */
static void autotune__cuda_relax(autotune__cuda_session *session) {
    if (session->relaxed) return;
    session->capture_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    session->relaxed = autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode) == CUDA_SUCCESS;
}

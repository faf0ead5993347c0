/* A session: one statement that is no hit, and what it does with its context */
#pragma once
#include <cuda.h>
#include <stdio.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../statement/for_backends.h"
#include "../kernels/ahead.h"
#include "errors.h"
#include "driver.h"
#include "context.h"

typedef enum autotune__cuda_how {
    AUTOTUNE__CUDA_NOT_ASKED,
    AUTOTUNE__CUDA_AS_GRAPHS,
    AUTOTUNE__CUDA_ONE_BY_ONE
} autotune__cuda_how;
/* The replay of batches as graphs. */
typedef struct autotune__cuda_replay {
    autotune__cuda_how how;                     /* whether the batches of this session are replayed */
    CUstream stream;                            /* on which launches are captured; NULL before the first capture */
    bool capturing;
    uint32_t batch;                             /* the launches of the batch that is replayed; 0: none is */
    uint32_t seen;                              /* how many of them CUDA_LAUNCH was called for */
    uint32_t copies;                            /* how often each is captured */
    CUgraphExec graph;                          /* the graph that runs; NULL: none does */
    double least_ns;                            /* the shortest time of a launch in a graph; 0 before the first graph */
} autotune__cuda_replay;
typedef struct autotune__cuda_session {
    autotune_backend backend;                   /* first, so that the backend's address is the session's */
    autotune__cuda_context *context;
    CUstream stream;
    CUevent begun[AUTOTUNE_MOST_QUEUED];        /* before a launch or a batch; NULL until it is needed */
    CUevent ended[AUTOTUNE_MOST_QUEUED];        /* after it; likewise */
    uint32_t marked; /* how many of these pairs stand on the stream and were not waited for */
    bool running;                               /* the event `begun` of the next pair stands there */
    bool launched;                              /* CUDA_LAUNCH was called since it does */
    autotune__cuda_replay replay;
    double timeout_ns;                          /* a launch that takes longer counts as hung */
    bool pushed;                                /* the context was made current, and is to be popped at the end */
    bool relaxed;                               /* the thread's capture mode was changed, and is to be changed back */
    CUstreamCaptureMode capture_mode;           /* what it was before */
    autotune__kernel_session kernels;           /* what this session compiles and tries */
    struct autotune__cuda_kernel **copies;      /* kernels that it copied into the lists of its trials */
} autotune__cuda_session;
static autotune__cuda_session *autotune__cuda_session_of(autotune_backend *opened) {
    return (autotune__cuda_session *)(void *)opened;
}
static const char *autotune__cuda_lost(const autotune__cuda_session *session) {
    return __atomic_load_n(&session->context->lost, __ATOMIC_ACQUIRE);
}

/* The context is lost: nothing is done with it again. Memory there is not freed, since what runs on the device may
   still use it. */
static void autotune__cuda_lose(autotune__cuda_session *session, const char *why) {
    const autotune__tuning *tuning = autotune__tuning_with(&session->backend);
    autotune__text text = { NULL, false };
    const char *lost;
    if (autotune__cuda_lost(session)) return;
    autotune__append(&text, "the device can no longer be used in this process");
    if (autotune__is_trying(tuning)) {
        autotune__append(&text, ", since ");
        autotune__append_trial(&text, tuning);
    }
    autotune__append(&text, " (%s)", why);
    lost = autotune__copy_string(autotune__string(&text));
    __atomic_store_n(&session->context->lost, lost ? lost : "the device can no longer be used in this process",
                     __ATOMIC_RELEASE);
    autotune__free_text(&text);
}
/* The status of an answer of the driver, with its reason: what answered, NULL for a call of the user's, and the
   code. */
static autotune_status autotune__cuda_outcome(autotune__cuda_session *session, const char *function, CUresult result) {
    const autotune_status status = autotune__cuda_status_of((int)result);
    autotune__tuning *tuning = autotune__tuning_with(&session->backend);
    char why[128];
    if (AUTOTUNE__LIKELY(status == AUTOTUNE_OK)) return AUTOTUNE_OK;
    snprintf(why, sizeof why, "%s%s%s (%d)", function ? function : "", function ? ": " : "",
             autotune__cuda_error_name((int)result), (int)result);
    autotune__cuda_explain("%s", why);
    if (status == AUTOTUNE_ERR_DEVICE) autotune__cuda_lose(session, why);
    if (tuning && autotune__cuda_is_of_kernel((int)result)) autotune__convict_launch(tuning);
    return status;
}
static autotune_status autotune__cuda_still_lost(const autotune__cuda_session *session) {
    autotune__cuda_explain("%s", autotune__cuda_lost(session));
    return AUTOTUNE_ERR_DEVICE;
}
/* Calls a function of the driver, unless the context is lost. Its value is an autotune_status. */
#define AUTOTUNE__CUDA_CALL(session, function, ...) \
    (autotune__cuda_lost(session)                   \
         ? autotune__cuda_still_lost(session)       \
         : autotune__cuda_outcome(session, #function, autotune__driver.function##_(__VA_ARGS__)))

static autotune_error_class autotune__cuda_classify(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE
         : status == AUTOTUNE_ERR_ENVIRONMENT ? AUTOTUNE_ERROR_ENVIRONMENT
         : AUTOTUNE_ERROR_CONFIGURATION;
}

/* Makes the session's context current if it is not: where no context is current, or in a thread that tunes what another
   one queued. */
static autotune_status autotune__cuda_enter(autotune__cuda_session *session) {
    CUcontext current = NULL;
    autotune_status status;
    if (!session->context->handle || session->pushed) return AUTOTUNE_OK;
    autotune__driver.cuCtxGetCurrent_(&current);
    if (current == session->context->handle) return AUTOTUNE_OK;
    status = AUTOTUNE__CUDA_CALL(session, cuCtxPushCurrent, session->context->handle);
    session->pushed = status == AUTOTUNE_OK;
    return status;
}
static CUresult autotune__cuda_ask_capture(const autotune__cuda_session *session, bool *capturing) {
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    const CUresult result = autotune__driver.cuStreamIsCapturing_(session->stream, &capture);
    *capturing = capture != CU_STREAM_CAPTURE_STATUS_NONE || result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    return *capturing ? CUDA_SUCCESS : result;
}
static bool autotune__cuda_is_capturing(const autotune__cuda_session *session) {
    bool capturing;
    autotune__cuda_ask_capture(session, &capturing);
    return capturing;
}

/* Until the session ends, this thread may allocate memory and load modules while another thread captures a stream. In
   the usual mode such a call would fail, and would end the other thread's capture. */
static void autotune__cuda_relax(autotune__cuda_session *session) {
    if (session->relaxed) return;
    session->capture_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    session->relaxed = autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode) == CUDA_SUCCESS;
}

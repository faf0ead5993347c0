/* CUDA_LAUNCH where it is no hit: the kernel is found or made here, checked (arguments.h), put where a hit finds it
   (hit.h), and started. Also: what a call means that returned a CUresult. */
#pragma once
#include <cuda.h>
#include <stdio.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "session.h"
#include "graphs.h"
#include "nvrtc.h"
#include "load.h"
#include "backend.h"
#include "start.h"
#include "arguments.h"

/* The kernel of a launch, which is compiled and loaded if it was not. tuning: NULL on a hit. */
static autotune__cuda_kernel *autotune__cuda_find_kernel(autotune__cuda_session *session, autotune__tuning *tuning,
                                                         const uint64_t *values, const autotune__cuda_call *call,
                                                         CUresult *error) {
    const autotune__kernel_call named = { &call->program->source, call->name,
                                          autotune__cuda_volume(call->shape.threads), NULL, NULL };
    autotune_status status;
    autotune__kernel *kernel;
    int code = CUDA_SUCCESS;
    if (!autotune__nvrtc_works()) {
        autotune_explain("%s", autotune__nvrtc.problem);
        *error = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
        return NULL;
    }
    kernel = autotune__find_kernel(&session->common.kernels, tuning, values, &named, &status, &code);
    if (!kernel)
        *error = status == AUTOTUNE_ERR_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY
                 : code == CUDA_SUCCESS        ? CUDA_ERROR_INVALID_SOURCE
                                               : (CUresult)code;
    return autotune__cuda_kernel_of(kernel);
}
static CUresult autotune__cuda_start_or_capture(autotune__cuda_session *session, const autotune__cuda_kernel *kernel,
                                                const autotune__cuda_call *call) {
    autotune__cuda_replay *replay = &session->replay;
    CUresult result = CUDA_SUCCESS;
    uint32_t i;
    if (!replay->batch || replay->seen++ == 0) return autotune__cuda_start_kernel(kernel, call, session->stream);
    if (replay->capturing || autotune__cuda_begin_capture(replay)) {
        for (i = 0; i < replay->copies && result == CUDA_SUCCESS; i++)
            result = autotune__cuda_start_kernel(kernel, call, replay->stream);
        if (result == CUDA_SUCCESS) return CUDA_SUCCESS;
    }
    autotune__cuda_give_up_replays(session);
    return autotune__cuda_start_kernel(kernel, call, session->stream);
}
static CUresult autotune__cuda_launch_in(autotune__cuda_session *session, autotune__tuning *tuning,
                                         const uint64_t *values, const autotune__cuda_call *call) {
    autotune__cuda_kernel *kernel = autotune__cuda_listed(values, call);
    const bool listed = kernel != NULL;
    const autotune_status status = autotune__check_accelerator(&session->common);
    CUresult result = CUDA_SUCCESS;
    if (status != AUTOTUNE_OK)
        return status == AUTOTUNE_ERR_DEVICE ? CUDA_ERROR_LAUNCH_FAILED : CUDA_ERROR_NOT_INITIALIZED;
    if (!listed) {
        if (autotune__cuda_is_capturing(session, &result)) {
            autotune_explain("the stream is captured, and %s is not loaded yet: make this call once before the capture",
                             call->name);
            return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
        autotune__cuda_relax(session);
        kernel = autotune__cuda_find_kernel(session, tuning, values, call, &result);
        if (!kernel) return result;
    }
    if (!listed || call->shared > kernel->most_shared) result = autotune__cuda_check(kernel, call);
    if (result == CUDA_SUCCESS && !listed && session->common.running &&
        (autotune__is_trying(tuning) || autotune__is_measuring(tuning))) {
        /* finding the kernel took time, which must not count: other kernels of this trial ran before that time */
        if (session->launched && autotune__is_trying(tuning)) autotune__disturb_trial(tuning);
        /* or none did, and the clock starts again */
        else if (!session->launched)
            result = autotune__driver.cuEventRecord_(session->begun[session->common.number], session->stream);
    }
    if (result == CUDA_SUCCESS) result = autotune__cuda_start_or_capture(session, kernel, call);
    session->launched = session->launched || result == CUDA_SUCCESS || autotune__is_trying(tuning);
    return result;
}
/* A call of an online race that launched nothing is made with another configuration. */
static unsigned autotune__cuda_launch_or_refuse(autotune__accelerator_session *common, autotune_status status,
                                                autotune__tuning *tuning, const uint64_t *values, const void *call) {
    autotune__cuda_session *session = common ? autotune__cuda_session_of(&common->backend) : NULL;
    CUresult result;
    if (!session) return status == AUTOTUNE_ERR_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_CONTEXT;
    autotune__cuda_enter(session);
    result = autotune__cuda_launch_in(session, tuning, values, (const autotune__cuda_call *)call);
    if (result != CUDA_SUCCESS && !session->launched && !autotune__lost(common)) autotune__refuse_call(tuning);
    return result;
}
/* What the hit returned that this thread launched last, whose reason is kept until the verdict of the call is taken. */
static __thread CUresult autotune__cuda_failed_hit;

static __attribute__((__cold__, __noinline__)) CUresult autotune__cuda_launch_cold(autotune__tuning *tuning,
                                                                                   const uint64_t *values,
                                                                                   const autotune__cuda_call *call) {
    autotune_backend *of_hit = tuning ? NULL : autotune__entry_of(values)->backend;
    const CUresult result = (CUresult)autotune__launch_cold(&autotune__cuda_interface, "CUDA_LAUNCH",
                                                            autotune__cuda_launch_or_refuse, tuning, of_hit, values,
                                                            call);
    if (!tuning) autotune__cuda_failed_hit = result;
    return result;
}

AUTOTUNE__API autotune_status autotune_cuda_status(CUresult result) {
    return autotune__status_of_call(&autotune__cuda_interface, (int)result);
}
AUTOTUNE__COLD void AUTOTUNE__CUDA_FAILED(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code) {
    const char *reason = (int)autotune__cuda_failed_hit == code ? autotune__hit_call.why : "";
    char why[384];
    if (tuning) { autotune__trial_failed(tuning, (int)autotune_cuda_status((CUresult)code)); return; }
    snprintf(why, sizeof why, "%s (%d)%s%s", AUTOTUNE__CUDA_WORDS(code), *reason ? ": " : "", reason);
    autotune__hit_failed(site, slot, result, (int)autotune__cuda_status_of(code), why);
}

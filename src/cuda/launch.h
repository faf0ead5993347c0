/* CUDA_LAUNCH: on a hit the kernel stands behind the entry's values; else it is found, checked and put there

   This file: finding, making and starting kernels, and the verdict of a call that returned a CUresult. */
#pragma once
#include <cuda.h>
#include <stdio.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../registry/entries.h"
#include "../registry/thread_turns.h"
#include "../statement/failures.h"
#include "../statement/for_backends.h"
#include "../kernels/definitions.h"
#include "../kernels/compilation.h"
#include "../kernels/compile.h"
#include "../kernels/kernels.h"
#include "../kernels/workers.h"
#include "../kernels/ahead.h"
#include "site.h"
#include "errors.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "graphs.h"
#include "nvrtc.h"
#include "load.h"
#include "compile.h"
#include "backend.h"
#include "launch_checks.h"

/* With the lock. False: the winner that the cache names was found with another source or compiler, and is not
   launched. */
static bool autotune__cuda_is_known_source(autotune__tuning *tuning, const autotune__compilation *compilation) {
#ifndef AUTOTUNE_NO_CACHE
    static char nvrtc[24];
    const uint64_t source = compilation->program->reading.source;
    const bool compiled = !compilation->program->image;
    if (!*nvrtc && compiled)
        snprintf(nvrtc, sizeof nvrtc, "NVRTC %d.%d", autotune__nvrtc.version / 1000,
                 autotune__nvrtc.version % 1000 / 10);
    return !source || autotune__is_known_kernel(tuning, compilation->name, source, compiled ? nvrtc : NULL);
#else
    return (void)tuning, (void)compilation, true;
#endif
}
/* With the lock: the kernel of a compilation, which is compiled and loaded here if nobody has done so. NULL: there is
   none, and error says why. */
static autotune__cuda_kernel *autotune__cuda_make_kernel(autotune__cuda_session *session, autotune__tuning *tuning,
                                                         autotune__compilation *compilation, CUresult *error) {
    autotune__kernel_session *kernels = &session->kernels;
    autotune__kernel *kernel = autotune__loaded_kernel(kernels->target, compilation);
    const uint64_t began = autotune__wait_clock();
    int code = CUDA_ERROR_INVALID_SOURCE;
    *error = CUDA_SUCCESS;
    if (kernel) return autotune__cuda_kernel_of(kernel);
    autotune__compile_at_pace(kernels->workers, compilation, kernels->target, kernels->policy, NULL);
    if (autotune__is_trying(tuning)) autotune__be_patient(tuning, autotune__wait_clock() - began);
    if (compilation->progress == AUTOTUNE__CODE_MADE)
        kernel = autotune__load_kernel(kernels->target, compilation, &code);
    else if (compilation->reason) autotune__cuda_explain("%s", compilation->reason);
    *error = kernel ? CUDA_SUCCESS : (CUresult)code;
    return autotune__cuda_kernel_of(kernel);
}
/* With the lock: puts the kernel where the next launch of the configuration finds it. */
static void autotune__cuda_file_kernel(autotune__cuda_session *session, autotune__tuning *tuning,
                                       const uint64_t *values, const autotune__cuda_call *call,
                                       autotune__cuda_kernel *kernel) {
    uint64_t *list = tuning ? autotune__lasting_values(tuning) : autotune__entry_of(values)->value;
    const bool trying = autotune__is_trying(tuning);
    autotune__cuda_kernel *copy;
    if (trying) autotune__use_kernel(&session->kernels.used, &kernel->loaded);
    else kernel->loaded.kept = true;
    if (!list || autotune__cuda_listed(list, call->program, call->name)) return;
    if (trying) autotune__cuda_list_for_trial(session, list, kernel);
    else if ((copy = autotune__cuda_list(list, kernel)) != NULL) kernel->copies = copy;
}
/* The definitions of the configuration that is launched. False: they contradict the program's options, or each
   other. */
static bool autotune__cuda_define_launch(autotune__text *definitions, const autotune__program *program,
                                         const autotune__cuda_session *session, autotune__tuning *tuning,
                                         const uint64_t *values, const autotune__cuda_call *call) {
    char why[256];
    if (tuning) autotune__define_point(definitions, autotune__space_of(tuning));
    else autotune__define_config(definitions, &autotune__entry_of(values)->result.config);
    if (autotune__complete(definitions, program, session->kernels.target, autotune__cuda_volume(call->shape.threads),
                           why, sizeof why))
        return true;
    autotune__cuda_explain("%s", why);
    return false;
}
/* What is compiled for the program. NULL: it cannot be, and error says why. */
static autotune__program *autotune__cuda_program_to_compile(autotune_cuda_program *program, CUresult *error) {
    autotune__program *source;
    if (!program->image && !autotune__nvrtc_works()) {
        autotune__cuda_explain("%s", autotune__nvrtc.problem);
        *error = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
        return NULL;
    }
    autotune__lock_mutex(&autotune__kernels_lock);
    source = autotune__cuda_program_of(program);
    autotune__unlock_mutex(&autotune__kernels_lock);
    if (!source) *error = CUDA_ERROR_OUT_OF_MEMORY;
    return source;
}
/* The kernel of a launch, which is compiled and loaded if it was not. tuning: NULL on a hit. */
static autotune__cuda_kernel *autotune__cuda_find_kernel(autotune__cuda_session *session, autotune__tuning *tuning,
                                                         const uint64_t *values, const autotune__cuda_call *call,
                                                         CUresult *error) {
    const uint64_t threads = autotune__cuda_volume(call->shape.threads);
    autotune__program *program = autotune__cuda_program_to_compile(call->program, error);
    autotune__text definitions = { NULL, false };
    autotune__compilation *compilation;
    autotune__cuda_kernel *kernel = NULL;
    if (!program) return NULL;
    if (!autotune__cuda_define_launch(&definitions, program, session, tuning, values, call)) {
        autotune__free_text(&definitions);
        *error = CUDA_ERROR_INVALID_VALUE;
        return NULL;
    }
    if (autotune__is_trying(tuning)) {
        autotune__be_patient(tuning, 2000000000u);          /* NVRTC takes 0.2 to 3 s for a matrix product */
        autotune__compile_ahead(&session->kernels, tuning, program, call->name, threads);
    }
    autotune__lock_mutex(&autotune__kernels_lock);
    compilation = autotune__compilation_of(session->kernels.target, program, call->name, &definitions);
    *error = compilation ? CUDA_ERROR_INVALID_SOURCE : CUDA_ERROR_OUT_OF_MEMORY;
    if (compilation && (!tuning || autotune__cuda_is_known_source(tuning, compilation)))
        kernel = autotune__cuda_make_kernel(session, tuning, compilation, error);
    if (kernel) autotune__cuda_file_kernel(session, tuning, values, call, kernel);
    autotune__unlock_mutex(&autotune__kernels_lock);
    autotune__free_text(&definitions);
    return kernel;
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
    autotune__cuda_kernel *kernel = autotune__cuda_listed(values, call->program, call->name);
    const bool listed = kernel != NULL;
    CUresult result = CUDA_SUCCESS;
    if (!session->context->handle) {
        autotune__cuda_explain("%s", autotune__driver.problem);
        return CUDA_ERROR_NOT_INITIALIZED;
    }
    if (autotune__cuda_lost(session)) {
        autotune__cuda_explain("%s", autotune__cuda_lost(session));
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    if (!listed) {
        if (autotune__cuda_is_capturing(session)) {
            autotune__cuda_explain(
                "the stream is captured, and %s is not loaded yet: make this call once before the capture", call->name);
            return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
        autotune__cuda_relax(session);
        if ((result = autotune__cuda_check_shape(session->context, call)) != CUDA_SUCCESS) return result;
        kernel = autotune__cuda_find_kernel(session, tuning, values, call, &result);
        if (!kernel) return result;
    }
    if (!listed || !autotune__cuda_is_allowed(kernel, call->shared))
        result = autotune__cuda_check(session->context, kernel, call);
    if (result == CUDA_SUCCESS && !listed && session->running && autotune__is_trying(tuning)) {
        /* finding the kernel took time, which must not count: other kernels of this trial ran before that time */
        if (session->launched) autotune__spoil_trial(tuning);
        /* or none did, and the clock starts again */
        else result = autotune__driver.cuEventRecord_(session->begun[session->marked], session->stream);
    }
    session->launched = true;
    return result == CUDA_SUCCESS ? autotune__cuda_start_or_capture(session, kernel, call) : result;
}
/* In the session of the statement. A hit has none, and gets one for this launch. */
static __attribute__((__cold__, __noinline__)) CUresult autotune__cuda_launch_cold(autotune__tuning *tuning,
                                                                                   const uint64_t *values,
                                                                                   const autotune__cuda_call *call) {
    static const autotune_options usual;        /* an entry does not know those of its call site */
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : autotune__entry_of(values)->backend;
    autotune__cuda_session *session = NULL;
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;
    autotune__cuda_hit.launching = !tuning;
    *autotune__cuda_hit.why = 0;
    if (!backend || backend->family != &autotune__driver)
        autotune__cuda_explain("CUDA_LAUNCH needs .backend = CUDA(stream)");
    else if (tuning) session = autotune__cuda_session_of(backend);
    else if (!(session = autotune__cuda_new_session((autotune__cuda_context *)(void *)backend,
                                                    autotune__cuda_here.stream, &usual)))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (session) {
        autotune__cuda_enter(session);
        result = autotune__cuda_launch_in(session, tuning, values, call);
        if (!tuning) autotune__cuda_close(&session->backend);
    }
    autotune__cuda_hit.launching = false;
    autotune__cuda_hit.result = result;
    return result;
}
AUTOTUNE__API CUresult autotune__cuda_launch(autotune__tuning *tuning, const uint64_t *values,
                                             const autotune__cuda_call *call) {
    autotune__cuda_kernel *kernel = tuning ? NULL : autotune__cuda_listed(values, call->program, call->name);
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;           /* which it is too if the thread has none: then one is made
                                                               current */
    if (AUTOTUNE__LIKELY(kernel && autotune__cuda_is_allowed(kernel, call->shared)))
        result = autotune__cuda_start_kernel(kernel, call, autotune__cuda_here.stream);
    return AUTOTUNE__LIKELY(result != CUDA_ERROR_INVALID_CONTEXT) ? result
                                                                  : autotune__cuda_launch_cold(tuning, values, call);
}

AUTOTUNE__API autotune_status autotune_cuda_status(CUresult result) {
    const int code = (int)result;
    autotune__tuning *tuning = autotune__innermost();
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : NULL;
    if (AUTOTUNE__LIKELY(code == CUDA_SUCCESS)) return AUTOTUNE_OK;
    if (backend && backend->family == &autotune__driver)
        return autotune__cuda_outcome(autotune__cuda_session_of(backend), NULL, result);
    autotune_explain("%s (%d)", autotune__cuda_error_name(code), code);
    return autotune__cuda_status_of(code);
}
AUTOTUNE__COLD void AUTOTUNE__CUDA_FAILED(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code) {
    const char *reason = (int)autotune__cuda_hit.result == code ? autotune__cuda_hit.why : "";
    char why[384];
    if (tuning) { autotune__trial_failed(tuning, (int)autotune_cuda_status((CUresult)code)); return; }
    snprintf(why, sizeof why, "%s (%d)%s%s", autotune__cuda_error_name(code), code, *reason ? ": " : "", reason);
    *autotune__cuda_hit.why = 0;
    if (autotune__cuda_status_of(code) == AUTOTUNE_FAILED)
        autotune__hit_failed(site, slot, result, AUTOTUNE_FAILED, why);
    else {                                      /* the winner is not to blame */
        if (result) result->status = autotune__cuda_status_of(code);
        autotune__complain("%s: the call failed: %s", site->function, why);
    }
}

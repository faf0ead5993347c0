/* CUDA_LAUNCH and CUDA_FUNCTION in a statement that is no hit, and on a hit that does not find the kernel (hit.h).
   This room finds or makes the kernel, lists it for later launches, checks the launch (arguments.h), and starts the
   kernel. It also has the status of a call that returned a CUresult. */
#pragma once
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
#include "nvrtc.h"
#include "load.h"
#include "backend.h"
#include "start.h"
#include "arguments.h"

/* Finds the kernel of a launch; if needed compiles and loads it. tuning: NULL on a hit. */
static autotune_status autotune__cuda_find_kernel(autotune__cuda_session *session, autotune__tuning *tuning,
                                                  const uint64_t *values, const autotune__cuda_call *call,
                                                  autotune__cuda_kernel **kernel) {
    const autotune__kernel_call named = { &call->program->source, call->name, NULL, NULL };
    autotune__kernel_session *const kernels = &session->common.kernels;
    CUresult result;
    if (!autotune__nvrtc_works()) {
        autotune_explain("%s", autotune__nvrtc.problem);
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    kernels->loads_nothing = autotune__cuda_is_capturing(session, &result);
    if (!kernels->loads_nothing) autotune__cuda_relax(session);
    *kernel = autotune__cuda_kernel_of(autotune__find_kernel(kernels, tuning, values, &named));
    if (*kernel) return AUTOTUNE_OK;
    if (kernels->loads_nothing)
        autotune_explain("the stream is captured, and %s is not loaded yet: make this call once before the capture",
                         call->name);
    return kernels->error ? autotune__driver_outcome(&session->common, "", kernels->error) : kernels->status;
}
/* Notes the registers and memory that the kernel needs. At level `full` the log shows these needs once for each
   kernel. */
static void autotune__cuda_tell_resources(const autotune__tuning *tuning, autotune__cuda_kernel *kernel,
                                          const autotune__cuda_call *call) {
    const int *const own = kernel->resources, needs[] = { own[0], own[1], own[2] + (int)call->shared };
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    const autotune__race *race = autotune__statement_of(tuning)->turn.race;
    int *const most = race->rows[autotune__find_row(race, autotune__point_of(tuning))].resources, i;
    for (i = 0; i < 3; i++) if (needs[i] > most[i]) most[i] = needs[i];
    if (autotune__environment.log < AUTOTUNE_LOG_FULL || __atomic_exchange_n(&kernel->told, true, __ATOMIC_RELAXED))
        return;
    autotune__append_trial(&line, tuning);
    autotune__append(&line, ": %s has %d registers, %d bytes of local memory, %d bytes of shared memory", call->name,
                     needs[0], needs[1], needs[2]);
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
}
static autotune_status autotune__cuda_launch_in(autotune__accelerator_session *common, autotune__tuning *tuning,
                                                const uint64_t *values, const void *given) {
    const autotune__cuda_call *call = (const autotune__cuda_call *)given;
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune__cuda_kernel *kernel = autotune__cuda_listed(values, call);
    const bool listed = kernel != NULL, find_only = call->shape.attributes & AUTOTUNE__CUDA_FIND_ONLY,
               trying = autotune__is_trying(tuning), timed = trying || autotune__is_measuring(tuning);
    autotune_status status = AUTOTUNE_OK;
    CUresult result = CUDA_SUCCESS;
    autotune__cuda_enter(session);
    if (!listed) status = autotune__cuda_find_kernel(session, tuning, values, call, &kernel);
    if (status == AUTOTUNE_OK && !find_only && (!listed || call->shared > kernel->most_shared))
        status = autotune__cuda_check(common, kernel, call);
    if (status != AUTOTUNE_OK) return status;
    if (!listed && timed) autotune__cuda_tell_resources(tuning, kernel, call);
    if (!listed && common->running && timed) {
        /* The time for finding the kernel must not count. If kernels of the trial ran before, or the program starts the
           kernel itself, the trial is repeated. */
        if (trying && (find_only || common->launched)) autotune__disturb_trial(tuning);
        /* If no kernel ran before, and this launch starts the kernel, the clock starts again. */
        else if (!find_only && !common->launched)
            result = autotune__driver.cuEventRecord_(session->begun[common->number], autotune__cuda_stream(session));
    }
    if (result == CUDA_SUCCESS) result = autotune__cuda_start_kernel(kernel, call, autotune__cuda_stream(session));
    common->launched = common->launched || (!find_only && (result == CUDA_SUCCESS || trying));
    return autotune__driver_outcome(common, "", (int)result);
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__cuda_launch_cold(
    autotune__tuning *tuning, const uint64_t *values, const autotune__cuda_call *call) {
    if (tuning && autotune__acts_as_hit(tuning)) return autotune__cuda_launch(NULL, values, call);
    return autotune__launch_cold(&autotune__cuda_interface, call->shape.attributes & AUTOTUNE__CUDA_FIND_ONLY
                                     ? "CUDA_FUNCTION" : "CUDA_LAUNCH", autotune__cuda_launch_in, tuning,
                                 tuning ? NULL : autotune__entry_of(values)->scope.backend, values, call);
}

AUTOTUNE__API autotune_status autotune_cuda_status(CUresult result) {
    return autotune__status_of_call(&autotune__cuda_interface, (int)result);
}
/* Called if a call returned the error of a launch. If the text of the call has at most one launch, the call launched
   nothing. Then this function tells the statement that the call may be made again with another configuration. */
static void autotune__cuda_refuse_call(autotune__tuning *tuning) {
    static const char *const words[] = { "<<<", "Launch", "LAUNCH" };
    const autotune__accelerator_session *session = autotune__session_in(tuning, &autotune__cuda_interface);
    size_t length = 0, launches = 0, i;
    const char *const call = autotune__call_of(tuning, &length), *at;
    for (i = 0; call && i < sizeof words / sizeof *words; i++)
        for (at = strstr(call, words[i]); at && at < call + length; at = strstr(at + 1, words[i])) launches++;
    if (session && launches <= 1 && call) autotune__refuse_call(tuning);
}
AUTOTUNE__COLD void AUTOTUNE__CUDA_FAILED(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code) {
    char why[96];
    if (tuning) {
        const autotune_status status = autotune_cuda_status((CUresult)code);
        if (status == AUTOTUNE_FAILED) autotune__cuda_refuse_call(tuning);
        autotune__trial_failed(tuning, (int)status);
        return;
    }
    autotune__put_text(why, sizeof why, "%s (%d)", AUTOTUNE__CUDA_WORDS(code));
    autotune__hit_failed(site, slot, result, (int)autotune__cuda_status_of(code), why);
}

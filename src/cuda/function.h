/* CUDA_FUNCTION: the kernel of a configuration for launches and graph nodes of the program's own. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../statement/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "load.h"
#include "backend.h"
#include "start.h"
#include "launch.h"

typedef struct autotune__cuda_function_call {
    const autotune__cuda_call *call;            /* its program and name alone */
    CUfunction *function;
} autotune__cuda_function_call;

/* The launches of this trial may have begun before: if the kernel had to be made, the trial is repeated. */
static autotune_status autotune__cuda_find_function_in(autotune__accelerator_session *common,
                                                       autotune__tuning *tuning, const uint64_t *values,
                                                       const void *asked) {
    const autotune__cuda_function_call *of = (const autotune__cuda_function_call *)asked;
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune__cuda_kernel *kernel = autotune__cuda_listed(values, of->call);
    autotune_status status = AUTOTUNE_OK;
    autotune__cuda_enter(session);
    if (!kernel) {
        status = autotune__cuda_find_kernel(session, tuning, values, of->call, &kernel);
        if (status == AUTOTUNE_OK && autotune__is_trying(tuning)) autotune__disturb_trial(tuning);
        if (status != AUTOTUNE_OK && !session->launched && !autotune__lost(common)) autotune__refuse_call(tuning);
    }
    if (status == AUTOTUNE_OK) *of->function = kernel->function;
    return status;
}
AUTOTUNE__API autotune_status autotune__cuda_function(autotune__tuning *tuning, const uint64_t *values,
                                                      const autotune__cuda_call *call, CUfunction *function) {
    const autotune__cuda_function_call of = { call, function };
    const bool hit = !tuning || autotune__acts_as_hit(tuning);
    const autotune__cuda_kernel *kernel = hit ? autotune__cuda_listed(values, call) : NULL;
    if (kernel) return *function = kernel->function, AUTOTUNE_OK;
    return autotune__launch_cold(&autotune__cuda_interface, "CUDA_FUNCTION", autotune__cuda_find_function_in,
                                 hit ? NULL : tuning, hit ? autotune__entry_of(values)->scope.backend : NULL, values,
                                 &of);
}

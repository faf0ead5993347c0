/* Ranges around trials: tools such as Nsight Systems show the name of each trial on their time line. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "session.h"

/* NVTX consists of headers in the toolkit. They load a library only if a tool names it in the environment. */
#if defined __unix__ && __has_include(<nvtx3/nvToolsExt.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nvtx3/nvToolsExt.h>
#pragma GCC diagnostic pop
#define AUTOTUNE__RANGES(call) (call)
#else
#define AUTOTUNE__RANGES(call) (-1)
#endif
/* Begins the range of a trial. If no tool takes the first range of the process, no further range is begun. */
static void autotune__cuda_begin_range(autotune__cuda_session *session) {
    static bool unwatched;
    const autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    autotune__text name AUTOTUNE__FREED = { NULL, false };
    if (session->in_range || __atomic_load_n(&unwatched, __ATOMIC_RELAXED) || !autotune__is_trying(tuning)) return;
    autotune__append(&name, "autotune: ");
    autotune__append_trial(&name, tuning);
    session->in_range = AUTOTUNE__RANGES(nvtxRangePushA(autotune__string(&name))) >= 0;
    if (!session->in_range) __atomic_store_n(&unwatched, true, __ATOMIC_RELAXED);
}
static void autotune__cuda_end_range(autotune__cuda_session *session) {
    if (session->in_range) (void)AUTOTUNE__RANGES(nvtxRangePop());
    session->in_range = false;
}

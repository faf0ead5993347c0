/* autotune_call(): it makes hits, and call.h makes all other calls. */
#pragma once
#include "../api/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "description.h"
#include "call.h"

/* Called if .watch is set, if .mode is OFF or FORCE, or if the number in .mode is not a mode. Returns the slot of a
   hit. NULL: the call is no hit, or is watched. */
static __attribute__((__noinline__)) const uint64_t *autotune__find_unless_watched(const autotune_tuner *tuner,
                                                                              const autotune_options *options) {
    const uint64_t *slot;
    slot = (unsigned)options->mode > AUTOTUNE_ONLINE ? NULL : autotune__find_by_options(&tuner->site, options);
    return slot && autotune__is_watched(options->watch) ? NULL : slot;
}
static const uint64_t *autotune__find_created(const autotune_tuner *tuner, const autotune_options *options) {
    const uint64_t modes = AUTOTUNE_ONLINE + 1; /* one comparison checks .watch and .mode */
    return AUTOTUNE__LIKELY(modes * options->watch + (unsigned)options->mode < modes)
               ? autotune__find_by_options(&tuner->site, options) : autotune__find_unless_watched(tuner, options);
}
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options) {
    const uint64_t *slot;
    void *user;
    autotune_status status;
    if (!AUTOTUNE__LIKELY(autotune__is_tuner(tuner, "autotune_call"))) return AUTOTUNE_ERR_ARGUMENT;
    if (!options) options = &autotune__no_options;
    slot = autotune__find_created(tuner, options);
    if (!slot) return autotune__run_statement(tuner, options, AUTOTUNE__TASK_CALL, false);
    user = options->user ? options->user : tuner->desc.user;
    if (options->result) autotune__answer_hit(slot, options->result);
    status = tuner->desc.launch(user, &autotune__entry_of(slot)->result.config);
    if (!AUTOTUNE__LIKELY(status == AUTOTUNE_OK) &&
        autotune__hit_failed(&tuner->site, slot, options->result, (int)status, NULL))
        return autotune__run_statement(tuner, options, AUTOTUNE__TASK_CALL, true);
    return status;
}

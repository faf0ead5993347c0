/* autotune_call(), which makes a hit here, and leaves all else to call.h. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/options.h"
#include "../api/created.h"
#include "../site/hit.h"
#include "../registry/hit.h"
#include "../statement/failures.h"
#include "description.h"
#include "call.h"

/* Looks for the winner as autotune__hit() does: in the entry that was published last, then in the table. */
static const uint64_t *autotune__find_created(const autotune_tuner *tuner, const autotune_options *options) {
    const autotune__entry *last = __atomic_load_n(&tuner->site.last, __ATOMIC_ACQUIRE);
    const autotune_key *key = &options->key;
    if ((unsigned)options->mode > AUTOTUNE_ONLINE) return NULL;
    if (!options->ranks && autotune__is_of(last, key, options->backend, options->name, options->version))
        return last->value;
    return autotune__find_for(&tuner->site, options);
}
AUTOTUNE__API autotune_status autotune_call(autotune_tuner *tuner, const autotune_options *options) {
    const uint64_t *slot;
    void *user;
    autotune_status status;
    if (!AUTOTUNE__LIKELY(autotune__is_tuner(tuner, "autotune_call"))) return AUTOTUNE_ERR_ARGUMENT;
    if (!options) options = &autotune__no_options;
    if (!(slot = autotune__find_created(tuner, options))) return autotune__drive(tuner, options, false);
    user = options->user ? options->user : tuner->desc.user;
    if (!autotune__still_admits(tuner, user, &autotune__entry_of(slot)->result.config))
        return autotune__drive(tuner, options, false);
    if (options->result) autotune__answer_hit(slot, options->result);
    status = tuner->desc.launch(user, &autotune__entry_of(slot)->result.config);
    if (!AUTOTUNE__LIKELY(status == AUTOTUNE_OK))
        autotune__hit_failed(&tuner->site, slot, options->result, (int)status, NULL);
    return status;
}

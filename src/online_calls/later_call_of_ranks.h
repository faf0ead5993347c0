/* The functions through which rooms of other floors start a later call, with ranks or without ranks. If ranks measure
   the calls of a key together, each call is measured. Then no two threads of a rank may make calls of the key at
   once. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "later_call.h"

/* Reports that two threads call a key at once although ranks measure its calls together. */
static void autotune__complain_of_crowd(autotune__site *site, const autotune__entry *in_use,
                                        const autotune_options *options) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__append_case(&text, in_use->name, &options->key);
    autotune__append(&text, ": two calls of this key at once: with .ranks calls that are no hits come one at a "
                            "time, in the same order on all ranks; this one was not measured");
    autotune__complain_at(site, AUTOTUNE_ERR_ARGUMENT, &text);
    if (options->result) options->result->status = AUTOTUNE_ERR_ARGUMENT;
}
/* Starts a call of the race. If one rank makes a trial alone, a call inside of this trial is not measured, since the
   other ranks do not make this call. Returns false if the key is invalid, or if the call site has no entry of a row in
   use. With ranks also returns false if the race is over. */
static bool autotune__continue_online(autotune__site *site, const autotune_options *options, autotune__start *start) {
    autotune__entry *in_use = autotune__key_problem(&options->key) ? NULL : autotune__find_entry_in_use(site, options);
    const bool ranks = autotune__ranks_of(options) != NULL;
    if (!in_use) return false;
    if (ranks && autotune__collective.is_in_trial_of_rank()) {
        *start = autotune__use_known(in_use, options);
        return true;
    }
    if (ranks && !autotune__has_in_use(in_use->known_key)) return false;
    if (!autotune__continue_call(in_use, options, start) && ranks) autotune__complain_of_crowd(site, in_use, options);
    return true;
}
/* Starts a watched call of a known winner. If no race watches the winner yet, a statement begins a race that watches
   the winner. A stand-in, which has no key, is not watched. */
static autotune__start autotune__begin_watched(autotune__site *site, const autotune_options *options,
                                               autotune__start known) {
    autotune__entry *entry = autotune__entry_of(known.slot);
    if (!entry->known_key) return known;
    if (!autotune__has_in_use(entry->known_key)) return autotune__begin_statement(site, options, AUTOTUNE_ONLINE);
    (void)autotune__continue_call(entry, options, &known);
    return known;
}

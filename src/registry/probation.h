/* The probation of a winner: its first calls for real in this process are timed, and compared with the race. Until the
   probation ends, a mark hides the winner from hits. So a hit needs no check for a probation. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "hit.h"
#include "entries.h"
#include "tuners.h"
#include "subject.h"

/* With the lock, before a winner is published: opens its probation, or ends the probation of the winner before. A
   winner that no race measured has no probation. in_process: false after trials in a child, whose times are not
   compared with calls. Mode ONLINE has no probation, since it measures calls anyway. A device that cannot tell a time
   later has no probation, since each call would wait for the device. With ask() the backend must be a result of open(),
   and not the backend of .backend: only such a result lives until the time is known. */
static void autotune__open_probation(const autotune__subject *subject, const autotune_result *result,
                                     bool in_process) {
    autotune__probation *probation = &subject->known_key->probation;
    const autotune_backend *backend = subject->backend;
    memset(probation, 0, sizeof *probation);
    probation->open = in_process && subject->mode != AUTOTUNE_ONLINE && result->config.count &&
                      autotune__is_definite(result->median_ns) && result->median_ns > 0 &&
                      result->verdict != AUTOTUNE_PINNED &&
                      (backend->ask ? backend->clock_call && backend != subject->options.backend : !backend->stop);
}
/* With the lock: closes the probation, so that hits find the winner. Its result gets the time of calls in use. */
static void autotune__close_probation(autotune__known_key *known_key, double in_use_ns) {
    autotune__entry *entry;
    known_key->probation.open = 0;
    for (entry = known_key->entries; entry; entry = entry->next_of_key)
        if (entry->shape & autotune__on_probation) {
            autotune_result result = entry->result;
            result.in_use_ns = in_use_ns;
            autotune__renew_result(entry, &result);
            __atomic_store_n(&entry->shape, entry->shape & ~autotune__on_probation, __ATOMIC_RELEASE);
        }
}
/* Returns true if this call is timed. If a timed call does not count, another call is timed. After `most_timed` calls
   no further call is timed. Then the probation ends with the next call that finds no timed call running. A timed call
   may never end, as after longjmp(). So the probation ends after `most` calls in any case. */
static bool autotune__begin_probation_call(autotune__known_key *known_key, bool may_be_timed) {
    const unsigned most_timed = 3 * AUTOTUNE__PROBATION_CALLS, most = 1000;
    autotune__probation *probation = &known_key->probation;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (++probation->passed > most || (probation->passed > most_timed && !probation->running))
        autotune__close_probation(known_key, autotune__nan());
    if (!probation->open || !may_be_timed || probation->passed > most_timed ||
        probation->count + probation->running == AUTOTUNE__PROBATION_CALLS)
        return false;
    probation->running++;
    return true;
}
/* Ends a timed call. ns: below 0 if the call does not count. Returns true after the last call: `times` gets all times,
   sorted. */
static bool autotune__end_probation_call(const autotune__entry *entry, double ns,
                                         double times[AUTOTUNE__PROBATION_CALLS]) {
    autotune__probation *probation = &entry->known_key->probation;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!probation->running || !(entry->shape & autotune__on_probation)) return false;      /* it is over */
    probation->running--;
    if (ns >= 0) probation->ns[probation->count++] = ns;
    if (probation->count < AUTOTUNE__PROBATION_CALLS) return false;
    memcpy(times, probation->ns, sizeof probation->ns);
    autotune__close_probation(entry->known_key, autotune__median(times, AUTOTUNE__PROBATION_CALLS));     /* sorts */
    return true;
}

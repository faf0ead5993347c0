/* The probation of a winner: its first calls for real in this process are timed, as the program makes them, and are
   compared with what the race measured. Until it ends, a mark keeps hits from finding the winner: so a hit costs no
   instruction more. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "hit.h"
#include "entries.h"
#include "tuners.h"
#include "subject.h"

/* Do calls in use take another time than the race measured? 1: a longer one; -1: a shorter one; 0: neither. Six of
   eight calls decide, so that two calls with cold caches, or two that something interrupted, show nothing. The margin
   is a factor of 2, and `least_ns` beside it. times: sorted. */
static int autotune__compare_with_race(const double times[AUTOTUNE__PROBATION_CALLS], double raced_ns,
                                       double least_ns) {
    return (times[2] > 2 * raced_ns + least_ns) - (times[5] + least_ns < raced_ns / 2);
}
/* With the lock, before a winner is published. There is nothing to compare it with where no race measured it. Mode
   ONLINE measures calls of the program anyway. A device would be waited for that cannot be asked later, in a session of
   each call. */
static void autotune__open_probation(const autotune__subject *subject, const autotune_result *result) {
    autotune__probation *probation = &subject->known_key->probation;
    const autotune_backend *backend = subject->backend;
    memset(probation, 0, sizeof *probation);
    probation->open = subject->mode != AUTOTUNE_ONLINE && result->config.count && result->median_ns > 0 &&
                      autotune__is_definite(result->median_ns) && result->verdict != AUTOTUNE_PINNED &&
                      (backend->ask ? backend->clock_call && backend != subject->options.backend : !backend->stop);
}
/* With the lock: hits find the winner from now on. Its result gets what the calls take. */
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
/* Returns true if this call is timed. Another call makes up for one that does not count; a call is given up that never
   ends, as after longjmp(). So the probation ends, whatever becomes of its calls. */
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
/* A call that was timed has ended. ns: below 0: it does not count. Returns true if it is the last one: then `times` has
   those of all calls, sorted. */
static bool autotune__end_probation_call(const autotune__entry *entry, double ns,
                                         double times[AUTOTUNE__PROBATION_CALLS]) {
    autotune__probation *probation = &entry->known_key->probation;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!probation->running || !(entry->shape & autotune__on_probation)) return false;      /* another one, or none */
    probation->running--;
    if (ns >= 0) probation->ns[probation->count++] = ns;
    if (probation->count < AUTOTUNE__PROBATION_CALLS) return false;
    memcpy(times, probation->ns, sizeof probation->ns);
    autotune__close_probation(entry->known_key, autotune__median(times, AUTOTUNE__PROBATION_CALLS));
    autotune__sort(times, AUTOTUNE__PROBATION_CALLS);
    return true;
}

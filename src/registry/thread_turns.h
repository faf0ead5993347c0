/* Turns of threads: one races a key, the others wait for it, give up, or take what it found. */
#pragma once
#include <pthread.h>
#include <time.h>
#include "../api/options.h"
#include "../base/libraries.h"
#include "../base/text.h"
#include "../base/log.h"
#include "entries.h"
#include "records.h"
#include "subject.h"
#include "work.h"

static uint64_t autotune__wait_clock(void) {
    struct timespec now;
#ifdef __APPLE__
    clock_gettime(CLOCK_REALTIME, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
static void autotune__unlock_mutex(void *lock) { pthread_mutex_unlock((pthread_mutex_t *)lock); }
/* with the lock; or until a race ended */
static void autotune__wait_until(const autotune__work *work, uint64_t when) {
    struct timespec until;
    until.tv_sec = (time_t)(when / 1000000000u);
    until.tv_nsec = (long)(when % 1000000000u);
    pthread_cleanup_push(autotune__unlock_mutex, &autotune__lock);
    autotune__set_cancellation(work->turn.cancellation);
    pthread_cond_timedwait(&autotune__changed, &autotune__lock, &until);
    autotune__hold_cancellation();
    pthread_cleanup_pop(0);
}
static bool autotune__is_among(const autotune__work *work, const autotune__work *race) {       /* it, or further out */
    for (; work; work = work->outer) if (work == race) return true;
    return false;
}
static bool autotune__is_outer(const autotune__work *work, const autotune__work *race) {
    return autotune__is_among(work->outer, race);
}
static autotune__work *autotune__race_on_device(const autotune__work *work) {          /* of another thread */
    autotune__work *race;
    for (race = autotune__racing; race; race = race->turn.next_racing)
        if (!strcmp(race->subject.backend->device, work->subject.backend->device) && !autotune__is_outer(work, race))
            return race;
    return NULL;
}
static void autotune__spoil_outer(autotune__work *work) {
    for (work = work->outer; work; work = work->outer)
        if (work->turn.racing) __atomic_store_n(&work->turn.spoiled, true, __ATOMIC_RELAXED);
}
static void autotune__claim(autotune__work *work) {
    work->subject.record->race = work;
    work->turn.racing = true;
    work->turn.next_racing = autotune__racing;
    autotune__racing = work;
    autotune__spoil_outer(work);
}
static void autotune__release(autotune__work *work) {       /* with the lock */
    autotune__work **at = &autotune__racing;
    if (!work->turn.racing) return;
    while (*at != work) at = &(*at)->turn.next_racing;
    *at = work->turn.next_racing;
    work->subject.record->race = NULL;
    work->turn.racing = false;
    pthread_cond_broadcast(&autotune__changed);
}
/* A key with a part that never repeats is tuned for ever. Said once of a tuner; it is a hint and no error of the
   call. */
static void autotune__say_many_keys(const autotune__work *work, int keys) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &work->subject);
    autotune__append(
        &text,
        ": more than %d keys, each of which is tuned for itself: if a part of .key hardly ever repeats, bucket it with "
        "ANCHOR(...), or leave out what the best configuration does not depend on",
        keys);
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__string(&text));
    autotune__free_text(&text);
}

typedef enum autotune__outcome {
    AUTOTUNE__KNOWN,
    AUTOTUNE__MISSED,
    AUTOTUNE__TO_RACE,
    AUTOTUNE__UNTUNED
} autotune__outcome;

static bool autotune__is_known(autotune__work *work) {              /* with the lock */
    const autotune__record *record = work->subject.record;
    return record->entry && !(work->subject.mode == AUTOTUNE_FORCE && !record->entry->forced);
}
/* Waiting for the race of another thread: of the same key, or of another key on the same device. It may be that race's
   own worker thread that waits here, and then its trial never ends. So a thread waits as long as the race makes
   progress: the thread that leads it takes another step, or the process computes something. Where neither has happened
   for 100 ms, or four times the race's longest launch, the trial may be waiting for us; so it may where no step was
   made for as long as a race of our own might take. Then this call stays untuned, the trial that ran meanwhile is
   repeated, and nobody waits for this race again. */
typedef struct autotune__watch {
    const autotune__work *race;                 /* that is waited for */
    size_t steps;
    uint64_t looked, computed_ns;               /* when it was looked at last, and what the process had computed then */
    uint64_t stepped, worked;                   /* when the last step was seen, and the last sign of life */
} autotune__watch;
static uint64_t autotune__computed_ns(void) {   /* by all threads of this process; 0: the system does not tell */
    struct timespec time;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0
               ? (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec
               : 0;
}
static void autotune__count_step(autotune__work *work) {        /* NULL: no statement waits, but a probe of a device */
    if (work) __atomic_store_n(&work->turn.steps, work->turn.steps + 1, __ATOMIC_RELAXED);
}
static const uint64_t autotune__moment = 100000000u;
static bool autotune__makes_progress(autotune__watch *watch, const autotune__work *race, uint64_t longest_wait) {
    const size_t steps = __atomic_load_n(&race->turn.steps, __ATOMIC_RELAXED);
    const uint64_t now = autotune__wait_clock(), computed_ns = autotune__computed_ns(),
                   longest = 4 * __atomic_load_n(&race->turn.longest_ns, __ATOMIC_RELAXED);
    if (race != watch->race || steps != watch->steps) watch->stepped = watch->worked = now;
    /* more than waiting takes */
    else if (10 * (computed_ns - watch->computed_ns) > now - watch->looked) watch->worked = now;
    watch->race = race;
    watch->steps = steps;
    watch->looked = now;
    watch->computed_ns = computed_ns;
    return now <= watch->worked + (longest > autotune__moment ? longest : autotune__moment) &&
           now <= watch->stepped + (longest > longest_wait ? longest : longest_wait);
}
static autotune__outcome autotune__await_turn(autotune__work *work, uint64_t longest_wait) {
    const autotune__record *record = work->subject.record;
    autotune__watch watch;
    autotune__work *other;
    memset(&watch, 0, sizeof watch);
    for (;;) {
        if (autotune__is_known(work)) return AUTOTUNE__KNOWN;
        if (work->subject.mode == AUTOTUNE_REQUIRE) return AUTOTUNE__MISSED;
        if (work->subject.mode == AUTOTUNE_CACHED) return AUTOTUNE__UNTUNED;
        other = record->race;
        if (other && autotune__is_outer(work, other))
            return AUTOTUNE__UNTUNED;           /* recursion: the winner is being looked for further out */
        autotune__spoil_outer(work);            /* a trial of this thread would time our waiting */
        if (!other && !(other = autotune__race_on_device(work))) { autotune__claim(work); return AUTOTUNE__TO_RACE; }
        if (other->turn.impatient || !autotune__makes_progress(&watch, other, longest_wait)) {
            other->turn.impatient = true;
            __atomic_store_n(&other->turn.spoiled, true, __ATOMIC_RELAXED);
            autotune__append(&work->trial.why, "the race of ");
            autotune__append_subject(&work->trial.why, &other->subject);
            autotune__append(&work->trial.why,
                             " in another thread makes no progress, as if its trial waited for this call");
            return AUTOTUNE__UNTUNED;
        }
        autotune__wait_until(work, autotune__wait_clock() + autotune__moment / 4);
    }
}
/* Flags of a key belong to autotune__lock, too. */
static void autotune__set(bool *flag) {
    pthread_mutex_lock(&autotune__lock);
    *flag = true;
    pthread_mutex_unlock(&autotune__lock);
}

/* The statement's tuner and key, found or made. False: no memory. */
static bool autotune__enrol(autotune__work *work, const char *identity, const char *key, uint64_t text_hash, int line) {
    enum { MANY_KEYS = 64 };
    autotune__tuner *tuner;
    bool many_keys = false;
    pthread_mutex_lock(&autotune__lock);
    if ((tuner =
             autotune__tuner_of(identity, work->subject.name,
                                work->subject.options.version ? work->subject.options.version : "", text_hash, line)) &&
        (work->subject.record = autotune__record_of(tuner, key, &work->subject.options.key))) {
        work->store.identity.fingerprint = tuner->fingerprint;
        many_keys = !tuner->many_keys && stbds_shlenu(tuner->records) > MANY_KEYS;
        tuner->many_keys = tuner->many_keys || many_keys;
        work->subject.tuner = tuner;
    }
    pthread_mutex_unlock(&autotune__lock);
    if (many_keys) autotune__say_many_keys(work, MANY_KEYS);
    return work->subject.record != NULL;
}
static bool autotune__take_known(autotune__work *work) {            /* with the lock; false: no memory, too */
    const uint64_t *found;
    if (!autotune__is_known(work)) return false;
    found = autotune__find_said(work->subject.site, &work->subject.options);
    work->entry = found ? autotune__entry_of(found) : work->subject.record->entry;
    if (work->entry->backend != work->subject.options.backend ||
        work->entry->shape != autotune__shape_said(&work->subject.options))
        work->entry = autotune__list_entry(autotune__entry_for(work->entry, &work->subject.options));
    if (work->entry && !found) autotune__publish(work->subject.site, work->entry);
    return work->entry != NULL;
}
static bool autotune__look_up(autotune__work *work) {
    bool known;
    pthread_mutex_lock(&autotune__lock);
    known = autotune__take_known(work);
    pthread_mutex_unlock(&autotune__lock);
    return known;
}
static autotune__outcome autotune__look_up_or_claim(autotune__work *work, uint64_t longest_wait) {
    autotune__outcome outcome;
    pthread_mutex_lock(&autotune__lock);
    outcome = autotune__await_turn(work, longest_wait);
    if (outcome == AUTOTUNE__KNOWN && !autotune__take_known(work)) outcome = AUTOTUNE__UNTUNED;
    pthread_mutex_unlock(&autotune__lock);
    return outcome;
}

/* Turns of threads: which thread races a key, and how long the others wait for it. */
#pragma once
#include "../api/options.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../system/clock.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "entries.h"
#include "records.h"
#include "subject.h"

/* The turn of a statement. Threads that wait for its race read `steps` and `longest_ns`, and set the flags. */
typedef struct autotune__turn {
    const autotune__subject *subject;
    struct autotune__turn *outer;               /* of the statement in whose body this one runs, in the same thread */
    struct autotune__turn *next;                /* in the list autotune__racing */
    bool racing;                                /* the statement has the turn */
    int cancellation;                           /* the cancellation state that the thread has in the program */
    size_t steps;                               /* turns of the statement's loop */
    autotune__shared_word longest_ns;           /* the longest launch of the race */
    bool spoiled;                               /* something else ran during the trial */
    bool impatient;                             /* a thread gave up waiting for this race, so no other waits for it */
} autotune__turn;
static autotune__turn *autotune__racing;        /* the turns of all statements that race */

/* The race of the record, which this statement alone feeds while the turn is its. NULL: the statement does not race. */
static autotune__race *autotune__race_of(const autotune__turn *turn) {
    return turn->racing ? turn->subject->record->race : NULL;
}
/* With the lock: waits until that time, or until a race ends. */
static void autotune__wait_until(const autotune__turn *turn, uint64_t when) {
    autotune__await(&autotune__changed, &autotune__lock, when, turn->cancellation);
}
/* Is `other` this turn, or that of an outer statement of the same thread? */
static bool autotune__is_among(const autotune__turn *turn, const autotune__turn *other) {
    for (; turn; turn = turn->outer) if (turn == other) return true;
    return false;
}
static bool autotune__is_outer(const autotune__turn *turn, const autotune__turn *other) {
    return autotune__is_among(turn->outer, other);
}
/* The turn of a race of another thread on the same device; NULL: there is none. */
static autotune__turn *autotune__race_on_device(const autotune__turn *turn) {
    const char *device = turn->subject->backend->device;
    autotune__turn *other;
    for (other = autotune__racing; other; other = other->next)
        if (!strcmp(other->subject->backend->device, device) && !autotune__is_outer(turn, other)) return other;
    return NULL;
}
static void autotune__spoil(autotune__turn *turn) { __atomic_store_n(&turn->spoiled, true, __ATOMIC_RELAXED); }
static void autotune__spoil_outer(autotune__turn *turn) {
    for (turn = turn->outer; turn; turn = turn->outer) if (turn->racing) autotune__spoil(turn);
}
static void autotune__claim(autotune__turn *turn) {
    turn->subject->record->turn = turn;
    turn->racing = true;
    turn->next = autotune__racing;
    autotune__racing = turn;
    autotune__spoil_outer(turn);
}
static void autotune__release(autotune__turn *turn) {       /* with the lock */
    autotune__turn **at = &autotune__racing;
    if (!turn->racing) return;
    while (*at != turn) at = &(*at)->next;
    *at = turn->next;
    turn->subject->record->turn = NULL;
    turn->racing = false;
    autotune__wake_all(&autotune__changed);
}
/* With the lock, in a child made by fork(): ends the races of threads that the child does not have. Their memory is not
   freed. */
static void autotune__release_absent(const autotune__turn *own) {
    autotune__turn **at = &autotune__racing, *turn;
    while ((turn = *at) != NULL) {
        if (autotune__is_among(own, turn)) { at = &turn->next; continue; }
        turn->subject->record->turn = NULL;
        turn->subject->record->race = NULL;
        *at = turn->next;
    }
}
/* A tuner whose key has a part that never repeats is tuned in every call: the log gives this hint once for each
   tuner. */
static void autotune__say_many_keys(const autotune__subject *subject, int keys) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, subject);
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

static bool autotune__is_known(const autotune__subject *subject) {              /* with the lock */
    const autotune__entry *entry = subject->record->entry;
    return entry && !(subject->mode == AUTOTUNE_FORCE && !entry->forced);
}
/* A thread waits for the race of another thread: of the same key, or of another key on the same device. The waiting
   thread may be a worker of the trial of that race, and then the trial would never end. So it waits only while the race
   makes progress: its loop turns, or the process computes something. If neither happened for 100 ms, or for four times
   the race's longest launch if this is longer, or if the loop did not turn for as long as a race may take, the call of
   the waiting thread stays untuned, the trial is repeated, and no thread waits for this race again. */
typedef struct autotune__watch {
    const autotune__turn *turn;                 /* of the race for which the thread waits */
    size_t steps;
    uint64_t looked, computed_ns;               /* the time of the last look; the processor time of the process then */
    uint64_t stepped, worked;                   /* the times of the last step and of the last progress that were seen */
} autotune__watch;
static void autotune__count_step(autotune__turn *turn) {
    __atomic_store_n(&turn->steps, turn->steps + 1, __ATOMIC_RELAXED);
}
static const uint64_t autotune__moment = 100000000u;
/* For how long this process was stopped since the last look, by Ctrl-Z or with its container; 0: it was not. A waiting
   thread looks 40 times a second, so a quarter of a second without a look means that the process was stopped. */
static uint64_t autotune__stopped_ns(uint64_t looked, uint64_t now) {
    const uint64_t long_ns = 250000000u;
    return looked && now - looked > long_ns ? now - looked : 0;
}
static bool autotune__makes_progress(autotune__watch *watch, const autotune__turn *turn, uint64_t longest_wait) {
    const size_t steps = __atomic_load_n(&turn->steps, __ATOMIC_RELAXED);
    const uint64_t now = autotune__wait_clock(), computed_ns = autotune__computed_ns(),
                   longest = 4 * __atomic_load_n(&turn->longest_ns, __ATOMIC_RELAXED);
    watch->stepped += autotune__stopped_ns(watch->looked, now);
    watch->worked += autotune__stopped_ns(watch->looked, now);
    if (turn != watch->turn || steps != watch->steps) watch->stepped = watch->worked = now;
    /* The process computed for more than a tenth of the time: waiting alone takes less. */
    else if (10 * (computed_ns - watch->computed_ns) > now - watch->looked) watch->worked = now;
    watch->turn = turn;
    watch->steps = steps;
    watch->looked = now;
    watch->computed_ns = computed_ns;
    return now <= watch->worked + (longest > autotune__moment ? longest : autotune__moment) &&
           now <= watch->stepped + (longest > longest_wait ? longest : longest_wait);
}
static autotune__outcome autotune__await_turn(autotune__turn *turn, uint64_t longest_wait, autotune__text *why) {
    const autotune__subject *subject = turn->subject;
    autotune__watch watch;
    autotune__turn *other;
    memset(&watch, 0, sizeof watch);
    for (;;) {
        if (autotune__is_known(subject)) return AUTOTUNE__KNOWN;
        if (subject->mode == AUTOTUNE_REQUIRE) return AUTOTUNE__MISSED;
        if (subject->mode == AUTOTUNE_CACHED) return AUTOTUNE__UNTUNED;
        other = subject->record->turn;
        if (other && autotune__is_outer(turn, other))
            return AUTOTUNE__UNTUNED;           /* recursion: an outer statement of this thread races the key */
        autotune__spoil_outer(turn);            /* the time of an outer trial would include this waiting */
        if (!other && !(other = autotune__race_on_device(turn))) { autotune__claim(turn); return AUTOTUNE__TO_RACE; }
        if (other->impatient || !autotune__makes_progress(&watch, other, longest_wait)) {
            other->impatient = true;
            autotune__spoil(other);
            autotune__append(why, "the race of ");
            autotune__append_subject(why, other->subject);
            autotune__append(why, " in another thread makes no progress, as if its trial waited for this call");
            return AUTOTUNE__UNTUNED;
        }
        autotune__wait_until(turn, autotune__wait_clock() + autotune__moment / 4);
    }
}
/* autotune__lock also guards the flags of a record. */
static bool autotune__is_set(const bool *flag) {
    bool set;
    autotune__lock_mutex(&autotune__lock);
    set = *flag;
    autotune__unlock_mutex(&autotune__lock);
    return set;
}
static void autotune__set(bool *flag) {
    autotune__lock_mutex(&autotune__lock);
    *flag = true;
    autotune__unlock_mutex(&autotune__lock);
}

/* Finds or makes the tuner and the record of a subject. False: no memory. */
static bool autotune__enrol(autotune__subject *subject, const char *identity, const char *key, uint64_t fingerprint) {
    enum { MANY_KEYS = 64 };
    const char *version = subject->options.version ? subject->options.version : "";
    autotune__known_tuner *tuner;
    bool many_keys = false;
    autotune__lock_mutex(&autotune__lock);
    if ((tuner = autotune__tuner_of(identity, subject->name, version, fingerprint)) &&
        (subject->record = autotune__record_of(tuner, key, &subject->options.key))) {
        many_keys = !tuner->many_keys && AUTOTUNE__MAP_COUNT(tuner->records) > MANY_KEYS;
        tuner->many_keys = tuner->many_keys || many_keys;
        subject->tuner = tuner;
    }
    autotune__unlock_mutex(&autotune__lock);
    if (many_keys) autotune__say_many_keys(subject, MANY_KEYS);
    return subject->record != NULL;
}
/* With the lock: the entry of the winner for the options of this statement. NULL: it is not known, or no memory. */
static autotune__entry *autotune__take_known(const autotune__subject *subject) {
    const autotune_options *o = &subject->options;
    const uint64_t *found;
    autotune__entry *entry;
    if (!autotune__is_known(subject)) return NULL;
    found = autotune__find_said(subject->site, o);
    entry = found ? autotune__entry_of(found) : subject->record->entry;
    if (entry->backend != o->backend || entry->shape != autotune__shape_said(o))
        entry = autotune__list_entry(autotune__entry_for(entry, o));
    if (entry && !found) autotune__publish(subject->site, entry);
    return entry;
}
static autotune__entry *autotune__look_up(const autotune__subject *subject) {          /* NULL: it is not known */
    autotune__entry *entry;
    autotune__lock_mutex(&autotune__lock);
    entry = autotune__take_known(subject);
    autotune__unlock_mutex(&autotune__lock);
    return entry;
}
/* Looks the winner up, or takes the turn to race the key. *why gets the reason if the call stays untuned. */
static autotune__outcome autotune__look_up_or_claim(autotune__turn *turn, uint64_t longest_wait,
                                                    autotune__entry **known, autotune__text *why) {
    autotune__outcome outcome;
    autotune__lock_mutex(&autotune__lock);
    outcome = autotune__await_turn(turn, longest_wait, why);
    if (outcome == AUTOTUNE__KNOWN && !(*known = autotune__take_known(turn->subject))) outcome = AUTOTUNE__UNTUNED;
    autotune__unlock_mutex(&autotune__lock);
    return outcome;
}

/* Turns of threads: which thread races a key, and how long the others wait for it. */
#pragma once
#include "../api/options.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../system/clock.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../race/race.h"
#include "subject.h"
#include "look_up.h"

/* The turn of a statement. Threads that wait for its race read `steps` and `longest_ns`, and set the flags. */
typedef struct autotune__turn {
    const autotune__subject *subject;
    struct autotune__turn *outer;               /* of the statement in whose body this one runs, in the same thread */
    struct autotune__turn *next;                /* in the list autotune__racing */
    bool racing;                                /* the statement has the turn */
    autotune__race race;                        /* that it feeds then, and nobody else touches */
    int cancellation;                           /* the cancellation state that the thread has in the program */
    size_t steps;                               /* iterations of the statement's loop */
    autotune__shared_word longest_ns;           /* the longest launch of the race */
    bool disturbed;                             /* something else ran during the trial */
    bool impatient;                             /* a thread gave up waiting for this race, so no other waits for it */
} autotune__turn;
static autotune__turn *autotune__racing;        /* the turns of all statements that race */

/* The race of this turn. NULL: it has not begun. */
static autotune__race *autotune__race_of(const autotune__turn *turn) {
    return turn->racing && turn->race.setup.space ? (autotune__race *)(uintptr_t)&turn->race : NULL;
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
/* Could this statement race now, without waiting for another thread? */
static bool autotune__is_free(const autotune__turn *turn) {
    bool is;
    autotune__lock_mutex(&autotune__lock);
    is = !turn->subject->record->turn && !autotune__race_on_device(turn);
    autotune__unlock_mutex(&autotune__lock);
    return is;
}
static void autotune__disturb(autotune__turn *turn) { __atomic_store_n(&turn->disturbed, true, __ATOMIC_RELAXED); }
static void autotune__disturb_outer(autotune__turn *turn) {
    for (turn = turn->outer; turn; turn = turn->outer) if (turn->racing) autotune__disturb(turn);
}
static void autotune__claim(autotune__turn *turn) {
    turn->subject->record->turn = turn;
    turn->racing = true;
    turn->next = autotune__racing;
    autotune__racing = turn;
    autotune__disturb_outer(turn);
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
        *at = turn->next;
    }
}
typedef enum autotune__outcome {
    AUTOTUNE__KNOWN,
    AUTOTUNE__MISSED,
    AUTOTUNE__TO_RACE,
    AUTOTUNE__UNTUNED
} autotune__outcome;

/* A thread waits for the race of another thread: of the same key, or of another key on the same device. The waiting
   thread may be a worker of the trial of that race, and then the trial would never end. So it waits only while the
   race makes progress: its loop iterates, or the process computes something besides waiting, if only a fiftieth of the
   time, since the race may share its processor with many others. If neither happened for autotune__moment, or for
   four times the race's longest launch if this is longer, or if the loop did not iterate for as long as a race may
   take, the call of the waiting thread stays untuned, the trial is repeated, and no thread waits for this race
   again. */
typedef struct autotune__watch {
    const autotune__turn *turn;                 /* of the race for which the thread waits */
    size_t steps;
    uint64_t looked, own_ns;                    /* the time of the last look; the processor time of this thread then */
    int64_t besides_ns;                         /* the most that autotune__computed_besides() said so far */
    uint64_t stepped, worked;                   /* the times of the last step and of the last progress that were seen */
} autotune__watch;
static void autotune__count_step(autotune__turn *turn) {
    __atomic_store_n(&turn->steps, turn->steps + 1, __ATOMIC_RELAXED);
}
/* A launch of the race, or something that belongs to one, took so long or may take so long. */
static void autotune__expect_long(autotune__turn *turn, uint64_t ns) {
    if (turn->longest_ns < ns) __atomic_store_n(&turn->longest_ns, ns, __ATOMIC_RELAXED);
}
static const uint64_t autotune__between_looks = 25000000u;
/* 100 ms; but a clock with long steps shows a fiftieth of the time only after 50 of them. */
static const uint64_t autotune__moment =
    50u * AUTOTUNE__COMPUTED_STEP_NS > 100000000u ? 50u * AUTOTUNE__COMPUTED_STEP_NS : 100000000u;
static uint64_t autotune__waiting_ns;           /* with the lock: for which threads computed while they waited here */
/* For how long this process was stopped since the last look, by Ctrl-Z or with its container; 0: it was not. A waiting
   thread looks 40 times a second, so a quarter of a second without a look means that the process was stopped. */
static uint64_t autotune__stopped_ns(uint64_t looked, uint64_t now) {
    const uint64_t long_ns = 250000000u;
    return looked && now - looked > long_ns ? now - looked : 0;
}
/* With the lock: for which the process computed, without what waiting took; only differences count. It may become less:
   what a waiting thread computed is in the time of the process at once, and is known to be waiting when that thread has
   looked. */
static int64_t autotune__computed_besides(autotune__watch *watch) {
    const uint64_t computed_ns = autotune__computed_ns(), own_ns = autotune__thread_computed_ns();
    if (watch->looked) autotune__waiting_ns += own_ns - watch->own_ns;
    watch->own_ns = own_ns;
    return (int64_t)(computed_ns - autotune__waiting_ns);
}
/* One look: at that time, when the process had computed for so long besides. */
static bool autotune__makes_progress(autotune__watch *watch, const autotune__turn *turn, uint64_t now,
                                     int64_t besides_ns, uint64_t longest_wait) {
    const size_t steps = __atomic_load_n(&turn->steps, __ATOMIC_RELAXED);
    const uint64_t longest = 4 * __atomic_load_n(&turn->longest_ns, __ATOMIC_RELAXED);
    watch->stepped += autotune__stopped_ns(watch->looked, now);
    watch->worked += autotune__stopped_ns(watch->looked, now);
    if (turn != watch->turn || steps != watch->steps) watch->stepped = watch->worked = now;
    else if (50 * (besides_ns - watch->besides_ns) > (int64_t)(now - watch->looked)) watch->worked = now;
    if (!watch->looked || besides_ns > watch->besides_ns) watch->besides_ns = besides_ns;
    watch->turn = turn;
    watch->steps = steps;
    watch->looked = now;
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
        autotune__disturb_outer(turn);            /* the time of an outer trial would include this waiting */
        if (!other && !(other = autotune__race_on_device(turn))) { autotune__claim(turn); return AUTOTUNE__TO_RACE; }
        if (other->impatient || !autotune__makes_progress(&watch, other, autotune__wait_clock(),
                                                          autotune__computed_besides(&watch), longest_wait)) {
            other->impatient = true;
            autotune__disturb(other);
            autotune__append(why, "the race of ");
            autotune__append_subject(why, other->subject);
            autotune__append(why, " in another thread makes no progress, as if its trial waited for this call");
            return AUTOTUNE__UNTUNED;
        }
        autotune__wait_until(turn, autotune__wait_clock() + autotune__between_looks);
    }
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

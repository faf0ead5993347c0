/* Turns of threads: which thread races a key, and how other threads wait. A thread waits for another thread's race of
   the same key. It also waits for a race of another key on the same device. It does not wait for ever. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "subject.h"
#include "look_up.h"

/* The trial of a race may need the waiting thread as a worker, and would then never end. So a thread waits only while
   the loop of the race iterates. The longest pause that a waiting thread allows is
   autotune__longest_pause_ns, or four times `longest_ns` of the race if this is longer. Then the thread gives up: its
   call stays untuned, the trial of the race is repeated, and no thread waits for this race again. */

/* The progress of a race, for waiting threads. Only the thread of the race writes it. */
typedef struct autotune__progress {
    size_t steps;                               /* iterations of the statement's loop, and reports of a backend that
                                                   works or compiles meanwhile */
    autotune__shared_word longest_ns;           /* the longest time of a launch, or of a step that prepares a launch; 0:
                                                   nothing was launched or prepared */
} autotune__progress;
static void autotune__count_step(autotune__progress *race) {
    __atomic_store_n(&race->steps, race->steps + 1, __ATOMIC_RELAXED);
}
/* Notes that a launch of the race, or a step that prepares a launch, took `ns` or may take `ns`. */
static void autotune__expect_long(autotune__progress *race, uint64_t ns) {
    if (race->longest_ns < ns) __atomic_store_n(&race->longest_ns, ns, __ATOMIC_RELAXED);
}

/* Nanoseconds. A waiting thread looks at the race at least every autotune__poll_ns. autotune__longest_pause_ns is
   longer than most first launches. */
static const uint64_t autotune__poll_ns = 25000000u;
static const uint64_t autotune__longest_pause_ns = 1000000000u;

/* The progress of a race that a waiting thread has seen. */
typedef struct autotune__seen_progress {
    const autotune__progress *race;             /* the race that the thread waits for */
    size_t steps;
    uint64_t stepped;                           /* when its last step was seen */
} autotune__seen_progress;
/* Looks at the race at time `now`. Returns true if it makes progress. */
static bool autotune__makes_progress(autotune__seen_progress *seen, const autotune__progress *race, uint64_t now) {
    const size_t steps = __atomic_load_n(&race->steps, __ATOMIC_RELAXED);
    const uint64_t longest = 4 * __atomic_load_n(&race->longest_ns, __ATOMIC_RELAXED);
    if (race != seen->race || steps != seen->steps) seen->stepped = now;
    seen->race = race;
    seen->steps = steps;
    return now <= seen->stepped + (longest > autotune__longest_pause_ns ? longest : autotune__longest_pause_ns);
}

/* The turn of a statement. Threads that wait for its race read its progress, and set its flags. */
typedef struct autotune__thread_turn {
    const autotune__subject *subject;
    struct autotune__thread_turn *outer;        /* of the statement around this one, in the same thread */
    struct autotune__thread_turn *next;         /* in the list autotune__racing */
    bool outside;                               /* the thread is in the library, not in the body */
    autotune__race *race;                       /* its race, which only its own thread uses; NULL: not begun */
    autotune__progress progress;                /* of the race */
    bool disturbed;                             /* other code ran during the trial */
    bool given_up;                              /* a thread gave up waiting for this race, so no thread waits for it */
    size_t trying;                              /* atomic: the point that this statement launches. In the turn of a
                                                   thread that gave up: the point that the race of its OpenMP team
                                                   launched */
    int team;                                   /* atomic: how many threads of an OpenMP team gave up waiting for this
                                                   race. In the turn of a thread that gave up: not 0 */
} autotune__thread_turn;
static autotune__thread_turn *autotune__racing; /* the turns of all statements that race */

/* With the lock: for each device, the last race that launched or prepared something. Devices with the same hash modulo
   16 share an element, which then has the later race. */
static struct autotune__last_race {
    uint64_t (*now)(autotune_backend *self);
    uint64_t device, ended;
} autotune__last_races[16];
/* Returns how long ago the last race on the device ended, by the clock of the backend. AUTOTUNE__NEVER: not known. */
static double autotune__idle_seconds(autotune_backend *backend) {
    const uint64_t now = backend->now(backend), device = autotune__hash_string(backend->device);
    const struct autotune__last_race *last = &autotune__last_races[device % 16];
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return last->now == backend->now && last->device == device && now >= last->ended
               ? (double)(now - last->ended) / 1e9 : AUTOTUNE__NEVER;
}

/* Returns true if the statement has the turn to race its key. Only its own thread takes or releases the turn. */
static bool autotune__has_turn(const autotune__thread_turn *turn) {
    const autotune__known_key *known_key = turn->subject->known_key;
    return known_key && __atomic_load_n(&known_key->turn, __ATOMIC_RELAXED) == turn;
}
/* Returns true if `other` is this turn, or the turn of an outer statement of the same thread. */
static bool autotune__is_among(const autotune__thread_turn *turn, const autotune__thread_turn *other) {
    for (; turn; turn = turn->outer) if (turn == other) return true;
    return false;
}
/* Returns the turn of another thread's race on the same device; NULL: none. */
static autotune__thread_turn *autotune__race_on_device(const autotune__thread_turn *turn) {
    const char *device = turn->subject->backend->device;
    autotune__thread_turn *other;
    for (other = autotune__racing; other; other = other->next)
        if (!strcmp(other->subject->backend->device, device) && !autotune__is_among(turn->outer, other)) return other;
    return NULL;
}
/* Returns true if this statement could race now, without waiting for another thread. */
static bool autotune__is_free(const autotune__thread_turn *turn) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return !turn->subject->known_key->turn && !autotune__race_on_device(turn);
}
static void autotune__disturb(autotune__thread_turn *own) { __atomic_store_n(&own->disturbed, true, __ATOMIC_RELAXED); }
static void autotune__disturb_outer(autotune__thread_turn *turn) {
    for (turn = turn->outer; turn; turn = turn->outer) if (autotune__has_turn(turn)) autotune__disturb(turn);
}
static void autotune__claim(autotune__thread_turn *turn) {  /* with the lock */
    __atomic_store_n(&turn->subject->known_key->turn, turn, __ATOMIC_RELAXED);
    turn->next = autotune__racing;
    autotune__racing = turn;
    autotune__disturb_outer(turn);
}
/* With the lock: ends the turn of this statement. If its race launched or prepared something, notes for the device when
   the race ended. ended: the present time by the clock of the backend. The caller reads this clock without the lock,
   since the clock may be a function of the program. */
static void autotune__release(autotune__thread_turn *turn, uint64_t ended) {
    const autotune_backend *backend = turn->subject->backend;
    const uint64_t device = autotune__hash_string(backend->device);
    const struct autotune__last_race race = { backend->now, device, ended };
    if (turn->progress.longest_ns) autotune__last_races[device % 16] = race;
    AUTOTUNE__UNLINK(autotune__racing, turn, next);
    __atomic_store_n(&turn->subject->known_key->turn, NULL, __ATOMIC_RELAXED);
    autotune__wake_all(&autotune__changed);
}
/* Ends the turn if this statement has it. Another statement may have the turn of the key. */
static void autotune__end_turn(autotune__thread_turn *turn) {
    autotune_backend *backend = turn->subject->backend;
    uint64_t ended;
    if (!autotune__has_turn(turn)) return;
    ended = backend->now(backend);
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    autotune__release(turn, ended);
}
/* With the lock, in a child made by fork(): ends the races of threads that the child does not have. Frees nothing. */
static void autotune__release_absent(const autotune__thread_turn *own) {
    autotune__thread_turn **at = &autotune__racing, *turn;
    while ((turn = *at) != NULL) {
        if (autotune__is_among(own, turn)) { at = &turn->next; continue; }
        turn->subject->known_key->turn = NULL;
        *at = turn->next;
    }
}

typedef enum autotune__outcome {
    AUTOTUNE__KNOWN,                            /* the winner is known */
    AUTOTUNE__MISSED,                           /* no winner is known, and the mode is REQUIRE: the call is an error */
    AUTOTUNE__TO_RACE,                          /* no winner is known, and the statement has the turn to race */
    AUTOTUNE__UNTUNED                           /* this call does not race, and no winner is known, or there is no
                                                   memory for the winner's entry */
} autotune__outcome;
/* With the lock: waits until the winner is known, or until this statement has the turn. If the thread gives up waiting,
   *why gets the reason. */
static autotune__outcome autotune__await_turn(autotune__thread_turn *turn, autotune__text *why) {
    const autotune__subject *subject = turn->subject;
    autotune__seen_progress seen = { NULL, 0, 0 };
    autotune__thread_turn *other;
    for (;;) {
        if (autotune__is_known(subject)) return AUTOTUNE__KNOWN;
        if (subject->mode == AUTOTUNE_REQUIRE) return AUTOTUNE__MISSED;
        if (subject->mode == AUTOTUNE_CACHED) return AUTOTUNE__UNTUNED;
        other = subject->known_key->turn;
        if (other && autotune__is_among(turn->outer, other))
            return AUTOTUNE__UNTUNED;           /* recursion: an outer statement of this thread races the key */
        autotune__disturb_outer(turn);            /* the outer trial's time includes the wait, so it is repeated */
        if (!other && !(other = autotune__race_on_device(turn))) { autotune__claim(turn); return AUTOTUNE__TO_RACE; }
        if (other->given_up || !autotune__makes_progress(&seen, &other->progress, autotune__wait_clock())) {
            other->given_up = true;
            autotune__disturb(other);
            if (other == subject->known_key->turn && autotune__team_size() > 1) {
                turn->trying = __atomic_load_n(&other->trying, __ATOMIC_RELAXED);
                turn->team = __atomic_add_fetch(&other->team, 1, __ATOMIC_RELAXED);
            }
            autotune__append(why, "the race of ");
            autotune__append_subject(why, other->subject);
            autotune__append(why, " in another thread makes no progress, as if its trial waited for this call");
            return AUTOTUNE__UNTUNED;
        }
        autotune__await(&autotune__changed, &autotune__lock, autotune__wait_clock() + autotune__poll_ns);
    }
}
/* Looks up the winner, or takes the turn to race the key. If the thread gives up waiting, *why gets the reason. */
static autotune__outcome autotune__look_up_or_claim(autotune__thread_turn *turn, autotune__entry **known,
                                                    autotune__text *why) {
    autotune__outcome outcome;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    outcome = autotune__await_turn(turn, why);
    return outcome == AUTOTUNE__KNOWN && !(*known = autotune__winner_of(turn->subject)) ? AUTOTUNE__UNTUNED : outcome;
}

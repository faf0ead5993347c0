/* The ranks of one statement: how they agree, what they walk past together, and how that ends.

   As MPI asks of collective operations, the statements of the same ranks come one at a time, in the same order on all
   ranks. Exchanges have no names, and the n-th exchange of a rank meets the n-th of every other rank. A statement of
   another thread meanwhile is refused, and exchanges nothing. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "reduction.h"

/* Why a group has ended. */
typedef enum autotune__cause {
    AUTOTUNE__AT_ITS_END,                       /* a rank came to its end before the others */
    AUTOTUNE__OUT_OF_STEP,
    AUTOTUNE__UNREACHABLE
} autotune__cause;
/* From JOINED on the other ranks wait for this one's next all-reduce. */
typedef enum autotune__group_stage {
    AUTOTUNE__ALONE,
    AUTOTUNE__JOINED,                           /* one rank alone races, if there is a race */
    AUTOTUNE__ALL_RACE,
    AUTOTUNE__IN_STEP                           /* they run the same race, one request after the other */
} autotune__group_stage;
/* The ranks of one statement, from their first exchange to their common end. */
typedef struct autotune__peer_group {
    autotune_ranks *ranks;                      /* NULL: the statement agrees with nobody */
    const autotune__subject *subject;           /* NULL: autotune_agree() */
    int first_rank;                             /* whose disk and terminal the group uses */
    uint64_t name;                              /* of the statement, hashed */
    bool only_tunes;
    bool stays_apart;                           /* the statement exchanges nothing: see differences.h */
    autotune__group_stage stage;
    uint64_t path;                              /* a hash of all that has to be equal on all ranks, so far */
    double said[AUTOTUNE__PLACES];              /* the last all-reduce, as all ranks know it; before it, what this rank
                                                   says */
    autotune__trouble trouble;                  /* of that all-reduce */
    autotune__ending ending;                    /* how the statement has to end, once the group has ended */
    autotune__cause cause;                      /* and why */
    autotune__text difference;                  /* why the ranks are out of step; empty: they mean the same, but WHERE,
                                                   PRIORITY and MODEL do not */
    autotune__thread thread;
    struct autotune__peer_group *next;          /* in the list of those that have joined */
} autotune__peer_group;
/* With autotune__lock: those of all threads that have joined. Those with the same ranks are of one thread. */
static autotune__peer_group *autotune__rank_groups;
/* With autotune__lock: statements whose ranks were out of step, and how many of their next calls exchange nothing. If
   the names of two share a place, the later one counts. The calls of a statement come alike on all ranks, whatever
   their keys. */
enum { AUTOTUNE__CALLS_APART = 63 };
static struct autotune__apart { const autotune_ranks *ranks; uint64_t name; unsigned calls; } autotune__all_apart[64];
static bool autotune__is_of_group(const struct autotune__apart *apart, const autotune__peer_group *group) {
    return apart->ranks == group->ranks && apart->name == group->name;
}
/* A call of the statement begins. Returns true if it exchanges nothing. */
static bool autotune__stays_apart(const autotune__peer_group *group) {
    struct autotune__apart *const apart = &autotune__all_apart[group->name % 64];
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return autotune__is_of_group(apart, group) && apart->calls && apart->calls--;
}
/* Without ranks the statement leaves its place. Returns true if it was there. */
static bool autotune__put_apart(const autotune__peer_group *group, const autotune_ranks *ranks, unsigned calls) {
    const struct autotune__apart now = { ranks, group->name, calls };
    struct autotune__apart *const apart = &autotune__all_apart[group->name % 64];
    bool found;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    found = autotune__is_of_group(apart, group);
    if (found || ranks) *apart = now;
    return found;
}

static bool autotune__is_first_rank(const autotune__peer_group *group) {
    return group->ranks->rank == group->first_rank;
}
static bool autotune__is_joined(const autotune__peer_group *group) { return group->stage > AUTOTUNE__ALONE; }
static bool autotune__is_in_step(const autotune__peer_group *group) { return group->stage == AUTOTUNE__IN_STEP; }
/* Returns true if no other rank makes the launches of a race with this rank. */
static bool autotune__races_alone(const autotune__peer_group *group) {
    return autotune__is_joined(group) && !autotune__is_in_step(group);
}
/* A statement begins to agree, unless a statement of another thread agrees with the same ranks just now: false.
   inside: it may be inside of a statement of this thread, as autotune_agree() may not, since others may not make its
   trials. */
static bool autotune__enter_group(autotune__peer_group *group, bool inside) {
    const autotune__peer_group *at;
    const bool all_race = group->subject && group->subject->options.agree != AUTOTUNE_FIRST;
    group->thread = autotune__this_thread();
    group->cause = AUTOTUNE__AT_ITS_END;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    at = autotune__rank_groups;
    while (at && (at->ranks != group->ranks || (inside && autotune__is_same_thread(at->thread, group->thread))))
        at = at->next;
    group->stage = at ? AUTOTUNE__ALONE : all_race ? AUTOTUNE__ALL_RACE : AUTOTUNE__JOINED;
    if (!at) {
        group->next = autotune__rank_groups;
        autotune__rank_groups = group;
    }
    return autotune__is_joined(group);
}
/* Nobody waits for this rank any more. */
static void autotune__leave_group(autotune__peer_group *group) {
    if (!autotune__is_joined(group)) return;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    AUTOTUNE__UNLINK(autotune__rank_groups, group, next);
    group->stage = AUTOTUNE__ALONE;
}

static __thread autotune__peer_group *autotune__waits_in;  /* whose ranks this thread waits for, which was not said */

/* From here on ranks have to know the same of this, too. */
static void autotune__walk_on(autotune__peer_group *group, uint64_t word) {
    group->path = autotune__hash_word(group->path, word);
}
/* Does this rank race its part of a divided race, alone until all have raced their parts? Only asked during a race. */
static bool autotune__races_part(const autotune__peer_group *group) {
    return group->stage == AUTOTUNE__ALL_RACE;
}

/* The statement cannot agree any more, and ends like this. */
static void autotune__end_group(autotune__peer_group *group, autotune__ending ending, autotune__cause cause) {
    if (group->ending < ending) group->ending = ending;
    group->cause = cause;
    autotune__leave_group(group);
}
/* The values of all ranks become their maxima; or, if they are NULL, the bytes of rank 0 become everybody's. Returns
   false if the group has ended. */
static bool autotune__exchange(autotune__peer_group *group, double *values, void *bytes, size_t count) {
    autotune_ranks *ranks = group->ranks;
    autotune_status status;
    autotune__waits_in = group;
    status = values ? (ranks->max)(ranks, values, count)       /* a program may have a macro named max */
                    : ranks->share(ranks, bytes, count);
    autotune__waits_in = NULL;
    if (status == AUTOTUNE_OK) return true;
    group->trouble.status = status;
    group->trouble.rank = ranks->rank;
    autotune__end_group(group, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__UNREACHABLE);
    return false;
}
/* The bytes of one rank become everybody's: those of another rank than 0 as maxima. Returns false if the group has
   ended. */
static bool autotune__broadcast_of(autotune__peer_group *group, int from, void *bytes, size_t count) {
    double values[AUTOTUNE__PLACES];
    unsigned char *at = (unsigned char *)bytes;
    size_t i, some;
    if (from == 0) return autotune__exchange(group, NULL, bytes, count);
    for (; count; at += some, count -= some) {
        some = count < AUTOTUNE__PLACES ? count : (size_t)AUTOTUNE__PLACES;
        for (i = 0; i < some; i++) values[i] = group->ranks->rank == from ? at[i] : 0;
        if (!autotune__exchange(group, values, NULL, some)) return false;
        for (i = 0; i < some; i++) at[i] = (unsigned char)values[i];
    }
    return true;
}
/* The bytes of the rank that leads become everybody's. Returns false if the group has ended. */
static bool autotune__broadcast(autotune__peer_group *group, void *bytes, size_t count) {
    return autotune__broadcast_of(group, group->first_rank, bytes, count);
}

/* Says once in an exchange that it takes long. */
AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom) {
    autotune__peer_group *group = autotune__waits_in;
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    if (!group || group->ranks != self || !(seconds >= 10)) return;
    autotune__waits_in = NULL;
    if (group->subject) autotune__append_subject(&line, group->subject);
    else autotune__append(&line, "autotune_agree()");
    autotune__append(&line,
                     ": rank %d of %d has been waiting for %s for %.0f s: all ranks have to call this statement, with "
                     "the same key, and with AUTOTUNE_MODE=off on all or on none",
                     self->rank, self->count, whom ? whom : "other ranks", seconds);
    if (group->subject && group->subject->mode != AUTOTUNE_ONLINE && group->subject->options.agree != AUTOTUNE_TOGETHER)
        autotune__append(&line, "; with .agree = AUTOTUNE_FIRST or _DIVIDED its call must not wait for other ranks");
    if (autotune__environment.log >= AUTOTUNE_LOG_ERRORS) /* also on a rank that is hushed: rank 0 may be missing */
        autotune__write_line(AUTOTUNE_LOG_ERRORS, autotune__string(&line));
}

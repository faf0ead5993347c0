/* The ranks of one statement: how they exchange values, and how their group ends.

   Statements of the same ranks come one at a time, in the same order on all ranks. MPI asks the same of collective
   operations. An exchange is an all-reduce or a broadcast. Exchanges have no names: the n-th exchange of a rank meets
   the n-th exchange of every other rank. While another thread is in a statement of the same ranks, a new statement is
   refused, and exchanges nothing. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "reduction.h"

/* The reason why a group has ended. */
typedef enum autotune__cause {
    AUTOTUNE__AT_ITS_END,                       /* a rank ended its statement before the other ranks */
    AUTOTUNE__OUT_OF_STEP,                      /* the ranks did not do the same */
    AUTOTUNE__UNREACHABLE                       /* an exchange failed */
} autotune__cause;
/* The stage of this rank in its group. From JOINED on, other ranks wait for the next all-reduce of this rank. */
typedef enum autotune__group_stage {
    AUTOTUNE__ALONE,                            /* this rank exchanges nothing: it has not joined its group, or has
                                                   left the group */
    AUTOTUNE__JOINED,                           /* before or during a race: the first rank races alone */
    AUTOTUNE__ALL_RACE,                         /* before a race: all ranks will race. During a race: each rank races
                                                   its part alone */
    AUTOTUNE__IN_STEP                           /* all ranks run the same race, one request after the other */
} autotune__group_stage;
/* The ranks of one statement, from their first exchange to their common end. */
typedef struct autotune__peer_group {
    autotune_ranks *ranks;                      /* NULL: the statement has no other ranks */
    const autotune__subject *subject;           /* NULL: autotune_agree() */
    autotune__thread_turn *turn;                /* the statement's turn to race its key */
    int first_rank;                             /* the rank that uses the disk and the terminal */
    uint64_t name;                              /* a hash of the statement's name */
    bool only_tunes;                            /* the statement is autotune_tune(), which makes no call */
    bool skips_exchanges;                       /* the statement exchanges nothing: see differences.h */
    autotune__group_stage stage;
    uint64_t step_hash;                         /* a hash of all that has to be the same on all ranks so far */
    double values[AUTOTUNE__PLACES];            /* this rank's values; after an all-reduce the maxima of all ranks */
    autotune__trouble trouble;                  /* the worst failure of all ranks in the last all-reduce */
    autotune__ending ending;                    /* how the statement has to end, since the group has ended */
    autotune__cause cause;                      /* why the group has ended */
    autotune__text difference;                  /* how the ranks differ; empty: no line of
                                                   autotune__append_meaning() differs, so the results of WHERE, PRIORITY
                                                   or MODEL do */
    autotune__thread thread;                    /* the thread that joined */
    struct autotune__peer_group *next;          /* in autotune__rank_groups */
} autotune__peer_group;
/* With autotune__lock: the joined groups of all threads. Groups with the same ranks belong to one thread. */
static autotune__peer_group *autotune__rank_groups;
/* With autotune__lock: statements whose ranks were out of step, and how many of their next calls exchange nothing. If
   the hashes of two names have the same index in the table, the later statement replaces the earlier statement. The
   calls of a statement are not counted for each key: ranks are often out of step because their keys differ, and a rank
   knows only its own key. */
enum { AUTOTUNE__SKIPPED_CALLS = 63 };
static struct autotune__skips { const autotune_ranks *ranks; uint64_t name; unsigned calls; } autotune__skipped[64];
static bool autotune__is_of_group(const struct autotune__skips *skips, const autotune__peer_group *group) {
    return skips->ranks == group->ranks && skips->name == group->name;
}
/* Returns true if this call of the statement exchanges nothing, and counts the call. */
static bool autotune__count_skipped_call(const autotune__peer_group *group) {
    struct autotune__skips *const skips = &autotune__skipped[group->name % 64];
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return autotune__is_of_group(skips, group) && skips->calls && skips->calls--;
}
/* Puts the statement into the table, or removes it if `ranks` is NULL. left: how many of its next calls exchange
   nothing. Returns true if the statement was in the table before. */
static bool autotune__set_skipped_calls(const autotune__peer_group *group, const autotune_ranks *ranks, unsigned left) {
    const struct autotune__skips now = { ranks, group->name, left };
    struct autotune__skips *const skips = &autotune__skipped[group->name % 64];
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    const bool found = autotune__is_of_group(skips, group);
    if (found || ranks) *skips = now;
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
/* With autotune__lock: returns the group of another statement with the same ranks; NULL: no group. inside: groups of
   this thread are skipped, since this statement may run inside a call of their statements. */
static autotune__peer_group *autotune__other_group(const autotune__peer_group *group, bool inside) {
    autotune__peer_group *at = autotune__rank_groups;
    while (at && (at->ranks != group->ranks || (inside && autotune__is_same_thread(at->thread, group->thread))))
        at = at->next;
    return at;
}
/* Joins the group. Returns false if another statement has joined a group of the same ranks. inside: groups of this
   thread are skipped. autotune_agree() passes false, so inside a statement of these ranks it is refused: the other
   ranks might not call autotune_agree() there. */
static bool autotune__enter_group(autotune__peer_group *group, bool inside) {
    const bool all_race = group->subject && group->subject->options.agree != AUTOTUNE_FIRST;
    group->thread = autotune__this_thread();
    group->cause = AUTOTUNE__AT_ITS_END;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (autotune__other_group(group, inside)) return false;
    group->stage = all_race ? AUTOTUNE__ALL_RACE : AUTOTUNE__JOINED;
    group->next = autotune__rank_groups;
    autotune__rank_groups = group;
    return true;
}
/* Leaves the group: no rank waits for this rank any more. */
static void autotune__leave_group(autotune__peer_group *group) {
    if (!autotune__is_joined(group)) return;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    AUTOTUNE__UNLINK(autotune__rank_groups, group, next);
    group->stage = AUTOTUNE__ALONE;
}

static __thread autotune__peer_group *autotune__waits_in;  /* the group in whose exchange this thread waits; NULL:
                                                              this thread does not wait, or the log has told of
                                                              this wait */

/* Adds a word to the hash of all that has to be the same on all ranks. */
static void autotune__hash_step(autotune__peer_group *group, uint64_t word) {
    group->step_hash = autotune__hash_word(group->step_hash, word);
}
/* Returns true if this rank now races its part of a divided race alone. Called only during a race. */
static bool autotune__races_part(const autotune__peer_group *group) { return group->stage == AUTOTUNE__ALL_RACE; }

/* Ends the group: the statement exchanges nothing any more, and has to end as `ending` says. */
static void autotune__end_group(autotune__peer_group *group, autotune__ending ending, autotune__cause cause) {
    if (group->ending < ending) group->ending = ending;
    group->cause = cause;
    autotune__leave_group(group);
}
/* Makes one exchange. values: they become the maxima of all ranks. If `values` is NULL, all ranks get the bytes of rank
   0. Returns false if the ranks cannot be reached. Then the group has ended. */
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
/* Gives all ranks the bytes of rank `from`. Only rank 0 can share bytes, so the bytes of other ranks are sent as
   maxima. Returns false if the group has ended. */
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
/* Gives all ranks the bytes of the first rank. Returns false if the group has ended. */
static bool autotune__broadcast(autotune__peer_group *group, void *bytes, size_t count) {
    return autotune__broadcast_of(group, group->first_rank, bytes, count);
}

/* Called by functions of .ranks while they wait. Logs once in each exchange that the wait has taken 10 seconds. */
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
    if (autotune__environment.log >= AUTOTUNE_LOG_ERRORS) /* on each rank, since the other ranks may wait for the
                                                             first rank */
        autotune__write_line(AUTOTUNE_LOG_ERRORS, autotune__string(&line));
}

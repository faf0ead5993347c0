/* A council: the ranks of one statement, from their first exchange to their common end. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/options.h"
#include "../api/ranks.h"
#include "../system/threads.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../registry/subject.h"
#include "ballot.h"

/* Why a council is dissolved. */
typedef enum autotune__cause {
    AUTOTUNE__AT_ITS_END,                       /* a rank came to its end before the others */
    AUTOTUNE__OUT_OF_STEP,
    AUTOTUNE__CANNOT_GO_ON,                     /* out of step, since a rank is out of memory */
    AUTOTUNE__KNOWS_NO_RACE,                    /* out of step, since others measure calls of an online race */
    AUTOTUNE__UNREACHABLE
} autotune__cause;
typedef struct autotune__council {
    autotune_ranks *ranks;                      /* NULL: the statement agrees with nobody */
    const autotune__subject *subject;           /* NULL: autotune_agree() */
    bool sits;                                  /* the other ranks wait for this one's next ballot */
    bool all_race;                              /* and not rank 0 alone */
    bool in_step;                               /* they run the same race, one request after the other */
    uint64_t path;                              /* a hash of all that has to be equal on all ranks, so far */
    bool judged;                                /* WHERE, PRIORITY or MODEL were asked since the last ballot */
    autotune__ballot said;                      /* the last ballot, as all ranks know it */
    autotune__trouble trouble;                  /* of that ballot */
    autotune__ending ending;                    /* how the statement has to end, once the council is dissolved */
    autotune__cause cause;                      /* and why */
    bool said_waiting;
    unsigned owed;                              /* exchanges that statements of other threads left out meanwhile */
    autotune__thread thread;
    struct autotune__council *next;             /* in the list of those that sit */
} autotune__council;
static autotune__council *autotune__councils;   /* with autotune__lock: those of all threads that sit */
static __thread autotune__council *autotune__waits_in;     /* whose ranks this thread waits for */

/* Appends what is wrong with the ranks; false: nothing is. */
static bool autotune__ranks_problem(autotune__text *problem, const autotune_options *o) {
    const autotune_ranks *ranks = o->ranks;
    if ((unsigned)o->agree > AUTOTUNE_DIVIDED)
        autotune__append(problem, ".agree is %d: it is one of AUTOTUNE_TOGETHER, _FIRST, _DIVIDED", (int)o->agree);
    else if (ranks && (ranks->count < 1 || ranks->rank < 0 || ranks->rank >= ranks->count))
        autotune__append(problem, ".ranks has rank %d of %d: ranks are numbered from 0 on; with MPI call MPI_Init() "
                                  "before, and name a communicator that exists", ranks->rank, ranks->count);
    else if (ranks && ranks->count > 1 && (!ranks->max || !ranks->share))
        autotune__append(problem, ".ranks lacks the function %s", ranks->max ? "share" : "max");
    else return false;
    return true;
}

/* A statement begins to agree, unless a statement of another thread agrees with the same ranks just now: false. */
static bool autotune__convene(autotune__council *council) {
    const autotune__council *other;
    council->thread = autotune__this_thread();
    council->cause = AUTOTUNE__AT_ITS_END;
    council->all_race = council->subject && council->subject->options.agree != AUTOTUNE_FIRST;
    autotune__lock_mutex(&autotune__lock);
    for (other = autotune__councils; other; other = other->next)
        if (other->ranks == council->ranks && !autotune__is_same_thread(other->thread, council->thread)) break;
    council->sits = !other;
    if (council->sits) {
        council->next = autotune__councils;
        autotune__councils = council;
    }
    autotune__unlock_mutex(&autotune__lock);
    return council->sits;
}
/* A statement ends without an exchange of its own: the other ranks must not wait for it. */
static void autotune__abstain(autotune_ranks *ranks, autotune__ending ending, autotune_status status) {
    autotune__ballot ballot;
    memset(&ballot, 0, sizeof ballot);
    ballot.at[AUTOTUNE__ENDING] = ending;
    ballot.at[AUTOTUNE__TROUBLE] = autotune__trouble_of((unsigned)ending, status, ranks->rank);
    (void)(ranks->max)(ranks, ballot.at, AUTOTUNE__PLACES);        /* a program may have a macro named max */
}
/* With the lock: the outermost one of the same ranks. */
static autotune__council *autotune__council_beside(const autotune__council *council) {
    autotune__council *at, *other = NULL;
    for (at = autotune__councils; at; at = at->next) if (at->ranks == council->ranks) other = at;
    return other;
}
/* Takes one of the exchanges that are owed. False: none is, and the council does not sit any more. */
static bool autotune__owes_exchange(autotune__council *council) {
    autotune__council **at = &autotune__councils;
    bool owes;
    autotune__lock_mutex(&autotune__lock);
    owes = council->owed > 0;
    if (owes) council->owed--;
    while (!owes && *at && *at != council) at = &(*at)->next;
    if (!owes && *at) *at = council->next;
    autotune__unlock_mutex(&autotune__lock);
    return owes;
}
/* Nobody waits for this rank any more. True: statements of other threads came meanwhile. */
static bool autotune__adjourn(autotune__council *council) {
    bool any = false;
    if (!council->sits) return false;
    for (; autotune__owes_exchange(council); any = true)
        if (council->cause != AUTOTUNE__UNREACHABLE)
            autotune__abstain(council->ranks, AUTOTUNE__UNTUNED_CALL, AUTOTUNE_ERR_ARGUMENT);
    council->sits = council->in_step = false;
    return any;
}
/* Another thread agrees with the ranks just now, so that this statement cannot. Every statement takes part in one
   exchange at least, or the ranks would count differently, and one of them wait in the end: that thread makes it for
   this one. If the statement is inside one of its own thread, no other rank has it. */
static void autotune__leave_exchange(autotune__council *council) {
    autotune__council *other;
    do {
        autotune__lock_mutex(&autotune__lock);
        other = autotune__council_beside(council);
        if (other && !autotune__is_same_thread(other->thread, autotune__this_thread())) other->owed++;
        autotune__unlock_mutex(&autotune__lock);
    } while (!other && !autotune__convene(council));
    if (other) return;
    autotune__abstain(council->ranks, AUTOTUNE__UNTUNED_CALL, AUTOTUNE_ERR_ARGUMENT);       /* it ended meanwhile */
    (void)autotune__adjourn(council);
}
/* From here on ranks have to know the same of this, too. */
static void autotune__walk_on(autotune__council *council, uint64_t word) {
    council->path = autotune__hash_word(council->path, word);
}
/* WHERE, PRIORITY and MODEL said this of a point. */
static AUTOTUNE__UNUSED void autotune__walk_past(autotune__council *council, uint64_t index, bool admitted,
                                                 int64_t group, int64_t intra, double cost) {
    uint64_t bits;
    memcpy(&bits, &cost, sizeof bits);
    council->judged = true;
    autotune__walk_on(council, index << 1 | admitted);
    autotune__walk_on(council, (uint64_t)group);
    autotune__walk_on(council, (uint64_t)intra);
    autotune__walk_on(council, bits);
}
static bool autotune__is_in_step(const autotune__council *council) {
    return council && council->sits && council->in_step;
}

/* The statement cannot agree any more, and ends like this. */
static void autotune__dissolve(autotune__council *council, autotune__ending ending, autotune__cause cause) {
    if (council->ending < ending) council->ending = ending;
    council->cause = cause;
    (void)autotune__adjourn(council);
}
static void autotune__lose_touch(autotune__council *council, autotune_status status) {
    council->trouble.status = status;
    council->trouble.rank = council->ranks->rank;
    autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__UNREACHABLE);
}
static autotune_status autotune__exchange_max(autotune__council *council, double *values, size_t count) {
    autotune__council *const outer = autotune__waits_in;
    autotune_status status;
    council->said_waiting = false;
    autotune__waits_in = council;
    status = (council->ranks->max)(council->ranks, values, count);     /* a program may have a macro named max */
    autotune__waits_in = outer;
    return status;
}
/* Ranks are out of step: why, as far as the last ballot tells? */
static autotune__cause autotune__cause_of_difference(const autotune__council *council, const autotune__ballot *own) {
    if (council->said.at[AUTOTUNE__MEASURES] > own->at[AUTOTUNE__MEASURES]) return AUTOTUNE__KNOWS_NO_RACE;
    return council->trouble.status == AUTOTUNE_ERR_MEMORY ? AUTOTUNE__CANNOT_GO_ON : AUTOTUNE__OUT_OF_STEP;
}
/* Exchanges a ballot. False: the council is dissolved, since a rank came to its end, the ranks are out of step, or they
   cannot reach each other. */
static bool autotune__vote(autotune__council *council, const autotune__ballot *own) {
    autotune_status status;
    council->said = *own;
    autotune__pledge(&council->said, AUTOTUNE__PATH, council->path);
    council->said.at[AUTOTUNE__GOES_ON] = own->at[AUTOTUNE__ENDING] == 0;
    council->judged = false;
    status = autotune__exchange_max(council, council->said.at, AUTOTUNE__PLACES);
    council->trouble = autotune__read_trouble(status == AUTOTUNE_OK ? council->said.at[AUTOTUNE__TROUBLE] : 0);
    if (status != AUTOTUNE_OK) autotune__lose_touch(council, status);
    else if (council->said.at[AUTOTUNE__ENDING] > 0) {
        const bool alike = council->said.at[AUTOTUNE__GOES_ON] == 0 &&
                           autotune__is_unanimous(&council->said, AUTOTUNE__PATH);
        if (!alike) autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__AT_ITS_END);
        autotune__dissolve(council, (autotune__ending)(int)council->said.at[AUTOTUNE__ENDING], AUTOTUNE__AT_ITS_END);
    } else if (!autotune__is_unanimous(&council->said, AUTOTUNE__PATH))
        autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, autotune__cause_of_difference(council, own));
    return council->sits;
}
/* The bytes of rank 0 become everybody's. False: the council is dissolved. */
static bool autotune__share(autotune__council *council, void *bytes, size_t count) {
    autotune__council *const outer = autotune__waits_in;
    autotune_status status;
    autotune__waits_in = council;
    status = council->ranks->share(council->ranks, bytes, count);
    autotune__waits_in = outer;
    if (status == AUTOTUNE_OK) return true;
    autotune__lose_touch(council, status);
    return false;
}

/* A statement ends before it has a council: the other ranks must not wait for it. */
static void autotune__resign(const autotune_options *options, autotune_status status) {
    autotune_ranks *ranks = autotune__ranks_of(options);
    if (ranks && ranks->max) autotune__abstain(ranks, AUTOTUNE__NO_CALL, status);
}

/* Says once in an exchange that it takes long. */
AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom) {
    autotune__council *council = autotune__waits_in;
    autotune__text line = { NULL, false };
    if (!council || council->ranks != self || council->said_waiting || !(seconds >= 10)) return;
    council->said_waiting = true;
    if (council->subject) autotune__append_subject(&line, council->subject);
    else autotune__append(&line, "autotune_agree()");
    autotune__append(&line,
                     ": rank %d of %d has been waiting for %s for %.0f s: all ranks have to call this statement, with "
                     "the same key, and with AUTOTUNE_MODE=off on all or on none",
                     self->rank, self->count, whom ? whom : "other ranks", seconds);
    if (autotune__environment.log >= AUTOTUNE_LOG_ERRORS) /* also on a rank that is hushed: rank 0 may be missing */
        autotune__write_line(AUTOTUNE_LOG_ERRORS, autotune__string(&line));
    autotune__free_text(&line);
}

/* A sitting is what a call that is no hit is for the other ranks: a council, or one ballot by which the rank abstains.

   Exchanges have no names: the n-th of a rank meets the n-th of every other rank, whichever of its threads makes it. So
   each call that is no hit has exactly one sitting. All ranks leave a sitting after the same exchange, since ballots
   alone, which all of them know, decide that: at its common end, or as soon as it shows that they do not mean the same
   call. So no rank waits for ever, in whatever order its threads call, if each call is a hit on all ranks or on none.

   It is. A key becomes known only in a sitting that is the n-th one of this key on all ranks; calls of the key that
   came during this sitting have none. So the first n calls of a key have a sitting on every rank, and later ones on no
   rank. Where all ranks have one thread, calls meet in their order, and nobody looks at n: then a call that one rank
   could not make, or made with another key, does not hinder later ones. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/ranks.h"
#include "../system/threads.h"
#include "../base/process.h"
#include "../registry/records.h"
#include "../registry/subject.h"
#include "../registry/look_up.h"
#include "ballot.h"

/* Why a council is dissolved. */
typedef enum autotune__cause {
    AUTOTUNE__AT_ITS_END,                       /* a rank came to its end before the others */
    AUTOTUNE__OUT_OF_STEP,
    AUTOTUNE__CANNOT_GO_ON,                     /* out of step, since a rank is out of memory */
    AUTOTUNE__KNOWS_NO_RACE,                    /* out of step, since others measure calls of an online race */
    AUTOTUNE__DISORDERED,                       /* ranks are in other calls, and one has several threads */
    AUTOTUNE__UNREACHABLE
} autotune__cause;
/* The ranks of one statement, from their first exchange to their common end. */
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
    bool kept;                                  /* all ranks have published the winner */
    bool counted;                               /* the sitting is among those of its record */
    bool crowded;                               /* other calls of its key came meanwhile */
    unsigned owed;                              /* sittings that calls of other threads left to this one's thread */
    autotune__thread thread;
    struct autotune__council *next;             /* in the list of those that sit */
} autotune__council;
/* With autotune__lock: those of all threads that sit. Those with the same ranks are of one thread. */
static autotune__council *autotune__councils;

/* With the lock: do calls that are no hit come from several threads of this process? */
static bool autotune__several_threads;
static void autotune__note_thread(void) {
    static bool any;
    static autotune__thread first;
    if (any && !autotune__is_same_thread(first, autotune__this_thread())) autotune__several_threads = true;
    if (!any) first = autotune__this_thread();
    any = true;
}
static autotune__record *autotune__record_of_council(const autotune__council *council) {
    return council->subject ? council->subject->record : NULL;
}
/* With the lock: the outermost council of these ranks; NULL: none sits. */
static autotune__council *autotune__outermost_council(const autotune_ranks *ranks) {
    autotune__council *at, *outermost = NULL;
    for (at = autotune__councils; at; at = at->next) if (at->ranks == ranks) outermost = at;
    return outermost;
}
/* Does this thread agree with these ranks in a statement that is not in step? In its trials others may not be. */
static AUTOTUNE__UNUSED bool autotune__is_apart(const autotune_ranks *ranks) {
    const autotune__council *at;
    bool apart = false;
    autotune__lock_mutex(&autotune__lock);
    for (at = autotune__councils; at; at = at->next)
        if (at->ranks == ranks && !at->in_step && autotune__is_same_thread(at->thread, autotune__this_thread()))
            apart = true;
    autotune__unlock_mutex(&autotune__lock);
    return apart;
}
/* With the lock: does a council sit because of this record? */
static bool autotune__is_met_about(const autotune__record *record) {
    const autotune__council *at = autotune__councils;
    while (at && autotune__record_of_council(at) != record) at = at->next;
    return at != NULL;
}
static void autotune__take_seat(autotune__council *council) {              /* with the lock */
    council->sits = true;
    council->kept = council->counted = council->crowded = false;
    council->thread = autotune__this_thread();
    council->cause = AUTOTUNE__AT_ITS_END;
    council->next = autotune__councils;
    autotune__councils = council;
}
/* A statement begins to agree, unless a statement of another thread agrees with the same ranks just now: false. */
static bool autotune__convene(autotune__council *council) {
    const autotune__council *other;
    council->all_race = council->subject && council->subject->options.agree != AUTOTUNE_FIRST;
    autotune__lock_mutex(&autotune__lock);
    autotune__note_thread();
    other = autotune__outermost_council(council->ranks);
    if (!other || autotune__is_same_thread(other->thread, autotune__this_thread())) autotune__take_seat(council);
    autotune__unlock_mutex(&autotune__lock);
    return council->sits;
}
/* A statement ends without an exchange of its own: the other ranks must not wait for it. */
static void autotune__abstain(autotune_ranks *ranks, autotune__ending ending, autotune_status status) {
    autotune__ballot ballot = { { 0 } };
    ballot.at[AUTOTUNE__ENDING] = ending;
    ballot.at[AUTOTUNE__TROUBLE] = autotune__trouble_of((unsigned)ending, status, ranks->rank);
    (void)(ranks->max)(ranks, ballot.at, AUTOTUNE__PLACES);        /* a program may have a macro named max */
}
/* With the lock: the thread of this council will abstain so often for calls of the record. */
static void autotune__owe(autotune__council *council, autotune__record *record, unsigned sittings) {
    council->owed += sittings;
    if (record) record->sittings += sittings;
}
/* With the lock: the calls of the key that came during its sitting have none if it is known now, and else one each. */
static void autotune__settle_debts(autotune__council *council, autotune__record *record) {
    const unsigned owed = record->owed;
    if (!council->counted) record->sittings++;
    council->counted = true;
    record->owed = 0;
    if (!owed || (council->kept && record->entry)) return;
    council->crowded = true;
    autotune__owe(autotune__outermost_council(council->ranks), record, owed);
}
/* Takes one of the sittings that are owed. False: none is, and the council does not sit any more. */
static bool autotune__owes_sitting(autotune__council *council) {
    autotune__council **at = &autotune__councils;
    bool owes;
    autotune__lock_mutex(&autotune__lock);
    if (autotune__record_of_council(council)) autotune__settle_debts(council, autotune__record_of_council(council));
    owes = council->owed > 0;
    if (owes) council->owed--;
    else {
        while (*at && *at != council) at = &(*at)->next;
        if (*at) *at = council->next;
    }
    autotune__unlock_mutex(&autotune__lock);
    return owes;
}
/* Nobody waits for this rank any more. True: other calls of its key came meanwhile, and have abstained. */
static bool autotune__adjourn(autotune__council *council) {
    if (!council->sits) return false;
    while (autotune__owes_sitting(council))
        if (council->cause != AUTOTUNE__UNREACHABLE)
            autotune__abstain(council->ranks, AUTOTUNE__UNTUNED_CALL, AUTOTUNE_ERR_ARGUMENT);
    council->sits = council->in_step = false;
    return council->crowded;
}
/* The winner is known already, on all ranks: this call has no sitting. */
static void autotune__adjourn_unneeded(autotune__council *council) {
    council->kept = council->counted = true;
    (void)autotune__adjourn(council);
}
/* The call of this council abstains, and with it those of its key that came meanwhile: by the thread that agrees with
   the ranks just now, or here if there is none any more. If the key is known by now, they have no sitting; if a sitting
   may make it known, they wait for what that brings. own: the call itself abstains, too. */
static void autotune__leave_sitting(autotune__council *council, bool own) {
    autotune__record *record = autotune__record_of_council(council);
    autotune__council *other;
    autotune__lock_mutex(&autotune__lock);
    autotune__note_thread();
    other = autotune__outermost_council(council->ranks);
    if (record && autotune__is_met_about(record)) record->owed += own;
    else if (record && autotune__is_known(council->subject)) record->owed = 0;
    else {
        const unsigned owed = own + (record ? record->owed : 0u);
        if (record) record->owed = 0;
        if (!other) {
            other = council;
            autotune__take_seat(council);
            council->counted = true;
        }
        autotune__owe(other, record, owed);
    }
    autotune__unlock_mutex(&autotune__lock);
    (void)autotune__adjourn(council);
}

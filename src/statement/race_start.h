/* What a race begins with beside its limits: which configurations come first, which come last, and, of a winner that is
   not sure, what was shown of its finalists. Of ranks that race together rank 0 alone knows this. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "statement.h"
#include "suspects.h"

/* The point of the winner of before: of this process, if mode FORCE tunes again, or of a record on disk. */
static size_t autotune__incumbent_of(autotune__statement *statement) {
    size_t index = autotune__verifies(&statement->subject) ? statement->prior.recalled.candidates[0]
                                                           : statement->prior.former.winner;
    autotune__lock_mutex(&autotune__lock);
    if (statement->subject.known_key->entry) index = statement->subject.known_key->entry->result.index;
    autotune__unlock_mutex(&autotune__lock);
    return index;
}
/* Is the space too large to be listed? Filters of axes may leave out so much of it that it is listed nonetheless. */
static bool autotune__is_unlisted(const autotune__space *space) {
    return space->points > AUTOTUNE_MAX_POINTS && !space->pruned;
}
/* The race begins: with all but the limits, which are set. */
static void autotune__gather_beginning(autotune__statement *statement, autotune__beginning *beginning) {
    const autotune_strategy strategy = beginning->limits.strategy;
    const bool in_order = strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM,
               seeded = statement->subject.mode == AUTOTUNE_ONLINE || !in_order ||
                        autotune__is_unlisted(statement->subject.space);
    autotune__enter_race(&statement->store, seeded ? &beginning->seeds : NULL, &beginning->deferred);
    beginning->incumbent = autotune__incumbent_of(statement);
}
/* What a race of the statement's space begins with. */
static void autotune__describe_race(const autotune__statement *statement, const autotune__beginning *beginning,
                                    autotune__race_setup *setup) {
    memset(setup, 0, sizeof *setup);
    setup->points = statement->subject.space->points;
    setup->space = statement->subject.space;
    setup->sampled = autotune__is_unlisted(setup->space);
    setup->purpose = autotune__verifies(&statement->subject) ? AUTOTUNE__TO_VERIFY
                     : autotune__environment.audits ? AUTOTUNE__TO_AUDIT : AUTOTUNE__TO_TUNE;
    setup->incumbent = beginning->incumbent;
    setup->seeds = beginning->seeds;
    setup->deferred = beginning->deferred.points;
    setup->deferred_count = beginning->deferred.count;
}

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

static bool autotune__is_together(const autotune__statement *statement) {
    return statement->group.joined && statement->group.all_race;
}
/* The point of the winner of before: of this process, if mode FORCE tunes again, or of a record on disk. */
static size_t autotune__incumbent_of(autotune__statement *statement) {
    size_t index = statement->store.former.winner;
    autotune__lock_mutex(&autotune__lock);
    if (statement->subject.known_key->entry) index = statement->subject.known_key->entry->result.index;
    autotune__unlock_mutex(&autotune__lock);
    return index;
}
/* Is the space too large to be listed? Filters of axes may leave out so much of it that it is listed nonetheless. */
static bool autotune__is_unlisted(const autotune__space *space) {
    return space->points > AUTOTUNE_MAX_POINTS && !space->pruned;
}
/* All but the limits, which are set. */
static void autotune__gather_beginning(autotune__statement *statement, autotune__beginning *beginning) {
    const autotune_strategy strategy = beginning->limits.strategy;
    const bool in_order = strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM;
    beginning->incumbent = autotune__incumbent_of(statement);
    beginning->seeds.count = 0;
    if (statement->subject.mode == AUTOTUNE_ONLINE || !in_order || autotune__is_unlisted(&statement->subject.space))
        autotune__seed_from_disk(&statement->store,
                                 autotune__seed_from_process(&statement->subject, &beginning->seeds),
                                 &beginning->seeds);
    autotune__gather_suspects(&statement->store, &beginning->suspects);
    beginning->undivided = autotune__open_notes(&statement->store) > 0;
}
/* What a race of the statement's space begins with. */
static void autotune__describe_race(const autotune__statement *statement, autotune__race_setup *setup) {
    const autotune__beginning *beginning = &statement->agreed;
    memset(setup, 0, sizeof *setup);
    setup->points = statement->subject.space.points;
    setup->space = &statement->subject.space;
    setup->sampled = autotune__is_unlisted(setup->space);
    setup->incumbent = beginning->incumbent;
    setup->seeds = beginning->seeds;
    setup->deferred = beginning->suspects.points;
    setup->deferred_count = beginning->suspects.count;
}

/* Do ranks divide the race? They do not if it is only a duel, or if an earlier run of the program ended in a trial:
   only rank 0 writes launch notes, which name the culprit if all ranks launch the same. */
static bool autotune__is_divided(const autotune__statement *statement, const autotune__beginning *beginning) {
    return statement->subject.options.agree == AUTOTUNE_DIVIDED && statement->subject.mode != AUTOTUNE_ONLINE &&
           !statement->store.again.due && !beginning->undivided;
}
/* What rank 0 tells the others before a race. */
typedef struct autotune__opening {
    autotune__beginning beginning;
    autotune__again again;
    size_t left_out;                            /* how many points a duel that goes on leaves out */
    size_t former_rows;                         /* how many have times from earlier runs; 0: these do not count */
    bool only_contenders;                       /* as in autotune__former */
} autotune__opening;
/* Which configurations lost before the program was built anew, so that no rank launches them. Without memory on a rank
   all ranks launch all. False: the group has ended. */
static bool autotune__share_former(autotune__statement *statement, const autotune__opening *opening) {
    autotune__rank_group *group = &statement->group;
    autotune__former *former = &statement->store.former;
    autotune__reduction reduction = { { 0 } };
    reduction.at[AUTOTUNE__NO_MEMORY] = group->ranks->rank > 0 && !AUTOTUNE__ROOM(former->rows, opening->former_rows);
    if (!autotune__all_reduce(group, &reduction)) return false;
    if (group->said.at[AUTOTUNE__NO_MEMORY] > 0) { autotune__forget_former(&statement->store); return true; }
    autotune__set_count(former->rows, opening->former_rows);
    former->only_contenders = opening->only_contenders;
    return autotune__broadcast(group, former->rows, opening->former_rows * sizeof *former->rows);
}
/* False: the group has ended. */
static bool autotune__broadcast_beginning(autotune__statement *statement, const autotune__beginning *own) {
    autotune__store *store = &statement->store;
    autotune__opening opening;
    memset(&opening, 0, sizeof opening);
    opening.beginning = *own;
    opening.again = store->again;
    opening.left_out = store->former.left_out;
    opening.only_contenders = store->former.only_contenders;
    if (statement->subject.options.agree == AUTOTUNE_TOGETHER && statement->subject.mode != AUTOTUNE_ONLINE &&
        !store->again.due)
        opening.former_rows = autotune__count(store->former.rows);
    if (!autotune__broadcast(&statement->group, &opening, sizeof opening)) return false;
    statement->agreed = opening.beginning;
    if (statement->group.ranks->rank == 0 && store->again.due) return true;
    if (opening.former_rows) return autotune__share_former(statement, &opening);
    autotune__forget_former(store);             /* the others do not know what was measured before */
    if (statement->group.ranks->rank == 0) return true;
    store->again = opening.again;
    autotune__forget_texts(&store->again.race);
    if (store->again.due) store->former.left_out = opening.left_out;
    return true;
}

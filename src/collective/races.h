/* A race of ranks: which ranks race, and their common knowledge at its beginning. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "group_end.h"
#include "meet.h"

/* Returns true if all ranks race the key: together, or each its part. */
static bool autotune__is_together(const autotune__statement *statement) {
    return statement->trial.group->stage >= AUTOTUNE__ALL_RACE;
}
/* Returns why ranks keep trials from running in a child process. NULL: ranks are no reason against a child. */
static const char *autotune__bound_to_others(const autotune__statement *statement) {
    return autotune__is_together(statement) ? "ranks that race together agree after each launch, and a child process "
                                              "does not reach the others" : NULL;
}
/* Returns true if the first rank alone races this key, and this rank is another rank. */
static bool autotune__leaves_race_to_first(const autotune__statement *statement) {
    return statement->trial.group->stage == AUTOTUNE__JOINED && !autotune__is_first_rank(statement->trial.group) &&
           (autotune__may_tune(&statement->subject) || autotune__verifies(&statement->subject));
}
/* Returns true if a configuration is deferred: an earlier run of the program ended while it launched this
   configuration. */
static bool autotune__has_deferred(const autotune__prior_row *rows) {
    size_t i = 0;
    while (i < autotune__count(rows) && !(rows[i].flags & AUTOTUNE__DEFERRED)) i++;
    return i < autotune__count(rows);
}
/* Returns true if ranks divide the race. They do not divide:
   - a space of 2^53 points or more, since ranks exchange points as doubles;
   - the calls of mode ONLINE, an audit, or a race that only duels finalists again;
   - a race after an earlier run ended in a trial. Only the first rank writes launch notes. Only if all ranks launch the
     same configurations, these notes name the configuration that ends the program. */
static bool autotune__is_divided(const autotune__statement *statement) {
    if ((double)statement->subject.space->points >= 9007199254740992.0) return false;    /* 2^53 */
    return statement->subject.options.agree == AUTOTUNE_DIVIDED && !statement->plan.measures &&
           !statement->prior.recalled.duel && !autotune__has_deferred(statement->prior.rows) &&
           !autotune__environment.audits;
}
/* If the race is divided, sets the part of the space that this rank races. */
static void autotune__take_part(const autotune__statement *statement, autotune__race_setup *setup) {
    const autotune__peer_group *group = statement->trial.group;
    if (!autotune__races_part(group)) return;
    setup->part = (size_t)group->ranks->rank;
    setup->parts = (size_t)group->ranks->count;
}
/* Broadcasts the prior knowledge of the first rank before a race. Times of earlier runs do not count, except in a
   repeated duel, which needs the rows of its finalists. Each rank makes room for the rows, and for the finalists of
   parts. Returns false if the group has ended, or if a rank has no memory. */
static bool autotune__broadcast_beginning(autotune__statement *statement, autotune__beginning *beginning) {
    struct { autotune__beginning beginning; autotune__prior prior; size_t count; } opening;
    autotune__peer_group *group = statement->trial.group;
    autotune__prior *prior = &statement->prior;
    if (!autotune__is_first_rank(group)) autotune__set_count(prior->rows, 0);
    else if (!prior->recalled.duel) autotune__forget_times(prior);
    /* An online race does not read the flag SUSPECT. Its flags SKIP and CONVICTED stay, since each rank asks its own
       rows which points it skips. */
    if (statement->plan.measures) autotune__forget_flags(prior, AUTOTUNE__SUSPECT);
    memset(&opening, 0, sizeof opening);
    opening.beginning = *beginning;
    opening.prior = *prior;
    opening.count = autotune__count(prior->rows);
    if (!autotune__broadcast(group, &opening, sizeof opening) ||
        autotune__all_have_memory(group, !AUTOTUNE__ROOM(prior->rows, opening.count + AUTOTUNE__FINALISTS)) !=
            AUTOTUNE_OK)
        return false;
    *beginning = opening.beginning;
    opening.prior.rows = prior->rows;
    *prior = opening.prior;
    autotune__set_count(prior->rows, opening.count);
    if (!autotune__is_first_rank(group)) autotune__forget_texts(&prior->recalled.result);
    return !opening.count || autotune__broadcast(group, prior->rows, opening.count * sizeof *prior->rows);
}
/* Called at the beginning of a race. If all ranks race, they take the prior knowledge of the first rank, and the
   coarsest step of all clocks. Returns false if no race begins: the first rank found a winner, the group ended, or a
   rank has no memory. */
static bool autotune__begin_together(autotune__statement *statement, autotune__beginning *beginning) {
    autotune__peer_group *group = statement->trial.group;
    if (statement->plan.measures ? !autotune__is_joined(group) : !autotune__is_together(statement))
        return true;
    if (!autotune__all_reduce_one(group, AUTOTUNE__TICK, beginning->limits.tick_ns))
        return autotune__end_with_group(statement);
    if (group->values[AUTOTUNE__WINNER_FOUND] > 0) {
        autotune__stop_racing(statement);
        autotune__recall_together(statement);
        return false;
    }
    /* The launch note is written before any rank launches. */
    if (autotune__is_divided(statement)) (void)autotune__note_launch(&statement->store, SIZE_MAX, AUTOTUNE__NOTE_BEGUN);
    beginning->limits.tick_ns = group->values[AUTOTUNE__TICK];
    if (!autotune__broadcast_beginning(statement, beginning)) {
        if (!group->ending) autotune__withdraw_launch(&statement->trial);
        return autotune__end_with_group(statement);
    }
    statement->trial.seconds = 0;
    group->stage = AUTOTUNE__IN_STEP;
    return true;
}

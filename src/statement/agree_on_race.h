/* The agreements of a statement with ranks outside of trials. All ranks mean the same, and agree on the candidates of
   the first rank, the beginning of the race, and the end of the statement. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "statement.h"
#include "join_ranks.h"
#include "verification.h"
#include "guessed.h"
#include "phase.h"
#include "launch.h"
#include "settle.h"
#include "agree_on_launch.h"
#include "race_start.h"
#include "options.h"

/* Do all ranks race the key, together or each its part? */
static bool autotune__is_together(const autotune__statement *statement) {
    return statement->trial.group.stage >= AUTOTUNE__ALL_RACE;
}
/* Why the race of a statement works in no child process. NULL: it does, as far as other ranks are concerned. */
static const char *autotune__bound_to_others(const autotune__statement *statement) {
    return autotune__is_together(statement) ? "ranks that race together agree after each launch, and a child process "
                                              "does not reach the others" : NULL;
}
/* The first rank alone will not race for all. */
static void autotune__let_all_race(autotune__statement *statement) {
    if (autotune__is_joined(&statement->trial.group)) statement->trial.group.stage = AUTOTUNE__ALL_RACE;
}
/* The group has ended: the statement ends as it has to. */
static void autotune__follow(autotune__statement *statement) {
    const autotune__rank_group *group = &statement->trial.group;
    const autotune_status status = group->trouble.status != AUTOTUNE_OK ? group->trouble.status
                                                                          : AUTOTUNE_ERR_ENVIRONMENT;
    const char *instead = group->ending == AUTOTUNE__NO_CALL ? "the call was not made" : autotune__instead(statement);
    autotune__break_race(statement);
    if (group->cause == AUTOTUNE__OUT_OF_STEP)
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT, "the ranks are out of step: %s; %s",
                         autotune__has_text(&group->difference) ? autotune__string(&group->difference)
                                            : "all ranks make the same calls in the same order, with the same version, "
                                              "key, space, mode and options, and .key has all that WHERE, PRIORITY and "
                                              "MODEL read", instead);
    else
        autotune__report(statement, status, "rank %d %s (%s); %s", group->trouble.rank,
                         group->cause == AUTOTUNE__UNREACHABLE ? "cannot reach the other ranks"
                                                               : "came to its end before the others",
                         group->cause == AUTOTUNE__UNREACHABLE ? autotune__reason(&statement->trial, status)
                                                               : autotune_status_text(status), instead);
    autotune__free_text(&statement->trial.group.difference);
    if (group->ending == AUTOTUNE__NO_CALL) (void)autotune__end(statement);
    else (void)autotune__seek_first(statement);
}
/* The same, if the group has ended. Returns false if the group has not ended, or if there is none. */
static bool autotune__has_followed(autotune__statement *statement) {
    if (statement->trial.group.ending) autotune__follow(statement);
    return statement->trial.group.ending != AUTOTUNE__NO_END;
}

/* Finds the candidates that the first rank knows, or this process alone. Returns false if the group has ended. */
static bool autotune__recall_agreed(autotune__statement *statement) {
    const bool alone = !autotune__is_joined(&statement->trial.group);
    if (alone || autotune__is_first_rank(&statement->trial.group)) {
        statement->prior.recalled.spent = autotune__has_spent_run();
        autotune__choose_mode(statement);
        autotune__find_candidates(statement, alone || statement->aim != AUTOTUNE__AIM_LAUNCH);
    }
    if (!alone && !autotune__broadcast_recalled(&statement->trial.group, &statement->prior.recalled)) {
        autotune__follow(statement);
        return false;
    }
    autotune__choose_mode(statement);           /* as the first rank has */
    autotune__verify_if_known(statement);
    return true;
}
/* If this process knows the winner of the key, all its ranks know it, and leave each other. Else this is their first
   meeting. Returns true if the statement goes on, with candidates, if any are known. Returns false if it is decided
   what the statement does instead. */
static bool autotune__meet(autotune__statement *statement, bool knows_winner) {
    autotune__rank_group *group = &statement->trial.group;
    const bool joined = autotune__is_joined(group);
    if (knows_winner) { autotune__leave_group(group); return true; }
    if (group->ranks && !joined) {
        (void)autotune__stay_untuned(statement, AUTOTUNE_ERR_ARGUMENT,
                                     group->stays_apart
                                         ? "the ranks were out of step in two calls of this statement, and compare "
                                           "again in every 64th one"
                                     : autotune__is_in_trial_of_rank()
                                         ? "this rank is in a trial that it makes alone"
                                         : "another thread is in a statement of these ranks just now, and they come "
                                           "one at a time, in the same order on all ranks");
        return false;
    }
    if (joined && !autotune__mean_the_same(group, statement->aim == AUTOTUNE__AIM_TUNE)) {
        autotune__follow(statement);
        return false;
    }
    return autotune__recall_agreed(statement);
}
/* All ranks launch the candidates that the first rank knows. */
static void autotune__recall_together(autotune__statement *statement) {
    if (autotune__broadcast_recalled(&statement->trial.group, &statement->prior.recalled))
        (void)autotune__recall_next(statement);
    else autotune__follow(statement);
}
/* A winner became known: of a race of the first rank, or of another process. It is launched as a candidate of the
   cache. Other ranks come here to wait for what the first rank finds. */
static void autotune__recall_news(autotune__statement *statement) {
    autotune__rank_group *group = &statement->trial.group;
    if (!autotune__is_joined(group)) (void)autotune__recall_next(statement);
    else if (autotune__is_in_step(group) ||         /* they know it */
             autotune__all_reduce_one(group, AUTOTUNE__NEWS, autotune__is_first_rank(group)))
        autotune__recall_together(statement);
    else autotune__follow(statement);
}
/* The winner of a race of the first rank alone becomes its only candidate, which all ranks launch. Returns false if
   this was no such race. */
static bool autotune__tells_winner(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    if (!autotune__races_alone(&statement->trial.group)) return false;
    autotune__free_memories(&statement->trial.memories, statement->subject.backend);
    autotune__stop_racing(statement);
    recalled->result = statement->result;
    recalled->candidates[0] = statement->result.index;
    recalled->count = 1;
    recalled->next = 0;
    autotune__recall_news(statement);
    return true;
}
/* Does the first rank alone race this key, and this is another rank? */
static bool autotune__leaves_race_to_first(const autotune__statement *statement) {
    return statement->trial.group.stage == AUTOTUNE__JOINED && !autotune__is_first_rank(&statement->trial.group) &&
           (autotune__may_tune(&statement->subject) || autotune__verifies(&statement->subject));
}
/* Did an earlier run of the program end in a launch? */
static bool autotune__has_deferred(const autotune__prior_row *rows) {
    size_t i = 0;
    while (i < autotune__count(rows) && !(rows[i].flags & AUTOTUNE__LAST)) i++;
    return i < autotune__count(rows);
}
/* Returns true if ranks divide the race. They do not if it is only a duel. They do not if an earlier run of the program
   ended in a trial. The first rank alone writes launch notes, which name the culprit only if all launch the same. They
   do not if a double does not hold the number of each point, since ranks exchange points as doubles. */
static bool autotune__is_divided(const autotune__statement *statement) {
    if ((double)statement->subject.space->points >= 9007199254740992.0) return false;    /* 2^53 */
    return statement->subject.options.agree == AUTOTUNE_DIVIDED && statement->subject.mode != AUTOTUNE_ONLINE &&
           !statement->prior.recalled.duel && !autotune__has_deferred(statement->prior.rows) &&
           !autotune__environment.audits;
}
/* Which part of the space does this rank race, if the race is divided? */
static void autotune__take_part(const autotune__statement *statement, autotune__race_setup *setup) {
    const autotune__rank_group *group = &statement->trial.group;
    if (!autotune__races_part(group)) return;
    setup->part = (size_t)group->ranks->rank;
    setup->parts = (size_t)group->ranks->count;
}
/* The first rank tells the others what it knows before a race. Times of earlier runs do not count on any rank; a duel
   that goes on has its finalists alone. All make room for the rows, and for the finalists of parts. Returns false if
   the group has ended, or a rank has no memory. */
static bool autotune__broadcast_beginning(autotune__statement *statement, autotune__beginning *beginning) {
    struct { autotune__beginning beginning; autotune__prior prior; size_t count; } opening;
    autotune__rank_group *group = &statement->trial.group;
    autotune__prior *prior = &statement->prior;
    if (!autotune__is_first_rank(group)) autotune__set_count(prior->rows, 0);
    else if (!prior->recalled.duel) autotune__forget_times(prior);
    /* Flags of suspects stay, since each rank of an online race asks its own rows which points it skips. */
    if (statement->subject.mode == AUTOTUNE_ONLINE) autotune__forget_flags(prior, AUTOTUNE__SUSPECT);
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
/* A race begins. If all ranks race together, they do so with what the first rank knows, and the coarsest clock. Returns
   false if no race begins: the first rank learnt of a winner, the group has ended, or there is no memory. */
static bool autotune__begin_together(autotune__statement *statement, autotune__beginning *beginning) {
    autotune__rank_group *group = &statement->trial.group;
    if (statement->subject.mode == AUTOTUNE_ONLINE ? !autotune__is_joined(group) : !autotune__is_together(statement))
        return true;
    if (!autotune__all_reduce_one(group, AUTOTUNE__TICK, beginning->limits.tick_ns)) {
        autotune__follow(statement);
        return false;
    }
    if (group->said[AUTOTUNE__NEWS] > 0) {
        if (autotune__has_turn(&statement->turn)) autotune__stop_racing(statement);
        autotune__recall_together(statement);
        return false;
    }
    /* The note is there before another rank launches. */
    if (autotune__is_divided(statement)) (void)autotune__note_launch(&statement->store, SIZE_MAX, AUTOTUNE__NOTE_BEGUN);
    beginning->limits.tick_ns = group->said[AUTOTUNE__TICK];
    if (!autotune__broadcast_beginning(statement, beginning)) {
        if (!group->ending) autotune__launch_tells_nothing(&statement->trial);
        autotune__follow(statement);
        return false;
    }
    statement->trial.seconds = 0;
    group->stage = AUTOTUNE__IN_STEP;
    return true;
}

/* A candidate was prepared, or launched: all ranks learn whether it worked on all of them. A failure on another rank is
   a failure here, too. Returns false if the group has ended. */
static bool autotune__agree_on_candidate(autotune__statement *statement) {
    if (!autotune__is_joined(&statement->trial.group)) return true;
    autotune__walk_on(&statement->trial.group, statement->result.index);
    (void)autotune__new_reduction(&statement->trial.group);
    return autotune__reduce_launch(&statement->trial);
}
/* The statement comes to its end: all ranks tell how, and end alike. A winner that one rank cannot keep no rank keeps,
   or the next call would be a hit on some ranks, and a meeting on others. Returns false if the statement has not come
   to its end, or is alone. */
static bool autotune__tell_end(autotune__statement *statement, autotune__ending own) {
    autotune__rank_group *group = &statement->trial.group;
    double *said;
    if (own == AUTOTUNE__NO_END || !autotune__is_joined(group)) return false;
    said = autotune__new_reduction(group);
    said[AUTOTUNE__ENDING] = own;
    if (own == AUTOTUNE__WITH_WINNER) {
        said[AUTOTUNE__UNPUBLISHED] = !statement->entry;
        autotune__walk_on(group, statement->result.index);
    } else
        autotune__put_trouble(group, (unsigned)own,
                              statement->status != AUTOTUNE_OK ? statement->status : AUTOTUNE_ERR_MISS);
    (void)autotune__all_reduce(group);
    if (own == AUTOTUNE__WITH_WINNER && (group->ending != own || said[AUTOTUNE__UNPUBLISHED] > 0)) {
        const bool kept = statement->entry != NULL;
        autotune__unpublish(statement);
        if (group->ending == own && kept)
            autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                             "out of memory on another rank: the winner is used but cannot be kept; the next call "
                             "tunes again");
    }
    return true;
}
/* The same, if the statement has come to its end, as far as this rank is concerned, and has not told it yet. The end
   with a candidate that works is told at once. */
static bool autotune__end_together(autotune__statement *statement) {
    const autotune__phase phase = statement->head.phase;
    const autotune__ending own = phase == AUTOTUNE__SEEKING          ? AUTOTUNE__UNTUNED_CALL
                                 : phase == AUTOTUNE__CALLING_WINNER ? AUTOTUNE__WITH_WINNER
                                 : phase == AUTOTUNE__ENDED          ? AUTOTUNE__NO_CALL : AUTOTUNE__NO_END;
    if (!autotune__tell_end(statement, own)) return false;
    if (statement->trial.group.ending > own && phase != AUTOTUNE__ENDED) autotune__follow(statement);
    return true;
}

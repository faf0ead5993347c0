/* Ranks meet if they do not know the winner. They compare their statements, and launch the candidates of the first
   rank. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "join.h"
#include "launches.h"
#include "group_end.h"

/* Gets the candidates of the first rank. Returns false if the group has ended. */
static bool autotune__get_candidates(autotune__statement *statement) {
    autotune__peer_group *group = statement->trial.group;
    if (autotune__is_first_rank(group))
        autotune__find_candidates(statement, statement->plan.task != AUTOTUNE__TASK_LAUNCH);
    return autotune__broadcast_recalled(group, &statement->prior.recalled) || autotune__end_with_group(statement);
}
/* Leaves the group. This process knows the winner of the key, and all other ranks know the winner, too. */
static void autotune__leave_ranks(autotune__statement *statement) { autotune__leave_group(statement->trial.group); }
/* Another thread of an OpenMP team may be in this statement. Waits until the statement of that thread ends, or until
   its launch seems to wait for this call. Does not wait for a statement of another key. */
static void autotune__wait_for_team(autotune__statement *statement) {
    const autotune__known_key *known_key;
    autotune__peer_group *other;
    autotune__seen_progress seen = { NULL, 0, 0 };
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    while ((other = autotune__other_group(statement->trial.group, true)) != NULL && other->subject) {
        known_key = other->subject->known_key;
        if (known_key && known_key != statement->subject.known_key) return;
        if (!autotune__makes_progress(&seen, &other->turn->progress, autotune__wait_clock())) {
            statement->turn.trying = __atomic_load_n(&other->turn->trying, __ATOMIC_RELAXED);
            statement->turn.team = __atomic_add_fetch(&other->turn->team, 1, __ATOMIC_RELAXED);
            return;
        }
        autotune__await(&autotune__changed, &autotune__lock, autotune__wait_clock() + autotune__poll_ns);
    }
    statement->entry = autotune__winner_of(&statement->subject);
}
/* Compares the statements of the ranks. Returns false if they differ, or if this statement could not join its group.
   Then this function has decided how the statement goes on. */
static bool autotune__meet(autotune__statement *statement) {
    autotune__peer_group *group = statement->trial.group;
    if (!autotune__is_joined(group)) {
        if (autotune__team_size() > 1) autotune__wait_for_team(statement);
        if (statement->entry) (void)autotune__launch_known(statement);
        else if (!autotune__call_with_team(statement))
            (void)autotune__stay_untuned(statement, AUTOTUNE_ERR_ARGUMENT,
                                         group->skips_exchanges
                                             ? "the ranks were out of step in two calls of this statement, and compare "
                                               "again in every 64th one"
                                         : autotune__is_in_trial_of_rank()
                                             ? "this rank is in a trial that it makes alone"
                                             : "another thread is in a statement of these ranks just now, and they "
                                               "come one at a time, in the same order on all ranks");
        return false;
    }
    return autotune__compare_statements(group, statement->plan.task == AUTOTUNE__TASK_TUNE) ||
           autotune__end_with_group(statement);
}
/* Lets all ranks launch the candidates of the first rank. */
static void autotune__recall_together(autotune__statement *statement) {
    if (autotune__broadcast_recalled(statement->trial.group, &statement->prior.recalled))
        (void)autotune__recall_next(statement);
    else autotune__end_with_group(statement);
}
/* Called when a winner became known. Other ranks wait in this function for the result of the first rank. */
static void autotune__share_new_winner(autotune__statement *statement) {
    autotune__peer_group *group = statement->trial.group;
    if (!autotune__is_joined(group)) (void)autotune__recall_next(statement);
    else if (autotune__is_in_step(group) ||         /* all ranks know of the winner */
             autotune__all_reduce_one(group, AUTOTUNE__WINNER_FOUND, autotune__is_first_rank(group)))
        autotune__recall_together(statement);
    else autotune__end_with_group(statement);
}
/* Called after a race. If the first rank raced alone, its winner becomes the only candidate, which all ranks launch.
   Returns false if other ranks raced, too. */
static bool autotune__make_winner_the_candidate(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    if (!autotune__races_alone(statement->trial.group)) return false;
    autotune__free_memories(&statement->trial.memories, statement->subject.backend);
    autotune__stop_racing(statement);
    recalled->result = statement->result;
    recalled->candidates[0] = statement->result.index;
    recalled->count = 1;
    recalled->next = 0;
    autotune__share_new_winner(statement);
    return true;
}
/* Called if the first rank's candidates do not work on all ranks. From now on all ranks race, even if .agree says that
   the first rank races alone. */
static void autotune__race_on_all_ranks(autotune__statement *statement) {
    if (autotune__is_joined(statement->trial.group)) statement->trial.group->stage = AUTOTUNE__ALL_RACE;
}
/* Called after a candidate was prepared or launched. Tells all ranks if the candidate worked on each rank. A failure on
   another rank counts on this rank, too. Returns false if the group has ended. */
static bool autotune__agree_on_candidate(autotune__statement *statement) {
    if (!autotune__is_joined(statement->trial.group)) return true;
    autotune__hash_step(statement->trial.group, statement->result.index);
    (void)autotune__new_reduction(statement->trial.group);
    return autotune__reduce_launch(&statement->trial);
}

/* The end of a statement with ranks. It ends in the same way on all ranks. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "group_end.h"

/* Exchanges how each rank ends the statement. If one rank cannot keep the winner, no rank keeps the winner. Otherwise
   the next call would be a hit on some ranks, and the other ranks would wait for these ranks. own: how this rank ends.
   Returns false if the statement does not end, or has left its group. */
static bool autotune__tell_end(autotune__statement *statement, autotune__ending own) {
    autotune__peer_group *group = statement->trial.group;
    double *values;
    if (own == AUTOTUNE__NO_END || !autotune__is_joined(group)) return false;
    values = autotune__new_reduction(group);
    values[AUTOTUNE__ENDING] = own;
    if (own == AUTOTUNE__WITH_WINNER) {
        values[AUTOTUNE__UNPUBLISHED] = !statement->entry;
        autotune__hash_step(group, statement->result.index);
    } else
        autotune__put_trouble(group, (unsigned)own,
                              statement->status != AUTOTUNE_OK ? statement->status : AUTOTUNE_ERR_MISS);
    (void)autotune__all_reduce(group);
    if (own == AUTOTUNE__WITH_WINNER && (group->ending != own || values[AUTOTUNE__UNPUBLISHED] > 0)) {
        const bool kept = statement->entry != NULL;
        autotune__unpublish(statement);
        if (group->ending == own && kept)
            autotune__report(statement, AUTOTUNE_ERR_MEMORY,
                             "out of memory on another rank: the winner is used but cannot be kept; the next call "
                             "tunes again");
    }
    return true;
}
/* If this rank ends the statement, and has not told the other ranks yet, tells them by autotune__tell_end(). After
   autotune__end_with_candidate() the other ranks know already. Returns true if this function told them. */
static bool autotune__end_together(autotune__statement *statement) {
    const autotune__phase phase = statement->head.phase;
    const autotune__ending own = phase == AUTOTUNE__SEEKING          ? AUTOTUNE__UNTUNED_CALL
                                 : phase == AUTOTUNE__CALLING_WINNER ? AUTOTUNE__WITH_WINNER
                                 : phase == AUTOTUNE__ENDED          ? AUTOTUNE__NO_CALL : AUTOTUNE__NO_END;
    if (!autotune__tell_end(statement, own)) return false;
    if (statement->trial.group->ending > own && phase != AUTOTUNE__ENDED) autotune__end_with_group(statement);
    return true;
}
/* Called if the candidate of the first rank works on all ranks. */
static void autotune__end_with_candidate(autotune__statement *statement) {
    (void)autotune__tell_end(statement, AUTOTUNE__WITH_WINNER);
}

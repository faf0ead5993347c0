/* The end of a statement of ranks: all of them end alike. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "group_end.h"

/* The statement comes to its end: all ranks tell how, and end alike. A winner that one rank cannot keep no rank keeps,
   or the next call would be a hit on some ranks, and a meeting on others. Returns false if the statement has not come
   to its end, or is alone. */
static bool autotune__tell_end(autotune__statement *statement, autotune__ending own) {
    autotune__peer_group *group = statement->trial.group;
    double *said;
    if (own == AUTOTUNE__NO_END || !autotune__is_joined(group)) return false;
    said = autotune__new_reduction(group);
    said[AUTOTUNE__ENDING] = own;
    if (own == AUTOTUNE__WITH_WINNER) {
        said[AUTOTUNE__UNPUBLISHED] = !statement->entry;
        autotune__hash_step(group, statement->result.index);
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
    if (statement->trial.group->ending > own && phase != AUTOTUNE__ENDED) autotune__end_as_group(statement);
    return true;
}
/* The candidate of the first rank works on all of them. */
static void autotune__end_with_candidate(autotune__statement *statement) {
    (void)autotune__tell_end(statement, AUTOTUNE__WITH_WINNER);
}

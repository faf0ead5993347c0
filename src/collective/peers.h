/* The ranks of a statement as its peers: see statement/peers.h. */
#pragma once
#include "../api/floor.h"
#include "../registry/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "join.h"
#include "launches.h"
#include "group_end.h"
#include "meet.h"
#include "races.h"
#include "divide.h"
#include "end.h"

/* Notes how many ranks launch together, and if this rank is not the first rank. The number of ranks that launch
   together changes the times, so this number selects the record. */
static void autotune__begin_with_ranks(autotune__subject *subject) {
    const autotune_options *o = &subject->options;
    subject->follows = autotune__is_follower(o);
    subject->together = o->agree == AUTOTUNE_TOGETHER ? o->ranks->count : 1;
}
/* Returns true if .ranks, .first_rank or .watch is wrong, and appends a sentence. */
static bool autotune__ranks_problem(autotune__text *problem, const autotune_options *o) {
    const autotune_ranks *ranks = o->ranks;
    const bool lacks_first =
        autotune__ranks_of(o) && o->agree == AUTOTUNE_FIRST && autotune__first_rank_of(o) != o->first_rank;
    if (autotune__are_ranks(ranks) && !o->watch && !lacks_first) return false;
    if (o->watch)
        autotune__append(problem, ".watch is set beside .ranks: hits tell other ranks nothing, so none of them can be "
                                  "timed: leave out one of the two");
    else if (ranks->rank < 0 || ranks->rank >= ranks->count)
        autotune__append(problem, ".ranks has rank %d of %d: ranks are numbered from 0 on; with MPI call MPI_Init() "
                                  "before, and name a communicator that exists", ranks->rank, ranks->count);
    else if (lacks_first)
        autotune__append(problem, ".first_rank is %d: it is one of the %d ranks, from 0 on", o->first_rank,
                         ranks->count);
    else autotune__append(problem, ".ranks lacks the function %s", ranks->max ? "share" : "max");
    return true;
}
static const struct autotune__peers autotune__ranks_as_peers = {
    autotune__begin_with_ranks, autotune__meet, autotune__leave_ranks, autotune__get_candidates,
    autotune__share_new_winner, autotune__agree_on_candidate, autotune__race_on_all_ranks,
    autotune__end_with_candidate, autotune__end_together, autotune__end_if_group_ended,
    autotune__leaves_race_to_first, autotune__begin_together, autotune__divide, autotune__take_part,
    autotune__join_parts, autotune__make_winner_the_candidate, autotune__bound_to_others, autotune__step_past_point,
    autotune__step_into_run, autotune__make_ready, autotune__agree_to_go_on, autotune__agree_on_time,
    autotune__worst_of, autotune__all_launch, sizeof(autotune__peer_group), autotune__join_others,
    autotune__end_before_joining };
static const struct autotune__peers *autotune__ranks_of_call(const autotune_options *options) {
    return autotune__ranks_of(options) ? &autotune__ranks_as_peers : NULL;
}
AUTOTUNE__DEFINE_TABLE(autotune__collective_table, autotune__collective, autotune__ranks_of_call,
                       autotune__ranks_problem, autotune__is_in_trial_of_rank)

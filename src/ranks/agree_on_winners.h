/* autotune_agree(): all ranks learn the winners that rank 0 knows. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "reduction.h"
#include "group.h"
#include "all_reduce.h"

static autotune_status autotune__share_nothing(autotune_status status, const char *why) {
    autotune__complain("autotune_agree(): %s; nothing was shared", why);
    return status;
}
/* Makes an all-reduce. Returns AUTOTUNE_OK if no rank lacks memory, and all ranks are in step. */
static autotune_status autotune__all_have_memory(autotune__peer_group *group, bool no_memory) {
    autotune__new_reduction(group)[AUTOTUNE__NO_MEMORY] = no_memory;
    autotune__put_trouble(group, no_memory, AUTOTUNE_ERR_MEMORY);
    if (!autotune__all_reduce(group)) return AUTOTUNE_ERR_ENVIRONMENT;
    return group->values[AUTOTUNE__NO_MEMORY] > 0 ? AUTOTUNE_ERR_MEMORY : AUTOTUNE_OK;
}
/* Gives all ranks the lines of rank 0, and loads them. */
static autotune_status autotune__broadcast_text(autotune__peer_group *group, autotune__text *all) {
    const bool first = group->ranks->rank == 0;
    size_t bytes = autotune__count(all->at);
    autotune_status status = autotune__all_have_memory(group, all->broken);
    if (status == AUTOTUNE_OK && !autotune__broadcast(group, &bytes, sizeof bytes)) status = AUTOTUNE_ERR_ENVIRONMENT;
    if (status != AUTOTUNE_OK || !bytes) return status;
    status = autotune__all_have_memory(group, !first && !AUTOTUNE__ROOM(all->at, bytes));
    if (status == AUTOTUNE_OK && !autotune__broadcast(group, all->at, bytes)) status = AUTOTUNE_ERR_ENVIRONMENT;
    if (!first && status == AUTOTUNE_OK && (status = autotune_load_text(all->at, bytes)) != AUTOTUNE_OK)
        autotune__complain("autotune_agree(): not all of what rank 0 knows was loaded");
    return status;
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__share_winners(autotune_ranks *ranks) {
    autotune__text all AUTOTUNE__FREED = { NULL, false };
    autotune__peer_group group;
    autotune_status status;
    memset(&group, 0, sizeof group);
    group.ranks = ranks;
    if (!autotune__enter_group(&group, false))
        return autotune__share_nothing(AUTOTUNE_ERR_ARGUMENT, "another statement uses these ranks now");
    autotune__hash_step(&group, 1);               /* so that no statement has the same hash */
    if (ranks->rank == 0) autotune__append_all_known(&all);
    status = autotune__broadcast_text(&group, &all);
    autotune__leave_group(&group);
    autotune__free_text(&group.difference);
    if (status == AUTOTUNE_ERR_MEMORY) return autotune__share_nothing(status, "a rank is out of memory");
    if (status == AUTOTUNE_ERR_ENVIRONMENT)
        return autotune__share_nothing(status,
                                       "a rank was in a statement meanwhile, or the ranks cannot reach each other");
    return status;
}
AUTOTUNE__API autotune_status autotune_agree(autotune_ranks *ranks) {
    autotune__ready();
    if (!autotune__are_ranks(ranks)) return autotune__share_nothing(AUTOTUNE_ERR_ARGUMENT, "these are no ranks");
    return ranks->count == 1 ? AUTOTUNE_OK : autotune__share_winners(ranks);
}

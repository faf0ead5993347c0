/* A call of ranks that know no winner of the key. The ranks compare statement, key, space and options. Then all ranks
   learn what the first rank knows of the key. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "reduction.h"
#include "group.h"
#include "differences.h"
#include "all_reduce.h"

/* Returns true if all ranks have the same statement, key, space and options. If not, the group has ended. only_tunes:
   the statement is autotune_tune(). */
static bool autotune__compare_statements(autotune__peer_group *group, bool only_tunes) {
    autotune__text meaning AUTOTUNE__FREED = { NULL, false };
    group->only_tunes = only_tunes;
    autotune__append_meaning(&meaning, group);
    autotune__hash_step(group, autotune__hash_string(autotune__string(&meaning)));
    (void)autotune__new_reduction(group);
    autotune__put_trouble(group, meaning.broken, AUTOTUNE_ERR_MEMORY);
    if (!autotune__all_reduce(group)) return false;
    (void)autotune__set_skipped_calls(group, NULL, 0);
    return true;
}

/* Forgets the texts and the configuration of a result, since their pointers come from another rank. */
static void autotune__forget_texts(autotune_result *result) {
    memset(&result->config, 0, sizeof result->config);
    result->note = result->guessed_from = NULL;
    result->doubt = result->verdict == AUTOTUNE_UNRELIABLE ? "another rank measured it, and its log says why" : NULL;
}
/* Gives all ranks the first rank's knowledge of the key: the candidates, and the result of a hit. Texts, and members
   that describe a single call, are left out. Returns false if the group has ended. */
static bool autotune__broadcast_recalled(autotune__peer_group *group, autotune__recalled *recalled) {
    autotune__recalled known = *recalled;
    autotune_result *result = &known.result;
    if (!autotune__broadcast(group, &known, sizeof known)) return false;
    if (autotune__is_first_rank(group)) return true;
    autotune__forget_texts(result);
    result->tried = result->failed = result->launches = 0;
    result->seconds = result->loss_seconds = 0;
    *recalled = known;
    return true;
}

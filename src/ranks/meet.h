/* The first meeting of a key: do all ranks mean the same, and what does rank 0 know of it? */
#pragma once
#include <stdio.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "reduction.h"
#include "group.h"

/* All that decides what is raced, and in which order. Seed and limits are not among it: those of rank 0 count. */
static uint64_t autotune__hash_choices(const autotune__subject *subject, bool tune_only) {
    const autotune_options *o = &subject->options;
    const uint64_t words[] = { (uint64_t)subject->mode, (uint64_t)o->agree, (uint64_t)autotune__first_rank_of(o),
                               (uint64_t)o->strategy, (uint64_t)o->cache_state, o->max_trials, o->top_k,
                               autotune__word_double(o->stop_at_ns), o->restore.count, o->zero.count, o->outputs.count,
                               o->setup != NULL, o->verify != NULL, subject->backend->start != NULL,
                               subject->backend->mark != NULL, tune_only };
    uint64_t hash = 0;
    size_t i;
    for (i = 0; i < sizeof words / sizeof *words; i++) hash = autotune__hash_word(hash, words[i]);
    return hash;
}
/* Do all ranks mean the same statement, key, space and options? If not, the group has ended. */
static bool autotune__mean_the_same(autotune__rank_group *group, bool tune_only) {
    const autotune__subject *subject = group->subject;
    autotune__text key = { NULL, false };
    autotune__append_key(&key, &subject->options.key, true);
    autotune__walk_on(group, autotune__hash_string(subject->name));
    autotune__walk_on(group, subject->known_key->tuner->fingerprint);
    autotune__walk_on(group, autotune__hash_string(autotune__string(&key)));
    autotune__walk_on(group, autotune__hash_choices(subject, tune_only));
    autotune__free_text(&key);
    (void)autotune__new_reduction(group);
    return autotune__all_reduce(group);
}

/* Texts, and the configuration, stay with the rank that they are of. */
static void autotune__forget_texts(autotune_result *result) {
    memset(&result->config, 0, sizeof result->config);
    result->note = result->guessed_from = NULL;
    result->doubt =
        result->verdict == AUTOTUNE_UNRELIABLE ? "another rank has measured it, and its log says why" : NULL;
}
/* What rank 0 knows of the key becomes everybody's: the configurations that may win, and the result that a hit will
   have, but for texts and for what one call alone is about. False: the group has ended. */
static bool autotune__broadcast_recalled(autotune__rank_group *group, autotune__recalled *recalled) {
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

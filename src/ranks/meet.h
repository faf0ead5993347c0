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

/* What has to be equal on all ranks, by the place in a reduction. */
enum { AUTOTUNE__TOPICS = 4 };
typedef struct autotune__topics {
    uint64_t hash[AUTOTUNE__TOPICS];
    char name[256];                             /* the statement and its key, as rank 0 writes them */
} autotune__topics;
static autotune__reduction_place autotune__place_of(size_t topic) {
    return (autotune__reduction_place)((size_t)AUTOTUNE__SAME_TOPICS + 2 * topic);
}
/* All that decides what is raced, and in which order. Seed and limits are not among it: those of rank 0 count. */
static uint64_t autotune__hash_choices(const autotune__subject *subject, bool tune_only) {
    const autotune_options *o = &subject->options;
    const uint64_t words[] = { (uint64_t)subject->mode, (uint64_t)o->agree, (uint64_t)o->strategy,
                               (uint64_t)o->cache_state, o->max_trials, o->top_k, autotune__word_double(o->stop_at_ns),
                               o->restore.count, o->zero.count, o->outputs.count, o->setup != NULL, o->verify != NULL,
                               subject->backend->start != NULL, subject->backend->mark != NULL, tune_only };
    uint64_t hash = 0;
    size_t i;
    for (i = 0; i < sizeof words / sizeof *words; i++) hash = autotune__hash_word(hash, words[i]);
    return hash;
}
static void autotune__gather_topics(autotune__topics *topics, const autotune__subject *subject, bool tune_only) {
    autotune__text text = { NULL, false };
    memset(topics, 0, sizeof *topics);
    autotune__append_key(&text, &subject->options.key, true);
    topics->hash[0] = autotune__hash_string(subject->name);
    topics->hash[1] = subject->known_key->tuner->fingerprint;
    topics->hash[2] = autotune__hash_string(autotune__string(&text));
    topics->hash[3] = autotune__hash_choices(subject, tune_only);
    autotune__clear_text(&text);
    autotune__append_subject(&text, subject);
    snprintf(topics->name, sizeof topics->name, "%s", autotune__string(&text));
    autotune__free_text(&text);
}
/* The ranks do not mean the same: which is the first that differs from rank 0, and in what? *sentence gets the same
   text on all ranks. False: they cannot reach each other. */
static bool autotune__name_difference(autotune__rank_group *group, autotune__topics *own, autotune__text *sentence) {
    static const char *const differs[] = { "another statement", "another space or version, or another program",
                                           "another key", "another mode, or other options" };
    const autotune__topics mine = *own;
    double trouble = 0;
    size_t topic;
    if (!autotune__broadcast(group, own, sizeof *own)) return false;
    for (topic = 0; topic < AUTOTUNE__TOPICS && mine.hash[topic] == own->hash[topic]; topic++) {}
    if (topic < AUTOTUNE__TOPICS)
        trouble = autotune__trouble_of(AUTOTUNE__TOPICS - (unsigned)topic, AUTOTUNE_ERR_ARGUMENT, group->ranks->rank);
    if (!autotune__all_reduce_one(group, AUTOTUNE__TROUBLE, trouble)) return false;
    if (group->trouble.severity > 0 && group->trouble.severity <= AUTOTUNE__TOPICS)
        autotune__append(sentence,
                         "%s: rank %d came with %s: all ranks make the same calls in the same order, with the same "
                         "key, space and options; each launches its first configuration untuned",
                         own->name, group->trouble.rank, differs[AUTOTUNE__TOPICS - group->trouble.severity]);
    return true;
}
/* Do all ranks mean the same statement, key, space and options? If not, the group has ended, and *sentence says
   who differs, unless the ranks cannot tell. */
static bool autotune__mean_the_same(autotune__rank_group *group, bool tune_only, autotune__text *sentence) {
    autotune__topics topics;
    autotune__reduction reduction = { { 0 } };
    size_t topic;
    autotune__gather_topics(&topics, group->subject, tune_only);
    for (topic = 0; topic < AUTOTUNE__TOPICS; topic++)
        autotune__put_equal(&reduction, autotune__place_of(topic), topics.hash[topic]);
    if (!autotune__all_reduce(group, &reduction)) return false;
    for (topic = 0; topic < AUTOTUNE__TOPICS; topic++) {
        if (!autotune__is_equal_on_all(&group->said, autotune__place_of(topic))) break;
        autotune__walk_on(group, topics.hash[topic]);
    }
    if (topic == AUTOTUNE__TOPICS) return true;
    if (autotune__name_difference(group, &topics, sentence))
        autotune__end_group(group, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__OUT_OF_STEP);
    return false;
}

/* Texts, and the configuration, stay with the rank that they are of. */
static void autotune__forget_texts(autotune_result *result) {
    memset(&result->config, 0, sizeof result->config);
    result->note = result->guessed_from = NULL;
    result->doubt = result->verdict == AUTOTUNE_UNRELIABLE ? "it was measured on rank 0, whose log says why" : NULL;
}
/* What rank 0 knows of the key becomes everybody's: the configurations that may win, and the result that a hit will
   have, but for texts and for what one call alone is about. False: the group has ended. */
static bool autotune__broadcast_recalled(autotune__rank_group *group, autotune__recalled *recalled) {
    autotune__recalled known = *recalled;
    autotune_result *result = &known.result;
    if (!autotune__broadcast(group, &known, sizeof known)) return false;
    if (group->ranks->rank == 0) return true;
    autotune__forget_texts(result);
    result->tried = result->failed = result->launches = 0;
    result->seconds = result->loss_seconds = 0;
    *recalled = known;
    return true;
}

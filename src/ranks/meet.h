/* The first meeting of a key: do all ranks mean the same, and what does rank 0 know of it? */
#pragma once
#include <stdio.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../space/key.h"
#include "../registry/subject.h"
#include "../store/session.h"
#include "ballot.h"
#include "sitting.h"
#include "council.h"

/* What has to be equal on all ranks, by the place in a ballot. */
enum { AUTOTUNE__TOPICS = 5, AUTOTUNE__TOPICS_OF_ONE_THREAD = 4 };
typedef struct autotune__topics {
    uint64_t hash[AUTOTUNE__TOPICS];
    char name[256];                             /* the statement and its key, as rank 0 writes them */
} autotune__topics;
static autotune__ballot_place autotune__place_of(size_t topic) {
    return (autotune__ballot_place)((size_t)AUTOTUNE__SAME_TOPICS + 2 * topic);
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
    topics->hash[1] = subject->tuner->fingerprint;
    topics->hash[2] = autotune__hash_string(autotune__string(&text));
    topics->hash[3] = autotune__hash_choices(subject, tune_only);
    topics->hash[4] = autotune__hash_word(0, subject->record->sittings);
    autotune__clear_text(&text);
    autotune__append_subject(&text, subject);
    snprintf(topics->name, sizeof topics->name, "%s", autotune__string(&text));
    autotune__free_text(&text);
}
/* The ranks do not mean the same: which is the first that differs from rank 0, and in what? *sentence gets the same
   text on all ranks. False: they cannot reach each other. */
static bool autotune__name_difference(autotune__council *council, autotune__topics *own, size_t topics,
                                      autotune__text *sentence) {
    static const char *const differs[] = { "another statement", "another space or version, or another program",
                                           "another key", "another mode, or other options",
                                           "another call of this key, since its threads call in another order" };
    const autotune__topics mine = *own;
    autotune__ballot ballot = { { 0 } };
    size_t topic;
    if (!autotune__share(council, own, sizeof *own)) return false;
    for (topic = 0; topic < topics && mine.hash[topic] == own->hash[topic]; topic++) {}
    if (topic < topics)
        ballot.at[AUTOTUNE__TROUBLE] = autotune__trouble_of(AUTOTUNE__TOPICS - (unsigned)topic, AUTOTUNE_ERR_ARGUMENT,
                                                            council->ranks->rank);
    if (!autotune__vote(council, &ballot)) return false;
    if (council->trouble.severity > 0 && council->trouble.severity <= AUTOTUNE__TOPICS)
        autotune__append(sentence, "%s: rank %d came with %s: the ranks of a statement call it with the same key, "
                                   "space and options; each launches its first configuration untuned",
                         own->name, council->trouble.rank, differs[AUTOTUNE__TOPICS - council->trouble.severity]);
    return true;
}
/* Do all ranks mean the same statement, key, space and options? If not, the council is dissolved, and *sentence says
   who differs, unless the ranks cannot tell. */
static bool autotune__mean_the_same(autotune__council *council, bool tune_only, autotune__text *sentence) {
    autotune__topics topics;
    autotune__ballot ballot = { { 0 } };
    size_t topic, all;
    autotune__gather_topics(&topics, council->subject, tune_only);
    for (topic = 0; topic < AUTOTUNE__TOPICS; topic++)
        autotune__pledge(&ballot, autotune__place_of(topic), topics.hash[topic]);
    if (!autotune__vote(council, &ballot)) return false;
    all = council->said.at[AUTOTUNE__THREADS] > 0 ? AUTOTUNE__TOPICS : AUTOTUNE__TOPICS_OF_ONE_THREAD;
    for (topic = 0; topic < all; topic++) {
        if (!autotune__is_unanimous(&council->said, autotune__place_of(topic))) break;
        autotune__walk_on(council, topics.hash[topic]);
    }
    if (topic == all) return true;
    if (autotune__name_difference(council, &topics, all, sentence))
        autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__OUT_OF_STEP);
    return false;
}

/* Texts, and the configuration, stay with the rank that they are of. */
static void autotune__forget_texts(autotune_result *result) {
    memset(&result->config, 0, sizeof result->config);
    result->note = NULL;
    result->doubt = result->verdict == AUTOTUNE_UNRELIABLE ? "it was measured on rank 0, whose log says why" : NULL;
}
/* What rank 0 knows of the key becomes everybody's: the configurations that may win, and the result that a hit will
   have, but for texts and for what one call alone is about. False: the council is dissolved. */
static bool autotune__share_recalled(autotune__council *council, autotune__recalled *recalled) {
    autotune__recalled known = *recalled;
    autotune_result *result = &known.result;
    if (!autotune__share(council, &known, sizeof known)) return false;
    if (council->ranks->rank == 0) return true;
    known.spares_winner = false;                /* rank 0 tells that */
    known.line = recalled->line;
    autotune__forget_texts(result);
    result->tried = result->failed = result->launches = 0;
    result->seconds = result->loss_seconds = 0;
    *recalled = known;
    return true;
}

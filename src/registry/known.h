/* autotune_lookup() and autotune_each(): the registry as users see it. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/known.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/process.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../space/key.h"
#include "../space/values.h"
#include "records.h"

/* Do two parts of keys have the same value, whatever their types? */
static bool autotune__same_part(autotune_type type_a, uint64_t a, autotune_type type_b, uint64_t b) {
    const bool float_a = autotune__is_float(type_a), float_b = autotune__is_float(type_b);
    if (type_a == type_b) return autotune__same_word(type_a, a, b);
    if (type_a == AUTOTUNE_STRING || type_b == AUTOTUNE_STRING) return false;
    if (float_a != float_b)
        return float_a ? autotune__as_double(a) ==
                             autotune__double_of_value(type_b == AUTOTUNE_U64 ? type_b : AUTOTUNE_I64, b)
                       : autotune__same_part(type_b, b, type_a, a);
    return a == b && (float_a || !(a >> 63) || (type_a == AUTOTUNE_U64) == (type_b == AUTOTUNE_U64));
}
static bool autotune__same_parts(const autotune_key *a, const autotune_key *b) {
    uint32_t i;
    for (i = 0; i < a->count && i < b->count; i++)
        if (!autotune__same_part(autotune__part_type(a->types, i), a->word[i], autotune__part_type(b->types, i),
                                 b->word[i]))
            return false;
    return a->count == b->count;
}

typedef struct autotune__query {
    const char *name;                           /* the first `length` characters are the name, before #number */
    size_t length, number;                      /* number 0: none was given */
    const autotune_key *key;
    bool named, several;                        /* a tuner has this name; more than one of them knows the key */
    const autotune__known_tuner *tuner;               /* one that knows the key */
    const autotune__entry *entry;
} autotune__query;
static void autotune__read_number(autotune__query *query) {                 /* "gemm#2" */
    const char *hash = strrchr(query->name, '#'), *digits = hash ? hash + 1 : "";
    char *end;
    if (*digits < '1' || *digits > '9') return;
    query->number = (size_t)strtoul(digits, &end, 10);
    query->length = (size_t)(hash - query->name);
    if (*end) query->number = 0;
}
static bool autotune__has_name(const autotune__query *query, const autotune__known_tuner *tuner) {
    return !strcmp(tuner->name, query->name) ||
           (tuner->number == query->number && strlen(tuner->name) == query->length &&
            !strncmp(tuner->name, query->name, query->length));
}
/* Takes the record with the same types, or else the first record whose key has equal values. */
static bool autotune__match(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    autotune__query *query = (autotune__query *)user;
    if (!record->entry || !autotune__same_parts(&record->key, query->key)) return true;
    if (query->tuner && query->tuner != tuner) { query->several = true; return false; }
    if (!query->tuner || record->key.types == query->key->types) query->entry = record->entry;
    query->tuner = tuner;
    return true;
}
static void autotune__answer_query(autotune__query *query) {
    size_t i;
    for (i = 0; i < autotune__tuner_count() && !query->several; i++) {
        if (!autotune__has_name(query, autotune__tuner_at(i))) continue;
        query->named = true;
        autotune__walk_records(autotune__tuner_at(i), autotune__match, query);
    }
}
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner) {
    const char *problem = !name || !*name ? "the name of a tuner is missing" : autotune__key_problem(&key);
    autotune__query query;
    autotune__ready();
    if (winner) memset(winner, 0, sizeof *winner);
    if (problem) { autotune__complain("autotune_lookup: %s", problem); return AUTOTUNE_ERR_ARGUMENT; }
    memset(&query, 0, sizeof query);
    query.name = name;
    query.key = &key;
    autotune__read_number(&query);
    autotune__lock_mutex(&autotune__lock);
    autotune__answer_query(&query);
    if (winner && query.entry && !query.several) *winner = query.entry->result.config;
    autotune__unlock_mutex(&autotune__lock);
    if (query.several) {
        snprintf(autotune__error, sizeof autotune__error,
                 "several tuners named '%.64s' know this key: '%.64s#1' selects the first", name, name);
        return AUTOTUNE_ERR_AMBIGUOUS;
    }
    if (query.entry) return AUTOTUNE_OK;
    snprintf(
        autotune__error, sizeof autotune__error,
        query.named
            ? "no winner of '%.64s' is known for this key"
            : "no tuner named '%.64s' has been used: a call site is named file.c:function unless .name says otherwise",
        name);
    return AUTOTUNE_ERR_MISS;
}

/* What autotune_each() visits: a copy of what is known when it begins, since visit() may call every function, and so
   the lock is not held. */
typedef struct autotune__seen {
    const autotune__known_tuner *tuner;
    const autotune__record *record;             /* has the key */
    autotune__history *history;                 /* with a reference of its own */
} autotune__seen;
typedef struct autotune__sight { autotune__seen *all; bool no_memory; } autotune__sight;
static bool autotune__see(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    autotune__sight *sight = (autotune__sight *)user;
    const autotune__seen seen = { tuner, record, record->history };
    if (!seen.history) return true;
    sight->no_memory = !AUTOTUNE__PUSH(sight->all, seen);
    if (!sight->no_memory) seen.history->references++;
    return !sight->no_memory;
}
static void autotune__show(const autotune__seen *seen, autotune_visit *visit, void *user) {
    autotune_known known;
    known.name = seen->tuner->name;
    known.number = seen->tuner->number;
    known.key = seen->record->key;
    known.result = seen->history->result;
    known.measurements = seen->history->measurements;
    known.measurement_count = seen->history->count;
    visit(user, &known);
}
static size_t autotune__visits;                 /* calls of autotune_each() that are under way; with autotune__lock */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user) {
    autotune__sight sight = { NULL, false };
    size_t i;
    autotune__ready();
    if (!visit) { autotune__complain("autotune_each: visit is NULL: give a function"); return; }
    autotune__lock_mutex(&autotune__lock);
    autotune__visits++;
    autotune__walk(autotune__see, &sight);
    autotune__unlock_mutex(&autotune__lock);
    if (sight.no_memory) autotune__complain("autotune_each: out of memory; nothing was visited");
    for (i = 0; !sight.no_memory && i < autotune__count(sight.all); i++) autotune__show(&sight.all[i], visit, user);
    autotune__lock_mutex(&autotune__lock);
    for (i = 0; i < autotune__count(sight.all); i++) autotune__drop_history(sight.all[i].history);
    autotune__visits--;
    autotune__unlock_mutex(&autotune__lock);
    AUTOTUNE__FREE_ARRAY(sight.all);
}

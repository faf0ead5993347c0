/* autotune_lookup(), autotune_each() and autotune_open_keys(): the registry as users see it. Also the records that
   autotune_save() writes. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "tuners.h"

/* Appends the record of each winner that has a record, as a line. */
static void autotune__append_all_known(autotune__text *all) {
    const autotune__known_key *known_key;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        const char *line = known_key->entry ? known_key->line.at : NULL;
        if (line) autotune__append(all, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
}
/* Returns true if a part has the same value in both keys. The types may differ: 512 equals 512.0. */
static bool autotune__same_part(const autotune_key *a, const autotune_key *b, uint32_t part) {
    const autotune_type type = autotune__part_type(a->types, part), other = autotune__part_type(b->types, part);
    if (type == other) return autotune__same_word(type, a->word[part], b->word[part]);
    if (type == AUTOTUNE_STRING || other == AUTOTUNE_STRING) return false;
    /* Integers beyond 2^53 may differ although they are the same as doubles. */
    return autotune__number_of_part(a, part) == autotune__number_of_part(b, part) &&
           (autotune__is_float(type) != autotune__is_float(other) || a->word[part] == b->word[part]);
}
static bool autotune__same_parts(const autotune_key *a, const autotune_key *b) {
    uint32_t i;
    for (i = 0; i < a->count && i < b->count; i++) if (!autotune__same_part(a, b, i)) return false;
    return a->count == b->count;
}

/* Returns true if `name` selects the tuner: "gemm", or "gemm#2" for the second tuner of this name. */
static bool autotune__has_name(const autotune__known_tuner *tuner, const char *name) {
    const size_t length = strlen(tuner->name);
    char number[32];
    if (strncmp(tuner->name, name, length) != 0) return false;
    autotune__put_text(number, sizeof number, "#%lu", (unsigned long)tuner->number);
    return !name[length] || !strcmp(name + length, number);
}
/* With the lock: finds the known key that has a winner and equal values, preferably of the same types. Returns
   AMBIGUOUS if several tuners have such a key, MISS if no tuner has such a key. *named: set if a tuner has the name. */
static autotune_status autotune__find_known(const char *name, const autotune_key *key,
                                            const autotune__known_key **found, bool *named) {
    const autotune__known_key *known_key;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        if (!autotune__has_name(known_key->tuner, name)) continue;
        *named = true;
        if (!known_key->entry || !autotune__same_parts(&known_key->key, key)) continue;
        if (*found && (*found)->tuner != known_key->tuner) return AUTOTUNE_ERR_AMBIGUOUS;
        if (!*found || known_key->key.types == key->types) *found = known_key;
    }
    return *found ? AUTOTUNE_OK : AUTOTUNE_ERR_MISS;
}
AUTOTUNE__API autotune_status autotune_lookup(const char *name, autotune_key key, autotune_config *winner) {
    const char *problem = !name || !*name ? "the name of a tuner is missing" : autotune__key_problem(&key);
    const autotune__known_key *found = NULL;
    autotune_status status;
    bool named = false;
    autotune__ready();
    if (winner) memset(winner, 0, sizeof *winner);
    if (problem) { autotune__complain("autotune_lookup: %s", problem); return AUTOTUNE_ERR_ARGUMENT; }
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    status = autotune__find_known(name, &key, &found, &named);
    if (winner && status == AUTOTUNE_OK) *winner = found->entry->result.config;
    if (status == AUTOTUNE_ERR_AMBIGUOUS)
        autotune__put_text(autotune__error, sizeof autotune__error,
                           "several tuners named '%.64s' know this key: '%.64s#1' selects the first", name, name);
    else if (status == AUTOTUNE_ERR_MISS)
        autotune__put_text(autotune__error, sizeof autotune__error, named ? "no winner of '%.64s' is known for this key"
                                 : "no tuner named '%.64s' has been used: a call site is named file.c:function unless "
                                   ".name says otherwise", name);
    return status;
}

/* The lock is not held during visit(), which may call every function of the library. Keys that are first used during a
   visit are not visited: they come behind the end of the list, which is read before the first visit.
   autotune_shutdown() refuses to free keys during a visit. */
static size_t autotune__visits;                 /* with the lock: how many calls of autotune_each() run now */
AUTOTUNE__API void autotune_each(autotune_visit *visit, void *user) {
    const autotune__known_key *known_key;
    autotune__known_key *const *end;
    autotune__ready();
    if (!visit) { autotune__complain("autotune_each: visit is NULL: give a function"); return; }
    autotune__lock_mutex(&autotune__lock);
    autotune__visits++;
    end = autotune__end_of_known_keys;
    for (known_key = autotune__known_keys; known_key; known_key = end == &known_key->next ? NULL : known_key->next) {
        autotune__history *const history = known_key->history;
        if (!history) continue;
        autotune_known known = { known_key->tuner->name, known_key->tuner->number, known_key->key, history->result,
                                 history->count ? history->measurements : NULL, history->count };
        known.result.in_use_ns = known_key->entry ? known_key->entry->result.in_use_ns : autotune__nan();
        history->references++;
        autotune__unlock_mutex(&autotune__lock);
        visit(user, &known);
        autotune__lock_mutex(&autotune__lock);
        autotune__release_history(history);
    }
    autotune__visits--;
    autotune__unlock_mutex(&autotune__lock);
}
AUTOTUNE__API size_t autotune_open_keys(void) {
    const autotune__known_key *known_key;
    size_t open = 0;
    autotune__ready();
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next)
        open += !known_key->entry && !known_key->failure;
    return open;
}

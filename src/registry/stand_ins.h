/* Stand-ins: the answer for a key without a winner, so that later calls get it at once. In mode OFF, or in mode CACHED
   without a winner, a statement launches the first configuration. In mode REQUIRE without a winner, or if all
   configurations failed, a statement launches nothing and returns a status.

   A stand-in is an entry in a separate table of its call site, where hits do not look. It is out of date once a winner
   may have become known, except in mode OFF. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "hit.h"
#include "entries.h"
#include "tuners.h"
#include "results.h"
#include "guessing.h"

typedef struct autotune__stand_in {
    autotune__entry entry;                      /* its known_key is NULL */
    size_t changes;                             /* autotune__changes_so_far() before the winner was looked for */
    const char *sentence;                       /* why nothing is launched; NULL: `entry` is launched */
    autotune__known_key *missed;                /* the key for which each call counts as a miss; NULL: calls are not
                                                   counted */
} autotune__stand_in;

/* Counts events after which stand-ins are out of date: a winner was published, a line of a file was read, or
   autotune_clear() forgot results. autotune__announce() needs the lock. */
static size_t autotune__change_count;
static size_t autotune__changes_so_far(void) { return __atomic_load_n(&autotune__change_count, __ATOMIC_ACQUIRE); }
static void autotune__announce(void) {
    __atomic_fetch_add(&autotune__change_count, 1, __ATOMIC_RELEASE);
    if (autotune__guesses_are_out) autotune__guessing.retire();
}

/* Returns the stand-in of a statement in this mode; NULL: none. */
AUTOTUNE__DEFINE_AROUND(autotune__stand_in_around, autotune__stand_in, entry, autotune__entry)
static autotune__stand_in *autotune__find_stand_in(const autotune__site *site, const autotune_options *options,
                                                   autotune_mode mode) {
    const struct autotune__entries *table = __atomic_load_n(&site->stand_ins, __ATOMIC_ACQUIRE);
    return !table ? NULL
                  : autotune__stand_in_around(autotune__find_marked(table, options, autotune__mark_of_mode(mode)));
}
static bool autotune__is_up_to_date(const autotune__stand_in *stand_in, autotune_mode mode) {
    return mode == AUTOTUNE_OFF || __atomic_load_n(&stand_in->changes, __ATOMIC_RELAXED) == autotune__changes_so_far();
}
/* Answers a statement without a winner. Returns the values to launch; NULL: nothing is launched. */
static const uint64_t *autotune__answer_without_winner(const autotune__stand_in *stand_in, autotune_result *result) {
    if (result) autotune__answer_hit(stand_in->entry.value, result);
    if (!stand_in->sentence) return stand_in->entry.value;
    memcpy(autotune__error, stand_in->sentence, autotune__bytes_of(stand_in->sentence));
    return NULL;
}

/* Makes a stand-in. result: for .result; if `sentence` is NULL, the configuration of the result is launched. Returns
   NULL if there is no memory. */
static autotune__stand_in *autotune__new_stand_in(const autotune_options *options, autotune_mode mode,
                                                  const autotune_result *result, const char *sentence) {
    const size_t bytes = sizeof(autotune__stand_in) + autotune__bytes_of_parts(&options->key) +
                         autotune__bytes_of(options->name) + autotune__bytes_of(options->version) +
                         autotune__bytes_of(sentence);
    autotune__stand_in *stand_in = (autotune__stand_in *)autotune__allocate(bytes);
    autotune__entry *entry;
    char *at;
    if (!stand_in) return NULL;
    at = (char *)(stand_in + 1);
    entry = &stand_in->entry;
    entry->scope = AUTOTUNE__SCOPE_OF(*options);
    entry->hash = autotune__hash_named(&options->key, options->name, options->version);
    autotune__put_words(entry->word, &at, &options->key);
    entry->name = autotune__put_string(&at, options->name);
    entry->version = autotune__put_string(&at, options->version);
    stand_in->sentence = autotune__put_string(&at, sentence);
    entry->shape = autotune__shape_of(options) | autotune__mark_of_mode(mode);
    memcpy(entry->value, result->config.values, sizeof result->config.values);
    entry->result = autotune__shown(result);
    entry->result.launches = !sentence;
    return stand_in;
}
/* Makes a stand-in, or updates it. A site has at most AUTOTUNE__MOST_STAND_INS, since the stand-ins of keys that are
   not used again stay in memory. changes, missed: see autotune__stand_in. */
enum { AUTOTUNE__MOST_STAND_INS = 4096 };
static void autotune__put_stand_in(autotune__site *site, const autotune_options *options, autotune_mode mode,
                                   size_t changes, const autotune_result *result, const char *sentence,
                                   autotune__known_key *missed) {
    autotune__stand_in *stand_in;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if ((stand_in = autotune__find_stand_in(site, options, mode)) != NULL) {
        /* A cleared key may fail for another reason. Other threads may read the old sentence, so the old sentence is
           not replaced, and this stand-in stays out of date. */
        if (autotune__bytes_of(sentence) == autotune__bytes_of(stand_in->sentence) &&
            (!sentence || !strcmp(stand_in->sentence, sentence)))
            __atomic_store_n(&stand_in->changes, changes, __ATOMIC_RELAXED);
    } else if ((!site->stand_ins || site->stand_ins->used < AUTOTUNE__MOST_STAND_INS) &&
               (stand_in = autotune__new_stand_in(options, mode, result, sentence)) != NULL) {
        stand_in->changes = changes;
        stand_in->missed = missed;
        if (autotune__put_entry(site, &site->stand_ins, &stand_in->entry)) {
            stand_in->entry.next_made = autotune__made_entries;
            autotune__made_entries = &stand_in->entry;
        } else autotune__free(stand_in);
    }
}

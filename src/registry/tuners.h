/* The registry: every tuner and its keys; finding and making them. autotune__lock guards all of it, except members
   whose comment names another guard. `With the lock` means that the caller holds autotune__lock. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "measured_calls.h"

typedef struct autotune__history {              /* the findings of a race, for autotune_each(); never changes */
    size_t references;                          /* one of the known key, and one of each visit of autotune_each() */
    autotune_result result;
    size_t count;
    autotune_measurement *measurements;         /* in the same block of memory; so are their texts */
} autotune__history;
typedef struct autotune__known_tuner {
    const char *name, *version, *program;       /* in the same block of memory. program: the identity of the program or
                                                   library that holds the call; "": unknown */
    size_t number;                              /* 1 for the first tuner of this name */
    autotune__map *keys;                        /* found by their exact texts */
    uint64_t fingerprint;                       /* a hash of the tuner's texts without blanks, for the cache on disk:
                                                   see autotune__append_texts() */
    uint64_t written;                           /* a hash of the same texts with their blanks, which older records
                                                   have */
    const void *site;                           /* the call site, if other sites may have the same name; else NULL */
    bool is_shared;                             /* atomic: another tuner has its name and texts, so nothing is kept on
                                                   disk */
    size_t races;                               /* how many races autotune__count_race() has counted */
} autotune__known_tuner;
/* Whether a record on disk may answer in this process.
   TRUSTED: the record may answer.
   NO_MORE_DUELS: the record may answer. A duel of its finalists began here, or there was no record to verify.
   DISTRUSTED: the winner failed here, or WHERE refused it, so the record does not answer. A winner that works makes the
   key TRUSTED again. */
typedef enum autotune__trust { AUTOTUNE__TRUSTED, AUTOTUNE__NO_MORE_DUELS, AUTOTUNE__DISTRUSTED } autotune__trust;
/* The probation of a winner: its first calls for real are timed. autotune__lock guards this struct.
   open: not 0 during the probation, while hits do not find the winner.
   passed: how many calls for real there were so far.
   running: how many calls are being timed now.
   count: how many calls were timed: the number of times in `ns`. */
enum { AUTOTUNE__PROBATION_CALLS = 8 };
typedef struct autotune__probation {
    unsigned open, passed, running, count;
    double ns[AUTOTUNE__PROBATION_CALLS];
} autotune__probation;
typedef struct autotune__known_key {            /* one key of one tuner; lives until autotune_shutdown() */
    autotune__known_tuner *tuner;
    struct autotune__known_key *next;           /* the known key that was made next */
    autotune_key key;                           /* its strings are in the same block of memory */
    autotune__history *history;                 /* of the winner; NULL: unknown or cleared */
    autotune__entry *entry;                     /* the winner's; NULL: unknown */
    autotune__entry *entries;                   /* all entries of the key, also retired entries; the newest first */
    autotune__probation probation;              /* of the winner */
    struct autotune__statement *awaited;        /* the newest statement whose time the device has not told yet */
    unsigned logged_in_use;                     /* not 0: the log said that calls differ from the race */
    struct autotune__thread_turn *turn;         /* the turn of the statement that races the key; NULL: none */
    autotune__key_calls calls;                  /* the measured calls, in mode ONLINE */
    autotune__entry *in_use;                    /* the best configuration so far in the race of measured calls, or the
                                                   winner that this race watches. NULL: there is no race, or no call of
                                                   it yet */
    uint64_t pinned;                            /* a hash of the pin that restricts the space; 0: none */
    bool is_recalled;                           /* the winner came from a record */
    unsigned exits;                             /* atomic: how often a trial or a measured call left the body */
    size_t exit_number;                         /* atomic: the number of its point, counted from 1; 0: none left */
    autotune__text line;                        /* the record of the winner, for autotune_save() */
    autotune__trust trust;                      /* atomic */
    bool never_waits_again;                     /* another process raced the key for too long, so no call of this
                                                   process waits for such a race again */
    char *failure;                              /* the message when all configurations failed; NULL: they did not */
    autotune_mode failed_in;                    /* the mode in which they failed */
    unsigned failed_winners;                    /* how many winners failed after they were published */
    struct autotune__miss *miss;                /* counts misses; NULL: misses are not counted */
} autotune__known_key;
static void autotune__forget_failure(autotune__known_key *known_key) { /* with the lock */
    autotune__free(known_key->failure);
    known_key->failure = NULL;
}
static autotune__map *autotune__tuners;         /* found by their identities */
static autotune__known_key *autotune__known_keys, **autotune__end_of_known_keys = &autotune__known_keys;

/* With the lock: finds or makes the tuner with this identity. NULL: no memory. */
static autotune__known_tuner *autotune__tuner_of(const char *identity, const char *name, const char *version,
                                                 const char *program, uint64_t fingerprint, uint64_t written) {
    autotune__known_tuner *tuner = (autotune__known_tuner *)autotune__value_of(autotune__tuners, identity);
    size_t i = 0;
    char *at;
    if (tuner) return tuner;
    tuner = (autotune__known_tuner *)autotune__allocate(sizeof *tuner + autotune__bytes_of(name) +
                                                        autotune__bytes_of(version) + autotune__bytes_of(program));
    if (!tuner) return NULL;
    at = (char *)(tuner + 1);
    tuner->name = autotune__put_string(&at, name);
    tuner->version = autotune__put_string(&at, version);
    tuner->program = autotune__put_string(&at, program);
    for (tuner->number = 1; i < AUTOTUNE__MAP_COUNT(autotune__tuners); i++)
        tuner->number += !strcmp(((const autotune__known_tuner *)autotune__tuners[i].value)->name, name);
    tuner->fingerprint = fingerprint;
    tuner->written = written;
    return (autotune__known_tuner *)autotune__put_block(&autotune__tuners, identity, tuner);
}
/* With the lock: notes the call site of a tuner whose name other sites may have. If tuners of other sites have its name
   and texts, marks all of them as shared. Returns one of the others that was not shared before. NULL: there is none. */
static autotune__known_tuner *autotune__mark_namesakes(autotune__known_tuner *tuner, const void *site) {
    autotune__known_tuner *other, *found = NULL;
    size_t i;
    tuner->site = site;
    for (i = 0; i < AUTOTUNE__MAP_COUNT(autotune__tuners); i++) {
        other = (autotune__known_tuner *)autotune__tuners[i].value;
        if (!other->site || other->site == site || other->fingerprint != tuner->fingerprint ||
            strcmp(other->name, tuner->name) != 0)
            continue;
        if (!other->is_shared) found = other;
        __atomic_store_n(&other->is_shared, true, __ATOMIC_RELAXED);
        __atomic_store_n(&tuner->is_shared, true, __ATOMIC_RELAXED);
    }
    return found;
}
static bool autotune__is_shared(const autotune__known_key *known_key) {
    return __atomic_load_n(&known_key->tuner->is_shared, __ATOMIC_RELAXED);
}
/* With these three functions a caller copies the strings of a key to the end of a block. autotune__put_words() makes
   the copy. The key may be invalid, with too many parts. */
static const char *autotune__string_part(const autotune_key *key, uint32_t i) {        /* NULL: the part is no string */
    return autotune__part_type(key->types, i) == AUTOTUNE_STRING ? autotune__as_string(key->word[i]) : NULL;
}
static size_t autotune__bytes_of_parts(const autotune_key *key) {
    size_t bytes = 0;
    uint32_t i;
    for (i = 0; i < autotune__parts(key); i++) bytes += autotune__bytes_of(autotune__string_part(key, i));
    return bytes;
}
static void autotune__put_words(uint64_t *word, char **at, const autotune_key *key) {
    uint32_t i;
    for (i = 0; i < autotune__parts(key); i++) {
        const char *copy = autotune__put_string(at, autotune__string_part(key, i));
        word[i] = copy ? autotune__word_pointer(copy) : key->word[i];
    }
}
/* Finds or makes the known key with the exact text `text`. NULL: no memory. */
static autotune__known_key *autotune__known_key_of(autotune__known_tuner *tuner, const char *text,
                                                   const autotune_key *key) {
    autotune__known_key *known_key = (autotune__known_key *)autotune__value_of(tuner->keys, text);
    char *at;
    if (known_key) return known_key;
    known_key = (autotune__known_key *)autotune__allocate(sizeof *known_key + autotune__bytes_of_parts(key) +
                                                          autotune__bytes_of(key->text));
    if (!autotune__put_block(&tuner->keys, text, known_key)) return NULL;
    at = (char *)(known_key + 1);
    known_key->tuner = tuner;
    known_key->key.count = key->count;
    known_key->key.types = key->types;
    autotune__put_words(known_key->key.word, &at, key);
    known_key->key.text = autotune__put_string(&at, key->text);
    *autotune__end_of_known_keys = known_key;
    autotune__end_of_known_keys = &known_key->next;
    return known_key;
}
static autotune__trust autotune__trust_in(const autotune__known_key *known_key) {
    return __atomic_load_n(&known_key->trust, __ATOMIC_RELAXED);
}
static void autotune__change_trust(autotune__known_key *known_key, autotune__trust trust) {
    __atomic_store_n(&known_key->trust, trust, __ATOMIC_RELAXED);
}
/* Ends the distrust in the record. Called if the results of the key were cleared, or if a winner works. */
static void autotune__trust_again(autotune__known_key *known_key) {
    if (autotune__trust_in(known_key) == AUTOTUNE__DISTRUSTED) autotune__change_trust(known_key, AUTOTUNE__TRUSTED);
}
/* Reads a flag that autotune__lock guards; the next function sets such a flag. */
static bool autotune__is_set(const bool *flag) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return *flag;
}
static void autotune__set(bool *flag) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    *flag = true;
}
/* With the lock: gives up a reference. The last reference frees the history. */
static void autotune__release_history(autotune__history *history) {
    if (history && --history->references == 0) autotune__free(history);
}
static void autotune__free_tuners(void) {               /* with the lock */
    autotune__known_key *known_key;
    size_t i;
    while ((known_key = autotune__known_keys) != NULL) {
        autotune__known_keys = known_key->next;
        autotune__release_history(known_key->history);
        autotune__free_text(&known_key->line);
        autotune__forget_failure(known_key);
        autotune__free(known_key);
    }
    autotune__end_of_known_keys = &autotune__known_keys;
    for (i = 0; i < AUTOTUNE__MAP_COUNT(autotune__tuners); i++) {
        autotune__known_tuner *tuner = (autotune__known_tuner *)autotune__tuners[i].value;
        autotune__free_map(&tuner->keys);
        autotune__free(tuner);
    }
    autotune__free_map(&autotune__tuners);
}

/* The registry: every tuner and its keys; finding and making them. autotune__lock guards all of it. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "measured_calls.h"

typedef struct autotune__history {              /* what a race found out, for autotune_each(); never changes */
    size_t references;                          /* from the known key, and from visits */
    autotune_result result;
    size_t count;
    autotune_measurement *measurements;         /* in the same block of memory, as the texts of their reasons */
} autotune__history;
typedef struct autotune__known_tuner {
    const char *name, *version;                 /* in the same block of memory */
    size_t number;                              /* 1 for the first tuner that was used with this name */
    autotune__map *keys;                        /* by their exact texts */
    uint64_t fingerprint;                       /* of its texts without blanks, for the cache on disk */
    uint64_t written;                           /* of its texts as written, which older records have */
    const void *site;                           /* the only call site, where others may have the name; else NULL */
    bool is_shared;                             /* another tuner has name and texts: nothing is kept; atomic */
    size_t races;                               /* of this process, that count for the hint at many keys */
} autotune__known_tuner;
/* May the record that the cache on disk has of a key answer in this process? It may; also after its finalists were
   duelled again here, which happens once; not before the key is raced, since its winner failed here. The race of then
   begins anew, and what it finds may be duelled again once more. */
typedef enum autotune__trust { AUTOTUNE__TRUSTED, AUTOTUNE__DUELLED_HERE, AUTOTUNE__DISTRUSTED } autotune__trust;
/* The probation of a winner: its first calls for real are timed. autotune__lock guards it. */
enum { AUTOTUNE__PROBATION_CALLS = 8 };
typedef struct autotune__probation {
    unsigned open, passed, running, count;      /* 0: hits find the winner; how many calls came so far; how many of
                                                   these are timed now; how many times there are */
    double ns[AUTOTUNE__PROBATION_CALLS];
} autotune__probation;
typedef struct autotune__known_key {            /* one key of one tuner; lives until autotune_shutdown() */
    autotune__known_tuner *tuner;
    struct autotune__known_key *next;           /* of all tuners: the one that was used first after this one */
    autotune_key key;                           /* its strings are in the same block of memory */
    autotune__history *history;                 /* of the winner; NULL: it is not known, or was cleared */
    autotune__entry *entry;                     /* the winner; NULL: it is not known */
    autotune__entry *entries;                   /* of all its winners so far, the newest first */
    autotune__probation probation;              /* of the winner */
    struct autotune__statement *awaited;        /* whose times a device tells later; the newest */
    unsigned told_in_use;                       /* not 0: the log said that calls do not take what the race measured */
    struct autotune__turn *turn;                /* of the statement that races it; NULL: nobody does */
    autotune__key_calls calls;                  /* that are measured */
    autotune__entry *in_use;                    /* the best configuration so far in the race of these calls, or the
                                                   winner that it watches; NULL once that race is cleared, and before
                                                   its first call is made */
    uint64_t pinned;                            /* a hash of the pin that restricts its space; 0: none does */
    bool is_recalled;                           /* a winner came from a record */
    unsigned exits;                             /* how often the body was left during a trial, and the configuration of
                                                   the last time */
    size_t exit_index;
    autotune__text line;                        /* what the cache on disk keeps of it */
    autotune__trust trust;                      /* atomic */
    bool impatient;                             /* another process raced the key for too long; wait no more */
    char *failure;                              /* what was said when all its configurations failed; NULL: not so */
    autotune_mode failed_in;                    /* the mode in which they did */
    unsigned failed_winners;                    /* how often a winner failed after it was found */
    struct autotune__miss *miss;                /* counts its misses; NULL: they are not counted */
} autotune__known_key;
static void autotune__forget_failure(autotune__known_key *known_key) { /* with the lock */
    autotune__free(known_key->failure);
    known_key->failure = NULL;
}
static autotune__map *autotune__tuners;         /* by their identities */
static autotune__known_key *autotune__known_keys, **autotune__end_of_known_keys = &autotune__known_keys;

static autotune__known_tuner *autotune__tuner_of(const char *identity, const char *name, const char *version,
                                                 uint64_t fingerprint,
                                                 uint64_t written) { /* found or made; NULL: no memory */
    autotune__known_tuner *tuner = (autotune__known_tuner *)autotune__value_of(autotune__tuners, identity);
    size_t i = 0;
    char *at;
    if (tuner) return tuner;
    tuner = (autotune__known_tuner *)autotune__allocate(sizeof *tuner + autotune__bytes_of(name) +
                                                        autotune__bytes_of(version));
    if (!tuner) return NULL;
    at = (char *)(tuner + 1);
    tuner->name = autotune__put_string(&at, name);
    tuner->version = autotune__put_string(&at, version);
    for (tuner->number = 1; i < AUTOTUNE__MAP_COUNT(autotune__tuners); i++)
        tuner->number += !strcmp(((const autotune__known_tuner *)autotune__tuners[i].value)->name, name);
    tuner->fingerprint = fingerprint;
    tuner->written = written;
    return (autotune__known_tuner *)autotune__put_block(&autotune__tuners, identity, tuner);
}
/* With the lock: `tuner` is of this call site alone, whose name others may have. Returns another tuner that has its
   name and texts, and did not share them before. NULL: there is none. */
static autotune__known_tuner *autotune__find_namesake(autotune__known_tuner *tuner, const void *site) {
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
/* The strings of a key, for a block that has them behind it: what is kept has copies of its own. Nobody may have looked
   at the key: its parts may be too many. */
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
static autotune__known_key *autotune__new_known_key(autotune__known_tuner *tuner, const autotune_key *key) {
    autotune__known_key *known_key = (autotune__known_key *)autotune__allocate(
        sizeof *known_key + autotune__bytes_of_parts(key) + autotune__bytes_of(key->text));
    char *at;
    if (!known_key) return NULL;
    at = (char *)(known_key + 1);
    known_key->tuner = tuner;
    known_key->key.count = key->count;
    known_key->key.types = key->types;
    autotune__put_words(known_key->key.word, &at, key);
    known_key->key.text = autotune__put_string(&at, key->text);
    return known_key;
}
/* Finds or makes what is known of a key, whose exact text is `text`. NULL: no memory. */
static autotune__known_key *autotune__known_key_of(autotune__known_tuner *tuner, const char *text,
                                                   const autotune_key *key) {
    autotune__known_key *known_key = (autotune__known_key *)autotune__value_of(tuner->keys, text);
    if (known_key) return known_key;
    known_key = (autotune__known_key *)autotune__put_block(&tuner->keys, text, autotune__new_known_key(tuner, key));
    if (!known_key) return NULL;
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
/* The winner that failed is forgotten, or another one was found. */
static void autotune__trust_again(autotune__known_key *known_key) {
    if (autotune__trust_in(known_key) == AUTOTUNE__DISTRUSTED) autotune__change_trust(known_key, AUTOTUNE__TRUSTED);
}
/* autotune__lock also guards the flags of a known key. */
static bool autotune__is_set(const bool *flag) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    return *flag;
}
static void autotune__set(bool *flag) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    *flag = true;
}
/* With the lock: gives up one reference, and frees the history with the last one. */
static void autotune__free_history(autotune__history *history) {
    if (history && --history->references == 0) autotune__free(history);
}
static void autotune__free_tuners(void) {               /* with the lock */
    autotune__known_key *known_key;
    size_t i;
    while ((known_key = autotune__known_keys) != NULL) {
        autotune__known_keys = known_key->next;
        autotune__free_history(known_key->history);
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

/* The registry: every tuner and its keys; finding, making and visiting them. autotune__lock guards all of it. */
#pragma once
#include "../api/types.h"
#include "../api/known.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/process.h"
#include "../space/key.h"

typedef struct autotune__history {              /* what a race found out, for autotune_each(); never changes */
    size_t references;                          /* from the record, and from visits */
    autotune_result result;
    size_t count;
    autotune_measurement *measurements;         /* in the same block of memory, as the texts of their reasons */
} autotune__history;
typedef struct autotune__record {               /* one key of one tuner; lives until autotune_shutdown() */
    autotune_key key;                           /* its strings are in the same block of memory */
    autotune__history *history;                 /* of the winner, or of the race in which all configurations failed;
                                                   NULL: there was neither, or it was cleared */
    autotune__entry *entry;                     /* the winner; NULL: it is not known */
    autotune__entry *entries;                   /* of all its winners so far, the newest first */
    struct autotune__turn *turn;                /* of the statement that races it; NULL: nobody does */
    struct autotune__ongoing *ongoing;          /* its online race; NULL: there is none */
    autotune__entry *in_use;                    /* the best configuration of that race so far; NULL once it is cleared,
                                                   and in its first call before that is made */
    bool measured;                              /* a call of the key is measured: only its thread touches that race */
    bool unfit;                                 /* what is in use failed in a call that was not measured */
    unsigned exits;                             /* how often the body was left during a trial, and the configuration of
                                                   the last time */
    size_t exit_index;
    autotune__text line;                        /* what the cache on disk keeps of it */
    bool distrusted;                            /* the winner that the cache on disk names failed in this process */
    bool impatient;                             /* another process raced the key for too long; wait no more */
    bool duelled;                               /* in this process its finalists were duelled again */
    char *failure;                              /* what was said when all its configurations failed; NULL: not so */
    bool failure_forced;                        /* they failed in mode FORCE */
    bool said_untuned;                          /* it was said why a call was not tuned */
    uint64_t sittings;                          /* with .ranks: how many its calls had */
    unsigned owed;                              /* calls that came during a sitting of another one, and had none yet */
    struct autotune__miss *miss;                /* counts its misses; NULL: they are not counted */
} autotune__record;
static void autotune__forget_failure(autotune__record *record) {       /* with the lock */
    autotune__free(record->failure);
    record->failure = NULL;
}
typedef struct autotune__known_tuner {
    const char *name, *version;                 /* in the same block of memory */
    size_t number;                              /* 1 for the first tuner that was used with this name */
    autotune__map *records;
    uint64_t fingerprint;                       /* of its texts, for the cache on disk */
} autotune__known_tuner;
static autotune__map *autotune__tuners;         /* by their identities */

static size_t autotune__tuner_count(void) { return AUTOTUNE__MAP_COUNT(autotune__tuners); }
static autotune__known_tuner *autotune__tuner_at(size_t i) {
    return (autotune__known_tuner *)autotune__tuners[i].value;
}
static autotune__record *autotune__record_at(const autotune__known_tuner *tuner, size_t i) {
    return (autotune__record *)tuner->records[i].value;
}
static size_t autotune__count_named(const char *name) {
    size_t i, count = 0;
    for (i = 0; i < autotune__tuner_count(); i++) count += !strcmp(autotune__tuner_at(i)->name, name);
    return count;
}
static autotune__known_tuner *autotune__tuner_of(const char *identity, const char *name, const char *version,
                                           uint64_t fingerprint) { /* found or made; NULL: no memory */
    autotune__known_tuner *tuner = (autotune__known_tuner *)autotune__value_of(autotune__tuners, identity);
    char *at;
    if (tuner) return tuner;
    tuner = (autotune__known_tuner *)autotune__allocate(sizeof *tuner + autotune__bytes_of(name) +
                                                        autotune__bytes_of(version));
    if (!tuner) return NULL;
    at = (char *)(tuner + 1);
    tuner->name = autotune__put_string(&at, name);
    tuner->version = autotune__put_string(&at, version);
    tuner->number = autotune__count_named(name) + 1;
    tuner->fingerprint = fingerprint;
    if (autotune__put_value(&autotune__tuners, identity, tuner)) return tuner;
    autotune__free(tuner);
    return NULL;
}
/* The strings of a key, for a block that has them behind it. Statements with other strings are other keys, so what is
   kept has copies of its own. */
static const char *autotune__string_part(const autotune_key *key, uint32_t i) {        /* NULL: the part is no string */
    return autotune__part_type(key->types, i) == AUTOTUNE_STRING ? autotune__as_string(key->word[i]) : NULL;
}
static size_t autotune__bytes_of_parts(const autotune_key *key) {
    size_t bytes = 0;
    uint32_t i;
    for (i = 0; i < key->count; i++) bytes += autotune__bytes_of(autotune__string_part(key, i));
    return bytes;
}
static void autotune__put_words(uint64_t *word, char **at, const autotune_key *key) {
    uint32_t i;
    for (i = 0; i < key->count; i++) {
        const char *copy = autotune__put_string(at, autotune__string_part(key, i));
        word[i] = copy ? autotune__word_pointer(copy) : key->word[i];
    }
}
static autotune__record *autotune__new_record(const autotune_key *key) {           /* NULL: no memory */
    autotune__record *record = (autotune__record *)autotune__allocate(
        sizeof *record + autotune__bytes_of_parts(key) + autotune__bytes_of(key->text));
    char *at;
    if (!record) return NULL;
    at = (char *)(record + 1);
    record->key.count = key->count;
    record->key.types = key->types;
    autotune__put_words(record->key.word, &at, key);
    record->key.text = autotune__put_string(&at, key->text);
    return record;
}
/* Finds or makes the record of a key, whose exact text is `text`. NULL: no memory. */
static autotune__record *autotune__record_of(autotune__known_tuner *tuner, const char *text, const autotune_key *key) {
    autotune__record *record = (autotune__record *)autotune__value_of(tuner->records, text);
    if (record) return record;
    record = autotune__new_record(key);
    if (record && autotune__put_value(&tuner->records, text, record)) return record;
    autotune__free(record);
    return NULL;
}
/* With the lock: each record of a tuner, or of all, in the order of their first use, until visit returns false. False:
   it did. */
typedef bool autotune__visit_record(void *user, const autotune__known_tuner *tuner, autotune__record *record);
static bool autotune__walk_records(const autotune__known_tuner *tuner, autotune__visit_record *visit, void *user) {
    const size_t count = AUTOTUNE__MAP_COUNT(tuner->records);
    size_t i;
    for (i = 0; i < count; i++) if (!visit(user, tuner, autotune__record_at(tuner, i))) return false;
    return true;
}
static bool autotune__walk(autotune__visit_record *visit, void *user) {
    size_t i;
    for (i = 0; i < autotune__tuner_count(); i++)
        if (!autotune__walk_records(autotune__tuner_at(i), visit, user)) return false;
    return true;
}
/* autotune__lock also guards the flags of a record. */
static bool autotune__is_set(const bool *flag) {
    bool set;
    autotune__lock_mutex(&autotune__lock);
    set = *flag;
    autotune__unlock_mutex(&autotune__lock);
    return set;
}
static void autotune__set(bool *flag) {
    autotune__lock_mutex(&autotune__lock);
    *flag = true;
    autotune__unlock_mutex(&autotune__lock);
}
/* With the lock: gives up one reference. */
static void autotune__drop_history(autotune__history *history) {
    if (history && --history->references == 0) autotune__free(history);
}

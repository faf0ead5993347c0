/* Records of the tuner's other keys that are near the key of a statement, and their times. They give a guess, or the
   seeds of a race. Seeds decide only what a race launches first, since each seed is launched before it counts. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "key_json.h"
#include "configuration_json.h"
#include "read_record.h"
#include "disk.h"
#include "file.h"
#include "recall.h"

/* Returns true if the key of a line may be near. A guess needs records of this device with the texts of the statement.
   Seeds may come from any device and from other texts: a program may make a space for each key. */
static bool autotune__may_be_near(autotune__line *line, const autotune__store *store, bool for_seeds) {
    const autotune__identity *its = &line->head.identity, *mine = &store->identity;
    const bool here = its->machine == mine->machine;
    return mine->tuner && its->tuner == mine->tuner && !(here && its->id == mine->id) &&
           (for_seeds || (here && autotune__has_texts(store, line))) && !line->dead && !line->damaged &&
           !line->head.unfinished && line->key_length && (line->source != 0 || store->policy != AUTOTUNE_CACHE_OFF);
}
/* Returns true if the number fits into an integer of this type. Parts of keys have 64 bits. */
static bool autotune__fits_into(autotune_type type, double number) {
    return type == AUTOTUNE_U64 ? number >= 0 && number < 18446744073709551616.0
                                : number >= -9223372036854775808.0 && number < 9223372036854775808.0;
}
/* Reads a recorded part into `key`, which holds the statement's part. If the strings differ, `key` gets any string that
   differs from the statement's. Returns false if the recorded part has another type. */
static bool autotune__take_key_part(autotune_key *key, uint32_t i, const autotune__json *json, int value) {
    const autotune_type type = autotune__part_type(key->types, i);
    const double number = autotune__is_raw(json, value, "true")    ? 1
                          : autotune__is_raw(json, value, "false") ? 0 : autotune__number_at(json, value);
    if (type == AUTOTUNE_STRING) {
        if (autotune__same_value(key, i, json, value)) return true;
        key->word[i] = key->word[i] ? 0 : autotune__word_pointer("");
        return autotune__begins(json, value, '"');
    }
    if (!autotune__is_definite(number) || (!autotune__is_float(type) && !autotune__fits_into(type, number)))
        return false;
    key->word[i] = autotune__is_float(type)  ? autotune__word_double(number)
                   : type == AUTOTUNE_U64 ? (uint64_t)number : (uint64_t)(int64_t)number;
    return true;
}
/* Reads the key of a line. `mine` is the key of the statement. Returns false if the parts differ in type or number. */
static bool autotune__read_key(const autotune_key *mine, autotune_key *key, const autotune__line *line) {
    autotune__json json;
    uint32_t i;
    int at = 0;
    *key = *mine;
    if (!autotune__parse(&json, line->key, line->key_length)) return false;
    for (i = 0; i < autotune__parts(key); i++) {
        at = autotune__next_member(&json, 0, at);
        if (at < 0 || !autotune__take_key_part(key, i, &json, autotune__member_value(&json, at))) return false;
    }
    return autotune__next_member(&json, 0, at) < 0;
}
/* Returns true if the record is of the same call. Called for seeds only, before the record enters the list of
   nearest keys: a record for seeds may be of another call. For a guess autotune__read_near_lines() makes this test. */
static bool autotune__is_of_call(autotune__line *line, const autotune__store *store) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__json json;
    return autotune__fetch(line, &text, &json) && autotune__same_call(&json, store->subject, true) &&
           autotune__has_same_pin(&json, &store->prior->recalled);
}
/* Adds the nearest records to the keys that were found before. The latest record of a key counts. `first` keeps the
   value of the key's first part once the key was read. By this value alone most lines are too far away, so their keys
   are not read again. The caller holds the lock of the cache. */
static void autotune__find_near_lines(const autotune__store *store, bool for_seeds, autotune__nearest *nearest) {
    const autotune_key *mine = &store->subject->options.key;
    const double first = autotune__number_of_part(mine, 0);
    size_t i;
    for (i = autotune__count(autotune__disk.lines); i-- > 0;) {
        autotune__line *line = &autotune__disk.lines[i];
        const double most = nearest->count == AUTOTUNE__NEAR_KEYS ? nearest->keys[nearest->count - 1].distance
                                                                  : nearest->most;
        autotune_key key;
        double distance;
        if (line->first != 0 && first != 0 && autotune__part_distance(AUTOTUNE_F64, line->first, first) > most)
            continue;
        if (!autotune__may_be_near(line, store, for_seeds) || !autotune__read_key(mine, &key, line)) continue;
        line->first = autotune__part_type(key.types, 0) == AUTOTUNE_STRING ? 0 : autotune__number_of_part(&key, 0);
        distance = autotune__key_distance(nearest, mine, &key);
        if (autotune__has_place(nearest, distance) && (!for_seeds || autotune__is_of_call(line, store)))
            autotune__add_near(nearest, &key, distance, NULL, i);
    }
}
/* Reads winner and times of the near keys that have a line. A line that cannot be read, or is of another call, does not
   count. The caller holds the lock of the cache. */
static void autotune__read_near_lines(autotune__store *store, bool for_seeds, autotune__nearest *nearest) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__json json;
    size_t i;
    for (i = nearest->count; i-- > 0;) {
        autotune__near_key *near_key = &nearest->keys[i];
        autotune__recorded_row row;
        if (near_key->line == SIZE_MAX) continue;
        if (!autotune__fetch(&autotune__disk.lines[near_key->line], &text, &json) ||
            !autotune__same_string(&json, 0, "tuner", store->subject->name) ||
            !autotune__same_call(&json, store->subject, for_seeds)) {
            autotune__drop_near(nearest, i);
            continue;
        }
        near_key->winner = autotune__point_of_config(store, &json, autotune__member(&json, 0, "winner"));
        row = autotune__before_rows(&json);
        while (autotune__next_recorded(&json, &row))
            if (!row.failed)
                autotune__add_time(near_key, autotune__point_of_config(store, &json, row.config),
                                   autotune__recorded_ns(&json, &row));
    }
}
/* Finds the nearest keys that this process raced, or that the file has, and their times. */
static void autotune__find_near(autotune__store *store, bool for_seeds, autotune__nearest *nearest) {
    nearest->count = 0;
    nearest->most = for_seeds ? AUTOTUNE__NEVER : 2;
    autotune__find_near_raced(store->subject, nearest);
    AUTOTUNE__WITH_CACHE;
    autotune__find_near_lines(store, for_seeds, nearest);
    autotune__read_near_lines(store, for_seeds, nearest);
}
static void autotune__drop_all_near(autotune__nearest *nearest) {
    while (nearest->count) autotune__drop_near(nearest, nearest->count - 1);
}

/* Finds seeds, unless the strategy has an order of its own, or an earlier race of this key left seeds. The seeds are
   the best configurations of the nearest key, in this process or on disk, of this device or another. */
static void autotune__find_seeds(autotune__store *store) {
    autotune__nearest nearest;
    autotune__shortlist found;
    const autotune__subject *subject = store->subject;
    const autotune_strategy strategy = subject->options.strategy;
    size_t i, k;
    if ((strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM) && subject->mode != AUTOTUNE_ONLINE &&
        !autotune__is_unlisted(subject->space))
        return;
    for (i = 0; i < autotune__count(store->prior->rows); i++) if (store->prior->rows[i].flags & AUTOTUNE__SEED) return;
    found.count = 0;
    autotune__find_near(store, true, &nearest);
    for (k = 0; k < nearest.count && !found.count; k++)         /* the nearest key that has times */
        for (i = 0; i < autotune__count(nearest.keys[k].times); i++)
            autotune__shortlist_point(&found, nearest.keys[k].times[i].point, nearest.keys[k].times[i].ratio);
    autotune__drop_all_near(&nearest);
    for (i = 0; i < found.count; i++)
        (void)autotune__add_prior(store->prior, found.index[i], (double)i, AUTOTUNE__SEED);
}

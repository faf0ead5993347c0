/* The known keys that are nearest to a key that was never tuned, and their fast configurations. A race first tries
   seeds: the fast configurations of the nearest key. The winner of a single key is a bad guess, since it is fitted to
   this key. So a guess looks at up to four keys. For each key it divides the time of a configuration by the best time
   of the key. The configuration with the least mean of these ratios is the guess. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "tuners.h"
#include "subject.h"

/* The time of a configuration for a key. ratio: the time in ns. After autotune__relate_times(): the time divided by the
   least time of the key. */
typedef struct autotune__relative_time { size_t point; double ratio; } autotune__relative_time;
typedef struct autotune__near_key {
    autotune_key key;
    double distance;
    size_t winner;                              /* a point */
    autotune__relative_time *times;             /* read from one of these: */
    const autotune__history *history;           /* the history of a key that this process raced */
    size_t line;                                /* the number of a line in the store */
} autotune__near_key;
enum { AUTOTUNE__NEAR_KEYS = 4 };
typedef struct autotune__nearest {
    size_t count;
    double most;                                /* the largest distance that a part of a near key may have */
    autotune__near_key keys[AUTOTUNE__NEAR_KEYS];
} autotune__nearest;

/* Returns true if a key at this distance may be among the nearest. */
static bool autotune__has_place(const autotune__nearest *nearest, double distance) {
    return autotune__is_definite(distance) &&
           (nearest->count < AUTOTUNE__NEAR_KEYS || distance <= nearest->keys[AUTOTUNE__NEAR_KEYS - 1].distance);
}
/* Returns the distance of two different values: the ratio of two numbers of the same sign, else the constant
   `others`. */
static double autotune__part_distance(autotune_type type, double a, double b) {
    const double others = 256, ratio = a / b < 1 ? b / a : a / b;
    const bool are_numbers = type != AUTOTUNE_STRING && type != AUTOTUNE_BOOL;
    return are_numbers && ratio > 0 && autotune__is_definite(ratio) ? ratio : others;
}
/* Returns the distance of two keys of the same types by one of their parts. */
static double autotune__distance_by_part(const autotune_key *a, const autotune_key *b, uint32_t i) {
    const autotune_type type = autotune__part_type(a->types, i);
    return autotune__same_word(type, a->word[i], b->word[i])
               ? 1 : autotune__part_distance(type, autotune__number_of_part(a, i), autotune__number_of_part(b, i));
}
/* Returns the product of the distances of all parts. AUTOTUNE__NEVER: a part is too far away, or the types differ. */
static double autotune__key_distance(const autotune__nearest *nearest, const autotune_key *a, const autotune_key *b) {
    double product = 1;
    uint32_t i;
    if (a->types != b->types || a->count != b->count) return AUTOTUNE__NEVER;
    for (i = 0; i < autotune__parts(a) && product < AUTOTUNE__NEVER; i++) {
        const double part = autotune__distance_by_part(a, b, i);
        product = part <= nearest->most ? product * part : AUTOTUNE__NEVER;
    }
    return product;
}
/* Returns the order of two keys that are equally near. 0: the keys are equal, or differ only in strings, which are not
   compared. */
static int autotune__order_of_near(const autotune_key *a, const autotune_key *b) {
    uint32_t i;
    for (i = 0; i < autotune__parts(a); i++)
        if (autotune__part_type(a->types, i) != AUTOTUNE_STRING && a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}
/* Adds a known key in the order of distances. Keys that are equally near are ordered by their words, whether this
   process or the disk knows them. A key that was added before is not replaced. */
static void autotune__add_near(autotune__nearest *nearest, const autotune_key *known, double distance,
                               const autotune__history *history, size_t line) {
    const autotune__near_key added = { *known, distance, SIZE_MAX, NULL, history, line };
    size_t at = nearest->count;
    for (; at > 0 && nearest->keys[at - 1].distance >= distance; at--) {
        const autotune__near_key *other = &nearest->keys[at - 1];
        const int order = other->distance > distance ? 1 : autotune__order_of_near(&other->key, known);
        if (!order) return;
        if (order < 0) break;
    }
    if (at == AUTOTUNE__NEAR_KEYS) return;
    if (nearest->count == AUTOTUNE__NEAR_KEYS) AUTOTUNE__FREE_ARRAY(nearest->keys[AUTOTUNE__NEAR_KEYS - 1].times);
    else nearest->count++;
    memmove(&nearest->keys[at + 1], &nearest->keys[at], (nearest->count - 1 - at) * sizeof added);
    nearest->keys[at] = added;
}
static void autotune__drop_near(autotune__nearest *nearest, size_t at) {
    AUTOTUNE__FREE_ARRAY(nearest->keys[at].times);
    for (nearest->count--; at < nearest->count; at++) nearest->keys[at] = nearest->keys[at + 1];
}
/* Adds the least time of a configuration. Each configuration that works has a least time, but only some have a
   median. */
static void autotune__add_time(autotune__near_key *near_key, size_t point, double least_ns) {
    const autotune__relative_time time = { point, least_ns };
    if (point != SIZE_MAX && autotune__is_definite(least_ns)) (void)AUTOTUNE__PUSH(near_key->times, time);
}
/* Finds the nearest keys that this process raced, and their times. */
static void autotune__find_near_raced(const autotune__subject *subject, autotune__nearest *nearest) {
    const autotune__known_key *known_key, *mine = subject->known_key;
    size_t i, k;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        double distance;
        if (known_key == mine || known_key->tuner != mine->tuner || known_key->pinned != mine->pinned) continue;
        distance = autotune__key_distance(nearest, &mine->key, &known_key->key);
        /* After a duel of recorded finalists, the record has more times than this process, and is read instead. */
        if (autotune__has_place(nearest, distance) && known_key->entry && known_key->history->count &&
            autotune__trust_in(known_key) != AUTOTUNE__NO_MORE_DUELS)
            autotune__add_near(nearest, &known_key->key, distance, known_key->history, SIZE_MAX);
    }
    for (k = 0; k < nearest->count; k++) {
        const autotune__history *history = nearest->keys[k].history;
        nearest->keys[k].winner = history->result.index;
        for (i = 0; i < history->count; i++)
            if (history->measurements[i].status == AUTOTUNE_OK)
                autotune__add_time(&nearest->keys[k], history->measurements[i].config.index,
                                   history->measurements[i].min_ns);
    }
}

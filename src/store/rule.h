/* The rule of a tuner is a line that `autotune fit` made of the tuner's records. Its decision tree compares the
   numbers of a key, and ends at a configuration. Versions that know no rules take the line for the record of a race
   that never ended. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "key_json.h"
#include "configuration_json.h"
#include "read_record.h"
#include "disk.h"
#include "recall.h"

/* A rule has an identity of its own, which no key has. tuner: see autotune__identity. */
static uint64_t autotune__id_of_rule(uint64_t tuner) { return autotune__hash_word(tuner, 0x72756C65); }
static bool autotune__is_rule(const autotune__store *store AUTOTUNE__UNUSED, autotune__line *line) {
    return line->head.unfinished;
}
/* Returns true if the rule is made for keys like this one. A number has to be in the rule's range, and a string has to
   be the same. */
static bool autotune__is_of_rule(const autotune_key *key, const autotune__json *json) {
    const int range = autotune__member(json, 0, "range");
    bool is = true;
    uint32_t i;
    int at = 0;
    for (i = 0; is && i < autotune__parts(key); i++) {
        const double number = autotune__number_of_part(key, i);
        if ((at = autotune__next_row(json, range, at)) > 0 && autotune__begins(json, at, '[')) {
            const int low = autotune__next_row(json, at, 0), high = autotune__next_row(json, at, low);
            is = autotune__part_type(key->types, i) != AUTOTUNE_STRING && number >= autotune__number_at(json, low) &&
                 autotune__is_within(number, autotune__number_at(json, low), autotune__number_at(json, high));
        } else is = at > 0 && autotune__same_value(key, i, json, at);
    }
    return is && autotune__next_row(json, range, at) < 0;
}
/* Returns the point that the rule names for the key. SIZE_MAX: there is no rule, the rule is not made for keys like
   this one, or the rule names no configuration for the key. *keys: the number of keys from which the rule was made.
   date: the date of the rule. The caller holds the lock of the cache. */
static size_t autotune__point_of_rule(autotune__store *store, size_t *keys, char date[AUTOTUNE__DATE_BYTES]) {
    const uint64_t own = store->identity.id;
    const autotune_key *key = &store->subject->options.key;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    const autotune__line *line;
    autotune__json json;
    size_t point = SIZE_MAX;
    int node, then;
    store->identity.id = autotune__id_of_rule(store->identity.tuner);
    line = autotune__open_record(store, autotune__has_texts, &text, &json);
    if (!line && autotune__line_of(store, autotune__is_rule))
        autotune__say_once(&autotune__disk.said_old_rule, store->subject->name, "the rule in the cache is of another "
                           "space or build of this tuner and is not used", "'autotune fit' makes a new one");
    store->identity.id = own;
    if (line && autotune__is_of_tuner(&json, store) && autotune__is_of_rule(key, &json)) {
        for (node = autotune__member(&json, 0, "rule"); (then = autotune__member(&json, node, "then")) > 0;) {
            const uint32_t part = (uint32_t)autotune__count_in(&json, node, "part") % AUTOTUNE_MAX_KEY;
            node = autotune__number_of_part(key, part) <= autotune__number_in(&json, node, "most")
                       ? then : autotune__member(&json, node, "else");
        }
        point = autotune__point_of_config(store, &json, autotune__member(&json, node, "config"));
        *keys = autotune__count_in(&json, 0, "keys");
        memcpy(date, line->head.date, AUTOTUNE__DATE_BYTES);
    }
    return point;
}

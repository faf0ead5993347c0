/* A guess for the key of a statement, from the keys that this process raced and from those that have a record. */
#pragma once
#include <stdlib.h>
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
#include "folder.h"
#include "file.h"
#include "recall.h"
#include "seeds.h"
#include "rule.h"

/* Does the number fit into an integer of this type? Each part of a key is one of 64 bits. */
static bool autotune__fits_into(autotune_type type, double number) {
    return type == AUTOTUNE_U64 ? number >= 0 && number < 18446744073709551616.0
                                : number >= -9223372036854775808.0 && number < 9223372036854775808.0;
}
/* The key of a line, whose strings have to be those of the statement. `key` begins as that of the statement. */
static bool autotune__read_line_key(const autotune__line *line, int file, autotune_key *key) {
    autotune__text text = { NULL, false };
    autotune__json json;
    char *read;
    bool is_like = autotune__open_key(line, file, &json, &read);
    uint32_t i;
    int at = 0;
    for (i = 0; is_like && i < autotune__parts(key); i++) {
        const autotune_type type = autotune__part_type(key->types, i);
        const int value = (at = autotune__next_member(&json, 0, at)) < 0 ? -1 : autotune__member_value(&json, at);
        double number;
        if (type == AUTOTUNE_STRING) {
            autotune__clear_text(&text);
            autotune__append_key_value(&text, key, i);
            is_like = autotune__is_text(&json, value, &text);
            continue;
        }
        number = autotune__part_at(&json, value);
        if (!autotune__is_definite(number) || !(autotune__is_float(type) || autotune__fits_into(type, number)))
            is_like = false;
        else key->word[i] = autotune__is_float(type)  ? autotune__word_double(number)
                          : type == AUTOTUNE_U64 ? (uint64_t)number : (uint64_t)(int64_t)number;
    }
    is_like = is_like && autotune__next_member(&json, 0, at) < 0;
    autotune__free_text(&text);
    autotune__free(read);
    return is_like;
}
/* With the lock of the cache. A line has the number of its first part once it was read, by which most lines are told to
   be too far away. */
static void autotune__find_near_lines(const autotune__store *store, autotune__nearest *nearest) {
    struct autotune__disk *cache = &autotune__disk;
    const autotune_key *mine = &store->subject->options.key;
    const double first = autotune__number_of_part(mine, 0);
    const char *why;
    const int file = cache->file ? autotune__open_ours(cache->file, AUTOTUNE__READ, &why) : -1;
    size_t i;
    for (i = 0; i < autotune__count(cache->lines); i++) {
        autotune__line *line = &cache->lines[i];
        const double most = autotune__most_distance(nearest, mine), ratio = line->first / first;
        autotune_key key = *mine;
        double distance;
        if (line->first != 0 && first != 0 && !(ratio <= most && ratio * most >= 1)) continue;
        if (!autotune__has_texts(store, line) || !autotune__may_seed(line, store, false)) continue;
        if (!autotune__read_line_key(line, file, &key)) continue;
        line->first = autotune__part_type(key.types, 0) == AUTOTUNE_STRING ? 0 : autotune__number_of_part(&key, 0);
        distance = autotune__near_distance(nearest, mine, &key);
        if (autotune__is_definite(distance)) autotune__add_near(nearest, mine, &key, distance, NULL, i);
    }
    autotune__close_file(file);
}
/* The next member with this name behind the one at `at`, as records have their members in one order: *at becomes it.
   Returns its value. */
static int autotune__member_behind(const autotune__json *json, int object, int *at, const char *name) {
    while ((*at = autotune__next_member(json, object, *at)) > 0)
        if (autotune__spells(json, *at, name)) return autotune__member_value(json, *at);
    return -1;
}
/* With the lock of the cache: the times of keys that have a line. One that cannot be read, or is of another tuner of
   the name, does not count. The texts of the tuner are those of the statement, and so are the names of its space. */
static void autotune__read_near_lines(autotune__store *store, autotune__nearest *nearest) {
    autotune__text text = { NULL, false };
    autotune__json json;
    size_t i;
    for (i = nearest->count; i-- > 0;) {
        autotune__near_key *near_key = &nearest->keys[i];
        const autotune__line *line = near_key->line == SIZE_MAX ? NULL : &autotune__disk.lines[near_key->line];
        int rows, row = 0;
        if (!line) continue;
        if (!autotune__spell_space(store) || !autotune__fetch(line, &text) || !autotune__parse_text(&json, &text) ||
            !autotune__is_neighbour(&json, store, line->any_device, false)) {
            autotune__drop_near(nearest, i);
            continue;
        }
        near_key->winner = autotune__find_point(store, &json, 0, "winner");
        rows = autotune__member(&json, 0, "configurations");
        while ((row = autotune__next_row(&json, rows, row)) > 0) {
            int at = 0;
            const int config = autotune__member_behind(&json, row, &at, "config"),
                      state = autotune__member_behind(&json, row, &at, "state");
            const double ns = autotune__number_at(&json, autotune__member_behind(&json, row, &at, "min_ns"));
            if (autotune__spells(&json, state, "ok") || autotune__spells(&json, state, "slow"))
                autotune__add_time(near_key, autotune__point_of_values(store, &json, config), ns);
        }
    }
    autotune__free_text(&text);
}
/* What may be the winner of a key of which there is no record. False: no key is near enough. */
static bool autotune__recall_guess(autotune__store *store) {
    autotune__recalled *recalled = &store->prior->recalled;
    autotune__text origin = { NULL, false };
    autotune__nearest nearest;
    autotune__shortlist found;
    size_t keys, i, of_rule = 0, point = SIZE_MAX;
    char date[AUTOTUNE__DATE_BYTES];
    if (autotune__is_set(&store->subject->known_key->distrusted)) return false;
    nearest.count = 0;
    autotune__find_near_raced(store->subject, &nearest);
    autotune__enter_cache();
    if (autotune__line_of(store, autotune__may_answer)) while (nearest.count) autotune__drop_near(&nearest, 0);
    else {
        autotune__find_near_lines(store, &nearest);
        point = autotune__point_of_rule(store, &of_rule, date);
    }
    autotune__read_near_lines(store, &nearest);
    autotune__leave_cache();
    keys = autotune__guess_from(&nearest, &found);
    autotune__strike_point(&found, point);
    if (point != SIZE_MAX) {                    /* what is near comes behind it, for where it does not work */
        autotune__shortlist_point(&found, point, 0);
        autotune__append(&origin, "%lu keys, by the rule of %.10s", (unsigned long)of_rule, date);
    } else if (keys) {
        autotune__append(&origin, "%lu key%s, the nearest ", (unsigned long)keys, keys > 1 ? "s" : "");
        autotune__append_key(&origin, &nearest.keys[0].key, false);
    } else return false;
    while (nearest.count) autotune__drop_near(&nearest, 0);
    autotune__clear_result(&recalled->result);
    recalled->result.verdict = AUTOTUNE_GUESSED;
    recalled->result.guessed_from = autotune__keep_origin(&origin);
    recalled->count = found.count < AUTOTUNE__CANDIDATES ? found.count : (size_t)AUTOTUNE__CANDIDATES;
    for (i = 0; i < recalled->count; i++) {
        recalled->candidates[i].index = found.index[i];
        recalled->candidates[i].median_ns = recalled->candidates[i].min_ns = AUTOTUNE__NEVER;
    }
    recalled->winner = found.index[0];
    recalled->next = 0;
    return true;
}

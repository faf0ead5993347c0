/* fit_times.c - see fit_times.h */
#include "fit_times.h"
#include "shown.h"
#include <math.h>
#include <stdlib.h>

static bool is_same_text(struct value a, struct value b) {
    size_t length, other;
    const char *text = raw(a, &length), *it = raw(b, &other);
    return length == other && !memcmp(text, it, length);
}
static bool is_of_space(const struct line *a, const struct line *b) {
    return a->fingerprint == b->fingerprint && a->machine == b->machine;
}
static size_t config_of(struct times *times, struct value config) {
    for (size_t i = 0; i < COUNT(times->configs); i++)
        if (is_same_text(times->configs[i], config)) return i;
    PUSH(times->configs, config);
    return COUNT(times->configs) - 1;
}
/* Returns a number; true is 1 and false is 0. NAN: the value is none of these. */
static double number_of(struct value value) {
    const double number = is_raw(value, "true") ? 1 : is_raw(value, "false") ? 0 : number_at(value);
    return autotune__is_definite(number) ? number : NAN;
}
/* Reads the least time of each row, and puts it at the place of the row's configuration. */
static void read_rows(struct times *times, struct key *key, struct value record) {
    const struct value winner = member(record, "winner");
    double best = AUTOTUNE__NEVER;
    key->winner = is_object(winner) ? config_of(times, winner) : SIZE_MAX;
    for (struct value row = {NULL, -1}; next_element(member(record, "configurations"), &row);) {
        const size_t config = config_of(times, member(row, "config"));
        const double ns = number_at(member(row, "min_ns"));
        while (COUNT(key->ratio) <= config) PUSH(key->ratio, NAN);
        if (had_failed(row) || !autotune__is_within(ns, 1e-300, 1e150)) continue;
        key->ratio[config] = ns;
        if (ns < best) best = ns;
    }
    for (size_t i = 0; i < COUNT(key->ratio); i++) key->ratio[i] /= best;
    for (struct value row = {NULL, -1}; next_element(member(record, "former"), &row);) { /* times of another build */
        const size_t config = config_of(times, member(row, "config"));
        const double ratio = number_at(member(row, "ratio"));
        while (COUNT(key->ratio) <= config) PUSH(key->ratio, NAN);
        if (isnan(key->ratio[config]) && autotune__is_within(ratio, 1e-300, 1e150)) key->ratio[config] = ratio;
    }
}
/* Reads the parts of a key. If they cannot be used, prints why, and returns false. */
static bool read_parts(struct times *times, struct key *key, struct value object) {
    size_t count = 0;
    for (struct value name = {NULL, -1}; next_member(object, &name); count++) {
        struct part *part = &times->parts[count];
        const struct value value = value_of(name);
        const double number = number_of(value);
        size_t length;
        const char *text = raw(value, &length);
        if (count == MOST_PARTS) break;
        if (COUNT(times->keys) && count == times->part_count) {
            count++; /* the key has more parts than the first key */
            break;
        }
        if (!COUNT(times->keys))
            *part = (struct part){shown_value(name), !isnan(number), formatted("%.*s", (int)length, text)};
        key->number[count] = number;
        if (part->is_number != !isnan(number) ||
            (!part->is_number && strcmp(part->text, formatted("%.*s", (int)length, text)) != 0))
            return fail(NOT_DONE, "fit: the keys differ in '%s', which is no number: a rule is of numbers alone",
                        part->name),
                   false;
    }
    if (!COUNT(times->keys)) times->part_count = count;
    if (count == times->part_count) return true;
    return fail(NOT_DONE, "fit: the keys have different numbers of parts"), false;
}
static bool add_key(struct times *times, const struct record *record) {
    const struct value at = open_record(record); /* `configs` points into it, until free_times() */
    struct key key = {.shown = record->key, .first = NAN, .date = shown_date(&record->line)};
    const double first = number_at(member(at, "default_ns")), ns = ns_of(at);
    PUSH(times->opened, at);
    if (member(at, "configurations").place < 0) { /* the cache had no room for its times */
        times->without_table++;
        return true;
    }
    if (autotune__is_definite(first) && ns > 0) key.first = fmax(1, first / ns);
    if (!read_parts(times, &key, member(at, "key"))) return false;
    read_rows(times, &key, at);
    PUSH(times->keys, key);
    return true;
}
static void complete_times(struct times *times) {
    for (size_t c = 0; c < COUNT(times->configs); c++) PUSH(times->complete, true);
    for (size_t k = 0; k < COUNT(times->keys); k++)
        for (size_t c = 0; c < COUNT(times->configs); c++) {
            if (c == COUNT(times->keys[k].ratio)) PUSH(times->keys[k].ratio, NAN);
            if (isnan(times->keys[k].ratio[c])) times->complete[c] = false;
        }
    for (size_t c = 0; c < COUNT(times->configs); c++) times->incomplete += !times->complete[c];
}
static bool has_number(const struct times *times) {
    for (size_t i = 0; i < times->part_count; i++)
        if (times->parts[i].is_number) return true;
    return false;
}
static bool is_enough(const struct times *times) {
    const size_t configs = COUNT(times->configs);
    if (COUNT(times->keys) < 2)
        return fail(NOT_DONE, "fit: %s has one key: a rule is made from two and more; tune others first", times->tuner),
               false;
    if (!has_number(times)) return fail(NOT_DONE, "fit: no part of the keys of %s is a number", times->tuner), false;
    if (times->incomplete == configs)
        return fail(NOT_DONE,
                    "fit: none of %zu configurations has a time at each of %zu keys: tune these with .strategy = "
                    "AUTOTUNE_EXHAUSTIVE, which tries all", configs, COUNT(times->keys)), false;
    return true;
}
static bool read_records(char *const *arguments, const struct record *records, struct times *times) {
    const struct record *last = NULL;
    for (size_t i = 0; i < COUNT(records); i++) {
        if (strcmp(records[i].tuner, records[0].tuner) != 0)
            return fail(NOT_DONE, "fit: %s matches several tuners: name one", shown(arguments[0])), false;
        if (!records[i].line.unfinished && (!last || memcmp(records[i].line.date, last->line.date, DATE_BYTES) >= 0))
            last = &records[i];
    }
    if (!last) return none_found(arguments), false;
    times->line = last->line;
    times->tuner = last->tuner;
    times->record = open_record(last);
    PUSH(times->opened, times->record);
    times->device = shown_member(times->record, "device");
    times->newest = shown_date(&last->line);
    for (size_t i = 0; i < COUNT(records); i++) {
        if (records[i].line.unfinished) continue;
        if (!is_of_space(&records[i].line, &last->line)) times->other_builds++;
        else if (!add_key(times, &records[i])) return false;
    }
    complete_times(times);
    return is_enough(times);
}
bool read_times(char *const *arguments, struct times *times) {
    struct record *records = select_records(arguments);
    const bool read = read_records(arguments, records, times);
    stbds_arrfree(records);
    return read;
}
void free_times(struct times *times) {
    for (size_t k = 0; k < COUNT(times->keys); k++) stbds_arrfree(times->keys[k].ratio);
    stbds_arrfree(times->keys);
    stbds_arrfree(times->configs);
    stbds_arrfree(times->complete);
    for (size_t i = 0; i < COUNT(times->opened); i++) close_json(times->opened[i]);
    stbds_arrfree(times->opened);
}

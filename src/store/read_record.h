/* Records as text, read: of which tuner and key they speak, and which point of the space they name. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../space/key.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "../registry/subject.h"
#include "../registry/key_distance.h"
#include "json.h"
#include "line_head.h"
#include "machine.h"
#include "write_record.h"
#include "session.h"

/* Does a record speak of the tuner, the key and (unless any will do) the device of a statement? */
/* AUTOTUNE__NEVER: no key */
static double autotune__distance_to_text(const autotune_key *key, const autotune__json *json, int object) {
    autotune__text value = { NULL, false };
    double sum = object < 0 || json->token[object].type != JSMN_OBJECT ? AUTOTUNE__NEVER : 0;
    uint32_t i;
    int at = 0;
    for (i = 0; i < autotune__parts(key) && autotune__is_definite(sum); i++) {
        at = autotune__next_member(json, object, at);
        autotune__clear_text(&value);
        autotune__append_key_value(&value, key, i);
        if (at < 0 || value.broken) sum = AUTOTUNE__NEVER;
        else if (!autotune__is_text(json, at + 1, &value))
            sum += autotune__part_distance(autotune__part_type(key->types, i), autotune__number_of_part(key, i),
                                           autotune__number_at(json, at + 1));
    }
    autotune__free_text(&value);
    return autotune__is_definite(sum) && autotune__next_member(json, object, at) < 0 ? sum : AUTOTUNE__NEVER;
}
static bool autotune__same_key_values(const autotune__json *json, int object, const autotune_key *key) {
    return !(autotune__distance_to_text(key, json, object) > 0);
}
static bool autotune__is_json_string(const autotune__json *json, int at, const char *string) {
    autotune__text text = { NULL, false };
    bool is;
    autotune__append_string(&text, string);
    is = autotune__is_text(json, at, &text);
    autotune__free_text(&text);
    return is;
}
static bool autotune__same_string(const autotune__json *json, const char *member, const char *string) {
    return autotune__is_json_string(json, autotune__member(json, 0, member), string);
}
static bool autotune__speaks_of_tuner(const autotune__json *json, const autotune__subject *subject, bool any_device) {
    return autotune__same_string(json, "tuner", subject->name) &&
           (any_device || autotune__same_string(json, "device", autotune__device_words(subject->backend)));
}
static bool autotune__speaks_of(const autotune__json *json, const autotune__subject *subject, bool any_device) {
    return autotune__speaks_of_tuner(json, subject, any_device) &&
           autotune__same_key_values(json, autotune__member(json, 0, "key"), &subject->options.key);
}
/* Is the kernel, as far as can be seen, the one whose times the record has? */
static bool autotune__same_kernel(const autotune__json *json, const autotune__subject *subject) {
    autotune__text call = { NULL, false };
    bool same;
    autotune__append_call(&call, subject);
    same = autotune__is_text(json, autotune__member(json, 0, "call"), &call) &&
           autotune__same_string(json, "version", subject->options.version) &&
           autotune__same_string(json, "compiler", subject->site->build);
    autotune__free_text(&call);
    return same;
}

/* Was the record found with this very kernel, or with none of its name, as a record of before? */
static bool autotune__had_kernel(const autotune__json *json, const autotune__kernel_source *kernel, bool any_compiler) {
    const int kernels = autotune__member(json, 0, "kernels");
    bool named = false;
    int at = 0;
    char source[20];
    snprintf(source, sizeof source, "%016llx", (unsigned long long)kernel->source);
    while ((at = autotune__next_row(json, kernels, at)) > 0) {
        if (!autotune__is_json_string(json, autotune__member(json, at, "name"), kernel->name)) continue;
        if (autotune__is_json_string(json, autotune__member(json, at, "source"), source) &&
            (any_compiler || autotune__is_json_string(json, autotune__member(json, at, "compiler"), kernel->compiler)))
            return true;
        named = true;
    }
    return !named;
}

/* From a configuration's text to its index. Each dimension made of listed values gets a table of what they are written
   as, sorted by hash; the digits of rules are computed. */
typedef struct autotune__spelling { uint64_t hash; size_t digit; } autotune__spelling;
typedef struct autotune__spellings { autotune__spelling *of[AUTOTUNE_MAX_AXES]; } autotune__spellings;

static int autotune__order_spellings(const void *left, const void *right) {
    const autotune__spelling *a = (const autotune__spelling *)left, *b = (const autotune__spelling *)right;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) : a->digit < b->digit ? -1 : a->digit > b->digit;
}
static bool autotune__is_listed(const autotune__space *space, size_t dimension) {
    size_t a;
    for (a = 0; a < space->axis_count; a++)
        if (space->axes[a].dimension == dimension && space->axes[a].source == AUTOTUNE__LIST) return true;
    return autotune__is_select(space);
}
static autotune__spelling *autotune__spell(const autotune__space *space, size_t dimension) {    /* NULL: no memory */
    const size_t count = space->dimensions[dimension].count;
    autotune__spelling *spellings = (autotune__spelling *)autotune__allocate(count * sizeof *spellings);
    autotune__text text = { NULL, false };
    size_t a, digit;
    for (digit = 0; spellings && digit < count; digit++) {
        spellings[digit].digit = digit;
        for (a = 0; a < space->axis_count; a++) {
            if (space->axes[a].dimension != dimension) continue;
            autotune__clear_text(&text);
            autotune__append_axis_value(&text, space, a, digit);
            if (!text.broken)
                spellings[digit].hash = autotune__hash_more(spellings[digit].hash, text.at, autotune__count(text.at));
        }
    }
    if (spellings) qsort(spellings, count, sizeof *spellings, autotune__order_spellings);
    autotune__free_text(&text);
    return spellings;
}
static bool autotune__spell_space(const autotune__space *space, autotune__spellings *spellings) {
    size_t d;
    memset(spellings, 0, sizeof *spellings);
    for (d = 0; d < space->dimension_count; d++)
        if (autotune__is_listed(space, d) && !(spellings->of[d] = autotune__spell(space, d))) return false;
    return true;
}
static void autotune__free_spellings(autotune__spellings *spellings) {
    size_t d;
    for (d = 0; d < AUTOTUNE_MAX_AXES; d++) autotune__free(spellings->of[d]);
}
/* count: none */
static size_t autotune__spelled_digit(const autotune__spelling *spellings, size_t count, uint64_t hash) {
    size_t at;
    AUTOTUNE__BISECT(at, count, spellings[at].hash < hash);
    return at < count && spellings[at].hash == hash ? spellings[at].digit : count;
}
/* count: none */
static size_t autotune__rule_digit(const autotune__axis_of_space *axis, size_t count, const char *raw) {
    const int64_t value = axis->type == AUTOTUNE_U64 ? (int64_t)strtoull(raw, NULL, 10) : strtoll(raw, NULL, 10);
    uint64_t digit = 0;
    if (axis->source == AUTOTUNE__DOUBLING)
        while (digit < count && (int64_t)((uint64_t)axis->first << digit) != value) digit++;
    else if (axis->step > 0) digit = ((uint64_t)value - (uint64_t)axis->first) / (uint64_t)axis->step;
    else if (axis->step < 0) digit = ((uint64_t)axis->first - (uint64_t)value) / (0 - (uint64_t)axis->step);
    return digit < count ? (size_t)digit : count;
}
static bool autotune__read_digits(const autotune__json *json, int config, const autotune__space *space,
                                  const autotune__spellings *spellings, size_t *digit) {       /* false: it is not of
                                                                                                  this space */
    uint64_t hash[AUTOTUNE_MAX_AXES] = { 0 };
    size_t a, d, length;
    int at = 0;
    if (config < 0 || json->token[config].type != JSMN_OBJECT) return false;
    for (a = 0; a < space->axis_count; a++) {
        const char *raw;
        d = space->axes[a].dimension;
        if ((at = autotune__next_member(json, config, at)) < 0) return false;
        raw = autotune__raw(json, at + 1, &length);             /* a comma or brace ends it, so that strtoll does not
                                                                   run on */
        if (spellings->of[d]) hash[d] = autotune__hash_more(hash[d], raw, length);
        else digit[d] = autotune__rule_digit(&space->axes[a], space->dimensions[d].count, raw);
    }
    for (d = 0; d < space->dimension_count; d++) {
        const size_t count = space->dimensions[d].count;
        if (spellings->of[d]) digit[d] = autotune__spelled_digit(spellings->of[d], count, hash[d]);
        if (digit[d] >= count) return false;
    }
    return true;
}
static size_t autotune__find_point(const autotune__json *json, int config, autotune__space *space,
                                   const autotune__spellings *spellings) {
    size_t digit[AUTOTUNE_MAX_AXES] = { 0 }, d, index = 0;
    autotune__text text = { NULL, false };
    bool same;
    if (!autotune__read_digits(json, config, space, spellings, digit)) return SIZE_MAX;
    for (d = 0; d < space->dimension_count; d++) index = index * space->dimensions[d].count + digit[d];
    autotune__append_config(&text, space, index);               /* names and all */
    same = autotune__is_text(json, config, &text);
    autotune__free_text(&text);
    return same ? index : SIZE_MAX;
}

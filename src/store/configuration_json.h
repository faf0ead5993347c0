/* A configuration as JSON, {"tile":32,"order":"ijk"}: it is written here, and its point is found again. Every name
   and value has one spelling only, so that a reader compares what is written. */
#pragma once
#include <stdlib.h>
#include "../api/types.h"
#include "../site/values.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../space/values.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "json.h"

/* The value of an axis as JSON: an integer without a name of its own is a number; what has no text of its own, as a
   function, is the string of its label. */
static void autotune__append_axis_value(autotune__text *text, const autotune__space *space, size_t a, size_t digit) {
    const autotune__axis_of_space *axis = &space->axes[a];
    const uint64_t value = autotune__axis_value(axis, digit);
    autotune__text label = { NULL, false }, integer = { NULL, false };
    if (autotune__is_float(axis->type))
        autotune__append_double(text, autotune__double_of_value(axis->type, value));
    else if (axis->type == AUTOTUNE_STRING) autotune__append_string(text, autotune__string_of_value(value));
    else {
        if (autotune__is_select(space)) autotune__append_call_name(&label, space, digit);
        else autotune__append_value(&label, space, a, digit);
        if (AUTOTUNE__IS_INTEGER_TYPE(axis->type) && !autotune__is_select(space))
            autotune__append_integer(&integer, axis->type == AUTOTUNE_U64,
                                     (uint64_t)autotune__int_of_value(axis->type, value));
        if (label.broken || integer.broken) text->broken = true;
        else if (label.at && integer.at && !strcmp(label.at, integer.at)) autotune__append(text, "%s", label.at);
        else autotune__append_quoted(text, label.at ? label.at : "", autotune__count(label.at));
    }
    autotune__free_text(&label);
    autotune__free_text(&integer);
}
/* {"tile":32,"order":"ijk"} */
static void autotune__append_config(autotune__text *text, autotune__space *space, size_t index) {
    size_t a;
    autotune__locate(space, index);
    for (a = 0; a < space->axis_count; a++) {
        autotune__append(text, a ? "," : "{");
        autotune__append_string(text, space->axes[a].name);
        autotune__append(text, ":");
        autotune__append_axis_value(text, space, a, space->dimensions[space->axes[a].dimension].digit);
    }
    autotune__append(text, "}");
}

/* From a configuration as it is written to its point. A dimension whose values are listed gets a table with the hash of
   what each of its digits is written as, in the order of the hashes; of a dimension that is a rule the digit is
   computed from the value. */
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
/* Which digit is written so? count: none is. */
static size_t autotune__spelled_digit(const autotune__spelling *spellings, size_t count, uint64_t hash) {
    size_t at;
    AUTOTUNE__BISECT(at, count, spellings[at].hash < hash);
    return at < count && spellings[at].hash == hash ? spellings[at].digit : count;
}
static size_t autotune__rule_digit(const autotune__axis_of_space *axis, size_t count, const char *raw) {
    const int64_t value = axis->type == AUTOTUNE_U64 ? (int64_t)strtoull(raw, NULL, 10) : strtoll(raw, NULL, 10);
    uint64_t digit = 0;
    if (axis->source == AUTOTUNE__DOUBLING)
        while (digit < count && (int64_t)((uint64_t)axis->first << digit) != value) digit++;
    else if (axis->step > 0) digit = ((uint64_t)value - (uint64_t)axis->first) / (uint64_t)axis->step;
    else if (axis->step < 0) digit = ((uint64_t)axis->first - (uint64_t)value) / (0 - (uint64_t)axis->step);
    return digit < count ? (size_t)digit : count;
}
/* False: the configuration is not of this space. */
static bool autotune__read_digits(const autotune__json *json, int config, const autotune__space *space,
                                  const autotune__spellings *spellings, size_t *digit) {
    uint64_t hash[AUTOTUNE_MAX_AXES] = { 0 };
    size_t a, d, length;
    int at = 0;
    if (config < 0 || json->token[config].type != JSMN_OBJECT) return false;
    for (a = 0; a < space->axis_count; a++) {
        const char *raw;
        d = space->axes[a].dimension;
        if ((at = autotune__next_member(json, config, at)) < 0) return false;
        raw = autotune__raw(json, at + 1, &length);             /* strtoll() stops at the comma or brace behind it */
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
/* The point of the configuration that a member of the object is. SIZE_MAX: it is none of this space. */
static size_t autotune__find_point(const autotune__json *json, int object, const char *member, autotune__space *space,
                                   const autotune__spellings *spellings) {
    const int config = autotune__member(json, object, member);
    size_t digit[AUTOTUNE_MAX_AXES] = { 0 }, d, index = 0;
    autotune__text text = { NULL, false };
    bool same;
    if (!autotune__read_digits(json, config, space, spellings, digit)) return SIZE_MAX;
    for (d = 0; d < space->dimension_count; d++) index = index * space->dimensions[d].count + digit[d];
    autotune__append_config(&text, space, index);               /* the names have to be the same, too */
    same = autotune__is_text(json, config, &text);
    autotune__free_text(&text);
    return same ? index : SIZE_MAX;
}

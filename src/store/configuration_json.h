/* A configuration as JSON, {"tile":32,"order":"ijk"}: writing it, and finding its point again. Each name and value is
   written in one way only, so that a reader compares texts. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "json.h"
#include "session.h"

/* Appends the value of an axis. Numbers and strings are written as numbers and strings. An enumerator, a function and a
   call of a SELECT are written as a string: their label. */
static void autotune__append_axis_value(autotune__text *text, const autotune__space *space, size_t a, size_t digit) {
    const autotune__axis_of_space *axis = &space->axes[a];
    const uint64_t value = autotune__axis_value(axis, digit);
    autotune__text label AUTOTUNE__FREED = { NULL, false }, integer AUTOTUNE__FREED = { NULL, false };
    if (autotune__is_float(axis->type)) autotune__append_double(text, autotune__double_of_value(axis->type, value));
    else if (axis->type == AUTOTUNE_STRING) autotune__append_string(text, autotune__string_of_value(value));
    else {
        autotune__append_label_of(&label, space, a, digit);
        if (AUTOTUNE__IS_INTEGER_TYPE(axis->type) && !autotune__is_select(space))
            autotune__append_integer(&integer, axis->type == AUTOTUNE_U64,
                                     (uint64_t)autotune__int_of_value(axis->type, value));
        if (label.broken || integer.broken) text->broken = true;
        else if (label.at && integer.at && !strcmp(label.at, integer.at)) autotune__append_text(text, label.at);
        else autotune__append_quoted(text, label.at ? label.at : "", autotune__count(label.at));
    }
}
/* Appends {"tile":32,"order":"ijk"}. */
static void autotune__append_config(autotune__text *text, autotune__space *space, size_t index) {
    size_t a;
    autotune__locate(space, index);
    for (a = 0; a < space->axis_count; a++) {
        autotune__append_text(text, a ? "," : "{");
        autotune__append_string(text, space->axes[a].name);
        autotune__append_text(text, ":");
        autotune__append_axis_value(text, space, a, space->dimensions[space->axes[a].dimension].digit);
    }
    autotune__append_text(text, "}");
}

/* Adds the text of a value to a hash. Blanks of a label that a formatter may change do not count. */
static uint64_t autotune__hash_spelling(uint64_t hash, const autotune__axis_of_space *axis, const char *raw,
                                        size_t length) {
    autotune__text label AUTOTUNE__FREED = { NULL, false };
    const char *from;
    char *to;
    if (length > 2 && *raw == '"' && axis->type != AUTOTUNE_STRING) autotune__append_piece(&label, raw + 1, length - 2);
    if (!label.at || label.broken) return autotune__hash_more(hash, raw, length);
    for (from = to = label.at; *from; *to++ = *from++) from += *from == '\\' && from[1];    /* skips the backslash */
    *to = 0;
    return autotune__hash_more(hash, label.at, autotune__remove_blanks(label.at, (size_t)(to - label.at)));
}
/* Points are found by the texts of their values. For a dimension of listed values, this function hashes the texts of
   each value, when a point is first looked for. For a dimension that is a rule, autotune__rule_digit() computes the
   digit from the value. Returns false if there is no memory. A value whose text lacks memory is not found. */
static bool autotune__spell_space(autotune__store *store) {
    const autotune__space *space = store->subject->space;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    for (; store->spelled_axes < space->axis_count; store->spelled_axes++) {
        const autotune__axis_of_space *axis = &space->axes[store->spelled_axes];
        const size_t count = space->dimensions[axis->dimension].count;
        uint64_t **spelling = &store->spelling[axis->dimension];
        size_t digit;
        if (axis->source != AUTOTUNE__LIST && !autotune__is_select(space)) continue;
        if (!*spelling && !(*spelling = (uint64_t *)autotune__allocate(count * sizeof **spelling))) return false;
        for (digit = 0; digit < count; digit++) {
            autotune__clear_text(&text);
            autotune__append_axis_value(&text, space, store->spelled_axes, digit);
            (*spelling)[digit] = autotune__hash_spelling((*spelling)[digit], axis, text.at, autotune__count(text.at));
        }
    }
    return true;
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
/* Returns the point of a configuration. SIZE_MAX: the space does not have it, or there is no memory. */
static size_t autotune__point_of_config(autotune__store *store, const autotune__json *json, int config) {
    autotune__space *space = store->subject->space;
    uint64_t hash[AUTOTUNE_MAX_AXES] = { 0 };
    size_t digit[AUTOTUNE_MAX_AXES] = { 0 }, a, d, length, index = 0;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    int at = 0;
    if (!autotune__spell_space(store)) return SIZE_MAX;
    for (a = 0; a < space->axis_count; a++) {
        const char *raw;
        d = space->axes[a].dimension;
        if ((at = autotune__next_member(json, config, at)) < 0) return SIZE_MAX;
        raw = autotune__raw(json, autotune__member_value(json, at), &length);   /* strtoll() stops behind the value */
        if (store->spelling[d]) hash[d] = autotune__hash_spelling(hash[d], &space->axes[a], raw, length);
        else digit[d] = autotune__rule_digit(&space->axes[a], space->dimensions[d].count, raw);
    }
    for (d = 0; d < space->dimension_count; d++) {
        const size_t count = space->dimensions[d].count;
        if (store->spelling[d]) while (digit[d] < count && store->spelling[d][digit[d]] != hash[d]) digit[d]++;
        if (digit[d] == count) return SIZE_MAX;
        index = index * count + digit[d];
    }
    autotune__append_config(&text, space, index);           /* compares the names of axes, too */
    return autotune__is_raw_but_blanks(json, config, autotune__string(&text)) ? index : SIZE_MAX;
}

/* Records are read: of which tuner, key and kernel a record speaks, and which points of the space it names. */
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

/* The number of a part that was written. True and false are 1 and 0. */
static double autotune__part_at(const autotune__json *json, int at) {
    return autotune__is_raw(json, at, "true", 4)    ? 1
           : autotune__is_raw(json, at, "false", 5) ? 0
                                                    : autotune__number_at(json, at);
}
/* Is a part of a key the value that was written, in another spelling, since the type was another? So it is for
   autotune_lookup(), too: 1, 1.0 and true are one value. Two integers are equal only if their spellings are. */
static bool autotune__is_other_spelling(autotune_type type, double number, const autotune__json *json, int at) {
    size_t length, i = 0;
    const char *raw = autotune__raw(json, at, &length);
    while (i < length && (raw[i] == '-' || (raw[i] >= '0' && raw[i] <= '9'))) i++;
    if (type == AUTOTUNE_STRING || (i == length && type != AUTOTUNE_BOOL && !autotune__is_float(type))) return false;
    return number == autotune__part_at(json, at);
}
/* How far a key is from one that was written: 0 if they are equal. AUTOTUNE__NEVER: what was written is no key, or one
   of other parts; or *no_memory was set. */
static double autotune__distance_to_text(const autotune_key *key, const autotune__json *json, int object,
                                         bool *no_memory) {
    autotune__text value = { NULL, false };
    double sum = object < 0 || json->token[object].type != JSMN_OBJECT ? AUTOTUNE__NEVER : 0;
    uint32_t i;
    int at = 0;
    for (i = 0; i < autotune__parts(key) && autotune__is_definite(sum); i++) {
        at = autotune__next_member(json, object, at);
        autotune__clear_text(&value);
        autotune__append_key_value(&value, key, i);
        *no_memory = *no_memory || value.broken;
        if (at < 0 || value.broken) sum = AUTOTUNE__NEVER;
        else if (!autotune__is_text(json, at + 1, &value)) {
            const autotune_type type = autotune__part_type(key->types, i);
            const double number = autotune__number_of_part(key, i);
            if (!autotune__is_other_spelling(type, number, json, at + 1))
                sum += autotune__part_distance(type, number, autotune__part_at(json, at + 1));
        }
    }
    autotune__free_text(&value);
    return autotune__is_definite(sum) && autotune__next_member(json, object, at) < 0 ? sum : AUTOTUNE__NEVER;
}
static bool autotune__same_key_values(const autotune__json *json, int object, const autotune_key *key) {
    bool no_memory = false;
    return !(autotune__distance_to_text(key, json, object, &no_memory) > 0);
}
/* Is the member of the object this string? NULL: is it null? */
static bool autotune__same_string(const autotune__json *json, int object, const char *member, const char *string) {
    autotune__text text = { NULL, false };
    bool same;
    autotune__append_string(&text, string);
    same = autotune__is_text(json, autotune__member(json, object, member), &text);
    autotune__free_text(&text);
    return same;
}
/* Does a record speak of the tuner, and of the key, of a subject, on the same device or on any? */
static bool autotune__speaks_of_tuner(const autotune__json *json, const autotune__subject *subject, bool any_device) {
    return autotune__same_string(json, 0, "tuner", subject->name) &&
           (any_device || autotune__same_string(json, 0, "device", autotune__device_words(subject->backend)));
}
static bool autotune__speaks_of(const autotune__json *json, const autotune__subject *subject, bool any_device) {
    return autotune__speaks_of_tuner(json, subject, any_device) &&
           autotune__same_key_values(json, autotune__member(json, 0, "key"), &subject->options.key);
}
/* Was the call written and built as the one whose times the record has? */
static bool autotune__same_call(const autotune__json *json, const autotune__subject *subject) {
    autotune__text call = { NULL, false };
    bool same;
    autotune__append_call(&call, subject);
    same = autotune__is_text(json, autotune__member(json, 0, "call"), &call) &&
           autotune__same_string(json, 0, "version", subject->options.version) &&
           autotune__same_string(json, 0, "compiler", subject->site->build);
    autotune__free_text(&call);
    return same;
}
/* Is the kernel, as far as can be seen, the one whose times the record has? A block, a SELECT or a created tuner has no
   text of a call. Another one may have its name and its key, so that only a record with all of its texts speaks of
   it. */
static bool autotune__same_kernel(const autotune__json *json, const autotune__head *head,
                                  const autotune__store *store) {
    size_t length;
    return (head->identity.fingerprint == store->identity.fingerprint ||
            autotune__call_text(store->subject, &length)) &&
           autotune__same_call(json, store->subject);
}

/* Was the record found with this very kernel, or with none of its name? */
static bool autotune__had_kernel(const autotune__json *json, const autotune__kernel_source *kernel, bool any_compiler) {
    const int kernels = autotune__member(json, 0, "kernels");
    bool named = false;
    int at = 0;
    char source[20];
    snprintf(source, sizeof source, "%016llx", (unsigned long long)kernel->source);
    while ((at = autotune__next_row(json, kernels, at)) > 0) {
        if (!autotune__same_string(json, at, "name", kernel->name)) continue;
        if (autotune__same_string(json, at, "source", source) &&
            (any_compiler || autotune__same_string(json, at, "compiler", kernel->compiler)))
            return true;
        named = true;
    }
    return !named;
}

/* Of a row of "configurations". */
static bool autotune__was_finalist(const autotune__json *json, int row) {
    const int stage = autotune__member(json, row, "stage");
    return autotune__spells(json, stage, "duel") || autotune__spells(json, stage, "winner");
}
static bool autotune__had_failed(const autotune__json *json, int row) {
    const int state = autotune__member(json, row, "state");
    return autotune__spells(json, state, "failed") || autotune__spells(json, state, "rejected");
}
static bool autotune__was_launched(const autotune__json *json, int row) {           /* and not skipped */
    return autotune__count_in(json, row, "launches") > 0;
}
static autotune_verdict autotune__read_verdict(const autotune__json *json) {
    const size_t count = sizeof autotune__verdict_words / sizeof *autotune__verdict_words;
    const int verdict = autotune__member(json, 0, "verdict");
    size_t i = 0;
    while (i < count && !autotune__spells(json, verdict, autotune__verdict_words[i])) i++;
    return i < count ? (autotune_verdict)i : AUTOTUNE_UNRESOLVED;
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

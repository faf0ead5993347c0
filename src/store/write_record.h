/* A race becomes a record: one line of JSON, as docs/cache-format.md describes it. Every name and value has one
   spelling only, so that a reader compares what is written. */
#pragma once
#include <stdlib.h>
#include "../api/types.h"
#include "../system/clock.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../space/key.h"
#include "../space/values.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "../race/race.h"
#include "json.h"
#include "line_head.h"
#include "machine.h"
#include "session.h"

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
static void autotune__append_key_value(autotune__text *text, const autotune_key *key, uint32_t part) {
    const uint64_t word = key->word[part];
    switch (autotune__part_type(key->types, part)) {
    case AUTOTUNE_STRING: autotune__append_string(text, autotune__as_string(word)); break;
    case AUTOTUNE_F32: case AUTOTUNE_F64: autotune__append_double(text, autotune__as_double(word)); break;
    case AUTOTUNE_BOOL: autotune__append(text, word ? "true" : "false"); break;
    case AUTOTUNE_U64: autotune__append(text, "%llu", (unsigned long long)word); break;
    default: autotune__append(text, "%lld", (long long)(int64_t)word);
    }
}
/* The name of a part of a key: what .key names it, else its number from 1 on. A name that an earlier part has, too, is
   followed by # and a number. */
static void autotune__append_key_label(autotune__text *text, const autotune_key *key, uint32_t part) {
    size_t length = 0, other_length = 0;
    const char *name = key->text ? autotune__part(key->text, part, &length) : NULL;
    uint32_t i, equal = 1;
    autotune__text label = { NULL, false };
    if (name) autotune__append(&label, "%.*s", (int)length, name);
    else autotune__append(&label, "%u", part + 1);
    for (i = 0; name && i < part; i++) {
        const char *other = autotune__part(key->text, i, &other_length);
        if (other_length == length && !memcmp(other, name, length)) equal++;
    }
    if (equal > 1) autotune__append(&label, "#%u", equal);
    if (label.broken) text->broken = true;
    else autotune__append_string(text, label.at);
    autotune__free_text(&label);
}
/* {"n":1024,"transposed":true} */
static void autotune__append_key_object(autotune__text *text, const autotune_key *key) {
    uint32_t i;
    autotune__append(text, "{");
    for (i = 0; i < autotune__parts(key); i++) {
        autotune__append(text, i ? "," : "");
        autotune__append_key_label(text, key, i);
        autotune__append(text, ":");
        autotune__append_key_value(text, key, i);
    }
    autotune__append(text, "}");
}

static const char *const autotune__verdict_words[] = { "default", "single",     "separated",
                                                       "tie",     "unresolved", "unreliable" };

/* The rows of the launch table: the winner, then the others from the fastest on, then failures. */
enum { AUTOTUNE__MOST_ROWS = 4096 };            /* of a record: some 400 KB */
typedef struct autotune__sorted_row { double ns; size_t row; } autotune__sorted_row;
static int autotune__order_sorted_rows(const void *left, const void *right) {
    const autotune__sorted_row *a = (const autotune__sorted_row *)left, *b = (const autotune__sorted_row *)right;
    return a->ns < b->ns ? -1 : a->ns > b->ns ? 1 : a->row < b->row ? -1 : 1;
}
static autotune__sorted_row *autotune__sort_rows(const autotune__race *race, size_t count) {    /* NULL: no memory */
    autotune__sorted_row *sorted = (autotune__sorted_row *)autotune__allocate(count * sizeof *sorted);
    size_t i;
    for (i = 0; sorted && i < count; i++) {
        const autotune__row *row = &race->rows[i];
        sorted[i].row = i;
        sorted[i].ns = row->state == AUTOTUNE__FAILED ? AUTOTUNE__NEVER
                       : i == race->outcome.winner    ? -1
                                                      : autotune__time(row);
    }
    if (sorted) qsort(sorted, count, sizeof *sorted, autotune__order_sorted_rows);
    return sorted;
}
static void autotune__append_row(autotune__text *text, autotune__space *space, const autotune__row *row) {
    static const char *const states[] = { "ok", "slow", "failed" };
    const bool failed = row->state == AUTOTUNE__FAILED;
    autotune__append(text, "{\"config\":");
    autotune__append_config(text, space, row->index);
    autotune__append(text, ",\"stage\":\"%s\",\"state\":\"%s\",\"launches\":%lu", row->stage,
                     failed && row->status == AUTOTUNE_REJECTED ? "rejected" : states[row->state],
                     (unsigned long)row->launches);
    autotune__append_ns(text, "min_ns", row->measured);
    autotune__append_ns(text, "median_ns", row->median);
    if (failed || row->note) {
        autotune__append(text, ",\"reason\":");
        autotune__append_string(text, failed ? row->reason : row->note);
    }
    autotune__append(text, "}");
}
/* Behind the race's own rows stand those of the former record that the race left out. */
static void autotune__append_rows(autotune__text *text, autotune__store *store, const autotune__race *race) {
    const size_t count = autotune__count(race->rows);
    autotune__sorted_row *sorted = autotune__sort_rows(race, count);
    const autotune__former *former = &store->former;
    size_t i, written = 0;
    if (!sorted) text->broken = true;
    for (i = 0; sorted && i < count && written < AUTOTUNE__MOST_ROWS; i++) {
        const autotune__row *row = &race->rows[sorted[i].row];
        if (!row->launches && !row->note) continue;
        autotune__append(text, written++ ? "," : "");
        autotune__append_row(text, &store->subject->space, row);
    }
    for (i = 0; i < autotune__count(former->rows) && written < AUTOTUNE__MOST_ROWS; i++) {
        if (!former->rows[i].set_aside) continue;
        autotune__append(text, "%s%.*s", written++ ? "," : "", (int)former->rows[i].length,
                         former->text.at + former->rows[i].start);
    }
    autotune__free(sorted);
}
static void autotune__append_winner(autotune__text *text, const char *name, autotune__space *space,
                                    const autotune__race *race, size_t row) {
    autotune__append(text, ",\"%s\":", name);
    if (row == SIZE_MAX) autotune__append(text, "null");
    else autotune__append_config(text, space, race->rows[row].index);
}
static void autotune__append_kernels(autotune__text *text, const autotune__kernel_source *kernels) {
    size_t i;
    for (i = 0; i < autotune__count(kernels); i++) {
        autotune__append(text, i ? ",{\"name\":" : ",\"kernels\":[{\"name\":");
        autotune__append_string(text, kernels[i].name);
        autotune__append(text, ",\"source\":\"%016llx\",\"compiler\":", (unsigned long long)kernels[i].source);
        autotune__append_string(text, kernels[i].compiler);
        autotune__append(text, "}");
    }
    if (i) autotune__append(text, "]");
}
/* UTC. The calendar is computed here because gmtime_r() and strftime() of the C library wait for its lock of the time
   zone, which a child made by fork() may have inherited held, from a thread that it does not have. Days are counted
   from the 1st of March of the year 0, so that the leap day ends a year; five months in a row have 153 of them. */
static void autotune__append_date(autotune__text *text, int64_t seconds) {         /* since 1970, up to the year 9999 */
    enum { DAY = 86400, DAYS_TO_1970 = 719468, FOUR_CENTURIES = 146097, CENTURY = 36524, FOUR_YEARS = 1461 };
    const int64_t last = (int64_t)253402300799, known = seconds < 0 || seconds > last ? 0 : seconds;
    const int days = (int)(known / DAY) + DAYS_TO_1970, second = (int)(known % DAY), day = days % FOUR_CENTURIES,
              year = (day - day / (FOUR_YEARS - 1) + day / CENTURY - day / (FOUR_CENTURIES - 1)) / 365,
              day_of_year = day - (365 * year + year / 4 - year / 100), month = (5 * day_of_year + 2) / 153;
    autotune__append(text, "%04d-%02d-%02dT%02d:%02d:%02dZ", days / FOUR_CENTURIES * 400 + year + month / 10,
                     (month + 2) % 12 + 1, day_of_year - (153 * month + 2) / 5 + 1, second / 3600, second / 60 % 60,
                     second % 60);
}
/* What lines of records and of the journal have in common: the head, with tuner and key; how the kernel was built, and
   where it runs; the end. */
static void autotune__append_head(autotune__text *text, const autotune__store *store, bool unfinished) {
    const autotune__identity *identity = &store->identity;
    autotune__append(text, "{\"autotune\":1,\"id\":\"%016llx\",\"fingerprint\":\"%016llx\",\"machine\":\"%016llx\"",
                     (unsigned long long)identity->id, (unsigned long long)identity->fingerprint,
                     (unsigned long long)identity->machine);
    autotune__append(text, ",\"date\":\"");
    autotune__append_date(text, autotune__calendar_seconds());
    autotune__append(text, "\",%s\"tuner\":", unfinished ? "\"unfinished\":true," : "");
    autotune__append_string(text, store->subject->name);
    autotune__append(text, ",\"key\":");
    autotune__append_key_object(text, &store->subject->options.key);
}
static void autotune__append_call(autotune__text *text, const autotune__subject *subject) {
    size_t length = 0;
    const char *call = autotune__call_text(subject, &length);
    if (call) autotune__append_quoted(text, call, length);
    else autotune__append(text, "null");
}
static void autotune__append_build(autotune__text *text, const autotune__store *store) {
    const autotune__subject *subject = store->subject;
    autotune__append(text, ",\"version\":");
    autotune__append_string(text, subject->options.version);
    autotune__append(text, ",\"compiler\":");
    autotune__append_string(text, subject->site->build);
    autotune__append(text, ",\"call\":");
    autotune__append_call(text, subject);
    autotune__append(text, ",\"program\":");
    autotune__append_string(text, *store->program ? store->program : NULL);
    autotune__append(text, ",\"device\":");
    autotune__append_string(text, autotune__device_words(subject->backend));
}
static void autotune__append_crc(autotune__text *text) {
    if (!text->broken)
        autotune__append(text, ",\"crc\":\"%08lx\"}\n",
                         (unsigned long)autotune__crc(text->at, autotune__count(text->at)));
}
static void autotune__append_outcome(autotune__text *text, autotune__space *space, const autotune__race *race,
                                     const autotune_result *result, size_t launches, bool unfinished) {
    autotune__append_winner(text, "winner", space, race, race->outcome.winner);
    autotune__append_ns(text, "median_ns", result->median_ns);
    autotune__append(text, ",\"verdict\":\"%s\"", unfinished ? "unfinished" : autotune__verdict_words[result->verdict]);
    autotune__append_ns(text, "min_ns", result->min_ns);
    autotune__append_winner(text, "runner_up", space, race, unfinished ? SIZE_MAX : race->outcome.runner_up);
    autotune__append_ns(text, "runner_up_ns", unfinished ? AUTOTUNE__NEVER : result->runner_up_ns);
    autotune__append_ratio(text, "lead", result->lead);
    autotune__append_ratio(text, "lead_low", result->lead_low);
    autotune__append_ratio(text, "lead_high", result->lead_high);
    autotune__append(text, ",\"doubt\":");
    autotune__append_string(text, result->doubt);
    autotune__append_ns(text, "default_ns", result->default_ns);
    autotune__append_ns(text, "slowest_ns", result->slowest_ns);
    autotune__append(text, ",\"space_size\":%lu,\"tried\":%lu,\"failed\":%lu,\"launches\":%lu,\"seconds\":",
                     (unsigned long)result->space_size, (unsigned long)result->tried, (unsigned long)result->failed,
                     (unsigned long)launches);
    autotune__append_double(text, result->seconds);
}
/* The whole line, with its line feed. A race that has no winner yet makes an unfinished record. launches: those of the
   statement. */
static void autotune__append_record(autotune__text *text, autotune__store *store, const autotune__race *race,
                                    const autotune_result *result, size_t launches) {
    const bool unfinished = race->outcome.winner == SIZE_MAX;
    autotune__append_head(text, store, unfinished);
    autotune__append_outcome(text, &store->subject->space, race, result, launches, unfinished);
    autotune__append_build(text, store);
    autotune__append_kernels(text, store->kernels);
    autotune__append(text, ",\"configurations\":[");
    autotune__append_rows(text, store, race);
    autotune__append(text, "]");
    autotune__append_crc(text);
}

/* Reads a record: tests which tuner, body, kernel and build the record is of, and reads its rows and its result. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "json.h"
#include "line_head.h"
#include "key_json.h"
#include "write_line.h"
#include "session.h"

/* Returns true if a line has the texts and the pin of this tuner. An older record has a hash of texts with their
   blanks. In a call in use the store is not opened: its identity is the identity of the record, whatever hash it is. */
static bool autotune__has_same_texts(const autotune__store *store, const autotune__identity *recorded) {
    return recorded->fingerprint == store->identity.fingerprint ||
           (store->prior && !store->prior->recalled.restricts &&
            recorded->fingerprint == store->subject->known_key->tuner->written);
}
/* Returns true if the member of the object is this string. string: NULL stands for null. */
static bool autotune__same_string(const autotune__json *json, int object, const char *member, const char *string) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__append_string(&text, string);
    return autotune__is_raw(json, autotune__member(json, object, member), autotune__string(&text));
}
/* Returns true if a record is of the statement's tuner and device. */
static bool autotune__is_of_tuner(const autotune__json *json, const autotune__store *store) {
    return autotune__same_string(json, 0, "tuner", store->subject->name) &&
           autotune__same_string(json, 0, "device", autotune__string(&store->device));
}
/* Returns true if the call of the record had the same text and version, and the same compiler. any_compiler: the
   compiler may differ. */
static bool autotune__same_call(const autotune__json *json, const autotune__subject *subject, bool any_compiler) {
    autotune__text call AUTOTUNE__FREED = { NULL, false };
    autotune__append_call(&call, subject);
    return autotune__is_raw_but_blanks(json, autotune__member(json, 0, "call"), autotune__string(&call)) &&
           autotune__same_string(json, 0, "version", subject->options.version) &&
           (any_compiler || autotune__same_string(json, 0, "compiler", subject->site->build));
}
static const char autotune__wrong_reference[] = "configurations agree with each other, and not with the first one, on "
                                                "what .outputs hold";
/* Returns true if the record and the statement have the same pin, or none. */
static bool autotune__has_same_pin(const autotune__json *json, const autotune__recalled *recalled) {
    return autotune__member(json, 0, "pin") < 0 ? !recalled->restricts
                                                : recalled->restricts &&
                                                      autotune__same_string(json, 0, "pin", recalled->pin);
}
/* Returns true if the record is of the statement's body, as far as texts tell. In mode VERIFY the compiler may differ.
   A block, a SELECT or a created tuner has no text of a call. Another such statement may have the same name and
   key. So a record counts for such a statement only if all texts are the same. */
static bool autotune__same_body(const autotune__json *json, const autotune__head *head,
                                const autotune__store *store) {
    size_t length;
    return (autotune__has_same_texts(store, &head->identity) || autotune__call_text(store->subject, &length)) &&
           autotune__same_call(json, store->subject, autotune__verifies(store->subject));
}

/* Returns true if the record is of this kernel, or names no kernel with this name. */
static bool autotune__has_same_kernel(const autotune__json *json, const autotune__kernel_source *kernel) {
    const int kernels = autotune__member(json, 0, "kernels");
    bool named = false;
    int at = 0;
    char source[20], written[20];
    autotune__put_text(source, sizeof source, "%016llx", (unsigned long long)kernel->source);
    autotune__put_text(written, sizeof written, "%016llx", (unsigned long long)kernel->written);
    while ((at = autotune__next_row(json, kernels, at)) > 0) {
        if (!autotune__same_string(json, at, "name", kernel->name)) continue;
        if ((autotune__says(json, at, "source", source) || autotune__says(json, at, "source", written)) &&
            autotune__same_string(json, at, "compiler", kernel->compiler))
            return true;
        named = true;
    }
    return !named;
}

/* Returns 0 if this program made the record. Returns n if this program is number n of the other programs that found the
   same winner in a race of their own. -1: neither. program: "" if it is unknown, which counts as 0. */
static int autotune__find_program(const autotune__json *json, const char *program) {
    const int others = autotune__member(json, 0, "programs");
    int at = autotune__member(json, 0, "program"), number = 0;
    if (!*program) return 0;
    while (at > 0 && !autotune__spells(json, at, program)) at = autotune__next_row(json, others, number++ ? at : 0);
    return at > 0 ? number : -1;
}

/* A row of "configurations" or of "former": the positions of its values in the record, and the outcome of the
   configuration. */
typedef struct autotune__recorded_row {
    int rows, at;                               /* position of the array; position of this row, 0 before the first */
    int config, stage, state, launches, min_ns, ratio;          /* -1: the row has no such value */
    bool finalist, failed;                      /* the configuration was in the duel; it failed or was rejected */
    bool survived;                              /* the configuration was still in the race at its end */
    bool former;                                /* the row is of another build: it has no time, but the ratio of its
                                                   time to the winner's */
} autotune__recorded_row;
static void autotune__read_row(const autotune__json *json, autotune__recorded_row *row) {
    static const char *const names[] = { "config", "stage", "state", "launches", "min_ns", "ratio" };
    int *const values[] = { &row->config, &row->stage, &row->state, &row->launches, &row->min_ns, &row->ratio };
    const size_t count = sizeof names / sizeof *names;
    size_t i;
    int name = 0;
    for (i = 0; i < count; i++) *values[i] = -1;
    while ((name = autotune__next_member(json, row->at, name)) > 0)
        for (i = 0; i < count; i++)
            if (autotune__spells(json, name, names[i])) *values[i] = autotune__member_value(json, name);
    row->finalist = autotune__spells(json, row->stage, "duel") || autotune__spells(json, row->stage, "winner");
    row->failed = autotune__spells(json, row->state, "failed") || autotune__spells(json, row->state, "rejected");
    row->survived = autotune__spells(json, row->state, "ok");
}
static autotune__recorded_row autotune__before_rows(const autotune__json *json) {
    autotune__recorded_row row;
    memset(&row, 0, sizeof row);
    row.rows = autotune__member(json, 0, "configurations");
    return row;
}
/* Moves to the next row of "configurations", then of "former". Returns false if there is none. */
static bool autotune__next_recorded(const autotune__json *json, autotune__recorded_row *row) {
    row->at = autotune__next_row(json, row->rows, row->at);
    if (row->at <= 0 && !row->former) {
        row->former = true;
        row->rows = autotune__member(json, 0, "former");
        row->at = autotune__next_row(json, row->rows, 0);
    }
    if (row->at > 0) autotune__read_row(json, row);
    return row->at > 0;
}
/* Returns the least time. For a row of another build, returns the ratio multiplied by the winner's least time. Not
   definite: the row has neither. */
static double autotune__recorded_ns(const autotune__json *json, const autotune__recorded_row *row) {
    return row->former ? autotune__number_at(json, row->ratio) * autotune__number_in(json, 0, "min_ns")
                       : autotune__number_at(json, row->min_ns);
}
static bool autotune__is_incomplete(const autotune__json *json) {      /* the race did not try all that it had to try */
    return autotune__is_raw(json, autotune__member(json, 0, "complete"), "false");
}
static autotune_verdict autotune__read_verdict(const autotune__json *json) {
    const size_t count = sizeof autotune__verdict_words / sizeof *autotune__verdict_words;
    const int at = autotune__member(json, 0, "verdict");
    size_t i = 0;
    while (i < count && !autotune__spells(json, at, autotune__verdict_words[i])) i++;
    return i < count ? (autotune_verdict)i : AUTOTUNE_UNRESOLVED;
}
static void autotune__read_result(const autotune__json *json, autotune_result *result) {
    autotune__clear_result(result);
    result->verdict = autotune__read_verdict(json);
    result->doubt = result->verdict == AUTOTUNE_UNRELIABLE ? "it was measured in an earlier run, whose record says why"
                                                           : NULL;
    result->median_ns = autotune__number_in(json, 0, "median_ns");
    result->min_ns = autotune__number_in(json, 0, "min_ns");
    if (!autotune__is_definite(result->median_ns)) result->median_ns = result->min_ns;
    result->lead = autotune__number_in(json, 0, "lead");
    result->lead_low = autotune__number_in(json, 0, "lead_low");
    result->lead_high = autotune__number_in(json, 0, "lead_high");
    result->runner_up_ns = autotune__number_in(json, 0, "runner_up_ns");
    result->default_ns = autotune__number_in(json, 0, "default_ns");
    result->slowest_ns = autotune__number_in(json, 0, "slowest_ns");
    result->space_size = autotune__count_in(json, 0, "space_size");
}

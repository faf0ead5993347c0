/* A race becomes a record: one line of JSON, as docs/cache-format.md describes it. Every name and value has one
   spelling only, so that a reader compares what is written. */
#pragma once
#include <stdlib.h>
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "json.h"
#include "write_line.h"
#include "read_record.h"
#include "configuration_json.h"
#include "session.h"

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
        sorted[i].ns = autotune__failed(row)       ? AUTOTUNE__NEVER
                       : i == race->outcome.winner ? -1
                                                   : autotune__time(row);
    }
    if (sorted) qsort(sorted, count, sizeof *sorted, autotune__order_sorted_rows);
    return sorted;
}
static void autotune__append_row(autotune__text *text, autotune__store *store, const autotune__race *race,
                                 size_t number) {
    const autotune__row *row = &race->rows[number];
    const bool failed = autotune__failed(row);
    const char *state = !failed ? row->why ? "slow" : "ok" : row->status == AUTOTUNE_REJECTED ? "rejected" : "failed";
    autotune__append_text(text, "{\"config\":");
    autotune__append_config(text, store->subject->space, row->index);
    autotune__append(text, ",\"stage\":\"%s\",\"state\":\"%s\",\"launches\":%lu", row->stage, state,
                     (unsigned long)row->launches);
    if (row->launches)                          /* those of the races that this one goes on with came before */
        autotune__append(text, ",\"trial\":%lu",
                         (unsigned long)(store->prior->former + number + 1));
    autotune__append_ns(text, "min_ns", row->measured);
    autotune__append_ns(text, "median_ns", row->median);
    if (failed || row->note) autotune__append_words(text, "reason", failed ? row->reason : row->note);
    autotune__append_text(text, "}");
}
/* Behind the race's own rows stand those of the former record that the race left out, or had no time for. */
static void autotune__append_former_rows(autotune__text *text, autotune__store *store, const autotune__race *race,
                                         size_t written) {
    const unsigned all = store->prior->recalled.due ? AUTOTUNE__LOST : AUTOTUNE__ASIDE;
    const autotune__prior_row *row;
    autotune__recorded_row read;
    autotune__json json;
    if (!store->prior->former || !autotune__parse_text(&json, &store->former)) return;
    for (read = autotune__before_rows(&json); written < AUTOTUNE__MOST_ROWS && autotune__next_recorded(&json, &read);) {
        row = autotune__find_prior(store->prior->rows, autotune__point_of_config(store, &json, read.config));
        if (!row || autotune__find_row(race, row->point) != SIZE_MAX ||
            !(row->flags & all || (row->flags & (AUTOTUNE__SEED | AUTOTUNE__LOST)) == AUTOTUNE__SEED))
            continue;
        autotune__append(text, "%s%.*s", written++ ? "," : "",
                         autotune__after(&json, read.at) - read.at, autotune__string(&store->former) + read.at);
    }
}
static void autotune__append_rows(autotune__text *text, autotune__store *store, const autotune__race *race) {
    const size_t count = autotune__count(race->rows);
    autotune__sorted_row *sorted = autotune__sort_rows(race, count);
    size_t i, written = 0;
    if (!sorted) text->broken = true;
    autotune__append(text, ",\"configurations\":[");
    for (i = 0; sorted && i < count && written < AUTOTUNE__MOST_ROWS; i++) {
        const autotune__row *row = &race->rows[sorted[i].row];
        if (!row->launches && !row->note) continue;
        autotune__append_text(text, written++ ? "," : "");
        autotune__append_row(text, store, race, sorted[i].row);
    }
    autotune__append_former_rows(text, store, race, written);
    autotune__append(text, "]");
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
        autotune__append(text, ",\"source\":\"%016llx\"", (unsigned long long)kernels[i].source);
        autotune__append_words(text, "compiler", kernels[i].compiler);
        autotune__append(text, "}");
    }
    if (i) autotune__append(text, "]");
}
/* Why the race left something undone; or, where it goes on with what another one found, why that one did. */
static void autotune__append_undone(autotune__text *text, const autotune__store *store, const autotune__race *race) {
    const autotune__lack why = race->left_out;
    const char *words = NULL;
    size_t length = 0;
    autotune__json json;
    if (!store->prior->recalled.due && !store->prior->incomplete) {
        if (why) autotune__append_words(text, "left_out", autotune__lack_words[why]);
    } else if (autotune__parse_text(&json, &store->former))
        words = autotune__raw_member(&json, "left_out", &length);
    if (words) autotune__append(text, ",\"left_out\":%.*s", (int)length, words);
}
static void autotune__append_budget(autotune__text *text, const autotune__budget *budget) {
    autotune__append(text, ",\"budget\":{\"trials\":%llu,\"top_k\":%llu,\"rounds\":%llu",
                     (unsigned long long)budget->trials, (unsigned long long)budget->top_k,
                     (unsigned long long)budget->rounds);
    autotune__append_ratio(text, "screen_seconds", budget->screen_seconds);
    autotune__append(text, "}");
}
/* The effort of the race. What duels in later runs took comes on top, in a member of its own. */
static void autotune__append_effort(autotune__text *text, const autotune__store *store, const autotune__race *race,
                                    const autotune_result *result, size_t launches) {
    const autotune__prior *prior = store->prior;
    const bool due = prior->recalled.due,
               incomplete = prior->incomplete || (!due && (race->left_out > 0 || race->setup.incomplete));
    const autotune__effort own = { result->space_size, result->tried, result->failed, launches, result->seconds,
                                   store->budget }, *effort = due ? &prior->effort : &own;
    autotune__append(text, ",\"space_size\":%lu,\"tried\":%lu,\"failed\":%lu,\"complete\":%s,\"launches\":%lu",
                     (unsigned long)effort->space_size, (unsigned long)effort->tried, (unsigned long)effort->failed,
                     incomplete ? "false" : "true", (unsigned long)effort->launches);
    autotune__append(text, ",\"seconds\":");
    autotune__append_double(text, effort->seconds);
    autotune__append_budget(text, &effort->budget);
    autotune__append_undone(text, store, race);
    if (due) autotune__append(text, ",\"duels\":%lu", (unsigned long)prior->duels + 1);
}
static void autotune__append_outcome(autotune__text *text, autotune__store *store, const autotune__race *race,
                                     const autotune_result *result, size_t launches, bool unfinished) {
    autotune__space *space = store->subject->space;
    autotune__append_winner(text, "winner", space, race, race->outcome.winner);
    autotune__append_ns(text, "median_ns", result->median_ns);
    autotune__append_words(text, "verdict", unfinished ? "unfinished" : autotune__verdict_words[result->verdict]);
    autotune__append_ns(text, "min_ns", result->min_ns);
    autotune__append_winner(text, "runner_up", space, race, unfinished ? SIZE_MAX : race->outcome.runner_up);
    autotune__append_ns(text, "runner_up_ns", unfinished ? AUTOTUNE__NEVER : result->runner_up_ns);
    autotune__append_ratio(text, "lead", result->lead);
    autotune__append_ratio(text, "lead_low", result->lead_low);
    autotune__append_ratio(text, "lead_high", result->lead_high);
    autotune__append_words(text, "doubt", result->doubt);
    autotune__append_words(text, "note", result->note);
    autotune__append_ns(text, "default_ns", result->default_ns);
    autotune__append_ns(text, "slowest_ns", result->slowest_ns);
    autotune__append_effort(text, store, race, result, launches);
}
/* The whole line, with its line feed. A race that has no winner yet makes an unfinished record. launches: those of the
   statement. more: what an unfinished record has besides, as it is written; NULL: nothing. */
static void autotune__append_record(autotune__text *text, autotune__store *store, const autotune__race *race,
                                    const autotune__text *more, const autotune_result *result, size_t launches) {
    const bool unfinished = race->outcome.winner == SIZE_MAX;
    autotune__append_head(text, "autotune", store, unfinished);
    autotune__append_outcome(text, store, race, result, launches, unfinished);
    autotune__append_build(text, store);
    autotune__append_kernels(text, store->kernels);
    autotune__append_rows(text, store, race);
    if (more && unfinished) autotune__append(text, "%s", more->at ? more->at : "");
    text->broken = text->broken || (more && more->broken);
    autotune__append_crc(text, 0);
}

/* Makes a record of a race: one line of JSON, as docs/cache-format.md describes it. Each name and value is written in
   one way only, so that a reader compares texts. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "json.h"
#include "write_line.h"
#include "read_record.h"
#include "configuration_json.h"
#include "handover_json.h"
#include "session.h"

enum { AUTOTUNE__MOST_ROWS = 4096 };            /* rows that each table of a record has at most, usually some 400 KB */
static void autotune__append_row(autotune__text *text, autotune__store *store, const autotune__race *race,
                                 size_t number) {
    const autotune__row *row = &race->rows[number];
    const bool failed = autotune__failed(row);
    const size_t before = store->of_other_build ? 0 : store->prior->former_rows;
    const char *state = !failed ? row->why ? "slow" : "ok" : row->status == AUTOTUNE_REJECTED ? "rejected" : "failed";
    autotune__append_text(text, "{\"config\":");
    autotune__append_config(text, store->subject->space, row->index);
    autotune__append(text, ",\"stage\":\"%s\",\"state\":\"%s\",\"launches\":%lu", row->stage, state,
                     (unsigned long)row->launches);
    if (row->launches)                          /* trial numbers continue those of the former record */
        autotune__append(text, ",\"trial\":%lu", (unsigned long)(before + number + 1));
    autotune__append_ns(text, "min_ns", row->measured);
    autotune__append_ns(text, "median_ns", row->median);
    if (*row->resources)
        autotune__append(text, ",\"resources\":[%d,%d,%d]", row->resources[0], row->resources[1], row->resources[2]);
    if (failed || row->note) autotune__append_words(text, "reason", failed ? row->reason : row->note);
    autotune__append_text(text, "}");
}
/* Returns true if the record gets a row of the point from this race. */
static bool autotune__has_row(const autotune__race *race, size_t point) {
    const size_t row = autotune__find_row(race, point);
    return row != SIZE_MAX && (race->rows[row].launches || race->rows[row].note);
}
/* Appends rows of the former record whose points have no row of this race. written: how many rows the record has so
   far. */
static void autotune__append_former_rows(autotune__text *text, autotune__store *store, const autotune__json *former,
                                         const autotune__race *race, size_t written) {
    const bool duelled = store->prior->recalled.duel;
    autotune__recorded_row read = autotune__before_rows(former);
    size_t point;
    while (written < AUTOTUNE__MOST_ROWS && autotune__next_recorded(former, &read)) {
        point = autotune__point_of_config(store, former, read.config);
        if (!read.former && point != SIZE_MAX && !autotune__has_row(race, point) &&
            (duelled || autotune__prior_flags(store->prior->rows, point) & (AUTOTUNE__LOST | AUTOTUNE__SEED)))
            autotune__append(text, "%s%.*s", written++ ? "," : "", autotune__after(former, read.at) - read.at,
                             former->text + read.at);
    }
}
/* Appends the configurations that other builds launched, and this build did not. These rows have ratios in place of
   times, since times of two builds are never compared. */
static void autotune__append_ratios(autotune__text *text, autotune__store *store, const autotune__json *former,
                                    const autotune__race *race) {
    autotune__recorded_row read = autotune__before_rows(former);
    double ratio;
    size_t point, written = 0;
    while (written < AUTOTUNE__MOST_ROWS && autotune__next_recorded(former, &read)) {
        if (read.failed || (!read.former && !store->of_other_build)) continue;
        point = autotune__point_of_config(store, former, read.config);
        ratio = autotune__recorded_ns(former, &read) / autotune__number_in(former, 0, "min_ns");
        if (point == SIZE_MAX || autotune__has_row(race, point) || !autotune__is_within(ratio, 0, 1e9)) continue;
        autotune__append_text(text, written++ ? ",{\"config\":" : ",\"former\":[{\"config\":");
        autotune__append_config(text, store->subject->space, point);
        autotune__append_ratio(text, "ratio", ratio);
        autotune__append_text(text, "}");
    }
    if (written) autotune__append_text(text, "]");
}
/* Appends the rows of this race: the winner, then the others from the fastest on, then failures. Then appends rows of
   the former record, if the former record is of this build. */
static void autotune__append_rows(autotune__text *text, autotune__store *store, const autotune__json *former,
                                  const autotune__race *race) {
    const size_t count = autotune__count(race->rows);
    autotune__numbered *sorted AUTOTUNE__OWNED = (autotune__numbered *)autotune__allocate(count * sizeof *sorted);
    size_t i, written = 0;
    for (i = 0; sorted && i < count; i++) {
        const autotune__row *row = &race->rows[i];
        sorted[i].number = i;
        sorted[i].value = autotune__failed(row)       ? AUTOTUNE__NEVER
                          : i == race->outcome.winner ? -1
                                                      : autotune__time(row);
    }
    if (sorted) qsort(sorted, count, sizeof *sorted, autotune__order_numbered);
    else text->broken = true;
    autotune__append(text, ",\"configurations\":[");
    for (i = 0; sorted && i < count && written < AUTOTUNE__MOST_ROWS; i++) {
        const autotune__row *row = &race->rows[sorted[i].number];
        if (!row->launches && !row->note) continue;
        autotune__append_text(text, written++ ? "," : "");
        autotune__append_row(text, store, race, sorted[i].number);
    }
    if (former && store->prior->former_rows && !store->of_other_build)
        autotune__append_former_rows(text, store, former, race, written);
    autotune__append(text, "]");
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
/* Copies a member of the former record, if it is there. */
static void autotune__append_former(autotune__text *text, const autotune__json *former, const char *name) {
    const int at = former ? autotune__member(former, 0, name) : -1;
    if (at < 0) return;
    autotune__append_name(text, name);
    autotune__append_piece(text, former->text + at, (size_t)(autotune__after(former, at) - at));
}
static const char autotune__lack_words[][8] = { "", "skipped", "points", "gain", "top_k", "trials", "time" };
/* Appends the effort of a race: its points, launches, seconds and limits. autotune__append_former_effort() does so for
   a duel of an earlier run's finalists. */
static void autotune__append_effort(autotune__text *text, const autotune__store *store, const autotune__json *former,
                                    const autotune__race *race, const autotune_result *result, size_t launches) {
    const bool incomplete = race->lack || race->setup.rest == AUTOTUNE__REST_UNTRIED;
    const autotune__limits *limits = store->limits;
    autotune__append(text, ",\"space_size\":%lu,\"tried\":%lu,\"failed\":%lu,\"complete\":%s,\"launches\":%lu",
                     (unsigned long)result->space_size, (unsigned long)result->tried, (unsigned long)result->failed,
                     incomplete ? "false" : "true", (unsigned long)launches);
    autotune__append(text, ",\"seconds\":");
    autotune__append_double(text, result->seconds);
    autotune__append(text, ",\"budget\":{\"trials\":%llu,\"top_k\":%llu,\"rounds\":%llu",
                     (unsigned long long)limits->trials, (unsigned long long)limits->top_k,
                     (unsigned long long)limits->rounds);
    autotune__append_ratio(text, "screen_seconds", autotune__screen_limit(limits));
    autotune__append(text, "}");
    if (race->checked) autotune__append(text, ",\"checked\":%lu", (unsigned long)race->checked);
    /* The reason why points were left out. A race that continues an earlier race has the reason of that race. */
    if (store->prior->rest == AUTOTUNE__REST_UNTRIED) autotune__append_former(text, former, "left_out");
    else if (race->lack) autotune__append_words(text, "left_out", autotune__lack_words[race->lack]);
}
/* Appends the effort of the earlier run, and the number of duels since. */
static void autotune__append_former_effort(autotune__text *text, const autotune__store *store,
                                           const autotune__json *former) {
    static const char *const names[] = { "space_size", "tried", "failed", "complete", "launches", "seconds", "budget",
                                         "checked", "left_out" };
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++) autotune__append_former(text, former, names[i]);
    autotune__append(text, ",\"duels\":%lu", (unsigned long)store->prior->duels + 1);
}
static void autotune__append_outcome(autotune__text *text, autotune__store *store, const autotune__race *race,
                                     const autotune_result *result, bool unfinished) {
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
}
/* Appends the programs that raced this key before and found the same winner, the latest first. So each program with the
   same call races the key once, and not again after another program has run. */
static void autotune__append_programs(autotune__text *text, autotune__store *store, const autotune__json *former,
                                      const autotune__race *race) {
    enum { MOST = 64 };
    int at, other = 0, count = 0;
    if (autotune__point_of_config(store, former, autotune__member(former, 0, "winner")) !=
        race->rows[race->outcome.winner].index)
        return;
    for (at = autotune__member(former, 0, "program"); at > 0 && count < MOST;
         at = other = autotune__next_row(former, autotune__member(former, 0, "programs"), other)) {
        if (!autotune__begins(former, at, '"') || autotune__spells(former, at, store->program)) continue;
        autotune__append_text(text, count++ ? "," : ",\"programs\":[");
        autotune__append_piece(text, former->text + at, (size_t)(autotune__after(former, at) - at));
    }
    if (count) autotune__append(text, "]");
}
/* Appends the whole line, with its line feed. A race without a winner makes an unfinished record. launches: how many
   launches or measured calls the race made. handover: what an online race hands over in an unfinished record; NULL:
   nothing. */
static void autotune__append_record(autotune__text *text, autotune__store *store, const autotune__race *race,
                                    const autotune__handover *handover, const autotune_result *result,
                                    size_t launches) {
    const bool unfinished = race->outcome.winner == SIZE_MAX;
    autotune__json json;
    const autotune__json *former = autotune__parse_text(&json, &store->former) ? &json : NULL;
    autotune__append_head(text, "autotune", store, unfinished);
    autotune__append_outcome(text, store, race, result, unfinished);
    if (store->prior->recalled.duel) autotune__append_former_effort(text, store, former);
    else autotune__append_effort(text, store, former, race, result, launches);
    if (former && !unfinished) autotune__append_programs(text, store, former, race);
    autotune__append_build(text, store);
    autotune__append_kernels(text, store->kernels);
    autotune__append_rows(text, store, former, race);
    if (former && store->prior->former_rows) autotune__append_ratios(text, store, former, race);
    if (handover && unfinished) autotune__append_handover(text, store->subject->space, race, handover);
    autotune__append_crc(text, 0);
}

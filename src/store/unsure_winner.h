/* A winner that is not sure: when the finalists of its record are duelled again, and which finalists. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "configuration_json.h"
#include "read_record.h"
#include "disk.h"

/* Reads at most `most` finalists: first those that were still in the race at the end of the duel, then the other
   finalists. Both parts are in the order of the record: the winner, then the fastest. A finalist is missing if the
   space does not have it, or if there is no memory for it. Returns false if there are fewer than two. */
static bool autotune__read_finalists(autotune__store *store, const autotune__json *json, size_t most) {
    autotune__prior *prior = store->prior;
    autotune__recorded_row row;
    size_t read = 0, point;
    int left;
    for (left = 1; left >= 0; left--)
        for (row = autotune__before_rows(json); autotune__next_recorded(json, &row);) {
            if (!row.finalist || row.failed || row.survived != left) continue;
            point = read < most ? autotune__point_of_config(store, json, row.config) : SIZE_MAX;
            if ((point == SIZE_MAX || !autotune__add_prior(prior, point, AUTOTUNE__NEVER, AUTOTUNE__FINALIST)) &&
                (left || read < most))
                prior->rest = AUTOTUNE__REST_HAS_FINALISTS;
            read++;
        }
    return autotune__count(prior->rows) >= 2;
}
/* Returns how many finalists a duel has time for, at most AUTOTUNE__FINALISTS. The duel has a tenth of `seconds`. Seven
   launches are reckoned for each finalist: one before the duel, and six rounds, since a duel shows a difference from
   the fifth round on. The warm-up and the control get eight launches. */
static size_t autotune__most_finalists(double seconds, double median_ns) {
    const double launches = 1e9 * 0.1 * seconds / median_ns, most = (launches - 8) / 7;
    return !(most > 0) ? 0 : most < (double)AUTOTUNE__FINALISTS ? (size_t)most : (size_t)AUTOTUNE__FINALISTS;
}
static bool autotune__is_unsure(const autotune__json *json) {
    const autotune_verdict verdict = autotune__read_verdict(json);
    return verdict == AUTOTUNE_UNRESOLVED || verdict == AUTOTUNE_UNRELIABLE;
}
/* Returns true if this process may replace the record: by a race, or, if `by_calls` is true, by measured calls. */
static bool autotune__may_replace(const autotune__store *store, const autotune__line *line, bool by_calls) {
    return line->source == 0 && store->policy == AUTOTUNE_CACHE_ON && (by_calls || autotune__may_tune(store->subject));
}
/* Returns true if this limit is larger than the limit in the record's budget. 0, or a missing number, is no limit. */
static bool autotune__is_more(uint64_t now, const autotune__json *json, int budget, const char *name) {
    const uint64_t before = autotune__count_in(json, budget, name);
    return before && (!now || now > before);
}
/* Returns true if the recorded race goes on, since the statement has a larger budget. There are two cases:
   * More trials, a larger top_k or more seconds. An incomplete race goes on with configurations that it did not try.
   * More rounds. A race whose winner is not sure goes on with its finalists. */
static bool autotune__asks_for_more(const autotune__store *store, const autotune__json *json) {
    const autotune__limits *now = store->limits;
    const int before = autotune__member(json, 0, "budget");
    if (autotune__is_incomplete(json) && (autotune__is_more(now->trials, json, before, "trials") ||
         autotune__is_more(now->top_k, json, before, "top_k") ||
         autotune__screen_limit(now) > autotune__number_in(json, before, "screen_seconds")))
        return true;
    return autotune__is_unsure(json) && autotune__is_more(now->rounds, json, before, "rounds");
}
/* Reads the finalists of a record that may be replaced. They are duelled again before the record answers, since its
   winner is not sure: its verdict says so, or its calls in use are far slower than its race. Returns false if there is
   no duel:
   * The winner is sure.
   * A process duels the finalists once, and after three duels of all processes the record answers.
   * A winner that reached .stop_at_ns is good enough.
   * There are fewer than two finalists, or a duel needs more than a tenth of the time that the race took. */
static bool autotune__read_duel_again(autotune__store *store, const autotune__json *json) {
    autotune__prior *prior = store->prior;
    const double median_ns = prior->recalled.result.median_ns;
    const size_t duels = autotune__count_in(json, 0, "duels");
    const autotune__rest before = prior->rest;
    if (!(prior->recalled.slower_in_use || autotune__is_unsure(json)) || duels >= 3 ||
        !autotune__is_definite(median_ns) || median_ns <= store->subject->options.stop_at_ns ||
        autotune__trust_in(store->subject->known_key) != AUTOTUNE__TRUSTED)
        return false;
    prior->former_rows = autotune__count_in(json, 0, "tried");
    prior->duels = duels;
    prior->seconds = autotune__number_in(json, 0, "seconds");
    prior->rest = AUTOTUNE__REST_LOST;
    if (!autotune__is_within(prior->seconds, 0, 1e9) ||
        !autotune__read_finalists(store, json, autotune__most_finalists(prior->seconds, median_ns))) {
        prior->rest = before;
        return false;
    }
    if (autotune__is_incomplete(json)) prior->rest = AUTOTUNE__REST_UNTRIED;
    return true;
}

/* A winner that is not sure: when its finalists are to be duelled again, and which of the record these are. */
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

/* `most` finalists at most: those that were left at the end of the duel, then those that were not, in the order of the
   record: the winner, then the fastest. One for which there is no memory is missing. False: fewer than two. */
static bool autotune__read_finalists(autotune__store *store, const autotune__json *json, size_t most) {
    autotune__prior *prior = store->prior;
    autotune__recorded_row row;
    size_t read = 0, point;
    int left;
    if (!autotune__spell_space(store)) return false;
    for (left = 1; left >= 0; left--)
        for (row = autotune__before_rows(json); autotune__next_recorded(json, &row);) {
            if (!row.finalist || row.failed || row.left != left) continue;
            point = read < most ? autotune__point_of_config(store, json, row.config) : SIZE_MAX;
            if (point == SIZE_MAX || !autotune__add_prior(store->prior, point, AUTOTUNE__NEVER, AUTOTUNE__FINALIST))
                prior->partial = prior->partial || left || read < most;
            read++;
        }
    return autotune__count(prior->rows) >= 2;
}
/* How many there is time for: each is launched once before its duel, which shows something from the fifth round on; the
   warm-up, and the control, take some launches more. */
static size_t autotune__most_finalists(double seconds, double median_ns) {
    const double launches = 1e9 * autotune__tenth_of(seconds) / median_ns, most = (launches - 8) / 7;
    return !(most > 0) ? 0 : most < (double)AUTOTUNE__FINALISTS ? (size_t)most : (size_t)AUTOTUNE__FINALISTS;
}
/* The budget of the race that the record is of; screen_seconds is AUTOTUNE__NEVER where it is not known. */
static autotune__budget autotune__read_budget(const autotune__json *json) {
    const int budget = autotune__member(json, 0, "budget");
    autotune__budget read;
    read.trials = autotune__count_in(json, budget, "trials");
    read.top_k = autotune__count_in(json, budget, "top_k");
    read.rounds = autotune__count_in(json, budget, "rounds");
    read.screen_seconds = autotune__number_in(json, budget, "screen_seconds");
    return read;
}
static bool autotune__is_unsure(const autotune__json *json) {
    const autotune_verdict verdict = autotune__read_verdict(json);
    return verdict == AUTOTUNE_UNRESOLVED || verdict == AUTOTUNE_UNRELIABLE;
}
/* May a race of this process find what stands for the record from then on? */
static bool autotune__may_replace(const autotune__store *store, const autotune__line *line) {
    return line->source == 0 && store->policy == AUTOTUNE_CACHE_ON && autotune__may_tune(store->subject);
}
static bool autotune__is_more(uint64_t now, uint64_t before) { return before && (!now || now > before); }
/* Does the statement ask for more than the recorded race had? Then that race goes on with the configurations that it
   did not try, or with its finalists, if it left something undone. */
static bool autotune__asks_for_more(const autotune__store *store, const autotune__json *json,
                                    const autotune__line *line) {
    const autotune__budget *now = &store->budget;
    autotune__budget before;
    if (!autotune__may_replace(store, line)) return false;
    before = autotune__read_budget(json);
    if (autotune__is_incomplete(json) &&
        (autotune__is_more(now->trials, before.trials) || autotune__is_more(now->top_k, before.top_k) ||
         now->screen_seconds > before.screen_seconds))
        return true;
    return autotune__is_unsure(json) && autotune__is_more(now->rounds, before.rounds);
}
/* Is the winner of the record not sure, and are its finalists to be duelled again before it answers? This happens once
   in each process, and in at most three processes; only where a race may run and what it finds is kept, and where a
   tenth of the time of the race is enough for a duel of two. A winner that reached .stop_at_ns is good enough,
   and so is one whose launches are shorter than what a call site costs. */
static bool autotune__is_due(const autotune__store *store, const autotune__json *json, const autotune__line *line) {
    const autotune__subject *subject = store->subject;
    const double median_ns = autotune__number_in(json, 0, "median_ns");
    if (!autotune__is_unsure(json) || !autotune__may_replace(store, line) ||
        autotune__is_set(&subject->known_key->duelled) || autotune__count_in(json, 0, "duels") >= 3)
        return false;
    return autotune__is_definite(median_ns) && median_ns > subject->options.stop_at_ns &&
           median_ns >= autotune__least_worth_ns;
}
/* Who is duelled again. False: there are fewer than two finalists, or there is too little time. */
static bool autotune__read_again(autotune__store *store, const autotune__json *json) {
    autotune__prior *prior = store->prior;
    const autotune_result *result = &prior->recalled.result;
    const autotune__effort effort = { result->space_size,
                                      autotune__count_in(json, 0, "tried"),
                                      autotune__count_in(json, 0, "failed"),
                                      autotune__count_in(json, 0, "launches"),
                                      autotune__number_in(json, 0, "seconds"),
                                      autotune__read_budget(json) };
    prior->duels = autotune__count_in(json, 0, "duels");
    prior->effort = effort;
    prior->incomplete = autotune__is_incomplete(json);
    return autotune__is_within(effort.seconds, 0, 1e9) &&
           autotune__read_finalists(store, json, autotune__most_finalists(effort.seconds, result->median_ns));
}

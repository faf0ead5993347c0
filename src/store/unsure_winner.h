/* A winner that is not sure: when its finalists are to be duelled again, and what of the record the duel goes on
   with. */
#pragma once
#include <stdlib.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../base/numbers.h"
#include "../race/earlier_duels.h"
#include "../race/race.h"
#include "../registry/records.h"
#include "../registry/subject.h"
#include "session.h"
#include "json.h"
#include "configuration_json.h"
#include "duel_json.h"
#include "read_record.h"
#include "lines.h"

/* A finalist in a record. */
typedef struct autotune__standing_row {
    int row, duel;                              /* its object, and the member of that; -1: there is none */
    bool live;                                  /* it was left at the end of the last duel */
    double relative;
} autotune__standing_row;
/* Those that were left at the end come first, then who stood best; of equals the order of the record, which begins with
   the winner, stays. */
static bool autotune__comes_before(const autotune__standing_row *a, const autotune__standing_row *b) {
    return a->live != b->live ? a->live : a->relative < b->relative;
}
static size_t autotune__find_finalists(const autotune__json *json,
                                       autotune__standing_row found[AUTOTUNE__FINALISTS]) {
    const int rows = autotune__member(json, 0, "configurations");
    size_t count = 0, i;
    autotune__standing_row one;
    int row = 0;
    while (count < AUTOTUNE__FINALISTS && (row = autotune__next_row(json, rows, row)) > 0) {
        if (!autotune__was_finalist(json, row) || autotune__had_failed(json, row)) continue;
        one.row = row;
        one.duel = autotune__member(json, row, "duel");
        one.live = autotune__says(json, row, "state", "ok");
        one.relative = autotune__number_in(json, one.duel, "relative");
        for (i = count++; i > 1 && autotune__comes_before(&one, &found[i - 1]); i--) found[i] = found[i - 1];
        found[i] = one;
    }
    return count;
}
static void autotune__read_finding(autotune__earlier *earlier, autotune__finalist *finalist, autotune__finding finding,
                                 const autotune__json *json, int duel) {
    const int object = autotune__member(json, duel, autotune__finding_words[finding]);
    int at = 0;
    while ((at = autotune__next_member(json, object, at)) > 0) {
        const size_t other = autotune__finalist_at(
            earlier, (size_t)strtoull(json->text + json->token[at].start, NULL, 10));
        const double evidence = autotune__number_at(json, at + 1);
        if (other != SIZE_MAX && evidence >= 1e-6 && evidence <= 1e6) finalist->evidence[finding][other] = evidence;
    }
}
/* `most` finalists at most. False: there are fewer than two, or no memory. */
static bool autotune__read_finalists(autotune__store *store, const autotune__json *json, size_t most) {
    autotune__earlier *earlier = &store->again.earlier;
    autotune__standing_row rows[AUTOTUNE__FINALISTS];
    const size_t found = autotune__find_finalists(json, rows), count = found < most ? found : most;
    size_t i, point[AUTOTUNE__FINALISTS], finding;
    memset(earlier, 0, sizeof *earlier);
    if (!autotune__spell_space(store)) return false;
    for (i = 0; i < count; i++)
        if ((point[i] = autotune__find_point(store, json, rows[i].row, "config")) != SIZE_MAX)
            (void)autotune__add_finalist(earlier, point[i]);
    for (i = 0; i < count; i++) {
        const size_t at = autotune__finalist_at(earlier, point[i]);
        if (at == SIZE_MAX || rows[i].duel < 0) continue;
        earlier->finalists[at].rounds = autotune__count_in(json, rows[i].duel, "rounds");
        earlier->finalists[at].relative = rows[i].relative;
        for (finding = 0; finding < AUTOTUNE__FINDINGS; finding++)
            autotune__read_finding(earlier, &earlier->finalists[at], (autotune__finding)finding, json, rows[i].duel);
    }
    earlier->partial = count < found && rows[count].live;
    return earlier->count >= 2;
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
static autotune__undone autotune__read_undone(const autotune__json *json) {
    const size_t words = sizeof autotune__lack_words / sizeof *autotune__lack_words;
    const int why = autotune__member(json, 0, "left_out");
    autotune__undone undone = { "", 0 };
    size_t i;
    if (autotune__spells(json, why, "skipped")) memcpy(undone.why, "skipped", sizeof undone.why);
    for (i = 1; i < words; i++)
        if (autotune__spells(json, why, autotune__lack_words[i]))
            memcpy(undone.why, autotune__lack_words[i], sizeof undone.why);
    undone.runs = autotune__count_in(json, 0, "went_on");
    return undone;
}
static bool autotune__is_unsure(const autotune__json *json) {
    const autotune_verdict verdict = autotune__read_verdict(json);
    return verdict == AUTOTUNE_UNRESOLVED || verdict == AUTOTUNE_UNRELIABLE;
}
/* May a race of this process go on where the record stopped? */
static bool autotune__may_go_on(const autotune__store *store, const autotune__line *line) {
    return !store->as_it_is && line->source == 0 && store->policy == AUTOTUNE_CACHE_ON &&
           autotune__may_tune(store->subject);
}
static bool autotune__is_more(uint64_t now, uint64_t before) { return before && (!now || now > before); }
/* Did time cut the race short that the record is of? Then it goes on in the next runs that have as much time for it: in
   three, each of which has half of the time that the one before took, so that all take less than twice what the first
   took. Ranks that race together do not know what was measured before. */
static bool autotune__goes_on(const autotune__store *store, const autotune__json *json) {
    const autotune__undone undone = autotune__read_undone(json);
    return !strcmp(undone.why, autotune__lack_words[AUTOTUNE__LACKS_TIME]) && undone.runs < 3 &&
           !store->subject->options.ranks &&
           store->budget.screen_seconds >= autotune__read_budget(json).screen_seconds;
}
/* Does the statement ask for more than the recorded race had? Then that race goes on with the configurations that it
   did not try, or with its finalists, if it left something undone. */
static bool autotune__asks_for_more(const autotune__store *store, const autotune__json *json,
                                    const autotune__line *line) {
    const autotune__budget before = autotune__read_budget(json), *now = &store->budget;
    if (!autotune__may_go_on(store, line)) return false;
    if (autotune__is_incomplete(json) &&
        (autotune__is_more(now->trials, before.trials) || autotune__is_more(now->top_k, before.top_k) ||
         now->screen_seconds > before.screen_seconds || autotune__goes_on(store, json)))
        return true;
    return autotune__is_unsure(json) && autotune__is_more(now->rounds, before.rounds);
}
/* Is the winner of the record not sure, and are its finalists to be duelled again before it answers? This happens once
   in each process, and in at most three processes; only where a race may run and what it finds is kept, and where a
   tenth of the time of the race is enough for a duel of two. A winner that reached .stop_at_ns is good enough. */
static bool autotune__is_due(const autotune__store *store, const autotune__json *json, const autotune__line *line) {
    const autotune__subject *subject = store->subject;
    const double median_ns = autotune__number_in(json, 0, "median_ns");
    if (!autotune__is_unsure(json) || !autotune__may_go_on(store, line) ||
        autotune__is_set(&subject->record->duelled) || autotune__count_in(json, 0, "duels") >= 3)
        return false;
    return autotune__is_definite(median_ns) && median_ns > subject->options.stop_at_ns;
}
/* What the duel goes on with. False: there are fewer than two finalists, or there is too little time. */
static bool autotune__read_again(autotune__store *store, const autotune__json *json) {
    autotune__again *again = &store->again;
    autotune_result *race = &again->race;
    autotune__read_result(json, race);
    race->median_ns = autotune__number_in(json, 0, "median_ns");
    race->min_ns = autotune__number_in(json, 0, "min_ns");
    race->tried = autotune__count_in(json, 0, "tried");
    race->failed = autotune__count_in(json, 0, "failed");
    race->launches = autotune__count_in(json, 0, "launches");
    race->seconds = autotune__number_in(json, 0, "seconds");
    again->duels = autotune__count_in(json, 0, "duels");
    again->budget = autotune__read_budget(json);
    again->undone = autotune__read_undone(json);
    if (!autotune__is_within(race->seconds, 0, 1e9) ||
        !autotune__read_finalists(store, json, autotune__most_finalists(race->seconds, race->median_ns)))
        return false;
    again->earlier.incomplete = autotune__is_incomplete(json);
    return true;
}

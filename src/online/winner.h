/* The end of an online race: the winner is published when its calls have shown that they cost no more in the mean than
   those of the first configuration. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "online.h"
#include "incumbent.h"

/* The duel finds what is the fastest in most rounds. A program pays for the mean of its calls, and where a few calls
   take very long that is another number: of a configuration that takes 0.3 ms, and 200 ms in one call of twenty, no
   duel of medians sees more than 0.3 ms. So many calls show such a one with a chance of 95 %. */
enum { AUTOTUNE__CALLS_OF_WINNER = 60 };
static const char autotune__too_slow_in_the_mean[] = "too slow in the mean";

static void autotune__online_finish(autotune__online *online, size_t winner, autotune_verdict verdict) {
    (void)autotune__finish(&online->race, winner, verdict);
    online->race.stage = AUTOTUNE__OVER;
    online->stage = AUTOTUNE__DECIDED;
}
static void autotune__note_cost(autotune__row *row, double cost) {
    row->calls++;
    row->taken += cost;
    if (cost > row->longest) row->longest = cost;
}
/* Do calls of a row cost no more in the mean than those of the first configuration? The margin is for the error of the
   mean. */
static bool autotune__is_cheap(const autotune__online *online, const autotune__row *row, double taken, size_t calls) {
    const autotune__tail *first = &online->gate.of_first;
    const double of_first = 1 + (first->count ? first->sum / (double)first->count : 0),
                 margin = 1 + (double)autotune__inverse_root((float)(row->calls + 1));
    return taken <= margin * of_first * (double)calls;
}
/* Was it the first configuration that the winner was compared with, in the duel or by audits? */
static bool autotune__is_shown_faster(const autotune__online *online) {
    return autotune__is_definite(online->race.rows[0].relative) ||
           (online->incumbent != 0 && autotune__is_audited(online));
}
/* What stands best of the finalists whose calls are not too slow in the mean; else the first configuration. */
static size_t autotune__next_best(const autotune__race *race) {
    size_t row, best = 0;
    for (row = 1; row < autotune__count(race->rows); row++) {
        const autotune__row *candidate = &race->rows[row];
        if (autotune__failed(candidate) || candidate->why == autotune__too_slow_in_the_mean ||
            !autotune__is_definite(candidate->relative))
            continue;
        if (!best || candidate->relative < race->rows[best].relative) best = row;
    }
    return best;
}
/* The winner costs too much: the next best one has to show as many calls. */
static size_t autotune__reject_winner(autotune__online *online, size_t winner) {
    autotune__race *race = &online->race;
    autotune__row *row = &race->rows[winner];
    if (row->calls > online->least_calls) online->least_calls = row->calls;
    row->stage = "duel";
    row->why = autotune__too_slow_in_the_mean;
    autotune__online_finish(online, autotune__next_best(race), AUTOTUNE_UNRESOLVED);
    return race->outcome.winner;
}
/* The race has a winner: it is published, or comes into use until that is clear. If the mean is too long because of a
   single call, that shows nothing yet. */
static void autotune__prove(autotune__online *online) {
    autotune__race *race = &online->race;
    const bool beaten = online->stage == AUTOTUNE__PROVING && online->incumbent == 0;       /* in the audits */
    size_t winner = race->outcome.winner;
    online->stage = AUTOTUNE__DECIDED;
    if (beaten && winner) autotune__online_finish(online, winner = 0, AUTOTUNE_UNRESOLVED);
    while (winner != 0 && winner != SIZE_MAX && !autotune__failed(&race->rows[0])) {
        const autotune__row *row = &race->rows[winner];
        if (row->calls >= online->least_calls && autotune__is_cheap(online, row, row->taken, row->calls) &&
            autotune__is_shown_faster(online))
            return;
        if (row->calls < 2 || autotune__is_cheap(online, row, row->taken - row->longest, row->calls - 1)) {
            online->stage = AUTOTUNE__PROVING;
            if (online->incumbent != winner)
                autotune__take_over(online, winner, autotune__online_ratio(online, winner), NULL);
            return;
        }
        winner = autotune__reject_winner(online, winner);
    }
}

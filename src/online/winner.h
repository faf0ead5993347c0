/* The end of an online race. The winner is published once its calls cost no more in the mean than calls of the first
   configuration. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "online.h"
#include "incumbent.h"

/* The duel finds the configuration that is the fastest in most rounds. But a program pays for the mean of its calls.
   Few very long calls change the mean and not the median: a configuration may take 0.3 ms, and 200 ms in one call of
   twenty. Then a duel sees only 0.3 ms. 60 calls show such a configuration with a chance of 95 %. */
enum { AUTOTUNE__CALLS_OF_WINNER = 60 };
static const char autotune__too_slow_in_the_mean[] = "too slow in the mean";

static void autotune__online_finish(autotune__online *online, size_t winner, autotune_verdict verdict) {
    if (winner != SIZE_MAX && autotune__lacks_memory(&online->race))
        online->race.stage = AUTOTUNE__OVER;    /* the end does not need the missing memory */
    (void)autotune__finish(&online->race, winner, verdict);
    online->stage = AUTOTUNE__DECIDED;
}
/* Counts a call of a row. cost: its time divided by the time of the first configuration for the same work. */
static void autotune__note_cost(autotune__row *row, double cost) {
    row->calls++;
    row->held_up += cost > 2;
    row->taken += cost;
    row->capped += cost < 2 ? cost : 2;
}
/* Returns true if calls of the row are held up more often than calls of the first configuration. The machine may
   interrupt calls of both. Then the row's share of the held-up calls is about its share of all calls. The test asks if
   the row's share is larger than chance explains. */
static bool autotune__is_held_up_more(const autotune__online *online, const autotune__row *row) {
    const autotune__excess_shares *first = &online->gate.first_excess;
    const double share = (double)row->calls / (double)(row->calls + first->count);
    const size_t count = row->held_up + first->held_up;
    return (double)row->held_up > share * (double)count && autotune__evidence(row->held_up, count, share) >= 20;
}
/* Returns true if it is shown that the row costs too much in the mean. If only the mean is too long, a few interrupted
   calls may be the cause. So one of three further conditions has to hold:
   - The row's calls are too slow in the mean even if each call counts as at most twice the first configuration's time.
   - The row's calls are held up more often than calls of the first configuration.
   - The row has made 20 * 60 calls. */
static bool autotune__is_too_slow(const autotune__online *online, const autotune__row *row) {
    if (autotune__is_cheap(online, row, row->taken)) return false;
    return !autotune__is_cheap(online, row, row->capped) || autotune__is_held_up_more(online, row) ||
           row->calls >= 20 * AUTOTUNE__CALLS_OF_WINNER;
}
/* Returns the best finalist that is not too slow in the mean; else the first configuration. */
static size_t autotune__next_best(const autotune__race *race) {
    size_t row, best = 0;
    for (row = 1; row < autotune__count(race->rows); row++) {
        const autotune__row *candidate = &race->rows[row];
        if (!autotune__failed(candidate) && candidate->why != autotune__too_slow_in_the_mean &&
            autotune__is_definite(candidate->relative) && (!best || candidate->relative < race->rows[best].relative))
            best = row;
    }
    return best;
}
/* Rejects a winner that costs too much. Returns the next winner, which is the next best row. The next winner
   has to make at least as many calls before it is published. */
static size_t autotune__reject_winner(autotune__online *online, size_t winner) {
    autotune__race *race = &online->race;
    autotune__row *row = &race->rows[winner];
    if (row->calls > online->least_calls) online->least_calls = row->calls;
    row->stage = "duel";
    row->why = autotune__too_slow_in_the_mean;
    autotune__online_finish(online, autotune__next_best(race), AUTOTUNE_UNRESOLVED);
    return race->outcome.winner;
}
/* Ends the race with its winner, or takes the winner into use until its mean cost is clear. The race ends if the
   winner has made enough calls, is cheap, and was compared with the first configuration by the duel or by audits. If
   a winner is shown to be too slow, the next best row is tested. If the winner has made enough calls and is not
   cheap, the test is repeated after twice as many calls. A test after each call would accept a winner that is cheap
   by chance. The first configuration wins without a test, also if it beat the winner in audits. If the first
   configuration failed, the winner is not tested either. */
static void autotune__decide_or_prove(autotune__online *online) {
    autotune__race *race = &online->race;
    const bool beaten = online->stage == AUTOTUNE__PROVING && online->incumbent == 0;       /* by an audit */
    size_t winner = race->outcome.winner;
    online->stage = AUTOTUNE__DECIDED;
    if (beaten && winner) autotune__online_finish(online, winner = 0, AUTOTUNE_UNRESOLVED);
    while (winner != 0 && winner != SIZE_MAX && !autotune__failed(&race->rows[0])) {
        const autotune__row *row = &race->rows[winner];
        const bool enough = row->calls >= online->least_calls,
                   cheap = autotune__is_cheap(online, row, row->taken),
                   compared = autotune__is_definite(race->rows[0].relative) ||      /* duelled with the first */
                              autotune__is_definite(autotune__audited_ratio(online));
        if (enough && cheap && compared) return;
        if (!autotune__is_too_slow(online, row)) {
            online->stage = AUTOTUNE__PROVING;
            if (enough && !cheap) online->least_calls = 2 * row->calls;
            if (online->incumbent != winner)
                autotune__take_over(online, winner, autotune__online_ratio(online, winner), NULL);
            return;
        }
        winner = autotune__reject_winner(online, winner);
    }
}

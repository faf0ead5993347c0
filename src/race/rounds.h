/* Rounds, of which halving and duel are made: one sample of each survivor, in an order that is drawn anew for each. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "sample_size.h"
#include "cut.h"
#include "screen_samples.h"

/* The control is sampled a second time in each round of the duel: this stands for it in round.rows. */
enum { AUTOTUNE__CONTROL = INT32_MAX };

/* The number of launches of a sample varies by up to 20 % from round to round, lest it follow the rhythm of something
   else. */
static void autotune__start_round(autotune__race *race) {
    const size_t live = autotune__count(race->live);
    autotune__round *round = &race->round;
    size_t i;
    autotune__set_count(round->rows, 0);
    if (!AUTOTUNE__ROOM(round->rows, live + 1)) { race->no_memory = true; return; }
    for (i = 0; i < live; i++) (void)AUTOTUNE__PUSH(round->rows, race->live[i]);
    if (race->control.active) (void)AUTOTUNE__PUSH(round->rows, AUTOTUNE__CONTROL);
    autotune__shuffle(round->rows, 0, &race->random);
    round->at = round->repetition = 0;
    round->launches = autotune__launches_of_sample(race, race->best_ns);
    if (round->launches >= 5)
        round->launches += (uint32_t)(autotune__random(&race->random) % (round->launches / 5 + 1));
    round->least_ns = AUTOTUNE__NEVER;
}
static size_t autotune__row_sampled(const autotune__race *race) {
    const size_t row = race->round.rows[race->round.at];
    return row == AUTOTUNE__CONTROL ? race->control.row : row;
}

/* Keeps a sample of the duel. False: no memory. */
static bool autotune__keep_sample(autotune__race *race) {
    const double ns = race->round.least_ns;
    const bool controlled = race->control.active && race->row == race->control.row,
               first = autotune__count(race->control.first) <= autotune__rounds(race);
    if (controlled && !(first ? AUTOTUNE__PUSH(race->control.first, ns) : AUTOTUNE__PUSH(race->control.second, ns)))
        return false;
    return race->round.rows[race->round.at] == AUTOTUNE__CONTROL || AUTOTUNE__PUSH(race->rows[race->row].samples, ns);
}
static void autotune__take_sample(autotune__race *race) {           /* of all its repetitions */
    autotune__row *row = &race->rows[race->row];
    const double ns = race->round.least_ns;
    race->round.quicker = !(ns >= 0.95 * row->minimum);
    autotune__add_sample(row, ns, race->round.launches > 1);
    race->samples++;
    if (race->stage == AUTOTUNE__DUELLING && !autotune__keep_sample(race)) race->no_memory = true;
    if (autotune__at_goal(race, ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
}
static void autotune__take_repetition(autotune__race *race, const autotune__answer *answer) {
    autotune__round *round = &race->round;
    const double ns = autotune__sample_ns(answer);
    if (answer->status != AUTOTUNE_OK) autotune__remove_live(race, race->row);
    else if (!(ns > 0) && !race->screening.clock_asked) autotune__screen_anew(race);
    else {
        if (ns < round->least_ns) round->least_ns = ns;
        if (++round->repetition < autotune__repetitions(race)) return;
        autotune__take_sample(race);
    }
    round->at++;
    round->repetition = 0;
    round->least_ns = AUTOTUNE__NEVER;
}

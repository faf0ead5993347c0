/* The race's rounds, which halving and duel share: one sample of each survivor, in an order that is drawn anew. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"
#include "verdict.h"
#include "batch.h"
#include "cut.h"

enum { AUTOTUNE__TWIN = INT32_MAX };                                /* in a round: the second launch of race->twin */

/* Rounds, for what comes after the screen: one sample of each live row, in an order that is drawn anew. A sample below
   0.25 ms is the least of three epochs: what disturbs a launch only ever makes it longer. */
static void autotune__start_round(autotune__race *race) {
    const size_t live = autotune__count(race->live);
    size_t i;
    autotune__set_count(race->round, 0);
    if (!AUTOTUNE__ROOM(race->round, live + 1)) { race->no_memory = true; return; }
    for (i = 0; i < live; i++) (void)AUTOTUNE__PUSH(race->round, race->live[i]);
    if (race->twin_runs) (void)AUTOTUNE__PUSH(race->round, AUTOTUNE__TWIN);
    for (i = autotune__count(race->round); i > 1; i--) {
        const size_t j = (size_t)(autotune__random(&race->random) % i), swap = race->round[i - 1];
        race->round[i - 1] = race->round[j];
        race->round[j] = swap;
    }
    race->turn = race->epoch = 0;
    race->epochs = race->best_ns < 2.5e5 ? 3 : 1;
    race->launches = autotune__batch(race, race->best_ns);
    race->launches += race->launches >= 5 ? (uint32_t)(autotune__random(&race->random) % (race->launches / 5 + 1))
                                          : 0;                      /* no rhythm of its own */
    race->epoch_ns = AUTOTUNE__NEVER;
}
static size_t autotune__row_of_turn(const autotune__race *race) {
    return race->round[race->turn] == AUTOTUNE__TWIN ? race->twin : race->round[race->turn];
}

/* Stages 3 and 4 take the same rounds. */
static bool autotune__keep_sample(autotune__race *race) {           /* false: no memory */
    autotune__row *row = &race->rows[race->row];
    const bool twins = race->twin_runs && race->row == race->twin;
    if (twins && !(autotune__count(race->earlier) > race->rounds ? AUTOTUNE__PUSH(race->later, race->epoch_ns)
                                                                 : AUTOTUNE__PUSH(race->earlier, race->epoch_ns)))
        return false;
    return race->round[race->turn] == AUTOTUNE__TWIN || AUTOTUNE__PUSH(row->samples, race->epoch_ns);
}
/* A sample that took no time, though none of the screen did: back to the screen, now that the clock is known to move in
   steps. */
static void autotune__screen_anew(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__set_count(race->rows[i].samples, 0);
        race->rows[i].median = race->rows[i].relative = AUTOTUNE__NEVER;
    }
    race->again = race->batch_rows;
    race->clock_asked = true;
    race->repeat = AUTOTUNE__UNTIL_THE_CLOCK_MOVES;
    race->stage = AUTOTUNE__SCREENING;
}
static void autotune__take_epoch(autotune__race *race, const autotune__answer *answer) {
    if (answer->status == AUTOTUNE_OK && !(answer->ns > 0) && !race->clock_asked) autotune__screen_anew(race);
    else if (answer->status == AUTOTUNE_OK) {
        if (answer->ns < race->epoch_ns) race->epoch_ns = answer->ns;
        if (++race->epoch < race->epochs) return;
        race->quicker = !(race->epoch_ns >= 0.95 * race->rows[race->row].minimum);
        autotune__note(&race->rows[race->row], race->epoch_ns, race->launches > 1);
        race->samples++;
        if (race->stage == AUTOTUNE__DUELLING && !autotune__keep_sample(race)) race->no_memory = true;
        if (autotune__at_goal(race, race->epoch_ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
    } else autotune__remove_live(race, race->row);
    race->turn++;
    race->epoch = 0;
    race->epoch_ns = AUTOTUNE__NEVER;
}

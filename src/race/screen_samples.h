/* The samples of the screen: the warm-up, and the step of the clock. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "verdict.h"

/* The warm-up. The first launches of a process are not like the others: the first configuration that works is launched
   until two launches in a row agree within 2 %, at most 8 times and for 50 ms. */
static bool autotune__is_warming_up(autotune__race *race, double ns) {   /* false: the warm-up is over */
    autotune__warm_up *warm_up = &race->warm_up;
    const double last_ns = warm_up->last_ns, difference = ns > last_ns ? ns - last_ns : last_ns - ns;
    if (warm_up->settled) return false;
    warm_up->total_ns += ns;
    warm_up->settled = (warm_up->launches && difference <= 0.02 * ns) || ++warm_up->launches >= 8 ||
                       warm_up->total_ns >= 50e6;
    warm_up->last_ns = ns;
    return !warm_up->settled;
}

/* A launch that took no time shows that the clock moves in steps. The configuration is then launched until the clock
   moves, which takes one step. From then on a sample takes four steps or more, and what was measured before is
   forgotten. */
static void autotune__learn_tick(autotune__race *race, double tick_ns) {
    size_t i;
    race->limits.tick_ns = tick_ns;
    race->best_ns = AUTOTUNE__NEVER;
    for (i = 0; i < autotune__count(race->rows); i++)
        race->rows[i].minimum = race->rows[i].measured = race->rows[i].median = AUTOTUNE__NEVER;
}
static bool autotune__ask_sample(autotune__race *race, size_t row) {
    const double tick = race->limits.tick_ns;
    if (race->screening.repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES)
        return autotune__ask_run(race, row, 1024, 0.5);
    return autotune__ask_run(race, row, tick > 0 ? 100000 : 1, 4 * tick);
}
/* Asks for another sample of what was launched last, where the last one says too little. */
static bool autotune__ask_again(autotune__race *race) {
    if (race->screening.repeat && autotune__in_time(race)) return autotune__ask_sample(race, race->row);
    race->screening.repeat = AUTOTUNE__NO_REPEAT;
    return false;
}
static void autotune__take_first_launch(autotune__race *race, const autotune__answer *answer) {
    const autotune__repeat repeat = race->screening.repeat;
    const double ns = autotune__sample_ns(answer);
    autotune__row *row = &race->rows[race->row];
    race->screening.repeat = AUTOTUNE__NO_REPEAT;
    if (answer->status != AUTOTUNE_OK) return;
    if (!(ns > 0) && !race->screening.clock_asked) {
        race->screening.clock_asked = true;
        race->screening.repeat = AUTOTUNE__UNTIL_THE_CLOCK_MOVES;
    } else if (ns > 0 && repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES) {
        autotune__learn_tick(race, answer->elapsed_ns);
        race->screening.repeat = AUTOTUNE__ONCE_MORE;
    } else {
        autotune__add_sample(row, ns, false);
        race->samples++;
        if (row->minimum < race->best_ns) race->best_ns = row->minimum;
        if (autotune__at_goal(race, ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
        else if (autotune__is_warming_up(race, ns) || (row->at_goal && repeat == AUTOTUNE__NO_REPEAT))
            race->screening.repeat = AUTOTUNE__ONCE_MORE;
    }
}
/* A sample took no time, though all launches of the screen took some: the clock moves in steps after all. The screen is
   made again, with samples that are long enough for them. */
static void autotune__screen_anew(autotune__race *race) {
    race->rechecking.next_unknown = race->group.first_row;
    race->screening.clock_asked = true;
    race->screening.repeat = AUTOTUNE__UNTIL_THE_CLOCK_MOVES;
    race->stage = AUTOTUNE__SCREENING;
}

/* How many launches a sample of the screen has, and how often it is repeated. */
#pragma once
#include "race.h"

/* How many launches make a sample that the clock can resolve, if one takes so long. They take 32 us together, or 1000
   steps of the clock if these are less than 20 ms, and 20 steps in any case. */
static const double autotune__least_batch_ns = 32e3;
static uint32_t autotune__launches_of_sample(const autotune__race *race, double ns) {
    const double tick = race->limits.tick_ns, fine = 1000 * tick < 20e6 ? 1000 * tick : 20e6,
                 coarse = fine > 20 * tick ? fine : 20 * tick,
                 enough = coarse > autotune__least_batch_ns ? coarse : autotune__least_batch_ns;
    if (race->limits.sampling == AUTOTUNE__BY_LAUNCHES) return 1;
    if (!(ns > 0)) return 1000;
    return ns >= enough ? 1 : enough / ns > 100000 ? 100000 : (uint32_t)(enough / ns) + 1;
}

/* Do samples need several launches? Then single launches only show what is far slower, and are no rounds. */
static bool autotune__needs_batches(const autotune__race *race) {
    return autotune__launches_of_sample(race, race->best_ns) > 1;
}
/* A sample below 0.1 ms is the least of three repetitions, since what disturbs a launch only makes it longer. Longer
   ones show more as samples of rounds of their own. With recorded times of 0.2 ms the race took 0.6 of its time with
   repetitions, and chose wrongly less often. */
static uint32_t autotune__repetitions(const autotune__race *race) {
    return race->best_ns < 1e5 && race->limits.sampling != AUTOTUNE__BY_LAUNCHES ? 3 : 1;
}

/* The samples of the screen and of the rechecks, and the warm-up. Also for rounds: how many launches a sample has, and
   how often it is repeated. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "verdict.h"

/* Returns how many launches of `ns` each make a sample that the clock can measure. The sample takes at least 32 us,
   and at least 1000 steps of the clock. If 1000 steps take more than 20 ms, 20 ms are enough, or 20 steps if these take
   longer. A sample has 100,000 launches at most; 1000 if `ns` is 0; one in an online race. */
static const double autotune__least_batch_ns = 32e3;
static uint32_t autotune__launches_of_sample(const autotune__race *race, double ns) {
    const double tick = race->limits.tick_ns, fine = 1000 * tick < 20e6 ? 1000 * tick : 20e6,
                 coarse = fine > 20 * tick ? fine : 20 * tick,
                 enough = coarse > autotune__least_batch_ns ? coarse : autotune__least_batch_ns;
    if (race->limits.sampling == AUTOTUNE__BY_LAUNCHES) return 1;
    if (!(ns > 0)) return 1000;
    return ns >= enough ? 1 : enough / ns > 100000 ? 100000 : (uint32_t)(enough / ns) + 1;
}

/* Returns true if a sample needs several launches. Then single launches only show which rows are far slower. */
static bool autotune__needs_batches(const autotune__race *race) {
    return autotune__launches_of_sample(race, race->best_ns) > 1;
}
/* Returns the number of repetitions of a sample. If the best launch takes less than 0.1 ms, a sample is the least of
   three repetitions, since a disturbance only makes a launch longer. For longer launches, three rounds show more than
   three repetitions in one round. With recorded launches of 0.2 ms, repetitions made a race 1.7 times as long, and the
   race chose the wrong winner more often. An online race repeats no sample. */
static uint32_t autotune__repetitions(const autotune__race *race) {
    return race->best_ns < 1e5 && race->limits.sampling != AUTOTUNE__BY_LAUNCHES ? 3 : 1;
}

/* Takes a launch of the warm-up. Returns true if the warm-up goes on. An idle device raises its clock for some
   milliseconds after its first launch. So the first configuration that works is launched in windows of 2.5 ms. The
   warm-up ends with a window whose shortest launch is not 1 % shorter than in the window before. The warm-up also ends
   after 50 ms, after a tenth of the screen's time, after 4096 launches, or if the clock does not move. There is no
   warm-up if the last race on this device ended less than 10 ms ago. */
static bool autotune__is_warming_up(autotune__race *race, const autotune__answer *answer) {
    const double window = 0.0025, longest = 0.05, idle = 0.01, share = 0.01, ns = autotune__sample_ns(answer),
                 tenth = 0.1 * autotune__screen_limit(&race->limits),
                 now = race->elapsed - race->put_off;
    autotune__warm_up *warm_up = &race->warm_up;
    if (warm_up->over) return false;
    if (!(warm_up->former_ns > 0)) {            /* the first launch */
        warm_up->over = race->limits.idle_seconds + answer->unlaunched_seconds < idle;
        warm_up->began = warm_up->window_began = now - ns / 1e9;
        warm_up->least_ns = warm_up->former_ns = AUTOTUNE__NEVER;
    }
    if (ns < warm_up->least_ns) warm_up->least_ns = ns;
    if (now - warm_up->began >= (longest < tenth ? longest : tenth) || !(ns > 0) ||
        race->rows[race->row].launches >= 4096)
        warm_up->over = true;
    if (now - warm_up->window_began < window) return !warm_up->over;
    if (warm_up->least_ns >= (1 - share) * warm_up->former_ns) warm_up->over = true;
    warm_up->window_began = now;
    warm_up->former_ns = warm_up->least_ns;
    warm_up->least_ns = AUTOTUNE__NEVER;
    return !warm_up->over;
}

/* Asks for a sample of the screen or of the rechecks. If the clock moves in steps, the sample takes at least four
   steps, or 100,000 launches. */
static bool autotune__ask_sample(autotune__race *race, size_t row) {
    const double tick = race->limits.tick_ns;
    return autotune__ask_run(race, row, tick > 0 ? 100000 : 1, 4 * tick);
}
/* Returns true if a first launch has to be repeated, since later launches may be shorter: see AUTOTUNE__SETS_UP. A
   repetition is vain if it takes at least two thirds of the shortest launch before it. After eight vain repetitions
   in a row, first launches are no longer repeated. before_ns: the shortest launch of the row before this answer. */
static bool autotune__repeats_first_launch(autotune__race *race, const autotune__answer *answer, double before_ns) {
    if (race->repeats_first)
        race->vain_repeats = autotune__sample_ns(answer) >= before_ns / 1.5 ? race->vain_repeats + 1 : 0;
    race->repeats_first = autotune__is_first_launch(&race->request) && answer->execution == AUTOTUNE__SETS_UP &&
                          race->vain_repeats < 8;
    return race->repeats_first;
}
/* Takes a sample of the screen. Returns true if the configuration has to be launched again at once. Three samples
   need this: a sample of the warm-up, a first launch that has to be repeated, and a first launch that reaches
   .stop_at_ns. */
static bool autotune__take_launch(autotune__race *race, const autotune__answer *answer) {
    const double ns = autotune__sample_ns(answer), before_ns = race->rows[race->row].minimum;
    autotune__row *row = &race->rows[race->row];
    bool again;
    if (answer->status != AUTOTUNE_OK) return false;
    autotune__add_sample(row, ns, false);
    if (row->minimum < race->best_ns) race->best_ns = row->minimum;
    if (autotune__reaches_goal(race, ns)) return autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
    again = autotune__repeats_first_launch(race, answer, before_ns);
    if (autotune__is_warming_up(race, answer)) return true; /* the device was not warm yet */
    race->samples++;
    return again || (row->at_goal && autotune__is_first_launch(&race->request));
}

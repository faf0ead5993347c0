/* The race's samples in the screen: the warm-up, the clock's steps, and probes of the device's speed. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"
#include "verdict.h"
#include "batch.h"

/* Stage 2: screening. One launch of each, never more of an unknown; those within twice the best stay. The first that
   works is launched until two launches in a row agree within 2 %, at most 8 times and for 50 ms: the first launches of
   a program are not like the others. */
static bool autotune__is_unsettled(autotune__race *race, double ns) {
    const double difference = ns > race->last_ns ? ns - race->last_ns : race->last_ns - ns;
    if (race->settled) return false;
    race->warming_ns += ns;
    race->settled = (race->warm_ups && difference <= 0.02 * ns) || ++race->warm_ups >= 8 || race->warming_ns >= 50e6;
    race->probe = race->row;
    race->probe_ns = race->last_ns > 0 && race->last_ns < ns ? race->last_ns : ns;     /* of the two that agree */
    race->last_ns = ns;
    return !race->settled;
}
/* A launch that took no time shows that the clock moves in steps. One step is what passes until it moves; a launch is
   then a sample of four steps and more, and what was measured before counts no longer. */
static void autotune__learn_tick(autotune__race *race, double tick_ns) {
    size_t i;
    race->limits.tick_ns = tick_ns;
    race->best_ns = race->probe_ns = AUTOTUNE__NEVER;
    for (i = 0; i < autotune__count(race->rows); i++)
        race->rows[i].minimum = race->rows[i].second = race->rows[i].measured = AUTOTUNE__NEVER;
}
static bool autotune__ask_sample(autotune__race *race, autotune__request *request, size_t row) {
    const double tick = race->limits.tick_ns;
    if (race->repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES) return autotune__ask_run(race, request, row, 1024, 0.5);
    return autotune__ask_run(race, request, row, tick > 0 ? 100000 : 1, 4 * tick);
}
static void autotune__take_screened(autotune__race *race, const autotune__answer *answer) {
    const autotune__repeat repeat = race->repeat;
    autotune__row *row = &race->rows[race->row];
    race->repeat = AUTOTUNE__NO_REPEAT;
    if (answer->status != AUTOTUNE_OK) return;
    if (!(answer->ns > 0) && !race->clock_asked) {
        race->clock_asked = true;
        race->repeat = AUTOTUNE__UNTIL_THE_CLOCK_MOVES;
    } else if (answer->ns > 0 && repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES) {
        autotune__learn_tick(race, answer->ns * answer->launches);
        race->repeat = AUTOTUNE__ONCE_MORE;
    } else {
        autotune__note(row, answer->ns, false);
        race->samples++;
        if (row->minimum < race->best_ns) race->best_ns = row->minimum;
        if (autotune__at_goal(race, answer->ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
        else if (autotune__is_unsettled(race, answer->ns) || (row->at_goal && repeat == AUTOTUNE__NO_REPEAT))
            race->repeat = AUTOTUNE__ONCE_MORE;
    }
}

/* Probes: every 16 configurations, and after the last of more than two, the first one (the best, if that is four times
   as fast) is launched again. Where three launches in a row are all slower, or all faster, than what it took before by
   more than 5 %, the device's pace changed. What was measured before follows it, but only until the rounds measure it
   anew: not all configurations follow alike, and of what was measured since the last probe nobody knows which pace it
   had. Where it is slower by 25 %, the device may be throttled: it is given 50 ms, ten times in a race. */
static void autotune__rebase(autotune__race *race, double ratio) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        race->rows[i].unsure = i != race->probe && (ratio < 1 || i >= race->probed);
        if (i >= race->probed) continue;
        race->rows[i].minimum *= ratio;
        race->rows[i].second *= ratio;
    }
    race->best_ns *= ratio;
    race->probe_ns *= ratio;
    race->pace *= ratio;
    if (race->pace < race->fastest_pace) race->fastest_pace = race->pace;
    if (race->pace > race->slowdown * race->fastest_pace) race->slowdown = race->pace / race->fastest_pace;
}
static void autotune__choose_probe(autotune__race *race) {
    size_t i;
    if (race->rows[race->probe].state != AUTOTUNE__FAILED && race->probe_ns <= 4 * race->best_ns) return;
    race->probe_ns = AUTOTUNE__NEVER;
    for (i = race->batch_rows; i < autotune__count(race->rows); i++) {
        if (race->rows[i].state == AUTOTUNE__FAILED || !(race->rows[i].minimum < race->probe_ns)) continue;
        race->probe = i;
        race->probe_ns = race->rows[i].minimum;
    }
}
static void autotune__begin_probe(autotune__race *race) {
    race->probed_ns = AUTOTUNE__NEVER;
    race->probed_most_ns = 0;
}
static void autotune__take_probe(autotune__race *race, const autotune__answer *answer) {
    const double fast = 0.95, slow = 1.05, throttled = 1.25;
    bool slower, faster;
    double ratio;
    if (answer->status != AUTOTUNE_OK) { race->probes = 0; race->probed = autotune__count(race->rows); return; }
    if (answer->ns < race->probed_ns) race->probed_ns = answer->ns;
    if (answer->ns > race->probed_most_ns) race->probed_most_ns = answer->ns;
    ratio = race->probed_ns / race->probe_ns;
    slower = ratio > slow;
    faster = race->probed_most_ns < fast * race->probe_ns;
    if ((slower || faster) && race->probes++ < 3) return;
    race->pausing = ratio > throttled && race->pauses < 10;
    race->probes = race->pausing;
    if (race->pausing) { autotune__begin_probe(race); return; }
    if (slower || faster) autotune__rebase(race, ratio);
    race->probed = autotune__count(race->rows);
}
static bool autotune__ask_pause(autotune__race *race, autotune__request *request) {
    race->pausing = false;
    race->pauses++;
    return autotune__ask(request, AUTOTUNE__PAUSE, 0, 0, 50e6);
}
static bool autotune__is_screened(const autotune__race *race) {     /* the batch, but for what is late */
    return race->search ? race->searched : race->next >= autotune__count(race->order);
}
static bool autotune__starts_probe(autotune__race *race) {
    const size_t rows = autotune__count(race->rows), every = 16;
    const bool no_more = autotune__is_screened(race) && !autotune__has_late(race),
               last = no_more && rows > 2 && rows > race->probed;
    if (rows < race->probe_due && !last) return false;
    race->probe_due = rows + every;
    autotune__choose_probe(race);
    autotune__begin_probe(race);
    return autotune__is_definite(race->probe_ns) && race->probe_ns > 0 && rows > race->probed;
}
static bool autotune__probe(autotune__race *race, autotune__request *request) {
    if (race->pausing) return autotune__ask_pause(race, request);
    if (!race->probes && autotune__starts_probe(race)) race->probes = 1;
    return race->probes && autotune__ask_sample(race, request, race->probe);
}

/* The samples of the screen: the warm-up, the step of the clock, and probes of the device's speed. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"

/* The warm-up. The first launches of a process are not like the others: the first configuration that works is launched
   until two launches in a row agree within 2 %, at most 8 times and for 50 ms. It then serves as the probe, and the
   shorter of the two launches is what a probe should take. */
static bool autotune__is_warming_up(autotune__race *race, double ns) {   /* false: the warm-up is over */
    autotune__warm_up *warm_up = &race->warm_up;
    const double last_ns = warm_up->last_ns, difference = ns > last_ns ? ns - last_ns : last_ns - ns;
    if (warm_up->settled) return false;
    warm_up->total_ns += ns;
    warm_up->settled = (warm_up->launches && difference <= 0.02 * ns) || ++warm_up->launches >= 8 ||
                       warm_up->total_ns >= 50e6;
    warm_up->last_ns = ns;
    race->probe.row = race->row;
    race->probe.expected_ns = last_ns > 0 && last_ns < ns ? last_ns : ns;
    return !warm_up->settled;
}

/* A launch that took no time shows that the clock moves in steps. The configuration is then launched until the clock
   moves, which takes one step. From then on a sample takes four steps or more, and what was measured before is
   forgotten. */
static void autotune__learn_tick(autotune__race *race, double tick_ns) {
    size_t i;
    race->limits.tick_ns = tick_ns;
    race->best_ns = race->probe.expected_ns = AUTOTUNE__NEVER;
    for (i = 0; i < autotune__count(race->rows); i++)
        race->rows[i].minimum = race->rows[i].second = race->rows[i].measured = AUTOTUNE__NEVER;
}
static bool autotune__ask_sample(autotune__race *race, size_t row) {
    const double tick = race->limits.tick_ns;
    if (race->screening.repeat == AUTOTUNE__UNTIL_THE_CLOCK_MOVES)
        return autotune__ask_run(race, row, 1024, 0.5);
    return autotune__ask_run(race, row, tick > 0 ? 100000 : 1, 4 * tick);
}
static void autotune__take_screened(autotune__race *race, const autotune__answer *answer) {
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

/* Probes. After every 16 configurations, and after the last of more than two, the probe is launched again: the first
   configuration, or the best one once that is four times as fast. If three launches in a row are all slower by more
   than 5 % than the probe took before, or all faster, then the device's speed has changed. The minima of before are
   converted to the new speed, but only until the halving measures them anew: not all configurations follow alike, and
   nobody knows at which speed those since the last probe were measured. If the device is slower by 25 %, it may be
   throttled, and gets a pause of 50 ms, ten times in a race. */
static void autotune__change_pace(autotune__race *race, double ratio) {
    autotune__pace *pace = &race->pace;
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        const bool known = i < race->probe.rows;                    /* measured before the last probe */
        row->unsure = i != race->probe.row && (ratio < 1 || !known);
        if (!known) continue;
        row->minimum *= ratio;
        row->second *= ratio;
    }
    race->best_ns *= ratio;
    race->probe.expected_ns *= ratio;
    pace->now *= ratio;
    if (pace->now < pace->fastest) pace->fastest = pace->now;
    if (pace->now > pace->slowdown * pace->fastest) pace->slowdown = pace->now / pace->fastest;
}
static void autotune__choose_probe(autotune__race *race) {
    autotune__probe_state *probe = &race->probe;
    size_t i;
    if (!autotune__failed(&race->rows[probe->row]) && probe->expected_ns <= 4 * race->best_ns) return;
    probe->expected_ns = AUTOTUNE__NEVER;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++) {
        if (autotune__failed(&race->rows[i]) || !(race->rows[i].minimum < probe->expected_ns)) continue;
        probe->row = i;
        probe->expected_ns = race->rows[i].minimum;
    }
}
static void autotune__begin_probe(autotune__probe_state *probe) {
    probe->least_ns = AUTOTUNE__NEVER;
    probe->most_ns = 0;
}
static void autotune__end_probe(autotune__race *race) {
    race->probe.launches = 0;
    race->probe.rows = autotune__count(race->rows);
}
static void autotune__take_probe(autotune__race *race, const autotune__answer *answer) {
    const double fast = 0.95, slow = 1.05, throttled = 1.25;
    const double ns = autotune__sample_ns(answer);
    autotune__probe_state *probe = &race->probe;
    bool slower, faster;
    double ratio;
    if (answer->status != AUTOTUNE_OK) { autotune__end_probe(race); return; }
    if (ns < probe->least_ns) probe->least_ns = ns;
    if (ns > probe->most_ns) probe->most_ns = ns;
    ratio = probe->least_ns / probe->expected_ns;
    slower = ratio > slow;
    faster = probe->most_ns < fast * probe->expected_ns;
    if ((slower || faster) && probe->launches++ < 3) return;
    race->pace.pausing = ratio > throttled && race->pace.pauses < 10;
    if (race->pace.pausing) {                   /* after it the probe begins anew */
        probe->launches = 1;
        autotune__begin_probe(probe);
        return;
    }
    if (slower || faster) autotune__change_pace(race, ratio);
    autotune__end_probe(race);
}
static bool autotune__ask_pause(autotune__race *race) {
    race->pace.pausing = false;
    race->pace.pauses++;
    return autotune__ask(race, AUTOTUNE__PAUSE, 0, 50e6);
}
static bool autotune__is_screened(const autotune__race *race) {     /* the group is, but for its deferred points */
    return race->searching.search ? race->searching.ended : race->group.next >= autotune__count(race->group.order);
}
static bool autotune__starts_probe(autotune__race *race) {
    autotune__probe_state *probe = &race->probe;
    const size_t rows = autotune__count(race->rows), every = 16;
    const bool no_more = autotune__is_screened(race) && !autotune__has_deferred(race),
               last = no_more && rows > 2 && rows > probe->rows;
    if (rows == race->group.first_row || (rows < probe->due && !last)) return false;
    probe->due = rows + every;
    autotune__choose_probe(race);
    autotune__begin_probe(probe);
    return autotune__is_definite(probe->expected_ns) && probe->expected_ns > 0 && rows > probe->rows;
}
static bool autotune__probe(autotune__race *race) {
    if (race->pace.pausing) return autotune__ask_pause(race);
    if (!race->probe.launches && autotune__starts_probe(race)) race->probe.launches = 1;
    return race->probe.launches && autotune__ask_sample(race, race->probe.row);
}

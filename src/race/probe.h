/* Probes, which show whether the device's speed changed; and pauses, in which it may cool down. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "priority.h"
#include "searching.h"
#include "screen_samples.h"

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
/* Asks for a launch of the probe, or for a pause, where one is due. */
static bool autotune__ask_for_probe(autotune__race *race) {
    if (autotune__in_time(race)) {
        if (race->pace.pausing) return autotune__ask_pause(race);
        if (!race->probe.launches && autotune__starts_probe(race)) race->probe.launches = 1;
        if (race->probe.launches) return autotune__ask_sample(race, race->probe.row);
    }
    race->probe.launches = 0;
    return false;
}

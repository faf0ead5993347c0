/* Cuts: which configurations leave the race in the screen and between rounds, and why. What halving.h and duel.h cut
   they say themselves. */
#pragma once
#include "../base/floor.h"
#include "race.h"
#include "sample_size.h"
#include "order.h"

static void autotune__remove_live(autotune__race *race, size_t row) {
    const size_t at = autotune__position_among(row, race->live);
    if (at != SIZE_MAX) AUTOTUNE__REMOVE(race->live, at);
}
static void autotune__drop(autotune__race *race, size_t row, const char *why) {
    race->rows[row].why = why;
    autotune__remove_live(race, row);
    if (race->control.row == row) race->control.row = SIZE_MAX;
}
/* Only the first survivors stay, so many of them. Returns true if somebody had to leave. */
static bool autotune__keep_first(autotune__race *race, size_t most, const char *why) {
    size_t i;
    for (i = most; i < autotune__count(race->live); i++) race->rows[race->live[i]].why = why;
    if (most >= autotune__count(race->live)) return false;
    autotune__set_count(race->live, most);
    return true;
}
/* What takes so many times as long is far from winning. */
static const double autotune__far = 3;
/* Survivors, the best first, leave beyond `factor` times the best; but not if the order may prefer them: then beyond
   what is forgiven. Two stay in any case, and what equals the second unless that is far from winning: few samples show
   nothing, and a duel with something that is much slower is short. Returns how many there are without those that the
   order may prefer. */
static size_t autotune__leave_out_slow(autotune__race *race, double factor, double forgiven) {
    const double best_ns = race->best_ns > 0 ? race->best_ns : 1,
                 second_ns = autotune__count(race->live) > 1 ? race->rows[race->live[1]].minimum : best_ns,
                 cut = second_ns > factor * best_ns && second_ns <= autotune__far * best_ns ? second_ns
                                                                                           : factor * best_ns;
    size_t i, kept = 0, within = 0;
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        const double ns = autotune__is_definite(row->minimum) ? row->minimum : 0;
        row->why = NULL;
        if (i < 2 || ns <= cut) within = i + 1;
        if (i < 2 || ns <= cut || ns <= (1 + forgiven) * best_ns) kept = i + 1;
    }
    (void)autotune__keep_first(race, kept, autotune__too_slow);
    return within;
}
/* Keeps the survivors within `factor` of the best, and `most` of them at most: the best come first. Up to half of the
   places, and four, are for those that the order prefers to all others within the margin, for one of these may win. */
static void autotune__keep(autotune__race *race, double factor, size_t most) {
    const double forgiven = autotune__forgiven_in_cuts(race);
    const size_t preferred = most / 2 < 4 ? most / 2 : 4;
    size_t i, within, best = most - preferred;
    autotune__sort_live(race, 0, 0);
    if (autotune__rounds(race) != 2) race->best_ns = race->rows[race->live[0]].minimum;
    within = autotune__leave_out_slow(race, factor, forgiven);
    if (within < best) best = within;
    most = best + preferred;
    if (autotune__count(race->live) > most) autotune__sort_live(race, best, (1 + forgiven) * race->best_ns);
    (void)autotune__keep_first(race, most, "not among the best");
    for (i = 0; i < autotune__count(race->live); i++) race->rows[race->live[i]].stage = "halving";
}
/* The factor of the screen: what takes more than twice as long as the best is cut. Where launches take less time in a
   batch than alone, a part of the time of one is the CPU's; then what is shorter than a batch is seen only in a batch,
   and the factor is larger. If a launch took no time by the clock, single launches show nothing. */
static double autotune__screen_factor(const autotune__race *race) {
    const bool hidden = race->limits.sampling == AUTOTUNE__BY_BATCHES &&
                        autotune__launches_of_sample(race, race->best_ns) > 1;
    if (!(race->best_ns > 0)) return AUTOTUNE__NEVER;
    return 2 + (hidden ? autotune__least_batch_ns / race->best_ns : 0);
}
/* The rows of the group that work become the survivors. False: there are none, or there is no memory. */
static bool autotune__collect(autotune__race *race) {
    size_t row;
    autotune__set_count(race->live, 0);
    for (row = race->group.first_row; row < autotune__count(race->rows); row++) {
        if (autotune__failed(&race->rows[row])) continue;
        race->rows[row].relative = AUTOTUNE__NEVER;     /* no more that of rounds which the others were not in */
        if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(race->live, row))) return false;
    }
    if (!autotune__count(race->live)) return false;
    autotune__keep(race, autotune__screen_factor(race), SIZE_MAX);
    return true;
}

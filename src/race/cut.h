/* Cuts: which configurations leave the race in the screen and between rounds, and why. What budget.h and duel.h cut for
   want of time they say themselves. */
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
        const bool stays = kept < 2 || ns <= cut;
        row->why = autotune__too_slow;
        within += stays;
        if (stays || ns <= (1 + forgiven) * best_ns) race->live[kept++] = race->live[i];
    }
    autotune__set_count(race->live, kept);
    return within;
}
/* The best of the survivors. After two rounds the longer sample of a row counts if its two samples are further apart
   than the factor of the near-best: so one sample that is too short excludes nobody. After more rounds `minimum` is the
   second least sample. */
static double autotune__confirmed_best(const autotune__race *race) {
    const double near_best = 1 + autotune__near_best(race);
    double best_ns = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        double least[2], ns = row->minimum;
        autotune__least_ratios(race, row, least);
        if (autotune__rounds(race) == 2 && least[1] > near_best * least[0]) ns *= least[1] / least[0];
        if (!(best_ns <= ns)) best_ns = ns;
    }
    return best_ns;
}
/* Keeps the survivors within `factor` of the best, and `most` of them at most: the best come first. Up to half of the
   places, and four, are for those that the order prefers to all others within the margin, for one of these may win. */
static void autotune__keep(autotune__race *race, double factor, size_t most) {
    const double forgiven = autotune__forgiven_in_cuts(race);
    const size_t preferred = most / 2 < 4 ? most / 2 : 4;
    size_t i, within, best = most - preferred;
    autotune__sort_live(race, 0, 0);
    race->best_ns = autotune__confirmed_best(race);
    within = autotune__leave_out_slow(race, factor, forgiven);
    if (within < best) best = within;
    most = best + preferred;
    if (autotune__count(race->live) > most) autotune__sort_live(race, best, (1 + forgiven) * race->best_ns);
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        row->why = i < most ? NULL : "not among the best";
        if (i < most) row->stage = "halving";
    }
    if (autotune__count(race->live) > most) autotune__set_count(race->live, most);
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

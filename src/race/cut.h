/* Cuts: which configurations leave the race after the screen and between rounds, and why. The rooms halving.h and
   duel.h describe their own cuts. */
#pragma once
#include "../base/floor.h"
#include "race.h"
#include "screen_samples.h"
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
/* Keeps the first `most` survivors. Returns true if a survivor left. */
static bool autotune__keep_first(autotune__race *race, size_t most, const char *why) {
    const size_t count = autotune__count(race->live);
    size_t i;
    for (i = most; i < count; i++) race->rows[race->live[i]].why = why;
    if (most < count) autotune__set_count(race->live, most);
    return most < count;
}
/* A row that takes more than three times as long as the best is far from winning. */
static const double autotune__far_factor = 3;
/* Sorts the survivors, the best first, and cuts them by their least times:
   - A row stays if it takes at most `factor` times the best time. If the least time of a row is unknown, this row
     stays, and so do all rows before it.
   - The two best rows stay in any case, since few samples show nothing, and a duel with a much slower row is short.
   - Rows as fast as the second stay, too, unless the second is far from winning.
   - At most `most` rows stay. Half of these places, four at most, are the last places. The last places go to rows
     within the forgiven share that the order prefers: these may win. The fastest rows get all other places. See
     order.h.
   - A slower row within the forgiven share stays if it gets one of the last places. */
static void autotune__keep(autotune__race *race, double factor, size_t most) {
    const double forgiven = 1 + autotune__forgiven_in_cuts(race);
    const size_t preferred = most / 2 < 4 ? most / 2 : 4;
    double best_ns, second_ns, cut_ns;
    size_t i, kept = 0, within = 0;
    autotune__sort_live(race, 0, 0);
    second_ns = race->rows[race->live[autotune__count(race->live) > 1]].minimum;
    if (autotune__rounds(race) != 2) race->best_ns = race->rows[race->live[0]].minimum;
    best_ns = race->best_ns > 0 ? race->best_ns : 1;
    cut_ns = second_ns > factor * best_ns && second_ns <= autotune__far_factor * best_ns ? second_ns : factor * best_ns;
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        const double ns = autotune__is_definite(row->minimum) ? row->minimum : 0;
        row->why = NULL;
        if (i < 2 || ns <= cut_ns) within = i + 1;
        if (i < 2 || ns <= cut_ns || ns <= forgiven * best_ns) kept = i + 1;
    }
    (void)autotune__keep_first(race, kept, autotune__too_slow);
    most = within < most - preferred ? within + preferred : most;
    if (kept > most) autotune__sort_live(race, most - preferred, forgiven * race->best_ns);
    (void)autotune__keep_first(race, most, "not among the best");
    for (i = 0; i < autotune__count(race->live); i++) race->rows[race->live[i]].stage = "halving";
}
/* Returns the factor of the screen: a configuration that takes more than so many times the best time is cut. The factor
   is 2. If a launch takes longer alone than in a batch, the CPU adds some time to each launch. The added time hides how
   far kernels differ. So the factor is larger if samples need batches: 2 plus 32 us divided by the best time. If the
   best launch took no time by the clock, no row is cut. */
static double autotune__screen_factor(const autotune__race *race) {
    const bool hidden = race->limits.sampling == AUTOTUNE__BY_BATCHES && autotune__needs_batches(race);
    if (!(race->best_ns > 0)) return AUTOTUNE__NEVER;
    return 2 + (hidden ? autotune__least_batch_ns / race->best_ns : 0);
}
/* All rows of the group that did not fail become the survivors, also rows that were cut before. Then the screen's
   factor cuts them. Returns false if all rows failed, or if there is no memory. */
static bool autotune__collect(autotune__race *race) {
    size_t row;
    autotune__set_count(race->live, 0);
    for (row = race->group.first_row; row < autotune__count(race->rows); row++) {
        if (autotune__failed(&race->rows[row])) continue;
        race->rows[row].relative = AUTOTUNE__NEVER;     /* only least times compare rows of different rounds */
        if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(race->live, row))) return false;
    }
    if (!autotune__count(race->live)) return false;
    autotune__keep(race, autotune__screen_factor(race), SIZE_MAX);
    return true;
}

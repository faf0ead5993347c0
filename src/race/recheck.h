/* Rechecks: second launches, mostly in ascending order of the first times. A first launch alone excludes only a
   configuration that is far from the best. If no row within the reach lacks its second launch, first and second
   launches count as the first two rounds of the halving: see autotune__has_two_rounds(). */
#pragma once
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "screen_samples.h"
#include "order.h"
#include "cut.h"
#include "searching.h"
#include "rounds.h"

/* A reach is computed from at least eight second launches. Eight second launches in a row that confirmed the first
   launches, and took longer than the reach allows, are enough, too: see autotune__ask_for_second_launch(). */
static const size_t autotune__enough_in_a_row = 8;
/* Measures the reach, by which the best time is multiplied. A row whose first time is within the reach may still win
   after a second launch. A row whose first time is beyond the reach may be cut without a second launch. A pair is the
   first and the second launch of a row. From eight pairs on, the reach is 0.92 plus 13 times the mean difference in a
   pair. The mean shows the noise, and how often a launch is held up. A difference counts as 10 % at most, so that one
   long wait does not dominate the mean. The reach is at least 1.02, and at least 1 plus seven margins: cuts may treat
   rows within seven margins as equal. The reach is at most the screen's factor, or 1 plus seven margins if that is
   more. With fewer than eight pairs the reach equals the screen's factor. This also holds if samples need batches, or
   if more than a quarter of the pairs differ by more than 10 %. The figures are from bench/replay.c. */
static void autotune__measure_reach(autotune__race *race) {
    const size_t pairs = autotune__count(race->live);
    const bool shows = pairs >= autotune__enough_in_a_row && 4 * race->rechecking.held_up <= pairs;
    const double most = autotune__screen_factor(race), alike = 1 + 7 * race->limits.margin,
                 least = alike > 1.02 ? alike : 1.02,
                 reach = shows ? 0.92 + 13 * race->rechecking.differences / (double)pairs : most;
    race->rechecking.reach = autotune__needs_batches(race) || !(reach < most) ? most : reach > least ? reach : least;
}
static double autotune__reach_ns(const autotune__race *race) { return race->best_ns * race->rechecking.reach; }
/* Returns the next row for a second launch; SIZE_MAX: none, or no time for it. from_ns: the first time of the row is
   longer than this; 0: any. The row to beat comes first, and so do rows whose first launches were forgotten. The others
   follow in ascending order of their first times. While samples become shorter (autotune__note_rising()), the rows come
   in the order in which the screen launched them. If samples need batches, only rows beyond the reach have second
   launches: the halving measures the other rows in batches.

   Some configurations may be slow in their first launches alone, and these come last in that order. So two of the eight
   launches beyond the reach are of slower rows: at an eighth and at a half of the way to the slowest row. */
static size_t autotune__next_second(const autotune__race *race, double from_ns) {
    const size_t to_beat = autotune__row_to_beat(race), beyond = race->rechecking.beyond_in_a_row;
    const double way = beyond == 3 ? 0.125 : beyond == 6 ? 0.5 : 0;
    size_t i, next = SIZE_MAX, first = SIZE_MAX, working = 0;
    const double reach_ns = autotune__reach_ns(race),
                 above_ns = from_ns > 0 ? from_ns : autotune__needs_batches(race) ? reach_ns : -1;
    double least_ns = AUTOTUNE__NEVER, slowest_ns = 0;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const bool known = autotune__is_definite(row->minimum);
        working += !autotune__failed(row);
        if (autotune__failed(row) || autotune__count(row->samples) || !(row->minimum > above_ns) ||
            (known && race->elapsed + row->minimum / 1e9 > race->rechecking.until))
            continue;
        if (first == SIZE_MAX && (i == to_beat || race->shorter_in_a_row || !known)) first = i;
        if (row->minimum < least_ns) { least_ns = row->minimum; next = i; }
        if (row->minimum > slowest_ns) slowest_ns = row->minimum;
    }
    if (working < 2 || !(race->best_ns > 0)) return SIZE_MAX;
    if (first != SIZE_MAX) return first;
    return from_ns > 0 || !(way > 0) || least_ns <= reach_ns || least_ns >= slowest_ns
               ? next : autotune__next_second(race, least_ns + way * (slowest_ns - least_ns));
}
/* Asks for a second launch. Returns false if none is needed, or if there is no time for it. If time was too short to
   launch each configuration once, there are no second launches: the finalists get all time that is left. Rows beyond
   the reach need no second launch after eight second launches in a row that took longer than the reach allows. But
   the row to beat needs one, and so do all rows while samples become shorter. */
static bool autotune__ask_for_second_launch(autotune__race *race) {
    const size_t row = race->lack == AUTOTUNE__LACKS_TIME ? SIZE_MAX : autotune__next_second(race, 0);
    if (row == SIZE_MAX || !autotune__in_time(race) || autotune__is_over(race)) return false;
    if (race->rows[row].minimum > autotune__reach_ns(race) && row != autotune__row_to_beat(race) &&
        race->rechecking.beyond_in_a_row >= autotune__enough_in_a_row && !race->shorter_in_a_row)
        return false;
    return autotune__ask_sample(race, row);
}
/* Begins the rechecks. First launches and compilation may have taken longer than the default limit. Then the limit is
   extended, so that the finalists have a tenth of the race. This race may leave out configurations whose times are
   recorded. Their recorded times extend the limit as if this race had launched them, too. Second launches have a
   third of the time that is left. */
static void autotune__begin_rechecks(autotune__race *race) {
    const autotune__prior_row *prior = race->setup.prior;
    autotune__limits *limits = &race->limits;
    double least = race->elapsed / (1 - autotune__share_of_finalists);
    size_t i;
    for (i = 0; i < autotune__count(prior); i++)
        if (prior[i].flags & AUTOTUNE__ASIDE && autotune__is_definite(prior[i].ns))
            least += prior[i].ns / 1e9 * autotune__share_of_finalists / (1 - autotune__share_of_finalists);
    if (!autotune__has_own_limit(limits) && autotune__is_definite(race->best_ns) && limits->seconds < least)
        limits->seconds = least;
    if (autotune__is_sampled(race)) race->admitted.count = autotune__estimated_count(race);
    memset(&race->rechecking, 0, sizeof race->rechecking);
    race->shorter_in_a_row = 0;
    autotune__set_count(race->live, 0);
    autotune__forget_rounds(race);
    race->rechecking.until = race->elapsed + (limits->seconds - race->elapsed) / 3;
    autotune__measure_reach(race);
}
/* Forgets the first launches of the group: its rows are launched again before their second launches. */
static void autotune__forget_first_launches(autotune__race *race) {
    size_t i;
    race->best_ns = AUTOTUNE__NEVER;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++)
        race->rows[i].minimum = race->rows[i].measured = AUTOTUNE__NEVER;
    autotune__begin_rechecks(race);
}
/* Takes a second launch.

   Each pair has a longer and a shorter time. From the first pair on, the best time is the least of all longer times. So
   one sample that is too short excludes no other row. If samples need batches, the best time is the least time.

   A second launch that is far shorter than the first may mean that the device's clock rises. Such a launch counts as
   a sign in three cases: it is of the row to beat, it follows another sign, or it is far below the best time. Other
   launches are no sign. Rows come in ascending order of their first times, so the last rows had first launches that
   were held up. Their second launches are far shorter, although the clock does not rise. */
static void autotune__take_second_launch(autotune__race *race, const autotune__answer *answer) {
    autotune__rechecking *rechecking = &race->rechecking;
    autotune__row *row = &race->rows[race->row];
    const double ns = autotune__sample_ns(answer), first_ns = row->minimum, longer_ns = first_ns > ns ? first_ns : ns,
                 shorter_ns = first_ns > ns ? ns : first_ns, best_ns = autotune__needs_batches(race) ? ns : longer_ns;
    if (answer->status != AUTOTUNE_OK) return;
    if (!autotune__needs_batches(race) &&
        (race->row == autotune__row_to_beat(race) || race->shorter_in_a_row || 1.2 * ns < race->best_ns) &&
        autotune__note_rising(race, ns))
        autotune__forget_first_launches(race);
    if (!autotune__is_definite(row->minimum) || autotune__count(row->samples)) {
        (void)autotune__take_launch(race, answer);
        return;
    }
    if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(row->samples, first_ns) && AUTOTUNE__PUSH(row->samples, ns) &&
                                            AUTOTUNE__PUSH(race->live, race->row)))
        return;
    autotune__add_sample(row, ns, false);
    race->samples++;
    if (best_ns < race->best_ns || (autotune__count(race->live) == 1 && !autotune__needs_batches(race)))
        race->best_ns = best_ns;
    rechecking->held_up += longer_ns > 1.1 * shorter_ns;
    rechecking->differences += longer_ns < 1.1 * shorter_ns ? longer_ns / shorter_ns - 1 : 0.1;
    autotune__measure_reach(race);
    rechecking->confirmed_in_a_row = ns >= first_ns / 1.5 ? rechecking->confirmed_in_a_row + 1 : 0;
    rechecking->beyond_in_a_row =
        rechecking->confirmed_in_a_row && ns > autotune__reach_ns(race) ? rechecking->beyond_in_a_row + 1 : 0;
    if (autotune__reaches_goal(race, ns)) autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
}
/* Returns true if first and second launches count as two rounds: every row within the reach and at least two rows had a
   second launch, and samples need no batches. Notes in `lack` that time was short if second launches are missing:
   - of a row within the reach, although other rows had a second launch. If samples need batches, this is no lack.
   - of n rows beyond the reach; more than eight rows count as eight. But if the last n second launches all confirmed
     the first launches, the missing launches are no lack. */
static bool autotune__has_two_rounds(autotune__race *race) {
    const bool batches = autotune__needs_batches(race);
    size_t i, within = 0, beyond = 0;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++) {
        if (autotune__failed(&race->rows[i]) || autotune__count(race->rows[i].samples)) continue;
        if (race->rows[i].minimum > autotune__reach_ns(race)) beyond += beyond < autotune__enough_in_a_row;
        else within += !batches;
    }
    if ((within && autotune__count(race->live)) || race->rechecking.confirmed_in_a_row < beyond)
        race->lack = AUTOTUNE__LACKS_TIME;
    return !within && !batches && autotune__count(race->live) > 1;
}

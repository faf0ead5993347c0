/* The order: which of several configurations that are alike is preferred. Because of the order, the winner changes less
   often from process to process. A configuration wins a duel against a preferred one only if the preferred one is
   slower by more than the boundary. This room also measures the noise, from which cuts compute their limits, and finds
   the row to beat, the leader and the choice. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "prior.h"
#include "race.h"
#include "evidence.h"

/* Returns a number: the row with the least number is preferred. The incumbent comes first, then the first configuration
   of the space, then the lowest index. */
static size_t autotune__preference(const autotune__race *race, size_t row) {
    const size_t index = race->rows[row].index;
    return index == race->incumbent ? 0 : index == autotune__first_admitted(race) ? 1 : index + 2;
}
static double autotune__sorted_by(const autotune__race *race, size_t row, double alike) {
    const double ns = autotune__score(&race->rows[row]);
    return alike > 0 && (ns <= alike || autotune__preference(race, row) < 2) ? 0 : ns;
}
/* Sorts the survivors from position `first` on by their scores, the least first. If `alike` is 0, only rows with the
   same score are equal. Else rows with a score up to `alike` are equal and come first. The incumbent and the first
   configuration also belong to these rows, whatever their scores are. The order decides between rows that are equal. */
static void autotune__sort_live(autotune__race *race, size_t first, double alike) {
    size_t i, j;
    for (i = first; i < autotune__count(race->live); i++) {
        const size_t row = race->live[i];
        const double ns = autotune__sorted_by(race, row, alike);
        for (j = i; j > first; j--) {
            const double other_ns = autotune__sorted_by(race, race->live[j - 1], alike);
            if (other_ns < ns || (!(other_ns > ns) && autotune__preference(race, row) >
                                                          autotune__preference(race, race->live[j - 1])))
                break;
            race->live[j] = race->live[j - 1];
        }
        race->live[j] = row;
    }
}

static const char autotune__too_slow[] = "too slow";    /* the `why` of a row whose minimum is too long */
/* Returns the row to beat: the incumbent if it works, else the first configuration. SIZE_MAX: neither works. */
static size_t autotune__row_to_beat(const autotune__race *race) {
    const size_t row = autotune__working_row(race, race->incumbent);
    return row == SIZE_MAX ? autotune__working_row(race, autotune__first_admitted(race)) : row;
}
/* Returns the noise: by what share the second least ratio of a row is above the least ratio, as the median over the
   survivors. AUTOTUNE__NEVER: unknown. */
static double autotune__measured_noise(const autotune__race *race) {
    const size_t count = autotune__count(race->live);
    double *distances AUTOTUNE__OWNED = (double *)autotune__allocate(count * sizeof *distances);
    size_t i, known = 0;
    for (i = 0; distances && i < count; i++) {
        double least[2];
        autotune__least_ratios(race, &race->rows[race->live[i]], least);
        if (least[0] > 0 && autotune__is_definite(least[1])) distances[known++] = least[1] / least[0] - 1;
    }
    return known ? autotune__median(distances, known) : AUTOTUNE__NEVER;
}
/* Returns the share within which a survivor is near the best: twice the noise, at least 1 % and at most 15 %. If the
   noise is unknown, the share is 15 %. */
static double autotune__near_best(const autotune__race *race) {
    const double least = 0.01, most = 0.15, twice = 2 * autotune__measured_noise(race);
    return twice < least ? least : twice < most ? twice : most;
}
static size_t autotune__leader(const autotune__race *race) {        /* the survivor with the best score */
    size_t i, best = race->live[0];
    for (i = 1; i < autotune__count(race->live); i++)
        if (autotune__score(&race->rows[race->live[i]]) < autotune__score(&race->rows[best]))
            best = race->live[i];
    return best;
}
/* Returns true if the row to beat may be as fast as the leader. If the leader's lead over the row has an interval, the
   lead decides. The row is slower if the median of the lead is beyond the boundary, and the interval is above 0. If the
   lead has no interval, least times are compared. The row may then take the boundary times 1.15 times the leader's
   time. The factor 1.15 is the widest limit of a cut in the halving. If the reach of the rechecks is above 1.15 and
   below 2, the reach takes the place of 1.15. */
static bool autotune__may_be_as_fast(const autotune__race *race, size_t row, size_t leader) {
    const autotune__row *own = &race->rows[row], *best = &race->rows[leader];
    const double widest = 1.15, reach = race->rechecking.reach > widest ? race->rechecking.reach : widest;
    const autotune__lead lead = autotune__lead_of(race, leader, row);
    if (autotune__is_definite(lead.low)) return lead.low <= 0 || 1 + lead.median <= autotune__boundary(race);
    return own->minimum <= autotune__boundary(race) * (reach < 2 ? reach : widest) * best->minimum;
}
/* Returns true if the score of a row is as good as the leader's, within the boundary. Also returns true for the row to
   beat if it may be as fast as the leader. */
static bool autotune__scores_alike(const autotune__race *race, size_t row, size_t leader) {
    return autotune__score(&race->rows[row]) <= autotune__boundary(race) * autotune__score(&race->rows[leader]) ||
           (row == race->duel.to_beat && autotune__may_be_as_fast(race, row, leader));
}
/* Returns the choice: of the survivors with a score as good as the leader's, the one that the order prefers. */
static size_t autotune__pick(const autotune__race *race) {
    const size_t leader = autotune__leader(race);
    size_t i, first = leader;
    for (i = 0; i < autotune__count(race->live); i++)
        if (autotune__preference(race, first) > autotune__preference(race, race->live[i]) &&
            autotune__scores_alike(race, race->live[i], leader))
            first = race->live[i];
    return first;
}
/* Returns the forgiven share: in a cut, a row that is slower than the best by at most this share counts as equally
   good. The share is three margins plus four times the noise. The noise counts as one margin at most. A cut knows few
   launches, and each may have been disturbed. The figures are from bench/replay.c. */
static double autotune__forgiven_in_cuts(const autotune__race *race) {
    const double margin = race->limits.margin, noise = autotune__measured_noise(race);
    return 3 * margin + 4 * (noise < margin ? noise : margin);
}

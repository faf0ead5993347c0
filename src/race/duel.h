/* The race's duel: finalists are dropped once they are shown to be slower, until one is left, or a tie, or time is
   up. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"
#include "evidence.h"
#include "verdict.h"
#include "cut.h"
#include "rounds.h"
#include "halving.h"

/* Stage 4: the duel. It errs where it drops the fastest finalist, so T pays for every pair that the fastest is in. In
   the first rounds, and as long as that looks odd, the best of the halving runs twice. */
static size_t autotune__leader(const autotune__race *race) {        /* the live row that stands best */
    size_t i, best = race->live[0];
    for (i = 1; i < autotune__count(race->live); i++)
        if (autotune__standing(&race->rows[race->live[i]]) < autotune__standing(&race->rows[best]))
            best = race->live[i];
    return best;
}
/* Of those within 0.2 % of the fastest the incumbent, else the lowest index: a winner that changes from run to run
   helps nobody. With 1 % instead, one pick in ten of a noisy flat space would be more than 1 % slow. Nor is anything
   shown to be slower by less: two names of one kernel differ by some nanoseconds, as all that is done twice does. */
static const double autotune__alike = 1.002;
static size_t autotune__nearest(const autotune__race *race) {
    const double fastest = autotune__standing(&race->rows[autotune__leader(race)]);
    size_t i, nearest = SIZE_MAX;
    for (i = 0; i < autotune__count(race->live); i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        if (autotune__standing(row) > autotune__alike * fastest) continue;
        if (row->index == race->setup.incumbent) return race->live[i];
        if (nearest == SIZE_MAX || row->index < race->rows[nearest].index) nearest = race->live[i];
    }
    return nearest;
}
static bool autotune__stands_worse(const autotune__race *race, size_t a, size_t b) {
    const double x = autotune__standing(&race->rows[a]), y = autotune__standing(&race->rows[b]);
    return x > y || (!(x < y) && autotune__yields(race, a, b));
}
/* Many rounds are for few: from the 4th on the best six stay, from the 8th on four, from the 20th on three. */
static void autotune__thin_out(autotune__race *race) {
    const size_t most = race->rounds >= 20  ? 3
                        : race->rounds >= 8 ? 4
                        : race->rounds >= 4 ? 6
                                            : (size_t)AUTOTUNE__FINALISTS;
    while (autotune__count(race->live) > most) {
        size_t i, worst = race->live[0];
        for (i = 1; i < autotune__count(race->live); i++)
            if (autotune__stands_worse(race, race->live[i], worst)) worst = race->live[i];
        autotune__drop(race, worst, "not among the best");
    }
}
static bool autotune__finish_unresolved(autotune__race *race) {
    return autotune__finish(race, autotune__nearest(race), AUTOTUNE_UNRESOLVED);
}
/* Is every other live row shown to be no more than 1 % faster than this one? Of two at most one is faster, so T covers
   this too. */
static bool autotune__unbeaten(const autotune__race *race, size_t row, double threshold) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] != row &&
            !autotune__shown_slower(&race->rows[race->live[i]], &race->rows[row], 1.01, threshold))
            return false;
    return true;
}
/* By more than 1 % before every other, so that it may yet be shown to be the fastest. */
static bool autotune__leads(const autotune__race *race, size_t leader) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] != leader &&
            autotune__standing(&race->rows[race->live[i]]) <= 1.01 * autotune__standing(&race->rows[leader]))
            return false;
    return true;
}
/* The rounds, or the duel's share of the race: there is no end to telling many equals apart. 128 samples and 50 ms are
   never too much. */
static bool autotune__is_spent(const autotune__race *race) {
    return race->rounds >= race->limits.rounds ||
           (race->samples >= 128 && race->duel_ns > 50e6 && race->duel_ns > race->limits.share * race->before_ns);
}
static double autotune__fastest_of_round(const autotune__race *race) {
    double fastest = AUTOTUNE__NEVER;
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++) {
        const double *samples = race->rows[race->live[i]].samples;
        if (samples[race->rounds] < fastest) fastest = samples[race->rounds];
    }
    return fastest;
}
static bool autotune__is_throttled(const autotune__race *race, double fastest) {
    double scratch[AUTOTUNE__MOST_ROUNDS];
    const size_t rounds = autotune__count(race->fastest);
    if (rounds < 3 || race->pauses >= 10) return false;
    memcpy(scratch, race->fastest, rounds * sizeof *scratch);
    return fastest > 1.25 * autotune__median(scratch, rounds);
}
static void autotune__discard_round(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        autotune__set_count(race->rows[race->live[i]].samples, race->rounds);
    if (autotune__count(race->later) > race->rounds) {
        autotune__set_count(race->earlier, race->rounds);
        autotune__set_count(race->later, race->rounds);
    }
    race->pausing = true;
    autotune__start_round(race);
}
static void autotune__duel(autotune__race *race) {                  /* after a round */
    const double alpha = 0.05, threshold = (double)(race->finalists - 1) / alpha,
                 fastest = autotune__fastest_of_round(race);
    const size_t first_look = 5, twins = 4;
    size_t i, leader, nearest;
    bool spent;
    if (autotune__is_throttled(race, fastest)) { autotune__discard_round(race); return; }
    if (!AUTOTUNE__PUSH(race->fastest, fastest)) { race->no_memory = true; return; }
    race->rounds++;
    if (race->rounds >= twins && autotune__twin_evidence(race) < 1) race->twin_runs = false;
    autotune__update_medians(race);
    autotune__thin_out(race);
    leader = autotune__leader(race);
    for (i = autotune__count(race->live); race->rounds >= first_look && i-- > 0;) {
        const size_t row = race->live[i];
        if (row != leader &&
            autotune__shown_slower(&race->rows[row], &race->rows[leader], 1 / autotune__alike, threshold))
            autotune__drop(race, row, "shown to be slower");
    }
    nearest = autotune__nearest(race);
    spent = autotune__is_spent(race);
    if (autotune__count(race->live) == 1)
        autotune__finish(race, leader, race->cut_short ? AUTOTUNE_UNRESOLVED : AUTOTUNE_SEPARATED);
    else if (race->rounds >= first_look && (spent || !autotune__leads(race, leader)) &&
             autotune__unbeaten(race, nearest, threshold))
        autotune__finish(race, nearest, race->cut_short ? AUTOTUNE_UNRESOLVED : AUTOTUNE_TIE);
    else if (spent) autotune__finish(race, nearest, AUTOTUNE_UNRESOLVED);
    else autotune__start_round(race);
}

/* The halving: survivors within a margin of the best stay, until there are few enough for the duel. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "finalists.h"
#include "race.h"
#include "verdict.h"
#include "sample_size.h"
#include "cut.h"
#include "rounds.h"
#include "duel.h"

/* A cut comes after 1 round, after 2 more, and after 4 more. Survivors within 15, 10 and 7 % of the best stay, but not
   more than half of them, or as many as the duel may have. If samples of one configuration differ by less, the margin
   is narrower: 4, 2 and 4/3 times the usual difference, but not less than 1 %. */
static double autotune__halving_margin(const autotune__race *race) {
    static const double widest[] = { 0.15, 0.10, 0.07 };
    const size_t cut = race->halving.count;
    const double margin = 4 * race->halving.noise / (double)(cut + 1);
    return margin < 0.01 ? 0.01 : margin < widest[cut] ? margin : widest[cut];
}
static void autotune__forget_unsure(autotune__race *race) {         /* the halving measures these rows anew */
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        if (row->unsure && autotune__works(row)) row->minimum = row->second = AUTOTUNE__NEVER;
        row->unsure = false;
    }
}
static void autotune__start_halving(autotune__race *race) {
    race->stage = AUTOTUNE__HALVING;
    memset(&race->halving, 0, sizeof race->halving);
    race->halving.rounds_left = 1;
    autotune__set_count(race->duel.fastest, 0);
    autotune__set_count(race->control.first, 0);
    autotune__set_count(race->control.second, 0);
    race->control.row = SIZE_MAX;
    race->control.active = false;
    autotune__forget_unsure(race);
    autotune__start_round(race);
}
/* Before a cut all survivors must have a sample at the device's speed of now. If the last sample of the round was
   shorter than any of its row before, the first configuration of the round is sampled again. If that sample is shorter,
   too, then the device became faster in the middle of the round, and the round is made again, three times at most.
   True: a sample is asked for. */
static bool autotune__completes_round(autotune__race *race) {
    autotune__round *round = &race->round;
    const size_t last = autotune__count(round->rows) - 1, most = 3;
    if (round->rows[last] != round->rows[0]) return AUTOTUNE__PUSH(round->rows, round->rows[0]);
    if (race->halving.repeated++ >= most) return false;
    autotune__start_round(race);
    return true;
}
/* What launches of so many nanoseconds could gain is less than a call site costs, which looks for its winner and copies
   its result. So the race of such a call ends after its first round. */
static const double autotune__least_worth_ns = 50;
static bool autotune__is_too_short(const autotune__race *race) {
    size_t i = 0;
    while (i < autotune__count(race->live) && race->rows[race->live[i]].minimum < autotune__least_worth_ns) i++;
    return i == autotune__count(race->live);
}
/* The screen times single launches, and reading the clock makes the launch after it longer: a launch of 25 ns seemed to
   take 800 ns. So if launches in batches were so much shorter that a sample needs twice as many of them, the round is
   made again. True: so it is. */
static bool autotune__needs_longer_batches(autotune__race *race) {
    if (autotune__launches_of_sample(race, race->best_ns) < 2 * race->round.launches) return false;
    autotune__start_round(race);
    return true;
}
static void autotune__halve(autotune__race *race) {                 /* after every round */
    autotune__halving *halving = &race->halving;
    const size_t half = (autotune__count(race->live) + 1) / 2, finalists = AUTOTUNE__FINALISTS;
    if (autotune__is_too_short(race)) {
        race->conditions.too_short = true;
        autotune__finish_unresolved(race);
        return;
    }
    if (autotune__needs_longer_batches(race)) return;
    if (race->round.quicker && halving->rounds_left == 1 && autotune__completes_round(race)) return;
    if (--halving->rounds_left == 0) {
        if (halving->count == 0) halving->noise = autotune__measured_noise(race);
        autotune__keep(race, 1 + autotune__halving_margin(race), half < finalists ? finalists : half, "halving");
        halving->rounds_left = (size_t)1 << ++halving->count;
    }
    if (autotune__count(race->live) == 1 && !autotune__finds_rival(race))
        autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
    else if (halving->count == 3 || (halving->count && autotune__count(race->live) <= finalists))
        autotune__begin_duel(race);
    if (race->stage != AUTOTUNE__OVER) autotune__start_round(race);
}

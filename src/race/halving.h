/* The race's halving: survivors within a margin of the best stay, and the finalists are chosen. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"
#include "verdict.h"
#include "cut.h"
#include "rounds.h"

/* Stage 3: halving. 1, 2 and 4 rounds; what is left within 15, 10 and 7 % of the best, half of it or the finalists.
   Where two samples of a row mostly agree, less: within 4, 2 and 4/3 times their usual distance, but not less than 1
   %. */
enum { AUTOTUNE__FINALISTS = 8 };
static double autotune__measured_noise(const autotune__race *race) {
    const size_t count = autotune__count(race->live);
    double *distances = (double *)autotune__allocate(count * sizeof *distances), noise = AUTOTUNE__NEVER;
    size_t i, known = 0;
    for (i = 0; distances && i < count; i++) {
        const autotune__row *row = &race->rows[race->live[i]];
        if (row->minimum > 0 && autotune__is_definite(row->second)) distances[known++] = row->second / row->minimum - 1;
    }
    if (known) noise = autotune__median(distances, known);
    autotune__free(distances);
    return noise;
}
static double autotune__halving_margin(const autotune__race *race) {
    static const double most[] = { 0.15, 0.10, 0.07 };
    const double margin = 4 * race->noise / (double)(race->halvings + 1);
    return margin < 0.01 ? 0.01 : margin < most[race->halvings] ? margin : most[race->halvings];
}
static void autotune__start_duel(autotune__race *race) {
    autotune__keep(race, AUTOTUNE__NEVER, AUTOTUNE__FINALISTS, "duel");
    race->finalists = autotune__count(race->live);
    race->stage = AUTOTUNE__DUELLING;
    race->twin = race->live[0];
    race->twin_runs = race->finalists > 1;
}
/* Before a cut all must have had a sample at the device's pace of now. Where the last of the round was quicker than
   ever, the first is launched again: if that is quicker too, the device got faster in the middle of the round, and
   those before it need another. */
static bool autotune__mends_pace(autotune__race *race) {
    const size_t last = autotune__count(race->round) - 1, most = 3;
    if (race->round[last] != race->round[0]) return AUTOTUNE__PUSH(race->round, race->round[0]);
    if (race->repeated_rounds++ >= most) return false;
    autotune__start_round(race);
    return true;
}
static void autotune__halve(autotune__race *race) {                 /* after a round */
    const size_t half = (autotune__count(race->live) + 1) / 2, finalists = AUTOTUNE__FINALISTS;
    if (race->quicker && race->rounds_left == 1 && autotune__mends_pace(race)) return;
    if (--race->rounds_left == 0) {
        if (race->halvings == 0) race->noise = autotune__measured_noise(race);
        autotune__keep(race, 1 + autotune__halving_margin(race), half < finalists ? finalists : half, "halving");
        race->rounds_left = (size_t)1 << ++race->halvings;
        if (race->halvings == 3 || autotune__count(race->live) <= finalists) autotune__start_duel(race);
    }
    if (autotune__count(race->live) == 1)
        autotune__finish(race, race->live[0], race->cut_short ? AUTOTUNE_UNRESOLVED : AUTOTUNE_SEPARATED);
    else autotune__start_round(race);
}

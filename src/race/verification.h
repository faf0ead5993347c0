/* A verification, AUTOTUNE_MODE=verify: checks whether the winner of a record is still the fastest. This winner is the
   incumbent of the race, and is duelled with the other finalists of the record and with the first configuration. The
   incumbent stays the winner unless it fails. If another row is faster, the lead of the outcome is below 0. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "race.h"
#include "evidence.h"
#include "verdict.h"
#include "cut.h"
#include "rounds.h"
#include "duel.h"

/* Runs after every round. Returns true if another round is due. A row that is shown to be slower than the incumbent
   leaves. Times end the duel early only in favour of the incumbent: every other row has left, or is shown not to be
   faster by more than a tie. Otherwise the duel goes on until its rounds are used up, or time is up, or the incumbent
   fails. So the interval of a lead below 0 is valid. */
static bool autotune__verify(autotune__race *race) {
    const double threshold = (double)(race->admitted.count - 1) / autotune__alpha;
    const size_t row = autotune__working_row(race, race->incumbent);
    if (!autotune__take_round(race)) return false;
    if (row != SIZE_MAX) autotune__drop_slower(race, row, threshold);
    if (row == SIZE_MAX || autotune__count(race->live) == 1) return autotune__finish(race, row, AUTOTUNE_SEPARATED);
    if (autotune__rounds(race) >= AUTOTUNE__FIRST_LOOK && autotune__unbeaten(race, row, threshold))
        return autotune__finish(race, row, AUTOTUNE_TIE);
    return autotune__rounds(race) < race->limits.rounds || autotune__finish(race, row, AUTOTUNE_UNRESOLVED);
}

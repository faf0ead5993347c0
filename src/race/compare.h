/* Halving and duel, RUN by RUN: survivors are compared in rounds, until halving or the duel has what it needs. */
#pragma once
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "evidence.h"
#include "cut.h"
#include "rounds.h"
#include "probe.h"
#include "halving.h"
#include "screen.h"
#include "duel.h"

static bool autotune__compare_survivors(autotune__race *race, const autotune__answer *answer) {
    autotune__round *round = &race->round;
    if (answer) autotune__take_repetition(race, answer);
    if ((race->stage != AUTOTUNE__HALVING && race->stage != AUTOTUNE__DUELLING) || race->no_memory) return false;
    if (!autotune__count(race->live)) {         /* all of them failed: something that was cut wins, or the next group
                                                   is raced */
        if (autotune__collect(race)) return autotune__finish_unresolved(race);
        return autotune__next_group(race);
    }
    if (!autotune__in_time(race)) {
        autotune__update_medians(race);
        return autotune__finish_unresolved(race);
    }
    if (race->pace.pausing) return autotune__ask_pause(race);
    while (round->at < autotune__count(round->rows) &&
           autotune__failed(&race->rows[autotune__row_sampled(race)]))
        round->at++;
    if (round->at < autotune__count(round->rows)) {
        const bool first = race->stage == AUTOTUNE__HALVING && race->halving.count == 0 && round->launches > 1 &&
                           !race->limits.whole_batches;
        const double limit_ns = first ? 1.25 * race->best_ns * round->launches : 0;     /* then the batch has lost */
        const size_t row = autotune__row_sampled(race);
        (void)autotune__ask_run(race, row, autotune__launches_of(race, row), limit_ns);
        race->request.at_least = 4;            /* one launch that was held up shows nothing */
        return true;
    }
    if (race->stage == AUTOTUNE__HALVING) autotune__halve(race);
    else autotune__duel(race);
    return false;
}

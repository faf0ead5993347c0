/* The race's first stage: every point of the space is judged, or points that are drawn. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../search/points.h"
#include "race.h"
#include "verdict.h"
#include "batch.h"
#include "sample.h"

static bool autotune__new_row(autotune__race *race, size_t index) {
    autotune__row row;
    memset(&row, 0, sizeof row);
    row.index = index;
    row.stage = "screen";
    row.minimum = row.second = row.measured = row.median = row.relative = AUTOTUNE__NEVER;
    return AUTOTUNE__PUSH(race->rows, row);
}

/* Stage 1: every point of the space is judged; of a sampled one only up to the first configuration, and then what the
   survey draws. */
static bool autotune__evaluate(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    if (answer) {
        autotune__enlist(race, race->visited, answer);
        race->visited += 1 + answer->skip;
    }
    if (race->no_memory) return false;
    if (race->visited < race->setup.points &&
        !(race->setup.sampled && (race->admitted || race->visited > AUTOTUNE__FRUITLESS)))
        return autotune__ask(request, AUTOTUNE__EVALUATE, race->visited, 0, 0);
    race->admitted_count = autotune__count(race->admitted);
    if (race->setup.sampled && (race->ranks || !race->admitted_count)) {
        race->stage = AUTOTUNE__SURVEYING;
        return false;
    }
    if (race->admitted_count == 1 && !race->setup.sampled && autotune__new_row(race, race->admitted[0]))
        return autotune__finish(race, 0, AUTOTUNE_SINGLE);
    return autotune__next_batch(race);
}
static bool autotune__survey(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    const size_t enough = 256, most = 1 << 18;
    if (answer) autotune__take_surveyed(race, answer);
    else if (race->ranks) race->level = race->ranks[0];
    if (race->hits >= enough || race->drawn >= most) return autotune__next_batch(race);
    race->surveyed = (size_t)autotune__random_below(&race->random, race->setup.points);
    return autotune__ask(request, AUTOTUNE__EVALUATE, race->surveyed, 0, 0);
}
/* Before the first launch: not all points are judged any more, only those that the search draws. */
static void autotune__sample_instead(autotune__race *race) {
    race->setup.sampled = true;
    race->visited = race->setup.points;
    autotune__set_count(race->admitted, 1);
    autotune__set_count(race->ranks, 1);
}

/* A race whose space is divided: which points of a group a part races, and how the race of the finalists
   takes over what its own part has measured. */
#pragma once
#include <stdlib.h>
#include "../base/floor.h"
#include "race.h"

/* Of a group that is divided this part stays, and the first of the order, by which times of different parts are
   compared. All parts draw the same lots, and have equally many of those with low predicted costs. */
static void autotune__keep_own_part(autotune__race *race, bool priced) {
    size_t *order = race->group.order;
    const size_t count = autotune__count(order), parts = race->setup.parts;
    uint64_t lots = race->limits.seed;
    size_t i, kept = 1;
    if (!parts || !count) return;
    if (!priced) autotune__shuffle(order, 1, &lots);
    for (i = 1; i < count; i++) if ((i - 1) % parts == race->setup.part) order[kept++] = order[i];
    autotune__set_count(order, kept);
    if (!priced) qsort(order, kept, sizeof *order, autotune__order_sizes);
}

/* The race of the finalists is over, and takes over the rows and points of its own part, which it leaves empty. Without
   memory rows are missing that did not win. */
static void autotune__take_over_part(autotune__race *race, autotune__race *part) {
    const autotune__admission of_finalists = race->admitted;
    size_t i;
    for (i = 0; i < autotune__count(part->rows); i++) {
        autotune__row row = part->rows[i];
        const size_t known = autotune__find_row(race, row.index);
        if (known != SIZE_MAX) { race->rows[known].launches += row.launches; continue; }
        row.samples = NULL;                     /* of other rounds */
        if (autotune__works(&row)) row.why = "not among the best";
        if (i == part->outcome.winner) row.stage = "halving";
        if (AUTOTUNE__PUSH(race->rows, row)) part->rows[i].reason = NULL;
    }
    race->admitted = part->admitted;
    part->admitted = of_finalists;
}

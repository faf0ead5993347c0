/* A race whose space is divided: which points of a group a part races, what it proposes as finalists, and how the race
   of the finalists takes over what its own part has measured. */
#pragma once
#include <stdlib.h>
#include "../base/floor.h"
#include "shortlist.h"
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

/* The contenders: the best survivors of the part. */
static autotune__shortlist autotune__contenders_of(const autotune__race *part) {
    autotune__shortlist contenders;
    size_t row;
    contenders.count = 0;
    for (row = part->group.first_row; row < autotune__count(part->rows); row++)
        if (!autotune__failed(&part->rows[row]) &&
            (row == part->outcome.winner || autotune__position_among(row, part->live) != SIZE_MAX))
            autotune__shortlist_point(&contenders, part->rows[row].index, autotune__time(&part->rows[row]));
    return contenders;
}
/* What the configuration takes that all parts have; AUTOTUNE__NEVER: unknown. */
static double autotune__reference_ns(const autotune__race *part) {
    const size_t row = autotune__working_row(part, part->group.reference);
    return row != SIZE_MAX && autotune__time(&part->rows[row]) > 0 ? autotune__time(&part->rows[row]) : AUTOTUNE__NEVER;
}

/* Did a finalist fail that had worked in its part? Others of that part may have left because of it. */
static bool autotune__has_failed_finalist(const autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) if (autotune__failed(&race->rows[i])) return true;
    return false;
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

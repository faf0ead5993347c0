/* A race that ranks divide: which points of a group a part races. */
#pragma once
#include "../base/floor.h"
#include "race.h"

/* Removes the points of other parts from the group's order. All parts keep the first point, so that times of different
   parts can be divided by its time and compared. All parts shuffle with the same seed, so that each point is in one
   part. If the points are sorted by cost, they are dealt in turn: each part has some of the cheap points. */
static void autotune__keep_own_part(autotune__race *race, bool priced) {
    size_t *order = race->group.order;
    const size_t count = autotune__count(order), parts = race->setup.parts;
    uint64_t lots = race->limits.seed;
    size_t i, kept = 1;
    if (!count) return;
    if (!priced) autotune__shuffle(order, 1, &lots);
    for (i = 1; i < count; i++) if ((i - 1) % parts == race->setup.part) order[kept++] = order[i];
    autotune__set_count(order, kept);
    if (!priced) qsort(order, kept, sizeof *order, autotune__order_sizes);
}

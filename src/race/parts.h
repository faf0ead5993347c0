/* A race that ranks divide: which points of a group a part races. */
#pragma once
#include "../base/floor.h"
#include "race.h"

/* Removes the points of other parts from the group's order. All parts keep the first point. So each part can divide its
   times by the time of this point, and times of different parts can be compared. The other points are dealt to the
   parts in turn, so that each of them is in one part. If the points are sorted by cost, each part gets some of the
   cheap points. Else the points are shuffled before, with the same seed in all parts. */
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

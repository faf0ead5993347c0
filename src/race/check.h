/* A record of another build is checked, not believed. The record says how the times of configurations compare. A common
   change of all times does not matter, and scatter is tolerated. If one time contradicts the record, the race ends
   without a winner, and the statement races all configurations. */
#pragma once
#include "../base/floor.h"
#include "request.h"
#include "prior.h"
#include "race.h"
#include "verdict.h"
#include "screen_samples.h"

/* Returns the row's time divided by its time in the record. 0: the row is not checked. AUTOTUNE__NEVER: the row
   failed. */
static double autotune__change_of(const autotune__race *race, size_t row) {
    const autotune__row *own = &race->rows[row];
    const autotune__prior_row *prior = autotune__find_prior(race->setup.prior, own->index);
    if (!prior || !(prior->flags & AUTOTUNE__CHECKED)) return 0;
    return autotune__failed(own) ? AUTOTUNE__NEVER : own->measured / prior->ns;
}
/* Returns the first row from `row` on that contradicts the record; SIZE_MAX: none, or no memory. A checked row that
   failed contradicts the record. Another checked row contradicts the record if its change is too far from the median
   change of all checked rows. The tolerated factor between the two changes is 1.1 plus three times the scatter, at most
   1.5. The scatter is the larger of the scatters of both races. Sets race->checked to the number of checked rows. */
static size_t autotune__next_changed(autotune__race *race, size_t row) {
    const size_t pairs = autotune__count(race->live), rows = autotune__count(race->rows);
    const double most = 0.5, before = race->setup.scatter,
                 now = pairs ? race->rechecking.differences / (double)pairs : 0,
                 scatter = 0.1 + 3 * (before > now ? before : now), tolerated = 1 + (scatter < most ? scatter : most);
    double *changes AUTOTUNE__OWNED = (double *)autotune__allocate(rows * sizeof *changes), common, change;
    size_t i;
    for (i = race->checked = 0; changes && i < rows; i++)
        if (autotune__change_of(race, i) > 0) changes[race->checked++] = autotune__change_of(race, i);
    common = race->checked ? autotune__median(changes, race->checked) : 0;
    for (; race->checked && row < rows; row++) {
        change = autotune__change_of(race, row);
        if (change > 0 && !(change <= common * tolerated && change * tolerated >= common)) return row;
    }
    return SIZE_MAX;
}
/* Asks for another launch of a row that contradicts the record. Rows that failed, and rows that were launched four
   times or more, are not launched again. Returns false if no row needs a launch, or if time is up. */
static bool autotune__ask_for_check(autotune__race *race) {
    size_t row = autotune__next_changed(race, 0);
    while (row != SIZE_MAX && (autotune__failed(&race->rows[row]) || race->rows[row].launches >= 4))
        row = autotune__next_changed(race, row + 1);
    return row != SIZE_MAX && autotune__in_time(race) && autotune__ask_sample(race, row);
}

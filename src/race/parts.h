/* A race whose space is divided: what a part proposes as finalists, and how the race of the finalists takes over what
   its own part has measured. */
#pragma once
#include "../base/memory.h"
#include "../base/numbers.h"
#include "earlier_duels.h"
#include "race.h"

typedef struct autotune__contender { size_t point; double ns; } autotune__contender;
typedef struct autotune__contenders {
    autotune__contender best[AUTOTUNE__FINALISTS];              /* the fastest first */
    size_t count;
    double reference_ns;                        /* of the configuration that all parts have; AUTOTUNE__NEVER: unknown */
} autotune__contenders;

static bool autotune__is_survivor(const autotune__race *part, size_t row) {
    if (autotune__failed(&part->rows[row]) || !autotune__is_definite(autotune__time(&part->rows[row])))
        return false;
    return row == part->outcome.winner ||
           autotune__position_among(row, part->live, autotune__count(part->live)) != SIZE_MAX;
}
static void autotune__list_contenders(const autotune__race *part, autotune__contenders *list) {
    size_t row, i;
    list->count = 0;
    list->reference_ns = AUTOTUNE__NEVER;
    for (row = part->batch.first_row; row < autotune__count(part->rows); row++) {
        const autotune__row *r = &part->rows[row];
        const double ns = autotune__time(r);    /* where the time was over before a sample at the device's speed of now,
                                                   it is one of before */
        if (r->index == part->batch.reference && !autotune__failed(r) && ns > 0) list->reference_ns = ns;
        if (!autotune__is_survivor(part, row)) continue;
        if (list->count == AUTOTUNE__FINALISTS && ns >= list->best[list->count - 1].ns) continue;
        list->count += list->count < AUTOTUNE__FINALISTS;
        for (i = list->count - 1; i > 0 && list->best[i - 1].ns > ns; i--) list->best[i] = list->best[i - 1];
        list->best[i].point = r->index;
        list->best[i].ns = ns;
    }
}
static void autotune__remove_contender(autotune__contenders *list, size_t point) {
    size_t i, kept = 0;
    for (i = 0; i < list->count; i++) if (list->best[i].point != point) list->best[kept++] = list->best[i];
    list->count = kept;
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
        if (autotune__works(&row)) row.why = "not among the best";
        if (i == part->outcome.winner) row.stage = "halving";
        if (AUTOTUNE__PUSH(race->rows, row)) part->rows[i].reason = NULL;
    }
    race->admitted = part->admitted;
    part->admitted = of_finalists;
}

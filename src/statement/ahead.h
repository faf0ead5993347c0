/* What a backend that prepares configurations ahead asks of a statement that tunes. */
#pragma once
#include "../base/memory.h"
#include "../race/race.h"
#include "../race/decide.h"
#include "work.h"

/* The point that is being tried. */
static AUTOTUNE__UNUSED size_t autotune__in_trial(const autotune__work *work) { return work->request.index; }
/* The point that the race tries after k others, if nothing happens; SIZE_MAX: it is not known. */
static AUTOTUNE__UNUSED size_t autotune__comes_next(const autotune__work *work, size_t k) {
    return autotune__upcoming(&work->race, k);
}
/* Was the point launched, and did it fail? */
static AUTOTUNE__UNUSED bool autotune__has_failed(const autotune__work *work, size_t index) {
    const autotune__race *race = &work->race;
    size_t i = autotune__count(race->rows);
    while (i-- > 0) if (race->rows[i].index == index) return race->rows[i].state == AUTOTUNE__FAILED;
    return false;
}

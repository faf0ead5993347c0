/* Finalists that are known before the race, so that it is their duel alone. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"

enum { AUTOTUNE__FINALISTS = 8 };               /* the most, but for those that the order prefers */
typedef struct autotune__finalists {
    size_t points[AUTOTUNE__FINALISTS];         /* the lowest first */
    size_t count;
    bool incomplete;                            /* the race did not try all that it should have tried */
    bool partial;                               /* some that were left at the end are missing: no time, or no memory */
    bool fresh;                                 /* they were found just now, part by part, and not duelled before */
} autotune__finalists;

static AUTOTUNE__UNUSED bool autotune__is_among_finalists(const autotune__finalists *finalists, size_t point) {
    return autotune__position_among(point, finalists->points, finalists->count) != SIZE_MAX;
}
/* A point that is there already is not added; nor is one for which there is no room. */
static AUTOTUNE__UNUSED void autotune__add_finalist(autotune__finalists *finalists, size_t point) {
    size_t at = finalists->count;
    if (at == AUTOTUNE__FINALISTS || autotune__is_among_finalists(finalists, point)) return;
    for (; at > 0 && finalists->points[at - 1] > point; at--) finalists->points[at] = finalists->points[at - 1];
    finalists->points[at] = point;
    finalists->count++;
}
/* Did an earlier run duel the finalists, and is this a duel again? */
static bool autotune__duels_again(const autotune__finalists *finalists) { return finalists && !finalists->fresh; }
/* What a duel that goes on may take of the time of its race. */
static AUTOTUNE__UNUSED double autotune__tenth_of(double seconds) { return 0.1 * seconds; }

/* What earlier runs showed of the finalists of a race, so that their duel goes on where it stopped.

   Runs are independent of each other. So what each of them showed multiplies: a product of evidence is evidence. */
#pragma once
#include "../api/language.h"
#include "../base/numbers.h"

enum { AUTOTUNE__FINALISTS = 8 };               /* the most that a duel has */
/* What a duel may show of two finalists: one takes longer, by more than 0.2 %; and it is not more than 1 % faster. */
typedef enum autotune__finding { AUTOTUNE__IS_SLOWER, AUTOTUNE__IS_NO_FASTER, AUTOTUNE__FINDINGS } autotune__finding;
typedef struct autotune__finalist {
    size_t point;
    size_t rounds;                              /* of all duels */
    double relative;                            /* the median of its samples, each over the fastest of its round */
    double evidence[AUTOTUNE__FINDINGS][AUTOTUNE__FINALISTS];     /* against each of the others; 1: there is none */
} autotune__finalist;
typedef struct autotune__earlier {
    autotune__finalist finalists[AUTOTUNE__FINALISTS];          /* the lowest point first */
    size_t count;
    bool incomplete;                            /* the race did not try all that it should have tried */
    bool partial;                               /* some that were left at the end are missing: no time, or no memory */
    bool fresh;                                 /* they were found just now, part by part: nothing was shown of them */
} autotune__earlier;

static size_t autotune__finalist_at(const autotune__earlier *earlier, size_t point) {       /* SIZE_MAX: it is none */
    size_t i;
    for (i = 0; earlier && i < earlier->count; i++) if (earlier->finalists[i].point == point) return i;
    return SIZE_MAX;
}
static AUTOTUNE__UNUSED autotune__finalist *autotune__add_finalist(autotune__earlier *earlier,
                                                                  size_t point) {          /* NULL: no room */
    size_t at = earlier->count, i, finding;
    autotune__finalist *finalist;
    if (at == AUTOTUNE__FINALISTS || autotune__finalist_at(earlier, point) != SIZE_MAX) return NULL;
    for (; at > 0 && earlier->finalists[at - 1].point > point; at--)
        earlier->finalists[at] = earlier->finalists[at - 1];
    earlier->count++;
    finalist = &earlier->finalists[at];
    finalist->point = point;
    finalist->rounds = 0;
    finalist->relative = AUTOTUNE__NEVER;
    for (finding = 0; finding < AUTOTUNE__FINDINGS; finding++)
        for (i = 0; i < AUTOTUNE__FINALISTS; i++) finalist->evidence[finding][i] = 1;
    return finalist;
}
/* Was there a duel of the finalists, so that this one goes on with it? */
static bool autotune__goes_on_with(const autotune__earlier *earlier) { return earlier && !earlier->fresh; }
/* The evidence of earlier runs for a finding about one point against another. */
static double autotune__earlier_evidence(const autotune__earlier *earlier, autotune__finding finding, size_t point,
                                         size_t other) {
    const size_t a = autotune__finalist_at(earlier, point), b = autotune__finalist_at(earlier, other);
    return a == SIZE_MAX || b == SIZE_MAX ? 1 : earlier->finalists[a].evidence[finding][b];
}
/* The median of so many rounds together with that of earlier ones. */
static double autotune__with_earlier(const autotune__earlier *earlier, size_t point, double relative, size_t rounds) {
    const size_t at = autotune__finalist_at(earlier, point);
    const autotune__finalist *finalist = at == SIZE_MAX ? NULL : &earlier->finalists[at];
    if (!finalist || !finalist->rounds || !autotune__is_definite(finalist->relative)) return relative;
    if (!rounds || !autotune__is_definite(relative)) return finalist->relative;
    return (relative * (double)rounds + finalist->relative * (double)finalist->rounds) /
           (double)(rounds + finalist->rounds);
}

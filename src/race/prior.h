/* The knowledge about configurations before a race: one array of rows, in ascending order of their points. It has no
   pointers, so that ranks can tell each other of it. The store makes it, and a race reads it, and says in it which it
   left out: ASIDE. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"

enum { AUTOTUNE__FINALISTS = 8 };               /* the most, but for those that the order prefers */
/* The flags of a row: */
enum {
    AUTOTUNE__WON = 1 << 0,                     /* it is the winner of before, and the one to beat */
    AUTOTUNE__FINALIST = 1 << 1,                /* a race of finalists is one of those that have this flag */
    AUTOTUNE__SEED = 1 << 2,                    /* it may win. Those with the least times are launched early */
    /* An earlier run of the program ended in its launch: */
    AUTOTUNE__LAST = 1 << 3,                    /* it comes after all others of its group */
    AUTOTUNE__SUSPECT = 1 << 4,                 /* this may happen again, as far as its kernels are known */
    AUTOTUNE__SKIP = 1 << 5,                    /* it happened too often: it is not launched */
    AUTOTUNE__CONVICTED = 1 << 6,               /* nor is this one, which the driver named: it is known to fail */
    /* In an earlier race of the key: */
    AUTOTUNE__LOST = 1 << 7,                    /* it lost, or failed */
    AUTOTUNE__FAILED_BEFORE = 1 << 8,           /* it failed, and has no time */
    AUTOTUNE__ASIDE = 1 << 9,                   /* and so was left out of this race */
    /* In an online race that did not end: */
    AUTOTUNE__TIMED = 1 << 10,                  /* it took so long; */
    AUTOTUNE__CALLED_ONCE = 1 << 11,            /* as one call says alone; */
    AUTOTUNE__USED_BEFORE = 1 << 12,            /* it was in use */
    /* In the record of another build: */
    AUTOTUNE__CHECKED = 1 << 13,                /* it took so long, and does it still? See check.h */
    AUTOTUNE__OF_RACES = 0x3F80                 /* all flags from LOST on */
};
/* The knowledge about the points that no row names: */
typedef enum autotune__rest {
    AUTOTUNE__REST_UNKNOWN,                     /* nothing */
    AUTOTUNE__REST_ANEW,                        /* nothing, and times of earlier races do not count any more */
    AUTOTUNE__REST_REBUILT,                     /* the same, since the program was built anew */
    AUTOTUNE__REST_LOST,                        /* they lost an earlier race, as points that are no seeds did */
    AUTOTUNE__REST_HAS_FINALISTS,               /* so they did, but for finalists, for want of time or memory */
    AUTOTUNE__REST_UNTRIED                      /* they lost, or were not tried: that race left something undone */
} autotune__rest;
typedef struct autotune__prior_row {
    size_t point;                               /* first: rows are sorted by it. SIZE_MAX: that of a part, of ranks
                                                   that divided a race; none is named */
    double ns;                                  /* its least time; of seeds of another key their order; else
                                                   AUTOTUNE__NEVER */
    unsigned flags;
} autotune__prior_row;

/* Sorts rows that were added in any order; what several say of one point becomes one row. */
static AUTOTUNE__UNUSED void autotune__sort_prior(autotune__prior_row *rows) {
    const size_t count = autotune__count(rows);
    size_t i, kept = 0;
    if (!count) return;
    qsort(rows, count, sizeof *rows, autotune__order_sizes);
    for (i = 1; i < count; i++) {
        if (rows[i].point != rows[kept].point) { rows[++kept] = rows[i]; continue; }
        rows[kept].flags |= rows[i].flags;
        if (rows[i].ns < rows[kept].ns) rows[kept].ns = rows[i].ns;
    }
    autotune__set_count(rows, kept + 1);
}
/* NULL: nothing is known of the point. */
static autotune__prior_row *autotune__find_prior(autotune__prior_row *rows, size_t point) {
    return (autotune__prior_row *)(!rows ? NULL : bsearch(&point, rows, autotune__count(rows), sizeof *rows,
                                                          autotune__order_sizes));
}
static unsigned autotune__prior_flags(autotune__prior_row *rows, size_t point) {
    const autotune__prior_row *row = autotune__find_prior(rows, point);
    return row ? row->flags : 0;
}
/* The seeds that are launched early. */
static autotune__shortlist autotune__best_seeds(const autotune__prior_row *rows) {
    autotune__shortlist seeds;
    size_t i;
    seeds.count = 0;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].flags & AUTOTUNE__SEED) autotune__shortlist_point(&seeds, rows[i].point, rows[i].ns);
    return seeds;
}
/* Returns the part of the time of its race that a duel that goes on may take. */
static AUTOTUNE__UNUSED double autotune__tenth_of(double seconds) { return 0.1 * seconds; }

/* The knowledge before a race: one array of rows, in ascending order of their points, and what is known of points
   without a row. Rows have no pointers, so that the first rank can send them to the other ranks. The store makes the
   array. If ranks divide a race, the floor collective adds the finalists of all parts. A race reads the array. The race
   sets the flag ASIDE of each row that it leaves out. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"

enum { AUTOTUNE__FINALISTS = 8 };               /* the most finalists, besides configurations that order.h prefers */
/* The flags of a row: */
enum {
    AUTOTUNE__WON = 1 << 0,                     /* the winner known before: it becomes the incumbent of the race */
    AUTOTUNE__FINALIST = 1 << 1,                /* a finalist: a race of finalists launches the finalists alone. A
                                                   verification also launches the first configuration */
    AUTOTUNE__SEED = 1 << 2,                    /* fast in other races; with CHECKED perhaps a loser. The fastest seeds
                                                   are launched early */
    /* An earlier run of the program ended in a launch of this configuration, or lost the device in the launch: */
    AUTOTUNE__DEFERRED = 1 << 3,                /* the configuration is launched after all others of its group */
    AUTOTUNE__SUSPECT = 1 << 4,                 /* its launch may end this run, too, since its kernels are not known to
                                                   have changed */
    AUTOTUNE__SKIP = 1 << 5,                    /* its launches ended two runs, or lost the device. The configuration is
                                                   not launched, except in a child process */
    AUTOTUNE__CONVICTED = 1 << 6,               /* with SKIP: the driver named its launch as the cause */
    /* In an earlier race of the key: */
    AUTOTUNE__LOST = 1 << 7,                    /* it lost, or failed */
    AUTOTUNE__FAILED_BEFORE = 1 << 8,           /* it failed, and has no time */
    AUTOTUNE__ASIDE = 1 << 9,                   /* it lost, or is no seed: this race leaves it out */
    /* In an online race that did not end: */
    AUTOTUNE__TIMED = 1 << 10,                  /* its time is `ns` */
    AUTOTUNE__CALLED_ONCE = 1 << 11,            /* only one call was timed */
    AUTOTUNE__USED_BEFORE = 1 << 12,            /* it was in use */
    /* In the record of another build: */
    AUTOTUNE__CHECKED = 1 << 13,                /* `ns` is its time there: see check.h */
    AUTOTUNE__OF_RACES = 0x3F80                 /* all flags from LOST on */
};
/* The knowledge about the points without a row: */
typedef enum autotune__rest {
    AUTOTUNE__REST_UNKNOWN,                     /* nothing */
    AUTOTUNE__REST_ANEW,                        /* nothing, since times of earlier races no longer count */
    AUTOTUNE__REST_REBUILT,                     /* nothing, since the program was built anew */
    AUTOTUNE__REST_LOST,                        /* they lost an earlier race, or the race of a part */
    AUTOTUNE__REST_HAS_FINALISTS,               /* they lost, except some finalists. These got no row, since there was
                                                   no time or no memory, or since the space does not have them */
    AUTOTUNE__REST_UNTRIED                      /* they lost, or were not launched: the earlier race was incomplete */
} autotune__rest;
typedef struct autotune__prior_row {
    size_t point;                               /* stands first, since autotune__order_sizes() sorts rows by their first
                                                   member. SIZE_MAX: unknown, since ranks divided the race in which a
                                                   run ended */
    double ns;                                  /* the least time in ns, or with TIMED a time of calls; of a seed of
                                                   another key: its rank among seeds, 0 is the best; AUTOTUNE__NEVER:
                                                   unknown */
    unsigned flags;
} autotune__prior_row;

/* Sorts rows that were added in any order. Rows of the same point become one row, with the flags of all and the least
   `ns`. */
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
/* Returns the row of the point; NULL: none. */
static autotune__prior_row *autotune__find_prior(autotune__prior_row *rows, size_t point) {
    return (autotune__prior_row *)(!rows ? NULL : bsearch(&point, rows, autotune__count(rows), sizeof *rows,
                                                          autotune__order_sizes));
}
static unsigned autotune__prior_flags(autotune__prior_row *rows, size_t point) {
    const autotune__prior_row *row = autotune__find_prior(rows, point);
    return row ? row->flags : 0;
}
/* Returns the seeds that are launched early: the ten with the least `ns`. A seed without a time is not among them. */
static autotune__shortlist autotune__best_seeds(const autotune__prior_row *rows) {
    autotune__shortlist seeds;
    size_t i;
    seeds.count = 0;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].flags & AUTOTUNE__SEED) autotune__shortlist_point(&seeds, rows[i].point, rows[i].ns);
    return seeds;
}

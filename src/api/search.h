/* A search for your own loops: the program measures the times itself.

       autotune_search *search = autotune_search_create(&desc);
       while (autotune_search_pays(search) && autotune_search_ask(search, &point) == AUTOTUNE_OK)
           autotune_search_tell(search, point, measure(point));
       autotune_search_destroy(search);

   A point is the number of a configuration in the unfiltered product of the axes, last axis fastest. The values of an
   axis are numbered from 0. One thread at a time may use a search. The caller keeps the best point itself.

   SURROGATE first tries 8 points that lie far apart. Then a Gaussian process over log(time) predicts the times of a
   pool of proposals: neighbours of the best ten points, and random points. The search tries the proposal with the
   greatest expected gain. */
#pragma once
#include "language.h"
#include "types.h"
#include "options.h"

typedef struct autotune_search autotune_search;
typedef struct autotune_search_axis {
    size_t count;                               /* how many values the axis has, at least 1 */
    bool categorical;                           /* the order of the values has no meaning */
    /* The integer values of the axis, `count` of them in ascending order; NULL: the search does not know the values.
       The search then sees which values have the same power of two as a factor: such sizes suit a cache or a vector.
       The values change nothing for a categorical axis, or for up to four values. The array is not kept. */
    const int64_t *values AUTOTUNE__DEFAULT(nullptr);
} autotune_search_axis;
typedef struct autotune_search_desc {
    const autotune_search_axis *axes AUTOTUNE__DEFAULT(nullptr);    /* copied */
    size_t axis_count AUTOTUNE__DEFAULT(0);     /* 1 to AUTOTUNE_MAX_AXES */
    /* Returns true if a configuration can begin with values[0] to values[bound - 1]. It is called with bound = 1, 2,
       ... up to axis_count while it returns true. So a constraint is tested as soon as all its values are bound. NULL:
       every point is admitted. */
    bool (*where)(void *user, const size_t *values, size_t bound) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);      /* the first argument of where() */
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);    /* AUTO means SURROGATE here */
    uint64_t seed AUTOTUNE__DEFAULT(0);         /* same seed and same times: same points */
} autotune_search_desc;

/* Makes a search, which the caller destroys. NULL: the description is wrong, where() admits no point, or there is no
   memory; the last error says which. The points of a space of up to 2^20 points are listed now. A larger space is
   listed if this takes at most 2^17 calls of where(). Else the search keeps only points that were tried. */
AUTOTUNE__API autotune_search *autotune_search_create(const autotune_search_desc *desc);
AUTOTUNE__API void autotune_search_destroy(autotune_search *search);            /* NULL: nothing happens */
/* Adds a point that the search proposes before the points of the strategy, in the order of these calls. It may be a
   default, or the winner of a similar problem. A point that where() refuses is skipped. AUTOTUNE_ERR_ARGUMENT: the
   space has no such point. AUTOTUNE_ERR_MEMORY: the point was not added. */
AUTOTUNE__API autotune_status autotune_search_prefer(autotune_search *search, size_t point);
/* Returns the next point to try, and each point only once. Several points may be asked for before a time is told.
   AUTOTUNE_ERR_SPACE: no point is left. Or the points are not listed, and 2^22 draws in a row found no point.
   AUTOTUNE_ERR_ARGUMENT: search or point is NULL. AUTOTUNE_ERR_MEMORY: there is no memory. */
AUTOTUNE__API autotune_status autotune_search_ask(autotune_search *search, size_t *point);
/* Tells the time of a trial, in any unit; INFINITY or NaN: the configuration failed. The point need not come from
   autotune_search_ask(). A point that is told twice counts as two trials. AUTOTUNE_ERR_ARGUMENT: the space has no such
   point, where() refuses it, or the time is below 0. AUTOTUNE_ERR_MEMORY: the search does not know the time. */
AUTOTUNE__API autotune_status autotune_search_tell(autotune_search *search, size_t point, double time);
/* Returns true if another trial is worth its time. SURROGATE returns false after at least 50 trials, when two things
   hold. The last three fifths of the trials brought no gain of more than 0.2 %. As many more trials would probably gain
   less than 2 %. For the other strategies it always returns true, since they do not predict. */
AUTOTUNE__API bool autotune_search_pays(const autotune_search *search);

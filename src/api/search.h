/* A search for programs that launch and time configurations themselves.

       autotune_search *search = autotune_search_create(&desc);
       while (autotune_search_pays(search) && autotune_search_ask(search, &point) == AUTOTUNE_OK)
           autotune_search_tell(search, point, measure(point));
       autotune_search_destroy(search);

   A point is the number of a configuration in the product of the axes, counted before where(); the last axis varies
   fastest. The values of an axis are numbered from 0. One thread at a time may use a search. The search does not return
   the best point: the program keeps it.

   SURROGATE first proposes 8 points that lie far apart. Then a Gaussian process over log(time) predicts the times of
   candidates: neighbours of the best ten points, and random points. The search proposes the candidate with the greatest
   expected gain. */
#pragma once
#include "language.h"
#include "types.h"
#include "options.h"

typedef struct autotune_search autotune_search;
/* An axis of a search. */
typedef struct autotune_search_axis {
    size_t count;                               /* how many values the axis has, at least 1 */
    bool categorical AUTOTUNE__DEFAULT(false);  /* the order of the values has no meaning */
    /* The integer values of the axis, `count` of them in ascending order; NULL: the search does not know them. The
       array is not kept. With the values the model also compares the powers of two that divide them, because multiples
       of such powers suit a cache or a vector. The values have no effect on a categorical axis, or with a count up to
       four. */
    const int64_t *values AUTOTUNE__DEFAULT(nullptr);
} autotune_search_axis;
/* The description of a search. */
typedef struct autotune_search_desc {
    const autotune_search_axis *axes AUTOTUNE__DEFAULT(nullptr);    /* copied */
    size_t axis_count AUTOTUNE__DEFAULT(0);     /* 1 to AUTOTUNE_MAX_AXES */
    /* Returns true if a configuration can begin with values[0] to values[bound - 1], which are numbers of values. The
       search calls where() with bound = 1, 2, ... up to axis_count, as long as it returns true. So where() can test a
       constraint as soon as all values of the constraint are bound. NULL: every point is admitted. */
    bool (*where)(void *user, const size_t *values, size_t bound) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);      /* the first argument of where() */
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);    /* AUTO means SURROGATE here */
    uint64_t seed AUTOTUNE__DEFAULT(0);         /* same seed and same times: same points */
} autotune_search_desc;

/* Makes a search, which the caller destroys. NULL: the description is wrong, where() admits no point, or there is no
   memory; autotune_last_error() says which. This function lists the admitted points of a space of up to 2^20 points. It
   lists those of a larger space if fewer than 2^17 calls of where() are enough. Else the search has no list: it draws
   points, and calls where() for each. */
AUTOTUNE__API autotune_search *autotune_search_create(const autotune_search_desc *desc);
AUTOTUNE__API void autotune_search_destroy(autotune_search *search);            /* NULL: nothing happens */
/* Adds a point that the search proposes before the points of the strategy, such as a default, or the winner of a
   similar problem. Added points are proposed in the order in which they were added. A point that where() refuses is
   skipped. AUTOTUNE_ERR_ARGUMENT: the search is NULL, or the space has no such point. AUTOTUNE_ERR_MEMORY: the point
   was not added. */
AUTOTUNE__API autotune_status autotune_search_prefer(autotune_search *search, size_t point);
/* Returns the next point to try in *point. The search returns each point only once. A program may ask for several
   points before it tells a time.
   - AUTOTUNE_ERR_SPACE: no point is left. Or the points are not listed, and 2^22 draws in a row found no new point that
     where() admits.
   - AUTOTUNE_ERR_ARGUMENT: search or point is NULL.
   - AUTOTUNE_ERR_MEMORY: there is no memory. */
AUTOTUNE__API autotune_status autotune_search_ask(autotune_search *search, size_t *point);
/* Tells the search the time of a trial of a point, in any unit; INFINITY or NaN: the configuration failed. The point
   need not come from autotune_search_ask(). Two times of the same point count as two trials. AUTOTUNE_ERR_ARGUMENT: the
   search is NULL, the space has no such point, where() refuses it, or the time is below 0. AUTOTUNE_ERR_MEMORY: the
   search does not know the time. */
AUTOTUNE__API autotune_status autotune_search_tell(autotune_search *search, size_t point, double time);
/* Returns true if another trial is worth its time. With SURROGATE it returns false after at least 50 trials, as soon as
   two conditions hold:
   - the last three fifths of the trials brought no gain of more than 0.2 %;
   - as many further trials as were made would probably gain less than 2 %.
   With any other strategy it always returns true, since such a strategy predicts nothing. */
AUTOTUNE__API bool autotune_search_pays(const autotune_search *search);

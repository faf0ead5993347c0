/* Searching a large space from a loop of one's own

       autotune_search *search = autotune_search_create(&desc);
       while (autotune_search_pays(search) && autotune_search_ask(search, &point) == AUTOTUNE_OK)
           autotune_search_tell(search, point, measure(point));
       autotune_search_destroy(search);

   A point is the index of a configuration in the unfiltered product, last axis fastest; values are numbered from 0 on
   each axis. A search belongs to one thread at a time, and remembers what it was told: the best is the caller's to
   keep.

   What SURROGATE does: 8 trials that lie far apart, then a Gaussian process over log(time) forecasts a pool of
   proposals (neighbours of the best ten, crossings of the best twenty, points from anywhere), and the one with the
   greatest expected gain is tried. */
#pragma once
#include "language.h"
#include "types.h"
#include "options.h"

typedef struct autotune_search autotune_search;
typedef struct autotune_search_axis {
    size_t count;                               /* of its values, at least 1 */
    bool categorical;                           /* their order says nothing; false: they ascend or descend */
} autotune_search_axis;
typedef struct autotune_search_desc {
    const autotune_search_axis *axes AUTOTUNE__DEFAULT(nullptr);    /* copied */
    size_t axis_count AUTOTUNE__DEFAULT(0);     /* 1 to AUTOTUNE_MAX_AXES */
    /* Is there a configuration that begins with values[0] to values[bound - 1]? Asked with bound = 1, 2, ... up to
       axis_count, as long as the answer is true; so a constraint is tested as soon as all that it names is bound. NULL:
       every point is admitted. */
    bool (*where)(void *user, const size_t *values, size_t bound) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);    /* AUTO is SURROGATE here */
    uint64_t seed AUTOTUNE__DEFAULT(0);         /* same seed and same times, same points */
} autotune_search_desc;

/* NULL, and the last error: the description is wrong, no point is admitted, or there is no memory. A space of up to
   2^20 points is filtered now, and a larger one if 2^17 questions are enough; else no more is kept than what was
   tried. */
AUTOTUNE__API autotune_search *autotune_search_create(const autotune_search_desc *desc);
AUTOTUNE__API void autotune_search_destroy(autotune_search *search);            /* NULL: nothing happens */
/* A point to be asked for before the strategy's own, in the order of these calls: a default, the winner of a similar
   problem. One that is not admitted is passed over. AUTOTUNE_ERR_ARGUMENT: no such point. */
AUTOTUNE__API autotune_status autotune_search_prefer(autotune_search *search, size_t point);
/* The next point to try, never the same twice. Several may be asked for before the first is told. AUTOTUNE_ERR_SPACE:
   nothing is left; in a space that was not filtered: 2^22 draws in a row found nothing. AUTOTUNE_ERR_MEMORY. */
AUTOTUNE__API autotune_status autotune_search_ask(autotune_search *search, size_t *point);
/* What a trial took, in any unit; INFINITY or NaN: it failed. Points that were never asked for may be told too. Tell
   each once: what is told again counts as another trial. AUTOTUNE_ERR_ARGUMENT: no such point, one that is not
   admitted, or a time below 0. */
AUTOTUNE__API autotune_status autotune_search_tell(autotune_search *search, size_t point, double time);
/* Does going on promise anything? SURROGATE says no after at least 50 trials, when the last three fifths of them
   brought no gain (of more than 0.2 %) and as many again are expected to bring less than 2 %. The other strategies do
   not forecast: always true. */
AUTOTUNE__API bool autotune_search_pays(const autotune_search *search);

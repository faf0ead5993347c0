/* The data of a search, and the drawing of points. A search chooses which point of a large space to try next.

   A search asks for one thing at a time, like a race: JUDGE a point (does WHERE admit it?), or TRY it. It keeps only
   the tried points and a pool of proposals. RANDOM draws without replacement.

   SURROGATE forecasts log(time) by a Gaussian process. These words are used:
   - similarity: the covariance of two points.
   - likeness: the similarity on one axis. It falls with the distance of the two values.
   - fading: how fast the likeness falls, the inverse of a length scale. Trials teach the fading of each axis.
   In some spaces the axes act independently, in others they interact. So a part of the similarity is the mean of all
   likenesses, and the rest is their product. The model treats the evenness of an axis (search/lattice.h) as another
   axis. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "lattice.h"

/* Numbers that were tuned on seven recorded spaces, not derived: bench/search --leave-one-out varies them. */
typedef struct autotune__search_constants {
    size_t first;                               /* how many trials, far apart, come before the first forecast */
    double additive;                            /* the share of the mean in the similarity; the product has the rest */
    double fading;                              /* the fading of every axis, before trials teach it */
    double cap;                                 /* the longest log(time) that counts is median + cap * (median - best):
                                                   longer times count as this time */
} autotune__search_constants;
static const autotune__search_constants autotune__usual_constants = { 8, 0.3, 0.3, 1.0 };

enum {
    AUTOTUNE__POPULATION = 10,                  /* so many best trials are kept: their neighbours are proposed */
    AUTOTUNE__REVIEWED = 64,                    /* the model learns fadings from so many points at most */
    AUTOTUNE__KNOWN_POINTS = 160,               /* the most points of the model; if there are more trials, only the best
                                                   and some others stay */
    AUTOTUNE__POOL = 128,                       /* the most proposals that are kept */
    AUTOTUNE__LISTED_POINTS = 1 << 20,          /* autotune_search lists a space up to this size */
    AUTOTUNE__FRUITLESS = 1 << 22               /* so many draws in a row without a new point: the space is exhausted */
};

#define AUTOTUNE__USUAL_NOISE (-4.6)            /* the logarithm of the noise's share of the variance */

typedef struct autotune__tried_point {
    size_t index;
    double log_ns;                              /* AUTOTUNE__NEVER: the configuration failed */
    unsigned char bin[AUTOTUNE__FEATURES];      /* its bin of each feature: see lattice.h */
} autotune__tried_point;

/* A point that may be tried next, and its forecast. L * whitened = its similarities to the model's points. */
typedef struct autotune__proposal {
    size_t index;
    unsigned char bin[AUTOTUNE__FEATURES];      /* its bin of each feature */
    float mean, variance;                       /* the forecast: the mean, in the unit of `target`; the variance divided
                                                   by `scale` */
    float whitened[AUTOTUNE__KNOWN_POINTS];
} autotune__proposal;

/* The model of SURROGATE. It forecasts from some of the trials, which are called its points. L is the Cholesky factor
   of the matrix of their similarities, but its diagonal is stored as inverse values. */
typedef struct autotune__surrogate {
    double fading[AUTOTUNE__FEATURES + 1];      /* logarithms: of each feature's fading; last, the share of noise */
    float likeness[AUTOTUNE__FEATURES][2 * AUTOTUNE__BINS];             /* at [AUTOTUNE__BINS + difference of bins] */
    size_t point[AUTOTUNE__KNOWN_POINTS];       /* the number of each point's trial */
    unsigned char bin[AUTOTUNE__FEATURES][AUTOTUNE__KNOWN_POINTS];      /* of each point in each feature */
    size_t count, factored, absorbed;           /* how many points the model has; how many rows of L are computed; how
                                                   many trials the model has seen */
    size_t next_review;                         /* at so many trials the model learns the fadings again */
    float target[AUTOTUNE__KNOWN_POINTS];       /* logarithms of times, capped, with mean 0 and deviation 1 */
    float L[AUTOTUNE__KNOWN_POINTS][AUTOTUNE__KNOWN_POINTS];
    float solved[AUTOTUNE__KNOWN_POINTS];       /* L solved = target */
    float best, scale;                          /* the least target; the variance for a similarity of 1 */
    double deviation;                           /* the standard deviation of log times, for a target of 1 */
    autotune__proposal pool[AUTOTUNE__POOL];
    size_t proposals;                           /* how many proposals the pool has */
} autotune__surrogate;

/* The purpose of the point drawn last.
   TO_TRY: the point is tried if it is admitted.
   TO_POOL: the point becomes a proposal if it is admitted.
   CHOSEN: the point was a proposal, and is tried. */
typedef enum autotune__purpose { AUTOTUNE__TO_TRY, AUTOTUNE__TO_POOL, AUTOTUNE__CHOSEN } autotune__purpose;
typedef enum autotune__draws {                  /* where points are drawn */
    AUTOTUNE__BY_STRATEGY,                      /* by the model, in order, or anywhere: see autotune__draw_point() */
    AUTOTUNE__UNIFORMLY,                        /* anywhere, until a point is admitted */
    AUTOTUNE__NEAR_BEST                         /* beside the best trials: uniform draws found no point */
} autotune__draws;
typedef enum autotune__move {                   /* the next move */
    AUTOTUNE__DRAW,                             /* draw another point */
    AUTOTUNE__JUDGE,                            /* judge the drawn point: does WHERE admit it? */
    AUTOTUNE__TRY,                              /* try the point */
    AUTOTUNE__EXHAUSTED,                        /* no point is left */
    AUTOTUNE__NO_ROOM                           /* no memory */
} autotune__move;

struct autotune_search {
    autotune__lattice lattice;                  /* the points, and their coordinates */
    const size_t *list;                         /* the admitted points, ascending; NULL: points are judged one by one */
    size_t list_count;
    autotune_strategy strategy;
    autotune__search_constants constants;
    uint64_t random;
    autotune__tried_point *trials;
    size_t best[AUTOTUNE__POPULATION], best_count;      /* the best trials that worked, the fastest first */
    size_t last_gain;                           /* how many trials there were at the last gain of more than 0.2 % */
    size_t *visited, visited_count, visited_room;       /* points that were given out to be tried, or whose
                                                               time is known: a hash set of index + 1 */
    size_t *preferred, preferred_next;          /* points to try first; the position of the next one */
    size_t drawn;                               /* the point drawn last */
    autotune__purpose purpose;
    autotune__draws draws;
    size_t wanted;                              /* how many proposals are still drawn before one is chosen */
    size_t ordered;                             /* EXHAUSTIVE: the next point, or its position in the list */
    size_t fruitless;                           /* how many draws in a row found no new admitted point */
    double gain;                                /* the gain that the next trial may bring: 0.02 is 2 %; 1: unknown */
    autotune__surrogate *model;
    bool (*where)(void *user, const size_t *values, size_t bound);      /* from autotune_search_create() */
    void *user;
    size_t *own_list;                           /* the array of `list`; NULL: the race owns this array */
};

static uint64_t autotune__draw(autotune_search *search, uint64_t below) {
    return autotune__random_below(&search->random, below);
}

/* Returns the position of a point in the list; SIZE_MAX: it is not in the list. */
static size_t autotune__listed(const autotune_search *search, size_t index) {
    return autotune__position_of(index, search->list, search->list_count);
}

/* The hash set of visited points has open addressing, and is never more than half full. */
static size_t autotune__slot_of(const autotune_search *search, size_t index) {
    size_t slot = (size_t)autotune__hash_word(0, index) & (search->visited_room - 1);
    while (search->visited[slot] && search->visited[slot] != index + 1) slot = (slot + 1) & (search->visited_room - 1);
    return slot;
}
static bool autotune__is_visited(const autotune_search *search, size_t index) {
    return search->visited_room && search->visited[autotune__slot_of(search, index)];
}
static bool autotune__visit_point(autotune_search *search, size_t index) {      /* false: no memory */
    if (2 * (search->visited_count + 1) > search->visited_room) {
        size_t *old = search->visited, old_room = search->visited_room, room = old_room ? 2 * old_room : 256, i;
        size_t *visited = (size_t *)autotune__allocate(room * sizeof *visited);
        if (!visited) return false;
        search->visited = visited;
        search->visited_room = room;
        for (i = 0; i < old_room; i++) if (old[i]) visited[autotune__slot_of(search, old[i] - 1)] = old[i];
        autotune__free(old);
    }
    search->visited_count += !autotune__is_visited(search, index);
    search->visited[autotune__slot_of(search, index)] = index + 1;
    return true;
}

/* Draws a point uniformly. The caller draws again if the point is visited or not admitted. If a listed point is
   visited, the next unvisited point of the list is taken. This favours neighbours of tried points, so RANDOM first
   draws up to 1000 times. */
static size_t autotune__draw_uniform(autotune_search *search) {
    size_t position, i, draws = search->strategy == AUTOTUNE_RANDOM ? 1000 : 1;
    if (!search->list) return (size_t)autotune__draw(search, search->lattice.points);
    do position = (size_t)autotune__draw(search, search->list_count);
    while (autotune__is_visited(search, search->list[position]) && --draws);
    for (i = 0; i < search->list_count && autotune__is_visited(search, search->list[position]); i++)
        if (++position == search->list_count) position = 0;
    return search->list[position];
}
/* Draws another value of coordinate i. If the coordinate has more than 8 values, and is not categorical, half of the
   draws move the value up or down by a power of two. */
static void autotune__vary(autotune_search *search, size_t *values, size_t i) {
    const autotune__coordinate *coordinate = &search->lattice.coordinate[i];
    const size_t count = coordinate->count, last = count - 1;
    if (coordinate->span > 1 && count > 8 && autotune__draw(search, 2)) {
        size_t levels = 0, step;
        while (last >> (levels + 1)) levels++;
        step = (size_t)1 << autotune__draw(search, levels + 1);
        if (autotune__draw(search, 2)) values[i] = last - values[i] < step ? last : values[i] + step;
        else values[i] = values[i] < step ? 0 : values[i] - step;
    } else values[i] = (size_t)autotune__draw(search, count);
}
/* Draws one of the best trials, the better ones more often, and changes one, two or three values. AUTOTUNE__NOWHERE:
   the result is no point. */
static size_t autotune__draw_neighbour(autotune_search *search) {
    size_t values[AUTOTUNE_MAX_AXES],
        changes = 1 + (size_t)autotune__draw(search, 2) + (autotune__draw(search, 8) == 0);
    const size_t below = 1 + (size_t)autotune__draw(search, search->best_count),
                 trial = search->best[autotune__draw(search, below)];
    autotune__values_of(&search->lattice, search->trials[trial].index, values);
    for (; changes && search->lattice.coordinates; changes--)
        autotune__vary(search, values, (size_t)autotune__draw(search, search->lattice.coordinates));
    return autotune__point_with(&search->lattice, values);
}

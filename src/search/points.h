/* A search, which chooses the point of a large space to try next: its data, and drawing a point.

   A search asks for one thing at a time, like a race: JUDGE a point (does WHERE admit it?), or TRY it. It keeps only
   the points that were tried, and a pool of proposals. RANDOM draws without replacement.

   SURROGATE forecasts log(time) by a Gaussian process. The covariance of two points is called their similarity. On one
   axis the similarity (likeness) decreases with the distance of the two values. The trials teach how fast: the fading,
   the inverse of a length scale, is one number for each axis. The axes of some spaces act independently, and those of
   others interact. So one part of the similarity is the mean of the axes' likeness, and the other part the product. The
   evenness of an axis, as search/lattice.h calls it, is to the model what another axis is. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "lattice.h"

/* Numbers that were tuned on seven recorded spaces, and not derived: bench/search --leave-one-out varies them. */
typedef struct autotune__search_habits {
    size_t first;                               /* trials of points that lie far apart, before the first forecast */
    double additive;                            /* the share of the mean in the similarity; the rest is the product */
    double fading;                              /* of every axis, before anything is learnt */
    double cap;                                 /* longer times count as median + cap * (median - best) */
} autotune__search_habits;
static const autotune__search_habits autotune__usual_habits = { 8, 0.3, 0.3, 1.0 };

enum {
    AUTOTUNE__POPULATION = 10,                  /* the best trials, whose neighbours are proposed */
    AUTOTUNE__REVIEWED = 64,                    /* points from which the model learns the fading of the axes */
    AUTOTUNE__KNOWN_POINTS = 160,               /* room of the model; when it is full, the best and some others stay */
    AUTOTUNE__POOL = 128,                       /* proposals that are kept from one trial to the next */
    AUTOTUNE__LISTED_POINTS = 1 << 20,          /* autotune_search lists a space up to this size */
    AUTOTUNE__FRUITLESS = 1 << 22               /* draws in a row without a new point, after which none is left */
};

#define AUTOTUNE__USUAL_NOISE (-4.6)            /* the logarithm of its share of the variance: a hundredth */

typedef struct autotune__tried_point {
    size_t index;
    double log_ns;                              /* AUTOTUNE__NEVER: the configuration failed */
    unsigned char bin[AUTOTUNE__FEATURES];
} autotune__tried_point;

/* A point that may be tried next, and its forecast. L * whitened = its similarities to the points of the model. */
typedef struct autotune__proposal {
    size_t index;
    unsigned char bin[AUTOTUNE__FEATURES];
    float mean, variance;
    float whitened[AUTOTUNE__KNOWN_POINTS];
} autotune__proposal;

/* The model of SURROGATE. Its points are the trials from which it forecasts. L is the Cholesky factor of the matrix of
   their similarities; on its diagonal are the inverse values. */
typedef struct autotune__surrogate {
    double fading[AUTOTUNE__FEATURES + 1];      /* logarithms: of each feature; the last is the share of noise */
    float likeness[AUTOTUNE__FEATURES][2 * AUTOTUNE__BINS];             /* at [AUTOTUNE__BINS + difference of bins] */
    size_t point[AUTOTUNE__KNOWN_POINTS];       /* numbers of trials */
    unsigned char bin[AUTOTUNE__FEATURES][AUTOTUNE__KNOWN_POINTS];      /* of each point in each feature */
    size_t count, factored, absorbed;           /* numbers of points; of rows of L; of trials that were considered */
    size_t next_review;                         /* at this number of trials the fading of the axes is learnt anew */
    float target[AUTOTUNE__KNOWN_POINTS];       /* logarithms of times, capped, with mean 0 and deviation 1 */
    float L[AUTOTUNE__KNOWN_POINTS][AUTOTUNE__KNOWN_POINTS];
    float solved[AUTOTUNE__KNOWN_POINTS];       /* L solved = target */
    float best, scale;                          /* the least target; the variance that a similarity of 1 means */
    double deviation;                           /* the standard deviation of log times that a target of 1 means */
    autotune__proposal pool[AUTOTUNE__POOL];
    size_t proposals;
} autotune__surrogate;

typedef enum autotune__purpose { AUTOTUNE__TO_TRY, AUTOTUNE__TO_POOL, AUTOTUNE__CHOSEN } autotune__purpose;
typedef enum autotune__draws {                  /* where are points drawn? */
    AUTOTUNE__BY_STRATEGY,
    AUTOTUNE__UNIFORMLY,                        /* anywhere, until one is admitted */
    AUTOTUNE__NEAR_BEST                         /* beside the best trials: uniform draws found none, so few are left */
} autotune__draws;
typedef enum autotune__move {                   /* what comes next */
    AUTOTUNE__DRAW,                             /* another point is drawn */
    AUTOTUNE__JUDGE,                            /* is the point that was drawn admitted? */
    AUTOTUNE__TRY,                              /* the point is tried */
    AUTOTUNE__EXHAUSTED,                        /* no point is left */
    AUTOTUNE__NO_ROOM                           /* no memory */
} autotune__move;

struct autotune_search {
    autotune__lattice lattice;                        /* the points, and their coordinates */
    const size_t *list;                         /* the admitted points, ascending; NULL: points are judged one by one */
    size_t list_count;
    autotune_strategy strategy;
    autotune__search_habits habits;
    uint64_t random;
    autotune__tried_point *trials;
    size_t best[AUTOTUNE__POPULATION], best_count;      /* the best trials that worked, the fastest first */
    size_t improved;                            /* the number of trials at the last gain of more than 0.2 % */
    size_t *visited, visited_count, visited_room;       /* points that were asked for: a hash set of index + 1 */
    size_t *preferred, preferred_next;          /* points to be tried first */
    size_t drawn;                               /* the point that was drawn last */
    autotune__purpose purpose;
    autotune__draws draws;
    size_t wanted;                              /* so many more proposals, before one of the pool is chosen */
    size_t ordered;                             /* EXHAUSTIVE: the next point, or its number in the list */
    size_t fruitless;                           /* draws in a row that found no new admitted point */
    double gain;                                /* that is expected of the next trial, 0.02 for 2 %; 1: unknown */
    autotune__surrogate *model;
    bool (*where)(void *user, const size_t *values, size_t bound);      /* from autotune_search_create() */
    void *user;
    size_t *own_list;
};

static uint64_t autotune__draw(autotune_search *search, uint64_t below) {
    return autotune__random_below(&search->random, below);
}

/* The position of a point in the list; SIZE_MAX: it is not there. */
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

/* Draws a point uniformly; the caller draws again if it is visited or not admitted. If a listed point is visited, the
   next one in the list that is not is taken instead. This choice favours neighbours of tried points, so RANDOM first
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
/* Draws another value of one coordinate. If more than 8 values have an order, half of the draws move by a power of
   two. */
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
/* One of the best trials, of which better ones are drawn more often, with one, two or three values changed.
   AUTOTUNE__NOWHERE: that is no point. */
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

/* The search: which configuration of a large space to try next. It asks for one thing at a time, as the race does:
   JUDGE a point (does WHERE admit it?), TRY one; and it keeps no more than what was tried and a pool of proposals.

   RANDOM draws without replacement. GENETIC breeds from the best 20. SURROGATE forecasts log(time) by a Gaussian
   process whose similarity of two configurations is made of one number for each axis: how fast likeness fades along it,
   learnt from the trials. Spaces whose axes act apart and those whose axes interact are both the rule, so a share of
   the similarity is the axes' mean and the rest their product.

   This file: what a search knows, the points of its space, and drawing one of them. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../api/search.h"
#include "../base/memory.h"
#include "../base/numbers.h"

/* The numbers that were chosen rather than derived, on seven recorded spaces: bench/search --leave-one-out varies
   them. */
typedef struct autotune__search_habits {
    size_t first;                               /* trials before the first forecast, far apart */
    size_t patience;                            /* trials without gain after which two of three look where little is
                                                   known */
    double curiosity;                           /* how many standard deviations that look is worth */
    double additive;                            /* share of the axes' mean in the similarity */
    double fading;                              /* how fast likeness fades along a whole axis, before anything is known:
                                                   exp(-fading) */
    double cap;                                 /* times are told apart up to the median and this share of its distance
                                                   from the best */
} autotune__search_habits;
static const autotune__search_habits autotune__usual_habits = { 8, 10, 2.0, 0.3, 0.3, 1.0 };

enum {
    AUTOTUNE__POPULATION = 20,                  /* the best that others are made from */
    AUTOTUNE__PLACES = 64,                      /* that the model tells apart on an axis */
    AUTOTUNE__REVIEWED = 64,                    /* points from which it learns about the axes */
    AUTOTUNE__KNOWN_POINTS = 160,               /* of the model: with more it begins anew, with the best and some
                                                   others */
    AUTOTUNE__POOL = 128,                       /* proposals that are kept from one trial to the next */
    AUTOTUNE__LISTED_POINTS = 1 << 20,          /* autotune_search lists the admitted points of a space up to this
                                                   size */
    AUTOTUNE__FRUITLESS = 1 << 22               /* draws in a row that lead to nothing new: there is nothing new */
};

#define AUTOTUNE__USUAL_NOISE (-4.6)             /* its share of the variance, as a logarithm: a hundredth */

typedef struct autotune__ordered { double log_ns; size_t trial; } autotune__ordered;
typedef struct autotune__tried_point {
    size_t index;
    double log_ns;                              /* AUTOTUNE__NEVER: it failed */
    unsigned char place[AUTOTUNE_MAX_AXES];
} autotune__tried_point;

/* A candidate with its forecast: `whitened` solves L whitened = similarities to the known points. */
typedef struct autotune__proposal {
    size_t index;
    unsigned char place[AUTOTUNE_MAX_AXES];
    float mean, variance;
    float whitened[AUTOTUNE__KNOWN_POINTS];
} autotune__proposal;

/* The model of SURROGATE. L is the Cholesky factor of the similarities of its points, its diagonal inverted. */
typedef struct autotune__surrogate {
    double fading[AUTOTUNE_MAX_AXES + 1];       /* logarithms: of each axis; last, of the share of noise */
    float likeness[AUTOTUNE_MAX_AXES][2 * AUTOTUNE__PLACES];    /* of two places, by their distance: 0 is in the
                                                                   middle */
    size_t point[AUTOTUNE__KNOWN_POINTS];       /* trials */
    unsigned char place[AUTOTUNE_MAX_AXES][AUTOTUNE__KNOWN_POINTS];     /* of each point on each axis */
    size_t count, factored, absorbed;           /* points; rows of L; trials that were looked at */
    size_t next_review;                          /* at this number of trials what was learnt about the axes is
                                                    reviewed */
    float target[AUTOTUNE__KNOWN_POINTS];       /* log times, capped, with mean 0 and deviation 1 */
    float L[AUTOTUNE__KNOWN_POINTS][AUTOTUNE__KNOWN_POINTS];
    float solved[AUTOTUNE__KNOWN_POINTS];       /* L solved = target */
    float noise;                                /* on the diagonal */
    float best, scale;                          /* the least target; the variance that similarity 1 stands for */
    double deviation;                           /* of the log times: what a target of 1 stands for */
    autotune__proposal pool[AUTOTUNE__POOL];
    size_t proposals;
} autotune__surrogate;

typedef enum autotune__purpose { AUTOTUNE__TO_TRY, AUTOTUNE__TO_POOL, AUTOTUNE__CHOSEN } autotune__purpose;
typedef enum autotune__move { AUTOTUNE__JUDGE, AUTOTUNE__TRY, AUTOTUNE__EXHAUSTED, AUTOTUNE__NO_ROOM } autotune__move;

/* What the model knows of a point: places on axes that vary. */
typedef struct autotune__feature {
    size_t axis;                                /* of the search */
    size_t count;                               /* different values, at least 2 */
    bool categorical;
    unsigned char *place;                       /* of each value's number; NULL: by that number */
} autotune__feature;

struct autotune_search {
    size_t axis_count, count[AUTOTUNE_MAX_AXES];
    bool jumbled[AUTOTUNE_MAX_AXES];            /* neighbouring numbers are no neighbouring values */
    autotune__feature features[AUTOTUNE_MAX_AXES];
    size_t feature_count;
    size_t points;                              /* of the product */
    const size_t *list;                         /* the admitted points, ascending; NULL: they are judged one by one */
    size_t list_count;
    autotune_strategy strategy;
    autotune__search_habits habits;
    uint64_t random;
    autotune__tried_point *trials;
    size_t best[AUTOTUNE__POPULATION], best_count;      /* trials that worked, the fastest first */
    size_t improved;                            /* trials at the last gain of more than 0.2 % */
    size_t *visited, visited_count, visited_room;       /* points that were asked for: a hash set of index + 1 */
    size_t *preferred, preferred_next;          /* points to be tried first */
    size_t candidate;                           /* that is drawn or judged now */
    autotune__purpose purpose;
    bool judging;
    size_t sweep_axis, sweep_value;             /* the next neighbour of the best one to look at */
    size_t wanted;                              /* more proposals, before the next is chosen */
    bool turn;                                  /* the pool is being filled for the next choice */
    bool uniform, thin;                         /* draws from anywhere go on until one is admitted; that leads nowhere
                                                   any more */
    size_t ordered;                             /* of EXHAUSTIVE: the next */
    size_t fruitless;                           /* draws in a row */
    bool no_memory;
    autotune__ordered *order;                   /* scratch: trials */
    double gain;                                /* expected of the next trial, as a fraction of the best time; 1:
                                                   unknown */
    autotune__surrogate *model;
    bool (*where)(void *user, const size_t *values, size_t bound);      /* of autotune_search_create */
    void *user;
    size_t *own_list;
};

static size_t autotune__trial_count(const autotune_search *search) {
    return autotune__count(search->trials);
}
static uint64_t autotune__draw(autotune_search *search, uint64_t below) {
    return autotune__random_below(&search->random, below);
}

/* Points: the index of the unfiltered product, last axis fastest, and the value's number on each axis. */
static void autotune__values_of(const autotune_search *search, size_t index, size_t *values) {
    size_t a;
    for (a = search->axis_count; a-- > 0;) { values[a] = index % search->count[a]; index /= search->count[a]; }
}
static size_t autotune__index_of(const autotune_search *search, const size_t *values) {
    size_t a, index = 0;
    for (a = 0; a < search->axis_count; a++) index = index * search->count[a] + values[a];
    return index;
}
/* on a long axis several values share one */
static unsigned char autotune__place_of(size_t value, size_t count, bool categorical) {
    const size_t places = AUTOTUNE__PLACES;
    if (count <= places) return (unsigned char)value;
    return (unsigned char)(categorical ? value % places
                                       : (size_t)((double)value * (double)(places - 1) / (double)(count - 1)));
}
static void autotune__places_of(const autotune_search *search, size_t index, unsigned char *places) {
    size_t i, values[AUTOTUNE_MAX_AXES];
    autotune__values_of(search, index, values);
    for (i = 0; i < search->feature_count; i++) {
        const autotune__feature *feature = &search->features[i];
        const size_t value = values[feature->axis];
        places[i] = feature->place ? feature->place[value]
                                   : autotune__place_of(value, feature->count, feature->categorical);
    }
}
static size_t autotune__listed(const autotune_search *search, size_t index) {       /* SIZE_MAX: it is not there */
    return autotune__position_of(index, search->list, search->list_count);
}

/* What was asked for: open addressing, never more than half full. */
static size_t autotune__slot_of(const autotune_search *search, size_t index) {
    size_t slot = (size_t)autotune__hash_word(0, index) & (search->visited_room - 1);
    while (search->visited[slot] && search->visited[slot] != index + 1) slot = (slot + 1) & (search->visited_room - 1);
    return slot;
}
static bool autotune__is_visited(const autotune_search *search, size_t index) {
    return search->visited_room && search->visited[autotune__slot_of(search, index)];
}
static bool autotune__visit_point(autotune_search *search, size_t index) {          /* false: no memory */
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

/* Drawing candidates. A draw may be visited already, or not admitted: whoever draws tries again. From a list the next
   that is left is taken: a neighbour of one that was tried, which suits all but RANDOM; that draws anew until hardly
   any is left. */
static size_t autotune__draw_uniform(autotune_search *search) {
    size_t position, i, draws = search->strategy == AUTOTUNE_RANDOM ? 1000 : 1;
    if (!search->list) return (size_t)autotune__draw(search, search->points);
    do position = (size_t)autotune__draw(search, search->list_count);
    while (autotune__is_visited(search, search->list[position]) && --draws);
    for (i = 0; i < search->list_count && autotune__is_visited(search, search->list[position]); i++)
        if (++position == search->list_count) position = 0;
    return search->list[position];
}
/* Another value of one axis: any, or on a long ordered axis in half of the draws one that is a power of two away. */
static void autotune__vary(autotune_search *search, size_t *values, size_t axis) {
    const size_t count = search->count[axis], last = count - 1;
    if (!search->jumbled[axis] && count > 8 && autotune__draw(search, 2)) {
        size_t levels = 0, step;
        while (last >> (levels + 1)) levels++;
        step = (size_t)1 << autotune__draw(search, levels + 1);
        if (autotune__draw(search, 2)) values[axis] = last - values[axis] < step ? last : values[axis] + step;
        else values[axis] = values[axis] < step ? 0 : values[axis] - step;
    } else values[axis] = (size_t)autotune__draw(search, count);
}
/* One of the best that many trials, the better the likelier. */
static size_t autotune__draw_best(autotune_search *search, size_t most) {
    const size_t below = 1 + (size_t)autotune__draw(search, most < search->best_count ? most : search->best_count);
    return search->trials[search->best[autotune__draw(search, below)]].index;
}
static size_t autotune__draw_neighbour(autotune_search *search) {      /* of one of the best: one value changed, two, or
                                                                          three */
    size_t values[AUTOTUNE_MAX_AXES],
        changes = 1 + (size_t)autotune__draw(search, 2) + (autotune__draw(search, 8) == 0);
    autotune__values_of(search, autotune__draw_best(search, AUTOTUNE__POPULATION / 2), values);
    while (changes--) autotune__vary(search, values, (size_t)autotune__draw(search, search->axis_count));
    return autotune__index_of(search, values);
}
/* of two of the best: each value from either */
static size_t autotune__draw_child(autotune_search *search, bool mutate) {
    size_t mother[AUTOTUNE_MAX_AXES], father[AUTOTUNE_MAX_AXES], a;
    autotune__values_of(search, autotune__draw_best(search, AUTOTUNE__POPULATION), mother);
    autotune__values_of(search, autotune__draw_best(search, AUTOTUNE__POPULATION), father);
    for (a = 0; a < search->axis_count; a++) {
        if (autotune__draw(search, 2)) mother[a] = father[a];
        if (mutate && autotune__draw(search, search->axis_count) == 0) autotune__vary(search, mother, a);
    }
    return autotune__index_of(search, mother);
}

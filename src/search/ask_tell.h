/* The functions of api/search.h: autotune_search_create(), _destroy(), _prefer(), _ask(), _tell(), _pays(). */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "lattice.h"
#include "points.h"
#include "strategies.h"
#include "create.h"

static bool autotune__holds(const autotune_search *search, size_t index) {
    size_t values[AUTOTUNE_MAX_AXES], bound;
    if (!search->where) return true;
    autotune__digits_of(&search->lattice, index, values);
    for (bound = 1; bound <= search->lattice.dimensions; bound++)
        if (!search->where(search->user, values, bound)) return false;
    return true;
}
/* Lists the admitted points. Skips at once all points that begin with refused values. So a large space can be listed if
   its first axes leave few points. Any other large space is not listed, and may be empty. Returns false if there is no
   memory. */
static bool autotune__list_points(autotune_search *search, bool *empty) {
    size_t values[AUTOTUNE_MAX_AXES] = { 0 }, bound = 1, questions = 0;
    const bool large = search->lattice.points > AUTOTUNE__LISTED_POINTS;
    if (large && !search->where) return true;
    while (bound) {
        const bool holds = !search->where || search->where(search->user, values, bound);
        if (large && ++questions == AUTOTUNE__LISTED_POINTS / 8) {
            AUTOTUNE__FREE_ARRAY(search->own_list);
            return true;
        }
        if (holds && bound < search->lattice.dimensions) { values[bound++] = 0; continue; }
        if (holds && !AUTOTUNE__PUSH(search->own_list, autotune__point_in_rows(&search->lattice, values))) return false;
        while (bound && ++values[bound - 1] == search->lattice.dimension[bound - 1].rows) bound--;
    }
    search->list = search->own_list;
    search->list_count = autotune__count(search->own_list);
    *empty = !search->list;
    return true;
}
static const char *autotune__search_problem(const autotune_search_desc *desc) {
    size_t a, points = 1;
    if (!desc) return "the description is NULL";
    if (!desc->axes || !desc->axis_count || desc->axis_count > AUTOTUNE_MAX_AXES) return "a space has 1 to 16 axes";
    if ((unsigned)desc->strategy > AUTOTUNE_SURROGATE)
        return "the strategy is one of AUTOTUNE_AUTO, _EXHAUSTIVE, _RANDOM, _SURROGATE";
    for (a = 0; a < desc->axis_count; a++) {
        if (!desc->axes[a].count) return "an axis has no value";
        if (points > SIZE_MAX / 2 / desc->axes[a].count)
            return "the space has more points than can be numbered: give fewer values";
        points *= desc->axes[a].count;
    }
    return NULL;
}
/* Reports an error in a call. Returns false if the call has no error. */
static bool autotune__refuses(const char *function, const char *problem) {
    if (!problem) return false;
    autotune__ready();
    autotune__complain("%s: %s", function, problem);
    return true;
}
/* Adds an axis, and how often 2 divides each of its values. Returns false if there is no memory. */
static bool autotune__add_search_axis(autotune__lattice *lattice, const autotune_search_axis *axis) {
    unsigned char *twos;
    size_t i;
    autotune__add_dimension(lattice, axis->count);
    autotune__add_coordinate(lattice, axis->count, axis->categorical, NULL);
    if (!axis->values || axis->categorical || axis->count < 2) return true;
    if (!(twos = (unsigned char *)autotune__allocate(axis->count))) return false;
    for (i = 0; i < axis->count; i++) twos[i] = autotune__twos_in(axis->values[i]);
    autotune__add_evenness(lattice, lattice->coordinates - 1, twos);
    return true;
}
AUTOTUNE__API autotune_search *autotune_search_create(const autotune_search_desc *desc) {
    autotune_search *search;
    bool complete, empty = false;
    size_t a;
    autotune__ready();
    if (autotune__refuses("autotune_search_create", autotune__search_problem(desc))) return NULL;
    search = (autotune_search *)autotune__allocate(sizeof *search);
    complete = search != NULL;
    if (search) {
        search->where = desc->where;
        search->user = desc->user;
    }
    for (a = 0; a < desc->axis_count && complete; a++)
        complete = autotune__add_search_axis(&search->lattice, &desc->axes[a]);
    complete = complete && autotune__prepare_search(search, desc->strategy, desc->seed) &&
               autotune__list_points(search, &empty);
    if (complete && !empty) return search;
    if (!complete) autotune__complain("autotune_search_create: out of memory");
    else
        autotune__complain("autotune_search_create: where admits none of %lu points",
                           (unsigned long)search->lattice.points);
    autotune_search_destroy(search);
    return NULL;
}
AUTOTUNE__API void autotune_search_destroy(autotune_search *search) { autotune__free_search(search); }

static const char *autotune__point_problem(const autotune_search *search, size_t point) {
    if (!search) return "the search is NULL";
    return point < search->lattice.points ? NULL : "the space has no such point";
}
AUTOTUNE__API autotune_status autotune_search_prefer(autotune_search *search, size_t point) {
    if (autotune__refuses("autotune_search_prefer", autotune__point_problem(search, point)))
        return AUTOTUNE_ERR_ARGUMENT;
    return AUTOTUNE__PUSH(search->preferred, point) ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
AUTOTUNE__API autotune_status autotune_search_ask(autotune_search *search, size_t *point) {
    autotune__move move = AUTOTUNE__DRAW;
    if (autotune__refuses("autotune_search_ask", !search ? "the search is NULL" : !point ? "point is NULL" : NULL))
        return AUTOTUNE_ERR_ARGUMENT;
    while (move == AUTOTUNE__DRAW) {
        move = autotune__search_step(search, point);
        if (move == AUTOTUNE__JUDGE) move = autotune__accept(search, autotune__holds(search, *point));
    }
    return move == AUTOTUNE__TRY ? AUTOTUNE_OK : move == AUTOTUNE__EXHAUSTED ? AUTOTUNE_ERR_SPACE : AUTOTUNE_ERR_MEMORY;
}
AUTOTUNE__API autotune_status autotune_search_tell(autotune_search *search, size_t point, double time) {
    const char *problem = autotune__point_problem(search, point);
    if (!problem && autotune__is_finite(time) && time < 0) problem = "a time below 0: INFINITY means that it failed";
    if (!problem && !autotune__is_visited(search, point) && !autotune__holds(search, point))
        problem = "where does not admit this point";
    if (autotune__refuses("autotune_search_tell", problem)) return AUTOTUNE_ERR_ARGUMENT;
    return autotune__tell_search(search, point, time) ? AUTOTUNE_OK : AUTOTUNE_ERR_MEMORY;
}
AUTOTUNE__API bool autotune_search_pays(const autotune_search *search) {
    return !autotune__refuses("autotune_search_pays", search ? NULL : "the search is NULL") && autotune__pays(search);
}

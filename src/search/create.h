/* Sets up and frees a search, also the search of a tuner's space. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "lattice.h"
#include "points.h"
#include "model.h"

/* Replaces the tuned numbers of a search before its first trial. */
static void autotune__set_constants(autotune_search *search, const autotune__search_constants *constants) {
    size_t i;
    search->constants = *constants;
    for (i = 0; search->model && i < autotune__features(&search->lattice); i++) {
        search->model->fading[i] = autotune__first_fading(search, i);
        autotune__fade(search, i);
    }
}
/* Sets up a search whose axes are known. Returns false if there is no memory. */
static bool autotune__prepare_search(autotune_search *search, autotune_strategy strategy, uint64_t seed) {
    search->strategy = strategy;
    search->random = seed;
    search->gain = 1;
    if (strategy != AUTOTUNE_AUTO && strategy != AUTOTUNE_SURROGATE) return true;
    if (!(search->model = (autotune__surrogate *)autotune__allocate(sizeof *search->model))) return false;
    search->model->fading[AUTOTUNE__FEATURES] = AUTOTUNE__USUAL_NOISE;
    autotune__set_constants(search, &autotune__usual_constants);
    return true;
}
static void autotune__free_search(autotune_search *search) {
    if (!search) return;
    autotune__free_lattice(&search->lattice);
    AUTOTUNE__FREE_ARRAY(search->trials);
    AUTOTUNE__FREE_ARRAY(search->preferred);
    AUTOTUNE__FREE_ARRAY(search->own_list);
    autotune__free(search->visited);
    autotune__free(search->model);
    autotune__free(search);
}

/* A value of a list, and its row. In a sorted array of them equal values are neighbours. */
typedef struct autotune__ranked { autotune_type type; uint64_t value; size_t row; } autotune__ranked;
static int autotune__order_ranked(const void *left, const void *right) {
    const autotune__ranked *a = (const autotune__ranked *)left, *b = (const autotune__ranked *)right;
    const int order = autotune__compare_values(a->type, a->value, b->value);
    return order ? order : a->row < b->row ? -1 : 1;
}
/* Returns the sorted values. The caller frees the array. NULL: no memory. */
static autotune__ranked *autotune__rank_values(const autotune__axis_of_space *axis, size_t count) {
    autotune__ranked *order = (autotune__ranked *)autotune__allocate(count * sizeof *order);
    size_t i;
    for (i = 0; i < count && order; i++) {
        order[i].type = axis->type;
        order[i].value = axis->values[i];
        order[i].row = i;
    }
    if (order) qsort(order, count, sizeof *order, autotune__order_ranked);
    return order;
}
/* Adds a coordinate with the values of a list, for instance a column of a table. The values may be in any order, and
   may repeat. Returns false if there is no memory. */
static bool autotune__add_listed(autotune__lattice *lattice, const autotune__axis_of_space *axis, size_t count) {
    autotune__ranked *order AUTOTUNE__OWNED = autotune__rank_values(axis, count);
    uint32_t *value = (uint32_t *)autotune__allocate(count * sizeof *value);
    const bool integers = AUTOTUNE__IS_INTEGER_TYPE(axis->type);
    unsigned char *twos = integers ? (unsigned char *)autotune__allocate(count) : NULL;
    const bool fits = order && value && (twos || !integers);
    uint32_t rank = 0;
    size_t i;
    for (i = 0; i < count && fits; i++) {
        if (i && autotune__compare_values(axis->type, order[i - 1].value, order[i].value)) rank++;
        value[order[i].row] = rank;
        if (twos) twos[rank] = autotune__twos_in(autotune__int_of_value(axis->type, order[i].value));
    }
    if (fits) autotune__add_coordinate(lattice, rank + 1, !autotune__has_size(axis->type), value);
    else autotune__free(value);
    if (fits && twos && rank) autotune__add_evenness(lattice, lattice->coordinates - 1, twos);
    else autotune__free(twos);
    return fits;
}
/* Adds a coordinate with the values of a RANGE or POW2. Returns false if there is no memory. */
static bool autotune__add_ruled(autotune__lattice *lattice, const autotune__axis_of_space *axis, size_t count,
                                bool categorical) {
    const size_t most = (size_t)1 << 16;        /* an axis with more values has no evenness */
    unsigned char *twos;
    size_t i;
    autotune__add_coordinate(lattice, count, categorical, NULL);
    if (categorical || count < 2 || count > most || axis->source != AUTOTUNE__STEPS) return true;
    if (!(twos = (unsigned char *)autotune__allocate(count))) return false;
    for (i = 0; i < count; i++)
        twos[i] = autotune__twos_in(autotune__int_of_value(axis->type, autotune__axis_value(axis, i)));
    autotune__add_evenness(lattice, lattice->coordinates - 1, twos);
    return true;
}
/* Adds the next dimension of a space, with its axes from *a on. Returns false if there is no memory. */
static bool autotune__add_dimension_of(autotune__lattice *lattice, const autotune__space *space, size_t *a) {
    const size_t d = lattice->dimensions, rows = space->dimensions[d].count;
    autotune__add_dimension(lattice, rows);
    for (; *a < space->axis_count && space->axes[*a].dimension == d; ++*a) {
        const autotune__axis_of_space *axis = &space->axes[*a];
        if (axis->source == AUTOTUNE__LIST ? !autotune__add_listed(lattice, axis, rows)
                                           : !autotune__add_ruled(lattice, axis, rows, autotune__is_select(space)))
            return false;
    }
    return true;
}
/* Returns a search of a tuner's space, which the caller frees. NULL: no memory. */
static autotune_search *autotune__search_space(const autotune__space *space, autotune_strategy strategy,
                                               uint64_t seed) {
    autotune_search *search = (autotune_search *)autotune__allocate(sizeof *search);
    bool complete = search != NULL;
    size_t a = 0;
    while (complete && search->lattice.dimensions < space->dimension_count)
        complete = autotune__add_dimension_of(&search->lattice, space, &a);
    if (complete && autotune__prepare_search(search, strategy, seed)) return search;
    autotune__free_search(search);
    return NULL;
}

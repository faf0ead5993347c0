/* Setting up and freeing a search; the search of a tuner's space. */
#pragma once
#include <stdlib.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../api/search.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../space/key.h"
#include "../space/values.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "points.h"
#include "model.h"

/* Replaces the tuned numbers of a search before its first trial. */
static void autotune__set_habits(autotune_search *search, const autotune__search_habits *habits) {
    size_t i;
    search->habits = *habits;
    for (i = 0; search->model && i < search->feature_count; i++) {
        search->model->fading[i] = autotune__logarithm(habits->fading);
        autotune__fade(search, i);
    }
}
static void autotune__add_feature(autotune_search *search, size_t axis, size_t count, bool categorical,
                                  unsigned char *bin) {
    autotune__feature *feature = &search->features[search->feature_count++];
    feature->axis = axis;
    feature->count = count;
    feature->categorical = categorical;
    feature->bin = bin;
}
/* Sets up a search whose axes are known. False: no memory. */
static bool autotune__prepare_search(autotune_search *search, autotune_strategy strategy, uint64_t seed) {
    size_t a;
    search->strategy = strategy;
    search->random = seed;
    search->gain = 1;
    search->points = 1;
    for (a = 0; a < search->axis_count; a++) search->points *= search->count[a];
    if (strategy != AUTOTUNE_AUTO && strategy != AUTOTUNE_SURROGATE) return true;
    if (!(search->model = (autotune__surrogate *)autotune__allocate(sizeof *search->model))) return false;
    search->model->fading[AUTOTUNE_MAX_AXES] = AUTOTUNE__USUAL_NOISE;
    autotune__set_habits(search, &autotune__usual_habits);
    return true;
}
static void autotune__free_search(autotune_search *search) {
    size_t i;
    if (!search) return;
    for (i = 0; i < search->feature_count; i++) autotune__free(search->features[i].bin);
    AUTOTUNE__FREE_ARRAY(search->trials);
    AUTOTUNE__FREE_ARRAY(search->preferred);
    AUTOTUNE__FREE_ARRAY(search->order);
    AUTOTUNE__FREE_ARRAY(search->own_list);
    autotune__free(search->visited);
    autotune__free(search->model);
    autotune__free(search);
}

/* Sorts the values of an axis by size, and strings and pointers so that equal values are neighbours. */
typedef struct autotune__sized { const autotune__axis_of_space *axis; size_t number; } autotune__sized;
static bool autotune__has_size(autotune_type type) { return type != AUTOTUNE_STRING && type != AUTOTUNE_POINTER; }
static int autotune__compare_sized(const autotune__sized *a, const autotune__sized *b) {
    const autotune_type type = a->axis->type;
    const uint64_t x = a->axis->values[a->number], y = b->axis->values[b->number];
    if (autotune__same_word(type, x, y)) return 0;
    if (type == AUTOTUNE_STRING && x && y) return strcmp(autotune__string_of_value(x), autotune__string_of_value(y));
    if (!autotune__has_size(type)) return x < y ? -1 : 1;
    return autotune__double_of_value(type, x) < autotune__double_of_value(type, y) ? -1 : 1;
}
static int autotune__order_sized(const void *left, const void *right) {
    const autotune__sized *a = (const autotune__sized *)left, *b = (const autotune__sized *)right;
    const int order = autotune__compare_sized(a, b);
    return order ? order : a->number < b->number ? -1 : 1;
}
/* Adds an axis whose values are a list, in any order and with repetitions, such as a column of a table. False: no
   memory. */
static bool autotune__add_listed(autotune_search *search, const autotune__axis_of_space *axis, size_t count) {
    const bool categorical = !autotune__has_size(axis->type);
    autotune__sized *order = (autotune__sized *)autotune__allocate(count * sizeof *order);
    unsigned char *bin = (unsigned char *)autotune__allocate(count);
    size_t i, rank = 0, different = 1;
    if (!order || !bin) { autotune__free(order); autotune__free(bin); return false; }
    for (i = 0; i < count; i++) { order[i].axis = axis; order[i].number = i; }
    qsort(order, count, sizeof *order, autotune__order_sized);
    for (i = 1; i < count; i++) different += autotune__compare_sized(&order[i - 1], &order[i]) != 0;
    for (i = 0; i < count; i++) {
        if (i && autotune__compare_sized(&order[i - 1], &order[i])) rank++;
        bin[order[i].number] = autotune__bin_of(rank, different, categorical);
        if (categorical || order[i].number != i) search->unordered[axis->dimension] = true;
    }
    if (different > 1) autotune__add_feature(search, axis->dimension, different, categorical, bin);
    else autotune__free(bin);
    autotune__free(order);
    return true;
}
/* A search of a tuner's space; the caller frees it. NULL: no memory. */
static autotune_search *autotune__search_space(const autotune__space *space, autotune_strategy strategy,
                                               uint64_t seed) {
    autotune_search *search = (autotune_search *)autotune__allocate(sizeof *search);
    bool complete = search != NULL;
    size_t i;
    if (!search) return NULL;
    search->axis_count = space->dimension_count;
    for (i = 0; i < space->dimension_count; i++) {
        search->count[i] = space->dimensions[i].count;
        search->unordered[i] = space->dimensions[i].table || autotune__is_select(space);
    }
    for (i = 0; i < space->axis_count && complete; i++) {
        const autotune__axis_of_space *axis = &space->axes[i];
        const size_t count = search->count[axis->dimension];
        if (axis->source == AUTOTUNE__LIST) complete = autotune__add_listed(search, axis, count);
        else if (count > 1) autotune__add_feature(search, axis->dimension, count, autotune__is_select(space), NULL);
    }
    if (complete && autotune__prepare_search(search, strategy, seed)) return search;
    autotune__free_search(search);
    return NULL;
}

/* Shortlists: the ten points with the least value, such as a time or a cost. */
#pragma once
#include "../api/floor.h"
#include "numbers.h"

enum { AUTOTUNE__SHORTLISTED = 10 };
typedef struct autotune__shortlist {
    size_t count, index[AUTOTUNE__SHORTLISTED]; /* how many points; their numbers */
    double value[AUTOTUNE__SHORTLISTED];        /* the value of each point, ascending */
} autotune__shortlist;

static void autotune__shortlist_point(autotune__shortlist *list, size_t index, double value) {
    const bool full = list->count == AUTOTUNE__SHORTLISTED;
    size_t i;
    if (!(value < (full ? list->value[list->count - 1] : AUTOTUNE__NEVER))) return;
    i = full ? list->count - 1 : list->count++;
    for (; i > 0 && list->value[i - 1] > value; i--) {
        list->index[i] = list->index[i - 1];
        list->value[i] = list->value[i - 1];
    }
    list->index[i] = index;
    list->value[i] = value;
}
static AUTOTUNE__UNUSED void autotune__strike_point(autotune__shortlist *list, size_t index) {
    size_t i, kept = 0;
    for (i = 0; i < list->count; i++) {
        if (list->index[i] == index) continue;
        list->index[kept] = list->index[i];
        list->value[kept++] = list->value[i];
    }
    list->count = kept;
}

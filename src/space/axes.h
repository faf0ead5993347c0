/* A space: its axes and tables, and the values of a point. A dimension is an axis, or a table whose columns are axes
   that change together. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "values.h"

/* The source of an axis's values.
   LIST: the program lists the values.
   STEPS: the sums of `first` and multiples of `step`, as in a RANGE.
   DOUBLING: the products of `first` and powers of two, as in a POW2. */
typedef enum autotune__source { AUTOTUNE__LIST, AUTOTUNE__STEPS, AUTOTUNE__DOUBLING } autotune__source;
typedef struct autotune__axis_of_space {
    const char *name, *texts;                   /* texts: the values of a list as the program writes them; or NULL */
    const char **labels;                        /* labels of the values of a list in logs; NULL: texts or values */
    autotune_type type;
    autotune__source source;
    uint64_t *values;                           /* the values of a list. A value of a small type fills the first bytes
                                                   of its word. Strings are copies, which the axis owns */
    int64_t first, step;                        /* for STEPS and DOUBLING; DOUBLING has no step */
    size_t dimension, column;                   /* column: the number of the axis in its table */
} autotune__axis_of_space;
typedef struct autotune__dimension {
    size_t count;                               /* how many values the axis has, or how many rows the table has */
    size_t digit;                               /* the number of the value or row that the located point has */
    size_t columns;                             /* how many columns a table has; 0: no table */
    const char *text;                           /* the rows of a table as the program writes them */
    const unsigned char *rows;                  /* the rows of a table, until its columns are described */
    size_t row_bytes;                           /* the bytes of one row in `rows` */
} autotune__dimension;
/* How many points were refused, or left out together with a refused point. by: what refused them, for the log: the text
   of a filter, or a word such as PRIORITY. */
typedef struct autotune__refusal { const char *by; size_t points; } autotune__refusal;
enum { AUTOTUNE__REFUSALS = 4 };                /* the last of four elements also counts all further filters */
typedef struct autotune__space {
    autotune__axis_of_space axes[AUTOTUNE_MAX_AXES];
    autotune__dimension dimensions[AUTOTUNE_MAX_AXES];
    size_t axis_count, dimension_count;
    size_t points;                              /* SIZE_MAX: more than a size_t can count */
    size_t located;                             /* the point whose values are in `value`; SIZE_MAX: no point */
    size_t described;                           /* the point that `description` describes */
    const struct autotune__description *description;        /* see describe.h; NULL: no point is described */
    autotune__shared_word value[AUTOTUNE_MAX_AXES + 1];     /* the last: what the backend prepared */
    const char *call_names[64];                 /* AUTOTUNE_SELECT: the names of calls, or NULL */
    bool pruned;                                /* filters of axes leave out points */
    autotune__refusal refusals[AUTOTUNE__REFUSALS];     /* the points that were refused so far */
    const char *problem;                        /* the problem of the space, as the end of a sentence; NULL: none */
} autotune__space;
/* Returns true if the space is too large to list. A space with filters of axes is listed: they may leave few points. */
static AUTOTUNE__UNUSED bool autotune__is_unlisted(const autotune__space *space) {
    return space->points > AUTOTUNE_MAX_POINTS && !space->pruned;
}

static autotune__axis_of_space *autotune__new_axis(autotune__space *space, const char *name, autotune_type type) {
    autotune__axis_of_space *axis;
    if (space->axis_count == AUTOTUNE_MAX_AXES) { space->problem = "has more than 16 axes"; return NULL; }
    axis = &space->axes[space->axis_count++];
    axis->name = name;
    axis->type = type;
    return axis;
}
static autotune__dimension *autotune__new_dimension(autotune__space *space, size_t count) {
    autotune__dimension *dimension = &space->dimensions[space->dimension_count++];
    dimension->count = count;
    if (count && space->points > SIZE_MAX / count) space->points = SIZE_MAX;
    else space->points *= count;
    return dimension;
}
static void autotune__free_values(autotune__axis_of_space *axis, size_t count) {
    size_t i;
    for (i = 0; axis->type == AUTOTUNE_STRING && axis->values && i < count; i++)
        autotune__free((void *)(uintptr_t)autotune__string_of_value(axis->values[i]));
    autotune__free(axis->values);
    axis->values = NULL;
}
/* Copies `count` values, which are `stride` bytes apart. */
static void autotune__copy_values(autotune__axis_of_space *axis, const void *from, size_t stride, size_t count) {
    size_t i;
    if (count > SIZE_MAX / sizeof *axis->values ||
        !(axis->values = (uint64_t *)autotune__allocate(count * sizeof *axis->values)))
        return;
    for (i = 0; i < count; i++) {
        memcpy(&axis->values[i], (const char *)from + i * stride, autotune__type_bytes(axis->type));
        if (axis->type == AUTOTUNE_STRING && axis->values[i]) {
            const char *copy = autotune__copy_string(autotune__string_of_value(axis->values[i]));
            if (!copy) { autotune__free_values(axis, i); return; }
            axis->values[i] = 0;
            memcpy(&axis->values[i], &copy, sizeof copy);
        }
    }
}
/* Returns true if there was no memory for the values of an axis. */
static bool autotune__lacks_values(const autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count; a++)
        if (space->axes[a].source == AUTOTUNE__LIST && !space->axes[a].values) return true;
    return false;
}
static void autotune__add_list(autotune__space *space, const char *name, const char *texts, const void *values,
                               size_t count, autotune_type type) {
    autotune__axis_of_space *axis = autotune__new_axis(space, name, type);
    if (!axis) return;
    axis->texts = texts;
    axis->dimension = space->dimension_count;
    autotune__new_dimension(space, values ? count : 0);
    autotune__copy_values(axis, values, autotune__type_bytes(type), values ? count : 0);
}
static void autotune__add_rule(autotune__space *space, const char *name, autotune__source source, int64_t first,
                               int64_t step, size_t count, autotune_type type) {
    autotune__axis_of_space *axis = autotune__new_axis(space, name, type);
    if (!axis) return;
    axis->source = source;
    axis->first = first;
    axis->step = step;
    axis->dimension = space->dimension_count;
    autotune__new_dimension(space, count);
}
/* Returns the number of values of a RANGE; SIZE_MAX: more than a size_t can count. */
static size_t autotune__count_of_range(int64_t first, int64_t last, int64_t step) {
    uint64_t steps;
    if (step > 0 && last >= first) steps = ((uint64_t)last - (uint64_t)first) / (uint64_t)step;
    else if (step < 0 && last <= first) steps = ((uint64_t)first - (uint64_t)last) / (0 - (uint64_t)step);
    else return 0;
    return steps < SIZE_MAX ? (size_t)steps + 1 : SIZE_MAX;
}
static size_t autotune__count_of_pow2(int64_t first, int64_t last) {                /* the number of values of a POW2 */
    size_t count = 0;
    while (first > 0 && first <= last) { count++; if (first > INT64_MAX / 2) break; first *= 2; }
    return count;
}

static uint64_t autotune__axis_value(const autotune__axis_of_space *axis, size_t digit) {
    switch (axis->source) {
    case AUTOTUNE__STEPS:
        return autotune__value_of_int(axis->type, (int64_t)((uint64_t)axis->first + digit * (uint64_t)axis->step));
    case AUTOTUNE__DOUBLING: return autotune__value_of_int(axis->type, (int64_t)((uint64_t)axis->first << digit));
    default: return axis->values[digit];
    }
}
/* Locates a point: puts its values into value[]. If the point follows the located one, only the last digits change, as
   on an odometer: only their axes are updated. */
static void autotune__locate(autotune__space *space, size_t index) {
    size_t d = space->dimension_count, a, lowest = 0;
    if (index == space->located) return;
    if (space->located != SIZE_MAX && index == space->located + 1) {
        while (d-- > 0 && ++space->dimensions[d].digit == space->dimensions[d].count) space->dimensions[d].digit = 0;
        lowest = d;                             /* the first dimension that changed */
    } else {
        size_t rest = index;
        while (d-- > 0) {
            space->dimensions[d].digit = rest % space->dimensions[d].count;
            rest /= space->dimensions[d].count;
        }
    }
    space->located = index;
    for (a = space->axis_count; a-- > 0;) {
        const autotune__axis_of_space *axis = &space->axes[a];
        if (axis->dimension < lowest) break;
        space->value[a] = autotune__axis_value(axis, space->dimensions[axis->dimension].digit);
    }
}
/* Returns how many points after the located point have the same digits as the located point in the dimensions from 0 to
   `dimension`. */
static size_t autotune__points_left_below(const autotune__space *space, size_t dimension) {
    size_t points = 1, d;
    for (d = dimension + 1; d < space->dimension_count; d++) points *= space->dimensions[d].count;
    return points - 1 - space->located % points;
}

static AUTOTUNE__UNUSED void autotune__count_refused(autotune__space *space, const char *by, size_t points) {
    size_t i = 0;
    while (i + 1 < AUTOTUNE__REFUSALS && space->refusals[i].by && space->refusals[i].by != by) i++;
    space->refusals[i].points += points;
    space->refusals[i].by = space->refusals[i].by && space->refusals[i].by != by ? "others" : by;
}
/* Appends " (4 by WHERE(unroll <= tile), 2 by PRIORITY)". */
static AUTOTUNE__UNUSED void autotune__append_refusals(autotune__text *text, const autotune__space *space) {
    const autotune__refusal *refusal = space->refusals;
    for (; refusal < space->refusals + AUTOTUNE__REFUSALS && refusal->by; refusal++)
        autotune__append(text, "%s%lu by %.80s", refusal == space->refusals ? " (" : ", ",
                         (unsigned long)refusal->points, refusal->by);
    if (refusal != space->refusals) autotune__append(text, ")");
}

static void autotune__free_space(autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count; a++) {
        autotune__axis_of_space *axis = &space->axes[a];
        autotune__free_values(axis, space->dimensions[axis->dimension].count);
        autotune__free((void *)axis->labels);
    }
}

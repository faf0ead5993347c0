/* A created tuner: checking its description, and copying it. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"

struct autotune_tuner {
    autotune__site site;                        /* site.function is the tuner's name; site.file and .text are
                                                   NULL; site.line is 1 if the tuner has filters, else 0 */
    autotune__space space;                      /* each statement uses a copy of the struct, which points to the same
                                                   memory */
    const char *names[AUTOTUNE_MAX_AXES];       /* of the axes */
    autotune_type types[AUTOTUNE_MAX_AXES];
    bool (*filters[AUTOTUNE_MAX_AXES])(void *user, const autotune_config *partial);
    autotune_desc desc;                         /* the user's functions, .user and a copy of .name; the arrays are not
                                                   kept */
};
AUTOTUNE__DEFINE_AROUND(autotune__tuner_at, autotune_tuner, site, autotune__site)

static autotune_type autotune__axis_type(const autotune_axis *axis) {
    return axis->type == AUTOTUNE_BYTES ? AUTOTUNE_I64 : axis->type;
}
/* Appends what is wrong with an axis. Returns false if nothing is wrong. */
static bool autotune__axis_problem(autotune__text *problem, const autotune_desc *desc, size_t a) {
    const autotune_axis *axis = &desc->axes[a];
    const autotune_type type = autotune__axis_type(axis);
    size_t same, labels;
    for (same = 0; axis->name && same < a && strcmp(desc->axes[same].name, axis->name); same++) {}
    for (labels = 0; axis->values && axis->labels && labels < axis->count && axis->labels[labels]; labels++) {}
    if (!axis->name || !*axis->name) autotune__append(problem, "axis %lu has no name", (unsigned long)a + 1);
    else if (same < a) autotune__append(problem, "two axes are named '%.64s'", axis->name);
    else if (type != AUTOTUNE_I64 && type != AUTOTUNE_F64 && type != AUTOTUNE_STRING && type != AUTOTUNE_POINTER)
        autotune__append(problem, "the type of axis '%.64s' is %d: it is one of AUTOTUNE_I64, _F64, _STRING, _POINTER",
                         axis->name, (int)type);
    else if (!axis->values != !axis->count)
        autotune__append(problem, "axis '%.64s' has a count of %lu, and its values are %sNULL", axis->name,
                         (unsigned long)axis->count, axis->values ? "not " : "");
    else if (!axis->values && !desc->configs)
        autotune__append(problem, "axis '%.64s' has no values: give some, or a table of configs", axis->name);
    else if (axis->labels && !axis->values)
        autotune__append(problem,
                         "axis '%.64s' has labels for values that are not there: give the values that the table uses",
                         axis->name);
    else if (type == AUTOTUNE_POINTER && !axis->labels)
        autotune__append(problem, "axis '%.64s' has pointers without labels: logs and results need a name for each",
                         axis->name);
    else if (axis->labels && labels < axis->count)
        autotune__append(problem, "label %lu of axis '%.64s' is NULL", (unsigned long)labels + 1, axis->name);
    else return false;
    return true;
}
static bool autotune__description_problem(autotune__text *problem, const autotune_desc *desc) {
    size_t a;
    if (!desc->name || !*desc->name) autotune__append(problem, "the tuner has no name: results are found by it");
    else if (!desc->launch) autotune__append(problem, "launch is NULL: it is what is tuned");
    else if (!desc->axes || !desc->axis_count) autotune__append(problem, "there are no axes");
    else if (desc->axis_count > AUTOTUNE_MAX_AXES)
        autotune__append(problem, "there are %lu axes: at most %d", (unsigned long)desc->axis_count,
                         (int)AUTOTUNE_MAX_AXES);
    else if (!desc->configs != !desc->config_count)
        autotune__append(problem, "config_count is %lu, and configs is %sNULL", (unsigned long)desc->config_count,
                         desc->configs ? "not " : "");
    else {
        for (a = 0; a < desc->axis_count; a++) if (autotune__axis_problem(problem, desc, a)) return true;
        return false;
    }
    return true;
}

/* Copies the labels of an axis to one block of memory: pointers, then texts. texts: the labels, each followed by a 0
   byte. NULL: no memory. */
static const char **autotune__new_labels(autotune__text *texts, size_t count) {
    const size_t head = count * sizeof(char *), bytes = autotune__count(texts->at);
    const char **labels = texts->broken ? NULL : (const char **)autotune__allocate(head + bytes), *at;
    size_t i;
    if (!labels) return NULL;
    at = (const char *)memcpy(labels + count, texts->at, bytes);
    for (i = 0; i < count; i++) { labels[i] = at; at += strlen(at) + 1; }
    return labels;
}
/* Sets the labels of an axis. If the axis has values, a value of the table gets the label of the equal value of the
   axis. Returns false if there is no memory, or if the values of the axis lack a value of the table. */
static bool autotune__label_values(autotune__space *space, size_t a, const autotune_axis *given,
                                   autotune__text *problem) {
    autotune__axis_of_space *axis = &space->axes[a];
    const autotune__dimension *dimension = &space->dimensions[axis->dimension];
    autotune__text texts AUTOTUNE__FREED = { NULL, false };
    size_t i;
    for (i = 0; i < dimension->count; i++) {
        const bool among = dimension->columns && given->values;        /* a value of a table has to be in `values` */
        size_t value = among ? 0 : i;
        while (among && value < given->count &&
               !autotune__same_word(axis->type, axis->values[i], (uint64_t)given->values[value])) value++;
        if (among && value == given->count) break;
        if (given->labels) autotune__append(&texts, "%s", given->labels[value]);
        else autotune__append_value(&texts, space, a, i);
        autotune__append(&texts, "%c", 0);
    }
    if (i == dimension->count) axis->labels = autotune__new_labels(&texts, i);
    if (axis->labels) return true;
    if (i == dimension->count) autotune__append(problem, "out of memory");
    else autotune__append(problem, "the value of '%.64s' in row %lu of the table is not a value of the axis",
                          axis->name, (unsigned long)i + 1);
    return false;
}
static bool autotune__describe_axis(autotune_tuner *tuner, const autotune_desc *desc, size_t a) {
    autotune__space *space = &tuner->space;
    const autotune_axis *given = &desc->axes[a];
    autotune__axis_of_space *axis = autotune__new_axis(space, autotune__copy_string(given->name),
                                                       autotune__axis_type(given));
    tuner->names[a] = axis->name;
    tuner->types[a] = axis->type;
    tuner->filters[a] = given->where;
    space->pruned = space->pruned || given->where;
    if (desc->configs) {
        axis->column = a;
        autotune__copy_values(axis, desc->configs + a, desc->axis_count * sizeof(int64_t), desc->config_count);
    } else {
        axis->dimension = space->dimension_count;
        autotune__new_dimension(space, given->count);
        autotune__copy_values(axis, given->values, sizeof(int64_t), given->count);
    }
    return axis->name && axis->values;          /* false: no memory */
}
static bool autotune__describe_created(autotune_tuner *tuner, const autotune_desc *desc, autotune__text *problem) {
    autotune__space *space = &tuner->space;
    size_t a;
    space->points = 1;
    space->located = SIZE_MAX;
    if (desc->configs) autotune__new_dimension(space, desc->config_count)->columns = desc->axis_count;
    for (a = 0; a < desc->axis_count; a++)
        if (!autotune__describe_axis(tuner, desc, a)) { autotune__append(problem, "out of memory"); return false; }
    for (a = 0; a < desc->axis_count; a++) if (!autotune__label_values(space, a, &desc->axes[a], problem)) return false;
    if (autotune__label_problem(problem, space)) return false;
    tuner->site.line = space->pruned || desc->where;
    if (space->points == SIZE_MAX) autotune__append(problem, "the space has more points than can be counted");
    return space->points < SIZE_MAX;
}

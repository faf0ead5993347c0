/* Configurations for users: their names, labels and strings outlive the statement. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "values.h"
#include "axes.h"
#include "labels.h"

/* The texts that an autotune_config in a result points to. Equal descriptions share one copy, which
   autotune_shutdown() frees. */
typedef struct autotune__description {
    const char **names, **labels, **strings;
    autotune_type *types;
} autotune__description;
static autotune__map *autotune__descriptions;

static autotune__description *autotune__new_description(const autotune__space *space, const autotune__text *strings) {
    const size_t head = sizeof(autotune__description) +
                        space->axis_count * (3 * sizeof(char *) + sizeof(autotune_type));
    autotune__description *description =
        (autotune__description *)autotune__allocate(head + autotune__count(strings->at));
    char *at;
    size_t a;
    if (!description) return NULL;
    description->names = (const char **)(void *)(description + 1);
    description->labels = description->names + space->axis_count;
    description->strings = description->labels + space->axis_count;
    description->types = (autotune_type *)(void *)(description->strings + space->axis_count);
    at = (char *)description + head;
    memcpy(at, strings->at, autotune__count(strings->at));
    for (a = 0; a < space->axis_count; a++) {           /* name, label and string of each axis, with their zeros */
        description->types[a] = space->axes[a].type;
        description->names[a] = at;
        description->labels[a] = at += strlen(at) + 1;
        description->strings[a] = at += strlen(at) + 1;
        at += strlen(at) + 1;
    }
    return description;
}
/* Returns the description of the located point; NULL: no memory. */
static autotune__description *autotune__describe(const autotune__space *space) {
    autotune__text key AUTOTUNE__FREED = { NULL, false }, strings AUTOTUNE__FREED = { NULL, false };
    autotune__description *description = NULL;
    size_t a, i;
    for (a = 0; a < space->axis_count; a++) {
        const autotune__axis_of_space *axis = &space->axes[a];
        const bool has_string = axis->type == AUTOTUNE_STRING && space->value[a];
        const char *string = has_string ? autotune__string_of_value(space->value[a]) : "";
        autotune__append_piece(&strings, axis->name, strlen(axis->name) + 1);
        autotune__append_label_of(&strings, space, a, space->dimensions[axis->dimension].digit);
        autotune__append_piece(&strings, "", 1);
        autotune__append_piece(&strings, string, strlen(string) + 1);
        autotune__append_integer(&key, true, (uint64_t)axis->type);
        autotune__append_text(&key, ",");
    }
    for (i = 0; !strings.broken && i < autotune__count(strings.at); i += strlen(strings.at + i) + 1) {
        autotune__append_integer(&key, true, strlen(strings.at + i));
        autotune__append_text(&key, ":");
        autotune__append_text(&key, strings.at + i);
    }
    key.broken = key.broken || strings.broken;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!key.broken) description = (autotune__description *)autotune__value_of(autotune__descriptions, key.at);
    if (!description && !key.broken)
        description = (autotune__description *)autotune__put_block(&autotune__descriptions, key.at,
                                                                   autotune__new_description(space, &strings));
    return description;
}
/* Locates a point, and makes its configuration. Returns false without memory: the configuration then has no axes. */
static bool autotune__configure(autotune__space *space, size_t index, autotune_config *config) {
    const autotune__description *description = space->described == index ? space->description : NULL;
    size_t a;
    memset(config, 0, sizeof *config);
    config->index = index;
    autotune__locate(space, index);
    if (!description) space->description = description = autotune__describe(space);
    space->described = index;
    if (!description) return false;
    config->count = space->axis_count;
    config->names = description->names;
    config->labels = description->labels;
    config->types = description->types;
    for (a = 0; a < space->axis_count; a++) {
        config->values[a] = space->value[a];
        if (config->types[a] != AUTOTUNE_STRING || !space->value[a]) continue;
        config->values[a] = 0;
        memcpy(&config->values[a], &description->strings[a], sizeof description->strings[a]);
    }
    return true;
}

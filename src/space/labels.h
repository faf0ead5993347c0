/* Labels: the names of values and configurations in logs. Also texts that are equal for equal spaces. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "values.h"
#include "axes.h"

/* Appends the label of a value. A function or enumerator of a list has the name that the program writes. A name that
   begins with a capital letter counts as an enumerator. */
static void autotune__append_value(autotune__text *text, const autotune__space *space, size_t a, size_t digit) {
    const autotune__axis_of_space *axis = &space->axes[a];
    const uint64_t value = autotune__axis_value(axis, digit);
    const bool of_table = space->dimensions[axis->dimension].columns != 0;  /* the text of a table begins with names */
    size_t length = 0;
    const char *written = axis->texts ? autotune__part(axis->texts, digit + of_table, &length) : NULL;
    if (written && of_table) written = autotune__part_inside(written, axis->column, &length);
    if (axis->labels) { autotune__append_text(text, axis->labels[digit]); return; }
    switch (axis->type) {
    case AUTOTUNE_F32: case AUTOTUNE_F64:
        autotune__append_number(text, "%.9g", autotune__double_of_value(axis->type, value));
        return;
    case AUTOTUNE_STRING: autotune__append_text(text, value ? autotune__string_of_value(value) : "NULL"); return;
    case AUTOTUNE_POINTER:
        if (written && *written == '&') { written++; length--; }
        if (written) autotune__append_piece(text, written, length);
        else autotune__append(text, "%s[%lu]", axis->name, (unsigned long)digit);
        return;
    case AUTOTUNE_U64: autotune__append_integer(text, true, value); return;
    default:
        if (written && *written >= 'A' && *written <= 'Z' && !memchr(written, '(', length))
            autotune__append_piece(text, written, length);
        else autotune__append_integer(text, false, (uint64_t)autotune__int_of_value(axis->type, value));
    }
}
static void autotune__append_call_name(autotune__text *text, const autotune__space *space, size_t call) {
    size_t length = 0;
    const char *written = autotune__part(space->axes[0].texts, call, &length);
    if (space->call_names[call]) { autotune__append_text(text, space->call_names[call]); return; }
    if (written &&
        (!strncmp(written, "CASE(", 5) || !strncmp(written, "CASE (", 6) || !strncmp(written, "AUTOTUNE_CASE(", 14)))
        written = autotune__part_inside(written, 0, &length);
    /* The expansion of a CASE begins with "(()". */
    else if (written && !strncmp(written, "(()", 3)) written = autotune__part_inside(written, 1, &length);
    if (written) autotune__append_piece(text, written, length);
}
static bool autotune__is_select(const autotune__space *space) {
    return space->axis_count == 1 && space->axes[0].source == AUTOTUNE__STEPS && space->axes[0].texts;
}
/* Appends the label of a value of an axis. */
static void autotune__append_label_of(autotune__text *text, const autotune__space *space, size_t a, size_t digit) {
    if (autotune__is_select(space)) autotune__append_call_name(text, space, digit);
    else autotune__append_value(text, space, a, digit);
}
/* For instance: tile=32, unroll=4 */
static void autotune__append_point(autotune__text *text, autotune__space *space, size_t index) {
    size_t a;
    autotune__locate(space, index);
    for (a = 0; a < space->axis_count; a++) {
        if (!autotune__is_select(space)) autotune__append(text, "%s%s=", a ? ", " : "", space->axes[a].name);
        autotune__append_label_of(text, space, a, space->dimensions[space->axes[a].dimension].digit);
    }
}
/* Returns true if two different values of an axis have the same label: a record could not tell them apart. Appends this
   problem. If there is no memory, labels are not compared. */
static AUTOTUNE__UNUSED bool autotune__label_problem(autotune__text *problem, const autotune__space *space) {
    autotune__text label AUTOTUNE__FREED = { NULL, false };
    bool ambiguous = false;
    size_t a, i;
    for (a = 0; a < space->axis_count && !ambiguous; a++) {
        const autotune__axis_of_space *axis = &space->axes[a];
        autotune__map *values = NULL;
        if (axis->type == AUTOTUNE_STRING || autotune__is_float(axis->type) ||      /* records have the values */
            (axis->type != AUTOTUNE_POINTER && !axis->labels)) continue;
        for (i = 0; i < space->dimensions[axis->dimension].count && !ambiguous; i++) {
            const uint64_t *first;
            autotune__clear_text(&label);
            autotune__append_label_of(&label, space, a, i);
            if (label.broken) break;
            first = (const uint64_t *)autotune__value_of(values, autotune__string(&label));
            if (!first) (void)autotune__put_value(&values, autotune__string(&label), &axis->values[i]);
            else if (*first != axis->values[i]) ambiguous = true;
        }
        if (ambiguous)
            autotune__append(problem, "two values of the axis '%.64s' differ and have the same label, '%.64s'",
                             axis->name, autotune__string(&label));
        autotune__free_map(&values);
    }
    return ambiguous;
}
/* Appends names, types and values of all axes. Equal spaces have equal texts, also in other processes. */
static void autotune__append_space(autotune__text *text, const autotune__space *space) {
    size_t a, i;
    for (a = 0; a < space->axis_count; a++) {
        const autotune__axis_of_space *axis = &space->axes[a];
        autotune__append(text, "\n%s:%d:%lu", axis->name, (int)axis->type, (unsigned long)axis->dimension);
        if (axis->source != AUTOTUNE__LIST)
            autotune__append(text, ":%d:%lld:%lld:%lu", (int)axis->source, (long long)axis->first,
                             (long long)axis->step, (unsigned long)space->dimensions[axis->dimension].count);
        else for (i = 0; i < space->dimensions[axis->dimension].count; i++) {
            autotune__append(text, ",");
            if (axis->type == AUTOTUNE_STRING && axis->values[i])
                autotune__append(text, "%lu:%s:", (unsigned long)strlen(autotune__string_of_value(axis->values[i])),
                                 autotune__string_of_value(axis->values[i]));
            else if (axis->type == AUTOTUNE_F32 || axis->type == AUTOTUNE_F64) {
                const double value = autotune__double_of_value(axis->type, axis->values[i]);
                autotune__append(text, "%llx:", (unsigned long long)autotune__word_double(value));
            }
            autotune__append_value(text, space, a, i);
            if (AUTOTUNE__IS_INTEGER_TYPE(axis->type))
                autotune__append(text, "(%lld)", (long long)autotune__int_of_value(axis->type, axis->values[i]));
        }
    }
}
/* Appends the values that are pointers: in one process, equal spaces have equal pointers, too. */
static void autotune__append_pointers(autotune__text *text, const autotune__space *space) {
    size_t a, i;
    for (a = 0; a < space->axis_count; a++)
        for (i = 0; space->axes[a].type == AUTOTUNE_POINTER && i < space->dimensions[space->axes[a].dimension].count;
             i++) autotune__append(text, ",%llx", (unsigned long long)autotune__axis_value(&space->axes[a], i));
}

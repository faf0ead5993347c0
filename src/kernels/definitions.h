/* Definitions: the values of a configuration as options of the compiler, "-DTILE=16", each with its zero. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "compiler.h"

/* Appends the definition for the value of an axis. An axis of functions gets no definition. A definition is one line:
   blanks replace line feeds. Negative integers and all floating-point numbers are in parentheses, since an operator may
   come before the macro. */
static void autotune__define(autotune__text *text, const char *name, autotune_type type, uint64_t value) {
    const size_t start = autotune__count(text->at);
    if (type == AUTOTUNE_POINTER) return;
    if (type == AUTOTUNE_STRING) {
        char *at;
        autotune__append(text, "-D%s=%s%c", name, value ? autotune__string_of_value(value) : "", 0);
        for (at = text->broken ? NULL : text->at + start; at && (at = strpbrk(at, "\r\n")) != NULL; ) *at = ' ';
    }
    else if (type == AUTOTUNE_U64) autotune__append(text, "-D%s=%lluu%c", name, (unsigned long long)value, 0);
    else if (type == AUTOTUNE_F32 || type == AUTOTUNE_F64) {
        autotune__append(text, "-D%s=(", name);
        autotune__append_number(text, "%.17g", autotune__double_of_value(type, value));
        if (!text->broken && !strpbrk(text->at + start + strlen(name) + 4, ".en")) autotune__append(text, ".0");
        autotune__append(text, "%s)%c", type == AUTOTUNE_F32 ? "f" : "", 0);
    } else {
        const int64_t number = autotune__int_of_value(type, value);
        autotune__append(text, number < 0 ? "-D%s=(%lld)%c" : "-D%s=%lld%c", name, (long long)number, 0);
    }
}
/* Defines the axes of the located point. The axis of AUTOTUNE_SELECT gets no definition. */
static void autotune__define_point(autotune__text *text, const autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count && !autotune__is_select(space); a++)
        autotune__define(text, space->axes[a].name, space->axes[a].type, space->value[a]);
}
static AUTOTUNE__UNUSED void autotune__define_config(autotune__text *text, const autotune_config *config) {
    size_t a;
    const bool select = config->count == 1 && config->types[0] == AUTOTUNE_U64 && !strcmp(config->names[0], "call");
    for (a = 0; a < config->count && !select; a++)
        autotune__define(text, config->names[a], config->types[a], config->values[a]);
}
/* Returns the value of an axis in the definitions. NULL: no axis has this name. */
static const char *autotune__value_of_axis(const autotune__text *definitions, const char *axis, size_t length) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)      /* -DNAME=VALUE */
        if (!strncmp(at + 2, axis, length) && at[2 + length] == '=') return at + 3 + length;
    return NULL;
}

/* Definitions: the values of a configuration as options of the compiler, "-DTILE=16", each with its zero. */
#pragma once
#include <stdio.h>
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "compiler.h"

/* A definition for the value of an axis. It is one line: a blank stands for the end of another. Negative numbers in
   parentheses: -D and a minus sign would meet other operators. */
static void autotune__define(autotune__text *text, const char *name, autotune_type type, uint64_t value) {
    const size_t start = autotune__count(text->at);
    if (type == AUTOTUNE_POINTER) return;
    if (type == AUTOTUNE_STRING) {
        char *at;
        autotune__append(text, "-D%s=%s%c", name, value ? autotune__string_of_value(value) : "", 0);
        for (at = text->broken ? NULL : text->at + start; at && (at = strpbrk(at, "\r\n")) != NULL; ) *at = ' ';
    }
    else if (type == AUTOTUNE_U64)
        autotune__append(text, "-D%s=%lluu%c", name, (unsigned long long)value, 0);
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
/* Of the point located last. The calls of AUTOTUNE_SELECT are no axis of the kernel's. */
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
static bool autotune__is_definition(const char *option) { return option[0] == '-' && option[1] == 'D'; }

/* The value that an option gives a macro, "1" if it gives none; NULL: no option defines it. */
static const char *autotune__defined(const autotune__compiler *compiler, const autotune__text *options,
                                     const char *name) {
    const size_t length = strlen(name);
    const char *option, *at;
    AUTOTUNE__EACH_OPTION(option, options)
        if (autotune__read_option(compiler, option, &at) == AUTOTUNE__OPTION_DEFINES && !strncmp(at, name, length) &&
            (!at[length] || at[length] == '='))
            return at[length] ? at + length + 1 : "1";
    return NULL;
}
/* May a configuration be compiled with these definitions? False: they contradict the options of the program, and why
   says so. */
static bool autotune__may_define(const autotune__text *definitions, const autotune__program *program, char *why,
                                 size_t bytes) {
    const char *at;
    char name[64];
    if (definitions->broken) return true;
    AUTOTUNE__EACH_OPTION(at, definitions) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 2, "="), at + 2);
        if (!autotune__defined(program->compiler, &program->options, name)) continue;
        snprintf(why, bytes, "%s is an axis, and an option of the program defines it too: name one of them otherwise",
                 name);
        return false;
    }
    return true;
}

/* The words of a command line: the options of a program, with values of axes in the place of $NAME. */
#pragma once
#include "../base/floor.h"
#include "../kernels/floor.h"

/* What is compiled becomes a library, whose functions call each other directly. Its code and its constants share pages:
   half as many bytes are written and mapped, and a quarter less time is taken for it. No optimisation is among the
   options: that is the program's to choose. */
static const char autotune__cc_own_options[] =
    "-shared\0-fPIC\0-fno-semantic-interposition\0-Wl,-z,noseparate-code\0";
static const char autotune__cc_names_compiler[] = "--cc=";

static const autotune__known_option autotune__cc_options[] = {
    { "I", AUTOTUNE__OPTION_FOLDER },           { "include", AUTOTUNE__OPTION_FILE },
    { "imacros", AUTOTUNE__OPTION_FILE },       { "fprofile-use", AUTOTUNE__OPTION_FILE },
    { "specs", AUTOTUNE__OPTION_FILE },         { "fplugin", AUTOTUNE__OPTION_FILE },
    { NULL, AUTOTUNE__OPTION_OTHER }
};
/* What AUTOTUNE_CC names decides the machine code, as an option of the program does. */
static void autotune__cc_identify(autotune__digest *digest) {
    const char *const named = autotune__variable("AUTOTUNE_CC");
    autotune__digest_string(digest, named ? named : "");
}

static const char *autotune__cc_value_of(const autotune__text *definitions, const char *axis) {    /* NULL: no axis */
    const size_t length = strlen(axis);
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)      /* -DNAME=VALUE */
        if (!strncmp(at + 2, axis, length) && at[2 + length] == '=') return at + 3 + length;
    return NULL;
}
/* Appends an option with the values of axes in it; one that is nothing else is divided at blanks. False: the option
   asks for what is no axis, and the compilation is refused. */
static bool autotune__append_with_values(autotune__text *words, autotune__compilation *compilation,
                                         const char *option) {
    autotune__text word AUTOTUNE__FREED = { NULL, false };
    const char *at = option, *dollar, *value = "";
    char name[64];
    bool whole = false;
    for (; value && (dollar = strchr(at, '$')) != NULL; at = dollar + 1 + strlen(name)) {
        size_t length = 0;
        while (autotune__is_word(dollar[1 + length]) && dollar[1 + length] != '$') length++;
        snprintf(name, sizeof name, "%.*s", (int)length, dollar + 1);
        whole = dollar == option && !dollar[1 + length];
        value = autotune__cc_value_of(&compilation->definitions, name);
        autotune__append(&word, "%.*s%s", (int)(dollar - at), at, value ? value : "");
    }
    if (!value) autotune__refuse(compilation, "the option %s asks for $%s, which is no axis", option, name);
    autotune__append(&word, "%s", at);
    if (whole) autotune__append_divided(words, autotune__string(&word));
    else autotune__append(words, "%s%c", autotune__string(&word), 0);
    words->broken = words->broken || word.broken;
    return value != NULL;
}

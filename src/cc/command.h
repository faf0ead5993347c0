/* The command line of a compilation: the path of the compiler, and its words. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "words.h"

typedef struct autotune__cc_command {
    autotune__text compiler;                    /* its words, each with a zero; empty: no compiler was named */
    bool by_option;                             /* an option of the program names the compiler */
    char path[1024];                            /* of the compiler; "": it was not found */
    autotune__file_facts facts;                 /* of `path`, before the compiler runs */
    autotune__text options, libraries;          /* words, each with its zero. `libraries` has the options -l:
                                                   the linker needs these after the source */
} autotune__cc_command;

static bool autotune__cc_is_file(const char *path) {
    autotune__file_facts facts;
    return autotune__facts_of_path(path, &facts) && facts.is_regular;
}
/* Finds a program by its name, as a shell does. */
static bool autotune__cc_find_program(const char *name, char *path, size_t room) {
    const char *const search = autotune__variable("PATH"), *folder;
    size_t length;
    bool found = false;
    if (autotune__last_separator(name))
        return (size_t)snprintf(path, room, "%s", name) < room && autotune__cc_is_file(path);
    AUTOTUNE__EACH_FOLDER(folder, length, search ? search : "/usr/bin:/bin")
        found = found || ((size_t)snprintf(path, room, "%.*s/%s", (int)length, folder, name) < room &&
                          autotune__cc_is_file(path));
    return found;
}
/* Finds the named compiler, else the first usual compiler that exists. */
static void autotune__cc_find_compiler(autotune__cc_command *command) {
#ifndef AUTOTUNE_CC_DEFAULT
#define AUTOTUNE_CC_DEFAULT "cc"
#endif
    static const char *const usual[] = { AUTOTUNE_CC_DEFAULT, "cc", "gcc", "clang" };
    const bool named = autotune__has_text(&command->compiler);
    bool found = named && autotune__cc_find_program(command->compiler.at, command->path, sizeof command->path);
    size_t i;
    for (i = 0; !named && !found && i < sizeof usual / sizeof *usual; i++)
        found = autotune__cc_find_program(usual[i], command->path, sizeof command->path);
    if (!found) *command->path = 0;
    (void)autotune__facts_of_path(command->path, &command->facts);
}
static void autotune__cc_name_compiler(autotune__cc_command *command, const char *words, bool by_option) {
    autotune__clear_text(&command->compiler);
    autotune__append_divided(&command->compiler, words);
    command->by_option = by_option;
}
static void autotune__cc_free_command(autotune__cc_command *command) {
    autotune__free_text(&command->compiler);
    autotune__free_text(&command->options);
    autotune__free_text(&command->libraries);
}
/* Adds a word to the command. Returns false if the compilation is refused. */
static bool autotune__cc_take_word(autotune__cc_command *command, autotune__compilation *compilation,
                                   const char *word) {
    const size_t prefix = strlen(autotune__cc_names_compiler);
    if (!strcmp(word, "-c") || !strcmp(word, "-static") || !strncmp(word, "-o", 2)) {
        autotune__refuse(compilation, "the option %s is not for a library that is loaded: leave it out", word);
        return false;
    }
    if (!strncmp(word, autotune__cc_names_compiler, prefix)) autotune__cc_name_compiler(command, word + prefix, true);
    else autotune__append(strncmp(word, "-l", 2) ? &command->options : &command->libraries, "%s%c", word, 0);
    return true;
}
/* Makes the command of a compilation. Its compiler may be missing. Returns false if the compilation is
   refused, or if there is no memory. */
static bool autotune__cc_make_command(autotune__cc_command *command, autotune__compilation *compilation) {
    const char *const named = autotune__variable("AUTOTUNE_CC"), *at;
    bool taken = true;
    memset(command, 0, sizeof *command);
    if (named) autotune__cc_name_compiler(command, named, false);
    AUTOTUNE__EACH_OPTION(at, &compilation->options) taken = taken && autotune__cc_take_word(command, compilation, at);
    autotune__cc_find_compiler(command);
    return taken && !command->options.broken && !command->libraries.broken && !command->compiler.broken;
}

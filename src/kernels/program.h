/* Programs: the library's structs for the programs of the user. This room lists the programs, and reads their source
   and their options. It also has the lock of this floor. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "site.h"
#include "compiler.h"
#include "includes.h"
#include "source_words.h"

/* The lock of programs, compilations and kernels. */
static autotune__mutex autotune__kernels_lock = AUTOTUNE__MUTEX;
static autotune__condition autotune__kernels_changed = AUTOTUNE__CONDITION;     /* a compilation made progress, or
                                                                                   workers have new work, or
                                                                                   have to end */

/* The number of forks between the first process and this process. */
static unsigned autotune__kernels_generation;
static autotune__program *autotune__programs;                   /* all programs */

/* The caller holds the lock, or is the only thread of a child made by fork(). Forgets the source of the program and its
   compilations, and frees nothing. The options stay. */
static void autotune__empty_program(autotune__program *program) {
    program->scan = NULL;
    program->mentions = program->compilations = NULL;
    program->file_text = NULL;
}
/* The caller holds the lock. Reads the program's file and scans its source, unless both were done. Tries again after a
   failure. */
static void autotune__read_program(autotune__program *program) {
    const char *why;
    size_t bytes;
    if (!autotune__source_of(program) && program->declared->file)
        program->file_text = autotune__read_path(program->declared->file, &bytes, &why);
    if (!program->scan && autotune__source_of(program) &&
        (program->scan = (autotune__scan *)autotune__allocate(sizeof *program->scan)) != NULL)
        autotune__scan_source(program->scan, program);
}
/* Divides a text at blanks, and appends each word with its zero. */
static void autotune__append_divided(autotune__text *words, const char *text) {
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        autotune__append(words, "%.*s%c", (int)length, text, 0);
        text += length;
    }
}
/* Makes the options of a program: the user's options. If the source is in a file, -I with the folder of this file comes
   first, for included files. Returns false if there is no memory. */
static bool autotune__take_options(autotune__program *program) {
    const char *const *given = program->declared->options;
    const char *const path = autotune__path_of(program), *const name = autotune__base_name(path);
    autotune__text *const options = &program->options;
    size_t i;
    if (*path) autotune__append(options, "-I%.*s%c", name > path ? (int)(name - path) : 1, name > path ? path : ".", 0);
    for (i = 0; i < AUTOTUNE_MAX_OPTIONS && given[i]; i++)
        if (program->compiler->divides) autotune__append_divided(options, given[i]);
        else if (*given[i]) autotune__append(options, "%s%c", given[i], 0);
    return !options->broken;
}
/* The caller holds the lock. NULL: no memory. */
static autotune__program *autotune__make_program(autotune_program_source *of, autotune__compiler *compiler) {
    autotune__program *program = (autotune__program *)autotune__allocate(sizeof *program);
    if (!program) return NULL;
    program->declared = of;
    program->compiler = compiler;
    if (autotune__take_options(program)) {
        program->next = autotune__programs;
        return autotune__programs = program;
    }
    autotune__free_text(&program->options);
    autotune__free(program);
    return NULL;
}
/* The caller holds the lock. Returns the struct for the user's program; if needed makes the struct and reads the
   program. NULL: no memory. */
static autotune__program *autotune__program_from(autotune_program_source *of, autotune__compiler *compiler) {
    if (!of->made) of->made = autotune__make_program(of, compiler);
    if (of->made) autotune__read_program(of->made);
    return of->made;
}

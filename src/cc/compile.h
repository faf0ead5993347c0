/* Compiling: a compiler is run, and what it wrote becomes machine code in memory. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../store/floor.h"
#include "../kernels/floor.h"
#include "words.h"
#include "command.h"
#include "dependencies.h"

/* A compiler that runs, and what it leaves behind. */
typedef struct autotune__cc_run {
    const autotune__compile_limits *limits;
    char folder[1024];                          /* for its files, and those that it makes for itself */
    int64_t began_ns;                           /* since 1970 */
    autotune__text printed;                     /* the beginning of it */
    autotune__child_end end;
} autotune__cc_run;
/* Reads what the compiler prints, and forgets what is more than anybody reads. */
static void autotune__cc_hear(autotune__text *printed, const autotune__child *compiler) {
    char bytes[4096];
    size_t got;
    while ((got = autotune__read_reports(compiler, bytes, sizeof bytes)) > 0)
        if (autotune__count(printed->at) < 65536) autotune__append(printed, "%.*s", (int)got, bytes);
}
/* Until the compiler ends, is late, or is unwanted. Whatever it started is ended with it. */
static void autotune__cc_await_compiler(autotune__cc_run *run, autotune__child *compiler) {
    const uint64_t began = autotune__wait_clock();
    bool ended, late;
    do {
        if (autotune__await_child(compiler, 5)) autotune__sleep_ns(500000);     /* its pipe may end before it does */
        ended = autotune__child_has_ended(compiler);
        late = (double)(autotune__wait_clock() - began) > run->limits->seconds * 1e9;
        autotune__cc_hear(&run->printed, compiler);
    } while (!ended && !late && !autotune__is_unwanted(run->limits));
    run->end = autotune__end_child(compiler, !ended);
}
/* The whole command line. The compiler speaks English, so that its errors are found, and its own files vanish with
   ours. False: no memory. */
static bool autotune__cc_write_line(autotune__text *line, const autotune__cc_run *run,
                                    const autotune__cc_command *command, const autotune__program *program) {
    const char *at, *const folder = run->folder;
    autotune__append(line, "env%cLC_ALL=C%cTMPDIR=%s%c%s%c", 0, 0, folder, 0, command->path, 0);
    AUTOTUNE__EACH_OPTION(at, &command->compiler)
        if (at > command->compiler.at) autotune__append(line, "%s%c", at, 0);
    if (program->declared->text) autotune__append(line, "-x%cc%c", 0, 0);
    AUTOTUNE__EACH_OPTION(at, &command->options) autotune__append(line, "%s%c", at, 0);
    autotune__append(line, "-MD%c-MF%c%s/rule%c-o%c%s/made%c%s%c", 0, 0, folder, 0, 0, folder, 0,
                     program->declared->text ? "-" : program->declared->file, 0);
    AUTOTUNE__EACH_OPTION(at, &command->libraries) autotune__append(line, "%s%c", at, 0);
    return !line->broken;
}
/* False: no memory, or the compiler did not start; why says it then. */
static bool autotune__cc_run_compiler(autotune__cc_run *run, const autotune__cc_command *command,
                                      const autotune__program *program, const char **why) {
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    const char **words = NULL, *at;
    char input[1100];
    autotune__child compiler;
    bool complete = autotune__cc_write_line(&line, run, command, program), started;
    AUTOTUNE__EACH_OPTION(at, &line) complete = complete && AUTOTUNE__PUSH(words, at);
    complete = complete && AUTOTUNE__PUSH(words, NULL);
    snprintf(input, sizeof input, "%s/text", run->folder);
    started = complete && autotune__start_program(&compiler, words, autotune__all_variables(), input, why);
    if (started) autotune__cc_await_compiler(run, &compiler);
    AUTOTUNE__FREE_ARRAY(words);
    return started;
}

/* Makes a folder of this user's alone, and in it a file of source that has none, else an empty one. False: why says
   it. */
static bool autotune__cc_make_files(autotune__cc_run *run, const char *source, const char **why) {
    const char *const named = autotune__variable("TMPDIR"), *const parent = named && *named ? named : "/tmp";
    char path[1100];
    snprintf(run->folder, sizeof run->folder, "%s/autotune-%llu-%llu", parent,
             (unsigned long long)autotune__process_number(),
             (unsigned long long)autotune__hash_word(autotune__wait_clock(), (uint64_t)(uintptr_t)run));
    snprintf(path, sizeof path, "%s/text", run->folder);
    if (autotune__make_folder(run->folder)) return autotune__replace_file(path, source, strlen(source), 0, false, why);
    *why = strerror(errno);
    return false;
}
static void autotune__cc_remove_file(const char *name, void *folder) {
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", (const char *)folder, name);
    (void)remove(path);
}
static char *autotune__cc_read_made(const autotune__cc_run *run, const char *name, size_t *bytes) {     /* NULL: none */
    const char *why;
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", run->folder, name);
    return autotune__read_path(path, bytes, &why);
}
/* What the compiler wrote becomes the image. */
static void autotune__cc_take_made(autotune__compilation *compilation, const autotune__cc_run *run,
                                   const char *compiler) {
    autotune__text files AUTOTUNE__FREED = { NULL, false };
    size_t bytes = 0, unused;
    char *made AUTOTUNE__OWNED = autotune__cc_read_made(run, "made", &bytes),
         *rule AUTOTUNE__OWNED = autotune__cc_read_made(run, "rule", &unused);
    compilation->unsettled = !autotune__cc_gather_read(&files, compilation->program, compiler, rule, run->began_ns);
    compilation->progress = AUTOTUNE__CODE_REFUSED;         /* without a reason, if there is no memory */
    if (made) autotune__cc_read_version(compilation, made, bytes);
    autotune__append(&files, "%s", compilation->version);
    if (!made || !bytes) autotune__refuse(compilation, "the compiler made no file");
    else if (!files.broken && autotune__take_room(compilation, bytes, files.at)) {
        memcpy(compilation->image, made, bytes);
        compilation->progress = AUTOTUNE__CODE_MADE;
    }
}
/* The compiler has ended. Where the program asks for the end of all its children, and has it, the file tells how. */
static void autotune__cc_take_end(autotune__compilation *compilation, const autotune__cc_run *run,
                                  const char *compiler) {
    const autotune__fate how = run->end.how;
    char otherwise[64];
    snprintf(otherwise, sizeof otherwise, "the compiler %s %d", how == AUTOTUNE__EXITED ? "ended with status"
                                                                                       : "was killed by signal",
             run->end.number);
    if (how == AUTOTUNE__UNTOLD || (how == AUTOTUNE__EXITED && !run->end.number))
        autotune__cc_take_made(compilation, run, compiler);
    else if (how != AUTOTUNE__STILL_RUNNING) autotune__refuse_by_text(compilation, run->printed.at, otherwise);
    else if (autotune__is_unwanted(run->limits)) compilation->progress = AUTOTUNE__CODE_WAITING;
    else autotune__refuse(compilation, "does not compile: the compiler did not end within %g s, .compile_timeout",
                          run->limits->seconds);
}
static void autotune__cc_compile_with(autotune__compilation *compilation, const autotune__cc_command *command,
                                      const autotune__compile_limits *limits) {
    autotune__cc_run run = { limits, "", autotune__calendar_seconds() * 1000000000, { NULL, false },
                             { AUTOTUNE__UNTOLD, 0 } };
    const char *const source = compilation->program->declared->text, *why = NULL;
    if (!autotune__cc_make_files(&run, source ? source : "", &why))
        autotune__refuse(compilation, "no file can be made in %s, by TMPDIR or /tmp: %s", run.folder, why);
    else if (autotune__cc_run_compiler(&run, command, compilation->program, &why))
        autotune__cc_take_end(compilation, &run, command->path);
    else if (why) autotune__refuse(compilation, "the compiler %s does not start: %s", command->path, why);
    else compilation->progress = AUTOTUNE__CODE_REFUSED;    /* without a reason: there is no memory */
    autotune__free_text(&run.printed);
    autotune__walk_folder(run.folder, autotune__cc_remove_file, run.folder);
    (void)remove(run.folder);
}
static void autotune__cc_compile(autotune__compilation *compilation, const autotune__target *target,
                                 const autotune__text *options, const autotune__compile_limits *limits) {
    const char *const obstacle = autotune__cannot_load();
    autotune__cc_command command;
    (void)target; (void)options;                /* they are the program's, with $NAME in the place of values */
    if (autotune__cc_make_command(&command, compilation)) {
        if (*command.path && !obstacle) autotune__cc_compile_with(compilation, &command, limits);
        else if (obstacle) autotune__refuse(compilation, "%s", obstacle);
        else if (command.compiler.at)
            autotune__refuse(compilation, "the compiler %s was not found: --cc= or AUTOTUNE_CC names it",
                             command.compiler.at);
        else autotune__refuse(compilation, "no compiler was found: install gcc or clang, or name one in AUTOTUNE_CC");
        compilation->no_compiler = obstacle || (!*command.path && !command.by_option);
    }
    autotune__cc_free_command(&command);
}

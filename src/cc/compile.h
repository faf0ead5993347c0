/* Runs a compiler, and reads its output file, the machine code, into memory. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../store/floor.h"
#include "../kernels/floor.h"
#include "words.h"
#include "command.h"
#include "dependencies.h"

/* A compiler that runs, and its files. */
typedef struct autotune__cc_run {
    const autotune__compile_limits *limits;
    char *folder, *input;                       /* paths: of the folder for its files, and of its input in the folder */
    int lock;                                   /* the open file `input`; it is locked while the folder is in use */
    bool made;                                  /* this run made the folder */
    int64_t began_ns;                           /* since 1970 */
    autotune__text printed;                     /* the first 64 KiB of the compiler's output, or up to 4 KiB more */
    autotune__child_end end;
} autotune__cc_run;

/* ---- Folders ---- */

static const char *autotune__cc_parent(void) {
    const char *const named = autotune__variable("TMPDIR");
    return named && *named ? named : "/tmp";
}
static void autotune__cc_remove_file(const char *name, void *folder) {
    char *path AUTOTUNE__OWNED = autotune__joined((const char *)folder, name);
    if (path) (void)remove(path);
}
static void autotune__cc_remove_folder(char *folder) {
    autotune__walk_folder(folder, autotune__cc_remove_file, folder);
    (void)remove(folder);
}
/* Removes a folder whose process ended while a compiler ran. Such a folder has a name like ours, and a file `input`
   that no process has locked. A folder younger than a minute stays, since its file may not be locked yet. */
static void autotune__cc_sweep_folder(const char *name, void *parent) {
    const size_t length = strlen(name);
    const bool alike = !strncmp(name, "autotune-", 9) && strspn(name + 9, "0123456789abcdef-") == length - 9 &&
                       length > 26 && name[length - 17] == '-';
    char *folder AUTOTUNE__OWNED = alike ? autotune__joined((const char *)parent, name) : NULL,
         *input AUTOTUNE__OWNED = folder ? autotune__joined(folder, "input") : NULL;
    const char *why;
    const int file AUTOTUNE__CLOSED = input && autotune__is_own_folder(folder)
                                          ? autotune__open_ours(input, AUTOTUNE__READ | AUTOTUNE__WRITE, &why) : -1;
    autotune__file_facts facts;
    if (autotune__facts_of_file(file, &facts) && facts.modified_ns / 1000000000 < autotune__calendar_seconds() - 60 &&
        autotune__lock_at(file, 0) == AUTOTUNE__HELD)
        autotune__cc_remove_folder(folder);
}
static void autotune__cc_sweep(void) {
    autotune__walk_folder(autotune__cc_parent(), autotune__cc_sweep_folder, (void *)(uintptr_t)autotune__cc_parent());
}
/* Makes a folder that this user alone can read, and in it a file with the source. This file is empty if the source is a
   file already. Returns true if all files were made; else `why` has the reason, or is NULL: no memory. */
static bool autotune__cc_make_files(autotune__cc_run *run, const char *source, const char **why) {
    char name[64];
    autotune__put_text(name, sizeof name, "autotune-%llu-%016llx", (unsigned long long)autotune__process_number(),
                       (unsigned long long)autotune__hash_word(autotune__wait_clock(), (uint64_t)(uintptr_t)run));
    run->folder = autotune__joined(autotune__cc_parent(), name);
    run->input = run->folder ? autotune__joined(run->folder, "input") : NULL;
    if (!run->input) return false;
    run->made = autotune__make_folder(run->folder);
    if (run->made) run->lock = autotune__open_file(run->input, AUTOTUNE__WRITE | AUTOTUNE__NEW | AUTOTUNE__NO_LINK);
    if (run->lock >= 0) (void)autotune__lock_at(run->lock, 0);
    if (run->lock >= 0 && autotune__fits(0, strlen(source)) &&
        autotune__write_all(run->lock, source, strlen(source))) return true;
    *why = strerror(errno);
    return false;
}
static void autotune__cc_remove_files(autotune__cc_run *run) {
    if (run->made) autotune__cc_remove_folder(run->folder);
    autotune__close_file(run->lock);
    autotune__free(run->folder);
    autotune__free(run->input);
}
static char *autotune__cc_read_made(const autotune__cc_run *run, const char *name, size_t *bytes) {     /* NULL: none */
    const char *why;
    char *path AUTOTUNE__OWNED = autotune__joined(run->folder, name);
    return path ? autotune__read_path(path, bytes, &why) : NULL;
}

/* ---- The compiler ---- */

/* Reads the output of the compiler, and keeps its first 64 KiB, or up to 4 KiB more. */
static void autotune__cc_read_output(autotune__text *printed, const autotune__child *compiler) {
    char bytes[4096];
    size_t got;
    while ((got = autotune__read_reports(compiler, bytes, sizeof bytes)) > 0)
        if (autotune__count(printed->at) < 65536) autotune__append(printed, "%.*s", (int)got, bytes);
}
/* Waits until the compiler ends, is late, or is unwanted. Then ends the compiler and all programs that it started. */
static void autotune__cc_await_compiler(autotune__cc_run *run, autotune__child *compiler) {
    const uint64_t began = autotune__wait_clock();
    bool ended, late;
    do {
        if (autotune__await_child(compiler, 5)) autotune__sleep_ns(500000);     /* it may close its pipe first */
        ended = autotune__child_has_ended(compiler);
        late = (double)(autotune__wait_clock() - began) > run->limits->seconds * 1e9;
        autotune__cc_read_output(&run->printed, compiler);
    } while (!ended && !late && !autotune__is_unwanted(run->limits));
    run->end = autotune__end_child(compiler, !ended);
}
/* Makes the whole command line. Returns true unless there is no memory. */
static bool autotune__cc_write_line(autotune__text *line, const autotune__cc_run *run,
                                    const autotune__cc_command *command, const autotune__program *program) {
    const char *at, *const folder = run->folder;
    autotune__append(line, "%s%c", command->path, 0);
    AUTOTUNE__EACH_OPTION(at, &command->compiler) if (at > command->compiler.at) autotune__append(line, "%s%c", at, 0);
    if (program->declared->text) autotune__append(line, "-x%cc%c", 0, 0);
    for (at = autotune__cc_own_options; *at; at += strlen(at) + 1) autotune__append(line, "%s%c", at, 0);
    AUTOTUNE__EACH_OPTION(at, &command->options) autotune__append(line, "%s%c", at, 0);
    autotune__append(line, "-MD%c-MF%c%s/rule%c-o%c%s/made%c%s%c", 0, 0, folder, 0, 0, folder, 0,
                     program->declared->text ? "-" : program->declared->file, 0);
    AUTOTUNE__EACH_OPTION(at, &command->libraries) autotune__append(line, "%s%c", at, 0);
    return !line->broken;
}
/* Copies the variables of this process, and changes two. LC_ALL makes the messages English, so that errors are found.
   TMPDIR puts the compiler's own files into our folder. Returns true unless there is no memory. */
static bool autotune__cc_gather_settings(const char ***settings, autotune__text *own, const char *folder) {
    char *const *at;
    bool complete = AUTOTUNE__PUSH(*settings, "LC_ALL=C");
    autotune__append(own, "TMPDIR=%s", folder);
    for (at = autotune__all_variables(); complete && *at; at++)
        if (strncmp(*at, "LC_ALL=", 7) && strncmp(*at, "TMPDIR=", 7)) complete = AUTOTUNE__PUSH(*settings, *at);
    return complete && !own->broken && AUTOTUNE__PUSH(*settings, own->at) && AUTOTUNE__PUSH(*settings, NULL);
}
/* Runs the compiler to its end. Returns false if there is no memory, or if the compiler did not start. `why` then has
   the reason, or is NULL. */
static bool autotune__cc_run_compiler(autotune__cc_run *run, const autotune__cc_command *command,
                                      const autotune__program *program, const char **why) {
    autotune__text line AUTOTUNE__FREED = { NULL, false }, own AUTOTUNE__FREED = { NULL, false };
    const char **words = NULL, **settings = NULL, *at;
    autotune__child compiler;
    bool complete = autotune__cc_write_line(&line, run, command, program) &&
                    autotune__cc_gather_settings(&settings, &own, run->folder), started;
    AUTOTUNE__EACH_OPTION(at, &line) complete = complete && AUTOTUNE__PUSH(words, at);
    complete = complete && AUTOTUNE__PUSH(words, NULL);
    started = complete && autotune__start_program(&compiler, words, settings, run->input, why);
    if (started) autotune__cc_await_compiler(run, &compiler);
    AUTOTUNE__FREE_ARRAY(settings);
    AUTOTUNE__FREE_ARRAY(words);
    return started;
}
/* Appends the text of compilation->symbol: the digest of the dependencies, and the folders of the headers. Returns
   true if the dependencies decide the code completely. */
static bool autotune__cc_describe(autotune__text *symbol, const autotune__cc_run *run,
                                  const autotune__cc_command *command, const autotune__program *program) {
    autotune__scan scan = autotune__cc_follow(command, program, autotune__cc_read_folders(run->printed.at));
    size_t bytes;
    char *rule AUTOTUNE__OWNED = autotune__cc_read_made(run, "rule", &bytes);
    const bool tells_all = autotune__cc_is_simple(command, program->compiler) &&
                           autotune__cc_followed_all(&scan, rule, run->began_ns) &&
                           !autotune__cc_brings_more(autotune__source_of(program));
    const char *folder;
    autotune__append(symbol, "%s ", autotune__name_image(program->compiler, &scan.digest).at);
    AUTOTUNE__EACH_OPTION(folder, &scan.folders) autotune__append(symbol, "%s ", folder);
    autotune__free_scan(&scan);
    return tells_all;
}
/* Makes the image from the file that the compiler wrote. */
static void autotune__cc_take_made(autotune__compilation *compilation, const autotune__cc_run *run,
                                   const autotune__cc_command *command) {
    autotune__text symbol AUTOTUNE__FREED = { NULL, false };
    size_t bytes = 0;
    char *made AUTOTUNE__OWNED = autotune__cc_read_made(run, "made", &bytes);
    compilation->unsettled = !autotune__cc_describe(&symbol, run, command, compilation->program);
    if (made) autotune__cc_read_version(compilation, made, bytes);
    if (!made || !bytes) autotune__refuse(compilation, "the compiler made no file");
    else if (!symbol.broken && autotune__take_room(compilation, bytes, symbol.at)) {
        memcpy(compilation->image, made, bytes);
        compilation->progress = AUTOTUNE__CODE_MADE;
    }
}
/* The compiler first prints its search folders. Returns the output behind this list if that output has an error. Else
   returns the whole output. */
static const char *autotune__cc_messages(const char *printed) {
    const char *const end = printed ? strstr(printed, autotune__cc_folders_end) : NULL;
    return end && strstr(end, "rror") ? end + sizeof autotune__cc_folders_end : printed;
}
/* Called when the compiler has ended. If this process waits for all its children, it may have received the compiler's
   exit status elsewhere. The output file then shows if the compiler succeeded. */
static void autotune__cc_take_end(autotune__compilation *compilation, const autotune__cc_run *run,
                                  const autotune__cc_command *command) {
    const autotune__fate how = run->end.how;
    char otherwise[64];
    autotune__put_text(otherwise, sizeof otherwise, "the compiler %s %d",
                       how == AUTOTUNE__EXITED ? "ended with status" : "was killed by signal", run->end.number);
    if (how == AUTOTUNE__END_LOST || (how == AUTOTUNE__EXITED && !run->end.number))
        autotune__cc_take_made(compilation, run, command);
    else if (how != AUTOTUNE__STILL_RUNNING)
        autotune__refuse_by_log(compilation, autotune__cc_messages(run->printed.at), otherwise);
    else if (!autotune__is_unwanted(run->limits))
        autotune__refuse(compilation, "does not compile: the compiler did not end within %g s, .compile_timeout",
                         run->limits->seconds);
}
static void autotune__cc_compile_with(autotune__compilation *compilation, const autotune__cc_command *command,
                                      const autotune__compile_limits *limits) {
    static autotune__once swept = AUTOTUNE__ONCE;
    autotune__cc_run run = { limits, NULL, NULL, -1, false, autotune__calendar_seconds() * 1000000000,
                             { NULL, false }, { AUTOTUNE__END_LOST, 0 } };
    const char *const source = compilation->program->declared->text, *why = NULL;
    autotune__run_once(&swept, autotune__cc_sweep);
    if (!autotune__cc_make_files(&run, source ? source : "", &why) && why)
        autotune__refuse(compilation, "no file can be made, by TMPDIR or /tmp: %s: %s", why, autotune__cc_parent());
    else if (run.lock >= 0 && autotune__cc_run_compiler(&run, command, compilation->program, &why))
        autotune__cc_take_end(compilation, &run, command);
    else if (why) autotune__refuse(compilation, "the compiler %s does not start: %s", command->path, why);
    autotune__free_text(&run.printed);
    autotune__cc_remove_files(&run);
}
static void autotune__cc_compile(autotune__compilation *compilation, const autotune__target *target,
                                 const autotune__compile_limits *limits) {
    const char *const obstacle = autotune__cannot_load();
    autotune__cc_command command;
    (void)target;                               /* the target is this process */
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

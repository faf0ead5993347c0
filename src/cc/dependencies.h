/* Dependencies of an image: the files that decide the image, and files that would decide it if they were there. The
   symbol of the image has these files, each with its size and time, and behind them the compiler's version. The
   compiler's own lists name them: -MD lists headers, and -Wp,-v the folders that the compiler searches for headers. The
   compiler takes the first header of a name: one that appears in a folder before changes the code. Words and sources
   that may bring in files beside these lists are compiled in every run. */
#pragma once
#include <stdio.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "command.h"

/* ---- Words ---- */

/* Returns true if -l with this name may copy machine code, as that of an archive. The system has some libraries as
   shared ones, of which no code is copied; LIBRARY_PATH may lead to others. */
static bool autotune__cc_copies_library(const char *name) {
    static const char shared[] = " m c dl rt pthread gomp atomic stdc++ gfortran quadmath mvec ";
    char word[64];
    return (size_t)snprintf(word, sizeof word, " %s ", name) >= sizeof word || !strstr(shared, word) ||
           autotune__variable("LIBRARY_PATH");
}
/* Returns true if the lists name all files that these words bring in. programs: words without a dash are programs. */
static bool autotune__cc_lists_words(const autotune__compiler *compiler, const autotune__text *words, bool programs) {
    const char *word, *value = NULL, *equals;
    autotune__file_facts facts;
    AUTOTUNE__EACH_OPTION(word, words)
        if (word != value && !(programs && *word != '-') &&
            (autotune__read_option(compiler, word, &value) == AUTOTUNE__OPTION_FILE ||
             (!strncmp(word, "-f", 2) && (equals = strchr(word, '=')) != NULL &&
              autotune__facts_of_path(equals + 1, &facts)) ||
             (!strncmp(word, "-l", 2) && autotune__cc_copies_library(word + 2)))) return false;
    return true;
}
static bool autotune__cc_lists_all(const autotune__cc_command *command, const autotune__compiler *compiler) {
    return !autotune__variable("COMPILER_PATH") && !autotune__variable("GCC_EXEC_PREFIX") &&
           !autotune__variable("CCC_OVERRIDE_OPTIONS") &&
           autotune__cc_lists_words(compiler, &command->compiler, true) &&
           autotune__cc_lists_words(compiler, &command->options, false) &&
           autotune__cc_lists_words(compiler, &command->libraries, false);
}

/* ---- Files ---- */

typedef struct autotune__cc_dependencies {
    const autotune__program *program;
    int64_t began_ns;                           /* when the compilation began, since 1970 */
    autotune__text files;                       /* each is "size time path|"; "0 0 path|": it is not there */
    bool settled;                               /* the lists name all, and no file may have changed since */
} autotune__cc_dependencies;

/* Adds a file, whether it is there or not. folder: "": the name is a path. */
static void autotune__cc_add_file(autotune__cc_dependencies *found, const char *folder, const char *name) {
    autotune__text path AUTOTUNE__FREED = { NULL, false };
    autotune__file_facts facts;
    autotune__append(&path, "%s%s%s", folder, *folder ? "/" : "", name);
    (void)autotune__facts_of_path(autotune__string(&path), &facts);
    autotune__append(&found->files, "%lu %lld %s|", (unsigned long)facts.bytes, (long long)facts.modified_ns,
                     autotune__string(&path));
    if (path.broken || strchr(path.at, '|') || facts.modified_ns >= found->began_ns - 2000000000)
        found->settled = false;
}
/* Adds the compiler, and the programs behind its name, as in "ccache gcc". */
static void autotune__cc_add_programs(autotune__cc_dependencies *found, const autotune__cc_command *command) {
    const char *word;
    char path[1024];
    autotune__cc_add_file(found, "", command->path);
    AUTOTUNE__EACH_OPTION(word, &command->compiler) {
        if (word == command->compiler.at || *word == '-') continue;
        if (autotune__cc_find_program(word, path, sizeof path)) autotune__cc_add_file(found, "", path);
        else found->settled = false;
    }
}
/* Reads the folders that the compiler prints: it searches them for headers, in this order. Each gets its zero. A folder
   that is not there is added as a file: the compiler searches it once it is there. */
static const char autotune__cc_folders_end[] = "End of search list.";
static void autotune__cc_read_folders(autotune__cc_dependencies *found, autotune__text *folders, const char *printed) {
    const char *at = printed, *feed;
    char path[1024] = "";
    for (; at && strncmp(at, autotune__cc_folders_end, sizeof autotune__cc_folders_end - 1);
         at = (feed = strchr(at, '\n')) != NULL ? feed + 1 : NULL) {
        if (sscanf(at, "ignoring nonexistent directory \"%1023[^\"\n]", path) == 1)
            autotune__cc_add_file(found, "", path);
        else if (at[0] == ' ' && at[1] != ' ' && sscanf(at, " %1023[^\n]", path) == 1)
            autotune__append(folders, "%s%c", path, 0);
        if (strlen(path) + 1 == sizeof path) found->settled = false;        /* it may be cut */
    }
    if (!at || folders->broken) found->settled = false;
}
static bool autotune__cc_is_at(const char *path, const autotune__file_facts *facts) {
    autotune__file_facts there;
    return autotune__facts_of_path(path, &there) && autotune__is_same_id(there.id, facts->id);
}
/* Adds the paths at which the compiler would find another header in the place of this one, in the folders before.
   Returns false if no folder that is searched has this header. */
static bool autotune__cc_add_passed(autotune__cc_dependencies *found, const autotune__text *folders, const char *path) {
    size_t end = strlen(path) + 1;              /* of the folder; the innermost one comes first */
    while (end--) {
        autotune__text start AUTOTUNE__FREED = { NULL, false };
        const char *folder, *passed;
        autotune__file_facts facts;
        if (end && path[end] != '/') continue;
        autotune__append(&start, "%.*s", end ? (int)end : 1, end || *path == '/' ? path : ".");
        (void)autotune__facts_of_path(autotune__string(&start), &facts);
        AUTOTUNE__EACH_OPTION(folder, folders) if (autotune__cc_is_at(folder, &facts)) break;
        if (!folder || folder == folders->at + autotune__count(folders->at)) continue;
        AUTOTUNE__EACH_OPTION(passed, folders)
            if (passed < folder) autotune__cc_add_file(found, passed, path + end + (path[end] == '/'));
        return true;
    }
    return false;
}
/* Returns true if the digest has the content of the file. */
static bool autotune__cc_is_own_file(const autotune__program *program, const autotune__file_facts *facts) {
    const autotune__scan *scan = program->reading.scan;
    size_t i;
    for (i = 0; scan && i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].facts.id, facts->id)) return true;
    return false;
}
/* Adds the headers for which a text asks by __has_include, wherever they may be. */
static void autotune__cc_add_asked(autotune__cc_dependencies *found, const autotune__text *folders, const char *text) {
    static const char asks[] = "__has_include";
    const char *at = text, *end, *folder;
    char name[256];
    while ((at = strstr(at, asks)) != NULL) {
        at += sizeof asks - 1;
        at = autotune__skip_blanks(at + (strncmp(at, "_next", 5) ? 0 : 5));
        if (*at != '(') continue;               /* as in defined(__has_include) */
        at = autotune__skip_blanks(at + 1);
        end = *at == '<' ? strpbrk(at, ">\n") : *at == '"' ? strpbrk(at + 1, "\"\n") : NULL;
        if (!end || (size_t)snprintf(name, sizeof name, "%.*s", (int)(end - at - 1), at + 1) >= sizeof name)
            found->settled = false;
        else AUTOTUNE__EACH_OPTION(folder, folders) autotune__cc_add_file(found, folder, name);
    }
}
/* Returns true if a text may bring in files that the lists do not name. Fortran reads a file for `use values`, but not
   for its own modules. */
static bool autotune__cc_brings_more(const autotune__program *program, const char *text) {
    static const char *const words[] = { "incbin", "embed", "__has_embed", "submodule", "SUBMODULE", "USE", "Use" };
    const char *at, *const suffix = strrchr(autotune__path_of(program), '.');
    const bool is_fortran = suffix && (suffix[1] | 32) == 'f';
    bool more = strstr(text, ".include") != NULL;
    size_t i;
    for (i = 0; i < (is_fortran ? 7u : 3u); i++)
        more = more || autotune__has_word(text, strlen(text), words[i], strlen(words[i]));
    for (at = text; is_fortran && (at = strstr(at, "use")) != NULL; at += 3)
        more = more || ((at == text || !autotune__is_word(at[-1])) && !autotune__is_word(at[3]) &&
                        strncmp(at + 3, " iso_c_binding", 14) && strncmp(at + 3, " iso_fortran_env", 16) &&
                        strncmp(at + 3, ", intrinsic", 11));
    return more;
}
/* Adds what a text brings in. */
static void autotune__cc_look_into(autotune__cc_dependencies *found, const autotune__text *folders, const char *text) {
    if (autotune__cc_brings_more(found->program, text)) found->settled = false;
    autotune__cc_add_asked(found, folders, text);
}
/* Adds a file that the compiler read. The source is no other one than the library read. */
static void autotune__cc_add_read(autotune__cc_dependencies *found, const autotune__text *folders, const char *path) {
    const char *why, *const source = autotune__source_of(found->program);
    size_t bytes;
    char *text AUTOTUNE__OWNED = autotune__read_path(path, &bytes, &why);
    autotune__file_facts facts;
    const bool is_there = autotune__facts_of_path(path, &facts) && text && strlen(text) == bytes,
               is_source = autotune__cc_is_at(autotune__path_of(found->program), &facts),
               own = is_source || autotune__cc_is_own_file(found->program, &facts);
    if (!own) autotune__cc_add_file(found, "", path);
    if (!is_there || (is_source && strcmp(text, source)) || (!autotune__cc_add_passed(found, folders, path) && !own))
        found->settled = false;
    if (is_there) autotune__cc_look_into(found, folders, text);
}
/* The next file in what -MD writes, a rule of make. NULL: there is none. */
static const char *autotune__cc_next_read(const char *at, autotune__text *path) {
    autotune__clear_text(path);
    at += strspn(at, " \\\r\n");                /* no path begins with a backslash */
    for (; *at && !strchr(" \r\n", *at); at++) {
        if ((*at == '\\' && at[1] && strchr(" #\\", at[1])) || (*at == '$' && at[1] == '$')) at++;
        autotune__append(path, "%c", *at);
    }
    return autotune__has_text(path) ? at : NULL;
}
/* Adds what a compilation read, as -MD told it in `rule`, with the folders that the compiler printed. */
static void autotune__cc_gather_read(autotune__cc_dependencies *found, const autotune__cc_command *command,
                                     const char *rule, const char *printed) {
    static const char made[] = "/made:";        /* behind it clang names nothing where nothing was read */
    autotune__text path AUTOTUNE__FREED = { NULL, false }, folders AUTOTUNE__FREED = { NULL, false };
    const char *at = rule ? strstr(rule, made) : NULL;
    found->settled = at && autotune__cc_lists_all(command, found->program->compiler);
    autotune__cc_add_programs(found, command);
    autotune__cc_read_folders(found, &folders, printed);
    autotune__cc_look_into(found, &folders, autotune__source_of(found->program));
    for (at = at ? at + strlen(made) : NULL; at && (at = autotune__cc_next_read(at, &path)) != NULL; )
        autotune__cc_add_read(found, &folders, autotune__string(&path));
    if (path.broken) found->settled = false;
}
/* Who made the code? The compiler says it there; what clang makes may say both. */
static void autotune__cc_read_version(autotune__compilation *compilation, const char *image, size_t bytes) {
    size_t at = 0;
    while (at + 64 < bytes && memcmp(image + at, "clang version ", 14) && memcmp(image + at, "GCC: ", 5)) at++;
    autotune__put_text(compilation->version, sizeof compilation->version, "%s", at + 64 < bytes ? image + at : "C");
}
/* Returns true if the files of an image are as they were, and the compiler would be the same. Where no compiler is, a
   file that is not there says nothing: an image is meant to answer there. */
static bool autotune__cc_still_holds(autotune__compilation *compilation) {
    const char *at = compilation->symbol;
    autotune__cc_dependencies programs = { compilation->program, 0, { NULL, false }, false };
    autotune__cc_command command;
    bool holds = autotune__cc_make_command(&command, compilation) &&
                 autotune__cc_lists_all(&command, compilation->program->compiler);
    const char *end;
    autotune__cc_add_programs(&programs, &command);
    holds = holds && !programs.files.broken && (!*command.path || !strncmp(at, autotune__string(&programs.files),
                                                 autotune__count(programs.files.at)));
    for (; holds && (end = strchr(at, '|')) != NULL; at = end + 1) {
        char path[1024], *next;
        const unsigned long bytes = strtoul(at, &next, 10);
        const long long modified_ns = strtoll(next, &next, 10);
        autotune__file_facts facts;
        holds = (size_t)snprintf(path, sizeof path, "%.*s", (int)(end - next - 1), next + 1) < sizeof path &&
                ((!autotune__facts_of_path(path, &facts) && !*command.path) ||
                 (facts.bytes == bytes && facts.modified_ns == modified_ns));
    }
    autotune__free_text(&programs.files);
    autotune__cc_free_command(&command);
    autotune__put_text(compilation->version, sizeof compilation->version, "%s", at);
    return holds && *at;
}

/* What a program reads: its #include lines that name a file are followed. Of what such a line may bring in every file
   counts that could be meant: whatever lies under that name beside the file that includes it, in the working directory,
   and in each folder that an option names. So the order in which the compiler looks does not matter, and a file that
   was looked for and was not there tells by appearing that the scan no longer holds. What is included in any other way
   cannot be seen: then the program's machine code is not kept on disk. */
#pragma once
#include <stdio.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "digest.h"
#include "compiler.h"

/* beyond, the digest does not see all */
enum { AUTOTUNE__MOST_LOOKED_FOR = 16384, AUTOTUNE__MOST_INCLUDED_BYTES = 64 << 20 };
typedef struct autotune__looked_for {           /* a file */
    char *path;
    autotune__file_facts facts;                 /* all 0: it is not there */
    autotune__file_id folder;                   /* a link's is not its file's, and what it includes lies there */
    char *text;                                 /* NULL: not there, or read before by another path */
} autotune__looked_for;
typedef struct autotune__scan {
    autotune__digest digest;
    uint64_t code;                              /* a hash of the same, without comments and blanks of the source */
    bool blind;                                 /* something that decides the code cannot be seen */
    const autotune__program *program;           /* whose options name folders to look into */
    autotune__looked_for *files;
    size_t bytes;
} autotune__scan;

static const char *autotune__skip_blanks(const char *at) { return at + strspn(at, " \t"); }
static const char *autotune__base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
static autotune__file_id autotune__folder_of(char *path) {
    char *const base = path + (autotune__base_name(path) - path), first = *base;
    autotune__file_facts facts;
    *base = 0;
    (void)autotune__facts_of_path(*path ? path : ".", &facts);
    *base = first;
    return facts.id;
}
/* In the same folder, however the path is written. */
static bool autotune__was_read(const autotune__scan *scan, const autotune__looked_for *file) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].folder, file->folder) &&
            !strcmp(autotune__base_name(scan->files[i].path), autotune__base_name(file->path))) return true;
    return false;
}
static void autotune__read_included(autotune__scan *scan, autotune__looked_for *file) {
    const char *why;
    size_t bytes = 0;
    file->folder = autotune__folder_of(file->path);
    if (autotune__was_read(scan, file) || !(file->text = autotune__read_path(file->path, &bytes, &why))) return;
    autotune__digest_bytes(&scan->digest, file->text, bytes);
    scan->code = autotune__hash_more(scan->code, file->text, bytes);
    scan->bytes += bytes;
    if (strlen(file->text) < bytes || scan->bytes > AUTOTUNE__MOST_INCLUDED_BYTES)  /* nothing behind a zero is seen */
        scan->blind = true;
}
static void autotune__scan_file(autotune__scan *scan, const char *folder, size_t folder_length, const char *name,
                                size_t length) {
    const size_t room = folder_length + length + 2, count = autotune__count(scan->files);
    autotune__looked_for file;
    size_t i;
    memset(&file, 0, sizeof file);
    if (scan->blind) return;
    if (!(file.path = (char *)autotune__allocate(room))) { scan->blind = true; return; }
    if (*name == '/') autotune__put_text(file.path, room, "%.*s", (int)length, name);
    else autotune__put_text(file.path, room, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
    for (i = 0; i < count && strcmp(scan->files[i].path, file.path); i++) {}
    if (i == count) {
        if (autotune__facts_of_path(file.path, &file.facts)) autotune__read_included(scan, &file);
        if (count < AUTOTUNE__MOST_LOOKED_FOR && AUTOTUNE__PUSH(scan->files, file)) return;
        scan->blind = true;
    }
    autotune__free(file.text);
    autotune__free(file.path);
}
static void autotune__scan_name(autotune__scan *scan, const char *includer, const char *name, size_t length) {
    const size_t beside = (size_t)(autotune__base_name(includer) - includer);
    size_t folder_length;
    const char *const *variable = scan->program->compiler->variables, *option, *folder;
    autotune__digest_bytes(&scan->digest, name, length);
    scan->code = autotune__hash_more(scan->code, name, length);
    if (beside) autotune__scan_file(scan, includer, beside, name, length);
    autotune__scan_file(scan, ".", 1, name, length);
    AUTOTUNE__EACH_OPTION(option, &scan->program->options)
        if (autotune__read_option(scan->program->compiler, option, &folder) == AUTOTUNE__OPTION_FOLDER)
            autotune__scan_file(scan, folder, strlen(folder), name, length);
    for (; variable && *variable; variable++)
        AUTOTUNE__EACH_FOLDER(folder, folder_length, autotune__variable(*variable))
            autotune__scan_file(scan, folder, folder_length, name, length);
}
/* Looks for every "name" and <name> behind the word include, in directives and in __has_include. A directive that has
   neither includes what cannot be seen. */
static void autotune__scan_text(autotune__scan *scan, const char *text, const char *path) {
    const char *at = text, *word, *end;
    while (!scan->blind && (word = strstr(at, "include")) != NULL) {
        at = autotune__skip_blanks(word + (strncmp(word + 7, "_next", 5) ? 7 : 12));
        if (*at == '(') at = autotune__skip_blanks(at + 1);
        end = *at == '<' ? strpbrk(at, ">\n") : *at == '"' ? strpbrk(at + 1, "\"\n") : NULL;
        if (end && *end != '\n') autotune__scan_name(scan, path, at + 1, (size_t)(end - at - 1));
        else {
            while (word > text && (word[-1] == ' ' || word[-1] == '\t')) word--;
            scan->blind = word > text && word[-1] == '#';
        }
    }
}
static const char *autotune__path_of(const autotune__program *program) {        /* of its source; "": it has none */
    return program->declared->file ? program->declared->file : "";
}
/* Of a program that has source: its options, its text or file, and what these include. Files that options name are not
   looked into. Where a folder lies does not count. */
static void autotune__scan_source(autotune__scan *scan, const autotune__program *program) {
    const char *text = autotune__source_of(program), *option, *value = NULL;
    bool reads_files = false;
    size_t i;
    memset(scan, 0, sizeof *scan);
    scan->program = program;
    AUTOTUNE__EACH_OPTION(option, &program->options) {
        const autotune__option_kind kind =
            option == value ? AUTOTUNE__OPTION_OTHER : autotune__read_option(program->compiler, option, &value);
        reads_files = reads_files || kind == AUTOTUNE__OPTION_FILE;
        if (kind != AUTOTUNE__OPTION_FOLDER) autotune__digest_string(&scan->digest, option);
    }
    scan->code = autotune__hash_code(scan->digest.word[0], text);
    autotune__digest_string(&scan->digest, text);
    autotune__scan_text(scan, text, autotune__path_of(program));
    for (i = 0; i < autotune__count(scan->files); i++)              /* which grow meanwhile */
        if (scan->files[i].text) autotune__scan_text(scan, scan->files[i].text, scan->files[i].path);
    scan->blind = scan->blind || reads_files;
}
static void autotune__free_scan(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) {
        autotune__free(scan->files[i].text);
        autotune__free(scan->files[i].path);
    }
    AUTOTUNE__FREE_ARRAY(scan->files);
}
/* Would a scan find now what this one found? No file is read for that. */
static bool autotune__still_holds(const autotune__scan *scan) {
    autotune__file_facts facts;
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) {
        const autotune__file_facts *known = &scan->files[i].facts;
        (void)autotune__facts_of_path(scan->files[i].path, &facts);
        if (!autotune__is_same_id(facts.id, known->id) || facts.bytes != known->bytes ||
            facts.modified_ns != known->modified_ns) return false;
    }
    return true;
}
/* Of the machine code of one kernel, compiled for this target with these options. False: what decides it cannot all be
   seen, or has changed since the program was read. */
static bool autotune__digest_code(autotune__digest *digest, const autotune__compilation *compilation,
                                  const autotune__target *target, const autotune__text *options) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->reading.scan;
    const char *option;
    const char *const *variable = target->compiler->variables;
    if (!scan || (scan->blind && !target->compiler->still_holds) || !autotune__still_holds(scan)) return false;
    memset(digest, 0, sizeof *digest);
    if (target->compiler->identify) target->compiler->identify(digest);
    for (; variable && *variable; variable++) {
        const char *const value = autotune__variable(*variable);
        autotune__digest_string(digest, value ? value : "");
    }
    autotune__digest_string(digest, target->architecture);
    autotune__digest_string(digest, autotune__path_of(program));        /* __FILE__ */
    autotune__digest_string(digest, compilation->name);
    AUTOTUNE__EACH_OPTION(option, options) autotune__digest_string(digest, option);
    autotune__digest_bytes(digest, &scan->digest, sizeof scan->digest);
    return true;
}

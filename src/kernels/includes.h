/* What a program includes: every file that its source may bring in is found and read. Of what #include may bring in
   every file counts that could be meant: whatever lies under that name beside the file that includes it, in the working
   directory, and in each folder that an option names. So the order in which the compiler looks does not matter, and a
   file that is found nowhere changes the digest when it appears. */
#pragma once
#include <stdio.h>
#include "../system/files.h"
#include "../system/clock.h"
#include "../base/memory.h"
#include "../base/read_files.h"
#include "../base/text.h"
#include "digest.h"
#include "compiler.h"

/* beyond, the digest does not see all */
enum { AUTOTUNE__MOST_INCLUDED = 4096, AUTOTUNE__MOST_INCLUDED_BYTES = 64 << 20 };
typedef struct autotune__looked_into {          /* a folder; without facts if it is not there */
    char *path;
    autotune__file_facts facts;
} autotune__looked_into;
typedef struct autotune__included {             /* a file that was read; which one it is, however its path is written */
    autotune__file_id folder;
    autotune__file_facts facts;
    char *path, *text;                          /* text: NULL once its words are known */
} autotune__included;
typedef struct autotune__scan {
    autotune__digest digest;
    bool blind;                                 /* something that decides the code cannot be seen */
    bool unsettled;                             /* a file or folder may change without another time of modification */
    int64_t began_ns;                           /* since 1970 */
    const autotune__program *program;           /* whose options name folders to look into */
    autotune__looked_into *looked_into;
    autotune__included *included;
    size_t bytes;
} autotune__scan;

static const char *autotune__skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') at++;
    return at;
}
static const char *autotune__base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
/* Times of modification have steps, of 2 s at most. What was modified so shortly before it was read may be modified
   again in the same step. */
static void autotune__note_time(autotune__scan *scan, const autotune__file_facts *facts) {
    if (facts->modified_ns > scan->began_ns - 2000000000) scan->unsettled = true;
}
static void autotune__find_facts(const char *path, autotune__file_facts *facts) {           /* all 0: it is not there */
    if (!autotune__facts_of_path(path, facts)) memset(facts, 0, sizeof *facts);
}
/* NULL: no memory */
static const autotune__looked_into *autotune__look_into(autotune__scan *scan, const char *path) {
    const size_t count = autotune__count(scan->looked_into);
    autotune__looked_into folder;
    size_t i;
    for (i = 0; i < count; i++) if (!strcmp(scan->looked_into[i].path, path)) return &scan->looked_into[i];
    autotune__find_facts(path, &folder.facts);
    autotune__note_time(scan, &folder.facts);
    if ((folder.path = autotune__copy_string(path)) && AUTOTUNE__PUSH(scan->looked_into, folder))
        return &scan->looked_into[count];
    autotune__free(folder.path);
    return NULL;
}
/* True: the path is the scan's. Else the file was read already, or cannot be. */
static bool autotune__include_file(autotune__scan *scan, autotune__file_id folder, char *path) {
    const size_t count = autotune__count(scan->included);
    autotune__included file;
    const char *why;
    size_t i, bytes = 0;
    memset(&file, 0, sizeof file);
    file.folder = folder;
    file.path = path;
    for (i = 0; i < count; i++)
        if (autotune__is_same_id(scan->included[i].folder, folder) &&
            !strcmp(autotune__base_name(scan->included[i].path), autotune__base_name(path))) return false;
    if (!autotune__facts_of_path(path, &file.facts) || !(file.text = autotune__read_path(path, &bytes, &why)))
        return false;
    autotune__note_time(scan, &file.facts);
    autotune__digest_bytes(&scan->digest, file.text, bytes);
    scan->bytes += bytes;
    if (strlen(file.text) < bytes) scan->blind = true;              /* what stands behind a zero is not scanned */
    if (count < AUTOTUNE__MOST_INCLUDED && scan->bytes <= AUTOTUNE__MOST_INCLUDED_BYTES &&
        AUTOTUNE__PUSH(scan->included, file))
        return true;
    scan->blind = true;
    autotune__free(file.text);
    return false;
}
static void autotune__scan_file(autotune__scan *scan, const char *folder, size_t folder_length, const char *name,
                                size_t length) {
    const size_t room = folder_length + length + 2;
    const autotune__looked_into *where;
    char *path = (char *)autotune__allocate(room), *base, first;
    if (!path) { scan->blind = true; return; }
    if (*name == '/') snprintf(path, room, "%.*s", (int)length, name);
    else snprintf(path, room, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
    base = path + (autotune__base_name(path) - path);
    first = *base;
    *base = 0;                                  /* its folder, which tells one path from another way to write it */
    where = autotune__look_into(scan, *path ? path : ".");
    *base = first;
    if (!where) scan->blind = true;
    if (!where || !where->facts.is_folder || !autotune__include_file(scan, where->facts.id, path)) autotune__free(path);
}
static void autotune__scan_name(autotune__scan *scan, const char *includer, const char *name, size_t length) {
    const size_t beside = (size_t)(autotune__base_name(includer) - includer);
    const char *option, *folder;
    autotune__digest_bytes(&scan->digest, name, length);
    if (beside) autotune__scan_file(scan, includer, beside, name, length);
    autotune__scan_file(scan, ".", 1, name, length);
    AUTOTUNE__EACH_OPTION(option, &scan->program->options)
        if (autotune__read_option(scan->program->compiler, option, &folder) == AUTOTUNE__OPTION_FOLDER)
            autotune__scan_file(scan, folder, strlen(folder), name, length);
}
static const char *autotune__find_include(const char *text) {      /* in capitals, too; NULL: there is no other */
    static const char lower[] = "include", upper[] = "INCLUDE";
    size_t i;
    for (; (text = strpbrk(text, "iI")) != NULL; text++) {
        for (i = 0; lower[i] && (text[i] == lower[i] || text[i] == upper[i]); i++) {}
        if (!lower[i]) break;
    }
    return text;
}
/* May the word at `at` be that of a directive? Then a # stands before it, however that is spelled, or a comment ends
   there, before which a # may stand. */
static bool autotune__is_directive(const char *text, const char *at) {
    static const char *const before[] = { "#", "%:", "?\?=", "*/" };
    size_t i;
    while (at > text && (at[-1] == ' ' || at[-1] == '\t')) at--;
    for (i = 0; i < sizeof before / sizeof *before; i++) {
        const size_t length = strlen(before[i]);
        if ((size_t)(at - text) >= length && !memcmp(at - length, before[i], length)) return true;
    }
    return false;
}
/* Is it __has_include(x) in the definition of a macro by whose name its uses are found? */
static bool autotune__is_wrapped(const char *text, const char *at) {
    const char *line = at, *name, *found;
    while (line > text && line[-1] != '\n') line--;
    line += strspn(line, " \t#");
    name = autotune__skip_blanks(line + 6);
    found = strncmp(line, "define", 6) ? NULL : autotune__find_include(name);
    return found && found + 7 <= name + strcspn(name, "( \t\n");
}
/* Finds every "name" and <name> behind the word include: in directives, in __has_include and macros for it, and where
   it does no harm. A directive that has no name there, but a macro, hides what it includes. */
static void autotune__scan_text(autotune__scan *scan, const char *text, const char *path) {
    char *whole = autotune__copy_string(text), *to = whole;
    const char *at;
    if (!whole) { scan->blind = true; return; }
    for (at = text; *at; at++) {                /* lines that a backslash continues are one */
        if (at[0] == '\\' && at[1] == '\n') at++;
        else if (at[0] == '\\' && at[1] == '\r' && at[2] == '\n') at += 2;
        else *to++ = *at;
    }
    *to = 0;
    for (at = whole; (at = autotune__find_include(at)) != NULL; ) {
        const char *const word = at, *end;
        const bool asked = word - whole >= 6 && !memcmp(word - 6, "__has_", 6);
        at += 7;
        if (!strncmp(at, "_next", 5)) at += 5;
        at = autotune__skip_blanks(at);
        if (*at == '(') at = autotune__skip_blanks(at + 1);
        else if (asked && strncmp(at, "/*", 2)) continue;           /* #ifdef __has_include */
        if (*at == '"' || *at == '<') {
            for (end = at + 1; *end && *end != '\n' && *end != (*at == '<' ? '>' : '"'); end++) {}
            autotune__scan_name(scan, path, at + 1, (size_t)(end - at - 1));
            at = end;
        } else if (asked ? !autotune__is_wrapped(whole, word) : *word == 'i' && autotune__is_directive(whole, word))
            scan->blind = true;
    }
    autotune__free(whole);
}
static const char *autotune__path_of(const autotune__program *program) {        /* of its source; "": it has none */
    return program->of->file ? program->of->file : "";
}
/* Of a program that has source: its options, its text or file, headers in memory, and what these include. Files that
   options name are not looked into: such code is not kept. Where a folder lies does not count. */
static void autotune__scan_source(autotune__scan *scan, const autotune__program *program) {
    const char *text = autotune__source_of(program), *option, *value;
    size_t i;
    memset(scan, 0, sizeof *scan);
    scan->began_ns = autotune__calendar_seconds() * 1000000000;
    scan->program = program;
    AUTOTUNE__EACH_OPTION(option, &program->options) {
        const autotune__option_kind kind = autotune__read_option(program->compiler, option, &value);
        if (kind == AUTOTUNE__OPTION_FILE) scan->blind = true;
        if (kind != AUTOTUNE__OPTION_FOLDER) autotune__digest_string(&scan->digest, option);
    }
    autotune__digest_string(&scan->digest, text);
    autotune__scan_text(scan, text, autotune__path_of(program));
    for (i = 0; i < autotune__count(program->header_names); i++) {
        autotune__digest_string(&scan->digest, program->header_names[i]);
        autotune__digest_string(&scan->digest, program->header_texts[i]);
        autotune__scan_text(scan, program->header_texts[i], program->header_names[i]);
    }
    for (i = 0; i < autotune__count(scan->included); i++) {         /* which grow meanwhile */
        const autotune__included file = scan->included[i];
        autotune__scan_text(scan, file.text, file.path);
    }
}
static void autotune__free_texts(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->included); i++) {
        autotune__free(scan->included[i].text);
        scan->included[i].text = NULL;
    }
}
static void autotune__free_scan(autotune__scan *scan) {
    size_t i;
    autotune__free_texts(scan);
    for (i = 0; i < autotune__count(scan->included); i++) autotune__free(scan->included[i].path);
    for (i = 0; i < autotune__count(scan->looked_into); i++) autotune__free(scan->looked_into[i].path);
    AUTOTUNE__FREE_ARRAY(scan->included);
    AUTOTUNE__FREE_ARRAY(scan->looked_into);
}
static bool autotune__has_facts(const char *path, const autotune__file_facts *known) {
    autotune__file_facts facts;
    autotune__find_facts(path, &facts);
    return autotune__is_same_id(facts.id, known->id) && facts.bytes == known->bytes &&
           facts.modified_ns == known->modified_ns;
}
/* Would a scan find now what this one found? No file is read for that: one that appears changes its folder. */
static bool autotune__is_as_scanned(const autotune__scan *scan) {
    size_t i;
    if (scan->unsettled) return false;
    for (i = 0; i < autotune__count(scan->included); i++)
        if (!autotune__has_facts(scan->included[i].path, &scan->included[i].facts)) return false;
    for (i = 0; i < autotune__count(scan->looked_into); i++)
        if (!autotune__has_facts(scan->looked_into[i].path, &scan->looked_into[i].facts)) return false;
    return true;
}
/* Of the machine code of one kernel, compiled for this target with these options. False: what decides it cannot all be
   seen. */
static bool autotune__digest_code(autotune__digest *digest, const autotune__compilation *compilation,
                                  const autotune__target *target, const autotune__text *options) {
    const autotune__program *program = compilation->program;
    const autotune__scan *known = program->reading.scan;
    const bool changed = !known || !autotune__is_as_scanned(known);
    const char *option;
    autotune__scan anew;
    bool blind;
    memset(digest, 0, sizeof *digest);
    if (target->compiler->identify) target->compiler->identify(digest);
    autotune__digest_string(digest, target->architecture);
    autotune__digest_string(digest, autotune__path_of(program));        /* __FILE__ */
    autotune__digest_string(digest, compilation->name);
    AUTOTUNE__EACH_OPTION(option, options) autotune__digest_string(digest, option);
    if (changed) autotune__scan_source(&anew, program);
    autotune__digest_bytes(digest, changed ? &anew.digest : &known->digest, sizeof known->digest);
    blind = changed ? anew.blind : known->blind;
    if (changed) autotune__free_scan(&anew);
    return !blind;
}

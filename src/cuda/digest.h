/* What machine code is made from: a digest of all that decides it. Of what #include may bring in every file counts that
   could be meant: whatever lies under that name beside the file that includes it, in the working directory, and in each
   folder of --include-path. So the order in which NVRTC looks does not matter, and a file that is found nowhere changes
   the digest when it appears. */
#pragma once
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include "../base/memory.h"
#include "../system/files.h"
#include "site.h"
#include "nvrtc.h"
#include "elf.h"

/* The text of a regular file, with a zero behind it; NULL: it cannot be read. */
static char *autotune__read_file(const char *path, size_t *bytes) {
    FILE *file = autotune__open_to_read(path);
    char *text = NULL;
    struct stat status;
    if (!file) return NULL;
    *bytes = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : SIZE_MAX;
    if (*bytes < SIZE_MAX && (text = (char *)autotune__allocate(*bytes + 1)) &&
        fread(text, 1, *bytes, file) != *bytes) {
        autotune__free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

#ifndef AUTOTUNE_NO_CACHE

/* FNV-1a, and another of another kind: 128 bits */
typedef struct autotune__digest { uint64_t word[2]; } autotune__digest;

static void autotune__digest_bytes(autotune__digest *digest, const void *bytes, size_t count) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t a = digest->word[0], b = digest->word[1];
    size_t i;
    for (i = 0; i < count; i++) {
        a = (a ^ at[i]) * 1099511628211u;
        b = ((b << 9 | b >> 55) + at[i] + 1) * 0x9E3779B97F4A7C15u;
    }
    digest->word[0] = (a ^ count) * 1099511628211u;                 /* an end */
    digest->word[1] = (b + count) * 0x9E3779B97F4A7C15u;
}
static void autotune__digest_string(autotune__digest *digest, const char *string) {
    autotune__digest_bytes(digest, string, strlen(string));
}

/* beyond, the digest does not see all */
enum { AUTOTUNE__MOST_INCLUDED = 4096, AUTOTUNE__MOST_INCLUDED_BYTES = 64 << 20 };
typedef struct autotune__included {             /* a file that was read; which one it is, however its path is written */
    dev_t device;
    ino_t folder;
    char *path, *text;
} autotune__included;
typedef struct autotune__scan {
    autotune__digest digest;
    bool blind;                                 /* something that decides the code cannot be seen */
    char **folders;                             /* of --include-path */
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
static void autotune__scan_file(autotune__scan *scan, const char *folder, size_t folder_length, const char *name,
                                size_t length) {
    const size_t count = autotune__count(scan->included), room = folder_length + length + 2;
    autotune__included file = { 0, 0, (char *)autotune__allocate(room), NULL };
    struct stat status;
    char *base, first;
    size_t i, bytes = 0;
    if (!file.path) { scan->blind = true; return; }
    if (*name == '/') snprintf(file.path, room, "%.*s", (int)length, name);
    else snprintf(file.path, room, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
    base = file.path + (autotune__base_name(file.path) - file.path);
    first = *base;
    *base = 0;                                  /* its folder, which tells one path from another way to write it */
    if (stat(*file.path ? file.path : ".", &status) == 0) { file.device = status.st_dev; file.folder = status.st_ino; }
    *base = first;
    for (i = 0; i < count; i++)
        if (scan->included[i].device == file.device && scan->included[i].folder == file.folder &&
            !strcmp(autotune__base_name(scan->included[i].path), base)) break;
    if (i < count || !(file.text = autotune__read_file(file.path, &bytes))) { autotune__free(file.path); return; }
    autotune__digest_bytes(&scan->digest, file.text, bytes);
    scan->bytes += bytes;
    if (strlen(file.text) < bytes) scan->blind = true;              /* what stands behind a zero is not scanned */
    if (count < AUTOTUNE__MOST_INCLUDED && scan->bytes <= AUTOTUNE__MOST_INCLUDED_BYTES &&
        AUTOTUNE__PUSH(scan->included, file))
        return;
    scan->blind = true;
    autotune__free(file.text);
    autotune__free(file.path);
}
static void autotune__scan_name(autotune__scan *scan, const char *includer, const char *name, size_t length) {
    const size_t beside = (size_t)(autotune__base_name(includer) - includer);
    size_t i;
    autotune__digest_bytes(&scan->digest, name, length);
    if (beside) autotune__scan_file(scan, includer, beside, name, length);
    autotune__scan_file(scan, ".", 1, name, length);
    for (i = 0; i < autotune__count(scan->folders); i++)
        autotune__scan_file(scan, scan->folders[i], strlen(scan->folders[i]), name, length);
}
static const char *autotune__find_include(const char *text) {      /* in capitals, too; NULL: there is no other */
    while ((text = strpbrk(text, "iI")) && strncasecmp(text, "include", 7)) text++;
    return text;
}
/* Does the word at `at` follow a #, written as it may be, with nothing but blanks and comments between? */
static bool autotune__is_directive(const char *text, const char *at) {
    for (;;) {
        while (at > text && (at[-1] == ' ' || at[-1] == '\t')) at--;
        if (at - text < 4 || at[-1] != '/' || at[-2] != '*') break;
        for (at -= 3; at > text && (at[0] != '*' || at[-1] != '/'); at--) {}
        at -= at > text;
    }
    return at > text && strchr("#:=", at[-1]);          /* #, %:, ??= */
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
/* Of a program: its text or file, headers in memory, and what these include, with the options given. */
static void autotune__scan_program(autotune__scan *scan, const autotune_cuda_program *program, const char *text) {
    const autotune_cuda_header *header;
    const char *path = program->file ? program->file : "";
    size_t i;
    autotune__digest_string(&scan->digest, text);
    autotune__scan_text(scan, text, path);
    for (header = program->headers; header && header->name; header++) {
        autotune__digest_string(&scan->digest, header->name);
        autotune__digest_string(&scan->digest, header->text);
        autotune__scan_text(scan, header->text, header->name);
    }
    for (i = 0; i < autotune__count(scan->included); i++) {         /* which grow meanwhile */
        const autotune__included file = scan->included[i];
        autotune__scan_text(scan, file.text, file.path);
    }
}
static const char *autotune__folder_of(const char *option) {        /* what --include-path or -I says; NULL: it is
                                                                       another option */
    const char *name = option + strspn(option, "-"),
               *value = !strncmp(name, "include-path", 12) ? name + 12 : *name == 'I' ? name + 1 : NULL;
    return value ? autotune__skip_blanks(*value == '=' ? value + 1 : value) : NULL;
}
/* Folders are looked into, and files that options name are not: such code is not kept. */
static void autotune__scan_options(autotune__scan *scan, const char *const *options, int count) {
    static const char *const names_file[] = { "pre-include", "include", "pch", "create-pch", "use-pch",
                                              "time", "fdevice-time-trace" };
    int i;
    size_t k;
    for (i = 0; i < count; i++) {
        const char *name = options[i] + strspn(options[i], "-"), *value = autotune__folder_of(options[i]);
        char *folder;
        for (k = 0; !value && k < sizeof names_file / sizeof *names_file; k++)
            if (!strncmp(name, names_file[k], strlen(names_file[k]))) scan->blind = true;
        if (!value) continue;
        if (!*value && i + 1 < count) value = options[++i];
        if (!(folder = autotune__copy_string(value)) || !AUTOTUNE__PUSH(scan->folders, folder)) {
            autotune__free(folder);
            scan->blind = true;
        }
    }
}
static void autotune__free_scan(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->included); i++) {
        autotune__free(scan->included[i].text);
        autotune__free(scan->included[i].path);
    }
    for (i = 0; i < autotune__count(scan->folders); i++) autotune__free(scan->folders[i]);
    AUTOTUNE__FREE_ARRAY(scan->included);
    AUTOTUNE__FREE_ARRAY(scan->folders);
}
/* Of the machine code of one kernel, compiled with these options, by this NVRTC: its version, and the time and size of
   the library, which an update changes. False: what decides it cannot all be seen. */
static bool autotune__digest_code(autotune__digest *digest, const autotune_cuda_program *program, const char *text,
                                  const char *kernel, const char *const *options, int count) {
    autotune__scan scan;
    int i;
    memset(&scan, 0, sizeof scan);
    autotune__digest_bytes(&scan.digest, &autotune__nvrtc.version, sizeof autotune__nvrtc.version);
    autotune__digest_string(&scan.digest, autotune__nvrtc.file);
    autotune__digest_string(&scan.digest, program->file ? program->file : "");      /* __FILE__ */
    autotune__digest_string(&scan.digest, kernel);
    for (i = 0; i < count; i++) autotune__digest_string(&scan.digest, options[i]);
    autotune__scan_options(&scan, options, count);
    autotune__scan_program(&scan, program, text);
    *digest = scan.digest;
    autotune__free_scan(&scan);
    return !scan.blind;
}

/* What a record knows a kernel by: its program's source, without what belongs to a configuration, a device or a place.
   An image has its own bytes for a source: those of a fatbin, of an ELF file, or of text, which its beginning tells. */
static size_t autotune__image_bytes(const void *image) {
    const unsigned char *at = (const unsigned char *)image;
    size_t bytes = 0, i;
    struct { uint32_t magic; uint16_t version, head; uint64_t bytes; } fatbin;
    autotune__elf elf;
    if (at[0] == 0x50 && at[1] == 0xED && at[2] == 0x55 && at[3] == 0xBA) {
        memcpy(&fatbin, image, sizeof fatbin);
        return fatbin.head + (size_t)fatbin.bytes;
    }
    if (!autotune__read_elf(&elf, image)) return strlen((const char *)image);
    bytes = (size_t)elf.sections + (size_t)elf.section_count * elf.section_bytes;
    for (i = 0; i < elf.section_count; i++) {
        const autotune__elf_section section = autotune__elf_section_at(&elf, image, i);
        const uint64_t section_end = section.type == AUTOTUNE__ELF_NO_BITS ? 0 : section.offset + section.bytes;
        if (section_end > bytes) bytes = (size_t)section_end;
    }
    return bytes;
}
#endif  /* AUTOTUNE_NO_CACHE */

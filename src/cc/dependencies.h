/* Dependencies of an image: the files that decide it besides those in its digest, which are the compiler and the
   headers of the system. They stand with their sizes and times in its symbol, and behind them the compiler's version.
   An image of which one has changed is compiled anew. What is not there says nothing: an image is meant to answer where
   there is no compiler, and no header. */
#pragma once
#include <stdio.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "command.h"

/* Is the file one of those in the digest? */
static bool autotune__cc_is_own_file(const autotune__program *program, const autotune__file_facts *facts) {
    const autotune__scan *scan = program->reading.scan;
    autotune__file_facts source;
    size_t i;
    if (autotune__facts_of_path(autotune__path_of(program), &source) && autotune__is_same_id(source.id, facts->id))
        return true;
    for (i = 0; scan && i < autotune__count(scan->files); i++)
        if (scan->files[i].facts.is_regular && autotune__is_same_id(scan->files[i].facts.id, facts->id)) return true;
    return false;
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
/* Each file is "size time path|". */
static void autotune__cc_append_file(autotune__text *files, const char *path, const autotune__file_facts *facts) {
    autotune__append(files, "%lu %lld %s|", (unsigned long)facts->bytes, (long long)facts->modified_ns, path);
}
/* What a compilation that began then read, as -MD told it in `rule`. The compiler comes first. False: that is not
   known, or a file may have changed meanwhile. */
static bool autotune__cc_gather_read(autotune__text *files, const autotune__program *program, const char *compiler,
                                     const char *rule, int64_t began_ns) {
    autotune__file_facts facts;
    autotune__text path AUTOTUNE__FREED = { NULL, false };
    static const char made[] = "/made:";        /* behind it clang names nothing where nothing was read */
    const char *at = rule ? strstr(rule, made) : NULL;
    bool settled = at != NULL;
    if (autotune__facts_of_path(compiler, &facts)) autotune__cc_append_file(files, compiler, &facts);
    for (at = at ? at + strlen(made) : NULL; at && (at = autotune__cc_next_read(at, &path)) != NULL; )
        if (autotune__facts_of_path(path.at, &facts) && !autotune__cc_is_own_file(program, &facts)) {
            autotune__cc_append_file(files, path.at, &facts);
            settled = settled && facts.modified_ns < began_ns - 2000000000 && !strchr(path.at, '|');
        }
    return settled;
}
/* Who made the code? The compiler says it there; what clang makes may say both. */
static void autotune__cc_read_version(autotune__compilation *compilation, const char *image, size_t bytes) {
    size_t at = 0;
    while (at + 64 < bytes && memcmp(image + at, "clang version ", 14) && memcmp(image + at, "GCC: ", 5)) at++;
    snprintf(compilation->version, sizeof compilation->version, "%s", at + 64 < bytes ? image + at : "C");
}
/* An image that was read from disk: are its files as they were, and is its compiler the one that would be run? */
static bool autotune__cc_still_holds(autotune__compilation *compilation) {
    const char *at = compilation->symbol;
    autotune__cc_command command;
    bool holds = autotune__cc_make_command(&command, compilation);
    char path[1024];
    unsigned long bytes;
    long long modified_ns;
    int length;
    for (; holds && sscanf(at, "%lu %lld %1023[^|]|%n", &bytes, &modified_ns, path, &length) == 3; at += length) {
        autotune__file_facts facts;
        if (at == compilation->symbol) holds = !*command.path || !strcmp(command.path, path);
        if (autotune__facts_of_path(path, &facts))
            holds = holds && facts.bytes == bytes && facts.modified_ns == modified_ns;
    }
    autotune__cc_free_command(&command);
    snprintf(compilation->version, sizeof compilation->version, "%s", at);
    return holds && *at;
}

/* Which names a kernel's source and its headers mention. A definition that they do not mention changes no machine
   code. */
#pragma once
#include <stdlib.h>
#include "../base/memory.h"
#include "../store/store.h"
#include "site.h"
#include "digest.h"

#ifndef AUTOTUNE_NO_CACHE
static int autotune__order_words(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}
/* The names in a text, comments included, as hashes: two that share one are only taken for each other where both
   stand. */
static uint32_t autotune__hash_name(const char *word, size_t length) {
    return (uint32_t)autotune__hash_more(0, word, length);
}
static bool autotune__is_of_word(char c) {
    return c == '_' || c == '$' || (unsigned char)c >= 128 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}
static bool autotune__add_words(uint32_t **words, const char *text, size_t bytes) {         /* false: no memory */
    const char *const end = text + bytes;
    while (text < end) {
        const char *const word = text;
        while (text < end && autotune__is_of_word(*text)) text++;
        if (text == word) text++;
        else if (!(*word >= '0' && *word <= '9') &&
                 !AUTOTUNE__PUSH(*words, autotune__hash_name(word, (size_t)(text - word))))
            return false;
    }
    return true;
}
static void autotune__sort_words(uint32_t *words) {
    size_t i, kept = 0;
    if (!words) return;
    qsort(words, autotune__count(words), sizeof *words, autotune__order_words);
    for (i = 0; i < autotune__count(words); i++) if (!i || words[i] != words[kept - 1]) words[kept++] = words[i];
    autotune__set_count(words, kept);
}
static bool autotune__has_word(const uint32_t *words, const char *word, size_t length) {
    const uint32_t hash = autotune__hash_name(word, length);
    return words && bsearch(&hash, words, autotune__count(words), sizeof *words, autotune__order_words);
}
static bool autotune__pastes(const char *text) { return strstr(text, "##") || strstr(text, "%:%:"); }

/* Where the headers of a text end: behind the last #include before which nothing stands but directives and comments,
   and which no condition surrounds. 0: there is none. */
static size_t autotune__header_end(const char *text) {
    const char *at = text, *end = text;
    int depth = 0;
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            if (!(at = strstr(at, "*/"))) break;
            at += 2;
        } else if (*at == '#') {
            const char *word = autotune__skip_blanks(at + 1), *const line = at;
            while (*at && (*at != '\n' || at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\'))) at++;
            if (memchr(line, '*', (size_t)(at - line))) break;      /* a comment may go on behind it */
            if (!strncmp(word, "if", 2)) depth++;
            else if (!strncmp(word, "endif", 5)) depth--;
            else if (!strncmp(word, "include", 7) && !depth && *at) end = at + 1;
        } else break;
    }
    return (size_t)(end - text);
}
/* What a program's source tells without being compiled. */
typedef struct autotune__source_reading {
    uint64_t source;                            /* its digest */
    uint32_t *words, *header_words;             /* of all of it, options and headers included; of headers, what
                                                   stands before them, and options */
    size_t header_end;                          /* in its text */
    bool all_seen, pastes;                      /* nothing is included that cannot be named here; ## may make other
                                                   words of these */
} autotune__source_reading;
static void autotune__read_words(autotune__source_reading *reading, const autotune__scan *scan,
                                 const autotune_cuda_program *program, const char *text) {
    const autotune_cuda_header *header;
    bool complete;
    size_t i;
    reading->header_end = program->headers ? 0 : autotune__header_end(text);
    reading->pastes = autotune__pastes(text);
    complete = autotune__add_words(&reading->words, text, strlen(text)) &&
               autotune__add_words(&reading->header_words, text, reading->header_end);
    for (i = 0; complete && i < AUTOTUNE_CUDA_MAX_OPTIONS && program->options[i]; i++)
        complete = autotune__add_words(&reading->words, program->options[i], strlen(program->options[i])) &&
                   autotune__add_words(&reading->header_words, program->options[i], strlen(program->options[i]));
    for (header = program->headers; complete && header && header->name; header++) {
        reading->pastes = reading->pastes || autotune__pastes(header->text);
        complete = autotune__add_words(&reading->words, header->text, strlen(header->text));
    }
    for (i = 0; complete && i < autotune__count(scan->included); i++) {
        const char *included = scan->included[i].text;
        reading->pastes = reading->pastes || autotune__pastes(included);
        complete = autotune__add_words(&reading->words, included, strlen(included)) &&
                   autotune__add_words(&reading->header_words, included, strlen(included));
    }
    autotune__sort_words(reading->words);
    autotune__sort_words(reading->header_words);
    reading->all_seen = complete && !scan->blind;
}
static void autotune__read_source(autotune__source_reading *reading, const autotune_cuda_program *program,
                                  const char *text) {
    autotune__scan scan;
    int count = 0;
    memset(&scan, 0, sizeof scan);
    if (program->image) autotune__digest_bytes(&scan.digest, program->image, autotune__image_bytes(program->image));
    else {
        for (; count < AUTOTUNE_CUDA_MAX_OPTIONS && program->options[count]; count++)
            if (!autotune__folder_of(program->options[count]))
                autotune__digest_string(&scan.digest, program->options[count]);
        autotune__scan_options(&scan, program->options, count);
        autotune__scan_program(&scan, program, text);
        autotune__read_words(reading, &scan, program, text);
    }
    reading->source = scan.digest.word[0] ^ scan.digest.word[1];
    autotune__free_scan(&scan);
}
#endif  /* AUTOTUNE_NO_CACHE */

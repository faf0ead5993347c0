/* Which names a kernel's source and its headers mention. A definition that they do not mention changes no machine
   code. */
#pragma once
#include <stdlib.h>
#include "../base/memory.h"
#include "../base/text.h"
#include "digest.h"
#include "compiler.h"
#include "includes.h"

static int autotune__order_words(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}
/* The names in a text, comments included, as hashes: two that share one are only taken for each other where both
   stand. */
static uint32_t autotune__hash_name(const char *word, size_t length) {
    autotune__digest digest = { { 0, 0 } };
    autotune__digest_bytes(&digest, word, length);
    return (uint32_t)(digest.word[0] ^ digest.word[0] >> 32);
}
static bool autotune__add_words(uint32_t **words, const char *text, size_t bytes) {         /* false: no memory */
    const char *const end = text + bytes;
    while (text < end) {
        const char *const word = text;
        while (text < end && autotune__is_word(*text)) text++;
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

/* Where the headers of a text end: behind the last #include before which nothing stands but directives and comments,
   and which no condition surrounds. 0: there is none. */
static size_t autotune__header_end(const char *text) {
    const char *at = text, *end = text;
    int depth = 0;
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            if (!(at = strstr(at + 2, "*/"))) break;
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
/* header_bytes: how much of the text headers may see. */
static void autotune__take_words(autotune__source_reading *reading, const char *text, size_t header_bytes) {
    reading->pastes = reading->pastes || strstr(text, "##") || strstr(text, "%:%:");
    reading->all_seen = reading->all_seen && autotune__add_words(&reading->words, text, strlen(text)) &&
                        autotune__add_words(&reading->header_words, text, header_bytes);
}
static void autotune__read_words(autotune__source_reading *reading, const autotune__scan *scan,
                                 const autotune__program *program) {
    const char *const text = autotune__source_of(program), *option;
    size_t i;
    reading->all_seen = !scan->blind;
    reading->header_end = program->header_names ? 0 : autotune__header_end(text);
    autotune__take_words(reading, text, reading->header_end);
    AUTOTUNE__EACH_OPTION(option, &program->options) autotune__take_words(reading, option, strlen(option));
    for (i = 0; i < autotune__count(program->header_texts); i++)
        autotune__take_words(reading, program->header_texts[i], 0);
    for (i = 0; i < autotune__count(scan->included); i++)
        autotune__take_words(reading, scan->included[i].text, strlen(scan->included[i].text));
    autotune__sort_words(reading->words);
    autotune__sort_words(reading->header_words);
}
/* Reads the source of a program, of which there is text or an image: its words, and the digest by which a record knows
   it: without what belongs to a configuration, a device or a place. An image is its own source. */
static void autotune__read_source(autotune__program *program) {
    autotune__source_reading *reading = &program->reading;
    autotune__digest digest = { { 0, 0 } };
    if (program->image) autotune__digest_bytes(&digest, program->image, program->image_bytes);
    else {
        if (!(reading->scan = (autotune__scan *)autotune__allocate(sizeof *reading->scan))) return;
        autotune__scan_source(reading->scan, program);
        autotune__read_words(reading, reading->scan, program);
        autotune__free_texts(reading->scan);
        digest = reading->scan->digest;
    }
    reading->source = digest.word[0] ^ digest.word[1];
}

/* JSON: how strings and numbers are written, and how members and elements are read with jsmn. */
#pragma once
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"

/* Writing. Each string and each number is written in one way only, so that what is written can be compared without
   being read.

   A string of so many bytes; NULL becomes null. What is no UTF-8 becomes a lone surrogate, as Python's surrogateescape
   makes it: so a string of whatever bytes can be read back. */
static void autotune__append_quoted(autotune__text *text, const char *string, size_t length) {
    const unsigned char *at = (const unsigned char *)string, *const end = string ? at + length : at;
    autotune__append(text, string ? "\"" : "null");
    while (at < end) {
        const unsigned char *const plain = at;
        size_t bytes = 0;
        while (at < end && (bytes = autotune__utf8_bytes(at, (size_t)(end - at))) != 0 &&
               *at >= 0x20 && *at != 0x7F && *at != '"' && *at != '\\') at += bytes;
        autotune__append(text, "%.*s", (int)(at - plain), (const char *)plain);
        if (at == end) break;
        if (*at == '"' || *at == '\\') autotune__append(text, "\\%c", *at);
        else autotune__append(text, "\\u%04x", bytes ? (unsigned)*at : 0xDC00u + *at);
        at++;
    }
    autotune__append(text, string ? "\"" : "");
}
static void autotune__append_string(autotune__text *text, const char *string) {
    autotune__append_quoted(text, string, string ? strlen(string) : 0);
}
/* A number that reads back as the same double. What is no number is null; JSON has no infinity, so it is a string. */
static void autotune__append_double(autotune__text *text, double value) {
    char digits[64];
    const uint64_t bits = autotune__bits(value);
    bool short_is_exact;
    if (autotune__are_nan(bits)) { autotune__append(text, "null"); return; }
    if (!autotune__is_finite(value)) { autotune__append(text, bits >> 63 ? "\"-inf\"" : "\"inf\""); return; }
    snprintf(digits, sizeof digits, "%.9g", value);
    short_is_exact = !(strtod(digits, NULL) < value || strtod(digits, NULL) > value);
    autotune__append_number(text, short_is_exact ? "%.9g" : "%.17g", value);
}
/* Members behind others: a string; and a number, null where it is not known. */
static void autotune__append_words(autotune__text *text, const char *name, const char *words) {
    autotune__append(text, ",\"%s\":", name);
    autotune__append_string(text, words);
}
static void autotune__append_measure(autotune__text *text, const char *name, const char *format, double value) {
    autotune__append(text, ",\"%s\":", name);
    if (autotune__is_definite(value)) autotune__append_number(text, format, value);
    else autotune__append(text, "null");
}
static void autotune__append_ns(autotune__text *text, const char *name, double ns) {
    autotune__append_measure(text, name, ns < 100 ? "%.6g" : "%.1f", ns);
}
static void autotune__append_ratio(autotune__text *text, const char *name, double ratio) {
    autotune__append_measure(text, name, "%.4g", ratio);
}

/* Reading. A value is named by the number of its token; -1: the value is not there. */
typedef struct autotune__json { const char *text; jsmntok_t *token; int count; } autotune__json;

/* Behind what stands at `at`: a string, or one other character. `open` counts the brackets that are open. */
static const char *autotune__past_piece(const char *at, const char *end, int *open) {
    if (*at == '"') return autotune__past_quoted(at, end);
    *open += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
    return at + 1;
}
/* Are few enough brackets open at a time? For each bracket that closes jsmn looks through all that are open, so its
   time for a line of nothing but brackets grows with the square of its length. A record has at most four of them open.
   */
static bool autotune__is_shallow(const char *text, size_t length) {
    enum { MOST_OPEN = 32 };
    const char *at = text, *const end = text + length;
    int open = 0;
    while (at < end && open <= MOST_OPEN) at = autotune__past_piece(at, end, &open);
    return open <= MOST_OPEN;
}
static void autotune__free_json(autotune__json *json) { autotune__free(json->token); json->token = NULL; }
/* The text has to be one object, and stays the caller's. True: autotune__free_json() frees what was read. False: it is
   no object, and count is 0; or there is no memory. */
static bool autotune__parse(autotune__json *json, const char *text, size_t length) {
    jsmn_parser parser;
    int count = 0;
    memset(json, 0, sizeof *json);
    json->text = text;
    jsmn_init(&parser);
    if (length <= INT_MAX / 2 && autotune__is_shallow(text, length))
        count = jsmn_parse(&parser, text, length, NULL, 0);
    if (count < 1) return false;                /* the text is not JSON */
    json->count = count;
    if (!(json->token = (jsmntok_t *)autotune__allocate((size_t)count * sizeof *json->token))) return false;
    jsmn_init(&parser);
    (void)jsmn_parse(&parser, text, length, json->token, (unsigned)count);
    if (json->token[0].type == JSMN_OBJECT && json->token[0].start == 0 && json->token[0].end == (int)length)
        return true;
    autotune__free_json(json);
    json->count = 0;
    return false;
}
static bool autotune__parse_text(autotune__json *json, const autotune__text *text) {
    return text->at && autotune__parse(json, text->at, autotune__count(text->at));
}
static int autotune__after(const autotune__json *json, int at) {    /* the token behind a value and all of its parts */
    const int end = json->token[at].end;
    while (++at < json->count && json->token[at].start < end) {}
    return at;
}
/* A value as it is written, with the quotes of a string. */
static const char *autotune__raw(const autotune__json *json, int at, size_t *length) {
    const jsmntok_t *token = &json->token[at];
    const int quote = token->type == JSMN_STRING;
    *length = (size_t)(token->end - token->start + 2 * quote);
    return json->text + token->start - quote;
}
static bool autotune__is_raw(const autotune__json *json, int at, const char *text, size_t length) {
    size_t raw_length;
    const char *raw = at >= 0 ? autotune__raw(json, at, &raw_length) : NULL;
    return raw && raw_length == length && !memcmp(raw, text, length);
}
static bool autotune__is_text(const autotune__json *json, int at, const autotune__text *text) {
    return text->at && !text->broken && autotune__is_raw(json, at, text->at, autotune__count(text->at));
}
/* Is the value this string? It has nothing that would be escaped. */
static bool autotune__spells(const autotune__json *json, int at, const char *string) {
    const jsmntok_t *token = at < 0 ? NULL : &json->token[at];
    return token && token->type == JSMN_STRING && (size_t)(token->end - token->start) == strlen(string) &&
           !memcmp(json->text + token->start, string, strlen(string));
}
/* The name of the next member of an object; `at` is the name before it, 0 for the first. -1: there is no more. The
   value of the member is the token behind its name. */
static int autotune__next_member(const autotune__json *json, int object, int at) {
    if (object < 0 || json->token[object].type != JSMN_OBJECT) return -1;
    at = at ? autotune__after(json, at + 1) : object + 1;
    if (at + 1 >= json->count || json->token[at].start >= json->token[object].end) return -1;
    return json->token[at].type == JSMN_STRING && json->token[at].size == 1 ? at : -1;
}
/* Of a member that is named by the number of a point. */
static size_t autotune__point_named(const autotune__json *json, int name) {
    return (size_t)strtoull(json->text + json->token[name].start, NULL, 10);
}
/* The next element of an array, as autotune__next_member(). */
static int autotune__next_row(const autotune__json *json, int rows, int at) {
    if (rows < 0 || json->token[rows].type != JSMN_ARRAY) return -1;
    at = at ? autotune__after(json, at) : rows + 1;
    return at < json->count && json->token[at].start < json->token[rows].end ? at : -1;
}
/* The value of the member with this name. */
static int autotune__member(const autotune__json *json, int object, const char *name) {
    int at = 0;
    while ((at = autotune__next_member(json, object, at)) > 0)
        if (autotune__spells(json, at, name)) return at + 1;
    return -1;
}
static double autotune__number_at(const autotune__json *json, int at) {             /* AUTOTUNE__NEVER: no number */
    const char *raw;
    size_t length;
    if (at < 0 || json->token[at].type != JSMN_PRIMITIVE) return AUTOTUNE__NEVER;
    raw = autotune__raw(json, at, &length);
    return autotune__number_of(raw, length);
}
/* Is the member this string, of those that have nothing to be escaped? */
static bool autotune__says(const autotune__json *json, int object, const char *name, const char *string) {
    return autotune__spells(json, autotune__member(json, object, name), string);
}
/* Numbers of members; AUTOTUNE__NEVER and 0: it is none. */
static double autotune__number_in(const autotune__json *json, int object, const char *name) {
    return autotune__number_at(json, autotune__member(json, object, name));
}
static size_t autotune__count_in(const autotune__json *json, int object, const char *name) {
    const double number = autotune__number_in(json, object, name);
    return number >= 0 && number < 1e15 ? (size_t)number : 0;
}

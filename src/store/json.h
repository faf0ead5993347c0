/* JSON: strings and numbers as they are written, and members as they are read by jsmn. */
#pragma once
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../api/types.h"
#include "../site/values.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../space/values.h"
#include "../space/axes.h"

/* JSON, written. */
static void autotune__append_quoted(autotune__text *text, const char *string, size_t length) {
    const unsigned char *at = (const unsigned char *)string, *const end = at + length;
    autotune__append(text, "\"");
    while (at < end) {
        const unsigned char *const plain = at;
        size_t bytes = 0;
        while (at < end && (bytes = autotune__utf8_bytes(at, (size_t)(end - at))) != 0 &&
               *at >= 0x20 && *at != 0x7F && *at != '"' && *at != '\\') at += bytes;
        autotune__append(text, "%.*s", (int)(at - plain), (const char *)plain);
        if (at == end) break;
        if (*at == '"' || *at == '\\') autotune__append(text, "\\%c", *at);
        /* as Python's surrogateescape does */
        else autotune__append(text, "\\u%04x", bytes ? (unsigned)*at : 0xDC00u + *at);
        at++;
    }
    autotune__append(text, "\"");
}
static void autotune__append_string(autotune__text *text, const char *string) {
    if (string) autotune__append_quoted(text, string, strlen(string));
    else autotune__append(text, "null");
}
static void autotune__append_double(autotune__text *text, double value) {           /* reads back as the same double */
    char digits[64];
    const uint64_t bits = autotune__bits(value);
    bool short_is_exact;
    if (autotune__are_nan(bits)) { autotune__append(text, "null"); return; }
    if (!autotune__is_finite(value)) { autotune__append(text, bits >> 63 ? "\"-inf\"" : "\"inf\""); return; }
    snprintf(digits, sizeof digits, "%.9g", value);
    short_is_exact = !(strtod(digits, NULL) < value || strtod(digits, NULL) > value);
    autotune__append_number(text, short_is_exact ? "%.9g" : "%.17g", value);
}
/* A member whose value is a number, or null where that is not known. */
static void autotune__append_ns(autotune__text *text, const char *name, double ns) {
    autotune__append(text, ",\"%s\":", name);
    if (autotune__is_within(ns, 0, 1e18)) autotune__append_number(text, ns < 100 ? "%.6g" : "%.1f", ns);
    else autotune__append(text, "null");
}
static void autotune__append_ratio(autotune__text *text, const char *name, double ratio) {
    autotune__append(text, ",\"%s\":", name);
    if (autotune__is_within(ratio, -1e9, 1e9)) autotune__append_number(text, "%.4g", ratio);
    else autotune__append(text, "null");
}
static void autotune__append_text(autotune__text *text, const autotune__text *more) {
    if (more->broken) text->broken = true;
    else if (more->at) autotune__append(text, "%s", more->at);
}

/* Configurations and keys: {"tile":32,"order":"ijk"}. */
/* and not a name for one */
static bool autotune__is_number(const autotune__axis_of_space *axis, size_t digit, const char *label) {
    char digits[24];
    const int64_t number = autotune__int_of_value(axis->type, autotune__axis_value(axis, digit));
    if (axis->type == AUTOTUNE_U64) snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    else snprintf(digits, sizeof digits, "%lld", (long long)number);
    return AUTOTUNE__IS_INTEGER_TYPE(axis->type) && !strcmp(digits, label);
}

/* JSON, read. A number of a token stands for a value; -1: it is not there. */
typedef struct autotune__json { const char *text; jsmntok_t *token; int count; } autotune__json;

/* jsmn looks for the bracket that closes through all that are open: in a line of nothing but brackets its time grows
   with the square of the length. A record has four open at most. */
static bool autotune__is_shallow(const char *text, size_t length) {
    enum { MOST_OPEN = 32 };
    const char *at = text, *const end = text + length;
    int open = 0;
    while (at < end && open <= MOST_OPEN) {
        if (*at == '"') { at = autotune__past_quoted(at, end); continue; }
        open += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
        at++;
    }
    return open <= MOST_OPEN;
}
/* One object. False: it is none, and count is 0; or there is no memory. */
static bool autotune__parse(autotune__json *json, const char *text, size_t length) {
    jsmn_parser parser;
    json->text = text;
    json->token = NULL;
    json->count = 0;
    if (length > INT_MAX / 2 || !autotune__is_shallow(text, length)) return false;
    jsmn_init(&parser);
    json->count = jsmn_parse(&parser, text, length, NULL, 0);
    if (json->count < 0) json->count = 0;       /* it is not JSON */
    if (!json->count || !(json->token = (jsmntok_t *)autotune__allocate((size_t)json->count * sizeof *json->token)))
        return false;
    jsmn_init(&parser);
    if (jsmn_parse(&parser, text, length, json->token, (unsigned)json->count) == json->count &&
        json->token[0].type == JSMN_OBJECT && json->token[0].start == 0 && json->token[0].end == (int)length)
        return true;
    autotune__free(json->token);
    json->token = NULL;
    json->count = 0;
    return false;
}
static void autotune__free_json(autotune__json *json) { autotune__free(json->token); json->token = NULL; }
static int autotune__after(const autotune__json *json, int at) {    /* the token behind a value and all that is in it */
    const int end = json->token[at].end;
    while (++at < json->count && json->token[at].start < end) {}
    return at;
}
/* as it stands, quotes included */
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
/* The member after the one whose name is at `at`; 0: begin. Its value is at + 1. -1: there is none. */
static int autotune__next_member(const autotune__json *json, int object, int at) {
    at = at ? autotune__after(json, at + 1) : object + 1;
    if (at + 1 >= json->count || json->token[at].start >= json->token[object].end) return -1;
    return json->token[at].type == JSMN_STRING && json->token[at].size == 1 ? at : -1;
}
/* Elements of an array one by one; 0: begin, -1: the end. */
static int autotune__next_row(const autotune__json *json, int rows, int at) {
    if (rows < 0 || json->token[rows].type != JSMN_ARRAY) return -1;
    at = at ? autotune__after(json, at) : rows + 1;
    return at < json->count && json->token[at].start < json->token[rows].end ? at : -1;
}
static int autotune__member(const autotune__json *json, int object, const char *name) {
    int at = 0;
    if (object < 0 || json->token[object].type != JSMN_OBJECT) return -1;
    while ((at = autotune__next_member(json, object, at)) > 0)
        if ((size_t)(json->token[at].end - json->token[at].start) == strlen(name) &&
            !memcmp(json->text + json->token[at].start, name, strlen(name))) return at + 1;
    return -1;
}
static double autotune__number_at(const autotune__json *json, int at) {             /* AUTOTUNE__NEVER: no number */
    const char *raw;
    size_t length;
    if (at < 0 || json->token[at].type != JSMN_PRIMITIVE) return AUTOTUNE__NEVER;
    raw = autotune__raw(json, at, &length);
    if (!(*raw == '-' || (*raw >= '0' && *raw <= '9'))) return AUTOTUNE__NEVER;
    return autotune__number_of(raw, length);
}
static size_t autotune__count_at(const autotune__json *json, int at) {
    const double number = autotune__number_at(json, at);
    return number >= 0 && number < 1e15 ? (size_t)number : 0;
}

/* JSON: writing strings and numbers, and reading members and elements. */
#pragma once
#include "../base/floor.h"

/* Writing. Each string and each number is written in one way only, so that texts can be compared without being parsed.

   Appends a string of `length` bytes; NULL becomes null. A byte that is not UTF-8 becomes a lone surrogate, as in
   Python's surrogateescape. So a string of any bytes can be read back. */
static void autotune__append_quoted(autotune__text *text, const char *string, size_t length) {
    const unsigned char *at = (const unsigned char *)string, *const end = string ? at + length : at;
    autotune__append_text(text, string ? "\"" : "null");
    while (at < end) {
        const unsigned char *const plain = at;
        size_t bytes = 0;
        while (at < end && (bytes = autotune__utf8_bytes(at, (size_t)(end - at))) != 0 &&
               *at >= 0x20 && *at != 0x7F && *at != '"' && *at != '\\') at += bytes;
        autotune__append_piece(text, (const char *)plain, (size_t)(at - plain));
        if (at == end) break;
        if (*at == '"' || *at == '\\') autotune__append(text, "\\%c", *at);
        else autotune__append(text, "\\u%04x", bytes ? (unsigned)*at : 0xDC00u + *at);
        at++;
    }
    autotune__append_text(text, string ? "\"" : "");
}
static void autotune__append_string(autotune__text *text, const char *string) {
    autotune__append_quoted(text, string, string ? strlen(string) : 0);
}
/* Appends a number that reads back as the same double. A NaN is null. JSON has no infinity, so infinity is a string. */
static void autotune__append_double(autotune__text *text, double value) {
    char digits[64];
    const uint64_t bits = autotune__bits(value);
    double read;
    if (autotune__are_nan(bits)) { autotune__append(text, "null"); return; }
    if (!autotune__is_finite(value)) { autotune__append(text, bits >> 63 ? "\"-inf\"" : "\"inf\""); return; }
    autotune__put_text(digits, sizeof digits, "%.9g", value);
    read = strtod(digits, NULL);
    autotune__append_number(text, read < value || read > value ? "%.17g" : "%.9g", value);
}
/* These functions append a member behind another member. autotune__append_name() appends the name alone. The other
   functions also append the value. A number that is unknown becomes null. */
static void autotune__append_name(autotune__text *text, const char *name) {
    autotune__append_text(text, ",\"");
    autotune__append_text(text, name);
    autotune__append_text(text, "\":");
}
static void autotune__append_words(autotune__text *text, const char *name, const char *words) {
    autotune__append_name(text, name);
    autotune__append_string(text, words);
}
static void autotune__append_measure(autotune__text *text, const char *name, const char *format, double value) {
    autotune__append_name(text, name);
    if (autotune__is_definite(value)) autotune__append_number(text, format, value);
    else autotune__append_text(text, "null");
}
static void autotune__append_ns(autotune__text *text, const char *name, double ns) {
    autotune__append_measure(text, name, ns < 100 ? "%.6g" : "%.1f", ns);
}
static void autotune__append_ratio(autotune__text *text, const char *name, double ratio) {
    autotune__append_measure(text, name, "%.4g", ratio);
}

/* Reading. The lines have no blanks between values, as the functions above write them. A position in the text stands
   for the value that begins there; -1: there is no such value. A text that is no JSON may give wrong values, or none.
   Nothing outside of the text is read. */
typedef struct autotune__json {
    const char *text;
    int length;
} autotune__json;

/* Returns the position behind the string that begins at `at`, or behind the single character at `at`. *open: the number
   of open brackets. */
static const char *autotune__past_piece(const char *at, const char *end, int *open) {
    if (*at == '"') return autotune__past_quoted(at, end);
    *open += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
    return at + 1;
}
/* Returns the position behind a value and all of its parts. */
static int autotune__after(const autotune__json *json, int at) {
    const char *const text = json->text, *const end = text + json->length, *next = text + at;
    int open = 0;
    if (at < json->length && (*next == '"' || *next == '{' || *next == '[')) {
        do next = autotune__past_piece(next, end, &open);
        while (open > 0 && next < end);
    } else while (next < end && *next != ',' && *next != ':' && *next != '}' && *next != ']') next++;
    return (int)(next - text);
}
/* Returns true if the value begins with this character, which tells its type. */
static bool autotune__begins(const autotune__json *json, int at, char with) {
    return at >= 0 && at < json->length && json->text[at] == with;
}
/* Returns true if the value is this string, which has no character that needs an escape. */
static bool autotune__spells(const autotune__json *json, int at, const char *string) {
    const size_t length = strlen(string);
    return autotune__begins(json, at, '"') && length + 2 <= (size_t)(json->length - at) &&
           !memcmp(json->text + at + 1, string, length) && json->text[at + 1 + (int)length] == '"';
}
/* Returns true if the text begins and ends with the brackets of an object. The checksum of a line shows that nothing in
   between is damaged. The caller keeps the text. */
static bool autotune__parse(autotune__json *json, const char *text, size_t length) {
    json->text = text;
    json->length = length <= INT_MAX / 2 ? (int)length : 0;
    return autotune__begins(json, 0, '{') && autotune__begins(json, json->length - 1, '}');
}
static bool autotune__parse_text(autotune__json *json, const autotune__text *text) {
    return text->at && autotune__parse(json, text->at, autotune__count(text->at));
}
/* Returns the text of a value, with the quotes of a string. */
static const char *autotune__raw(const autotune__json *json, int at, size_t *length) {
    *length = (size_t)(autotune__after(json, at) - at);
    return json->text + at;
}
/* These functions return true if the value is written like the text; the second function ignores blanks. */
static bool autotune__is_raw(const autotune__json *json, int at, const char *text) {
    size_t length;
    const char *raw = at >= 0 ? autotune__raw(json, at, &length) : NULL;
    return raw && length == strlen(text) && !memcmp(raw, text, length);
}
static bool autotune__is_raw_but_blanks(const autotune__json *json, int at, const char *text) {
    const char *raw, *end;
    size_t length;
    if (at < 0) return false;
    raw = autotune__raw(json, at, &length);
    for (end = raw + length;; raw++, text++) {
        while (raw < end && *raw == ' ') raw++;
        while (*text == ' ') text++;
        if (raw == end || !*text) return raw == end && !*text;
        if (*raw != *text) return false;
    }
}
/* Returns the position of a member's value. name: position of its name. */
static int autotune__member_value(const autotune__json *json, int name) { return autotune__after(json, name) + 1; }
/* Returns the position of the next name in an object; -1: there is none. at: position of the name before; 0: there is
   no name before; -1: returns -1. */
static int autotune__next_member(const autotune__json *json, int object, int at) {
    if (at < 0 || !autotune__begins(json, object, '{')) return -1;
    if (!at) at = object;
    else if (!autotune__begins(json, at = autotune__after(json, autotune__member_value(json, at)), ',')) return -1;
    at++;
    return autotune__begins(json, at, '"') && autotune__begins(json, autotune__after(json, at), ':') ? at : -1;
}
/* Returns the position of the next element of an array. at and -1: as in autotune__next_member(). */
static int autotune__next_row(const autotune__json *json, int rows, int at) {
    if (at < 0 || !autotune__begins(json, rows, '[')) return -1;
    if (!at) at = rows;
    else if (!autotune__begins(json, at = autotune__after(json, at), ',')) return -1;
    at++;
    return at < json->length && json->text[at] != ']' ? at : -1;
}
/* Returns the position of the value of the member with this name; -1: there is no such member. */
static int autotune__member(const autotune__json *json, int object, const char *name) {
    int at = 0;
    while ((at = autotune__next_member(json, object, at)) > 0)
        if (autotune__spells(json, at, name)) return autotune__member_value(json, at);
    return -1;
}
static double autotune__number_at(const autotune__json *json, int at) {             /* AUTOTUNE__NEVER: no number */
    const char *raw;
    size_t length;
    if (at < 0) return AUTOTUNE__NEVER;
    raw = autotune__raw(json, at, &length);
    return autotune__number_of(raw, length);
}
/* Returns true if the member is this string, which has no character that needs an escape. */
static bool autotune__says(const autotune__json *json, int object, const char *name, const char *string) {
    return autotune__spells(json, autotune__member(json, object, name), string);
}
/* Returns the number of a member. AUTOTUNE__NEVER: the member has no number. */
static double autotune__number_in(const autotune__json *json, int object, const char *name) {
    return autotune__number_at(json, autotune__member(json, object, name));
}
/* Returns a count. 0: the member has no number, or its number is no count. */
static size_t autotune__count_in(const autotune__json *json, int object, const char *name) {
    const double number = autotune__number_in(json, object, name);
    return number >= 0 && number < 1e15 ? (size_t)number : 0;
}

/* Text: growing texts, the parts of a macro argument's text, and numbers in the same form in every locale. */
#pragma once
#include <locale.h>
#include "memory.h"
#include "numbers.h"

/* A text is an array of characters, with a zero behind them. broken: memory for a part of the text was lacking. */
typedef struct autotune__text { char *at; bool broken; } autotune__text;

static void autotune__append_piece(autotune__text *text, const char *bytes, size_t length) {
    char *end;
    if (!AUTOTUNE__ROOM(text->at, length + 1)) { text->broken = true; return; }
    end = text->at + autotune__count(text->at);
    memcpy(end, bytes, length);
    end[length] = 0;                            /* the count does not include the zero */
    autotune__set_count(text->at, autotune__count(text->at) + length);
}
/* Appends a string. printf would take ten times as long, and a record has thousands of pieces. */
static void autotune__append_text(autotune__text *text, const char *string) {
    autotune__append_piece(text, string, strlen(string));
}
static void autotune__append_list(autotune__text *text, const char *format, va_list list) {
    char written[128];                          /* most texts are short, and formatted once */
    va_list again;
    int length;
    va_copy(again, list);
    length = vsnprintf(written, sizeof written, format, list);
    if (length < 0 || !AUTOTUNE__ROOM(text->at, (size_t)length + 1)) text->broken = true;
    else if ((size_t)length < sizeof written) autotune__append_piece(text, written, (size_t)length);
    else {
        length = vsnprintf(text->at + autotune__count(text->at), (size_t)length + 1, format, again);
        autotune__set_count(text->at, autotune__count(text->at) + (size_t)length);
    }
    va_end(again);
}
/* Formats the variable arguments of the function that has the parameter `format`, and appends the result. */
#define AUTOTUNE__APPEND_ARGUMENTS(text, format)              \
    do {                                                      \
        va_list autotune__list;                               \
        va_start(autotune__list, format);                     \
        autotune__append_list(text, format, autotune__list);  \
        va_end(autotune__list);                               \
    } while (0)
static __attribute__((__format__(__printf__, 2, 3))) void autotune__append(autotune__text *text, const char *format,
                                                                           ...) {
    AUTOTUNE__APPEND_ARGUMENTS(text, format);
}
/* Appends a number with a decimal point in any locale. format: of printf for a double, such as "%.9g". */
static void autotune__append_number(autotune__text *text, const char *format, double value) {
    char written[64], number[64];
    const char *digits = written;
    size_t length = 0;
    bool point = false;
    autotune__put_text(written, sizeof written, format, value);
    for (; *digits && length + 1 < sizeof number; digits++) {
        const bool plain = (*digits >= '0' && *digits <= '9') || (*digits >= 'a' && *digits <= 'z') || *digits == '-' ||
                           *digits == '+';
        if (plain) number[length++] = *digits;
        else if (!point) { number[length++] = '.'; point = true; }
    }
    autotune__append_piece(text, number, length);
}
/* Appends an integer. bits: its 64 bits, of a uint64_t if is_unsigned, else of an int64_t. */
static void autotune__append_integer(autotune__text *text, bool is_unsigned, uint64_t bits) {
    if (is_unsigned) autotune__append(text, "%llu", (unsigned long long)bits);
    else autotune__append(text, "%lld", (long long)bits);
}
static const char *autotune__string(const autotune__text *text) {
    return text->at && !text->broken ? text->at : "(no memory for this text)";
}
static bool autotune__has_text(const autotune__text *text) { return text->at && *text->at; }
static void autotune__clear_text(autotune__text *text) {
    autotune__set_count(text->at, 0);
    if (text->at) text->at[0] = 0;
    text->broken = false;
}
static void autotune__free_text(autotune__text *text) { AUTOTUNE__FREE_ARRAY(text->at); text->broken = false; }
/* Marks a local text, which is freed at the end of its block. */
#define AUTOTUNE__FREED __attribute__((__cleanup__(autotune__free_text)))

/* Returns how many bytes the character at `at` has; 0: not UTF-8. left: the number of bytes from `at` on. */
static size_t autotune__utf8_bytes(const unsigned char *at, size_t left) {
    const unsigned char first = *at;
    const size_t bytes = first < 0x80 ? 1 : first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0) == 0xE0 ? 3
                       : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
    size_t i;
    if (!bytes || bytes > left) return 0;
    for (i = 1; i < bytes; i++) if ((at[i] & 0xC0) != 0x80) return 0;
    if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F)) return 0;       /* overlong; a surrogate */
    /* overlong; past Unicode's end */
    if ((first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F)) return 0;
    return bytes;
}
/* Returns true if the three bytes of UTF-8 end a line (U+2028, U+2029), or change the direction of text. */
static bool autotune__is_layout_mark(const unsigned char *at) {
    return at[0] == 0xE2 && ((at[1] == 0x80 && (at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xA8 && at[2] <= 0xAE))) ||
                             (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
}
/* Appends the next character of a text for a terminal. Control characters, which a terminal would obey, are escaped,
   such as \u001b. Bytes that are not UTF-8, and marks that change the order of characters, are escaped, too. Returns
   how many bytes of `at` the character takes. */
static size_t autotune__append_visible(autotune__text *text, const unsigned char *at, size_t left) {
    const size_t bytes = autotune__utf8_bytes(at, left);
    if (!bytes) autotune__append(text, "\\u%04x", 0xDC00u + *at);       /* as in Python's surrogateescape */
    else if (bytes == 1 && (*at < 0x20 || *at == 0x7F)) autotune__append(text, "\\u%04x", *at);
    else if (*at == 0xC2 && at[1] < 0xA0) autotune__append(text, "\\u%04x", at[1]);      /* U+0080 to 9F */
    else if (bytes == 3 && autotune__is_layout_mark(at))
        autotune__append(text, "\\u%04x", 0x2000u | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu));
    else autotune__append_piece(text, (const char *)at, bytes);
    return bytes ? bytes : 1;
}
/* Returns the line itself if nothing has to be escaped. Else returns its escaped form, which `text` holds. */
static const char *autotune__visible(autotune__text *text, const char *line) {
    const unsigned char *at = (const unsigned char *)line;
    while (*at >= 0x20 && *at < 0x7F) at++;
    if (!*at) return line;
    for (at = (const unsigned char *)line; *at;) at += autotune__append_visible(text, at, strlen((const char *)at));
    return autotune__string(text);
}

/* Loops over the folders in a list such as PATH. The list may be NULL. */
#define AUTOTUNE__EACH_FOLDER(folder, length, list) \
    for ((folder) = (list); (folder) && ((length) = strcspn(folder, ":"), *(folder)); \
         (folder) += (length), (folder) += *(folder) == ':')
/* Returns the next line of a text that ends at `end`, without line feed. `at` moves behind it. NULL: there is none. */
static const char *autotune__next_line(const char **at, const char *end, size_t *length) {
    const char *const line = *at, *const feed = line == end ? NULL
                                                            : (const char *)memchr(line, '\n', (size_t)(end - line));
    if (!feed) return NULL;
    *length = (size_t)(feed - line);
    *at = feed + 1;
    return line;
}
static bool autotune__is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || (unsigned char)c >= 128;
}
/* Returns the end of the literal that begins with the quote at `at`. A quote behind a backslash does not end it. end:
   the end of the text; NULL: a zero ends the text. */
static const char *autotune__past_quoted(const char *at, const char *end) {
    const char quote = *at++, *const next = (const char *)(end ? memchr(at, quote, (size_t)(end - at)) : NULL);
    if (next && next[-1] != '\\') return next + 1;       /* the usual case, in each line of the cache */
    for (; at != end && (end || *at) && *at != quote; at++) if (*at == '\\' && at + 1 != end && (end || at[1])) at++;
    return at != end && *at ? at + 1 : at;
}
/* Returns the end of a raw string of C++ that begins here, such as u8R"to(...)to". NULL: there is none. */
static const char *autotune__past_raw_string(const char *at) {
    const char *const mark = at + strspn(at, "LuU8"), *const delimiter = strncmp(mark, "R\"", 2) ? NULL : mark + 2;
    const size_t length = delimiter ? strcspn(delimiter, "(") : 0;
    const char *end = delimiter && length <= 16 ? strchr(delimiter, ')') : NULL;
    while (end && (strncmp(end + 1, delimiter, length) || end[length + 1] != '"')) end = strchr(end + 1, ')');
    return end ? end + length + 2 : NULL;
}
/* Returns the end of the first token of a text that is not empty. A token is a word, a number with its digit separators
   (1'000), a literal with its prefix (u8'x'), or one other character. */
static const char *autotune__past_token(const char *at) {
    const char *const start = at, *const raw = autotune__past_raw_string(at);
    const bool number = *at >= '0' && *at <= '9';
    if (raw) return raw;
    while (autotune__is_word(*at) || (number && *at == '\'' && autotune__is_word(at[1]))) at++;
    if (*at != '"' && *at != '\'') return at > start ? at : at + 1;
    return autotune__past_quoted(at, NULL);
}
/* Removes the blanks that a formatter may put between tokens, in place. Returns the new length. A blank between two
   words stays, as do the blanks in a literal. text[length] has to be 0. */
static AUTOTUNE__UNUSED size_t autotune__remove_blanks(char *text, size_t length) {
    const char *at = text, *const end = text + length, *next;
    char *to = text;
    for (; at < end; at = next) {
        next = autotune__past_token(at);
        if (next > end) next = end;
        if (*at == ' ' && (to == text || !autotune__is_word(to[-1]) || (!autotune__is_word(*next) && *next != '"')))
            continue;
        memmove(to, at, (size_t)(next - at));
        to += next - at;
    }
    *to = 0;
    return (size_t)(to - text);
}
/* Returns the next comma-separated part of a macro argument's text, without spaces around it; NULL at the end. Commas
   in parentheses and quotes do not count, as in the preprocessor. */
static const char *autotune__next_part(const char **text, size_t *length) {
    const char *at = *text, *first, *last, *next;
    int depth = 0;
    if (!at) return NULL;
    while (*at == ' ') at++;
    if (!*at) return NULL;
    for (first = last = at; *at && (depth > 0 || *at != ','); at = next) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        next = autotune__past_token(at);
        if (*at != ' ') last = next;
    }
    *length = (size_t)(last - first);
    *text = *at ? at + 1 : NULL;
    return first;
}
/* Returns the part with this number, from 0 on; NULL: there is none. */
static const char *autotune__part(const char *text, size_t number, size_t *length) {
    const char *part = autotune__next_part(&text, length);
    while (part && number--) part = autotune__next_part(&text, length);
    return part;
}
/* The same for the parts in the first parentheses of a text. */
static const char *autotune__part_inside(const char *text, size_t number, size_t *length) {
    const char *open = text ? strchr(text, '(') : NULL, *part = open ? autotune__part(open + 1, number, length) : NULL;
    const char *at;
    int depth = 0;
    for (at = part; part && at < part + *length; at = autotune__past_token(at)) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth < 0) *length = (size_t)(at - part);       /* the closing parenthesis */
    }
    return part;
}
/* Reads a number with a point, in any locale. AUTOTUNE__NEVER: the text is no number. */
static double autotune__number_of(const char *text, size_t length) {
    const char *point = localeconv()->decimal_point;
    char digits[64], *end;
    size_t i, filled = 0;
    double number;
    for (i = 0; i < length; i++) {
        const char *piece = text[i] == '.' ? point : text + i;
        const size_t bytes = text[i] == '.' ? strlen(point) : 1;
        if (filled + bytes >= sizeof digits || (text[i] != '.' && text[i] == *point)) return AUTOTUNE__NEVER;
        memcpy(digits + filled, piece, bytes);
        filled += bytes;
    }
    digits[filled] = 0;
    number = strtod(digits, &end);
    return filled && !*end && autotune__is_definite(number) ? number : AUTOTUNE__NEVER;
}

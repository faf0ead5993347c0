/* escape.c - see escape.h */
#include "escape.h"
#include <stdlib.h>

/* ---- C ---- */

void append_c_comment(autotune__text *out, const char *text) {
    for (; *text; text++)
        append(out, (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*') ? "%c " : "%c", *text);
}
bool is_identifier(const char *name) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return *name && !strchr("0123456789", *name) && !name[strspn(name, letters)];
}
static void append_c_byte(autotune__text *out, unsigned char c) {
    if (c == '\n')
        append(out, "\\n");
    else if (c == '"' || c == '\\' || c == '?')
        append(out, "\\%c", c); /* a question mark could begin a trigraph */
    else
        append(out, c < 0x20 || c >= 0x7F ? "\\%03o" : "%c", c);
}
void append_c_lines(autotune__text *out, const char *bytes, size_t length) {
    size_t column = 0;
    for (size_t i = 0; i < length; i++) {
        if (column == 0) append(out, "    \"");
        append_c_byte(out, (unsigned char)bytes[i]);
        if (++column >= 110 || bytes[i] == '\n' || i + 1 == length) {
            append(out, "\"\n");
            column = 0;
        }
    }
}
/* Reads the four hexadecimal digits behind \u. Returns false if these are no such digits. */
static bool read_unit(const char *at, const char *end, unsigned *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = at < end && *at ? strchr(digits, *at) : NULL;
        if (!digit) return false;
        *unit = *unit << 4 | (unsigned)(digit - digits) % 16;
    }
    return true;
}
/* In a record, U+DC00 plus a byte stands for a byte that is no UTF-8: see store/json.h. */
static void append_c_character(autotune__text *out, unsigned c) {
    if (c >= 0xDC80 && c <= 0xDCFF)
        append_c_byte(out, (unsigned char)c);
    else if (c < 0x80)
        append_c_byte(out, (unsigned char)c);
    else {
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        append_c_byte(out, (unsigned char)((more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0) | c >> 6 * more));
        for (int i = more; i-- > 0;) append_c_byte(out, (unsigned char)(0x80 | (c >> 6 * i & 0x3F)));
    }
}
/* Appends the character of an escape. Returns the text behind the escape. */
static const char *append_unescaped(autotune__text *out, const char *at, const char *end) {
    static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char *name = at + 1 < end && at[1] ? strchr(names, at[1]) : NULL;
    unsigned unit, low;
    if (at + 1 == end) return append_c_byte(out, '\\'), end;
    if (at[1] != 'u' || !read_unit(at + 2, end, &unit)) {
        append_c_byte(out, (unsigned char)(name ? meanings[name - names] : at[1]));
        return at + 2;
    }
    at += 6;
    if (unit >= 0xD800 && unit < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u' &&
        read_unit(at + 2, end, &low) && low >= 0xDC00 && low < 0xE000) {
        unit = 0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF));
        at += 6;
    }
    append_c_character(out, unit);
    return at;
}
bool is_c_integer(struct value value) {
    size_t length;
    const char *text = raw(value, &length);
    const size_t minus = length && *text == '-';
    return length > minus && length < 20 && strspn(text + minus, "0123456789") >= length - minus &&
           (text[minus] != '0' || length == minus + 1);
}
void append_c_constant(autotune__text *out, struct value value, bool as_string) {
    size_t length;
    const char *at = inside(value, &length), *const end = at + length;
    if (as_string || is_string(value)) {
        append(out, "\"");
        while (at < end)
            if (*at == '\\')
                at = append_unescaped(out, at, end);
            else
                append_c_byte(out, (unsigned char)*at++);
        append(out, "\"");
    } else if (is_c_integer(value))
        append(out, "%.*s", (int)length, at);
    else
        append_number(out, is_raw(value, "true") ? 1 : autotune__is_definite(number_at(value)) ? number_at(value) : 0);
}

/* ---- CSV ---- */

static bool is_number(const char *field) {
    char *end;
    (void)strtod(field, &end);
    return !*end && strchr("0123456789", field[strcspn(field, "0123456789")]) && field[strcspn(field, "0123456789")];
}
/* Quotes a field if RFC 4180 asks for it. A spreadsheet might take a field for a formula, and run it. Such a field gets
   an apostrophe, so that the spreadsheet takes it for text. */
void append_csv(autotune__text *out, const char *field) {
    const char first = field[strspn(field, " ")];
    const bool quoted = strpbrk(field, ",\"\r\n") != NULL;
    if (quoted) append(out, "\"");
    if (first && strchr("=+-@", first) && !is_number(field)) append(out, "'");
    for (; *field; field++) append(out, *field == '"' ? "\"\"" : "%c", *field);
    if (quoted) append(out, "\"");
}

/* ---- JSON ---- */

void append_json_string(autotune__text *out, const char *text) {
    append(out, "\"");
    for (const char *plain = text;; text++) {
        if (*text && !strchr("\"\\<", *text)) continue;
        append(out, "%.*s", (int)(text - plain), plain);
        if (!*text) break;
        append(out, *text == '<' ? "\\u003c" : "\\%c", *text);
        plain = text + 1;
    }
    append(out, "\"");
}
void append_json_value(autotune__text *out, struct value value) {
    size_t length;
    unsigned unit;
    for (const char *at = raw(value, &length), *const end = at + length; at < end;) {
        const bool escapes = *at == '\\' && at + 1 < end && at[1] && strchr("\"\\/bfnrtu", at[1]),
                   is = escapes && (at[1] != 'u' || read_unit(at + 2, end, &unit));
        if (*at != '\\')
            at += autotune__append_visible(out, (const unsigned char *)at, (size_t)(end - at));
        else {
            append(out, is ? "%.2s" : "\\\\", at);
            at += is ? 2 : 1;
        }
    }
    if (out->broken) no_memory();
}

/* ---- XML ---- */

void append_xml(autotune__text *out, const char *text) {
    for (; *text; text++) {
        const char *name = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;" : NULL;
        if (!strncmp(text, "\xEF\xBF\xBE", 3) || !strncmp(text, "\xEF\xBF\xBF", 3)) { /* XML does not allow them */
            append(out, "\\ufff%c", text[2] == '\xBE' ? 'e' : 'f');
            text += 2;
        } else
            append(out, name ? "%s" : "%.1s", name ? name : text);
    }
}

/* ---- gnuplot: it expands and runs nothing in single quotes. With noenhanced it shows the text unchanged ---- */

static void append_doubled(autotune__text *out, const char *text, const char *doubled) {
    append(out, "'");
    for (; *text; text++) append(out, strchr(doubled, *text) ? "%c%c" : "%c", *text, *text);
    append(out, "'");
}
void append_gnuplot(autotune__text *out, const char *text) { append_doubled(out, text, "'"); }
void append_gnuplot_label(autotune__text *out, const char *text) { append_doubled(out, text, "'%"); }

/* ---- Pins ---- */

/* A pin has unescaped strings: \\ becomes \. Other escapes stay unchanged. */
bool unescape_pin(autotune__text *text, size_t start) {
    char *to = text->at + start;
    for (const char *at = to; *at; at += *at == '\\' ? 2 : 1)
        if (*at == '\\' && at[1] != '\\') return false;
    for (const char *at = to; *at; at++) *to++ = *at == '\\' ? *++at : *at;
    *to = 0;
    autotune__set_count(text->at, (size_t)(to - text->at));
    return true;
}

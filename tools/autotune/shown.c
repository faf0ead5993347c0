/* shown.c - see shown.h */
#define _DEFAULT_SOURCE /* timegm */
#include "shown.h"
#include <ctype.h>
#include <langinfo.h>
#include <time.h>

void append_shown(autotune__text *out, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text, *const end = at + length;
    while (at < end) {
        if (*at == '\\' && at + 1 < end && at[1] == '\\') {
            append(out, "\\\\");
            at += 2;
        } else if (*at == '\\' && at + 1 < end && at[1] == '"')
            at++;
        else
            at += autotune__append_visible(out, at, (size_t)(end - at));
    }
    if (out->broken) no_memory();
}
const char *shown(const char *text) {
    autotune__text out = {NULL, false};
    append_shown(&out, text, strlen(text));
    return keep(&out);
}
void append_value(autotune__text *out, struct value value) {
    size_t length;
    const char *text = inside(value, &length);
    append_shown(out, text, length);
}
const char *shown_value(struct value value) {
    autotune__text out = {NULL, false};
    if (is_there(value))
        append_value(&out, value);
    else
        append(&out, "-");
    return keep(&out);
}
const char *shown_member(struct value object, const char *name) { return shown_value(member(object, name)); }
const char *shown_pairs(struct value object, bool names) {
    autotune__text out = {NULL, false};
    struct value name = {NULL, -1};
    if (!is_object(object)) return shown_value(object);
    while (next_member(object, &name)) {
        if (COUNT(out.at)) append(&out, ",");
        if (names) {
            append_value(&out, name);
            append(&out, "=");
        }
        append_value(&out, value_of(name));
    }
    if (!COUNT(out.at)) append(&out, "-");
    return keep(&out);
}
const char *shown_date(const struct line *line) {
    autotune__text out = {NULL, false};
    append_shown(&out, line->date, sizeof line->date);
    return keep(&out);
}
static const char *age_in(const char *date, bool brief) {
    struct tm utc = {.tm_year = 0};
    const bool is_date = sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour,
                                &utc.tm_min, &utc.tm_sec) == 6;
    static const struct unit {
        double seconds;
        const char *name, *brief;
    } units[] = {{365.25 * 86400, "year", "y"}, {30.4 * 86400, "month", "mo"}, {86400, "day", "d"},
                 {3600, "hour", "h"},           {60, "minute", "min"},         {1, "second", "s"}};
    autotune__text out = {NULL, false};
    double seconds;
    size_t i = 0;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    seconds = difftime(time(NULL), timegm(&utc));
    if (!is_date || seconds < 0) return "-";
    while (i < 5 && seconds < units[i].seconds) i++;
    const int count = (int)(seconds / units[i].seconds);
    append(&out, "%d %s%s", count, brief ? units[i].brief : units[i].name, brief || count == 1 ? "" : "s");
    return keep(&out);
}
const char *age_of(const char *date) { return age_in(date, false); }
const char *short_age_of(const char *date) { return age_in(date, true); }

/* ---- Names of functions of C++, as __PRETTY_FUNCTION__ has them ---- */

static int depth_of(char c) { return strchr("<([{", c) ? 1 : strchr(">)]}", c) ? -1 : 0; }
/* Appends a type or a value without the namespaces and classes before each name. */
static void append_unqualified(autotune__text *out, const char *at, const char *end) {
    for (const char *word = at; at < end; at++) {
        if (at + 1 < end && at[0] == ':' && at[1] == ':') {
            word = ++at + 1;
            continue;
        }
        const bool in_word = autotune__is_word(*at);
        if (in_word && at + 1 < end && autotune__is_word(at[1])) continue;
        if (in_word && at + 2 < end && at[1] == ':' && at[2] == ':') continue;
        append(out, "%.*s", (int)(at + 1 - word), word);
        word = at + 1;
    }
}
/* Appends the values of gcc's [with T = float; int N = 3], or of clang's [T = float, N = 3]. */
static void append_arguments(autotune__text *out, const char *at, const char *end) {
    size_t written = 0;
    while (at < end) {
        const char *name = at, *equals = NULL;
        int depth = 0;
        for (; at < end && (depth || (*at != ';' && *at != ',')); at++) {
            depth += depth_of(*at);
            if (!depth && !equals && *at == '=') equals = at;
        }
        if (equals && !memchr(name, ':', (size_t)(equals - name))) { /* else a typedef of the C++ library */
            append(out, written++ ? ", " : "<");
            append_unqualified(out, equals + 2, at);
        }
        at += at < end ? 2 : 0;
    }
    if (written) append(out, ">");
}
/* Returns the ( of the parameters: it follows a word, and is outside of all other brackets. NULL: none. */
static const char *parameters_of(const char *at) {
    int depth = 0;
    for (const char *start = at; *at; at++) {
        if (*at == '(' && !depth && at > start && autotune__is_word(at[-1])) return at;
        depth += depth_of(*at);
        if (depth < 0) return NULL;
    }
    return NULL;
}
const char *short_name(const char *tuner) {
    const char *colon = strchr(tuner, ':'), *open = colon ? parameters_of(colon + 1) : NULL, *name = open,
               *with = open ? strstr(open, " [") : NULL;
    const size_t length = strlen(tuner);
    autotune__text out = {NULL, false};
    while (open && name > colon + 1 && autotune__is_word(name[-1])) name--;
    if (!open || !strncmp(name, "operator", 8)) return tuner;
    append(&out, "%.*s%.*s", (int)(colon + 1 - tuner), tuner, (int)(open - name), name);
    if (with && tuner[length - 1] == ']')
        append_arguments(&out, with + (strncmp(with, " [with ", 7) ? 2 : 7), tuner + length - 1);
    return keep(&out);
}
const char *shown_time(double ns) {
    autotune__text out = {NULL, false};
    append_time(&out, ns);
    return keep(&out);
}
static bool begins_character(char byte) { return ((unsigned char)byte & 0xC0) != 0x80; }
const char *shortened(const char *text, size_t most) {
    const size_t length = strlen(text);
    size_t head = (most - 3) / 2, tail = length - (most - 3 - head);
    if (length <= most) return text;
    while (head && !begins_character(text[head])) head--;
    while (tail < length && !begins_character(text[tail])) tail++;
    return formatted("%.*s...%s", (int)head, text, text + tail);
}
const char *formatted(const char *format, ...) {
    autotune__text out = {NULL, false};
    va_list list;
    va_start(list, format);
    autotune__append_list(&out, format, list);
    va_end(list);
    if (out.broken) no_memory();
    return keep(&out);
}
const char *bar(double part, size_t columns) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const bool fine = !strcmp(nl_langinfo(CODESET), "UTF-8");
    autotune__text out = {NULL, false};
    int length = part > 0 && part <= 1 ? (int)(part * (double)columns * 8 + 0.5) : 0;
    if (part > 0 && part <= 1 && length == 0) length = 1;
    for (int column = 0; column < length / 8; column++) append(&out, fine ? "█" : "#");
    if (length % 8) append(&out, "%s", fine ? eighths[length % 8] : length % 8 >= 4 ? "#" : "");
    return keep(&out);
}

int compare_naturally(const char *a, const char *b) {
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const size_t m = strspn(a, "0123456789"), n = strspn(b, "0123456789");
            const int order = m != n ? (m < n ? -1 : 1) : memcmp(a, b, n);
            if (order) return order;
            a += m;
            b += n;
        } else if (*a != *b)
            break;
        else
            a++, b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
size_t index_of(const char ***names, struct value value) {
    autotune__text text = {NULL, false};
    size_t i = 0;
    append_value(&text, value);
    append(&text, "%s", "");
    while (i < COUNT(*names) && strcmp((*names)[i], text.at) != 0) i++;
    if (i < COUNT(*names))
        autotune__free_text(&text);
    else {
        const char *name = keep(&text);
        PUSH(*names, name);
    }
    return i;
}

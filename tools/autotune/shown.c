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
const char *age_of(const char *date) {
    struct tm utc = {.tm_year = 0};
    const bool is_date = sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour,
                                &utc.tm_min, &utc.tm_sec) == 6;
    static const struct unit {
        double seconds;
        const char *name;
    } units[] = {{365.25 * 86400, "year"}, {30.4 * 86400, "month"}, {86400, "day"},
                 {3600, "hour"},           {60, "minute"},          {1, "second"}};
    autotune__text out = {NULL, false};
    double seconds;
    size_t i = 0;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    seconds = difftime(time(NULL), timegm(&utc));
    if (!is_date || seconds < 0) return "-";
    while (i < 5 && seconds < units[i].seconds) i++;
    const int count = (int)(seconds / units[i].seconds);
    append(&out, "%d %s%s", count, units[i].name, count == 1 ? "" : "s");
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
const char *bar(double part) {
    enum { COLUMNS = 20 };
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const bool fine = !strcmp(nl_langinfo(CODESET), "UTF-8");
    autotune__text out = {NULL, false};
    int length = part > 0 && part <= 1 ? (int)(part * COLUMNS * 8 + 0.5) : 0;
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

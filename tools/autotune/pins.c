/* pins.c - see pins.h */
#include "pins.h"
#include "shown.h"
#include <ctype.h>

/* A value as the log shows it: AUTOTUNE_USE takes this spelling. */
static void append_logged(autotune__text *out, struct value value, const char *format) {
    size_t length;
    const char *text = inside(value, &length);
    if (!is_string(value) && (is_raw(value, "true") || is_raw(value, "false")))
        append(out, "%d", is_raw(value, "true"));
    else if (!is_string(value) && is_raw(value, "null"))
        append(out, "NULL");
    else if (!is_string(value) && (memchr(text, '.', length) || memchr(text, 'e', length)))
        autotune__append_number(out, format, number_at(value));
    else
        append_value(out, value);
}
/* The log leaves out the name of a part of a key that is no word. */
static void append_logged_pairs(autotune__text *out, struct value object, const char *format, bool are_axes) {
    struct value name = {NULL, -1};
    size_t length, pairs = 0;
    while (next_member(object, &name)) {
        const char *text = inside(name, &length);
        append(out, pairs++ ? ", " : "");
        if (are_axes || isalpha((unsigned char)*text) || *text == '_') {
            append_value(out, name);
            append(out, "=");
        }
        append_logged(out, value_of(name), format);
    }
}
static void append_logged_case(autotune__text *out, const struct record *record, struct value at) {
    const struct value key = member(at, "key");
    struct value name = {NULL, -1};
    append(out, "%s", record->tuner);
    if (!next_member(key, &name)) return;
    append(out, " [");
    append_logged_pairs(out, key, "%g", false);
    append(out, "]");
}
/* A pin has strings as they are, without escapes: turns \\ into \ in the text from `start` on. False: it has another
   escape, and stays as it is. */
static bool unescape(autotune__text *text, size_t start) {
    char *to = text->at + start;
    for (const char *at = to; *at; at += *at == '\\' ? 2 : 1)
        if (*at == '\\' && at[1] != '\\') return false;
    for (const char *at = to; *at; at++) *to++ = *at == '\\' ? *++at : *at;
    *to = 0;
    autotune__set_count(text->at, (size_t)(to - text->at));
    return true;
}
/* AUTOTUNE_USE takes blanks behind a comma; the configurations of records are shown without them. */
static const char *without_blanks(const char *wanted) {
    autotune__text out = {NULL, false};
    while (*wanted) {
        const char *next = wanted + 1 + strspn(wanted + 1, " ");
        append(&out, "%c", *wanted);
        wanted = *wanted == ',' && next[strcspn(next, ",=")] == '=' ? next : wanted + 1;
    }
    const char *text = shown(out.at);
    autotune__free_text(&out);
    return text;
}
const char *pinned_to(const struct record *record, struct value at) {
    autotune__text name = {NULL, false};
    append_logged_case(&name, record, at);
    (void)unescape(&name, 0);
    const char *wanted = pin_of(record->tuner, name.at);
    autotune__free_text(&name);
    return wanted ? without_blanks(wanted) : NULL;
}
void print_pin(const struct record *records, size_t record) {
    const struct value at = open_record(&records[record]), winner = member(at, "winner");
    const bool again = record && is_same_case(&records[record - 1], &records[record]);
    autotune__text out = {NULL, false};
    append_logged_case(&out, &records[record], at);
    bool is = unescape(&out, 0);
    const size_t equals = COUNT(out.at);
    append(&out, "=");
    append_logged_pairs(&out, winner, "%.9g", true);
    is = unescape(&out, equals) && is && is_pin(out.at, equals);
    if (is_object(winner)) {
        if (again) printf("# %s:\n", shown_member(at, "device"));
        printf("%s%s\n", again || !is ? "# " : "", out.at);
    }
    autotune__free_text(&out);
    close_json(at);
}

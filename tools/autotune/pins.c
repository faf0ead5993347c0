/* pins.c - see pins.h */
#include "pins.h"
#include "escape.h"
#include "shown.h"
#include <ctype.h>

/* Appends a value as the log shows it, since AUTOTUNE_USE takes this spelling. */
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
/* Appends names and values as the log shows them: it leaves out the name of a part that is no word. */
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
/* Removes blanks behind commas. AUTOTUNE_USE allows these blanks; configurations of records are shown without them. */
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
    if (is_string(member(at, "pin"))) return NULL; /* the race ran with a pin */
    append_logged_case(&name, record, at);
    (void)unescape_pin(&name, 0);
    const char *wanted = pin_of(record->tuner, name.at);
    autotune__free_text(&name);
    return wanted ? without_blanks(wanted) : NULL;
}
/* AUTOTUNE_USE leaves out the blanks around each name and value. */
static bool has_blank_ends(struct value value) {
    size_t length;
    const char *text = inside(value, &length);
    return length && (text[0] == ' ' || text[length - 1] == ' ');
}
static bool keeps_its_blanks(struct value record) {
    size_t length;
    struct value name = {NULL, -1};
    const char *tuner = inside(member(record, "tuner"), &length);
    const bool has_key = next_member(member(record, "key"), &name); /* the key follows the name */
    if (!length || *tuner == ' ' || (!has_key && has_blank_ends(member(record, "tuner")))) return false;
    for (name.place = -1; next_member(member(record, "winner"), &name);)
        if (has_blank_ends(name) || has_blank_ends(value_of(name))) return false;
    return true;
}
void print_pin(const struct record *records, size_t record) {
    const struct value at = open_record(&records[record]), winner = member(at, "winner");
    const bool again = (record && is_same_case(&records[record - 1], &records[record])) || is_string(member(at, "pin"));
    autotune__text out = {NULL, false};
    append_logged_case(&out, &records[record], at);
    bool is = unescape_pin(&out, 0);
    const size_t equals = COUNT(out.at);
    append(&out, "=");
    append_logged_pairs(&out, winner, "%.9g", true);
    is = unescape_pin(&out, equals) && is && is_pin(out.at, equals) && keeps_its_blanks(at);
    if (is_object(winner)) {
        if (again) printf("# %s:\n", shown_member(at, "device"));
        printf("%s%s\n", again || !is ? "# " : "", out.at);
    }
    autotune__free_text(&out);
    close_json(at);
}

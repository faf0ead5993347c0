/* list.c - autotune list: a line for each record */
#include "command.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include "table.h"
#include <ctype.h>

enum { WIDEST = 40 }; /* of a device or a difference, on a terminal */

static bool is_same_case(const struct record *a, const struct record *b) {
    return !strcmp(a->tuner, b->tuner) && !strcmp(a->key, b->key);
}
static const char *text_of(const struct record *record, const char *name) {
    const struct value at = open_record(record);
    const char *text = shown_member(at, name);
    close_json(at);
    return text;
}
/* Records of the same tuner and key answer different calls or builds: in what does this one differ from the others?
   Empty: there are none, or what they differ in is the device. */
static const char *difference_of(const struct record *records, size_t record) {
    static const char *const members[] = {"call", "version", "compiler", "fingerprint"};
    size_t first = record, end = record + 1;
    while (first > 0 && is_same_case(&records[first - 1], &records[record])) first--;
    while (end < COUNT(records) && is_same_case(&records[end], &records[record])) end++;
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        const char *own = text_of(&records[record], members[m]);
        for (size_t i = first; i < end; i++)
            if (strcmp(own, text_of(&records[i], members[m])) != 0)
                return formatted("%s %s", members[m], shortened(own, WIDEST));
    }
    return "";
}
/* The devices of all records, each once. An array of stb_ds. */
static const char **devices_of(const struct record *records) {
    const char **devices = NULL;
    for (size_t i = 0; i < COUNT(records); i++) {
        const struct value at = open_record(&records[i]);
        (void)index_of(&devices, member(at, "device"));
        close_json(at);
    }
    return devices;
}
/* As short as it can be told from all others. */
static const char *short_device(const char *const *devices, size_t device) {
    const char *brief = shortened(devices[device], WIDEST);
    for (size_t i = 0; i < COUNT(devices); i++)
        if (i != device && !strcmp(shortened(devices[i], WIDEST), brief)) return devices[device];
    return brief;
}
/* Of an online race that goes on it shows what is in use. */
static void list_record(struct table *table, const struct record *records, size_t record, const char **devices) {
    const struct value at = open_record(&records[record]), online = member(at, "online");
    const double pace = number_at(member(online, "pace"));
    const bool goes_on = is_there(member(online, "config")) && pace > 0;
    const char *winner = shown_pairs(goes_on ? member(online, "config") : member(at, "winner"), true),
               *verdict = goes_on ? "ongoing" : shown_member(at, "verdict"), *device = shown_member(at, "device"),
               *date = shown_date(&records[record].line), *tuner = records[record].tuner, *key = records[record].key;
    const double ns = goes_on ? pace * number_at(member(online, "first_ns")) : ns_of(at),
                 speedup = goes_on ? 1 / pace : speedup_of(at);
    if (on_terminal()) {
        const char *difference = difference_of(records, record);
        ADD_ROW(table, tuner, key, winner, shown_time(ns), NUMBER("%.2f x", speedup), verdict, age_of(date),
                COUNT(devices) > 1 ? short_device(devices, index_of(&devices, member(at, "device"))) : difference,
                difference);
    } else
        ADD_ROW(table, tuner, key, winner, NUMBER("%.10g", ns), NUMBER("%.4g", speedup), verdict, date, device);
    close_json(at);
}
/* A value as the log shows it: AUTOTUNE_USE takes this spelling. */
static void append_logged(autotune__text *out, struct value value, const char *format) {
    size_t length;
    const char *text = inside(value, &length);
    if (!is_string(value) && (is_raw(value, "true") || is_raw(value, "false")))
        append(out, "%d", is_raw(value, "true"));
    else if (!is_string(value) && (memchr(text, '.', length) || memchr(text, 'e', length)))
        autotune__append_number(out, format, number_at(value));
    else
        append(out, "%.*s", (int)length, text);
}
/* The log leaves out the name of a part of a key that is no word. */
static void append_logged_pairs(autotune__text *out, struct value object, const char *format, bool are_axes) {
    struct value name = {NULL, -1};
    size_t length, pairs = 0;
    while (next_member(object, &name)) {
        const char *text = inside(name, &length);
        append(out, pairs++ ? ", " : "");
        if (are_axes || isalpha((unsigned char)*text) || *text == '_') append(out, "%.*s=", (int)length, text);
        append_logged(out, value_of(name), format);
    }
}
/* A line of a file for AUTOTUNE_USE. It is a comment where an earlier line pins the same tuner and key, and where the
   record has an escape in a string, which a pin cannot have. */
static void print_pin(const struct record *records, size_t record) {
    const struct value at = open_record(&records[record]), key = member(at, "key"), winner = member(at, "winner");
    const bool again = record && is_same_case(&records[record - 1], &records[record]);
    struct value name = {NULL, -1};
    autotune__text out = {NULL, false};
    append(&out, "%s", records[record].tuner);
    if (next_member(key, &name)) {
        append(&out, " [");
        append_logged_pairs(&out, key, "%g", false);
        append(&out, "]");
    }
    append(&out, "=");
    append_logged_pairs(&out, winner, "%.9g", true);
    if (is_object(winner)) {
        if (again) printf("# %s:\n", shown_member(at, "device"));
        printf("%s%s\n", again || strchr(out.at, '\\') ? "# " : "", out.at);
    }
    autotune__free_text(&out);
    close_json(at);
}
static int list(char **arguments) {
    struct table table = {NULL, 8, 1 << 3 | 1 << 4 | 1 << 6};
    bool differences = false;
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    if (options.as_pins) {
        for (size_t i = 0; i < COUNT(records); i++) print_pin(records, i);
        stbds_arrfree(records);
        return DONE;
    }
    const char **devices = devices_of(records);
    for (size_t i = 0; on_terminal() && i < COUNT(records); i++) differences |= *difference_of(records, i) != 0;
    if (on_terminal()) {
        table.columns = 7u + (COUNT(devices) > 1) + differences;
        ADD_ROW(&table, "TUNER", "KEY", "WINNER", "TIME", "SPEED-UP", "VERDICT", "AGE",
                COUNT(devices) > 1 ? "DEVICE" : "DIFFERS IN", "DIFFERS IN");
    }
    for (size_t i = 0; i < COUNT(records); i++) list_record(&table, records, i, devices);
    print_table(&table);
    stbds_arrfree(devices);
    stbds_arrfree(records);
    return DONE;
}
const struct command list_command = {
    .name = "list",
    .run = list,
    .least = 0,
    .most = 2,
    .options = "fdp",
    .synopsis = "[TUNER [KEY]]",
    .purpose = "tuners, keys and their winners",
    .help = "On a terminal, a line for each record: its time, how much faster it is than the first\n"
            "configuration, the verdict, the age, and what tells it from others of its tuner and key.\n"
            "Elsewhere, separated by tabs: tuner, key, winner, nanoseconds, speed-up, verdict, date,\n"
            "device.\n"
            "With --as-pins, lines for AUTOTUNE_USE=@FILE, which makes programs use these winners.\n",
};

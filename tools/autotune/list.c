/* list.c - autotune list: a line for each record */
#include "command.h"
#include "files.h"
#include "in_use.h"
#include "options.h"
#include "pins.h"
#include "records.h"
#include "shown.h"
#include "table.h"
#include "verified.h"

enum { WIDEST = 40 }; /* the greatest width of a device or a difference on a terminal, in characters */
enum { TUNER, KEY, WINNER, TIME, SPEED_UP, VERDICT, AGE, COLUMNS }; /* the columns on a terminal */

static const char *text_of(const struct record *record, const char *name) {
    const struct value at = open_record(record);
    const char *text = shown_member(at, name);
    close_json(at);
    return text;
}
/* Several records may have the same tuner and key: they are for different calls, builds or devices. Returns the text in
   which this record differs from the others. Empty: there is no other record, or only the device differs. */
static const char *difference_of(const struct record *records, size_t record) {
    static const char *const members[] = {"pin", "call", "version", "compiler", "fingerprint"};
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
/* Returns the devices of all records, each once: an array of stb_ds. */
static const char **devices_of(const struct record *records) {
    const char **devices = NULL;
    for (size_t i = 0; i < COUNT(records); i++) {
        const struct value at = open_record(&records[i]);
        (void)index_of(&devices, member(at, "device"));
        close_json(at);
    }
    return devices;
}
/* Returns the name of a device, shortened if no other device has the same short name. */
static const char *short_device(const char *const *devices, size_t device) {
    const char *brief = shortened(devices[device], WIDEST);
    for (size_t i = 0; i < COUNT(devices); i++)
        if (i != device && !strcmp(shortened(devices[i], WIDEST), brief)) return devices[device];
    return brief;
}
/* The content of a record on one line of the list. */
struct entry {
    const char *winner, *verdict;
    double ns, speedup;
};
/* If an online race goes on, the entry has the configuration in use. If AUTOTUNE_USE has a pin, the entry has the
   pinned configuration. */
static struct entry entry_of(const struct record *record, struct value at) {
    const struct value online = member(at, "online");
    const char *pin = pinned_to(record, at);
    if (pin) return (struct entry){pin, "pinned", AUTOTUNE__NEVER, AUTOTUNE__NEVER};
    if (is_there(member(online, "config")))
        return (struct entry){shown_pairs(member(online, "config"), true), "ongoing", number_at(member(online, "ns")),
                              number_at(member(online, "speed_up"))};
    return (struct entry){shown_pairs(member(at, "winner"), true), shown_member(at, "verdict"), ns_of(at),
                          speedup_of(at)};
}
/* Returns true if a record of another tuner has the same short name. Records of one tuner share a pointer in
   `briefs`. */
static bool is_ambiguous(const char **briefs, size_t record) {
    for (size_t i = 0; i < COUNT(briefs); i++)
        if (briefs[i] != briefs[record] && !strcmp(briefs[i], briefs[record])) return true;
    return false;
}
/* Returns the name of each record's tuner, an array of stb_ds. A name is short unless another tuner has the same short
   name. */
static const char **names_in_list(const struct record *records) {
    const char **briefs = NULL, **names = NULL;
    for (size_t i = 0; i < COUNT(records); i++) {
        const bool again = i && !strcmp(records[i].tuner, records[i - 1].tuner);
        const char *brief = again ? briefs[i - 1] : short_name(records[i].tuner);
        PUSH(briefs, brief);
    }
    for (size_t i = 0; i < COUNT(records); i++) {
        const char *name = i && briefs[i] == briefs[i - 1] ? names[i - 1]
                           : is_ambiguous(briefs, i)       ? records[i].tuner : briefs[i];
        PUSH(names, name);
    }
    stbds_arrfree(briefs);
    return names;
}
/* Columns that only some lists have. */
struct optional {
    const char **devices;            /* an array of stb_ds, shown if it has more than one */
    bool in_use, differences;
    const struct verified *verified; /* an array of stb_ds, shown if it is not empty */
    const char **names;              /* the name of each record's tuner */
};
static void list_on_terminal(struct table *table, const struct record *records, size_t record, struct value at,
                             struct optional *optional) {
    const struct record *it = &records[record];
    const struct entry entry = entry_of(it, at);
    const struct verified *verified = verified_of(optional->verified, &it->line);
    const struct in_use in_use = in_use_of(it);
    const char *more[4] = {"", "", "", ""};
    size_t count = 0;
    if (optional->in_use)
        more[count++] = in_use.is_logged ? formatted("%s !", shown_time(in_use.ns)) : shown_time(in_use.ns);
    if (COUNT(optional->devices) > 1)
        more[count++] = short_device(optional->devices, index_of(&optional->devices, member(at, "device")));
    if (optional->differences) more[count++] = difference_of(records, record);
    if (optional->verified) more[count++] = verified ? shown_verified(verified) : "-";
    ADD_ROW(table, optional->names[record], it->key, entry.winner, shown_time(entry.ns),
            NUMBER("%.2f x", entry.speedup), entry.verdict, short_age_of(shown_date(&it->line)), more[0], more[1],
            more[2], more[3]);
}
/* Explains words in the column VERDICT that are no verdict of a race, each word once. */
static void explain(const struct table *table, const char ***explained) {
    static const struct { const char *word, *meaning; } all[] = {
        {"unfinished", "the race did not end; the next run of the program goes on with it"},
        {"ongoing", "mode ONLINE still compares; this configuration is in use meanwhile"},
        {"rule", "made by 'autotune fit', for keys that were never tuned"},
        {"pinned", "AUTOTUNE_USE asks for it, whatever was measured"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t cell = VERDICT; cell < COUNT(table->cells); cell += table->columns)
            if (!strcmp(table->cells[cell], all[i].word)) {
                PUSH(*explained, formatted("%s: %s", all[i].word, all[i].meaning));
                break;
            }
}
static void list_record(struct table *table, const struct record *record, struct value at) {
    const struct entry entry = entry_of(record, at);
    ADD_ROW(table, record->tuner, record->key, entry.winner, NUMBER("%.10g", entry.ns), NUMBER("%.4g", entry.speedup),
            entry.verdict, shown_date(&record->line), shown_member(at, "device"));
}
static void add_heading(struct table *table, const struct optional *optional) {
    const char *more[4] = {"", "", "", ""};
    size_t count = 0;
    if (optional->in_use) more[count++] = "IN USE";
    if (COUNT(optional->devices) > 1) more[count++] = "DEVICE";
    if (optional->differences) more[count++] = "DIFFERS IN";
    if (optional->verified) more[count++] = "VERIFIED";
    table->columns = COLUMNS + count;
    ADD_ROW(table, "TUNER", "KEY", "WINNER", "TIME", "SPEED-UP", "VERDICT", "AGE", more[0], more[1], more[2],
            more[3]);
}
static int list(char **arguments) {
    struct table table = {.columns = 8,
                          .right = 1 << TIME | 1 << SPEED_UP | 1 << AGE,
                          .shrinks = 1 << KEY | 1 << WINNER,
                          .grouped = true,
                          .below = COLUMNS};
    const char **explained = NULL;
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    if (options.as_pins) {
        for (size_t i = 0; i < COUNT(records); i++) print_pin(records, i);
        stbds_arrfree(records);
        return DONE;
    }
    struct verified *verified = on_terminal() ? read_verified_if_any() : NULL;
    struct optional optional = {devices_of(records), false, false, verified,
                                on_terminal() ? names_in_list(records) : NULL};
    bool any_is_logged = false;
    for (size_t i = 0; on_terminal() && i < COUNT(records); i++) {
        const struct in_use in_use = in_use_of(&records[i]);
        optional.differences |= *difference_of(records, i) != 0;
        optional.in_use |= in_use.date != NULL;
        any_is_logged |= in_use.is_logged;
    }
    if (on_terminal()) add_heading(&table, &optional);
    for (size_t i = 0; i < COUNT(records); i++) {
        const struct value at = open_record(&records[i]);
        if (on_terminal())
            list_on_terminal(&table, records, i, at, &optional);
        else
            list_record(&table, &records[i], at);
        close_json(at);
    }
    if (on_terminal()) explain(&table, &explained);
    if (any_is_logged) PUSH(explained, "!: calls do not take what the race measured; see 'In use' in the manual");
    print_table(&table);
    for (size_t i = 0; i < COUNT(explained); i++) printf("%s%s\n", i ? "" : "\n", explained[i]);
    stbds_arrfree(explained);
    stbds_arrfree(optional.devices);
    stbds_arrfree(optional.names);
    stbds_arrfree(verified);
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
            "configuration, the verdict, the age, what tells it from others of its tuner and key, and what\n"
            "verified it last. Names of C++ templates are short, and 'autotune show' has the whole name.\n"
            "What does not fit is cut in its middle, and what AUTOTUNE_USE pins has the verdict pinned.\n"
            "Elsewhere, separated by tabs: tuner, key, winner, nanoseconds, speed-up, verdict, date,\n"
            "device.\n"
            "With --as-pins, lines for AUTOTUNE_USE=@FILE, which makes programs use these winners.\n",
};

/* records.c - see records.h */
#include "records.h"
#include "files.h"
#include "shown.h"
#include <fnmatch.h>

static bool matches_part_of_name; /* no tuner has exactly the given name: tuners whose names contain it are selected */
static bool is_of_tuner(struct value record, const char *tuner) {
    const char *name = shown_member(record, "tuner");
    return !strcmp(tuner, name) || !strcmp(tuner, short_name(name)) || is_named(record, tuner) ||
           fnmatch(tuner, name, 0) == 0 || (matches_part_of_name && strstr(name, tuner));
}
static bool is_of_key(struct value record, const char *key) {
    const struct value object = member(record, "key");
    return !strcmp(key, shown_pairs(object, true)) || !strcmp(key, shown_pairs(object, false)) || is_raw(object, key);
}
bool is_selected(struct value record, char *const *arguments) {
    return !arguments[0] || (is_of_tuner(record, arguments[0]) && (!arguments[1] || is_of_key(record, arguments[1])));
}
static int order_records(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    if (!order) order = memcmp(a->line.date, b->line.date, sizeof a->line.date);
    return order ? order : a->index < b->index ? -1 : 1;
}
static bool all_lines; /* true: also selects the lines with times of calls in use, which are no records */
static struct record *select_lines(char *const *arguments) {
    struct record *records = NULL;
    for (size_t i = 0; i < line_count(); i++) {
        struct record found = {.index = i, .line = line_at(i)};
        if (found.line.replaced) continue;
        const struct value record = open_record(&found);
        if (is_selected(record, arguments) && (all_lines || !is_there(member(record, "in_use_ns")))) {
            found.tuner = shown_member(record, "tuner");
            found.key = shown_pairs(member(record, "key"), true);
            PUSH(records, found);
        }
        close_json(record);
    }
    if (records) qsort(records, COUNT(records), sizeof *records, order_records);
    return records;
}
static bool knows_tuner(const char *tuner) {
    char *const arguments[] = {(char *)(uintptr_t)tuner, NULL};
    struct record *records = select_lines(arguments);
    const bool knows = records != NULL;
    stbds_arrfree(records);
    return knows;
}
struct record *select_records(char *const *arguments) {
    matches_part_of_name = arguments[0] && *arguments[0] && !knows_tuner(arguments[0]);
    return select_lines(arguments);
}
bool is_same_build(const struct line *a, const struct line *b) {
    static const char *const names[] = {"call", "version", "compiler"};
    if (a->id != b->id || a->machine != b->machine) return false;
    if (a->fingerprint == b->fingerprint) return true;
    const struct value left = open_json(a->text, a->length), right = open_json(b->text, b->length);
    bool same = is_string(member(left, "call"));
    for (size_t i = 0; i < sizeof names / sizeof *names && same; i++) {
        size_t bytes, others;
        const char *text = raw(member(left, names[i]), &bytes), *other = raw(member(right, names[i]), &others);
        same = bytes == others && !memcmp(text, other, bytes);
    }
    close_json(left);
    close_json(right);
    return same;
}
bool is_same_case(const struct record *a, const struct record *b) {
    return !strcmp(a->tuner, b->tuner) && !strcmp(a->key, b->key);
}
/* Records of the same date: those of the first file come last, so that they replace the others. */
static int order_by_date(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    const int order = memcmp(a->line.date, b->line.date, sizeof a->line.date);
    if (order) return order;
    if (a->line.source != b->line.source) return a->line.source > b->line.source ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}
struct record *merged_records(void) {
    char *all[] = {NULL};
    all_lines = true;
    struct record *records = select_records(all), *merged = NULL;
    all_lines = false;
    const size_t source = COUNT(inputs) + 1, first = line_count();
    if (records) qsort(records, COUNT(records), sizeof *records, order_by_date);
    for (size_t i = 0; i < COUNT(records); i++) add_to_source(records[i].index, source);
    for (size_t i = 0; i < COUNT(records); i++)
        if (!line_at(first + i).replaced) PUSH(merged, records[i]);
    stbds_arrfree(records);
    return merged;
}
int none_found_in(const char *name, char *const *arguments) {
    if (!arguments[0]) return DONE;
    if (!arguments[1])
        return fail(FAULTY, "%s: no record of the tuner '%s'; 'autotune list' shows the names", name,
                    shown(arguments[0]));
    return fail(FAULTY, "%s: no record of the tuner '%s' with the key '%s'; 'autotune list' shows names and keys", name,
                shown(arguments[0]), shown(arguments[1]));
}
int none_found(char *const *arguments) {
    return none_found_in(COUNT(inputs) == 1 ? inputs[0].name : "the files", arguments);
}

struct value open_record(const struct record *record) {
    return open_json(record->line.text, record->line.length);
}
double ns_of(struct value object) {
    const double median = number_at(member(object, "median_ns"));
    return autotune__is_definite(median) ? median : number_at(member(object, "min_ns"));
}
bool is_rule(const struct record *record) { return record->line.id == rule_id(&record->line); }
double speedup_of(struct value record) {
    const double first = number_at(member(record, "default_ns")), ns = ns_of(record);
    return autotune__is_definite(first) && ns > 0 && first >= ns ? first / ns : AUTOTUNE__NEVER;
}

static bool is_timed(const struct row *row) { return !row->failed && autotune__is_definite(row->ns); }
static int order_rows(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    if (a->winner != b->winner) return a->winner ? -1 : 1;
    if (is_timed(a) != is_timed(b)) return is_timed(a) ? -1 : 1;
    if (is_timed(a) && (a->ns < b->ns || a->ns > b->ns)) return a->ns < b->ns ? -1 : 1;
    return a->at.place - b->at.place;
}
struct row *rows_of(struct value record) {
    const struct value table = member(record, "configurations");
    struct row *rows = NULL;
    for (struct value at = {NULL, -1}; next_element(table, &at);) {
        const struct row row = {at, ns_of(at), is_raw(member(at, "stage"), "\"winner\""), had_failed(at)};
        PUSH(rows, row);
    }
    if (rows) qsort(rows, COUNT(rows), sizeof *rows, order_rows);
    return rows;
}
void append_line(autotune__text *out, const struct record *record) {
    append(out, "%.*s\n", (int)record->line.length, record->line.text);
}

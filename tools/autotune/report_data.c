/* report_data.c - see report.h: makes the data of the page from records */
#include "report.h"
#include "in_use.h"
#include "command.h"
#include "escape.h"
#include "files.h"
#include "pins.h"
#include "shown.h"

/* A text that many records share is written once; a record has its number. */
struct texts {
    const char **devices, **compilers, **files, **words; /* arrays of stb_ds */
};

static void append_member_name(autotune__text *out, const char *name) { append(out, ",\"%s\":", name); }
static void append_shown_value(autotune__text *out, struct value value) {
    autotune__text text = {NULL, false};
    append_value(&text, value);
    append(&text, "%s", "");
    append_json_string(out, text.at);
    autotune__free_text(&text);
}
static void append_string(autotune__text *out, const char *name, struct value value) { /* missing: nothing */
    if (!is_there(value)) return;
    append_member_name(out, name);
    append_shown_value(out, value);
}
/* Appends a whole number in full, since it may be a count; any other number with six digits. */
static void append_count(autotune__text *out, double number) {
    const bool is_whole = number >= 0 && number < 1e15 && number <= (double)(uint64_t)number;
    if (autotune__is_definite(number))
        append(out, is_whole ? "%.0f" : "%.6g", number);
    else
        append(out, "null");
}
static void append_number_member(autotune__text *out, const char *name, double number) {
    if (!autotune__is_definite(number)) return;
    append_member_name(out, name);
    append(out, "%.10g", number);
}
static void append_members(autotune__text *out, struct value object, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) append_number_member(out, names[i], number_at(member(object, names[i])));
}
static void append_pairs(autotune__text *out, struct value object) { /* ["n","512"],["type","f32"] */
    size_t written = 0;
    for (struct value name = {NULL, -1}; next_member(object, &name);) {
        append(out, written++ ? ",[" : "[");
        append_shown_value(out, name);
        append(out, ",");
        append_shown_value(out, value_of(name));
        append(out, "]");
    }
}
static void append_pairs_member(autotune__text *out, const char *name, struct value object) {
    if (!is_object(object)) return;
    append_member_name(out, name);
    append(out, "[");
    append_pairs(out, object);
    append(out, "]");
}

/* ---- The launch table ---- */

/* The axes of all rows, and their values. */
struct axes {
    const char **names;   /* as shown */
    const char ***values; /* the values of each axis; all are arrays of stb_ds */
};
/* Returns the number of the axis with this name. Adds the axis if it is new. */
static size_t axis_of(struct axes *axes, struct value name) {
    const size_t axis = index_of(&axes->names, name);
    while (COUNT(axes->values) <= axis) PUSH(axes->values, NULL);
    return axis;
}
/* [stage, state, launches, trial, least ns, median ns, a value on each axis by its number ...] */
static void append_row(autotune__text *out, struct texts *texts, struct axes *axes, struct value row) {
    static const char *const numbers[] = {"launches", "trial", "min_ns", "median_ns"};
    int *places = NULL;
    const int none = -1;
    /* In a statement of its own, so that every compiler numbers the words in the same order. */
    const size_t stage = index_of(&texts->words, member(row, "stage"));
    append(out, "[%zu,%zu", stage, index_of(&texts->words, member(row, "state")));
    for (size_t i = 0; i < 4; i++) {
        append(out, ",");
        append_count(out, number_at(member(row, numbers[i])));
    }
    for (struct value name = {NULL, -1}; next_member(member(row, "config"), &name);) {
        const size_t axis = axis_of(axes, name);
        while (COUNT(places) <= axis) PUSH(places, none);
        places[axis] = (int)index_of(&axes->values[axis], value_of(name));
    }
    for (size_t i = 0; i < COUNT(places); i++) append(out, ",%d", places[i]);
    append(out, "]");
    stbds_arrfree(places);
}
static void append_reasons(autotune__text *out, const struct row *rows) { /* by the numbers of the rows */
    size_t written = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct value reason = member(rows[i].at, "reason");
        if (!is_there(reason)) continue;
        append(out, written++ ? ",\"%zu\":" : ",\"reasons\":{\"%zu\":", i);
        append_shown_value(out, reason);
    }
    if (written) append(out, "}");
}
static void append_texts(autotune__text *out, const char **texts) { /* ["16","32"] */
    append(out, "[");
    for (size_t i = 0; i < COUNT(texts); i++) {
        if (i) append(out, ",");
        append_json_string(out, texts[i]);
    }
    append(out, "]");
}
static void append_texts_member(autotune__text *out, const char *name, const char **texts) {
    append_member_name(out, name);
    append_texts(out, texts);
}
static void append_axes(autotune__text *out, const struct axes *axes) { /* ["tile",["16","32"]] ... */
    append(out, ",\"axes\":[");
    for (size_t i = 0; i < COUNT(axes->names); i++) {
        append(out, i ? ",[" : "[");
        append_json_string(out, axes->names[i]);
        append(out, ",");
        append_texts(out, axes->values[i]);
        append(out, "]");
    }
    append(out, "]");
}
static void append_resources(autotune__text *out, const struct row *rows) { /* by the numbers of the rows */
    size_t written = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct value resources = member(rows[i].at, "resources");
        struct value element = {NULL, -1};
        if (!next_element(resources, &element)) continue;
        append(out, written++ ? ",\"%zu\":[" : ",\"resources\":{\"%zu\":[", i);
        append_count(out, number_at(element));
        while (next_element(resources, &element)) {
            append(out, ",");
            append_count(out, number_at(element));
        }
        append(out, "]");
    }
    if (written) append(out, "}");
}
/* {"rows":[[...] ...],"axes":[["tile",["16","32"]] ...],"reasons":{"3":"needs 1 MiB"},"resources":{"0":[32,0,2048]}}
   */
static void append_table(autotune__text *out, struct texts *texts, struct value record) {
    struct row *rows = rows_of(record);
    struct axes axes = {NULL, NULL};
    append(out, "\n{\"rows\":[");
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (i) append(out, ",");
        append_row(out, texts, &axes, rows[i].at);
    }
    append(out, "]");
    append_axes(out, &axes);
    append_reasons(out, rows);
    append_resources(out, rows);
    append(out, "}");
    for (size_t i = 0; i < COUNT(axes.values); i++) stbds_arrfree(axes.values[i]);
    stbds_arrfree(axes.values);
    stbds_arrfree(axes.names);
    stbds_arrfree(rows);
}

/* ---- Records ---- */

static void append_text_member(autotune__text *out, const char *name, const char *text) {
    append_member_name(out, name);
    append_json_string(out, text);
}
/* Appends facts about the winner since the race: its verification, its pin, its time in use. */
static void append_later(autotune__text *out, const struct record *record, struct value at,
                         const struct verified *all) {
    const struct verified *verified = verified_of(all, &record->line);
    const char *pin = pinned_to(record, at);
    const struct in_use in_use = in_use_of(record);
    if (verified) append_text_member(out, "verified", shown_verified(verified));
    if (verified) append_text_member(out, "verified_date", shown_date(&verified->line));
    if (pin) append_text_member(out, "pinned", pin);
    if (in_use.date) append_number_member(out, "in_use_ns", in_use.ns);
    if (in_use.is_logged) append(out, ",\"logged_in_use\":true");
}
/* Appends a record to `out`, and its launch table to `tables`. On the page, the lines of `tables` follow the line with
   all records. */
static void append_record(autotune__text *out, autotune__text *tables, struct texts *texts,
                          const struct record *record, const struct verified *verified) {
    static const char *const strings[] = {"verdict", "doubt", "note", "call", "version", "left_out"};
    static const char *const numbers[] = {"min_ns",      "default_ns",   "slowest_ns", "runner_up_ns",
                                          "lead",        "lead_low",     "lead_high",  "space_size",
                                          "tried",       "failed",       "launches",   "seconds",
                                          "duels",       "checked"};
    const struct value at = open_record(record);
    append(out, "{\"tuner\":");
    append_json_string(out, record->tuner);
    append_pairs_member(out, "key", member(at, "key"));
    append_member_name(out, "date");
    append_json_string(out, shown_date(&record->line));
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        append_string(out, strings[i], member(at, strings[i]));
    append_number_member(out, "ns", ns_of(at));
    append_members(out, at, numbers, sizeof numbers / sizeof *numbers);
    if (is_raw(member(at, "complete"), "false")) append(out, ",\"complete\":false");
    append_pairs_member(out, "winner", member(at, "winner"));
    append_pairs_member(out, "runner_up", member(at, "runner_up"));
    append_later(out, record, at, verified);
    append(out, ",\"device\":%zu", index_of(&texts->devices, member(at, "device")));
    if (is_there(member(at, "compiler")))
        append(out, ",\"compiler\":%zu", index_of(&texts->compilers, member(at, "compiler")));
    append(out, "}");
    append_table(tables, texts, at);
    close_json(at);
}
static void append_crash(autotune__text *out, const struct crash *crash) {
    const char *const strings[] = {crash->tuner, crash->key, crash->config, crash->date};
    append(out, "[");
    for (size_t i = 0; i < 4; i++) {
        append_json_string(out, strings[i]);
        append(out, ",");
    }
    append(out, "%zu]", crash->launches);
}
static void append_missed(autotune__text *out, const struct worth *worth) {
    const struct miss *miss = &worth->miss;
    const double numbers[] = {miss->calls, miss->runs};
    const struct value at = open_json(miss->line.text, miss->line.length);
    const char *const strings[] = {worth->tuner, worth->key, shown_date(&miss->line), shown_member(at, "device")};
    append(out, "[");
    for (size_t i = 0; i < 4; i++) {
        append_json_string(out, strings[i]);
        append(out, ",");
    }
    for (size_t i = 0; i < 2; i++) {
        if (i) append(out, ",");
        append_count(out, numbers[i]);
    }
    append(out, "]");
    close_json(at);
}
void append_report(autotune__text *out, const struct report *report) {
    struct texts texts = {NULL, NULL, NULL, NULL};
    autotune__text tables = {NULL, false};
    append(out, "{\"records\":[");
    for (size_t i = 0; i < COUNT(report->records); i++) {
        if (i) append(out, ",");
        append_record(out, &tables, &texts, &report->records[i], report->verified);
    }
    append(out, "],\"lost\":[");
    for (size_t i = 0; i < COUNT(report->crashes); i++) {
        if (i) append(out, ",");
        append_crash(out, &report->crashes[i]);
    }
    append(out, "],\"missed\":[");
    for (size_t i = 0; i < COUNT(report->missed); i++) {
        if (i) append(out, ",");
        append_missed(out, &report->missed[i]);
    }
    append(out, "]");
    for (size_t i = 0; i < COUNT(inputs); i++) PUSH(texts.files, inputs[i].name);
    append_texts_member(out, "devices", texts.devices);
    append_texts_member(out, "compilers", texts.compilers);
    append_texts_member(out, "words", texts.words);
    append_texts_member(out, "files", texts.files);
    append(out, ",\"version\":\"%s\"}%.*s\n", version, (int)COUNT(tables.at), tables.at ? tables.at : "");
    stbds_arrfree(texts.devices);
    stbds_arrfree(texts.compilers);
    stbds_arrfree(texts.words);
    stbds_arrfree(texts.files);
    autotune__free_text(&tables);
}

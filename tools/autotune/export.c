/* export.c - autotune export: records in other formats */
#include "command.h"
#include "escape.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"

/* ---- c ---- */

/* Appends a line to the comment, and the record to the lines that a program loads. */
static void append_winner(autotune__text *comment, autotune__text *lines, const struct record *record) {
    const struct value at = open_record(record);
    append_without_tables(lines, &record->line);
    append(comment, "   ");
    append_c_comment(comment, record->tuner);
    append(comment, "  ");
    append_c_comment(comment, record->key);
    append(comment, "  ");
    append_c_comment(comment, shown_pairs(member(at, "winner"), true));
    append(comment, "\n");
    close_json(at);
}
static int export_c(autotune__text *out, const struct record *records) {
    const char *name = options.name ? options.name : "autotune_winners";
    autotune__text lines = {NULL, false};
    if (!is_identifier(name)) return fail(NOT_DONE, "--name '%s' is no identifier of C", shown(name));
    append(out,
           "/* Winners that autotune found. Made by `autotune export --format c`; to be loaded before the first call "
           "that is tuned:\n\n       autotune_load_text(%s, sizeof %s - 1);\n\n",
           name, name);
    for (size_t i = 0; i < COUNT(records); i++)
        if (!records[i].line.unfinished || is_rule(&records[i])) append_winner(out, &lines, &records[i]);
    append(out,
           "*/\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
           "static const char %s[] =\n",
           name);
    if (COUNT(lines.at))
        append_c_lines(out, lines.at, COUNT(lines.at));
    else
        append(out, "    \"\"\n");
    append(out, "    ;\n#pragma GCC diagnostic pop\n");
    autotune__free_text(&lines);
    return DONE;
}

/* ---- csv ---- */

/* Adds the names of an object's members to the names of columns. Every name in a key or configuration is a column. */
static void add_names(const char ***names, struct value object) {
    for (struct value name = {NULL, -1}; next_member(object, &name);) index_of(names, name);
}
static void append_field(autotune__text *out, const char *field) { /* appends a field behind another field */
    append(out, ",");
    append_csv(out, field);
}
static void append_value_field(autotune__text *out, struct value value) { /* empty: missing, or null */
    append_field(out, is_there(value) ? shown_value(value) : "");
}
static void append_member_fields(autotune__text *out, struct value object, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) append_value_field(out, member(object, names[i]));
}
static void append_named_fields(autotune__text *out, struct value object, const char **names) {
    struct value *values = NULL, none = {NULL, -1};
    for (size_t i = 0; i < COUNT(names); i++) PUSH(values, none);
    for (struct value name = none; next_member(object, &name);)
        values[index_of(&names, name)] = value_of(name); /* add_names() has added each name before */
    for (size_t i = 0; i < COUNT(values); i++) append_value_field(out, values[i]);
    stbds_arrfree(values);
}

struct columns {
    const char **key, **config; /* arrays of stb_ds */
};
static const char *const of_record[] = {"tuner", "device", "verdict"};
static const char *const of_row[] = {"stage", "state", "launches", "min_ns", "median_ns", "reason"};
enum { OF_RECORD = sizeof of_record / sizeof *of_record, OF_ROW = sizeof of_row / sizeof *of_row };

static void add_columns(struct columns *columns, struct value record) {
    const struct value table = member(record, "configurations");
    add_names(&columns->key, member(record, "key"));
    for (struct value row = {NULL, -1}; next_element(table, &row);) add_names(&columns->config, member(row, "config"));
}
static void append_header(autotune__text *out, const struct columns *columns) {
    append(out, "date");
    for (size_t i = 0; i < OF_RECORD; i++) append_field(out, of_record[i]);
    for (size_t i = 0; i < COUNT(columns->key); i++) append_field(out, formatted("key.%s", columns->key[i]));
    for (size_t i = 0; i < COUNT(columns->config); i++) append_field(out, formatted("config.%s", columns->config[i]));
    for (size_t i = 0; i < OF_ROW; i++) append_field(out, of_row[i]);
    append(out, "\n");
}
static void append_csv_rows(autotune__text *out, const struct columns *columns, const struct record *record) {
    const struct value at = open_record(record);
    struct row *rows = rows_of(at);
    const char *date = shown_date(&record->line);
    for (size_t i = 0; i < COUNT(rows); i++) {
        append_csv(out, date);
        append_member_fields(out, at, of_record, OF_RECORD);
        append_named_fields(out, member(at, "key"), columns->key);
        append_named_fields(out, member(rows[i].at, "config"), columns->config);
        append_member_fields(out, rows[i].at, of_row, OF_ROW);
        append(out, "\n");
    }
    stbds_arrfree(rows);
    close_json(at);
}
static int export_csv(autotune__text *out, const struct record *records) { /* appends a line for each configuration */
    struct columns columns = {NULL, NULL};
    for (size_t i = 0; i < COUNT(records); i++) {
        const struct value at = open_record(&records[i]);
        add_columns(&columns, at);
        close_json(at);
    }
    append_header(out, &columns);
    for (size_t i = 0; i < COUNT(records); i++) append_csv_rows(out, &columns, &records[i]);
    stbds_arrfree(columns.key);
    stbds_arrfree(columns.config);
    return DONE;
}

/* ---- json ---- */

static int export_json(autotune__text *out, const struct record *records) { /* appends the records unchanged */
    append(out, "[");
    for (size_t i = 0; i < COUNT(records); i++) {
        const struct value at = open_record(&records[i]);
        append(out, i ? ",\n" : "\n");
        append_json_value(out, at);
        close_json(at);
    }
    append(out, "\n]\n");
    return DONE;
}

/* ---- t4: a format of results that auto-tuners share. One race, times in milliseconds ---- */

static const char *invalidity_of(const struct row *row) {
    if (is_raw(member(row->at, "state"), "\"rejected\"")) return "constraints";
    return row->failed ? "runtime" : "correct";
}
static void append_t4_row(autotune__text *out, const char *date, const struct row *row) {
    const struct value config = member(row->at, "config");
    const bool timed = !row->failed && autotune__is_definite(row->ns);
    append(out, "{\"timestamp\":");
    append_json_string(out, date);
    append(out, ",\"configuration\":");
    if (config.place > 0)
        append_json_value(out, config);
    else
        append(out, "{}");
    append(out, ",\"times\":{\"runtimes\":[");
    if (timed) append_number(out, row->ns / 1e6);
    append(out, "]},\"invalidity\":\"%s\",\"correctness\":%d,\"measurements\":[", invalidity_of(row), !row->failed);
    if (timed) {
        append(out, "{\"name\":\"time\",\"value\":");
        append_number(out, row->ns / 1e6);
        append(out, ",\"unit\":\"ms\"}");
    }
    append(out, "],\"objectives\":[\"time\"]}");
}
static int export_t4(autotune__text *out, const struct record *records) {
    if (COUNT(records) != 1)
        return fail(NOT_DONE,
                    "--format t4 holds one race, and here are %zu: "
                    "name a tuner and a key, as 'autotune list' shows them",
                    COUNT(records));
    const struct value at = open_record(records);
    const char *date = shown_date(&records->line);
    struct row *rows = rows_of(at);
    append(out, "{\"schema_version\":\"1.0.0\",\"results\":[");
    for (size_t i = 0; i < COUNT(rows); i++) {
        append(out, i ? ",\n" : "\n");
        append_t4_row(out, date, &rows[i]);
    }
    append(out, "\n]}\n");
    stbds_arrfree(rows);
    close_json(at);
    return DONE;
}

/* ---- the command ---- */

/* Gives all records the date in SOURCE_DATE_EPOCH, if it is set. So each build of a program gets the same bytes. */
static int date_records(struct record *records) {
    const char *epoch = variable("SOURCE_DATE_EPOCH");
    const double seconds = epoch ? autotune__number_of(epoch, strlen(epoch)) : 0;
    if (!epoch || !*epoch) return DONE;
    if (!(seconds >= 0 && seconds < 253402300800))
        return fail(NOT_DONE, "SOURCE_DATE_EPOCH=%s: it is a number of seconds since 1970", shown(epoch));
    for (size_t i = 0; i < COUNT(records); i++) records[i].line = dated_line(&records[i].line, seconds);
    return DONE;
}
static int export_records(char **arguments) {
    static const struct format {
        const char *name;
        int (*make)(autotune__text *out, const struct record *records);
    } formats[] = {{"c", export_c}, {"csv", export_csv}, {"json", export_json}, {"t4", export_t4}};
    const struct format *format = NULL;
    autotune__text out = {NULL, false};
    for (size_t i = 0; options.format && i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(options.format, formats[i].name)) format = &formats[i];
    if (!options.format) return fail(NOT_DONE, "export: --format is needed: c, csv, json or t4");
    if (!format) return fail(NOT_DONE, "--format '%s' is not known: it is c, csv, json or t4", shown(options.format));
    if (options.name && format->make != export_c) return fail(NOT_DONE, "--name is for --format c alone");
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records && arguments[0]) return none_found(arguments);
    int status = date_records(records);
    if (status == DONE) status = format->make(&out, records);
    if (status == DONE) status = write_result(&out, options.output);
    autotune__free_text(&out);
    stbds_arrfree(records);
    return status;
}
const struct command export_command = {
    .name = "export",
    .run = export_records,
    .least = 0,
    .most = 2,
    .options = "fdFon",
    .synopsis = "--format c|csv|json|t4 [TUNER [KEY]]",
    .purpose = "records in other formats",
    .help = "c     a header with the winners as one string, for autotune_load_text(): a program that has them\n"
            "      compiled in needs no file\n"
            "csv   a line for each configuration, with a column for each axis and part of a key\n"
            "json  an array of the records\n"
            "t4    one race in the T4 results format of the auto-tuning community, times in milliseconds\n"
            "SOURCE_DATE_EPOCH sets the dates of all records: then the same records give the same bytes.\n",
};

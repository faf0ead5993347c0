static void append_raw(autotune__text *out, const autotune__json *json, int at) {
    size_t length;
    const char *raw = autotune__raw(json, at, &length);
    autotune__append(out, "%.*s", (int)length, raw);
}

/* A line for a program: without the launch table, and with the checksum that it then has. */
static void append_short_record(autotune__text *out, const autotune__json *json) {
    const size_t start = COUNT(out->at);
    int at = 0;
    while ((at = autotune__next_member(json, 0, at)) > 0) {
        if (autotune__is_raw(json, at, "\"configurations\"", 16) || autotune__is_raw(json, at, "\"crc\"", 5)) continue;
        autotune__append(out, COUNT(out->at) == start ? "{" : ",");
        append_raw(out, json, at);
        autotune__append(out, ":");
        append_raw(out, json, at + 1);
    }
    if (out->broken) no_memory();
    autotune__append(out, ",\"crc\":\"%08lx\"}\n", (unsigned long)autotune__crc(out->at + start, stbds_arrlenu(out->at) - start));
}
static void append_literal(autotune__text *out, const char *text, size_t length) { /* in lines of some 120 columns */
    size_t column = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (column == 0) autotune__append(out, "    \"");
        if (c == '\n')
            autotune__append(out, "\\n");
        else if (c == '"' || c == '\\' || c == '?')
            autotune__append(out, "\\%c", c); /* a question mark could begin a trigraph */
        else if (c < 0x20 || c >= 0x7F)
            autotune__append(out, "\\%03o", c);
        else
            autotune__append(out, "%c", c);
        if (++column >= 110 || c == '\n' || i + 1 == length) {
            autotune__append(out, "\"\n");
            column = 0;
        }
    }
}
static void append_comment(autotune__text *out, const char *text) { /* without what would begin or end one */
    for (; *text; text++)
        autotune__append(out, (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*') ? "%c " : "%c", *text);
}
static bool is_identifier(const char *name) {
    if (isdigit((unsigned char)*name) || !*name) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}
static int export_c(autotune__text *out, const struct record *records) {
    const char *name = options.name ? options.name : "autotune_winners";
    autotune__text lines = {NULL, false};
    if (!is_identifier(name)) return fail(NOT_DONE, "--name '%s' is no identifier of C", shown(name));
    autotune__append(
        out,
        "/* Winners that autotune found. Made by `autotune export --format c`; to be loaded before the first call that is tuned:\n\n"
        "       autotune_load_text(%s, sizeof %s - 1);\n\n",
        name, name);
    for (size_t i = 0; i < COUNT(records); i++) {
        autotune__json json = open_record(&records[i]);
        if (!line_of(&records[i])->head.unfinished) {
            append_short_record(&lines, &json);
            autotune__append(out, "   ");
            append_comment(out, records[i].tuner);
            autotune__append(out, "  ");
            append_comment(out, records[i].key);
            autotune__append(out, "  ");
            append_comment(out, pairs_at(&json, autotune__member(&json, 0, "winner"), true));
            autotune__append(out, "\n");
        }
        autotune__free_json(&json);
    }
    autotune__append(out,
                     "*/\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
                     "static const char %s[] =\n",
                     name);
    if (lines.broken) no_memory();
    if (COUNT(lines.at))
        append_literal(out, lines.at, stbds_arrlenu(lines.at));
    else
        autotune__append(out, "    \"\"\n");
    autotune__append(out, "    ;\n#pragma GCC diagnostic pop\n");
    autotune__free_text(&lines);
    return DONE;
}

/* Which of the names, or values, it is; a new one is added. */
static size_t index_of(const char ***names, const autotune__json *json, int at) {
    autotune__text text = {NULL, false};
    size_t i = 0;
    append_value(&text, json, at);
    autotune__append(&text, "%s", "");
    if (text.broken) no_memory();
    while (i < COUNT(*names) && strcmp((*names)[i], text.at) != 0) i++;
    if (i < COUNT(*names))
        autotune__free_text(&text);
    else {
        const char *name = keep(&text);
        PUSH(*names, name);
    }
    return i;
}
/* Columns: the names that any record has in its keys, or in its configurations. */
static void add_names(const char ***names, const autotune__json *json, int object) {
    int at = 0;
    while (object > 0 && json->token[object].type == JSMN_OBJECT && (at = autotune__next_member(json, object, at)) > 0)
        index_of(names, json, at);
}
static void append_field(autotune__text *out, const char *field) { /* a comma before it, and quotes where RFC 4180 asks for them */
    const bool quoted = strpbrk(field, ",\"\r\n") != NULL;
    autotune__append(out, quoted ? ",\"" : ",");
    for (; *field; field++) autotune__append(out, *field == '"' ? "\"\"" : "%c", *field);
    if (quoted) autotune__append(out, "\"");
}
static void append_member_field(autotune__text *out, const autotune__json *json, int at) { /* empty: there is none, or null */
    append_field(out, at < 0 || autotune__is_raw(json, at, "null", 4) ? "" : value_at(json, at));
}
static void append_named_fields(autotune__text *out, const autotune__json *json, int object, const char **names) {
    int *values = autotune__allocate(COUNT(names) * sizeof *values), at = 0;
    if (!values) no_memory();
    while (object > 0 && json->token[object].type == JSMN_OBJECT && (at = autotune__next_member(json, object, at)) > 0)
        values[index_of(&names, json, at)] = at + 1; /* add_names() has seen them all */
    for (size_t i = 0; i < COUNT(names); i++) append_member_field(out, json, values[i] ? values[i] : -1);
    autotune__free(values);
}
static int export_csv(autotune__text *out, const struct record *records) { /* a line for each configuration */
    static const char *const of_record[] = {"tuner", "device", "verdict"}, *const of_row[] = {"stage",  "state",     "launches",
                                                                                              "min_ns", "median_ns", "reason"};
    const char **key_names = NULL, **axes = NULL;
    for (size_t i = 0; i < COUNT(records); i++) {
        autotune__json json = open_record(&records[i]);
        const int table = autotune__member(&json, 0, "configurations");
        add_names(&key_names, &json, autotune__member(&json, 0, "key"));
        for (int at = 0; (at = autotune__next_row(&json, table, at)) > 0;) add_names(&axes, &json, autotune__member(&json, at, "config"));
        autotune__free_json(&json);
    }
    autotune__append(out, "date");
    for (size_t i = 0; i < sizeof of_record / sizeof *of_record; i++) append_field(out, of_record[i]);
    for (size_t i = 0; i < COUNT(key_names); i++) append_field(out, number(0, "key.%s", key_names[i]));
    for (size_t i = 0; i < COUNT(axes); i++) append_field(out, number(0, "config.%s", axes[i]));
    for (size_t i = 0; i < sizeof of_row / sizeof *of_row; i++) append_field(out, of_row[i]);
    autotune__append(out, "\n");
    for (size_t i = 0; i < COUNT(records); i++) {
        autotune__json json = open_record(&records[i]);
        struct row *rows = rows_of(&json);
        for (size_t r = 0; r < COUNT(rows); r++) {
            autotune__append(out, "%s", date_of(&records[i]));
            for (size_t m = 0; m < sizeof of_record / sizeof *of_record; m++)
                append_member_field(out, &json, autotune__member(&json, 0, of_record[m]));
            append_named_fields(out, &json, autotune__member(&json, 0, "key"), key_names);
            append_named_fields(out, &json, autotune__member(&json, rows[r].at, "config"), axes);
            for (size_t m = 0; m < sizeof of_row / sizeof *of_row; m++)
                append_member_field(out, &json, autotune__member(&json, rows[r].at, of_row[m]));
            autotune__append(out, "\n");
        }
        stbds_arrfree(rows);
        autotune__free_json(&json);
    }
    stbds_arrfree(key_names);
    stbds_arrfree(axes);
    return DONE;
}

static int export_json(autotune__text *out, const struct record *records) { /* the records, as they stand */
    autotune__append(out, "[");
    for (size_t i = 0; i < COUNT(records); i++) {
        const autotune__line *line = line_of(&records[i]);
        autotune__append(out, "%s\n%.*s", i ? "," : "", (int)line->length, line->text);
    }
    autotune__append(out, "\n]\n");
    return DONE;
}

/* T4, the results format of the auto-tuning community: one race, times in milliseconds. */
static void append_t4_row(autotune__text *out, const struct record *record, const autotune__json *json, const struct row *row) {
    const int state = autotune__member(json, row->at, "state"), config = autotune__member(json, row->at, "config");
    const bool timed = !row->failed && autotune__is_definite(row->ns);
    autotune__append(out, "{\"timestamp\":\"%s\",\"configuration\":", date_of(record));
    if (config > 0)
        append_raw(out, json, config);
    else
        autotune__append(out, "{}");
    autotune__append(out, ",\"times\":{\"runtimes\":[");
    if (timed) autotune__append_double(out, row->ns / 1e6);
    autotune__append(out, "]},\"invalidity\":\"%s\",\"correctness\":%d,\"measurements\":[",
                     autotune__is_raw(json, state, "\"rejected\"", 10) ? "constraints"
                     : row->failed                                     ? "runtime"
                                                                       : "correct",
                     !row->failed);
    if (timed) {
        autotune__append(out, "{\"name\":\"time\",\"value\":");
        autotune__append_double(out, row->ns / 1e6);
        autotune__append(out, ",\"unit\":\"ms\"}");
    }
    autotune__append(out, "],\"objectives\":[\"time\"]}");
}
static int export_t4(autotune__text *out, const struct record *records) {
    if (COUNT(records) != 1)
        return fail(NOT_DONE, "--format t4 holds one race, and here are %zu: name a tuner and a key, as 'autotune list' shows them",
                    COUNT(records));
    autotune__json json = open_record(records);
    struct row *rows = rows_of(&json);
    autotune__append(out, "{\"schema_version\":\"1.0.0\",\"results\":[");
    for (size_t i = 0; i < COUNT(rows); i++) {
        autotune__append(out, i ? ",\n" : "\n");
        append_t4_row(out, records, &json, &rows[i]);
    }
    autotune__append(out, "\n]}\n");
    stbds_arrfree(rows);
    autotune__free_json(&json);
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
    int status = format->make(&out, records);
    if (status == DONE) status = deliver(&out);
    autotune__free_text(&out);
    stbds_arrfree(records);
    return status;
}

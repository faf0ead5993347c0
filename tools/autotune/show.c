static const char *count_at(const autotune__json *json, const char *member) { return value_at(json, autotune__member(json, 0, member)); }
static void show_summary(const struct record *record, const autotune__json *json) {
    const double lead = autotune__number_at(json, autotune__member(json, 0, "lead"));
    const double low = autotune__number_at(json, autotune__member(json, 0, "lead_low"));
    const double high = autotune__number_at(json, autotune__member(json, 0, "lead_high"));
    const double speedup = speedup_of(json), seconds = autotune__number_at(json, autotune__member(json, 0, "seconds"));
    const char *age = age_of(date_of(record));
    const int doubt = autotune__member(json, 0, "doubt");
    printf("%s  %s\n", record->tuner, record->key);
    printf("  winner   %s, %s", pairs_at(json, autotune__member(json, 0, "winner"), true), time_of(ns_at(json, 0)));
    if (autotune__is_definite(speedup)) printf(", %.2f x as fast as the first configuration", speedup);
    printf("\n  verdict  %s", count_at(json, "verdict"));
    if (doubt > 0 && json->token[doubt].type == JSMN_STRING)
        printf(": %s", value_at(json, doubt));
    else if (autotune__is_definite(lead))
        printf(", the second takes %.2f %% longer", 100 * lead);
    if (autotune__is_definite(low)) printf(" (95 %%: %.2f to %.2f)", 100 * low, 100 * high);
    printf("\n  race     %s of %s tried, %s failed, %s launches, %s s\n", count_at(json, "tried"), count_at(json, "space_size"),
           count_at(json, "failed"), count_at(json, "launches"), NUMBER(seconds < 1000 ? "%.3g" : "%.0f", seconds));
    printf("  made     %s, ", date_of(record));
    if (*age != '-') printf("%s ago, ", age);
    printf("by %s\n", count_at(json, "compiler"));
    printf("  device   %s\n\n", count_at(json, "device"));
}
static void show_row(struct table *table, const struct record *record, const autotune__json *json, const struct row *row, double best) {
    const char *config = pairs_at(json, autotune__member(json, row->at, "config"), true);
    const char *stage = value_at(json, autotune__member(json, row->at, "stage")),
               *state = value_at(json, autotune__member(json, row->at, "state"));
    const char *launches = value_at(json, autotune__member(json, row->at, "launches"));
    const char *reason = value_at(json, autotune__member(json, row->at, "reason"));
    if (on_terminal() && row->failed)
        ADD_ROW(table, config, "-", "", "", state, launches, reason);
    else if (on_terminal())
        ADD_ROW(table, config, time_of(row->ns), NUMBER("%.2f x", autotune__is_definite(row->ns) ? row->ns / best : AUTOTUNE__NEVER), bar(best / row->ns), stage, launches, "");
    else
        ADD_ROW(table, record->tuner, record->key, config, NUMBER("%.10g", row->failed ? AUTOTUNE__NEVER : row->ns),
                value_at(json, autotune__member(json, row->at, "min_ns")), value_at(json, autotune__member(json, row->at, "median_ns")),
                stage, state, launches, reason);
}
static void show_record(const struct record *record) {
    autotune__json json = open_record(record);
    struct row *rows = rows_of(&json);
    struct table table = {NULL, on_terminal() ? 7 : 10, 1 << 1 | 1 << 2 | 1 << 5};
    double best = AUTOTUNE__NEVER;
    bool failures = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!rows[i].failed && rows[i].ns < best) best = rows[i].ns;
        failures = failures || rows[i].failed;
    }
    if (on_terminal() && !failures) table.columns = 6;
    if (on_terminal()) show_summary(record, &json);
    if (on_terminal() && rows) ADD_ROW(&table, "CONFIGURATION", "TIME", "TO BEST", "SPEED", "LEFT AT", "LAUNCHES", "REASON");
    for (size_t i = 0; i < COUNT(rows); i++) show_row(&table, record, &json, &rows[i], best);
    print_table(&table);
    stbds_arrfree(rows);
    autotune__free_json(&json);
}
/* In the columns of show_record(), with the launches that were lost. */
static void show_crashes(void) {
    struct table table = {NULL, on_terminal() ? 5 : 10, 1 << 3};
    if (on_terminal()) puts("Lost: the first launch did not come back. Tried last; skipped after two to four runs in a row");
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "CONFIGURATION", "LOST", "LAST TIME");
    for (size_t i = 0; i < stbds_arrlenu(crashes); i++) {
        const struct crash *crash = &crashes[i];
        const char *times = NUMBER("%.0f", (double)crash->times);
        if (on_terminal())
            ADD_ROW(&table, crash->tuner, crash->key, crash->config, times, crash->date);
        else
            ADD_ROW(&table, crash->tuner, crash->key, crash->config, "-", "-", "-", "screen", "lost", times, "did not come back");
    }
    print_table(&table);
}
static int show(char **arguments) {
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    read_journals(arguments);
    if (!records && !crashes) return none_found(arguments);
    for (size_t i = 0; i < COUNT(records); i++) {
        if (i && on_terminal()) putchar('\n');
        show_record(&records[i]);
    }
    if (records && crashes && on_terminal()) putchar('\n');
    if (crashes) show_crashes();
    stbds_arrfree(records);
    return DONE;
}

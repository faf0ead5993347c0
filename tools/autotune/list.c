static void list_record(struct table *table, const struct record *record) {
    autotune__json json = open_record(record);
    const char *winner = pairs_at(&json, autotune__member(&json, 0, "winner"), true);
    const char *verdict = value_at(&json, autotune__member(&json, 0, "verdict"));
    const char *device = value_at(&json, autotune__member(&json, 0, "device"));
    const double ns = ns_at(&json, 0), speedup = speedup_of(&json);
    if (on_terminal())
        ADD_ROW(table, record->tuner, record->key, winner, time_of(ns), NUMBER("%.2f x", speedup), verdict, age_of(date_of(record)),
                device);
    else
        ADD_ROW(table, record->tuner, record->key, winner, NUMBER("%.10g", ns), NUMBER("%.4g", speedup), verdict, date_of(record), device);
    autotune__free_json(&json);
}
static int list(char **arguments) {
    struct table table = {NULL, 8, 1 << 3 | 1 << 4 | 1 << 6};
    bool devices = false;
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    for (size_t i = 1; i < stbds_arrlenu(records); i++)
        devices = devices || line_of(&records[i])->head.identity.machine != line_of(&records[0])->head.identity.machine;
    if (on_terminal() && !devices) table.columns = 7;
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "WINNER", "TIME", "SPEED-UP", "VERDICT", "AGE", "DEVICE");
    for (size_t i = 0; i < stbds_arrlenu(records); i++) list_record(&table, &records[i]);
    print_table(&table);
    stbds_arrfree(records);
    return DONE;
}

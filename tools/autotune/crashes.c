struct crash { /* a configuration whose first launch did not come back */
    const char *tuner, *key, *config, *date; /* of the last time */
    size_t times;
};
static struct crash *crashes;

static bool is_crash(const autotune__json *json) { /* and no record */
    const int tuner = autotune__member(json, 0, "tuner"), key = autotune__member(json, 0, "key"),
              config = autotune__member(json, 0, "config");
    return tuner > 0 && key > 0 && config > 0 && json->token[tuner].type == JSMN_STRING && json->token[key].type == JSMN_OBJECT &&
           json->token[config].type == JSMN_OBJECT;
}
static void add_crash(const struct crash *crash) {
    for (size_t i = 0; i < COUNT(crashes); i++) {
        if (strcmp(crashes[i].tuner, crash->tuner) || strcmp(crashes[i].key, crash->key) || strcmp(crashes[i].config, crash->config))
            continue;
        crashes[i].date = crash->date;
        crashes[i].times++;
        return;
    }
    PUSH(crashes, *crash);
}
static void read_journal(const char *path, const autotune__line *lines, size_t count, void *arguments) {
    char *const *names = arguments; /* [TUNER [KEY]] */
    (void)path;
    for (size_t i = 0; i < count; i++) {
        autotune__json json;
        autotune__text date = {NULL, false};
        if (!autotune__parse(&json, lines[i].text, lines[i].length)) {
            if (json.count) no_memory();
            continue;
        }
        append_shown(&date, lines[i].head.date, AUTOTUNE__DATE_BYTES);
        const struct crash crash = {value_at(&json, autotune__member(&json, 0, "tuner")),
                                    pairs_at(&json, autotune__member(&json, 0, "key"), true),
                                    pairs_at(&json, autotune__member(&json, 0, "config"), true), keep(&date), 1};
        if (is_crash(&json) && is_of(&json, names[0], names[0] ? names[1] : NULL)) add_crash(&crash);
        autotune__free_json(&json);
    }
}
static int order_crashes(const void *left, const void *right) {
    const struct crash *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    return order ? order : compare_naturally(a->config, b->config);
}
/* The journal stands beside the cache on disk; a file that the user named has none. */
static void read_journals(char **arguments) {
    if (options.file || !cache_path()) return;
    autotune__walk_journals(read_journal, arguments);
    if (crashes) qsort(crashes, stbds_arrlenu(crashes), sizeof *crashes, order_crashes);
}

struct clearing {
    const char *tuner, *key;
    size_t cleared, journals;
};
static bool is_to_clear(const autotune__line *line, void *user) {
    struct clearing *clearing = user;
    autotune__text text = {NULL, false};
    autotune__json json;
    bool is = false, journal = false;
    if (autotune__fetch(line, &text) && autotune__parse(&json, text.at, stbds_arrlenu(text.at))) {
        journal = is_crash(&json);
        is = options.all || ((journal || !problem_of(&json)) && is_of(&json, clearing->tuner, clearing->key));
        autotune__free_json(&json);
    }
    autotune__free_text(&text);
    *(journal ? &clearing->journals : &clearing->cleared) += is;
    return is;
}
/* A file of the user's own is replaced; what cannot be read of it stays. */
static int clear_file(struct clearing *clearing) {
    struct input input = {.name = NULL};
    autotune__text left = {NULL, false};
    int status = DONE;
    if (!strcmp(options.file, "-")) return fail(NOT_DONE, "clear: --file is a file, which is replaced; '-' has no place");
    if (is_cache(options.file))
        return fail(NOT_DONE, "%s: programs may be adding to a cache on disk: --dir DIR clears it under its lock", shown(options.file));
    if (!read_path(options.file, &input)) return fail(NOT_DONE, "%s: %s", shown(options.file), strerror(errno));
    for (size_t at = 0; at < input.bytes;) {
        const char *feed = memchr(input.text + at, '\n', input.bytes - at);
        autotune__line line = {.text = input.text + at};
        line.length = feed ? (size_t)(feed - line.text) : input.bytes - at;
        at += line.length + (feed != NULL);
        if (autotune__read_head(line.text, line.length, &line.head) == AUTOTUNE__SOUND && is_to_clear(&line, clearing)) continue;
        autotune__append(&left, "%.*s%s", (int)line.length, line.text, feed ? "\n" : "");
    }
    options.output = options.file;
    if (left.broken) no_memory();
    if (clearing->cleared) status = deliver(&left);
    autotune__free_text(&left);
    free(input.text);
    return status;
}
static int clear(char **arguments) {
    struct clearing clearing = {arguments[0], arguments[0] ? arguments[1] : NULL, 0, 0};
    if (options.all == (arguments[0] != NULL)) return fail(NOT_DONE, "clear: which records? TUNER, TUNER KEY, or --all");
    if (options.file ? clear_file(&clearing) != DONE : !cache_path()) return NOT_DONE;
    if (!options.file && autotune__clear_lines(is_to_clear, &clearing) != AUTOTUNE_OK) return NOT_DONE;
    if (!clearing.cleared && !clearing.journals && !options.all) {
        const struct input cache = {.name = shown(options.file ? options.file : autotune__cache.file)};
        PUSH(inputs, cache);
        return none_found(arguments);
    }
    printf("%zu %s cleared", clearing.cleared, clearing.cleared == 1 ? "record" : "records");
    if (clearing.journals) printf(", %zu %s", clearing.journals, clearing.journals == 1 ? "journal" : "journals");
    putchar('\n');
    return DONE;
}

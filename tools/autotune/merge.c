static int order_by_date(const void *left, const void *right) { /* of one date those of the first file last, so that they count */
    const struct record *a = left, *b = right;
    const int order = memcmp(line_of(a)->head.date, line_of(b)->head.date, AUTOTUNE__DATE_BYTES);
    if (order) return order;
    if (line_of(a)->source != line_of(b)->source) return line_of(a)->source > line_of(b)->source ? -1 : 1;
    return a->line < b->line ? -1 : 1;
}
/* What a file would hold if all records had been appended to it in the order of their dates. */
static struct record *merge_records(void) {
    char *all[] = {NULL};
    struct record *records = select_records(all), *merged = NULL;
    const size_t source = stbds_arrlenu(inputs) + 1, first = COUNT(autotune__cache.lines);
    if (!records) return NULL;
    qsort(records, stbds_arrlenu(records), sizeof *records, order_by_date);
    for (size_t i = 0; i < stbds_arrlenu(records); i++) {
        autotune__line line = *line_of(&records[i]);
        line.source = source;
        if (!autotune__add_line(&line)) no_memory();
    }
    for (size_t i = 0; i < stbds_arrlenu(records); i++)
        if (!autotune__cache.lines[first + i].dead) PUSH(merged, records[i]);
    stbds_arrfree(records);
    return merged;
}
static bool may_write_cache(void) {
    if (autotune__environment.cache <= AUTOTUNE_CACHE_ON) return true;
    fail(NOT_DONE, "AUTOTUNE_CACHE is off or readonly: nothing is written to the cache on disk");
    return false;
}
static bool is_cache(const char *path) {
    const char *slash = strrchr(path, '/');
    return !strcmp(slash ? slash + 1 : path, "results.jsonl");
}
static int append_to_cache(const struct record *records) { /* what comes from other files than the first, the cache itself */
    autotune__text lines = {NULL, false};
    int status = DONE;
    for (size_t i = 0; i < COUNT(records); i++)
        if (line_of(&records[i])->source != 1)
            autotune__append(&lines, "%.*s\n", (int)line_of(&records[i])->length, line_of(&records[i])->text);
    if (lines.broken) no_memory();
    for (const char *at = lines.at, *feed; status == DONE && at && (feed = strchr(at, '\n')) != NULL; at = feed + 1) {
        autotune__enter_cache();
        if (!autotune__append_line(at, (size_t)(feed + 1 - at))) status = NOT_DONE;
        autotune__leave_cache();
    }
    autotune__free_text(&lines);
    return status;
}
static int merge(char **arguments) {
    autotune__text out = {NULL, false};
    int status = DONE;
    if (options.cache && options.output) return fail(NOT_DONE, "merge: --cache and --output exclude each other");
    if (options.dir && !options.cache) return fail(NOT_DONE, "merge: --dir is for --cache");
    if (options.output && is_cache(options.output))
        return fail(NOT_DONE, "%s: programs may be adding to a cache on disk: --cache --dir DIR adds to it under its lock",
                    shown(options.output));
    if (options.cache && !may_write_cache()) return NOT_DONE;
    if (options.cache && read_named() != DONE) return NOT_DONE;
    if (read_files(arguments) != DONE) return NOT_DONE; /* rather nothing than a part */
    struct record *records = merge_records();
    if (options.cache)
        status = append_to_cache(records);
    else {
        for (size_t i = 0; i < COUNT(records); i++)
            autotune__append(&out, "%.*s\n", (int)line_of(&records[i])->length, line_of(&records[i])->text);
        autotune__append_text(&out, &newer);
        status = deliver(&out);
    }
    autotune__free_text(&out);
    stbds_arrfree(records);
    return status;
}

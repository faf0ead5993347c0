/* merge.c - autotune merge: one file of several, or the cache on disk */
#include "command.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include <limits.h>

/* What comes from other files than the first, the cache itself. */
static int append_to_cache(const struct record *records) {
    autotune__text line = {NULL, false};
    int status = DONE;
    for (size_t i = 0; i < COUNT(records) && status == DONE; i++) {
        if (records[i].line.source == 1) continue;
        autotune__clear_text(&line);
        append_line(&line, &records[i]);
        if (!append_to_file(line.at, COUNT(line.at))) status = NOT_DONE;
    }
    autotune__free_text(&line);
    return status;
}
static int write_merged(const struct record *records) {
    autotune__text out = {NULL, false};
    for (size_t i = 0; i < COUNT(records); i++) append_line(&out, &records[i]);
    if (newer.at) append(&out, "%s", newer.at);
    const int status = deliver(&out, options.output);
    autotune__free_text(&out);
    return status;
}
static int merge(char **arguments) {
    if (options.cache && options.output) return fail(NOT_DONE, "merge: --cache and --output exclude each other");
    if (options.dir && !options.cache) return fail(NOT_DONE, "merge: --dir is for --cache");
    if (options.output && is_cache(options.output))
        return fail(NOT_DONE,
                    "%s: programs may be adding to a cache on disk: --cache --dir DIR adds to it under its lock",
                    shown(options.output));
    if (options.cache && !may_write_cache())
        return fail(NOT_DONE, "AUTOTUNE_CACHE is off or readonly: nothing is written to the cache on disk");
    if (options.cache && read_named() != DONE) return NOT_DONE;
    if (read_files(arguments) != DONE) return NOT_DONE; /* rather nothing than a part */
    struct record *records = merged_records();
    const int status = options.cache ? append_to_cache(records) : write_merged(records);
    stbds_arrfree(records);
    return status;
}
const struct command merge_command = {
    .name = "merge",
    .run = merge,
    .least = 1,
    .most = INT_MAX,
    .options = "doc",
    .synopsis = "[--output FILE | --cache] FILE...",
    .purpose = "one file of several",
    .help = "Of two records for the same tuner, key, device and build the later counts. Without an option the\n"
            "result goes to standard output.\n",
};

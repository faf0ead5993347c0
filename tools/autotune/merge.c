/* merge.c - autotune merge: merges files into one file, or into the cache on disk */
#include "command.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include <limits.h>

/* Appends the records of all files but the first, which is the cache itself. */
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
    if (lines_of_later_versions.at) append(&out, "%s", lines_of_later_versions.at);
    const int status = write_result(&out, options.output);
    autotune__free_text(&out);
    return status;
}
static const char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? shown(formatted("%.*s", slash == path ? 1 : (int)(slash - path), path)) : ".";
}
static int merge(char **arguments) {
    if (options.cache && options.output)
        return fail(NOT_DONE, "merge: --cache adds to the cache on disk, --output writes a file: give one of them");
    if (options.dir && !options.cache)
        return fail(NOT_DONE,
                    "merge: --dir names the folder of --cache: give --cache, too, or %s/results.jsonl as a FILE",
                    shown(options.dir));
    if (options.output && is_cache(options.output))
        return fail(NOT_DONE,
                    "%s: programs may be writing to this cache. Add to it under its lock: autotune merge "
                    "--cache --dir '%s' FILE...",
                    shown(options.output), folder_of(options.output));
    if (options.cache && !may_write_cache())
        return fail(NOT_DONE, "AUTOTUNE_CACHE is off or readonly: nothing is written to the cache on disk. Unset it, "
                              "or write a file by --output FILE");
    if (options.cache && read_named() != DONE) return NOT_DONE;
    if (read_files(arguments) != DONE) return NOT_DONE; /* merges all files or none */
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
            "result goes to standard output. --cache adds to the cache on disk while programs use it.\n",
};

/* clear.c - autotune clear: forgets records, of the cache on disk or of a file */
#include "command.h"
#include "crashes.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include <errno.h>

struct cleared {
    char *const *arguments;
    size_t records, notes; /* how many were cleared: records, and files of launch notes */
};
static bool is_to_clear(const char *line, size_t length, void *user) {
    struct cleared *cleared = user;
    const struct value at = open_json(line, length);
    const bool note = is_crash(at), known = note || !problem_of(at),
               is = is_object(at) && (options.all || (known && is_selected(at, cleared->arguments)));
    close_json(at);
    *(note ? &cleared->notes : &cleared->records) += is;
    return is;
}
/* Clears records of the file that --file names, and replaces the file. Unsound lines stay in the file. */
static int clear_file(struct cleared *cleared) {
    struct input input = {.name = NULL};
    autotune__text left = {NULL, false};
    size_t at = 0, length;
    const char *line;
    bool ended;
    int status = DONE;
    if (!strcmp(options.file, "-"))
        return fail(NOT_DONE, "clear: --file is a file, which is replaced; '-' has no place");
    if (is_cache(options.file))
        return fail(NOT_DONE, "%s: programs may be adding to a cache on disk: --dir DIR clears it under its lock",
                    shown(options.file));
    if (!read_path(options.file, &input)) return fail(NOT_DONE, "%s: %s", shown(options.file), strerror(errno));
    while ((line = next_line(&input, &at, &length, &ended)) != NULL)
        if (!is_sound(line, length) || !is_to_clear(line, length, cleared))
            append(&left, "%.*s%s", (int)length, line, ended ? "\n" : "");
    if (cleared->records) status = write_result(&left, options.file);
    autotune__free_text(&left);
    free(input.text);
    return status;
}
static int clear(char **arguments) {
    struct cleared cleared = {arguments, 0, 0};
    if (options.all == (arguments[0] != NULL))
        return fail(NOT_DONE, "clear: which records? TUNER, TUNER KEY, or --all");
    const char *path = options.file ? options.file : named_cache();
    if (!path) return NOT_DONE;
    if (options.file ? clear_file(&cleared) != DONE : !clear_cache(is_to_clear, &cleared)) return NOT_DONE;
    if (!cleared.records && !cleared.notes && !options.all) return none_found_in(shown(path), arguments);
    printf("%zu %s cleared", cleared.records, cleared.records == 1 ? "record" : "records");
    if (cleared.notes) printf(", launch notes of %zu %s", cleared.notes, cleared.notes == 1 ? "key" : "keys");
    putchar('\n');
    return DONE;
}
const struct command clear_command = {
    .name = "clear",
    .run = clear,
    .least = 0,
    .most = 2,
    .options = "fda",
    .synopsis = "--all | TUNER [KEY]",
    .purpose = "forget records, of the cache on disk or of --file",
    .help = "With the cache also which configurations did not come back from their first launch. Programs that\n"
            "run keep what they know. A --file is replaced as a whole.\n",
};

/* misses.c - autotune misses: the keys that production runs missed */
#include "command.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include "table.h"
#include "worth.h"

static void add_miss(struct table *table, const struct worth *worth) {
    const struct miss *miss = &worth->miss;
    const struct value at = open_json(miss->line.text, miss->line.length);
    const char *calls = formatted("%.0f", miss->calls), *runs = formatted("%.0f", miss->runs),
               *device = shown_member(at, "device"), *date = shown_date(&miss->line);
    if (on_terminal())
        ADD_ROW(table, short_name(worth->tuner), worth->key, calls, runs, short_age_of(date), device);
    else
        ADD_ROW(table, worth->tuner, worth->key, calls, runs, date, device);
    close_json(at);
}
static void show_misses(const struct worth *found) {
    struct table table = {
        .columns = 6, .right = 1 << 2 | 1 << 3 | 1 << 4, .shrinks = 1 << 1, .grouped = true, .below = 5};
    bool devices = false;
    for (size_t i = 1; i < COUNT(found); i++)
        devices = devices || found[i].miss.line.machine != found[0].miss.line.machine;
    if (on_terminal() && !devices) table.columns = 5;
    if (on_terminal())
        ADD_ROW(&table, "TUNER", "KEY", "CALLS", "RUNS", "AGE", "DEVICE");
    for (size_t i = 0; i < COUNT(found); i++) add_miss(&table, &found[i]);
    print_table(&table);
}
static int write_misses(const struct worth *found) {
    autotune__text out = {NULL, false};
    for (size_t i = 0; i < COUNT(found); i++) append_miss(&out, &found[i].miss);
    const int status = write_result(&out, options.output);
    autotune__free_text(&out);
    return status;
}
static int misses(char **arguments) {
    struct input input = {.name = NULL};
    if (read_cache_if_any() != DONE) return NOT_DONE;
    if (options.dir) unsetenv("AUTOTUNE_MISSES");
    const char *path = options.file ? options.file : misses_path();
    if (!path) return fail(NOT_DONE, "AUTOTUNE_MISSES is off: --file names a file of misses");
    if (!options.file && must_not_read(path, misses_file_limit())) return NOT_DONE;
    if (!read_path(path, &input)) {
        if (options.file || errno != ENOENT) return fail(NOT_DONE, "%s: %s", shown(path), strerror(errno));
        return fail(DONE, "%s: there is none yet", shown(path));
    }
    struct worth *found = select_misses(&input, arguments);
    int status = DONE;
    if (!found && arguments[0])
        status = fail(DONE, "%s: no miss of the tuner '%s'%s%s%s", input.name, shown(arguments[0]),
                      arguments[1] ? " with the key '" : "", arguments[1] ? shown(arguments[1]) : "",
                      arguments[1] ? "'" : "");
    else if (options.output)
        status = write_misses(found);
    else {
        show_misses(found);
        if (found) status = FAULTY;
    }
    stbds_arrfree(found);
    free(input.text);
    return status;
}
const struct command misses_command = {
    .name = "misses",
    .run = misses,
    .least = 0,
    .most = 2,
    .options = "fdo",
    .synopsis = "[TUNER [KEY]]",
    .purpose = "keys that production runs missed, what is worth tuning first",
    .help = "What runs in mode CACHED or REQUIRE counted in misses.jsonl, or in what AUTOTUNE_MISSES or\n"
            "--file names, and what is not known since then: the calls, by which the keys are sorted, and\n"
            "in how many runs of the program. Elsewhere than on a terminal, separated by tabs: tuner, key,\n"
            "calls, runs, date, device. The exit status is 1 if a key was missed. --output writes a file\n"
            "that AUTOTUNE_MISSES may name in a run with AUTOTUNE_MODE=missed, which tunes only that.\n",
};

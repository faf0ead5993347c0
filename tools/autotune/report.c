/* report.c - autotune report: a page for a browser */
#include "command.h"
#include "crashes.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "report.h"
#include "shown.h"
#include "worth.h"
#include <errno.h>
#include <limits.h>

/* In the order of tuners and keys, whatever the files are called and in which order they were named. */
static int order_by_name(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    if (!order) order = memcmp(a->line.date, b->line.date, sizeof a->line.date);
    if (!order && a->line.length != b->line.length) order = a->line.length < b->line.length ? -1 : 1;
    return order ? order : memcmp(a->line.text, b->line.text, a->line.length);
}
/* What was missed beside that cache; a file that the user named has no misses. */
static struct worth *read_missed(struct input *input) {
    char *any[] = {NULL};
    if (options.dir) unsetenv("AUTOTUNE_MISSES");
    const char *path = misses_path();
    if (!path) return NULL;
    if (read_path(path, input)) return select_misses(input, any);
    if (errno != ENOENT) fail(FAULTY, "%s: %s", shown(path), strerror(errno));
    return NULL;
}
static int make_report(char **arguments) {
    autotune__text page = {NULL, false};
    int status = DONE;
    char *any[] = {NULL};
    if (!options.output) return fail(NOT_DONE, "report: --output FILE is needed; a browser opens that file");
    if (*arguments && (options.file || options.dir))
        return fail(NOT_DONE, "report: files, or --file, or --dir: these exclude each other");
    if (*arguments)
        status = read_files(arguments); /* what can be read is shown */
    else
        status = read_named();
    if (!inputs) return NOT_DONE;
    struct record *records = merged_records();
    const bool is_of_cache = !*arguments && !options.file;
    struct input input = {.name = NULL};
    struct report report = {records, is_of_cache ? read_crashes(any) : NULL,
                                  is_of_cache ? read_missed(&input) : NULL};
    if (records) qsort(records, COUNT(records), sizeof *records, order_by_name);
    append(&page, "%s", (const char *)page_until_data);
    append_report(&page, &report);
    append(&page, "%s", (const char *)page_from_data);
    const int delivered = deliver(&page, options.output);
    autotune__free_text(&page);
    stbds_arrfree(records);
    stbds_arrfree(report.crashes);
    stbds_arrfree(report.missed);
    free(input.text);
    return delivered == DONE ? status : delivered;
}
const struct command report_command = {
    .name = "report",
    .run = make_report,
    .least = 0,
    .most = INT_MAX,
    .options = "fdo",
    .synopsis = "--output FILE [FILE...]",
    .purpose = "a page for a browser: winners, what they gain, and charts of each race",
    .help = "One file of HTML for a whole cache, or for several files, of whose records for one tuner, key,\n"
            "device and build the latest counts. It has all that it needs in itself and reads nothing else.\n",
};

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

/* Orders by tuner and key. The names and the order of the files do not matter. */
static int order_by_name(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    if (!order) order = memcmp(a->line.date, b->line.date, sizeof a->line.date);
    if (!order && a->line.length != b->line.length) order = a->line.length < b->line.length ? -1 : 1;
    return order ? order : memcmp(a->line.text, b->line.text, a->line.length);
}
/* Reads the misses beside the cache. A file that the user named has no misses. */
static struct worth *read_missed(struct input *input) {
    char *any[] = {NULL};
    if (options.dir) unsetenv("AUTOTUNE_MISSES");
    const char *path = misses_path();
    if (!path) return NULL;
    if (must_not_read(path, misses_file_limit())) return NULL;
    if (read_path(path, input)) return select_misses(input, any);
    if (errno != ENOENT) fail(FAULTY, "%s: %s", shown(path), strerror(errno));
    return NULL;
}
/* A part of the page, which replaces @name@ in the frame. */
struct part {
    const char *name;
    autotune__text text;
};
enum { POLICY, STYLE, LICENCE, LIBRARY, SCRIPT, DATA, PARTS };

static const struct part *part_of(const struct part *parts, const char *name, size_t length) {
    for (const struct part *part = parts; part < parts + PARTS; part++)
        if (strlen(part->name) == length && !memcmp(part->name, name, length)) return part;
    return NULL;
}
/* Appends the frame, and replaces each @name@ in it by the text of the part with this name. */
static void append_page(autotune__text *page, const struct part *parts) {
    for (const char *at = (const char *)page_frame, *mark; *at; at = mark + 1) {
        mark = strchr(at, '@');
        if (!mark) mark = at + strlen(at);
        append(page, "%.*s", (int)(mark - at), at);
        if (!*mark) return;
        const char *end = strchr(mark + 1, '@');
        append(page, "%s", part_of(parts, mark + 1, (size_t)(end - mark - 1))->text.at);
        mark = end;
    }
}
/* Makes the Content-Security-Policy. It allows only these scripts and this style: no request, and no script from the
   data. */
static void append_policy(struct part *parts) {
    autotune__text *policy = &parts[POLICY].text;
    append(policy, "default-src 'none'; script-src ");
    append_hash(policy, parts[LIBRARY].text.at, COUNT(parts[LIBRARY].text.at));
    append(policy, " ");
    append_hash(policy, (const char *)page_script, strlen((const char *)page_script));
    append(policy, "; style-src ");
    append_hash(policy, (const char *)page_style, strlen((const char *)page_style));
    append(policy, "; base-uri 'none'; form-action 'none'");
}
static int make_page(const struct report *report) {
    struct part parts[PARTS] = {[POLICY] = {.name = "policy"},   [STYLE] = {.name = "style"},
                                [LICENCE] = {.name = "licence"}, [LIBRARY] = {.name = "library"},
                                [SCRIPT] = {.name = "script"},   [DATA] = {.name = "data"}};
    autotune__text page = {NULL, false};
    int status = NOT_DONE;
    if (append_library(&parts[LIBRARY].text, &parts[LICENCE].text)) {
        append(&parts[STYLE].text, "%s", (const char *)page_style);
        append(&parts[SCRIPT].text, "%s", (const char *)page_script);
        append_report(&parts[DATA].text, report);
        append_policy(parts);
        append_page(&page, parts);
        status = write_result(&page, options.output);
    }
    for (size_t i = 0; i < PARTS; i++) autotune__free_text(&parts[i].text);
    autotune__free_text(&page);
    return status;
}
static int make_report(char **arguments) {
    int status = DONE;
    char *any[] = {NULL};
    if (!options.output) return fail(NOT_DONE, "report: --output FILE is needed; a browser opens that file");
    if (*arguments && (options.file || options.dir))
        return fail(NOT_DONE, "report: files, or --file, or --dir: these exclude each other");
    if (*arguments)
        status = read_files(arguments); /* shows all files that can be read */
    else
        status = read_named();
    if (!inputs) return NOT_DONE;
    struct record *records = merged_records();
    const bool is_of_cache = !*arguments && !options.file;
    struct input input = {.name = NULL};
    struct report report = {records, is_of_cache ? read_crashes(any) : NULL,
                            is_of_cache ? read_missed(&input) : NULL, is_of_cache ? read_verified_if_any() : NULL};
    if (records) qsort(records, COUNT(records), sizeof *records, order_by_name);
    const int delivered = make_page(&report);
    stbds_arrfree(records);
    stbds_arrfree(report.crashes);
    stbds_arrfree(report.missed);
    stbds_arrfree(report.verified);
    free(input.text);
    return delivered == DONE ? status : delivered;
}
const struct command report_command = {
    .name = "report",
    .run = make_report,
    .least = 0,
    .most = INT_MAX,
    .options = "fdol",
    .synopsis = "--output FILE [FILE...]",
    .purpose = "a page for a browser: winners, what they gain, and charts of each race",
    .help = "One file of HTML for a whole cache, or for several files, of whose records for one tuner, key,\n"
            "device and build the latest counts. It has all that it needs in itself and reads nothing else:\n"
            "also Vega, the library of its charts, which is taken from the package libjs-vega, or from\n"
            "--library: a folder like that of the package, or vega.min.js and vega-interpreter.min.js in\n"
            "one file.\n",
};

/* verify.c - autotune verify: shows if winners are still the best, to people and to CI */
#include "command.h"
#include "escape.h"
#include "files.h"
#include "in_use.h"
#include "options.h"
#include "shown.h"
#include "table.h"
#include "verified.h"

/* Returns true if the winner is shown to be slower by more than `share`. At least two margins of the call site are
   allowed, since a call site keeps such winners. */
static bool is_shown_slower(const struct verified *it, double share) {
    const double allowed = share > 2 * it->margin ? share : 2 * it->margin;
    return !it->key_is_unknown && (it->failed || (autotune__is_definite(it->at_least) && it->at_least > allowed));
}
/* Reads 3 or 3%. Returns false if the text is no share. */
static bool read_share(const char *text, double *share) {
    const size_t length = strlen(text), digits = length && text[length - 1] == '%' ? length - 1 : length;
    *share = autotune__number_of(text, digits) / 100;
    return autotune__is_within(*share, 0, 1e6);
}
static void add_verified_row(struct table *table, const struct verified *it) {
    const char *date = shown_date(&it->line);
    if (on_terminal())
        ADD_ROW(table, short_name(it->tuner), it->key, it->winner, it->failed ? "no longer works" : it->best,
                it->slower >= LEAST_SHOWN ? NUMBER("%.2f %%", 100 * it->slower) : it->slower > 0 ? "the same" : "-",
                NUMBER("%.2f %%", 100 * it->at_least), short_age_of(date),
                it->failed ? it->failed : it->doubt ? it->doubt : "");
    else
        ADD_ROW(table, it->tuner, it->key, it->winner, it->best, NUMBER("%.4g", it->slower),
                NUMBER("%.4g", it->at_least), NUMBER("%.0f", it->rounds), date,
                it->failed ? it->failed : it->doubt ? it->doubt : "-");
}
static void show_verified(const struct verified *found) {
    struct table table = {.columns = on_terminal() ? 7 : 9,
                          .right = 1 << 4 | 1 << 5 | 1 << 6,
                          .shrinks = 1 << 1 | 1 << 2 | 1 << 3,
                          .grouped = true,
                          .below = 7};
    for (size_t i = 0; i < COUNT(found); i++)
        if (on_terminal() && (found[i].failed || found[i].doubt)) table.columns = 8;
    if (on_terminal())
        ADD_ROW(&table, "TUNER", "KEY", "WINNER", "BEST NOW", "SLOWER", "AT LEAST", "AGE", "REASON");
    for (size_t i = 0; i < COUNT(found); i++)
        if (!found[i].key_is_unknown) add_verified_row(&table, &found[i]);
    print_table(&table);
}

/* ---- JUnit ---- */

static void append_case(autotune__text *out, const struct verified *it, double share) {
    const bool slower = is_shown_slower(it, share);
    append(out, "    <testcase classname=\"");
    append_xml(out, it->tuner);
    append(out, "\" name=\"");
    append_xml(out, it->key);
    append(out, it->key_is_unknown || slower ? "\">\n      <%s message=\"" : "\"/>\n",
           it->key_is_unknown ? "skipped" : "failure");
    if (!it->key_is_unknown && !slower) return;
    append_xml(out, it->key_is_unknown ? "the key is not known" : it->winner);
    if (slower) append_xml(out, ": ");
    if (slower) append_xml(out, shown_verified(it));
    append(out, "\"/>\n    </testcase>\n");
}
static int write_junit(const struct verified *found, double share) {
    autotune__text out = {NULL, false};
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < COUNT(found); i++) {
        failures += is_shown_slower(&found[i], share);
        skipped += found[i].key_is_unknown;
    }
    append(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"autotune verify\" "
                 "tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", COUNT(found), failures, skipped);
    for (size_t i = 0; i < COUNT(found); i++) append_case(&out, &found[i], share);
    append(&out, "  </testsuite>\n</testsuites>\n");
    const int status = write_result(&out, options.junit);
    autotune__free_text(&out);
    return status;
}

/* Prints a line for each record that has a time of calls in use. Returns the exit status of `autotune verify`. */
static int verify_in_use(char **arguments) {
    struct table table = {.columns = 5,
                          .right = 1 << 2 | 1 << 3 | 1 << 4,
                          .shrinks = 1 << 1,
                          .grouped = true,
                          .below = 5};
    size_t known = 0, logged = 0;
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "RACED", "IN USE", "RATIO");
    for (size_t i = 0; i < COUNT(records); i++) {
        const struct in_use it = in_use_of(&records[i]);
        if (!it.date) continue;
        known++;
        logged += it.is_logged;
        if (on_terminal())
            ADD_ROW(&table, short_name(records[i].tuner), records[i].key, shown_time(it.raced_ns), shown_time(it.ns),
                    NUMBER("%.2f x", it.ns / it.raced_ns));
        else
            ADD_ROW(&table, records[i].tuner, records[i].key, NUMBER("%.10g", it.raced_ns), NUMBER("%.10g", it.ns),
                    NUMBER("%.4g", it.ns / it.raced_ns));
    }
    stbds_arrfree(records);
    if (!known) return fail(NOT_DONE, "no record says what its winner takes in use");
    print_table(&table);
    if (logged)
        fail(DONE, "%zu winner%s not take in use what the race measured; see 'In use' in the manual", logged,
             logged == 1 ? " does" : "s do");
    return logged ? FAULTY : DONE;
}
static int verify(char **arguments) {
    struct input input = {.name = NULL};
    size_t unknown = 0, slower = 0;
    double share = 0.03;
    if (options.in_use) return verify_in_use(arguments);
    if (options.worse_than && !read_share(options.worse_than, &share))
        return fail(NOT_DONE, "--worse-than %s: it is a number of per cent, as 3%%", shown(options.worse_than));
    if (!options.file && !named_cache()) return NOT_DONE;
    const char *path = options.file ? options.file : verified_path();
    if (!options.file && must_not_read(path, SIZE_MAX)) return NOT_DONE;
    if (!read_path(path, &input))
        return errno != ENOENT ? fail(NOT_DONE, "%s: %s", shown(path), strerror(errno))
                               : fail(NOT_DONE, "%s: there is none yet: a run with AUTOTUNE_MODE=verify writes it",
                                      shown(path));
    struct verified *found = read_verified(&input, arguments);
    if (!found) {
        free(input.text);
        return fail(NOT_DONE, "%s: nothing was verified", input.name);
    }
    show_verified(found);
    for (size_t i = 0; i < COUNT(found); i++) {
        unknown += found[i].key_is_unknown;
        slower += is_shown_slower(&found[i], share);
    }
    if (unknown)
        fail(DONE, "%zu key%s not known: nothing was verified, and the first configuration was used", unknown,
             unknown == 1 ? " was" : "s were");
    if (slower)
        fail(DONE, "%zu winner%s shown to be more than %g %% slower than what is best now, or no longer work%s", slower,
             slower == 1 ? " is" : "s are", 100 * share, slower == 1 ? "s" : "");
    const int status = options.junit ? write_junit(found, share) : DONE;
    stbds_arrfree(found);
    free(input.text);
    return status == DONE && slower ? FAULTY : status;
}
const struct command verify_command = {
    .name = "verify",
    .run = verify,
    .least = 0,
    .most = 2,
    .options = "fdwju",
    .synopsis = "[TUNER [KEY]]",
    .purpose = "whether winners are still the best, after a run with AUTOTUNE_MODE=verify",
    .help = "A line for each winner that was verified last: what is best now, by how much the winner is\n"
            "slower than that, and by how much at least it is shown to be. Elsewhere than on a terminal,\n"
            "separated by tabs: tuner, key, winner, best now, share, share that is shown, rounds, date,\n"
            "reason of a failure or a doubt. The exit status is 1 if a winner is shown to be slower than\n"
            "--worse-than says and than two times the .margin of its call site, or no longer works, 0 if none\n"
            "is, 2 if nothing was verified.\n"
            "With --in-use no run of that mode is needed: a line for each record whose winner was timed in use,\n"
            "with what the race measured, what calls take, and the ratio. The exit status is 1 if one of them\n"
            "does not take what the race measured.\n",
};

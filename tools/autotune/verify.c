/* verify.c - autotune verify: whether winners are still the best, for people and for CI */
#include "command.h"
#include "escape.h"
#include "options.h"
#include "shown.h"
#include "table.h"
#include "verified.h"

/* A call site keeps winners that are slower by less than two of its margins. */
static bool is_shown_slower(const struct verified *it, double share) {
    const double allowed = share > 2 * it->margin ? share : 2 * it->margin;
    return !it->unknown && (it->failed || (autotune__is_definite(it->at_least) && it->at_least > allowed));
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
        if (!found[i].unknown) add_verified_row(&table, &found[i]);
    print_table(&table);
}

/* ---- JUnit ---- */

static void append_case(autotune__text *out, const struct verified *it, double share) {
    const bool slower = is_shown_slower(it, share);
    append(out, "    <testcase classname=\"");
    append_xml(out, it->tuner);
    append(out, "\" name=\"");
    append_xml(out, it->key);
    append(out, it->unknown || slower ? "\">\n      <%s message=\"" : "\"/>\n", it->unknown ? "skipped" : "failure");
    if (!it->unknown && !slower) return;
    append_xml(out, it->unknown ? "the key is not known" : it->winner);
    if (slower) append_xml(out, ": ");
    if (slower) append_xml(out, shown_verified(it));
    append(out, "\"/>\n    </testcase>\n");
}
static int write_junit(const struct verified *found, double share) {
    autotune__text out = {NULL, false};
    size_t failures = 0, skipped = 0;
    for (size_t i = 0; i < COUNT(found); i++) {
        failures += is_shown_slower(&found[i], share);
        skipped += found[i].unknown;
    }
    append(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"autotune verify\" "
                 "tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n", COUNT(found), failures, skipped);
    for (size_t i = 0; i < COUNT(found); i++) append_case(&out, &found[i], share);
    append(&out, "  </testsuite>\n</testsuites>\n");
    const int status = deliver(&out, options.junit);
    autotune__free_text(&out);
    return status;
}

static int verify(char **arguments) {
    struct input input = {.name = NULL};
    size_t unknown = 0, slower = 0;
    double share = 0.03;
    if (options.worse_than && !read_share(options.worse_than, &share))
        return fail(NOT_DONE, "--worse-than %s: it is a number of per cent, as 3%%", shown(options.worse_than));
    if (!options.file && !named_cache()) return NOT_DONE;
    const char *path = options.file ? options.file : verified_path();
    if (!options.file && is_unfit(path, SIZE_MAX)) return NOT_DONE;
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
        unknown += found[i].unknown;
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
    .options = "fdwj",
    .synopsis = "[TUNER [KEY]]",
    .purpose = "whether winners are still the best, after a run with AUTOTUNE_MODE=verify",
    .help = "A line for each winner that was verified last: what is best now, by how much the winner is\n"
            "slower than that, and by how much at least it is shown to be. Elsewhere than on a terminal,\n"
            "separated by tabs: tuner, key, winner, best now, share, share that is shown, rounds, date,\n"
            "reason of a failure or a doubt. The exit status is 1 if a winner is shown to be slower than\n"
            "--worse-than says and than two times the .margin of its call site, or no longer works, 0 if none\n"
            "is, 2 if nothing was verified.\n",
};

/* fit.c - autotune fit: makes a rule from the keys that were tuned, for keys that were not tuned */
#include "fit.h"
#include "command.h"
#include "escape.h"
#include "files.h"
#include "gnuplot.h"
#include "options.h"
#include "shown.h"
#include "table.h"
#include <math.h>
#include <stdlib.h>

/* ---- Cross-validation: keys are left out ---- */

enum way { RULE, FOUR_NEAREST, NEAREST, BEST_SINGLE, BUCKET, FIRST, WAYS };
static const char *const way_names[WAYS] = {"rule",        "four nearest keys", "nearest key's winner",
                                            "best single", "ANCHOR's bucket",   "first configuration"};
enum { MOST_FOLDS = 64 }; /* if there are more keys, several are left out at once */

static int order_numbers(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}
double quantile(const struct regrets *regrets, double part) {
    const size_t count = COUNT(regrets->regrets);
    return count ? regrets->regrets[(size_t)ceil(part * (double)count) - (part > 0)] : NAN;
}
static size_t answer(const struct times *times, const bool *in, const struct rule *rule, enum way way, size_t key) {
    size_t config;
    switch (way) {
    case RULE:
        config = answer_of_rule(times, rule, times->keys[key].number);
        return config == SIZE_MAX ? answer_of_four_nearest(times, in, key) : config; /* the library does so, too */
    case FOUR_NEAREST: return answer_of_four_nearest(times, in, key);
    case NEAREST: return answer_of_nearest(times, in, key);
    case BEST_SINGLE: return answer_of_best_single(times, in);
    case BUCKET: return answer_of_bucket(times, in, key);
    default: return SIZE_MAX;
    }
}
static void leave_out(const struct times *times, const struct limits *limits, struct regrets *ways) {
    const size_t keys = COUNT(times->keys), folds = keys < MOST_FOLDS ? keys : MOST_FOLDS;
    bool *in = autotune__allocate(keys * sizeof *in);
    if (!in) no_memory();
    for (int way = 0; way < WAYS; way++) {
        ways[way].way = way_names[way];
        for (size_t k = 0; k < keys; k++) PUSH(ways[way].at, NAN);
    }
    for (size_t fold = 0; fold < folds; fold++) {
        for (size_t k = 0; k < keys; k++) in[k] = k % folds != fold;
        struct rule rule = make_rule(times, in, limits);
        for (size_t k = fold; k < keys; k += folds)
            for (int way = 0; way < WAYS; way++) {
                const size_t config = answer(times, in, &rule, (enum way)way, k);
                const double ratio = way == FIRST ? times->keys[k].first
                                   : config == SIZE_MAX ? NAN : times->keys[k].ratio[config];
                ways[way].at[k] = ratio - 1;
                if (!isnan(ratio)) PUSH(ways[way].regrets, ratio - 1);
            }
        free_rule(&rule);
    }
    for (int way = 0; way < WAYS; way++)
        if (ways[way].regrets) qsort(ways[way].regrets, COUNT(ways[way].regrets), sizeof(double), order_numbers);
    autotune__free(in);
}
static const char *percent(double share) { return isnan(share) ? "-" : formatted("%.1f %%", 100 * share); }
static void print_regrets(const struct times *times, const struct regrets *ways) {
    struct table table = {.columns = 5, .right = 0x1E};
    add_row(&table, (const char *[]){"REGRET OF", "KEYS", "MEDIAN", "95 %", "WORST"});
    for (int way = 0; way < WAYS; way++)
        add_row(&table, (const char *[]){ways[way].way, formatted("%zu", COUNT(ways[way].regrets)),
                                         percent(quantile(&ways[way], 0.5)), percent(quantile(&ways[way], 0.95)),
                                         percent(quantile(&ways[way], 1))});
    print_table(&table);
    if (times->incomplete)
        printf("%zu of %zu configurations lack a time at some of %zu keys and take no part in the rule: tuned with "
               ".strategy = AUTOTUNE_EXHAUSTIVE they have one\n",
               times->incomplete, COUNT(times->configs), COUNT(times->keys));
    if (times->other_builds) printf("%zu records of other builds or devices are left out\n", times->other_builds);
    if (times->without_table)
        printf("%zu records without times are left out: their tables went for want of room\n", times->without_table);
}

/* ---- A picture ---- */

static int draw(const struct times *times, const struct regrets *ways, const char *path) {
    autotune__text script = {NULL, false};
    size_t part = 0;
    while (!times->parts[part].is_number) part++;
    int status = append_terminal(&script, path);
    append(&script, "set encoding utf8\nset title ");
    append_gnuplot(&script, formatted("%s: each key left out once", short_name(times->tuner)));
    append(&script, "\nset xlabel ");
    append_gnuplot(&script, times->parts[part].name);
    append(&script, "\nset ylabel 'regret in percent of the best time'\nset key top left\n");
    if (times->keys[0].number[part] > 0) append(&script, "set logscale x 2\n");
    for (int way = 0; way < FIRST; way++) {
        append(&script, "$way%d << END\n", way);
        for (size_t k = 0; k < COUNT(times->keys); k++)
            if (!isnan(ways[way].at[k]))
                append(&script, "%.9g %.9g\n", times->keys[k].number[part], 100 * ways[way].at[k]);
        append(&script, "END\n");
    }
    for (int way = 0, drawn = 0; way < FIRST; way++) {
        if (!COUNT(ways[way].regrets)) continue;
        append(&script, "%s$way%d using 1:2 with linespoints title ", drawn++ ? ", " : "plot ", way);
        append_gnuplot(&script, ways[way].way);
    }
    append(&script, "\n");
    if (status == DONE) status = run_gnuplot(&script);
    autotune__free_text(&script);
    return status;
}

/* ---- The command ---- */

static bool read_limits(struct limits *limits) {
    char *end = NULL;
    *limits = (struct limits){.at_most = 8, .guard = 1.1};
    if (options.at_most) limits->at_most = (size_t)strtoul(options.at_most, &end, 10);
    if (end && (*end || limits->at_most < 1 || limits->at_most > 1000))
        return fail(NOT_DONE, "--at-most '%s': a number of configurations, from 1 to 1000", shown(options.at_most)),
               false;
    if (options.guard) limits->guard = autotune__number_of(options.guard, strlen(options.guard));
    if (autotune__is_within(limits->guard, 1, 1e9)) return true;
    return fail(NOT_DONE, "--guard '%s': a number of times the best time, from 1 on", shown(options.guard)), false;
}
static bool answers_some(const struct rule *rule) {
    for (size_t i = 0; i < COUNT(rule->nodes); i++)
        if (rule->nodes[i].part < 0 && rule->nodes[i].config != SIZE_MAX) return true;
    return false;
}
static int write_rule(const struct times *times, const struct rule *rule, const struct regrets *regrets) {
    autotune__text out = {NULL, false};
    int status = DONE;
    if (!answers_some(rule))
        return fail(NOT_DONE, "fit: the rule would answer no key, since each of its leaves has a key that would take "
                              "too long: --guard allows more, --at-most allows more configurations");
    if (!strcmp(options.format, "json"))
        append_rule_line(&out, times, rule);
    else
        status = append_rule_function(&out, times, rule, options.name ? options.name : "autotune_rule", inputs[0].name,
                                      regrets);
    if (status == DONE && options.cache)
        status = append_to_file(out.at, COUNT(out.at)) ? DONE : NOT_DONE;
    else if (status == DONE)
        status = write_result(&out, options.output);
    autotune__free_text(&out);
    return status;
}
static int fit_times(const struct times *times, const struct limits *limits) {
    struct regrets ways[WAYS] = {{.way = NULL}};
    int status = DONE;
    bool *all = autotune__allocate(COUNT(times->keys) * sizeof *all);
    if (!all) no_memory();
    for (size_t k = 0; k < COUNT(times->keys); k++) all[k] = true;
    struct rule rule = make_rule(times, all, limits);
    leave_out(times, limits, ways);
    if (!options.format || options.output || options.cache) print_regrets(times, ways);
    if (options.format) status = write_rule(times, &rule, &ways[RULE]);
    if (status == DONE && options.plot) status = draw(times, ways, options.plot);
    for (int way = 0; way < WAYS; way++) {
        stbds_arrfree(ways[way].regrets);
        stbds_arrfree(ways[way].at);
    }
    free_rule(&rule);
    autotune__free(all);
    return status;
}
static int fit(char **arguments) {
    const bool is_json = options.format && !strcmp(options.format, "json");
    struct times times = {.tuner = NULL};
    struct limits limits;
    if (options.format && !is_json && strcmp(options.format, "c") != 0)
        return fail(NOT_DONE, "--format '%s' is not known: it is c or json", shown(options.format));
    if (options.cache && (!is_json || options.output || options.file))
        return fail(NOT_DONE, "fit: --cache is for --format json, without --output and --file");
    if (options.cache && !may_write_cache())
        return fail(NOT_DONE, "AUTOTUNE_CACHE is off or readonly: nothing is written to the cache on disk");
    if (options.name && (!options.format || is_json)) return fail(NOT_DONE, "--name is for --format c alone");
    if (!read_limits(&limits) || read_named() != DONE) return NOT_DONE;
    const int status = read_times(arguments, &times) ? fit_times(&times, &limits) : NOT_DONE;
    free_times(&times);
    return status;
}
const struct command fit_command = {
    .name = "fit",
    .run = fit,
    .least = 1,
    .most = 1,
    .options = "fdJomCNGP",
    .synopsis = "TUNER",
    .purpose = "a rule for keys that were never tuned",
    .help = "From the times of all configurations at the keys that were tuned: a tree over the numbers of\n"
            "the key, whose leaves are at most N configurations (8). A leaf with a key that would take more\n"
            "than G times its best time (1.1) answers none. Prints how much is lost at each key that is\n"
            "left out, by the rule and by other ways.\n"
            "json  a line for the cache: programs with .unseen = AUTOTUNE_GUESS use it\n"
            "c     a function of the numbers of the key\n",
};

/* verified.c - see verified.h */
#include "verified.h"
#include "options.h"
#include "records.h"
#include "shown.h"

/* lead: the share by which the other configuration takes longer. Returns the share by which the winner takes longer. */
static double slower_by(double lead) { return autotune__is_definite(lead) ? 1 / (1 + lead) - 1 : AUTOTUNE__NEVER; }
static struct verified verified_at(struct value at, const struct line *line) {
    const bool key_is_unknown = !is_object(member(at, "winner")), failed = is_string(member(at, "failed"));
    const double lead = number_at(member(at, "lead")), high = number_at(member(at, "lead_high"));
    struct verified it = {.line = *line, .key_is_unknown = key_is_unknown, .slower = slower_by(lead),
                          .at_least = AUTOTUNE__NEVER, .too_few_rounds = !autotune__is_definite(high),
                          .rounds = number_at(member(at, "rounds"))};
    const double margin = number_at(member(at, "margin"));
    if (autotune__is_within(margin, 0, 1e6)) it.margin = margin;
    autotune__text copy = {NULL, false};
    autotune__append_piece(&copy, line->text, line->length);
    it.line.text = keep(&copy);
    it.tuner = shown_member(at, "tuner");
    it.key = shown_pairs(member(at, "key"), true);
    it.winner = shown_pairs(member(at, "winner"), true);
    it.best = failed ? "-" : lead < 0 ? shown_pairs(member(at, "rival"), true) : it.winner;
    if (failed) it.failed = shown_member(at, "failed");
    if (is_string(member(at, "doubt"))) it.doubt = shown_member(at, "doubt");
    if (autotune__is_definite(it.slower) && !(lead < 0)) it.slower = 0;
    if (!it.doubt && high < 0) it.at_least = slower_by(high);
    return it;
}
static void add_verified(struct verified **all, const struct verified *verified) {
    for (size_t i = 0; i < COUNT(*all); i++)
        if (is_same_build(&(*all)[i].line, &verified->line)) {
            (*all)[i] = *verified;
            return;
        }
    PUSH(*all, *verified);
}
static int order_verified(const void *left, const void *right) {
    const struct verified *a = left, *b = right;
    const int order = strcmp(a->tuner, b->tuner);
    return order ? order : compare_naturally(a->key, b->key);
}
static struct verified *read_lines(const struct input *input, char *const *arguments, bool report) {
    struct verified *all = NULL;
    size_t at = 0, length, number = 0;
    struct line found;
    const char *line;
    bool ended;
    while ((line = next_line(input, &at, &length, &ended)) != NULL) {
        number++;
        if (!length) continue; /* two processes wrote a line feed for one line */
        if (!read_verification(line, length, &found)) {
            if (report) report_line(input, number, "is damaged or no verification");
            continue;
        }
        const struct value json = open_json(line, length);
        const struct verified verified = verified_at(json, &found);
        if (is_selected(json, arguments)) add_verified(&all, &verified);
        close_json(json);
    }
    if (all) qsort(all, COUNT(all), sizeof *all, order_verified);
    return all;
}
struct verified *read_verified(const struct input *input, char *const *arguments) {
    return read_lines(input, arguments, true);
}
struct verified *read_verified_if_any(void) {
    char *any[] = {NULL, NULL};
    struct input input = {.name = NULL};
    if (options.file || must_not_read(verified_path(), SIZE_MAX) || !read_path(verified_path(), &input)) return NULL;
    struct verified *all = read_lines(&input, any, false);
    free(input.text); /* the shown texts are copies */
    return all;
}
const struct verified *verified_of(const struct verified *all, const struct line *record) {
    const struct value at = open_json(record->text, record->length);
    const char *winner = COUNT(all) ? shown_pairs(member(at, "winner"), true) : NULL;
    close_json(at);
    for (size_t i = 0; i < COUNT(all); i++)
        if (is_same_build(&all[i].line, record) && !all[i].key_is_unknown && !strcmp(all[i].winner, winner) &&
            memcmp(all[i].line.date, record->date, sizeof record->date) >= 0)
            return &all[i];
    return NULL;
}
const char *shown_verified(const struct verified *verified) {
    const double percent = 100 * verified->slower, least = 100 * verified->at_least;
    if (verified->failed) return formatted("no longer works: %s", verified->failed);
    if (verified->doubt) return formatted("not sure: %s", verified->doubt);
    if (!autotune__is_definite(verified->slower)) return "not compared with anything";
    if (!(verified->slower > 0)) return verified->too_few_rounds ? "the best, which is not shown" : "the best";
    if (verified->slower < LEAST_SHOWN && !verified->too_few_rounds) return formatted("as fast as %s", verified->best);
    if (!autotune__is_definite(verified->at_least))
        return formatted("%.2f %% slower than %s, which is not shown", percent, verified->best);
    return formatted("%.2f %% slower than %s (at least %.2f %%)", percent, verified->best, least);
}

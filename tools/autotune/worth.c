/* worth.c - see worth.h */
#include "worth.h"
#include "records.h"
#include "shown.h"

static bool has_winner(struct value record) { return is_object(member(record, "winner")); }
/* Is the key known since then to this build on this device? */
static bool is_known(const struct miss *miss) {
    for (size_t i = 0; i < line_count(); i++) {
        const struct line line = line_at(i);
        if (line.dead || line.unfinished || line.id != miss->line.id || line.machine != miss->line.machine ||
            line.fingerprint != miss->line.fingerprint)
            continue;
        const struct value record = open_json(line.text, line.length);
        const bool known = has_winner(record);
        close_json(record);
        if (known) return true;
    }
    return false;
}
static double best_speedup(const struct record *records, const char *tuner) {
    double best = AUTOTUNE__NEVER;
    for (size_t i = 0; i < COUNT(records); i++) {
        if (strcmp(records[i].tuner, tuner) != 0) continue;
        const struct value record = open_record(&records[i]);
        const double speedup = has_winner(record) ? speedup_of(record) : AUTOTUNE__NEVER;
        close_json(record);
        if (autotune__is_definite(speedup) && !(autotune__is_definite(best) && best >= speedup)) best = speedup;
    }
    return best;
}
/* Of a call that takes t the winner would save t - t / speedup. Where no speed-up is known, all of it is the bound. */
static double gain_of(const struct miss *miss, double speedup) {
    if (!(miss->timed > 0)) return 0;
    if (!autotune__is_definite(speedup)) return miss->seconds;
    return speedup > 1 ? miss->seconds * (1 - 1 / speedup) : 0;
}
static int order_by_gain(const void *left, const void *right) {
    const struct worth *a = left, *b = right;
    if (a->gain < b->gain || a->gain > b->gain) return a->gain > b->gain ? -1 : 1;
    if (a->miss.calls < b->miss.calls || a->miss.calls > b->miss.calls) return a->miss.calls > b->miss.calls ? -1 : 1;
    const int order = strcmp(a->tuner, b->tuner);
    return order ? order : compare_naturally(a->key, b->key);
}
static void check_lines(const struct input *input) {
    size_t at = 0, length, number = 0;
    const char *line;
    bool ended;
    while ((line = next_line(input, &at, &length, &ended)) != NULL) {
        number++;
        if (length == 0 || line[length - 1] == '\x18') continue;
        if (!ended)
            report_line(input, number, "was cut short");
        else if (!is_miss(line, length))
            report_line(input, number, "is damaged or no miss");
    }
}
struct worth *select_misses(const struct input *input, char *const *arguments) {
    char *all[] = {NULL};
    check_lines(input);
    struct record *records = select_records(all);
    struct miss *misses = read_misses(input->text, input->bytes);
    struct worth *found = NULL;
    for (size_t i = 0; i < COUNT(misses); i++) {
        const struct value at = open_json(misses[i].line.text, misses[i].line.length);
        struct worth worth = {.miss = misses[i], .tuner = shown_member(at, "tuner")};
        const bool meant = is_meant(at, arguments) && !is_known(&misses[i]);
        worth.key = shown_pairs(member(at, "key"), true);
        worth.speedup = best_speedup(records, worth.tuner);
        worth.gain = gain_of(&misses[i], worth.speedup);
        close_json(at);
        if (meant) PUSH(found, worth);
    }
    if (found) qsort(found, COUNT(found), sizeof *found, order_by_gain);
    stbds_arrfree(misses);
    stbds_arrfree(records);
    return found;
}

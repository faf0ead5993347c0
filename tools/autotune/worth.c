/* worth.c - see worth.h */
#include "worth.h"
#include "records.h"
#include "shown.h"

static bool has_winner(struct value record) { return is_object(member(record, "winner")); }
/* Returns true if a record has a winner of the key, for this build and this device. */
static bool is_known(const struct miss *miss) {
    for (size_t i = 0; i < line_count(); i++) {
        const struct line line = line_at(i);
        if (line.replaced || line.unfinished || !is_same_build(&line, &miss->line)) continue;
        const struct value record = open_json(line.text, line.length);
        const bool known = has_winner(record);
        close_json(record);
        if (known) return true;
    }
    return false;
}
static int order_by_worth(const void *left, const void *right) {
    const struct worth *a = left, *b = right;
    if (a->worth < b->worth || a->worth > b->worth) return a->worth > b->worth ? -1 : 1;
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
    check_lines(input);
    struct miss *misses = read_misses(input->text, input->bytes);
    struct worth *found = NULL;
    for (size_t i = 0; i < COUNT(misses); i++) {
        const struct value at = open_json(misses[i].line.text, misses[i].line.length);
        struct worth worth = {.miss = misses[i], .tuner = shown_member(at, "tuner")};
        const bool meant = is_selected(at, arguments) && !is_known(&misses[i]);
        worth.key = shown_pairs(member(at, "key"), true);
        worth.worth = misses[i].calls;
        close_json(at);
        if (meant) PUSH(found, worth);
    }
    if (found) qsort(found, COUNT(found), sizeof *found, order_by_worth);
    stbds_arrfree(misses);
    return found;
}

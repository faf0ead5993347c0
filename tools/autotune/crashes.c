/* crashes.c - see crashes.h */
#include "crashes.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"

struct search {
    char *const *arguments;
    struct crash *crashes;
};

bool is_crash(struct value line) {
    return is_string(member(line, "tuner")) && is_object(member(line, "key")) && is_object(member(line, "config"));
}
static bool is_same(const struct crash *a, const struct crash *b) {
    return !strcmp(a->tuner, b->tuner) && !strcmp(a->key, b->key) && !strcmp(a->config, b->config);
}
static void add_crash(struct crash **crashes, const struct crash *crash) {
    for (size_t i = 0; i < COUNT(*crashes); i++) {
        if (!is_same(&(*crashes)[i], crash)) continue;
        (*crashes)[i].date = crash->date;
        (*crashes)[i].launches++;
        return;
    }
    PUSH(*crashes, *crash);
}
static void read_line(const struct line *line, void *user) {
    struct search *search = user;
    const struct value at = open_json(line->text, line->length);
    struct value name = {NULL, -1};
    const bool names_one = next_member(member(at, "config"), &name); /* false: a launch of ranks that divide a race */
    if (is_crash(at) && names_one && is_selected(at, search->arguments)) {
        const struct crash crash = {shown_member(at, "tuner"), shown_pairs(member(at, "key"), true),
                                    shown_pairs(member(at, "config"), true), shown_date(line), 1};
        add_crash(&search->crashes, &crash);
    }
    close_json(at);
}
static int order_crashes(const void *left, const void *right) {
    const struct crash *a = left, *b = right;
    int order = strcmp(a->tuner, b->tuner);
    if (!order) order = compare_naturally(a->key, b->key);
    return order ? order : compare_naturally(a->config, b->config);
}
struct crash *read_crashes(char *const *arguments) {
    struct search search = {arguments, NULL};
    if (options.file || !named_cache()) return NULL;
    each_note(read_line, &search);
    if (search.crashes) qsort(search.crashes, COUNT(search.crashes), sizeof *search.crashes, order_crashes);
    return search.crashes;
}

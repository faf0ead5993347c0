/* in_use.c - see in_use.h */
#include "in_use.h"
#include "shown.h"

struct in_use in_use_of(const struct record *record) {
    const struct value own = open_record(record);
    const double raced = ns_of(own);
    close_json(own);
    struct in_use found = {AUTOTUNE__NEVER, AUTOTUNE__NEVER, AUTOTUNE__NEVER, NULL, false};
    for (size_t i = record->index + 1; i < line_count(); i++) {
        const struct line line = line_at(i);
        const bool slower = line.id == in_use_id(&record->line, true);
        if (line.replaced || line.source != record->line.source || line.machine != record->line.machine ||
            line.fingerprint != record->line.fingerprint || (!slower && line.id != in_use_id(&record->line, false)))
            continue;
        const struct value at = open_json(line.text, line.length);
        const double ns = number_at(member(at, "in_use_ns"));
        found = (struct in_use){ns, raced, number_at(member(at, "scatter")), shown_date(&line),
                                slower || is_raw(member(at, "told"), "true")};
        close_json(at);
    }
    return found;
}
const char *shown_in_use(const struct in_use *in_use) {
    return formatted("%s, %s the race measured", shown_time(in_use->ns),
                     NUMBER("%.2f x what", in_use->ns / in_use->raced_ns));
}

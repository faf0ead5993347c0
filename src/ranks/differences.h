/* Tells all ranks how they differ when they are out of step. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "group.h"

/* Appends the options that decide which configurations are raced, and in which order. The seed and the time limits may
   differ, since all ranks take them from the first rank. */
static void autotune__append_meant_options(autotune__text *text, const autotune__peer_group *group) {
    static const char *const modes[] = { "ON", "CACHED", "REQUIRE", "ONLINE", "OFF", "FORCE", "missed", "verify" },
                      *const agreements[] = { "TOGETHER", "FIRST", "DIVIDED" };
    const autotune_options *o = &group->subject->options;
    const autotune_backend *b = group->subject->backend;
    autotune__append(text, "\n.mode = AUTOTUNE_%s\n.agree = AUTOTUNE_%s\n.first_rank = %d\n.strategy = %d\n"
                     ".cache_state = %d\n.max_trials = %llu\n.top_k = %llu\n.stop_at_ns = %g\n%u buffers in .restore\n"
                     "%u buffers in .zero\n%u buffers in .outputs\n%d .setup\n%d .verify\n%d start() and %d mark() in "
                     ".backend\n%s", modes[group->subject->mode], agreements[o->agree], group->first_rank,
                     (int)o->strategy, (int)o->cache_state, (unsigned long long)o->max_trials,
                     (unsigned long long)o->top_k, o->stop_at_ns, (unsigned)o->restore.count, (unsigned)o->zero.count,
                     (unsigned)o->outputs.count, o->setup != NULL, o->verify != NULL, b->start != NULL,
                     b->mark != NULL, group->only_tunes ? "autotune_tune()" : "a call");
}
/* Appends one line for each fact that has to be the same on all ranks. The first line names the statement. Earlier
   lines may lack some values or a part of the key, so the last two lines have the fingerprint of all texts and values,
   and the whole key. */
static void autotune__append_meaning(autotune__text *text, const autotune__peer_group *group) {
    const autotune__subject *subject = group->subject;
    const autotune__space *space = subject ? subject->space : NULL;
    size_t a, i;
    autotune__append(text, "the statement %s", subject ? subject->name : "autotune_agree()");
    if (!subject) return;
    for (i = 0; i < autotune__parts(&subject->options.key); i++) {
        autotune__append(text, "\n.key with ");
        autotune__append_part(text, &subject->options.key, (uint32_t)i, false);
    }
    autotune__append_meant_options(text, group);
    for (a = 0; a < space->axis_count; a++) {
        const size_t shown = 16, count = space->dimensions[space->axes[a].dimension].count;
        autotune__append(text, "\n%lu values in %s:", (unsigned long)count, space->axes[a].name);
        for (i = 0; i < count && i < shown; i++) {
            autotune__append(text, " ");
            autotune__append_label_of(text, space, a, i);
        }
    }
    autotune__append(text, "\nthe texts, values and compiler %llx\n.key ",
                     (unsigned long long)subject->known_key->tuner->fingerprint);
    autotune__append_key(text, &subject->options.key, true);
}
/* Called on all ranks once they know that they are out of step. Rank 0 broadcasts its lines of
   autotune__append_meaning(). Then the lowest rank with other lines broadcasts the first line that differs. If all
   ranks are in the same statement, and were also out of step when they last compared this statement, its next calls
   exchange nothing. Returns false if the group has ended. */
static bool autotune__tell_difference(autotune__peer_group *group) {
    autotune__text own AUTOTUNE__FREED = { NULL, false };
    char first[2048] = "", mine[sizeof first] = "";
    char told[320];
    double values[2];
    size_t at = 0;
    autotune__append_meaning(&own, group);
    if (!own.broken) autotune__put_text(mine, sizeof mine, "%s", own.at);
    memcpy(first, mine, sizeof first);
    if (!autotune__exchange(group, NULL, first, sizeof first)) return false;
    while (first[at] && first[at] == mine[at]) at++;
    values[0] = *first && *mine && first[at] != mine[at] ? group->ranks->count - group->ranks->rank : 0;
    values[1] = !autotune__set_skipped_calls(group, group->ranks, 0) || !*first ||
                strncmp(first, mine, strcspn(first, "\n") + 1) != 0;
    if (!autotune__exchange(group, values, NULL, 2)) return false;
    if (!(values[1] > 0)) (void)autotune__set_skipped_calls(group, group->ranks, AUTOTUNE__SKIPPED_CALLS);
    while (at && first[at - 1] != '\n') at--;
    first[at + strcspn(first + at, "\n")] = mine[at + strcspn(mine + at, "\n")] = 0;
    autotune__put_text(told, sizeof told, "rank 0 has %.128s, and rank %d has %.128s", first + at, group->ranks->rank,
                       mine + at);
    if (!autotune__broadcast_of(group, group->ranks->count - (int)values[0], told, sizeof told)) return false;
    autotune__append(&group->difference, "%s", told);
    return true;
}

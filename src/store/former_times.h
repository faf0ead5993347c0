/* Times of an earlier race: a record that does not answer for the key, since the program was rebuilt or the race was
   broken off, saves launches of configurations that lost. */
#pragma once
#include <stdlib.h>
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "session.h"
#include "json.h"
#include "configuration_json.h"
#include "read_record.h"
#include "disk.h"
#include "file.h"
#include "recall.h"
#include "unsure_winner.h"

/* A backend tells which kernel it launches. If the kernel was made of another source than that of the record, or by
   another compiler, the times of the record are not its own: false. candidate: the launch is that of a candidate, whose
   record is the one that answered; else it is a trial's, whose record is the former one. */
static AUTOTUNE__UNUSED bool autotune__note_kernel(autotune__store *store, bool candidate, const char *name,
                                                   uint64_t source, const char *compiler) {
    const autotune__text *line;
    autotune__kernel_source kernel = { NULL, source, compiler };
    autotune__json json;
    bool known;
    size_t i;
    if (!store->prior) return true;
    for (i = 0; i < autotune__count(store->kernels); i++)
        if (store->kernels[i].source == source && !strcmp(store->kernels[i].name, name)) return true;
    if (!(kernel.name = autotune__copy_string(name))) return true;
    line = candidate ? &store->line : store->prior->former.rows ? &store->former : NULL;
    known = !line || !autotune__parse_text(&json, line) || autotune__had_kernel(&json, &kernel);
    if (!AUTOTUNE__PUSH(store->kernels, kernel)) autotune__free(kernel.name);
    return known;
}

/* The rows of a former record are contenders, which are launched again, or are set aside, since they lost. Contenders
   are its finalists; if that race was broken off, all rows that took at most twice the best time, as in the screen. If
   only the program was rebuilt, points that the former record does not name are set aside, too; but if there was no
   memory for a row, the record may name them. A configuration that failed is tried again if the texts of the tuner have
   changed. */
static void autotune__read_former_rows(autotune__store *store, const autotune__line *line,
                                       const autotune__json *json) {
    autotune__recorded_row read = autotune__before_rows(json);
    const bool same_texts = line->head.identity.fingerprint == store->identity.fingerprint,
               unfinished = line->head.unfinished, more = autotune__asks_for_more(store, json, line);
    const double best = autotune__number_in(json, autotune__next_row(json, read.rows, 0), "min_ns"),  /* it is first */
                 widest = unfinished ? 2 * best : 0;
    autotune__former *former = &store->prior->former;
    bool all_found = true;
    if (!autotune__spell_space(store)) return;
    if (!unfinished) former->winner = autotune__point_of_config(store, json, autotune__member(json, 0, "winner"));
    if (store->subject->mode == AUTOTUNE_FORCE) return;     /* all are launched, and the winner is one to beat */
    while (autotune__next_recorded(json, &read)) {
        autotune__former_row row;
        memset(&row, 0, sizeof row);
        row.index = autotune__point_of_config(store, json, read.config);
        all_found = all_found && row.index != SIZE_MAX;
        if (row.index == SIZE_MAX ||
            (read.failed && (!same_texts || !autotune__count_at(json, read.launches))))        /* it was skipped */
            continue;
        row.ns = autotune__number_at(json, read.min_ns);
        row.contender = !read.failed && (row.ns <= widest || (unfinished ? !autotune__is_definite(row.ns)
                                                                         : read.finalist));
        row.start = (size_t)read.at;
        row.length = (size_t)(autotune__after(json, read.at) - read.at);
        if (!AUTOTUNE__PUSH(former->rows, row)) all_found = false;
    }
    if (former->rows) qsort(former->rows, autotune__count(former->rows), sizeof *former->rows, autotune__order_sizes);
    former->only_contenders = same_texts && all_found && !more && !unfinished;
    former->incomplete = former->only_contenders && autotune__is_incomplete(json);
}
/* Before the race: the record of the statement itself, or of its kernel with another space. Where a duel goes on it is
   the record that is to answer, and all but its finalists are left out. */
static void autotune__recall_former(autotune__store *store) {
    const bool duels = store->prior->recalled.due;
    autotune__former *former = &store->prior->former;
    const autotune__line *line;
    autotune__json json;
    size_t i;
    if (store->policy == AUTOTUNE_CACHE_OFF || (!duels && store->all_anew)) return;
    autotune__enter_cache();
    if (!autotune__disk.read) autotune__refresh();
    line = autotune__open_record(store, duels ? autotune__may_answer : autotune__has_texts, &store->former, &json);
    if (!line && !duels) line = autotune__open_record(store, autotune__is_of_kernel, &store->former, &json);
    if (line && autotune__speaks_of(&json, store) && autotune__same_kernel(&json, &line->head, store))
        autotune__read_former_rows(store, line, &json);
    autotune__leave_cache();
    if (!duels) return;
    for (i = 0; i < autotune__count(former->rows); i++) {
        former->rows[i].contender = autotune__is_among_finalists(&store->prior->again.finalists, former->rows[i].index);
        former->rows[i].set_aside = !former->rows[i].contender;
    }
    former->left_out = store->prior->recalled.result.space_size - store->prior->again.finalists.count;
}
/* Is this admitted point to be left out of the race? The first point is always raced, for speed-ups are measured by it.
   Of a space that is sampled the former race saw next to nothing, so only what lost is left out there. */
static bool autotune__is_set_aside(autotune__store *store, const autotune__race *race, size_t index) {
    autotune__former *former = &store->prior->former;
    const size_t first = autotune__first_admitted(race);
    autotune__former_row *row;
    bool aside;
    if (!former->rows || first == SIZE_MAX || index == first) return false;
    row = autotune__former_row_of(former, index);
    if (row && row->set_aside) return true;     /* a search may draw a point more than once */
    aside = row ? !row->contender : former->only_contenders && !race->setup.sampled;
    if (aside && row) row->set_aside = true;
    former->left_out += aside;
    return aside;
}

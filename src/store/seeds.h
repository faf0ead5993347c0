/* Seeds: which configurations of another key's record are worth trying first. */
#pragma once
#include <stdlib.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/read_files.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../race/race.h"
#include "../registry/subject.h"
#include "session.h"
#include "json.h"
#include "read_record.h"
#include "lines.h"
#include "folder.h"
#include "file.h"
#include "recall.h"

/* Neighbours are the records of the tuner's other keys on this device. The nearest one with times gives the seeds. A
   record with the fingerprint of the statement is of the same kernel; of records with another only the nearest few are
   read. */
typedef struct autotune__neighbour { double distance; size_t line; } autotune__neighbour;
/* The nearest comes first, of equal ones the latest. */
static int autotune__order_neighbours(const void *left, const void *right) {
    const autotune__neighbour *a = (const autotune__neighbour *)left, *b = (const autotune__neighbour *)right;
    return a->distance < b->distance ? -1 : a->distance > b->distance ? 1 : a->line > b->line ? -1 : 1;
}
static bool autotune__may_seed(const autotune__line *line, const autotune__store *store) {
    const autotune__identity *its = &line->head.identity, *mine = &store->identity;
    return mine->tuner && its->tuner == mine->tuner && its->id != mine->id &&
           (its->machine == mine->machine || line->any_device) && !line->dead && !line->head.unfinished &&
           line->head.key && (line->source != 0 || store->policy != AUTOTUNE_CACHE_OFF);
}
static double autotune__distance_to_line(const autotune_key *key, const autotune__line *line, int file) {
    double distance = AUTOTUNE__NEVER;
    autotune__json json;
    size_t got = 0;
    char *read = line->text || file < 0
                     ? NULL
                     : autotune__read_part(file, line->offset + line->head.key, line->head.key_length, &got);
    const char *text = line->text ? line->text + line->head.key : read;
    if (text && (line->text || got == line->head.key_length) && autotune__parse(&json, text, line->head.key_length)) {
        bool no_memory = false;
        distance = autotune__distance_to_text(key, &json, 0, &no_memory);
        autotune__free_json(&json);
    }
    autotune__free(read);
    return distance;
}
/* Those that are nearer than `within`, in their order; NULL: there are none. The caller frees the array. */
static autotune__neighbour *autotune__neighbours(const autotune__store *store, double within) {
    const struct autotune__disk *cache = &autotune__disk;
    const char *why;
    const int file = cache->file ? autotune__open_ours(cache->file, AUTOTUNE__READ, &why) : -1;
    autotune__neighbour *all = NULL, one;
    for (one.line = 0; cache->lines && one.line < autotune__count(cache->lines); one.line++) {
        if (!autotune__may_seed(&cache->lines[one.line], store)) continue;
        one.distance = autotune__distance_to_line(&store->subject->options.key, &cache->lines[one.line], file);
        if (one.distance < within && !AUTOTUNE__PUSH(all, one)) break;
    }
    autotune__close_file(file);
    if (all) qsort(all, autotune__count(all), sizeof *all, autotune__order_neighbours);
    return all;
}
static void autotune__read_seeds(autotune__space *space, const autotune__json *json, autotune__shortlist *seeds) {
    const int rows = autotune__member(json, 0, "configurations");
    autotune__spellings spellings;
    const bool complete = autotune__spell_space(space, &spellings);
    int row = 0;
    while (complete && (row = autotune__next_row(json, rows, row)) > 0) {
        const double median_ns = autotune__number_in(json, row, "median_ns"),
                     ns = autotune__is_definite(median_ns)
                              ? median_ns
                              : autotune__number_in(json, row, "min_ns");
        size_t index;
        if (autotune__had_failed(json, row) || !autotune__makes_shortlist(seeds, ns)) continue;
        index = autotune__find_point(json, row, "config", space, &spellings);
        if (index != SIZE_MAX) autotune__shortlist_point(seeds, index, ns);
    }
    autotune__free_spellings(&spellings);
}
static void autotune__seed_from_records(const autotune__store *store, double within, autotune__shortlist *seeds) {
    autotune__subject *subject = store->subject;
    autotune__text text = { NULL, false };
    autotune__shortlist found;
    autotune__neighbour *all;
    size_t i, looks = 16;
    autotune__json json;
    found.count = 0;
    autotune__enter_cache();
    if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
    all = autotune__neighbours(store, within);
    for (i = 0; i < autotune__count(all) && !found.count; i++) {
        const autotune__line *line = &autotune__disk.lines[all[i].line];
        const bool same_texts = line->head.identity.fingerprint == store->identity.fingerprint;
        if ((!same_texts && !looks) || !autotune__fetch(line, &text) ||
            !autotune__parse(&json, text.at, autotune__count(text.at)))
            continue;
        looks -= !same_texts;
        if (autotune__speaks_of_tuner(&json, subject, line->any_device) && autotune__same_call(&json, subject))
            autotune__read_seeds(&subject->space, &json, &found);
        autotune__free_json(&json);
    }
    autotune__leave_cache();
    if (found.count) *seeds = found;
    AUTOTUNE__FREE_ARRAY(all);
    autotune__free_text(&text);
}
/* Seeds of a race that is searched: the best that an earlier race of this key left to be launched again; else those of
   the nearest key that the file knows, if it is nearer than `within`, the distance of the key that the given seeds are
   of. */
static void autotune__seed_from_disk(const autotune__store *store, double within, autotune__shortlist *seeds) {
    const autotune__former_row *rows = store->former.rows;
    autotune__shortlist found;
    size_t i;
    found.count = 0;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].contender) autotune__shortlist_point(&found, rows[i].index, rows[i].ns);
    if (found.count) *seeds = found;
    else autotune__seed_from_records(store, within, seeds);
}

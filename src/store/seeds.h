/* Seeds: which configurations of another record are worth trying first. They decide what is launched first, and are
   evidence of nothing: each is launched here before it counts. */
#pragma once
#include <stdlib.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "session.h"
#include "json.h"
#include "key_json.h"
#include "configuration_json.h"
#include "read_record.h"
#include "disk.h"
#include "folder.h"
#include "file.h"

/* Neighbours are the records of the tuner's other keys on this device; and where these have no times, those of all its
   keys on other devices. The nearest one with times gives the seeds. A record with the fingerprint of the statement is
   of the same kernel; of records with another only the nearest few are read. */
typedef struct autotune__neighbour { double distance; size_t line; } autotune__neighbour;
/* The nearest comes first, of equal ones the latest. */
static int autotune__order_neighbours(const void *left, const void *right) {
    const autotune__neighbour *a = (const autotune__neighbour *)left, *b = (const autotune__neighbour *)right;
    return a->distance < b->distance ? -1 : a->distance > b->distance ? 1 : a->line > b->line ? -1 : 1;
}
static bool autotune__may_seed(const autotune__line *line, const autotune__store *store, bool elsewhere) {
    const autotune__identity *its = &line->head.identity, *mine = &store->identity;
    const bool is_here = its->machine == mine->machine || line->any_device;
    return mine->tuner && its->tuner == mine->tuner && is_here != elsewhere && (elsewhere || its->id != mine->id) &&
           !line->dead && !line->head.unfinished && line->head.key &&
           (line->source != 0 || store->policy != AUTOTUNE_CACHE_OFF);
}
/* *read is what the caller frees. */
static bool autotune__open_key(const autotune__line *line, int file, autotune__json *json, char **read) {
    const size_t start = line->head.key, length = line->head.key_length;
    const bool is_here = line->text || length <= sizeof line->key;
    size_t got = length;
    *read = is_here ? NULL : autotune__read_part(file, line->offset + start, length, &got);
    return (is_here || *read) && got == length &&
           autotune__parse(json, line->text ? line->text + start : *read ? *read : line->key, length);
}
static double autotune__distance_to_line(const autotune_key *key, const autotune__line *line, int file) {
    double distance = AUTOTUNE__NEVER;
    bool no_memory = false;
    autotune__json json;
    char *read;
    if (autotune__open_key(line, file, &json, &read))
        distance = autotune__distance_to_text(key, &json, 0, &no_memory);
    autotune__free(read);
    return distance;
}
/* Those of this device, or elsewhere, that are nearer than `within`, in their order; NULL: there are none. The caller
   frees the array. */
static autotune__neighbour *autotune__neighbours(const autotune__store *store, bool elsewhere, double within) {
    const struct autotune__disk *cache = &autotune__disk;
    const char *why;
    const int file = cache->file ? autotune__open_ours(cache->file, AUTOTUNE__READ, &why) : -1;
    autotune__neighbour *all = NULL, one;
    for (one.line = 0; one.line < autotune__count(cache->lines); one.line++) {
        if (!autotune__may_seed(&cache->lines[one.line], store, elsewhere)) continue;
        one.distance = autotune__distance_to_line(&store->subject->options.key, &cache->lines[one.line], file);
        if (one.distance < within && !AUTOTUNE__PUSH(all, one)) break;
    }
    autotune__close_file(file);
    if (all) qsort(all, autotune__count(all), sizeof *all, autotune__order_neighbours);
    return all;
}
static void autotune__read_seeds(autotune__store *store, const autotune__json *json, autotune__shortlist *seeds) {
    const int rows = autotune__member(json, 0, "configurations");
    const bool complete = autotune__spell_space(store);
    int row = 0;
    while (complete && (row = autotune__next_row(json, rows, row)) > 0) {
        const double ns = autotune__time_in(json, row);
        size_t index;
        if (autotune__had_failed(json, row) || !autotune__makes_shortlist(seeds, ns)) continue;
        index = autotune__find_point(store, json, row, "config");
        if (index != SIZE_MAX) autotune__shortlist_point(seeds, index, ns);
    }
}
/* Is the record of the statement's tuner and call? Elsewhere the compiler may be another, too: it is told which
   processor to compile for. */
static bool autotune__is_neighbour(const autotune__json *json, const autotune__store *store, bool any_device,
                                   bool elsewhere) {
    return autotune__speaks_of_tuner(json, store, any_device || elsewhere) &&
           autotune__same_call(json, store->subject, elsewhere);
}
/* With the lock of the cache. */
static void autotune__seed_from_records(autotune__store *store, bool elsewhere, double within,
                                        autotune__shortlist *seeds) {
    autotune__text text = { NULL, false };
    autotune__neighbour *all = autotune__neighbours(store, elsewhere, within);
    size_t i, looks = 16;
    autotune__json json;
    for (i = 0; i < autotune__count(all) && !seeds->count; i++) {
        const autotune__line *line = &autotune__disk.lines[all[i].line];
        const bool same_texts = line->head.identity.fingerprint == store->identity.fingerprint;
        if ((!same_texts && !looks) || !autotune__fetch(line, &text) || !autotune__parse_text(&json, &text)) continue;
        looks -= !same_texts;
        if (autotune__is_neighbour(&json, store, line->any_device, elsewhere))
            autotune__read_seeds(store, &json, seeds);
    }
    AUTOTUNE__FREE_ARRAY(all);
    autotune__free_text(&text);
}
/* Seeds of a race: the best that an earlier race of this key left to be launched again; else those of the nearest key
   that the file knows on this device, if it is nearer than `within`, the distance of the key that the given seeds are
   of; and where this device has none, those of the same key on another device, or else of the nearest there. */
static void autotune__seed_from_disk(autotune__store *store, double within, autotune__shortlist *seeds) {
    const autotune__former_row *rows = store->prior->former.rows;
    autotune__shortlist found;
    size_t i;
    found.count = 0;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].contender) autotune__shortlist_point(&found, rows[i].index, rows[i].ns);
    if (!found.count) {
        autotune__enter_cache();
        if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
        autotune__seed_from_records(store, false, within, &found);
        if (!found.count && !seeds->count) autotune__seed_from_records(store, true, AUTOTUNE__NEVER, &found);
        autotune__leave_cache();
    }
    if (found.count) *seeds = found;
}

/* Times of an earlier race. If the program was rebuilt, if the space changed, or if the race was broken off, the record
   of the race does not answer. Its times still save launches of configurations that lost. */
#pragma once
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
#include "launch_notes.h"
#include "handover_json.h"
#include "unsure_winner.h"

/* Called by a backend that tells which kernel it launches. Returns false if the times of a record are of another source
   or compiler. candidate: the launch is of a candidate, and is compared with the record that answers. Else the launch
   is a trial, and is compared with the former record. */
static AUTOTUNE__UNUSED bool autotune__note_kernel(autotune__store *store, bool candidate, const char *name,
                                                   uint64_t source, uint64_t written, const char *compiler) {
    const autotune__text *line;
    autotune__kernel_source kernel = { NULL, source, written, compiler };
    autotune__json json;
    bool known;
    size_t i;
    if (!store->prior) return true;
    for (i = 0; i < autotune__count(store->kernels); i++)
        if (store->kernels[i].source == source && !strcmp(store->kernels[i].name, name)) return true;
    if (!(kernel.name = autotune__copy_string(name))) return true;
    line = candidate ? &store->line : store->prior->former_rows ? &store->former : NULL;
    known = !line || !autotune__parse_text(&json, line) || autotune__has_same_kernel(&json, &kernel);
    if (!AUTOTUNE__PUSH(store->kernels, kernel)) autotune__free(kernel.name);
    autotune__judge_deferred(store);
    return known;
}

/* Times of another build tell only the order and the ratios of configurations. If it is cheap to launch all
   configurations once, or `all` is true, all are launched again, and the best of the record are seeds. Else the race
   checks the finalists and eight configurations that lost. A hash of the record draws these eight. */
static void autotune__doubt_other_build(autotune__store *store, bool all) {
    const double tenth = 0.1 * store->limits->seconds, seconds = tenth > 0.5 ? tenth : 0.5;
    autotune__prior *prior = store->prior;
    uint64_t random = autotune__hash_string(autotune__string(&store->former));
    size_t i, losers = 0, wanted = 8;
    double ns = 0;
    for (i = 0; i < autotune__count(prior->rows); i++) {
        const bool definite = autotune__is_definite(prior->rows[i].ns) && prior->rows[i].ns > 0;
        ns += definite ? prior->rows[i].ns : 0;
        losers += definite && prior->rows[i].flags & AUTOTUNE__LOST;
    }
    if (all || i <= 64 || ns <= 1e9 * seconds || autotune__is_unlisted(store->subject->space)) {
        for (i = 0; i < autotune__count(prior->rows); i++) prior->rows[i].flags &= (unsigned)AUTOTUNE__SEED;
        prior->former_rows = 0;
        prior->rest = AUTOTUNE__REST_REBUILT;
        return;
    }
    for (i = 0; i < autotune__count(prior->rows); i++) {
        autotune__prior_row *row = &prior->rows[i];
        if (!autotune__is_definite(row->ns) || !(row->ns > 0)) continue;
        row->flags |= AUTOTUNE__CHECKED;        /* counts only if the row is a seed or the first configuration */
        if (row->flags & AUTOTUNE__LOST && autotune__random(&random) % losers-- < wanted) {
            row->flags = AUTOTUNE__SEED | AUTOTUNE__CHECKED;
            wanted--;
        }
    }
}
static int autotune__order_by_time(const void *left, const void *right) {
    return autotune__order_doubles(&((const autotune__prior_row *)left)->ns, &((const autotune__prior_row *)right)->ns);
}
/* Chooses the seeds after a race that was broken off. seconds: the time that this race took. The fastest rows stay
   seeds: at least two, and as many as take a third of `seconds` together. All other rows have lost. Without this limit,
   a race that is broken off again and again would launch nothing but seeds. */
static void autotune__choose_seeds(autotune__prior *prior, double seconds) {
    double ns = 0;
    size_t i, seeds = 0;
    if (prior->rows) qsort(prior->rows, autotune__count(prior->rows), sizeof *prior->rows, autotune__order_by_time);
    for (i = 0; i < autotune__count(prior->rows) && autotune__is_definite(prior->rows[i].ns); i++) {
        if (prior->rows[i].flags != AUTOTUNE__SEED) continue;
        ns += prior->rows[i].ns;
        if (seeds++ >= 2 && ns > 1e9 * seconds / 3) prior->rows[i].flags = AUTOTUNE__LOST;
    }
}
/* Reads the rows of a former record. Returns the point of the winner; SIZE_MAX: none.
   * A row is a seed, which is launched again, or has lost.
   * If the race ended, its finalists are the seeds.
   * If the race was broken off, rows that took at most twice the best time are seeds.
   * If the race ended, and had the same texts, points without a row have lost, too. If that race was incomplete, some
     of these points are untried. Nothing is known of these points if a row has no point in the space, or if
     there is no memory for a row. Nor is anything known if the statement asks for more than the budget of the record.
   * A configuration that failed is tried again if the texts of the tuner have changed, or if it was not launched.
   In mode FORCE no row is read. */
static size_t autotune__read_former_rows(autotune__store *store, const autotune__line *line,
                                         const autotune__json *json) {
    autotune__recorded_row read = autotune__before_rows(json);
    const bool same_texts = autotune__has_same_texts(store, &line->head.identity),
               unfinished = line->head.unfinished,
               more = autotune__may_replace(store, line, false) && autotune__asks_for_more(store, json);
    const double best = autotune__number_in(json, autotune__next_row(json, read.rows, 0), "min_ns"),  /* the best row */
                 widest = unfinished ? 2 * best : 0;
    const autotune_mode mode = store->subject->mode;
    autotune__prior *prior = store->prior;
    bool all_found = true, compared = false, handed;
    size_t winner = SIZE_MAX, rows = 0;
    if (!unfinished) winner = autotune__point_of_config(store, json, autotune__member(json, 0, "winner"));
    if (mode == AUTOTUNE_FORCE) return winner;  /* all are launched again; the winner is the incumbent */
    handed = mode == AUTOTUNE_ONLINE && unfinished && same_texts && autotune__read_handover(store, json);
    while (autotune__next_recorded(json, &read)) {
        const size_t point = autotune__point_of_config(store, json, read.config);
        const double ns = autotune__recorded_ns(json, &read);
        const bool may_win = !read.failed && (ns <= widest || (unfinished ? !autotune__is_definite(ns)
                                                                           : read.finalist));
        all_found = all_found && point != SIZE_MAX;
        rows += !read.former;
        compared = compared || !(read.failed || read.former || autotune__says(json, read.at, "stage", "screen"));
        if (point == SIZE_MAX || (unfinished && read.former) ||         /* another build launched it */
            (read.failed && !(same_texts && autotune__is_within(autotune__number_at(json, read.launches), 1, 1e15))))
            continue;                           /* a configuration without a launch was skipped */
        const unsigned flags = (may_win ? AUTOTUNE__SEED : AUTOTUNE__LOST) |
                               (read.failed && !autotune__is_definite(ns) ? (unsigned)AUTOTUNE__FAILED_BEFORE : 0u);
        if (!autotune__add_prior(prior, point, handed || read.failed ? AUTOTUNE__NEVER : ns, flags)) all_found = false;
        else prior->former_rows++;
    }
    if (same_texts && all_found && !more && !unfinished && prior->former_rows)
        prior->rest = autotune__is_incomplete(json) ? AUTOTUNE__REST_UNTRIED : AUTOTUNE__REST_LOST;
    prior->scatter = autotune__number_in(json, 0, "median_ns") / autotune__number_in(json, 0, "min_ns") - 1;
    store->of_other_build = autotune__find_program(json, store->program) != 0;
    if (store->of_other_build) autotune__doubt_other_build(store, unfinished || mode == AUTOTUNE_ONLINE);
    else if (unfinished && !handed) {
        autotune__choose_seeds(prior, autotune__number_in(json, 0, "seconds"));
        if (compared && autotune__count_in(json, 0, "tried") < rows)    /* the race was resumed, and broken off again */
            prior->seconds = autotune__number_in(json, 0, "seconds");
    }
    return winner;
}
/* Reads the former record before the race: a record with the statement's texts, else a record of its body with
   another space. Returns the point of the winner. SIZE_MAX: there is no record that counts, or no winner, or the winner
   failed in this process. If the winner failed, no row is read: configurations that lost against the winner may be the
   best. */
static size_t autotune__recall_former(autotune__store *store) {
    const autotune__line *line;
    size_t winner = SIZE_MAX;
    autotune__json json;
    if (store->policy == AUTOTUNE_CACHE_OFF || store->prior->rest == AUTOTUNE__REST_ANEW ||
        autotune__trust_in(store->subject->known_key) == AUTOTUNE__DISTRUSTED)
        return SIZE_MAX;
    AUTOTUNE__WITH_CACHE;
    line = autotune__open_record(store, autotune__has_texts, &store->former, &json);
    if (!line) line = autotune__open_record(store, autotune__is_of_body, &store->former, &json);
    if (line && autotune__is_of_tuner(&json, store) && autotune__is_of_key(&json, &store->subject->options.key) &&
        autotune__same_body(&json, &line->head, store) &&
        !autotune__says(&json, 0, "doubt", autotune__wrong_reference))
        winner = autotune__read_former_rows(store, line, &json);
    return winner;
}

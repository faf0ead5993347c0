/* The winner that the cache on disk knows for a statement's key. */
#pragma once
#include <stdio.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../registry/subject.h"
#include "../registry/results.h"
#include "../registry/thread_turns.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "machine.h"
#include "write_record.h"
#include "read_record.h"
#include "lines.h"
#include "file.h"

/* The statement's tuner and key are known now: by which numbers and words does the file know them? exact_key: the key
   as text, with the types of its parts. */
static void autotune__identify_on_disk(autotune__store *store, const char *exact_key) {
    const autotune__subject *subject = store->subject;
    autotune__identity *identity = &store->identity;
    const uint32_t looked_up = 1u << 31;        /* a call site that is new may be in a library that replaces another */
    const char *program;
    autotune__text name = { NULL, false };
    autotune__append_string(&name, subject->name);
    identity->id = autotune__hash_more(autotune__hash_string(subject->name), exact_key, strlen(exact_key));
    identity->fingerprint = subject->tuner->fingerprint;
    identity->machine = autotune__hash_string(autotune__device_words(subject->backend));
    identity->tuner = name.broken ? 0 : autotune__hash_more(0, name.at, autotune__count(name.at));
    autotune__free_text(&name);
    autotune__enter_cache();
    program = autotune__program_of(
        subject->code, !(__atomic_fetch_or(&subject->site->said, looked_up, __ATOMIC_RELAXED) & looked_up));
    snprintf(store->program, sizeof store->program, "%s", program ? program : "");
    autotune__leave_cache();
}

/* Is `a` newer than `b`, which stands behind it in the chain? Of one source the later line is; else the date tells. */
static bool autotune__is_newer(const autotune__line *a, const autotune__line *b) {
    return a->source == b->source || memcmp(a->head.date, b->head.date, AUTOTUNE__DATE_BYTES) >= 0;
}
/* Which of the lines with the statement's tuner, key and machine may count for it? */
typedef bool autotune__line_counts(const autotune__store *store, const autotune__line *line);
static bool autotune__has_texts(const autotune__store *store, const autotune__line *line) {     /* those of before */
    return line->head.identity.fingerprint == store->identity.fingerprint;
}
static bool autotune__may_answer(const autotune__store *store, const autotune__line *line) {
    return autotune__has_texts(store, line) && !line->head.unfinished;
}
/* The newest line that counts for the statement, of those for this machine; 0: of those for any. */
static const autotune__line *autotune__better_line(const autotune__store *store, autotune__line_counts *counts,
                                                   uint64_t machine, const autotune__line *best) {
    const struct autotune__disk *cache = &autotune__disk;
    const autotune__identity *mine = &store->identity;
    size_t at;
    for (at = cache->places ? *autotune__newest(mine->id, machine) : 0; at; at = cache->lines[at - 1].older) {
        const autotune__line *line = &cache->lines[at - 1];
        const autotune__identity *its = &line->head.identity;
        if (line->dead || its->id != mine->id || (its->machine != mine->machine && !line->any_device)) continue;
        if (line->source == 0 && store->policy == AUTOTUNE_CACHE_OFF) continue;
        if ((!best || !autotune__is_newer(best, line)) && counts(store, line)) best = line;
    }
    return best;
}
static const autotune__line *autotune__line_of(const autotune__store *store, autotune__line_counts *counts) {
    return autotune__better_line(store, counts, 0,
                                 autotune__better_line(store, counts, store->identity.machine, NULL));
}
static bool autotune__may_tune(const autotune__subject *subject) {
    return subject->mode == AUTOTUNE_ON || subject->mode == AUTOTUNE_FORCE;
}

/* Was the program built anew since? That counts only where a race may run and what it finds is kept. */
static bool autotune__was_rebuilt(const autotune__json *json, const autotune__line *line,
                                  const autotune__store *store) {
    return line->source == 0 && store->policy == AUTOTUNE_CACHE_ON && autotune__may_tune(store->subject) &&
           *store->program && !autotune__same_string(json, 0, "program", store->program);
}
/* times: the object that has its times. */
static void autotune__add_candidate(autotune__recalled *recalled, size_t index, const autotune__json *json, int times) {
    autotune__candidate *candidate;
    if (index == SIZE_MAX || recalled->count == AUTOTUNE__CANDIDATES) return;
    if (recalled->count && recalled->candidates[0].index == index) return;
    candidate = &recalled->candidates[recalled->count++];
    candidate->index = index;
    candidate->median_ns = autotune__number_in(json, times, "median_ns");
    candidate->min_ns = autotune__number_in(json, times, "min_ns");
    if (!autotune__is_definite(candidate->median_ns)) candidate->median_ns = candidate->min_ns;
}
/* The winner is a candidate. Where no race may look for another one, the other finalists are, too. */
static void autotune__read_candidates(autotune__store *store, const autotune__json *json) {
    const int rows = autotune__member(json, 0, "configurations");
    autotune__recalled *recalled = &store->recalled;
    autotune__space *space = &store->subject->space;
    autotune__spellings spellings;
    size_t index;
    int row = 0;
    if (autotune__spell_space(space, &spellings)) {
        index = autotune__find_point(json, 0, "winner", space, &spellings);
        autotune__add_candidate(recalled, index, json, 0);
        while (recalled->count && !autotune__may_tune(store->subject) &&
               (row = autotune__next_row(json, rows, row)) > 0) {
            if (!autotune__was_finalist(json, row) || autotune__had_failed(json, row)) continue;
            index = autotune__find_point(json, row, "config", space, &spellings);
            autotune__add_candidate(recalled, index, json, row);
        }
    }
    autotune__free_spellings(&spellings);
}
static void autotune__read_result(const autotune__json *json, autotune_result *result) {
    autotune__clear_result(result);
    result->verdict = autotune__read_verdict(json);
    result->doubt = result->verdict == AUTOTUNE_UNRELIABLE ? "it was measured in an earlier run, whose record says why"
                                                           : NULL;
    result->lead = autotune__number_in(json, 0, "lead");
    result->lead_low = autotune__number_in(json, 0, "lead_low");
    result->lead_high = autotune__number_in(json, 0, "lead_high");
    result->runner_up_ns = autotune__number_in(json, 0, "runner_up_ns");
    result->default_ns = autotune__number_in(json, 0, "default_ns");
    result->slowest_ns = autotune__number_in(json, 0, "slowest_ns");
    result->space_size = autotune__count_in(json, 0, "space_size");
}
/* Finds the line that counts, reads its text, and parses it. The file may have been replaced since it was read: then
   all of it is read anew. NULL: there is none; else the caller frees the JSON. */
static const autotune__line *autotune__open_record(const autotune__store *store, autotune__line_counts *counts,
                                                   autotune__text *text, autotune__json *json) {
    const autotune__line *line = autotune__line_of(store, counts);
    if (line && !autotune__fetch(line, text)) {
        autotune__refresh();
        if ((line = autotune__line_of(store, counts)) != NULL && !autotune__fetch(line, text)) line = NULL;
    }
    return line && autotune__parse(json, text->at, autotune__count(text->at)) ? line : NULL;
}
/* True: the file has a record that answers, and its candidates are to be tried. */
static bool autotune__recall_winner(autotune__store *store) {
    const autotune__subject *subject = store->subject;
    autotune__recalled *recalled = &store->recalled;
    const autotune__line *line;
    autotune__json json;
    recalled->count = recalled->next = 0;
    if (subject->mode == AUTOTUNE_FORCE || autotune__is_set(&subject->record->distrusted)) return false;
    autotune__enter_cache();
    if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
    if ((line = autotune__open_record(store, autotune__may_answer, &recalled->line, &json)) != NULL) {
        if (autotune__speaks_of(&json, subject, line->any_device) && !autotune__was_rebuilt(&json, line, store)) {
            recalled->any_device = line->any_device;
            autotune__read_result(&json, &recalled->result);
            autotune__read_candidates(store, &json);
        }
        autotune__free_json(&json);
    }
    autotune__leave_cache();
    return recalled->count > 0;
}

/* Finds the winner that a record has for a statement's key. The record is in the cache on disk, or was loaded. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "configuration_json.h"
#include "read_record.h"
#include "unsure_winner.h"
#include "identity.h"
#include "verified.h"
#include "disk.h"
#include "lines.h"
#include "file.h"

/* Returns true if a line of the statement's tuner, key and machine may count for the statement. */
typedef bool autotune__line_counts(const autotune__store *store, autotune__line *line);
static bool autotune__has_texts(const autotune__store *store, autotune__line *line) {
    return autotune__has_same_texts(store, &line->head.identity);
}
static bool autotune__may_answer(const autotune__store *store, autotune__line *line) {
    return !line->head.unfinished && autotune__has_same_texts(store, &line->head.identity);
}
/* Returns the line that counts. Within one source the latest line counts, which is the first in its chain. Between
   sources the latest date counts. */
static autotune__line *autotune__line_of(const autotune__store *store, autotune__line_counts *counts) {
    const autotune__identity *mine = &store->identity, *its;
    autotune__line *line, *best = NULL;
    size_t at;
    for (at = *autotune__newest(mine); at; at = line->older) {
        line = &autotune__disk.lines[at - 1];
        its = &line->head.identity;
        if (line->dead || line->damaged || its->id != mine->id || its->machine != mine->machine) continue;
        if (line->source == 0 && store->policy == AUTOTUNE_CACHE_OFF) continue;
        if ((!best || (best->source != line->source &&
                       memcmp(best->head.date, line->head.date, AUTOTUNE__DATE_BYTES) < 0)) && counts(store, line))
            best = line;
    }
    return best;
}

/* The library times the first calls for real with a winner. A line behind the record, in the same file, has their
   median. If these calls were far slower than in the race, the line has another identity. So the identity alone tells
   that the calls were slower. Older versions take the line for an unfinished record of an unknown key. */
static uint64_t autotune__id_in_use(uint64_t id, bool slower) { return autotune__hash_word(id, 0x757365u + slower); }
/* Returns the line with the time of calls that stands behind the record `of`; NULL: none. slow: looks for a line of
   slower calls. The caller holds the lock of the cache. */
static const autotune__line *autotune__line_of_use(const autotune__store *store, const autotune__line *of, bool slow) {
    autotune__store its = *store;
    const autotune__line *line;
    its.identity.id = autotune__id_in_use(store->identity.id, slow);
    line = autotune__line_of(&its, autotune__has_texts);
    return line && of && line->source == of->source && line->number > of->number ? line : NULL;
}

/* Finds the line that counts, reads its text, and parses it. If the line is damaged, an older line counts. If the file
   was replaced since it was read, all of it is read again. NULL: no line counts. */
static const autotune__line *autotune__open_record(const autotune__store *store, autotune__line_counts *counts,
                                                   autotune__text *text, autotune__json *json) {
    bool anew = false;
    autotune__line *line;
    while ((line = autotune__line_of(store, counts)) != NULL && !autotune__fetch(line, text, json)) {
        if (line->damaged) continue;
        if (anew) return NULL;
        anew = true;
        autotune__refresh();
    }
    return line;
}
/* Returns true if the line belongs to a statement with the same call, as far as texts tell. The newest lines may be of
   another statement with the same key. */
static bool autotune__is_of_body(const autotune__store *store, autotune__line *line) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__json json;
    return autotune__fetch(line, &text, &json) && autotune__same_body(&json, &line->head, store) &&
           autotune__has_same_pin(&json, &store->prior->recalled);
}
/* Finds the next candidates of a record, behind its winner: configurations that worked, from the fastest on. There may
   be no candidate left. */
static void autotune__recall_next_rows(autotune__store *store) {
    autotune__recalled *recalled = &store->prior->recalled;
    const autotune__text *line;
    autotune__recorded_row row;
    autotune__json json;
    size_t at, point;
    recalled->count = recalled->next = 0;
    autotune__clear_result(&recalled->result);
    recalled->result.verdict = AUTOTUNE_UNRESOLVED;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    line = autotune__count(store->line.at) ? &store->line : &store->subject->known_key->line;
    if (!autotune__parse_text(&json, line)) return;
    row = autotune__before_rows(&json);
    for (at = 0; recalled->count < AUTOTUNE__CANDIDATES && autotune__next_recorded(&json, &row); at++) {
        if (at < recalled->rows_tried || row.failed) continue;
        recalled->rows_tried = at + 1;
        point = autotune__point_of_config(store, &json, row.config);
        if (point != SIZE_MAX) recalled->candidates[recalled->count++] = point;
    }
}
/* Finds the record that answers, and its winner as a candidate. Returns true if the candidate can be tried without a
   duel. */
static bool autotune__recall_winner(autotune__store *store) {
    const autotune__subject *subject = store->subject;
    autotune__recalled *recalled = &store->prior->recalled;
    const autotune__line *line;
    autotune__json json;
    recalled->count = recalled->next = 0;
    recalled->duel = AUTOTUNE__NO_DUEL;
    AUTOTUNE__FREE_ARRAY(store->prior->rows);   /* the finalists are filled in here */
    if (subject->mode == AUTOTUNE_FORCE || autotune__trust_in(subject->known_key) == AUTOTUNE__DISTRUSTED ||
        autotune__is_shared(subject->known_key))
        return false;
    AUTOTUNE__WITH_CACHE;
    if (store->policy != AUTOTUNE_CACHE_OFF && !autotune__disk.read) autotune__refresh();
    store->prior->changes = autotune__changes_so_far(); /* autotune__refresh() may have counted a change */
    line = autotune__open_record(store, autotune__may_answer, &store->line, &json);
    if (!line && autotune__verifies(subject))   /* a record of another compiler or space */
        line = autotune__open_record(store, autotune__is_of_body, &store->line, &json);
    const bool replaceable = line && autotune__may_replace(store, line, false);
    const int place = line ? autotune__find_program(&json, store->program) : 0;
    recalled->of_other_build = place != 0;
    /* A record of another build counts, unless this process may replace the record. */
    if (line && autotune__is_of_tuner(&json, store) && autotune__is_of_key(&json, &subject->options.key) &&
        !autotune__says(&json, 0, "doubt", autotune__wrong_reference) &&
        !(replaceable && autotune__asks_for_more(store, &json)) &&
        !(place < 0 && autotune__may_replace(store, line, subject->mode == AUTOTUNE_ONLINE))) {
        autotune__read_result(&json, &recalled->result);
        if (recalled->of_other_build && recalled->result.verdict != AUTOTUNE_UNRELIABLE)
            recalled->result.verdict = AUTOTUNE_UNRESOLVED;         /* the other build compared, and not this one */
        recalled->result.refused = autotune__refused_of(subject->space, recalled->result.space_size);
        recalled->candidates[0] = autotune__point_of_config(store, &json, autotune__member(&json, 0, "winner"));
        recalled->count = recalled->candidates[0] != SIZE_MAX;
        recalled->slower_in_use = autotune__line_of_use(store, line, true) != NULL;
        if (recalled->count && replaceable && !recalled->of_other_build && autotune__read_duel_again(store, &json))
            recalled->duel = AUTOTUNE__DUEL_AGAIN;
        if (recalled->count && autotune__verifies(subject) && autotune__read_verified(store, &json))
            recalled->duel = AUTOTUNE__DUEL_TO_VERIFY;
    }
    return recalled->count && !recalled->duel;
}
/* Finds the candidates of the key's record: first its winner, in later calls of this function its rows. If a pin leaves
   several configurations, these have a record of their own. */
static void autotune__recall(autotune__store *store) {
    autotune__known_key *known_key = store->subject->known_key;
    if (store->prior->recalled.rows_tried) { autotune__recall_next_rows(store); return; }
    if (store->prior->recalled.restricts) autotune__identify_pin(store);
    if (autotune__recall_winner(store) || store->prior->recalled.duel ||
        !autotune__verifies(store->subject) || autotune__trust_in(known_key) != AUTOTUNE__TRUSTED)
        return;
    autotune__change_trust(known_key, AUTOTUNE__NO_MORE_DUELS);          /* a missing record is reported once */
    autotune__write_verified(store, NULL);
}

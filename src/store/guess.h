/* Finds the possible winners of a key without a race: those that its record names, else a guess from keys that have a
   winner. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "key_json.h"
#include "configuration_json.h"
#include "read_record.h"
#include "identity.h"
#include "disk.h"
#include "folder.h"
#include "file.h"
#include "verified.h"
#include "recall.h"
#include "near_records.h"
#include "rule.h"

/* Finds the possible winners of a key without a record, if another key is near enough. */
static void autotune__recall_guess(autotune__store *store) {
    autotune__recalled *recalled = &store->prior->recalled;
    autotune__text origin = { NULL, false };
    autotune__nearest nearest;
    autotune__shortlist found;
    size_t keys, of_rule = 0, point = SIZE_MAX;
    char date[AUTOTUNE__DATE_BYTES];
    if (autotune__trust_in(store->subject->known_key) == AUTOTUNE__DISTRUSTED) return;
    nearest.count = 0;
    nearest.most = 2;
    autotune__find_near_raced(store->subject, &nearest);
    autotune__enter_cache();
    if (autotune__line_of(store, autotune__may_answer)) autotune__drop_all_near(&nearest);
    else {
        point = autotune__point_of_rule(store, &of_rule, date);     /* which may read the file anew */
        autotune__find_near_lines(store, false, &nearest);
    }
    autotune__read_near_lines(store, false, &nearest);
    autotune__leave_cache();
    keys = autotune__guess_from(&nearest, &found);
    autotune__strike_point(&found, point);
    if (point != SIZE_MAX) {                    /* what is near comes behind it, for where it does not work */
        autotune__shortlist_point(&found, point, 0);
        autotune__append(&origin, "%lu keys, by the rule of %.10s", (unsigned long)of_rule, date);
    } else if (keys) {
        autotune__append(&origin, "%lu key%s, the nearest ", (unsigned long)keys, keys > 1 ? "s" : "");
        autotune__append_key(&origin, &nearest.keys[0].key, false);
    }
    autotune__drop_all_near(&nearest);
    if (!found.count) return;
    autotune__clear_result(&recalled->result);
    recalled->result.verdict = AUTOTUNE_GUESSED;
    recalled->result.guessed_from = autotune__keep_origin(&origin);
    recalled->count = found.count < AUTOTUNE__CANDIDATES ? found.count : (size_t)AUTOTUNE__CANDIDATES;
    memcpy(recalled->candidates, found.index, recalled->count * sizeof *found.index);
    recalled->next = 0;
}
/* Finds these candidates. guesses: may one be guessed? Not where a winner is known that is not sure, nor in mode
   MISSED. */
static void autotune__recall(autotune__store *store, bool guesses) {
    autotune__prior *prior = store->prior;
    autotune__known_key *known_key = store->subject->known_key;
    if (prior->recalled.passed) { autotune__recall_others(store); return; }
    if (prior->recalled.restricts) autotune__identify_pin(store);
    if (autotune__recall_winner(store) || prior->recalled.duel) return;
    if (autotune__verifies(store->subject) && autotune__trust_in(known_key) == AUTOTUNE__TRUSTED) {
        autotune__change_trust(known_key, AUTOTUNE__DUELLED_HERE);      /* that there is no record is told once */
        autotune__write_verified(store, NULL);
    }
    if (!guesses || prior->recalled.missed) return;
    prior->news = autotune__news_so_far();
    autotune__recall_guess(store);
}

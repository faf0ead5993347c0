/* Guesses the winner of a key without a race and without a record, from keys that have a winner. */
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
#include "file.h"
#include "verified.h"
#include "recall.h"
#include "near_records.h"
#include "rule.h"

/* Makes a guess if another key is near enough, or if the tuner has a rule. */
static void autotune__recall_guess(autotune__store *store) {
    autotune__recalled *recalled = &store->prior->recalled;
    autotune__text origin = { NULL, false };
    autotune__nearest nearest;
    autotune__shortlist found;
    size_t keys, of_rule = 0, point;
    char date[AUTOTUNE__DATE_BYTES];
    if (autotune__trust_in(store->subject->known_key) == AUTOTUNE__DISTRUSTED) return;
    store->prior->changes = autotune__changes_so_far();
    {
        AUTOTUNE__WITH_CACHE;
        if (autotune__line_of(store, autotune__may_answer)) return;
        point = autotune__point_of_rule(store, &of_rule, date);
    }
    autotune__find_near(store, false, &nearest);
    keys = autotune__guess_from(&nearest, &found);
    autotune__strike_point(&found, point);
    if (point != SIZE_MAX) {                    /* the guesses from near keys are next, if this point does not work */
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

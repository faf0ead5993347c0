/* A guess for the key of a statement, from the keys that this process raced and from those that have a record. */
#pragma once
#include <stdlib.h>
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
#include "disk.h"
#include "folder.h"
#include "file.h"
#include "recall.h"
#include "near_records.h"
#include "rule.h"

/* What may be the winner of a key of which there is no record. False: no key is near enough. */
static bool autotune__recall_guess(autotune__store *store) {
    autotune__recalled *recalled = &store->prior->recalled;
    autotune__text origin = { NULL, false };
    autotune__nearest nearest;
    autotune__shortlist found;
    size_t keys, i, of_rule = 0, point = SIZE_MAX;
    char date[AUTOTUNE__DATE_BYTES];
    if (autotune__is_set(&store->subject->known_key->distrusted)) return false;
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
    if (!found.count) return false;
    autotune__clear_result(&recalled->result);
    recalled->result.verdict = AUTOTUNE_GUESSED;
    recalled->result.guessed_from = autotune__keep_origin(&origin);
    recalled->count = found.count < AUTOTUNE__CANDIDATES ? found.count : (size_t)AUTOTUNE__CANDIDATES;
    for (i = 0; i < recalled->count; i++) {
        recalled->candidates[i].index = found.index[i];
        recalled->candidates[i].median_ns = recalled->candidates[i].min_ns = AUTOTUNE__NEVER;
    }
    recalled->winner = found.index[0];
    recalled->next = 0;
    return true;
}

/* Mode VERIFY compares the winner of a record with other configurations. This room finds these configurations, and
   writes the file verify.jsonl in the folder of the cache. The file gets a line for each comparison, and for each key
   without a record. */
#pragma once
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "configuration_json.h"
#include "write_line.h"
#include "write_record.h"
#include "read_record.h"
#include "disk.h"
#include "folders.h"
#include "append_lines.h"
#include "unsure_winner.h"

/* Reads the winner, and the configurations with which it is compared: the other finalists. One place is kept for the
   first configuration of the space. The runner-up is compared, too, even if it left the race before the duel. Returns
   false if this process has compared the winner already, or may not write. */
static bool autotune__read_verified(autotune__store *store, const autotune__json *json) {
    const size_t runner_up = autotune__point_of_config(store, json, autotune__member(json, 0, "runner_up"));
    if (store->policy != AUTOTUNE_CACHE_ON || autotune__trust_in(store->subject->known_key) != AUTOTUNE__TRUSTED)
        return false;
    (void)autotune__read_finalists(store, json, AUTOTUNE__FINALISTS - 1);
    (void)autotune__add_prior(store->prior, store->prior->recalled.candidates[0], AUTOTUNE__NEVER, AUTOTUNE__FINALIST);
    if (runner_up != SIZE_MAX) (void)autotune__add_prior(store->prior, runner_up, AUTOTUNE__NEVER, AUTOTUNE__FINALIST);
    return true;
}
/* Appends what the race shows of the winner: why it failed, or how it compares with the best other configuration. */
static void autotune__append_comparison(autotune__text *text, autotune__space *space, const autotune__race *race) {
    const autotune__race_outcome *outcome = &race->outcome;
    const size_t row = autotune__find_row(race, race->incumbent);
    autotune__append_config(text, space, race->incumbent);
    if (outcome->winner == SIZE_MAX)
        autotune__append_words(text, "failed", row == SIZE_MAX ? "WHERE refuses it" : race->rows[row].reason);
    autotune__append_winner(text, "rival", space, race, outcome->runner_up);
    autotune__append_ratio(text, "lead", outcome->lead.median);
    autotune__append_ratio(text, "lead_low", outcome->lead.low);
    autotune__append_ratio(text, "lead_high", outcome->lead.high);
    autotune__append_words(text, "doubt", outcome->doubt);
    autotune__append(text, ",\"rounds\":%lu,\"compared\":%lu", (unsigned long)autotune__rounds(race),
                     (unsigned long)race->admitted.count);
    autotune__append_ratio(text, "margin", race->limits.margin);
}
/* Appends a line to the file. race: NULL if the key has no record. Nothing is written if the race did not know the
   winner of the record, or lacked memory. */
static void autotune__write_verified(autotune__store *store, const autotune__race *race) {
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    const char *why = "out of memory";
    if (store->policy != AUTOTUNE_CACHE_ON || (race && (race->incumbent == SIZE_MAX || autotune__lacks_memory(race))))
        return;
    autotune__append_head(&line, "verified", store, false);
    autotune__append(&line, ",\"winner\":%s", race ? "" : "null");
    if (race) autotune__append_comparison(&line, store->subject->space, race);
    autotune__append_build(&line, store);
    autotune__append_crc(&line, 0);
    AUTOTUNE__WITH_CACHE;
    char *path AUTOTUNE__OWNED = autotune__path_in_cache("verify.jsonl");
    if (autotune__disk.file &&
        !(path && autotune__append_to(path, autotune__disk.folder, "verified", SIZE_MAX, &line, &why)))
        autotune__say_unwritable(path ? path : "verify.jsonl", why);
}

/* autotune_clear(). */
#pragma once
#include "../system/threads.h"
#include "../api/language.h"
#include "../api/types.h"
#include "../api/functions.h"
#include "../base/text.h"
#include "../base/process.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../space/key.h"
#include "../registry/records.h"
#include "../registry/results.h"
#include "../registry/stand_ins.h"
#include "../registry/known.h"
#include "store.h"

static bool autotune__forget_known(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    const autotune__query *query = (const autotune__query *)user;
    if ((query->name && !autotune__has_name(query, tuner)) ||
        (query->key && !autotune__same_parts(&record->key, query->key)))
        return true;
    if (record->entry) autotune__forget(record->entry);
    autotune__keep_history(record, NULL);       /* of a race that all configurations failed in, too */
    autotune__forget_failure(record);
    autotune__free_text(&record->line);
    autotune__put_in_use(record, NULL);
    record->distrusted = record->impatient = false;
    return true;
}
static bool autotune__clear_memory(const char *name, const autotune_key *key) {
    autotune__query query;
    memset(&query, 0, sizeof query);
    query.name = name;
    query.key = key;
    if (name) autotune__read_number(&query);
    autotune__lock_mutex(&autotune__lock);
    autotune__walk(autotune__forget_known, &query);
    autotune__unlock_mutex(&autotune__lock);
    autotune__announce();
    return autotune__forget_loaded(name, key);
}
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where) {
    const char *problem = key ? autotune__key_problem(key) : NULL;
    autotune_status status = AUTOTUNE_OK;
    autotune__ready();
    if (!where || (where & ~(unsigned)(AUTOTUNE_MEMORY | AUTOTUNE_DISK))) {
        autotune__complain("autotune_clear(): where is %u: it is AUTOTUNE_MEMORY, AUTOTUNE_DISK, or both with |",
                           where);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (problem) { autotune__complain("autotune_clear(): %s", problem); return AUTOTUNE_ERR_ARGUMENT; }
    /* The disk comes first: else it would answer before it is cleared. */
    if (where & AUTOTUNE_DISK) status = autotune__clear_disk(name, key);
    if ((where & AUTOTUNE_MEMORY) && !autotune__clear_memory(name, key)) {
        autotune__complain("autotune_clear(): out of memory: not all of what was loaded is forgotten");
        status = AUTOTUNE_ERR_MEMORY;
    }
    return status;
}

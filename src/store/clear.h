/* autotune_clear(). */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "clear_disk.h"

static void autotune__clear_memory(const char *name, const autotune_key *key) {
    autotune__known_key *known_key;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next)
        if ((!name || autotune__has_name(known_key->tuner, name)) &&
            (!key || autotune__same_parts(&known_key->key, key)))
            autotune__forget_known(known_key);
    autotune__announce();
}
AUTOTUNE__API autotune_status autotune_clear(const char *name, const autotune_key *key, unsigned where) {
    const char *problem = key ? autotune__key_problem(key) : NULL;
    autotune_status status = AUTOTUNE_OK;
    autotune__to_clear clear = { name, key, NULL, NULL, false };
    autotune__ready();
    if (!where || (where & ~(unsigned)(AUTOTUNE_MEMORY | AUTOTUNE_DISK))) {
        autotune__complain("autotune_clear(): where is %u: it is AUTOTUNE_MEMORY, AUTOTUNE_DISK, or both with |",
                           where);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (problem) { autotune__complain("autotune_clear(): %s", problem); return AUTOTUNE_ERR_ARGUMENT; }
    /* Clears the disk first: else a record could answer before it is cleared. */
    if (where & AUTOTUNE_DISK) status = autotune__clear_lines(&clear);
    if (where & AUTOTUNE_MEMORY) {
        autotune__clear_memory(name, key);
        AUTOTUNE__WITH_CACHE;
        if (!autotune__kill_lines(&clear, false)) {
            autotune__append(&autotune__disk.complaints, "autotune_clear(): out of memory: some loaded records are not "
                             "forgotten\n");
            status = AUTOTUNE_ERR_MEMORY;
        }
        autotune__drop_lines(false);
    }
    return status;
}

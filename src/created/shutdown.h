/* autotune_shutdown() frees all that the library holds, except created tuners. The library is then as before the first
   statement. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "create.h"
#include "step.h"

static void autotune__reset_sites(autotune__site **newest) {
    for (; *newest; *newest = (*newest)->next_known) autotune__reset_site(*newest);
}
static __attribute__((__cold__)) void autotune__free_registry(void) {
    autotune__entry *entry;
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    autotune__reset_sites(&autotune__known_sites);
    autotune__reset_sites(&autotune__created_sites);
    while ((entry = autotune__made_entries) != NULL) {
        autotune__made_entries = entry->next_made;
        autotune__free(entry);
    }
    autotune__free_tuners();
    for (i = 0; i < AUTOTUNE__MAP_COUNT(autotune__descriptions); i++) autotune__free(autotune__descriptions[i].value);
    autotune__free_map(&autotune__descriptions);
    autotune__free_pins();
}
AUTOTUNE__API autotune_status autotune_shutdown(void) {
    const autotune__floor_hooks *floor;
    autotune__ready();
    if (autotune__current || autotune__racing || autotune__visits) {
        autotune__complain(
            "autotune_shutdown(): a statement, or autotune_each(), is in progress: call it when none is");
        return AUTOTUNE_ERR_ARGUMENT;
    }
    autotune__drop_all_for(NULL);
    autotune__end_probations();
    autotune__say_unused_pins();
    autotune__free_registry();
    autotune__raced_ns = 0;
    autotune__lock_mutex(&autotune__one_flush_at_a_time);
    autotune__free((void *)(uintptr_t)autotune__flush_memory);
    autotune__flush_memory = NULL;
    autotune__unlock_mutex(&autotune__one_flush_at_a_time);
    for (floor = autotune__floors; floor; floor = floor->entered_before) if (floor->shut_down) floor->shut_down();
    return AUTOTUNE_OK;
}

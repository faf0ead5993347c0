/* The inline cache of a call site: its table; and entries, which are published, retired and put back. Writers hold
   autotune__lock. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/process.h"
#include "hit.h"

/* An entry takes the bucket of a retired one, if that comes first, so that a key that is cleared and tuned again and
   again fills no table. A retired entry that is revived later, and is found nowhere, is published again. */
static void autotune__place(struct autotune__entries *table, autotune__entry *entry) {
    autotune__entry **const at = autotune__places(table);
    size_t i = (size_t)entry->hash & table->mask;
    while (at[i] && __atomic_load_n(&at[i]->shape, __ATOMIC_RELAXED)) i = (i + 1) & table->mask;
    if (!at[i]) table->used++;
    __atomic_store_n(&at[i], entry, __ATOMIC_RELEASE);
}
/* The table, or a larger one if another entry would fill it. NULL: no memory. */
static struct autotune__entries *autotune__roomy(struct autotune__entries *old) {
    const size_t buckets = old ? 2 * (old->mask + 1) : 16;
    struct autotune__entries *table;
    size_t i;
    if (old && 4 * (old->used + 1) <= old->mask + 1) return old;
    table = (struct autotune__entries *)autotune__allocate(sizeof *table + buckets * sizeof(autotune__entry *));
    if (!table) return NULL;
    table->mask = buckets - 1;
    table->older = old;
    for (i = 0; old && i <= old->mask; i++) {
        autotune__entry *entry = autotune__places(old)[i];
        if (entry && entry->shape) autotune__place(table, entry);
    }
    return table;
}
/* All entries, which autotune_shutdown() frees, and the sites that point to them. Sites of created tuners, which have
   no file, have a list of their own, from which they are removed with their tuner. To remove one, the list is walked;
   the sites of call sites are not in it, since their library may have been unloaded. */
static autotune__site *autotune__known_sites, *autotune__created_sites;
static autotune__entry *autotune__made_entries;
/* With the lock: adds an entry to the list of all. NULL in, NULL out. */
static autotune__entry *autotune__list_entry(autotune__entry *entry) {
    if (!entry) return NULL;
    entry->made_before = autotune__made_entries;
    return autotune__made_entries = entry;
}
/* The entry that these values belong to; NULL: autotune_shutdown() freed it while a hit's call was made. */
static autotune__entry *autotune__kept_entry(const uint64_t *value) {
    autotune__entry *entry;
    autotune__lock_mutex(&autotune__lock);
    for (entry = autotune__made_entries; entry && entry->value != value; entry = entry->made_before) {}
    autotune__unlock_mutex(&autotune__lock);
    return entry;
}
/* With the lock, before a site gets its first entry. */
static void autotune__list_site(autotune__site *site) {
    autotune__site **newest = site->file ? &autotune__known_sites : &autotune__created_sites;
    if (site->last != &AUTOTUNE__NO_ENTRY || site->stand_ins) return;
    site->known_before = *newest;
    *newest = site;
}
/* Publishes an entry at a site: as the last one, and in the table if there is memory for it. */
static void autotune__publish(autotune__site *site, autotune__entry *entry) {
    struct autotune__entries *table = autotune__roomy(site->table);
    autotune__list_site(site);
    if (table) {
        autotune__place(table, entry);
        __atomic_store_n(&site->table, table, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&site->last, entry, __ATOMIC_RELEASE);
}
static void autotune__free_tables(struct autotune__entries *table) {
    struct autotune__entries *older;
    for (; table; table = older) { older = table->older; autotune__free(table); }
}
/* Makes a site as it was before its first entry: in autotune_shutdown(), and where a created tuner ends. */
static void autotune__reset_site(autotune__site *site) {
    autotune__free_tables(site->table);
    autotune__free_tables(site->stand_ins);
    site->table = site->stand_ins = NULL;
    site->last = &AUTOTUNE__NO_ENTRY;
    site->reported = 0;
}

/* What statements with these options find an entry by, but for the key. */
static void autotune__be_found_by(autotune__entry *entry, const autotune_options *options) {
    entry->shape = autotune__shape_of(options);
    entry->backend = options->backend;
    entry->ranks = options->ranks;
    entry->hash = autotune__hash_of(options);
}
/* With the lock. Is the entry retired, and was it found by these options? */
static bool autotune__was_found_by(const autotune__entry *entry, const autotune_options *options) {
    return !__atomic_load_n(&entry->shape, __ATOMIC_RELAXED) && entry->backend == options->backend &&
           entry->ranks == options->ranks && entry->hash == autotune__hash_of(options);
}
/* Makes an entry, and its copies for other backends, match no statement any more. */
static void autotune__retire(autotune__entry *original) {
    autotune__entry *entry;
    for (entry = original; entry; entry = entry->copy) __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
}
/* With the lock. Words that are the same are not written: others than hits read the configuration without more ado. */
static void autotune__renew_result(autotune__entry *entry, const autotune_result *result) {
    const uint32_t edition = entry->edition;
    autotune__result_word *to = (autotune__result_word *)(void *)&entry->result;
    const autotune__result_word *from = (const autotune__result_word *)(const void *)result;
    size_t i;
    __atomic_store_n(&entry->edition, edition + 1, __ATOMIC_RELAXED);
    for (i = 0; i < sizeof *result / sizeof *to; i++)
        if (to[i] != from[i]) __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    __atomic_store_n(&entry->edition, edition + 2, __ATOMIC_RELEASE);
}
/* With the lock. A retired entry matches statements with these options again. */
static autotune__entry *autotune__put_entry_back(autotune__entry *entry, const autotune_options *options,
                                                 const autotune_result *result) {
    autotune__renew_result(entry, result);
    __atomic_store_n(&entry->shape, autotune__shape_of(options), __ATOMIC_RELEASE);
    return entry;
}
/* With the lock. A copy of an entry for another backend of the same family, which has not prepared the launch yet, or
   for a statement that has .name or .version where the other has not: a former one, of a winner that was put back, or a
   new one. NULL: no memory. */
static autotune__entry *autotune__entry_for(autotune__entry *original, const autotune_options *options) {
    autotune__entry *entry;
    for (entry = original->copy; entry; entry = entry->copy)
        if (autotune__was_found_by(entry, options) &&
            !__atomic_load_n(&entry->value[AUTOTUNE_MAX_AXES], __ATOMIC_RELAXED))
            return autotune__put_entry_back(entry, options, &original->result);
    if (!(entry = autotune__list_entry((autotune__entry *)autotune__allocate(sizeof *entry)))) return NULL;
    autotune__be_found_by(entry, options);
    entry->name = original->name;
    entry->version = original->version;
    memcpy(entry->word, original->word, sizeof entry->word);
    /* The last value is left out: another thread may be writing what its backend prepared. */
    memcpy(entry->value, original->value, AUTOTUNE_MAX_AXES * sizeof *entry->value);
    entry->record = original->record;
    entry->original = original;
    entry->copy = original->copy;
    original->copy = entry;
    entry->forced = original->forced;
    entry->result = original->result;
    return entry;
}

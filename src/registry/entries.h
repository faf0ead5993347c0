/* The inline cache of a call site, its table, and its entries: publishing, retiring and reviving them. Writers hold
   autotune__lock. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "hit.h"
#include "tuners.h"

/* A created tuner whose key has an ANCHOR asks its filters in each call. With AUTOTUNE_CHECKS each created tuner with
   filters does so. Returns the mark of such a tuner's winners; 0: the site has no such tuner. Hits do not find a winner
   with this mark. So hits of other tuners need no check for filters. */
static uint64_t autotune__mark_of_filters(const autotune__site *site, const autotune_options *options) {
    const char *text AUTOTUNE__UNUSED = options->key.text ? options->key.text : "";
    return !site->file && site->line && AUTOTUNE__HIT_ASKS_WHERE(text) ? (uint64_t)64 << 16 : 0;
}
/* Finds the entry of a winner or of a guess for a statement. NULL: the site has neither. Hits find the entry, or the
   mark of probation or of filters hides it from hits. */
static const uint64_t *autotune__find_winner(const autotune__site *site, const autotune_options *options) {
    const uint64_t *slot = autotune__find_by_options(site, options), asks = autotune__mark_of_filters(site, options);
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    const autotune__entry *entry = slot ? NULL : autotune__find_marked(table, options, autotune__on_probation | asks);
    if (asks && !slot && !entry) entry = autotune__find_marked(table, options, asks);
    return entry ? entry->value : slot;
}

static bool autotune__is_guess(const autotune__entry *entry) { return entry->result.verdict == AUTOTUNE_GUESSED; }
/* Puts an entry into the first bucket that is free or has a retired entry. So a key that is tuned again and again does
   not fill the table. If the replaced entry is revived later, and is not found in the table, it is published again. */
static void autotune__put_into_table(struct autotune__entries *table, autotune__entry *entry) {
    autotune__entry **const at = autotune__buckets(table);
    size_t i = (size_t)entry->hash & table->mask;
    while (at[i] && __atomic_load_n(&at[i]->shape, __ATOMIC_RELAXED)) i = (i + 1) & table->mask;
    if (!at[i]) table->used++;
    __atomic_store_n(&at[i], entry, __ATOMIC_RELEASE);
}
/* Returns the table if at most a quarter of it is full with one more entry. Else returns a larger table with all
   entries that are not retired. NULL: no memory. */
static struct autotune__entries *autotune__table_with_room(struct autotune__entries *old) {
    const size_t buckets = old ? 2 * (old->mask + 1) : 16;
    struct autotune__entries *table;
    size_t i;
    if (old && 4 * (old->used + 1) <= old->mask + 1) return old;
    table = (struct autotune__entries *)autotune__allocate(sizeof *table + buckets * sizeof(autotune__entry *));
    if (!table) return NULL;
    table->mask = buckets - 1;
    table->older = old;
    for (i = 0; old && i <= old->mask; i++) {
        autotune__entry *entry = autotune__buckets(old)[i];
        if (entry && entry->shape) autotune__put_into_table(table, entry);
    }
    return table;
}
/* All entries, which autotune_shutdown() frees, and all sites that point to entries. The sites of created tuners have
   no file, and are in the list autotune__created_sites. To remove a site from this list, autotune_destroy() reads other
   sites of the list. So call sites are in another list: if a library was unloaded, its call sites cannot be read. */
static autotune__site *autotune__known_sites, *autotune__created_sites;
static autotune__entry *autotune__made_entries;
/* Returns the entry to which the pointer `value` belongs. NULL: autotune_shutdown() freed the entry during the call of
   a hit. */
static autotune__entry *autotune__kept_entry(const uint64_t *value) {
    autotune__entry *entry;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (entry = autotune__made_entries; entry && entry->value != value; entry = entry->next_made) {}
    return entry;
}
/* With the lock: lists a site before it gets its first entry. */
static void autotune__list_site(autotune__site *site) {
    autotune__site **newest = site->file ? &autotune__known_sites : &autotune__created_sites;
    if (site->last != &AUTOTUNE__NO_ENTRY || site->stand_ins) return;
    site->next_known = *newest;
    *newest = site;
}
/* With the lock: adds an entry to a table of a site. Returns false if there is no memory. */
static bool autotune__put_entry(autotune__site *site, struct autotune__entries **table, autotune__entry *entry) {
    struct autotune__entries *with_room = autotune__table_with_room(*table);
    if (!with_room) return false;
    autotune__list_site(site);
    autotune__put_into_table(with_room, entry);
    __atomic_store_n(table, with_room, __ATOMIC_RELEASE);
    return true;
}
/* Publishes an entry at a site: as the last entry, and in the table if there is memory. */
static void autotune__publish(autotune__site *site, autotune__entry *entry) {
    if (!autotune__put_entry(site, &site->table, entry)) autotune__list_site(site);
    __atomic_store_n(&site->last, entry, __ATOMIC_RELEASE);
}
static void autotune__free_tables(struct autotune__entries *table) {
    struct autotune__entries *older;
    for (; table; table = older) { older = table->older; autotune__free(table); }
}
/* Resets a site to its state before the first entry, in autotune_shutdown() or when a created tuner ends. */
static void autotune__reset_site(autotune__site *site) {
    autotune__free_tables(site->table);
    autotune__free_tables(site->stand_ins);
    site->table = site->stand_ins = NULL;
    site->last = &AUTOTUNE__NO_ENTRY;
    site->reported = 0;
}

/* A new entry is retired until it is published. It is retired again when its winner is forgotten. A retired entry
   matches no statement. It stays in memory until autotune_shutdown(), since a thread may still be in a call with it. A
   hit does not note that it uses an entry, since it would have to write to memory that threads share. When the same
   configuration wins again, its entry is revived. A thread that still reads this entry sees only the result change. So
   a key that is tuned again and again has few entries. */
/* With the lock: retires all entries of a key that have this mark; 0: the entries of the winner, and guesses. If the
   entry that an online race has in use is retired, the race ends, unless autotune__put_in_use() sets another entry. */
static void autotune__retire(autotune__known_key *known_key, uint64_t mark) {
    autotune__entry *entry;
    for (entry = known_key->entries; entry; entry = entry->next_of_key)
        if (autotune__mark_of(entry) == mark) __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
    if (known_key->in_use && !known_key->in_use->shape) __atomic_store_n(&known_key->in_use, NULL, __ATOMIC_RELEASE);
}
/* With the lock: writes a new result. Hits compare the edition, but other readers do not. So words that stay the same
   are not written. */
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
/* With the lock: statements with these options find the entry from now on, at this site and at the sites that have the
   entry. mark: see autotune__mark_of(). */
static void autotune__revive(autotune__entry *entry, autotune__site *site, const autotune_options *options,
                             uint64_t mark, const autotune_result *result) {
    if (!mark && entry->known_key->probation.open) mark = autotune__on_probation;
    if (!(mark & ~autotune__on_probation)) mark |= autotune__mark_of_filters(site, options);
    autotune__renew_result(entry, result);
    __atomic_store_n(&entry->shape, autotune__shape_of(options) | mark, __ATOMIC_RELEASE);
    if (mark ? !autotune__find_marked(site->table, options, mark) : !autotune__find_by_options(site, options))
        autotune__publish(site, entry);
}
/* With the lock: finds or makes a retired entry of the key for these options. values: the winner's values of the axes.
   prepared: the result of the backend's prepare(); 0: none yet. Returns NULL if there is no memory. */
static autotune__entry *autotune__retired_entry(autotune__known_key *known_key, const autotune_options *options,
                                                const uint64_t *values, uint64_t prepared, bool forced) {
    const size_t bytes = AUTOTUNE_MAX_AXES * sizeof *values;
    const autotune__scope scope = AUTOTUNE__SCOPE_OF(*options);
    const uint64_t hash = autotune__hash_named(&options->key, options->name, options->version);
    autotune__entry *entry;
    for (entry = known_key->entries; entry; entry = entry->next_of_key)
        if (!__atomic_load_n(&entry->shape, __ATOMIC_RELAXED) && autotune__is_same_scope(entry->scope, scope) &&
            entry->hash == hash && entry->forced == forced &&
            !memcmp(entry->value, values, bytes) &&
            __atomic_load_n(&entry->value[AUTOTUNE_MAX_AXES], __ATOMIC_RELAXED) == prepared)
            return entry;
    if (!(entry = (autotune__entry *)autotune__allocate(sizeof *entry))) return NULL;
    entry->scope = scope;
    entry->hash = hash;
    memcpy(entry->word, known_key->key.word, sizeof entry->word);
    entry->name = known_key->tuner->name;
    entry->version = known_key->tuner->version;
    memcpy(entry->value, values, bytes);
    entry->value[AUTOTUNE_MAX_AXES] = prepared;
    entry->forced = forced;
    entry->known_key = known_key;
    entry->next_of_key = known_key->entries;
    entry->next_made = autotune__made_entries;
    return autotune__made_entries = known_key->entries = entry;
}
/* With the lock: copies an entry for another site or other options. The options may lack .name or .version, or have
   them. They may name another backend of the same family, so the launch is not prepared. Returns NULL if there is no
   memory. */
static autotune__entry *autotune__entry_like(const autotune__entry *entry, autotune__site *site,
                                             const autotune_options *options) {
    autotune__entry *other = autotune__retired_entry(entry->known_key, options, entry->value, 0, entry->forced);
    if (other) autotune__revive(other, site, options, autotune__mark_of(entry), &entry->result);
    return other;
}

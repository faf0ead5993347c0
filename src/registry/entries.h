/* The inline cache of a call site: its entries. Readers take no lock; writers hold autotune__lock. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../space/key.h"

#ifndef AUTOTUNE_STATIC
autotune__entry AUTOTUNE__NO_ENTRY;
#endif

/* A hash table of pointers to entries, with open addressing: mask + 1 pointers follow this head. It is at most a
   quarter full, so that the first place nearly always has the entry. It grows by a copy. Older tables stay for readers
   that still search them; together they are no larger than the newest. */
struct autotune__entries { size_t mask, used; struct autotune__entries *older; };
static autotune__entry **autotune__places(const struct autotune__entries *table) {
    return (autotune__entry **)(void *)((struct autotune__entries *)(uintptr_t)table + 1);
}

static bool autotune__same_key(const autotune__entry *entry, const autotune_key *key) {
    uint32_t i;
    for (i = 0; i < autotune__parts(key); i++)
        if (!autotune__same_word(autotune__part_type(key->types, i), entry->word[i], key->word[i])) return false;
    return true;
}
/* The hash of an entry: of the key, and of .name and .version where the statement has them; else these are NULL. */
static uint64_t autotune__hash_named(const autotune_key *key, const char *name, const char *version) {
    uint64_t hash = autotune__hash(key);
    if (name) hash = autotune__hash_word(hash, autotune__hash_string(name));
    return version ? autotune__hash_word(hash, autotune__hash_string(version)) : hash;
}
static bool autotune__is_of(const autotune__entry *entry, const autotune_key *key, const autotune_backend *backend,
                            const char *name, const char *version) {
    return __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) == autotune__shape(key->count, key->types, name, version) &&
           entry->backend == backend && autotune__same_key(entry, key) && (!name || !strcmp(entry->name, name)) &&
           (!version || !strcmp(entry->version, version));
}
static __attribute__((__noinline__)) const uint64_t *autotune__find_texts(const struct autotune__entries *table,
                                                                          const autotune_key *key,
                                                                          const autotune_backend *backend,
                                                                          const char *name, const char *version) {
    size_t i;
    for (i = (size_t)autotune__hash_named(key, name, version) & table->mask;; i = (i + 1) & table->mask) {
        const autotune__entry *entry = __atomic_load_n(&autotune__places(table)[i], __ATOMIC_ACQUIRE);
        if (!entry) return NULL;
        if (autotune__is_of(entry, key, backend, name, version)) return entry->value;
    }
}
/* As autotune__find_texts(), for keys without strings. The search ends, since the table always has a free place. */
static inline const uint64_t *autotune__find_numbers(const struct autotune__entries *table,
                                                     const autotune_backend *backend, uint64_t shape,
                                                     const uint64_t *word, uint32_t parts) {
    uint64_t hash = parts;
    uint32_t i;
    size_t at;
    for (i = 0; i < parts; i++) hash = autotune__hash_word(hash, word[i]);
    for (at = (size_t)hash & table->mask;; at = (at + 1) & table->mask) {
        const autotune__entry *entry = __atomic_load_n(&autotune__places(table)[at], __ATOMIC_ACQUIRE);
        uint64_t different;
        if (!entry) return NULL;
        different = __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) ^ shape;
        for (i = 0; i < parts; i++) different |= entry->word[i] ^ word[i];
        if (AUTOTUNE__LIKELY(different == 0) && entry->backend == backend) return entry->value;
    }
}
/* Finds the entry of a key when autotune__hit() did not: on the hot path where a call site has several keys. */
AUTOTUNE__API const uint64_t *autotune__find(const autotune__site *site, const autotune_key *key,
                                             const autotune_backend *backend) {
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    if (!table) return NULL;
    if (autotune__has_string(key->types)) return autotune__find_texts(table, key, backend, NULL, NULL);
    return autotune__find_numbers(table, backend, autotune__shape(key->count, key->types, NULL, NULL), key->word,
                                  autotune__parts(key));
}
AUTOTUNE__API const uint64_t *autotune__find_named(const autotune__site *site, const autotune_key *key,
                                                   const autotune_backend *backend, const char *name,
                                                   const char *version) {
    const autotune__entry *last = __atomic_load_n(&site->last, __ATOMIC_ACQUIRE);
    const struct autotune__entries *table;
    if (autotune__is_of(last, key, backend, name, version)) return last->value;
    table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    return table ? autotune__find_texts(table, key, backend, name, version) : NULL;
}
/* Finds the entry for the options of a statement, whether they have .name and .version or not. */
static const uint64_t *autotune__find_said(const autotune__site *site, const autotune_options *said) {
    return said->name || said->version
               ? autotune__find_named(site, &said->key, said->backend, said->name, said->version)
               : autotune__find(site, &said->key, said->backend);
}
static uint64_t autotune__shape_said(const autotune_options *said) {
    return autotune__shape(said->key.count, said->key.types, said->name, said->version);
}
AUTOTUNE__API const uint64_t *autotune__find_few(const autotune__site *site, const autotune_backend *backend,
                                                 uint64_t shape, uint64_t first, uint64_t second, uint64_t third) {
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    const autotune_key key = { (uint32_t)shape - 1,
                               (uint32_t)(shape >> 32),
                               { first, second, third, 0, 0, 0, 0, 0 },
                               NULL };
    if (!table) return NULL;
    if (autotune__has_string(key.types)) return autotune__find_texts(table, &key, backend, NULL, NULL);
    return autotune__find_numbers(table, backend, shape, key.word, key.count);
}
static void autotune__place(struct autotune__entries *table, autotune__entry *entry) {
    size_t i = (size_t)entry->hash & table->mask;
    while (autotune__places(table)[i]) i = (i + 1) & table->mask;
    __atomic_store_n(&autotune__places(table)[i], entry, __ATOMIC_RELEASE);
    table->used++;
}
static struct autotune__entries *autotune__larger(const struct autotune__entries *old) {
    const size_t places = old ? 2 * (old->mask + 1) : 16;
    struct autotune__entries *table = (struct autotune__entries *)autotune__allocate(
        sizeof *table + places * sizeof(autotune__entry *));
    size_t i;
    if (!table) return NULL;
    table->mask = places - 1;
    table->older = (struct autotune__entries *)(uintptr_t)old;
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
/* With the lock. NULL in, NULL out. */
static autotune__entry *autotune__list_entry(autotune__entry *entry) {
    if (!entry) return NULL;
    entry->made_before = autotune__made_entries;
    return autotune__made_entries = entry;
}
static void autotune__reset_site(autotune__site *site) {
    struct autotune__entries *table, *older;
    for (table = site->table; table; table = older) { older = table->older; autotune__free(table); }
    site->table = NULL;
    site->last = &AUTOTUNE__NO_ENTRY;
    site->said = 0;
}
/* Publishes an entry at a site: as the last one, and in the table if there is memory for it. */
static void autotune__publish(autotune__site *site, autotune__entry *entry) {
    struct autotune__entries *table = site->table;
    if (site->last == &AUTOTUNE__NO_ENTRY) {
        autotune__site **newest = site->file ? &autotune__known_sites : &autotune__created_sites;
        site->known_before = *newest;
        *newest = site;
    }
    if (!table || 4 * (table->used + 1) > table->mask + 1) table = autotune__larger(table);
    if (table) {
        autotune__place(table, entry);
        __atomic_store_n(&site->table, table, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&site->last, entry, __ATOMIC_RELEASE);
}
/* Makes an entry, and its copies for other backends, match no statement any more. */
static void autotune__retire(autotune__entry *original) {
    autotune__entry *entry;
    for (entry = original; entry; entry = entry->copy) __atomic_store_n(&entry->shape, 0, __ATOMIC_RELAXED);
}
/* With the lock. A copy of an entry for another backend of the same family, which has not prepared the launch yet, or
   for a statement that has .name or .version where the other has not. NULL: no memory. */
static autotune__entry *autotune__entry_for(autotune__entry *original, const autotune_options *said) {
    autotune__entry *entry = (autotune__entry *)autotune__allocate(sizeof *entry);
    if (!entry) return NULL;
    entry->shape = autotune__shape_said(said);
    entry->backend = said->backend;
    entry->name = original->name;
    entry->version = original->version;
    memcpy(entry->word, original->word, sizeof entry->word);
    /* The last value is left out: another thread may be writing what its backend prepared. */
    memcpy(entry->value, original->value, AUTOTUNE_MAX_AXES * sizeof *entry->value);
    entry->hash = autotune__hash_named(&said->key, said->name, said->version);
    entry->record = original->record;
    entry->original = original;
    entry->copy = original->copy;
    original->copy = entry;
    entry->forced = original->forced;
    entry->result = original->result;
    return entry;
}

static autotune__entry *autotune__entry_of(const uint64_t *slot) {
    return (autotune__entry *)(void *)((char *)(uintptr_t)slot - offsetof(autotune__entry, value));
}
AUTOTUNE__API void autotune__answer_hit(const uint64_t *slot, autotune_result *result) {
    const autotune__entry *entry = autotune__entry_of(slot);
    memcpy(result, &entry->result,
           offsetof(autotune_result, config.values) + entry->result.config.count * sizeof(uint64_t));
}

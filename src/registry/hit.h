/* The part of the implementation that a hit runs without a lock. It finds the entry of a key, and copies its result.
   Other rooms are compiled for small size (AUTOTUNE__COLD_CODE). If a hit calls a function of another room, this
   function is always inlined. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"

#ifndef AUTOTUNE_STATIC
autotune__entry AUTOTUNE__NO_ENTRY;
#endif

/* A hash table of pointers to entries, with open addressing: mask + 1 pointers follow this head. At most a quarter of
   it is full, so that the first bucket nearly always has the entry. If there is no room, a larger copy replaces the
   table. The older tables stay for readers that still search them; together they are no larger than the newest. */
struct autotune__entries { size_t mask, used; struct autotune__entries *older; };
static autotune__entry **autotune__buckets(const struct autotune__entries *table) {
    return (autotune__entry **)(void *)((struct autotune__entries *)(uintptr_t)table + 1);
}
/* The head of a loop over the entries that may have the hash, up to a free bucket. A table always has a free bucket. */
#define AUTOTUNE__EACH_ENTRY(entry, at, table, hash)                                          \
    for (at = (size_t)(hash) & (table)->mask;                                                 \
         ((entry) = __atomic_load_n(&autotune__buckets(table)[at], __ATOMIC_ACQUIRE)) != NULL; \
         at = (at + 1) & (table)->mask)

/* Hashes a key of up to three numbers; missing numbers are 0. The factors are odd, and no product depends on another
   product. The fold makes the low bits of the sum depend on all bits of the numbers. */
static inline uint64_t autotune__hash_numbers(uint64_t first, uint64_t second, uint64_t third) {
    const uint64_t sum = first * 0x9E3779B97F4A7C15u + second * 0xBF58476D1CE4E5B9u + third * 0x94D049BB133111EBu;
    return sum ^ sum >> 32;
}
static uint64_t autotune__hash(const autotune_key *key) {
    const uint32_t count = key->count;
    uint64_t hash = count;
    uint32_t i;
    if (count <= 3 && !autotune__has_string(key->types))
        return autotune__hash_numbers(count > 0 ? key->word[0] : 0, count > 1 ? key->word[1] : 0,
                                      count > 2 ? key->word[2] : 0);
    for (i = 0; i < autotune__parts(key); i++)
        hash = autotune__hash_word(hash, autotune__part_type(key->types, i) == AUTOTUNE_STRING
                                             ? autotune__hash_in_line(autotune__as_string(key->word[i]))
                                             : key->word[i]);
    return hash;
}
/* Returns the hash of an entry: of its key, and of .name and .version unless they are NULL. */
static uint64_t autotune__hash_named(const autotune_key *key, const char *name, const char *version) {
    uint64_t hash = autotune__hash(key);
    if (name) hash = autotune__hash_word(hash, autotune__hash_in_line(name));
    return version ? autotune__hash_word(hash, autotune__hash_in_line(version)) : hash;
}
static inline bool autotune__is_same_scope(autotune__scope one, autotune__scope other) {
    return one.backend == other.backend && one.ranks == other.ranks;
}
/* Returns true if the entry has this key. The cost of a hit is this comparison, so there are three kinds of it.
   autotune__hit() and autotune__is_of_few() compare words in registers. autotune__find() compares words in memory. This
   function compares strings, .name, .version and .ranks, too. A statement with .ranks finds only an entry of these
   ranks. With other ranks the statement may have another winner, or no winner. A wrong hit of this rank would then let
   the other ranks wait. */
static inline bool autotune__is_of(const autotune__entry *entry, uint64_t shape, const autotune_key *key,
                                   autotune__scope scope, const char *name, const char *version) {
    uint32_t i;
    if (__atomic_load_n(&entry->shape, __ATOMIC_RELAXED) != shape || !autotune__is_same_scope(entry->scope, scope))
        return false;
    for (i = 0; i < key->count; i++)            /* at most eight, since the shapes are equal */
        if (!autotune__same_word(autotune__part_type(key->types, i), entry->word[i], key->word[i])) return false;
    return (!name || !strcmp(entry->name, name)) && (!version || !strcmp(entry->version, version));
}
static inline autotune__entry *autotune__find_in(const struct autotune__entries *table, uint64_t shape,
                                                 const autotune_key *key, autotune__scope scope, const char *name,
                                                 const char *version) {
    autotune__entry *entry;
    size_t at;
    if (!table) return NULL;
    AUTOTUNE__EACH_ENTRY(entry, at, table, autotune__hash_named(key, name, version))
        if (autotune__is_of(entry, shape, key, scope, name, version)) return entry;
    return NULL;
}
/* Finds the entry of a key with strings, or of a statement with .name, .version or .ranks. autotune__hit() compares
   none of these. */
AUTOTUNE__API const uint64_t *autotune__find_any(const autotune__site *site, const autotune_key *key,
                                                 autotune__scope scope, const char *name, const char *version) {
    const uint64_t shape = autotune__shape(key->count, key->types, name, version);
    const autotune__entry *entry = __atomic_load_n(&site->last, __ATOMIC_ACQUIRE);
    if (autotune__is_of(entry, shape, key, scope, name, version)) return entry->value;
    entry = autotune__find_in(__atomic_load_n(&site->table, __ATOMIC_ACQUIRE), shape, key, scope, name, version);
    return entry ? entry->value : NULL;
}
static const uint64_t *autotune__find_by_options(const autotune__site *site, const autotune_options *options) {
    return autotune__find_any(site, &options->key, AUTOTUNE__SCOPE_OF(*options), options->name, options->version);
}
static autotune__entry *autotune__entry_of(const uint64_t *slot) {
    return (autotune__entry *)(void *)((char *)(uintptr_t)slot - offsetof(autotune__entry, value));
}
/* Finds the entry of a key of more than three numbers that is not the last entry. A call site with several keys runs
   this on the hot path. */
AUTOTUNE__API const uint64_t *autotune__find(const autotune__site *site, const autotune_key *key,
                                             const autotune_backend *backend) {
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    const uint64_t shape = autotune__shape(key->count, key->types, NULL, NULL);
    const uint32_t parts = autotune__parts(key);
    const autotune__entry *entry;
    uint32_t i;
    size_t at;
    if (!table) return NULL;
    AUTOTUNE__EACH_ENTRY(entry, at, table, autotune__hash(key)) {
        uint64_t different = __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) ^ shape;
        for (i = 0; i < parts; i++) different |= entry->word[i] ^ key->word[i];
        if (AUTOTUNE__LIKELY(different == 0) && entry->scope.backend == backend) return entry->value;
    }
    return NULL;
}
/* autotune__find_two() and autotune__find_three() do the work of autotune__find() for keys of up to two numbers, and of
   three numbers. Words that the key lacks are 0, as in an entry, so that all keys are compared without a branch. The
   first bucket is compared without a loop: for a loop, compilers would save registers on the stack. */
static inline bool autotune__is_of_few(const autotune__entry *entry, const autotune_backend *backend, uint64_t shape,
                                       uint64_t first, uint64_t second, uint64_t third) {
    return ((__atomic_load_n(&entry->shape, __ATOMIC_RELAXED) ^ shape) | (entry->word[0] ^ first) |
            (entry->word[1] ^ second) | (entry->word[2] ^ third) |
            (AUTOTUNE__ADDRESS(entry->scope.backend) ^ AUTOTUNE__ADDRESS(backend))) == 0;
}
static __attribute__((__noinline__)) const uint64_t *autotune__find_in_buckets(const struct autotune__entries *table,
                                                                           const autotune_backend *backend,
                                                                           uint64_t shape, uint64_t first,
                                                                           uint64_t second, uint64_t third) {
    const autotune__entry *entry;
    size_t at;
    if (!table) return NULL;
    AUTOTUNE__EACH_ENTRY(entry, at, table, autotune__hash_numbers(first, second, third))
        if (autotune__is_of_few(entry, backend, shape, first, second, third)) return entry->value;
    return NULL;
}
static inline const uint64_t *autotune__find_numbered(const autotune__site *site, const autotune_backend *backend,
                                                      uint64_t shape, uint64_t first, uint64_t second, uint64_t third) {
    const struct autotune__entries *table = __atomic_load_n(&site->table, __ATOMIC_ACQUIRE);
    const autotune__entry *entry;
    size_t at;
    if (AUTOTUNE__LIKELY(table != NULL)) {
        at = (size_t)autotune__hash_numbers(first, second, third) & table->mask;
        entry = __atomic_load_n(&autotune__buckets(table)[at], __ATOMIC_ACQUIRE);
        if (AUTOTUNE__LIKELY(entry && autotune__is_of_few(entry, backend, shape, first, second, third)))
            return entry->value;
    }
    return autotune__find_in_buckets(table, backend, shape, first, second, third);
}
AUTOTUNE__API const uint64_t *autotune__find_two(const autotune__site *site, const autotune_backend *backend,
                                                 uint64_t shape, uint64_t first, uint64_t second) {
    return autotune__find_numbered(site, backend, shape, first, second, 0);
}
AUTOTUNE__API const uint64_t *autotune__find_three(const autotune__site *site, const autotune_backend *backend,
                                                   uint64_t shape, uint64_t first, uint64_t second, uint64_t third) {
    return autotune__find_numbered(site, backend, shape, first, second, third);
}
/* A mark is a bit of an entry's shape that hides the entry from hits. An entry with the mark of mode OFF, CACHED or
   REQUIRE, for instance, is a stand-in for this mode. The entry with the mark of mode ONLINE is the configuration that
   the online race of a key has in use. */
static uint64_t autotune__mark_of_mode(autotune_mode mode) {        /* a program may pass a number that is no mode */
    return (unsigned)mode < 16 ? (uint64_t)64 << (unsigned)mode : (uint64_t)1 << 63;
}
/* A winner has this mark during its probation: see probation.h. */
static const uint64_t autotune__on_probation = (uint64_t)64 << 15;
/* Returns the mark of a mode. 0: the entry is of a winner or a guess, or is retired. The marks of probation and of
   filters do not count. */
static uint64_t autotune__mark_of(const autotune__entry *entry) {
    return __atomic_load_n(&entry->shape, __ATOMIC_RELAXED) & (uint64_t)0x7FFF << 6;
}
static uint64_t autotune__shape_of(const autotune_options *options) {
    return autotune__shape(options->key.count, options->key.types, options->name, options->version);
}
static autotune__entry *autotune__find_marked(const struct autotune__entries *table, const autotune_options *options,
                                              uint64_t mark) {
    return autotune__find_in(table, autotune__shape_of(options) | mark, &options->key, AUTOTUNE__SCOPE_OF(*options),
                             options->name, options->version);
}
/* A hit copies the result of its entry without a lock. Meanwhile another thread may write times of another race into
   the result. The edition shows such a change, and then the copy is not used. So memcpy() may read bytes that are being
   written: memcpy() is several times as fast as atomic reads of words. ThreadSanitizer would report this memcpy(), and
   does not understand the fence. So under ThreadSanitizer the words are read atomically. */
#ifdef __SANITIZE_THREAD__
#define AUTOTUNE__THREAD_SANITIZER
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define AUTOTUNE__THREAD_SANITIZER
#endif
#endif
typedef uintptr_t autotune__result_word __attribute__((__may_alias__));
static inline void autotune__copy_what_changes(void *to, const void *from, size_t bytes) {
#ifdef AUTOTUNE__THREAD_SANITIZER
    autotune__result_word *words = (autotune__result_word *)to;
    size_t i;
    for (i = 0; i < bytes / sizeof *words; i++)
        words[i] = __atomic_load_n(&((const autotune__result_word *)from)[i], __ATOMIC_ACQUIRE);
#else
    memcpy(to, from, bytes);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}
/* Copies with the lock, because another thread changed the result meanwhile. This is rare: the winner was found again,
   or its probation ended. */
static __attribute__((__cold__, __noinline__)) void autotune__copy_result_locked(const autotune__entry *entry,
                                                                                 autotune_result *result,
                                                                                 size_t bytes) {
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    memcpy(result, &entry->result, bytes);
}
static inline void autotune__copy_result(const autotune__entry *entry, autotune_result *result, size_t bytes) {
    const uint32_t edition = __atomic_load_n(&entry->edition, __ATOMIC_ACQUIRE);
    autotune__copy_what_changes(result, &entry->result, bytes);
    if (AUTOTUNE__LIKELY(!(edition & 1) && edition == __atomic_load_n(&entry->edition, __ATOMIC_RELAXED))) return;
    autotune__copy_result_locked(entry, result, bytes);
}
AUTOTUNE__API void autotune__answer_hit(const uint64_t *slot, autotune_result *result) {
    const autotune__entry *entry = autotune__entry_of(slot);
    autotune__copy_result(entry, result,
                          offsetof(autotune_result, config.values) + entry->result.config.count * sizeof(uint64_t));
}
/* Returns true if .watch chooses this call, which would be a hit. Then the call is no hit, so that a race can measure
   the call. Each thread counts its own hits: a shared counter costs many times as much if several threads call at once.
   Multiples of the golden ratio choose one hit in `watch`. They choose evenly from any cycle of keys and call sites. */
static __thread uint32_t autotune__hits_watched;
AUTOTUNE__API bool autotune__is_watched(unsigned watch) {
    const uint32_t place = ++autotune__hits_watched * 0x9E3779B9u;
    return (uint64_t)place * watch >> 32 == 0;
}

/* opened.c - contains the implementation, for every test program without its own implementation: see opened.h. */
#include "opened.h"
#include <stdlib.h>
#include <unistd.h>

struct allocator allocator = {0, -1, 0, false};

static bool fails_now(void) {
    if (allocator.random) {
        allocator.random = allocator.random * 6364136223846793005u + 1442695040888963407u;
        return (allocator.random >> 33) % 5 == 0;
    }
    return allocator.until_failure >= 0 && allocator.until_failure-- == 0;
}
static void *allocate_or_fail(void *old, size_t bytes) {
    if (fails_now()) return allocator.failed = true, NULL;
    void *block = realloc(old, bytes);
    if (block && !old) __atomic_add_fetch(&allocator.living, 1, __ATOMIC_RELAXED);
    return block;
}
static void release(void *block) {
    if (block) __atomic_sub_fetch(&allocator.living, 1, __ATOMIC_RELAXED);
    free(block);
}

long configured_cache_bytes;
#ifdef _SC_LEVEL3_CACHE_SIZE
static long configured(int name) {
    return name == _SC_LEVEL3_CACHE_SIZE && configured_cache_bytes ? configured_cache_bytes : sysconf(name);
}
#define sysconf(name) configured(name)
#endif

#define AUTOTUNE_REALLOC(old, bytes) allocate_or_fail(old, bytes)
#define AUTOTUNE_FREE(block)         release(block)
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

uint64_t hash_of_key(const autotune_key *key) { return autotune__hash(key); }
uint64_t hash_of_string(const char *text) { return autotune__hash_string(text); }
#ifndef AUTOTUNE_WITHOUT_GUESSES
uint64_t id_of_rule(const char *tuner) { return autotune__id_of_rule(autotune__hash_more(0, tuner, strlen(tuner))); }
#endif
void end_race_of_trial(void) { autotune__current->turn.race->stage = AUTOTUNE__OVER; }
void swap_trial(void) { autotune__current->trial.request.index++; }
void write_misses(void) { autotune__write_misses(); }
void make_misses_due(void) { autotune__miss_file.due = 1; }

/* No cache on disk: what a program without jsmn, or with AUTOTUNE_NO_CACHE, has in the place of the store. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../race/race.h"
#include "../online/online.h"
#include "../online/handover.h"
#include "../registry/misses.h"
#include "session.h"

static void autotune__identify_on_disk(autotune__store *store, const char *exact_key) { (void)store; (void)exact_key; }
static bool autotune__recall_winner(autotune__store *store) { (void)store; return false; }
static bool autotune__recall_as_it_is(autotune__store *store) { (void)store; return false; }
static AUTOTUNE__UNUSED void autotune__note_kernel(autotune__store *store, bool candidate, const char *name,
                                                   uint64_t source, const char *compiler) {
    (void)store; (void)candidate; (void)name; (void)source; (void)compiler;
}
static bool autotune__is_set_aside(autotune__store *store, const autotune__race *race, size_t index) {
    (void)store; (void)race; (void)index;
    return false;
}
static void autotune__seed_from_disk(autotune__store *store, double within, autotune__shortlist *seeds) {
    (void)store; (void)within; (void)seeds;
}
static autotune__key_turn autotune__try_key(autotune__store *store, uint64_t longest_wait, autotune__text *why) {
    (void)store; (void)longest_wait; (void)why;
    return AUTOTUNE__OURS;
}
static void autotune__enter_race(autotune__store *store) { (void)store; }
static void autotune__close_race(autotune__store *store, const autotune__race *race) { (void)store; (void)race; }
static void autotune__end_store(autotune__store *store) { (void)store; }
static void autotune__remember(autotune__store *store, const autotune__race *race, const autotune_result *result,
                               size_t launches) {
    (void)store; (void)race; (void)result; (void)launches;
}
static void autotune__checkpoint(autotune__store *store, const autotune__race *race, const autotune__online *online,
                                 double seconds, size_t launches, double interval) {
    (void)store; (void)race; (void)online; (void)seconds; (void)launches; (void)interval;
}
static bool autotune__recall_handover(const autotune__store *store, autotune__handover *handed) {
    (void)store;
    memset(handed, 0, sizeof *handed);
    return false;
}
static autotune__suspicion autotune__suspicion_of(const autotune__store *store, size_t index) {
    (void)store; (void)index;
    return AUTOTUNE__UNSUSPECTED;
}
static void autotune__blame(autotune__store *store, size_t index, const char *fault) {
    (void)store; (void)index; (void)fault;
}
static void autotune__acquit(autotune__store *store, size_t index) { (void)store; (void)index; }
static void autotune__withdraw(autotune__store *store) { (void)store; }
static void autotune__blame_parts(autotune__store *store) { (void)store; }
static void autotune__acquit_parts(autotune__store *store) { (void)store; }
static bool autotune__ended_in_parts(const autotune__store *store) { (void)store; return false; }
static void autotune__enter_call(autotune__store *store, const autotune__candidate *candidate) {
    (void)store; (void)candidate;
}
static void autotune__leave_call(autotune__store *store, size_t index, const char *fault) {
    (void)store; (void)index; (void)fault;
}
static autotune__miss *autotune__miss_of(const autotune__store *store) { (void)store; return NULL; }
static bool autotune__was_missed(const autotune__store *store) { (void)store; return false; }
static double autotune__worth_of_miss(uint64_t id) { (void)id; return 0; }
static void autotune__write_misses_when_due(void) {}
static void autotune__hold_store(void) {}
static void autotune__release_store(void) {}
static void autotune__disown(autotune__store *store) { (void)store; }
static bool autotune__forget_loaded(const char *name, const autotune_key *key) {
    (void)name; (void)key;
    return true;
}
static void autotune__free_cache(void) {}

static autotune_status autotune__no_cache(void) {
    autotune__ready();
    autotune__complain(
        "this program was compiled without the cache on disk: jsmn.h was not found, or AUTOTUNE_NO_CACHE is defined");
    return AUTOTUNE_ERR_ENVIRONMENT;
}
AUTOTUNE__API autotune_status autotune_save(const char *path) { (void)path; return autotune__no_cache(); }
AUTOTUNE__API autotune_status autotune_load(const char *path) { (void)path; return autotune__no_cache(); }
AUTOTUNE__API autotune_status autotune_load_any_device(const char *path) { (void)path; return autotune__no_cache(); }
AUTOTUNE__API autotune_status autotune_load_text(const char *jsonl, size_t bytes) {
    (void)jsonl; (void)bytes;
    return autotune__no_cache();
}
AUTOTUNE__API autotune_status autotune_load_text_any_device(const char *jsonl, size_t bytes) {
    (void)jsonl; (void)bytes;
    return autotune__no_cache();
}
static autotune_status autotune__clear_disk(const char *name, const autotune_key *key) {
    (void)name; (void)key;
    return autotune__no_cache();
}

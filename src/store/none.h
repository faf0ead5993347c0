/* No cache on disk: what a program without jsmn, or with AUTOTUNE_NO_CACHE, has in the place of the store. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../race/race.h"
#include "../registry/recalled.h"
#include "../registry/work.h"

typedef enum autotune__key_turn {
    AUTOTUNE__OURS,
    AUTOTUNE__OTHERS,
    AUTOTUNE__ANSWERED,
    AUTOTUNE__GIVEN_UP
} autotune__key_turn;
static void autotune__identify_on_disk(autotune__work *work, const char *exact_key) { (void)work; (void)exact_key; }
static bool autotune__recall_winner(autotune__work *work) { (void)work; return false; }
static AUTOTUNE__UNUSED void autotune__note_kernel(autotune__work *work, const char *name, uint64_t source,
                                                   const char *compiler) {
    (void)work; (void)name; (void)source; (void)compiler;
}
static void autotune__recall_former(autotune__work *work) { (void)work; }
static void autotune__forget_former(autotune__work *work) { (void)work; }
static void autotune__seed_from_records(autotune__work *work, double within, autotune__shortlist *seeds) {
    (void)work; (void)within; (void)seeds;
}
static bool autotune__is_set_aside(autotune__work *work, size_t index) { (void)work; (void)index; return false; }
static bool autotune__seed_from_former(const autotune__work *work, autotune__shortlist *seeds) {
    (void)work;
    (void)seeds;
    return false;
}
static autotune__key_turn autotune__try_key(autotune__work *work, uint64_t longest_wait) {
    (void)work; (void)longest_wait;
    return AUTOTUNE__OURS;
}
static void autotune__unlock_key(autotune__work *work) { (void)work; }
static void autotune__remember(autotune__work *work) { (void)work; }
static void autotune__write_checkpoint(autotune__work *work, uint64_t now) { (void)work; (void)now; }
static void autotune__checkpoint(autotune__work *work, uint64_t now) { (void)work; (void)now; }
static autotune__suspicion autotune__suspicion_of(const autotune__work *work, size_t index) {
    (void)work; (void)index;
    return AUTOTUNE__UNSUSPECTED;
}
static void autotune__open_journal(autotune__work *work) { (void)work; }
static void autotune__postpone_suspects(autotune__work *work) { (void)work; }
static void autotune__blame(autotune__work *work, const char *fault) { (void)work; (void)fault; }
static void autotune__acquit(autotune__work *work) { (void)work; }
static void autotune__withdraw(autotune__work *work) { (void)work; }
static void autotune__disown(autotune__work *work) { (void)work; }
static void autotune__leave_locks_to_parent(void) {}
static void autotune__enter_cache(void) {}
static void autotune__leave_cache(void) {}
static void autotune__keep_line(autotune__work *work, autotune__text *line) { (void)work; (void)line; }
static void autotune__log_recalled(autotune__work *work, size_t index) { (void)work; (void)index; }
static void autotune__free_recall(autotune__work *work) { (void)work; }
static void autotune__forget_loaded(const char *name, const autotune_key *key) { (void)name; (void)key; }
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
    (void)jsonl;
    (void)bytes;
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

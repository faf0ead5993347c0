/* The cache on disk: its folder, the state of its file, and of the lines from this file and from autotune_load(). Also
   the lock that guards this state, and the sentences about the cache.

   The file is read once, when the first winner is looked for; lines that other processes append meanwhile are read
   before a race. An error of the file is said once, and tuning goes on without the file. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "line_head.h"

enum { AUTOTUNE__NEAR_KEY_BYTES = 120 };
typedef struct autotune__line {                 /* one record */
    autotune__head head;
    char key[AUTOTUNE__NEAR_KEY_BYTES];         /* its key as it is written; one that is longer is near to none */
    size_t key_length;                          /* 0: it is not here */
    double first;                               /* see autotune__find_near_lines(); 0: that is not known */
    const char *text;                           /* of a line that was loaded; NULL: it is read from the file when it
                                                   is needed */
    size_t length, offset;                      /* without its line feed; where it stands in the file */
    size_t number;                              /* of the line in the file */
    size_t source;                              /* 0: the file on disk; else the number of the load */
    size_t older;                               /* the next line in the chain, + 1; 0: there is none */
    bool dead;                                  /* a later record of the same source stands for it */
    bool damaged;                               /* its checksum was looked at, and is wrong: it does not count */
} autotune__line;
enum { AUTOTUNE__CHAINS = 1024 };               /* a power of two */

static struct autotune__disk {
    autotune__line *lines;
    size_t newest[AUTOTUNE__CHAINS];            /* the newest line of each chain, + 1; 0: the chain is empty */
    size_t sources;                             /* loads so far */
    char *folder, *file, *lock_file, *notes;                        /* NULL, all of them: they are not known yet */
    /* what was read of the file */
    bool read;                                  /* the file was looked for, at least once */
    autotune__file_id id;
    size_t bytes, dead_bytes, line_count;
    bool too_large;                             /* it has more than is read */
    uint64_t end;                               /* a hash of the last bytes: a file that was rewritten may have the
                                                   number of an older one */
    /* the lock file, which is open as long as the process lives: to close it drops its locks */
    int lock;
    autotune__file_id lock_id;
    uint64_t *held;                             /* the locks of keys that this process has */
    uint64_t waits_since;                       /* for the lock for writing; 0: it was to be had the last time */
    /* what is said */
    bool said_unusable, said_unsound, said_unwritable, said_no_lock, said_no_notes, said_old_rule, said_untrusted;
    int said_full;                              /* 1: that tables went; 2: that records went */
    autotune__text say;                         /* lines that are said once the lock is released */
    autotune__text tell;                        /* and one that is told at level WINNER */
} autotune__disk;

static void autotune__enter_cache(void) { autotune__lock_mutex(&autotune__cache_lock); }
/* The sentences for the log are said after the lock was released, for a log function may tune. */
static void autotune__leave_cache(void) {
    const autotune__text none = { NULL, false };
    autotune__text say = autotune__disk.say, tell AUTOTUNE__FREED = autotune__disk.tell;
    autotune__disk.say = autotune__disk.tell = none;
    autotune__unlock_mutex(&autotune__cache_lock);
    if (say.at) autotune__complain_of_all(&say);
    if (tell.at) autotune__say(AUTOTUNE_LOG_WINNER, tell.at);
}
/* Has the lock until the block ends. */
#define AUTOTUNE__WITH_CACHE \
    const bool autotune__entered AUTOTUNE__UNUSED __attribute__((__cleanup__(autotune__end_with_cache))) = \
        (autotune__enter_cache(), true)
AUTOTUNE__INLINE void autotune__end_with_cache(const bool *entered AUTOTUNE__UNUSED) { autotune__leave_cache(); }

static void autotune__say_once(bool *said, const char *path, const char *why, const char *instead) {
    if (!*said) autotune__append(&autotune__disk.say, "%s: %s: %s\n", path, why, instead);
    *said = true;
}
static void autotune__say_unusable(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_unusable, path, why,
                       "tuning goes on without the cache on disk; AUTOTUNE_CACHE_DIR names another folder, "
                       "AUTOTUNE_CACHE=off silences this");
}
static void autotune__say_unnoted(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_no_notes, path, why,
                       "a configuration that ends this program will not be known to the next run; "
                       "AUTOTUNE_CACHE=readonly silences this");
}
static void autotune__say_unwritable(const char *path, const char *why) {
    if (autotune__disk.said_unusable) return;
    autotune__say_once(&autotune__disk.said_unwritable, path, why,
                       "results of this run are not kept on disk, as nothing can be written there; AUTOTUNE_CACHE_DIR "
                       "names another folder, AUTOTUNE_CACHE=readonly silences this");
}

/* A path that the environment names, which the working directory does not change any more. NULL: no memory. */
static char *autotune__absolute_path(const char *named) {
    char here[4096];
    return autotune__is_absolute(named) ? autotune__copy_string(named)
                                        : autotune__joined(autotune__current_folder(here, sizeof here), named);
}
static char *autotune__cache_folder(const char **why) {             /* the caller frees it; NULL: why says it */
    const char *named = autotune__variable("AUTOTUNE_CACHE_DIR");
    char path[4096];
    const bool own = named && *named;
    if (!own && (*why = autotune__find_user_cache(path, sizeof path)) != NULL) return NULL;
    *why = "out of memory";
    return own ? autotune__absolute_path(named) : autotune__copy_string(path);
}
static void autotune__forget_paths(void) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__free(cache->folder);
    autotune__free(cache->file);
    autotune__free(cache->lock_file);
    autotune__free(cache->notes);
    cache->folder = cache->file = cache->lock_file = cache->notes = NULL;
}
/* Finds the paths of the cache. Its folder is made when something is written. Returns false if there is no cache; the
   log has the reason. */
static bool autotune__find_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    if (cache->file) return true;
    cache->lock = -1;
    if ((cache->folder = autotune__cache_folder(&why)) != NULL) {
        cache->file = autotune__joined(cache->folder, "results.jsonl");
        cache->lock_file = autotune__joined(cache->folder, "lock");
        cache->notes = autotune__joined(cache->folder, "notes");
        if (cache->file && cache->lock_file && cache->notes) return true;
        why = "out of memory";
    }
    autotune__say_unusable("the cache on disk", why);
    autotune__forget_paths();                   /* there may be memory later */
    return false;
}

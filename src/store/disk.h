/* The cache on disk: its folder, the state of its file, and the lines of this file and of autotune_load(). Also the
   lock that guards this state, and the messages about the cache.

   The file is read once, when a winner is first looked for. Before each race, new lines of other processes are read. An
   error of the file is logged once, and tuning goes on without the file. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "line_head.h"

enum { AUTOTUNE__NEAR_KEY_BYTES = 120 };
typedef struct autotune__line {                 /* one record */
    autotune__head head;
    char key[AUTOTUNE__NEAR_KEY_BYTES];         /* the key as JSON, if it fits; a longer key is near to no key */
    size_t key_length;                          /* 0: `key` does not hold the key */
    double first;                               /* value of the key's first part; 0: not read yet, or a string:
                                                   see autotune__find_near_lines() */
    const char *text;                           /* the text of a loaded line; NULL: the line is in the file on disk, and
                                                   is read when it is needed */
    size_t length, offset;                      /* length without line feed; position in the file */
    size_t number;                              /* the line's number in the file or in the loaded text, from 1 */
    size_t source;                              /* 0: the file on disk; else the number of the load */
    size_t older;                               /* 1 + the index in `lines` of the next older line of the chain; 0:
                                                   none */
    bool dead;                                  /* a later record replaces it, or autotune_clear() removed it */
    bool damaged;                               /* its checksum is wrong: the line does not count */
} autotune__line;
enum { AUTOTUNE__CHAINS = 1024 };               /* a power of two */

static struct autotune__disk {
    autotune__line *lines;
    size_t newest[AUTOTUNE__CHAINS];            /* 1 + the index in `lines` of the newest line of each chain; 0: the
                                                   chain is empty */
    size_t sources;                             /* how many texts were loaded so far */
    char *folder, *file, *lock_file, *notes;    /* paths; notes: the folder of the launch notes. NULL: not known yet */
    /* The file as it was read: */
    bool read;                                  /* the file was looked for at least once */
    autotune__file_id id;                       /* identity of the file that was read */
    size_t bytes, dead_bytes, line_count;       /* what was read so far: bytes, bytes of dead lines, lines */
    bool too_large;                             /* the file is larger than the part that is read */
    uint64_t end_hash;                          /* a hash of the last bytes that were read, since a new file may get
                                                   the inode number of the old file */
    /* The lock file. It stays open until autotune_shutdown() or the end of the process, since closing it drops its
       locks. */
    int lock;
    autotune__file_id lock_id;
    size_t *held;                               /* the bytes that this process has locked for keys and images */
    uint64_t waits_since;                       /* when the wait for the lock for writing began; 0: no wait */
    /* Messages: */
    bool said_unusable, said_unsound, said_unwritable, said_no_lock, said_no_notes, said_old_rule, said_untrusted;
    int said_full;                              /* 1: the log said that tables were left out; 2: that records were
                                                   removed */
    autotune__text complaints;                  /* lines for the log, which gets them after the lock is released */
    autotune__text remark;                      /* a line for the log at level WINNER */
} autotune__disk;

/* Releases the lock, then logs the messages: a log function of the user may run a statement that needs the lock. */
static void autotune__unlock_cache(void) {
    const autotune__text none = { NULL, false };
    autotune__text complaints = autotune__disk.complaints, remark AUTOTUNE__FREED = autotune__disk.remark;
    autotune__disk.complaints = autotune__disk.remark = none;
    autotune__unlock_mutex(&autotune__cache_lock);
    if (complaints.at) autotune__complain_of_all(&complaints);
    if (remark.at) autotune__say(AUTOTUNE_LOG_WINNER, remark.at);
}
/* Holds the lock until the block ends. */
#define AUTOTUNE__WITH_CACHE \
    const bool autotune__entered AUTOTUNE__UNUSED __attribute__((__cleanup__(autotune__end_with_cache))) = \
        (autotune__lock_mutex(&autotune__cache_lock), true)
AUTOTUNE__INLINE void autotune__end_with_cache(const bool *entered AUTOTUNE__UNUSED) { autotune__unlock_cache(); }

static void autotune__say_once(bool *said, const char *path, const char *why, const char *instead) {
    if (!*said) autotune__append(&autotune__disk.complaints, "%s: %s: %s\n", path, why, instead);
    *said = true;
}
static void autotune__say_unusable(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_unusable, path, why,
                       "tuning goes on without the cache on disk; AUTOTUNE_CACHE_DIR names another folder, "
                       "AUTOTUNE_CACHE=off silences this");
}
static void autotune__say_no_notes(const char *path, const char *why) {
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

/* Makes a path absolute, so that a new working directory does not change its meaning. NULL: no memory. */
static char *autotune__absolute_path(const char *named) {
    char here[4096];
    return autotune__is_absolute(named) ? autotune__copy_string(named)
                                        : autotune__joined(autotune__current_folder(here, sizeof here), named);
}
static char *autotune__cache_folder(const char **why) {             /* the caller frees it; NULL: see *why */
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
/* Finds the paths of the cache. The folder is created when something is first written. Returns false if there is no
   cache: the log says why. */
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
    autotune__forget_paths();                   /* memory may be free later */
    return false;
}

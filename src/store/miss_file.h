/* Misses: how often calls found no winner of a key and raced nothing: in mode CACHED or REQUIRE, after
   AUTOTUNE_MAX_RUN_SECONDS, or with a guess. The file is misses.jsonl in the folder of the
   cache, or the file that AUTOTUNE_MISSES names. `autotune misses` prints it. Mode MISSED tunes only the keys in it.

   A process appends the misses that it has counted since the last time. `autotune misses` adds up the lines of a key.
   Nothing is appended to a file that is full, or that is no file of misses. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "write_line.h"
#include "disk.h"
#include "append_lines.h"
#include "file.h"

/* BYTES: a file of this size, some 2000 lines, is full.
   MOST: a process counts the misses of at most so many keys. */
enum { AUTOTUNE__MISSES_BYTES = 1 << 20, AUTOTUNE__MOST_MISSES = 4096 };
/* So many bytes of the file are read. A process may add some 3 MiB at a time to a file that is nearly full. */
enum { AUTOTUNE__MISSES_READ = AUTOTUNE__MISSES_BYTES + (4 << 20) };
/* A missed key. It lives until autotune_shutdown(). */
typedef struct autotune__miss {
    size_t calls;                               /* calls of the key that missed; atomic */
    /* The lock of the cache guards the other members. */
    size_t written, taken;                      /* how many calls are in the file; how many are in the file after
                                                   the writing that goes on now */
    autotune__text words;                       /* the line of the file without its counts */
    struct autotune__miss *older;               /* the key that was missed before */
} autotune__miss;
/* The lock of the cache guards this struct. A fork waits for this lock, which is held while the file is written. */
static struct autotune__miss_file {
    autotune__miss *misses;                     /* misses of this process, the newest first */
    size_t count;
    char *path;                                 /* NULL: not known yet, AUTOTUNE_MISSES is off, or no memory */
    char *folder;                               /* the folder of the cache; NULL: AUTOTUNE_MISSES names the file */
    uint64_t began, due;                        /* times of autotune__wait_clock(): the first miss; the next writing */
    bool said;                                  /* the log has a message about this file */
} autotune__miss_file;

/* Returns false if there is no file. The caller holds the lock. */
static bool autotune__find_miss_file(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const char *named = autotune__variable("AUTOTUNE_MISSES"), *why;
    if (file->path) return true;
    if (named && *named) file->path = strcmp(named, "off") ? autotune__absolute_path(named) : NULL;
    else if (file->folder || (file->folder = autotune__cache_folder(&why)) != NULL)
        file->path = autotune__joined(file->folder, "misses.jsonl");
    return file->path != NULL;
}

/* ---- Counting ---- */

/* Returns NULL if there is no memory, or if there are too many keys. The caller holds the lock. */
static autotune__miss *autotune__new_miss(const autotune__store *store) {
    struct autotune__miss_file *file = &autotune__miss_file;
    autotune__miss *miss = file->count >= AUTOTUNE__MOST_MISSES
                               ? NULL : (autotune__miss *)autotune__allocate(sizeof *miss);
    if (!miss) return NULL;
    autotune__append_head(&miss->words, "missed", store, false);
    autotune__append_build(&miss->words, store);
    if (miss->words.broken) {
        autotune__free_text(&miss->words);
        autotune__free(miss);
        return NULL;
    }
    miss->older = file->misses;
    file->count++;
    return file->misses = miss;
}

/* ---- Writing ---- */

/* Makes lines of the misses since the last writing, with the present date. The caller holds the lock. */
static void autotune__take_misses(autotune__text *lines) {
    autotune__miss *miss;
    for (miss = autotune__miss_file.misses; miss; miss = miss->older) {
        const char *const words = miss->words.at, *const date = strstr(words, "\"date\":\"") + strlen("\"date\":\"");
        const size_t start = autotune__count(lines->at);
        miss->taken = __atomic_load_n(&miss->calls, __ATOMIC_RELAXED);
        if (miss->taken == miss->written) continue;
        autotune__append_piece(lines, words, (size_t)(date - words));
        autotune__append_date(lines, autotune__calendar_seconds());
        autotune__append_text(lines, date + AUTOTUNE__DATE_BYTES);
        autotune__append(lines, ",\"calls\":%lu,\"runs\":%d", (unsigned long)(miss->taken - miss->written),
                         !miss->written);
        autotune__append_crc(lines, start);
    }
}
/* Writes the misses that were counted since the last writing. If writing fails, a later call tries again. */
static void autotune__write_misses(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const int error_number = errno;
    autotune__text lines = { NULL, false };
    const char *why = "out of memory";
    autotune__miss *miss;
    bool written;
    autotune__lock_mutex(&autotune__cache_lock);
    autotune__take_misses(&lines);
    written = !lines.broken && (!lines.at || autotune__append_to(file->path, file->folder, "missed",
                                                                 AUTOTUNE__MISSES_BYTES, &lines, &why));
    for (miss = file->misses; written && miss; miss = miss->older) miss->written = miss->taken;
    if (!written && (!file->folder || autotune__is_not_regular(file->path)))     /* a file that the user can mend */
        autotune__say_once(&file->said, file->path, why,
                           "misses are not written; AUTOTUNE_MISSES names another file, "
                           "AUTOTUNE_MISSES=off silences this");
    autotune__unlock_cache();
    autotune__free_text(&lines);
    errno = error_number;                       /* a hit on a stand-in leaves errno as it is */
}
/* Writes the last misses when the program ends. The wait for the lock has a limit, since a signal handler may have
   called exit() while its thread held the lock. */
static void autotune__write_last_misses(void) {
    if (!autotune__lock_within(&autotune__cache_lock, 1000)) return;
    autotune__unlock_mutex(&autotune__cache_lock);
    autotune__write_misses();
}
/* Called when the calls of a key reach a power of two. Writes misses if two seconds have passed since the first miss,
   and again if the time since the first miss has grown by half. So a process writes some 30 times in three days. */
static void autotune__write_misses_when_due(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const uint64_t now = autotune__wait_clock();
    bool due;
    autotune__lock_mutex(&autotune__cache_lock);
    due = file->due && now >= file->due;
    if (due) file->due = now + (now - file->began) / 2;
    autotune__unlock_cache();
    if (due) autotune__write_misses();
}
/* ---- Which misses are counted ---- */

/* Returns true if this statement's misses go to a file. The caller holds the lock. */
static bool autotune__keeps_misses(const autotune__store *store) {
    struct autotune__miss_file *file = &autotune__miss_file;
    static bool watched;
    if (!autotune__find_miss_file() || (file->folder && store->policy != AUTOTUNE_CACHE_ON)) return false;
    if (!watched) watched = atexit(autotune__write_last_misses) == 0;
    if (!file->due) {
        file->began = autotune__wait_clock();
        file->due = file->began + 2000000000u;
    }
    return true;
}
/* Returns the counter of a key's misses. NULL: none. */
static autotune__miss *autotune__miss_of(autotune__known_key *known_key, const autotune__store *store) {
    autotune__miss *miss = __atomic_load_n(&known_key->miss, __ATOMIC_ACQUIRE);
    if (miss || !store || store->subject->follows) return miss;
    AUTOTUNE__WITH_CACHE;
    miss = known_key->miss;                     /* another thread may have set it */
    if (!miss && autotune__keeps_misses(store) && (miss = autotune__new_miss(store)) != NULL)
        __atomic_store_n(&known_key->miss, miss, __ATOMIC_RELEASE);
    return miss;
}
/* Counts a call of the key, and now and then writes what was counted. store: the store of the calling statement; NULL:
   a stand-in answers the call without a statement. */
static void autotune__count_miss(autotune__known_key *known_key, const autotune__store *store) {
    autotune__miss *miss = autotune__miss_of(known_key, store);
    const size_t calls = miss ? __atomic_add_fetch(&miss->calls, 1, __ATOMIC_RELAXED) : 0;
    if (miss && !(calls & (calls - 1))) autotune__write_misses_when_due();
}
/* Called by autotune_shutdown(): writes the misses, and frees all. */
static void autotune__free_miss_file(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    autotune__miss *miss;
    autotune__write_misses();
    AUTOTUNE__WITH_CACHE;
    while ((miss = file->misses) != NULL) {
        file->misses = miss->older;
        autotune__free_text(&miss->words);
        autotune__free(miss);
    }
    autotune__free(file->path);
    autotune__free(file->folder);
    memset(file, 0, sizeof *file);
}

/* Misses: how often keys were missed in mode CACHED or REQUIRE. The file misses.jsonl in the folder of the cache, or
   what AUTOTUNE_MISSES names, has what production runs missed, for `autotune misses`, and for mode MISSED, in which
   only that is tuned.

   A process appends what it counted since the last time; `autotune misses` adds up the lines of a key. To a file that
   has no room left, or is of something else, nothing is appended. */
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

/* A file of so many bytes, some 2000 lines, gets no more. */
enum { AUTOTUNE__MISSES_BYTES = 1 << 20, AUTOTUNE__MOST_MISSES = 4096 };
/* So many bytes are read of it: what one process writes at a time has some 3 MiB at most. */
enum { AUTOTUNE__MISSES_READ = AUTOTUNE__MISSES_BYTES + (4 << 20) };
/* A key that was missed. It lives until autotune_shutdown(). */
typedef struct autotune__miss {
    size_t calls;                               /* atomic */
    /* the lock of the cache guards what follows */
    size_t written, taken;                      /* how many of the calls are written; and will be, if that works */
    autotune__text words;                       /* a line of the file, but for the counts */
    struct autotune__miss *older;
} autotune__miss;
/* The lock of the cache guards it, and is held while the file is written: a fork waits for that. */
static struct autotune__miss_file {
    autotune__miss *misses;                     /* of this process, the newest first */
    size_t count;
    char *path;                                 /* NULL: it is not known yet, or AUTOTUNE_MISSES is off */
    char *folder;                               /* which is made with the file; NULL: AUTOTUNE_MISSES names the file */
    uint64_t began, due;                        /* by the clock for waiting: the first miss; when they are written */
    bool said;                                  /* that it cannot be written, or that it has nothing */
} autotune__miss_file;

/* With the lock. Returns false if there is no file. */
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

/* With the lock. NULL: no memory, or there are too many. */
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

/* With the lock: lines for what was counted since the last time, with the date of today. */
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
/* Writes the misses that were counted since the last time. Misses that cannot be written are tried again later. */
static void autotune__write_misses(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const int error_number = errno;
    autotune__text lines = { NULL, false };
    const char *why = "out of memory";
    autotune__miss *miss;
    bool written;
    autotune__enter_cache();
    autotune__take_misses(&lines);
    written = !lines.broken && (!lines.at || autotune__append_to(file->path, file->folder, "missed",
                                                                 AUTOTUNE__MISSES_BYTES, &lines, &why));
    for (miss = file->misses; written && miss; miss = miss->older) miss->written = miss->taken;
    if (!written && (!file->folder || autotune__is_no_file(file->path)))     /* a user who named the file wants it */
        autotune__say_once(&file->said, file->path, why,
                           "what is missed is not written; AUTOTUNE_MISSES names another file, or is off");
    autotune__leave_cache();
    autotune__free_text(&lines);
    errno = error_number;                       /* a call that a stand-in answers is the program's own */
}
/* The program ends. A handler of a signal may have called exit() while its thread had a lock. */
static void autotune__write_last_misses(void) {
    if (!autotune__lock_within(&autotune__cache_lock, 1000)) return;
    autotune__unlock_mutex(&autotune__cache_lock);
    autotune__write_misses();
}
/* Misses are written two seconds after the first, and then each time when half as many seconds have passed again. The
   time is looked at when the calls of a key reach a power of two. So in three days a process writes 29 times at
   most. */
static void autotune__write_misses_when_due(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const uint64_t now = autotune__wait_clock();
    bool due;
    autotune__enter_cache();
    due = file->due && now >= file->due;
    if (due) file->due = now + (now - file->began) / 2;
    autotune__leave_cache();
    if (due) autotune__write_misses();
}
/* ---- Which misses are counted ---- */

/* With the lock. */
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
/* Returns the counter of the misses of a key. NULL: there is none. */
static autotune__miss *autotune__miss_of(autotune__known_key *known_key, const autotune__store *store) {
    autotune__miss *miss = __atomic_load_n(&known_key->miss, __ATOMIC_ACQUIRE);
    if (miss || !store || store->subject->follows) return miss;
    AUTOTUNE__WITH_CACHE;
    miss = known_key->miss;                     /* another thread may have been first */
    if (!miss && autotune__keeps_misses(store) && (miss = autotune__new_miss(store)) != NULL)
        __atomic_store_n(&known_key->miss, miss, __ATOMIC_RELEASE);
    return miss;
}
/* Counts a call of the key, and looks now and then whether what was counted is to be written. store: of the statement
   that makes the call; NULL: it is answered by what stands in for a winner, since such a statement. */
static void autotune__count_miss(autotune__known_key *known_key, const autotune__store *store) {
    autotune__miss *miss = autotune__miss_of(known_key, store);
    const size_t calls = miss ? __atomic_add_fetch(&miss->calls, 1, __ATOMIC_RELAXED) : 0;
    if (miss && !(calls & (calls - 1))) autotune__write_misses_when_due();
}
/* autotune_shutdown(): what was counted is written, and all is freed. */
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

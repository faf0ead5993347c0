/* The file of misses is written: misses.jsonl in the folder of the cache, or what AUTOTUNE_MISSES names. It has what
   production runs missed, for `autotune misses`, and for mode MISSED, in which only that is tuned.

   A process adds what it counted since the last time, and replaces the file. It is locked as the first byte of itself,
   since it may be on another file system than the cache. */
#pragma once
#include <errno.h>
#include <stdlib.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "write_files.h"
#include "folder.h"
#include "miss_lines.h"

/* How large the file may become: some 2000 keys. */
enum { AUTOTUNE__MISSES_BYTES = 1 << 20 };
/* autotune__misses_lock guards it, and is held while the file is written: a fork waits for that. */
static struct autotune__miss_file {
    char *path;                                 /* NULL: it is not known yet, or AUTOTUNE_MISSES is off */
    char *folder;                               /* which is made with the file; NULL: AUTOTUNE_MISSES names the file */
    uint64_t began, due;                        /* by the clock for waiting: the first miss; when they are written */
    bool said;                                  /* that it cannot be written, or that it has nothing */
    /* what mode MISSED read of it */
    bool read;
    const char *unreadable;                     /* why it cannot be read; NULL: it was, or there is none */
    char *text;
    autotune__miss_line *listed;
} autotune__miss_file;

/* With the lock of the misses. False: there is no file. */
static bool autotune__find_miss_file(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const char *named = autotune__variable("AUTOTUNE_MISSES"), *why;
    if (file->path) return true;
    if (named && *named) file->path = strcmp(named, "off") ? autotune__absolute_path(named) : NULL;
    else if (file->folder || (file->folder = autotune__cache_folder(&why)) != NULL)
        file->path = autotune__joined(file->folder, "misses.jsonl");
    return file->path != NULL;
}

/* ---- Writing ---- */

static const char autotune__misses_are_locked[] = "another process keeps it locked";
/* Opens and locks the file, without waiting; -1: why says it. */
static int autotune__open_misses(const char **why) {
    const char *path = autotune__miss_file.path;
    const int file = autotune__create_ours(path, AUTOTUNE__READ | AUTOTUNE__WRITE, autotune__miss_file.folder, why);
    autotune__file_facts own, there;
    autotune__locked locked;
    if (file < 0) return -1;
    locked = autotune__lock_at(file, 0);
    if (locked == AUTOTUNE__HELD && autotune__facts_of_file(file, &own) &&
        (!autotune__facts_of_name(path, &there) || !autotune__is_same_id(own.id, there.id)))
        locked = AUTOTUNE__BUSY;                /* another process has replaced it */
    if (locked != AUTOTUNE__BUSY) return file;
    autotune__close_file(file);
    *why = autotune__misses_are_locked;
    return -1;
}
/* Replaces the file by its lines and these, added up: one line for each key, tuner, build and device. What is worth
   least is left out above AUTOTUNE__MISSES_BYTES. A file of something else is left alone. */
static bool autotune__add_to_misses(int file, const autotune__text *lines, const char **why) {
    size_t got = 0, i;
    char *all = autotune__read_whole(file, &got, why);
    autotune__text text = { NULL, false }, out = { NULL, false };
    autotune__miss_line *misses;
    bool written = false;
    if (!all) return false;
    for (i = 0; i < got; i++) if (!all[i]) all[i] = '\x18';      /* zeros of a damaged file end none of its lines */
    autotune__append(&text, "%.*s%s%s", (int)got, all, got && all[got - 1] != '\n' ? "\n" : "", lines->at);
    misses = text.broken ? NULL : autotune__read_misses(text.at, autotune__count(text.at));
    *why = "out of memory";
    if (got && !strstr(all, "{\"missed\":")) *why = "is no file of misses";
    else if (misses) {
        qsort(misses, autotune__count(misses), sizeof *misses, autotune__order_by_worth);
        for (i = 0; i < autotune__count(misses) && autotune__count(out.at) < AUTOTUNE__MISSES_BYTES; i++)
            autotune__append_miss(&out, misses[i].words, misses[i].length, &misses[i].counts, false);
        written = !out.broken && autotune__replace_file(autotune__miss_file.path, out.at, autotune__count(out.at), 0,
                                                        false, why);
    }
    AUTOTUNE__FREE_ARRAY(misses);
    autotune__free_text(&text);
    autotune__free_text(&out);
    autotune__free(all);
    return written;
}
static bool autotune__write_miss_lines(const autotune__text *lines, uint64_t patience_ns, const char **why) {
    const uint64_t began = autotune__wait_clock();
    bool written;
    int file;
    while ((file = autotune__open_misses(why)) < 0) {
        if (*why != autotune__misses_are_locked || autotune__wait_clock() - began >= patience_ns) return false;
        autotune__sleep_ns(1000000);
    }
    written = autotune__add_to_misses(file, lines, why);
    autotune__close_file(file);
    return written;
}

/* With the lock: lines for what was counted since the last time. */
static void autotune__take_misses(autotune__text *lines) {
    autotune__miss *miss;
    for (miss = autotune__misses; miss; miss = miss->older) {
        autotune__miss_counts more = { 0, miss->written ? 0.0 : 1.0, miss->first_seconds };
        miss->taken = __atomic_load_n(&miss->calls, __ATOMIC_RELAXED);
        more.calls = (double)(miss->taken - miss->written);
        if (more.calls > 0) autotune__append_miss(lines, miss->words.at, autotune__count(miss->words.at), &more, true);
    }
}
/* Writes what was counted since the last time. What cannot be written is tried again the next time. Without patience
   nothing is said of another process that writes just now. */
static void autotune__write_misses(uint64_t patience_ns) {
    const int cancellation = autotune__hold_cancellation(), error_number = errno;
    autotune__text lines = { NULL, false };
    const char *why = "out of memory";
    autotune__miss *miss;
    bool written, say;
    autotune__lock_mutex(&autotune__misses_lock);
    autotune__take_misses(&lines);
    written = !lines.broken && (!lines.at || autotune__write_miss_lines(&lines, patience_ns, &why));
    for (miss = autotune__misses; written && miss; miss = miss->older) miss->written = miss->taken;
    say = !written && !autotune__miss_file.said && (patience_ns || why != autotune__misses_are_locked);
    autotune__miss_file.said = autotune__miss_file.said || say;
    autotune__unlock_mutex(&autotune__misses_lock);
    autotune__free_text(&lines);
    if (say) {                                  /* a user who named the file wants it */
        autotune__append(&lines, "%s: %s: what is missed is not written; AUTOTUNE_MISSES names another file, or is off",
                         autotune__miss_file.path, why);
        autotune__say(autotune__miss_file.folder ? AUTOTUNE_LOG_WINNER : AUTOTUNE_LOG_ERRORS, autotune__string(&lines));
        autotune__free_text(&lines);
    }
    errno = error_number;                       /* a call that a stand-in answers is the program's own */
    autotune__set_cancellation(cancellation);
}
/* The program ends. A handler of a signal may have called exit() while its thread had a lock. */
static void autotune__write_last_misses(void) {
    if (!autotune__lock_within(&autotune__misses_lock, 1000)) return;
    autotune__unlock_mutex(&autotune__misses_lock);
    autotune__write_misses(2000000000u);
}
/* Misses are written two seconds after the first, and then each time when half as many have passed again, as soon as
   the calls of a key reach a power of two: so in three days a process writes 29 times at most. */
static void autotune__write_misses_when_due(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const uint64_t now = autotune__wait_clock();
    bool due;
    autotune__lock_mutex(&autotune__misses_lock);
    due = file->due && now >= file->due;
    if (due) file->due = now + (now - file->began) / 2;
    autotune__unlock_mutex(&autotune__misses_lock);
    if (due) autotune__write_misses(0);
}

/* ---- Which misses are counted ---- */

static bool autotune__keeps_misses(const autotune__store *store) {
    struct autotune__miss_file *file = &autotune__miss_file;
    static bool watched;
    bool keeps;
    autotune__lock_mutex(&autotune__misses_lock);
    keeps = autotune__find_miss_file() && (!file->folder || store->policy == AUTOTUNE_CACHE_ON);
    if (keeps && !watched) watched = atexit(autotune__write_last_misses) == 0;
    if (keeps && !file->due) {
        file->began = autotune__wait_clock();
        file->due = file->began + 2000000000u;
    }
    autotune__unlock_mutex(&autotune__misses_lock);
    return keeps;
}
/* Where the misses of the statement's key are counted. NULL: nowhere. */
static autotune__miss *autotune__miss_of(const autotune__store *store) {
    autotune__known_key *known_key = store->subject->known_key;
    autotune__miss *miss = __atomic_load_n(&known_key->miss, __ATOMIC_ACQUIRE), *none = NULL;
    if (miss || autotune__is_follower(&store->subject->options) || !autotune__keeps_misses(store)) return miss;
    if (!(miss = autotune__new_miss(autotune__words_of_miss(store)))) return NULL;
    return __atomic_compare_exchange_n(&known_key->miss, &none, miss, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
               ? miss : none;                   /* another thread was first */
}
/* autotune_shutdown(): what was counted is written, and all is freed. */
static void autotune__free_miss_file(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    autotune__write_misses(2000000000u);
    autotune__free_misses();
    autotune__lock_mutex(&autotune__misses_lock);
    AUTOTUNE__FREE_ARRAY(file->listed);
    autotune__free(file->text);
    autotune__free(file->path);
    autotune__free(file->folder);
    memset(file, 0, sizeof *file);
    autotune__unlock_mutex(&autotune__misses_lock);
}

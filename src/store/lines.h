/* The cache on disk: its file, and all lines that this process knows from it or from autotune_load(). The file is read
   once, when the first winner is looked for; what other processes append meanwhile is read before a race. Whatever goes
   wrong with the file is said once, and tuning goes on without it. autotune__cache_lock guards all of this. What is to
   be said is said after the lock was released, for a log function may tune.

   This file: the lines that are known. A line that is torn or damaged is skipped, which is said once. */
#pragma once
#include "../system/files.h"
#include "../system/clock.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../registry/stand_ins.h"
#include "session.h"
#include "line_head.h"

typedef struct autotune__line {                 /* one sound record */
    autotune__head head;
    const char *text;                           /* of a line that was loaded; NULL: it is read from the file when it
                                                   is needed */
    size_t length, offset;                      /* without its line feed; where it stands in the file */
    size_t source;                              /* 0: the file on disk; else the number of the load */
    size_t older;                               /* the next line in the chain, + 1; 0: there is none */
    bool any_device;                            /* it answers on every device */
    bool dead;                                  /* a later record of the same source stands for it */
} autotune__line;
enum { AUTOTUNE__CHAINS = 1024 };               /* a power of two */
typedef struct autotune__loaded { char *text; size_t source; } autotune__loaded;        /* what autotune_load() read */

static autotune__mutex autotune__cache_lock = AUTOTUNE__MUTEX;
static struct autotune__disk {
    autotune__line *lines;
    autotune__loaded *texts;
    size_t newest[AUTOTUNE__CHAINS];            /* the newest line of each chain, + 1; 0: the chain is empty */
    size_t sources;                             /* loads so far */
    bool usable;                                /* the paths that follow are known */
    char *folder, *file, *new_file, *lock_file, *journals;
    /* what was read of the file */
    bool read;                                  /* the file was looked for, at least once */
    autotune__file_id id;
    size_t bytes, dead_bytes, line_count;
    uint64_t end;                               /* a hash of the last bytes: a file that was rewritten may have the
                                                   number of an older one */
    bool open_end;                              /* the last line lacked its line feed */
    bool torn;                                  /* and is only a part of a record */
    /* the lock file, which is open as long as the process lives: to close it drops its locks */
    int lock;
    autotune__file_id lock_id;
    uint64_t *held;                             /* the locks of keys that this process has, each as often as
                                                   statements need it */
    uint64_t waits_since;                       /* for the lock for writing; 0: it was to be had the last time */
    autotune__text *unwritten;                  /* records for which that lock was not to be had: they are written with
                                                   the next one */
    /* what is said */
    bool said_unusable, said_unsound, said_unwritable, said_no_journal;
    autotune__text say;                         /* lines that are said once the lock is released */
} autotune__disk;
static int autotune__cache_cancellation;        /* of the thread that has the lock, before it took the lock */

static void autotune__enter_cache(void) {
    const int cancellation = autotune__hold_cancellation();
    autotune__lock_mutex(&autotune__cache_lock);
    autotune__cache_cancellation = cancellation;
}
static void autotune__leave_cache(void) {
    autotune__text say = autotune__disk.say;
    const int cancellation = autotune__cache_cancellation;
    autotune__disk.say.at = NULL;
    autotune__disk.say.broken = false;
    autotune__unlock_mutex(&autotune__cache_lock);
    autotune__complain_of_all(&say);
    autotune__set_cancellation(cancellation);
}
/* Waits a moment outside, where another thread may need the cache or fork. What was known of the cache may have changed
   meanwhile. */
static void autotune__step_out_of_cache(uint64_t ns) {
    const int cancellation = autotune__cache_cancellation;
    autotune__unlock_mutex(&autotune__cache_lock);
    autotune__sleep_ns(ns);
    autotune__lock_mutex(&autotune__cache_lock);
    autotune__cache_cancellation = cancellation;
}
static void autotune__free_unwritten(void) {
    size_t i;
    for (i = 0; i < autotune__count(autotune__disk.unwritten); i++)
        autotune__free_text(&autotune__disk.unwritten[i]);
    AUTOTUNE__FREE_ARRAY(autotune__disk.unwritten);
}
static void autotune__say_once(bool *said, const char *path, const char *why, const char *instead) {
    if (!*said) autotune__append(&autotune__disk.say, "%s: %s: %s\n", path, why, instead);
    *said = true;
}
static void autotune__say_unusable(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_unusable, path, why,
                       "tuning goes on without the cache on disk; AUTOTUNE_CACHE_DIR names another folder, "
                       "AUTOTUNE_CACHE=off silences this");
}
static void autotune__say_unjournaled(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_no_journal, path, why,
                       "a configuration that ends this program will not be known to the next run; "
                       "AUTOTUNE_CACHE=readonly silences this");
}
static void autotune__say_unwritable(const char *path, const char *why) {
    if (autotune__disk.said_unusable) return;
    autotune__say_once(&autotune__disk.said_unwritable, path, why,
                       "results of this run are not kept on disk; AUTOTUNE_CACHE_DIR names another folder, "
                       "AUTOTUNE_CACHE=readonly silences this");
}

/* Lines are found by a hash of id and machine; those for any device by that of the id alone. All with one hash are a
   chain, from the newest on. A file of 64 MiB has some ten thousand lines, so that chains are short. */
static size_t *autotune__newest(uint64_t id, uint64_t machine) {
    const uint64_t hash = id ^ machine;
    return &autotune__disk.newest[(hash ^ hash >> 32) & (AUTOTUNE__CHAINS - 1)];
}
static void autotune__link(size_t number) {     /* puts a line in front of its chain */
    autotune__line *line = &autotune__disk.lines[number];
    size_t *newest = autotune__newest(line->head.identity.id, line->any_device ? 0 : line->head.identity.machine);
    line->older = *newest;
    *newest = number + 1;
}
/* A line makes older lines of its source, key and machine dead: those with its fingerprint, and in the file all but
   those of the eight programs that wrote last. So several builds of a program can take turns, and a program under work
   does not fill the disk; and however many statements of a program have one key, each is remembered. Of a loaded file,
   which somebody put together, all programs count. A line that is unfinished leaves one that is finished alone. Dead
   lines leave their chain, which stays short, however often a key is raced. */
enum { AUTOTUNE__PROGRAMS = 8 };
typedef struct autotune__latest { uint64_t hash[AUTOTUNE__PROGRAMS]; size_t count; } autotune__latest;
/* Is there room for it among them? */
static bool autotune__has_room(autotune__latest *programs, uint64_t hash) {
    size_t i;
    for (i = 0; i < programs->count; i++) if (programs->hash[i] == hash) return true;
    if (programs->count == AUTOTUNE__PROGRAMS) return false;
    programs->hash[programs->count++] = hash;
    return true;
}
static void autotune__supersede(autotune__line *line) {
    struct autotune__disk *cache = &autotune__disk;
    const autotune__identity *mine = &line->head.identity;
    autotune__latest programs = { { line->head.program }, 1 };
    size_t *at = &line->older;
    while (*at) {
        autotune__line *old = &cache->lines[*at - 1];
        const autotune__identity *its = &old->head.identity;
        const bool equal = its->fingerprint == mine->fingerprint,
                   alike = old->source == line->source && its->id == mine->id &&
                           (line->any_device || its->machine == mine->machine);
        if (alike && !old->dead &&
            (equal ? !line->head.unfinished || old->head.unfinished
                   : old->source == 0 && !autotune__has_room(&programs, old->head.program))) {
            old->dead = true;
            if (old->source == 0) cache->dead_bytes += old->length + 1;
        }
        if (old->dead) *at = old->older;
        else at = &old->older;
    }
}
static bool autotune__add_line(const autotune__line *line) {        /* false: no memory */
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    if (!AUTOTUNE__PUSH(cache->lines, *line)) return false;
    autotune__announce();
    autotune__link(count);
    autotune__supersede(&cache->lines[count]);
    return true;
}

/* Reading lines. A line that ends with the control character CAN was torn, and said to be so, in an earlier run; or, in
   a journal, it was closed. */
#define AUTOTUNE__CANCEL '\x18'
typedef struct autotune__reading {
    size_t source;
    size_t offset;                              /* where the next line stands */
    bool any_device;                            /* the lines answer on every device */
    bool open_end, torn, no_memory;
    size_t lines;                               /* how many the file has so far */
    size_t sound, unsound;                      /* how many of those that were read are sound, and are not */
    size_t first_unsound;                       /* the number of that line */
    const char *why;                            /* what is wrong with it */
} autotune__reading;
/* Of the line that was read last. */
static void autotune__note_unsound(autotune__reading *reading, const char *why) {
    if (reading->unsound++) return;
    reading->first_unsound = reading->lines;
    reading->why = why;
}
static void autotune__read_line(autotune__reading *reading, const char *text, size_t length) {
    autotune__line line;
    reading->lines++;
    if (!length || text[length - 1] == AUTOTUNE__CANCEL) return;
    memset(&line, 0, sizeof line);
    switch (autotune__read_head(text, length, &line.head)) {
    case AUTOTUNE__NEWER: autotune__note_unsound(reading, "was written by a later version"); return;
    case AUTOTUNE__DAMAGED: autotune__note_unsound(reading, "is damaged or no record"); return;
    default: break;
    }
    line.text = reading->source ? text : NULL;
    line.length = length;
    line.offset = reading->offset;
    line.source = reading->source;
    line.any_device = reading->any_device;
    if (autotune__add_line(&line)) reading->sound++;
    else reading->no_memory = true;
}
/* All whole lines. Returns how many bytes they have. */
static size_t autotune__read_lines(autotune__reading *reading, const char *text, size_t bytes) {
    const char *at = text, *line;
    size_t length;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        autotune__read_line(reading, line, length);
        reading->offset += length + 1;
    }
    return (size_t)(at - text);
}
/* What stands behind the last line feed. final: nobody writes to the file now, so that a part of a line stays one. */
static void autotune__read_end(autotune__reading *reading, const char *text, size_t bytes, bool final) {
    autotune__head head;
    if (!bytes) return;
    if (autotune__read_head(text, bytes, &head) != AUTOTUNE__DAMAGED) autotune__read_line(reading, text, bytes);
    else if (!final) return;
    else {
        reading->lines++;
        autotune__note_unsound(reading, "was cut short");
        reading->torn = !memcmp(text, "{\"autotune\":", bytes < 12 ? bytes : 12);
    }
    reading->offset += bytes;
    reading->open_end = true;
}
static void autotune__read_text(autotune__reading *reading, const char *text, size_t bytes, bool final) {
    const size_t whole = autotune__read_lines(reading, text, bytes);
    autotune__read_end(reading, text + whole, bytes - whole, final);
}

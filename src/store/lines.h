/* The cache on disk: the file, and all records that this process knows from it or from autotune_load(). The file is
   read once, when the first winner is looked for; what others append meanwhile is read before a race. Whatever goes
   wrong with it is said once, and tuning goes on without it. autotune__cache_lock guards it all; what is to be said is
   said after it was released, for a log function may tune.

   This file: the lines that are known. A line that is torn or damaged is skipped, and said once. */
#pragma once
#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "line_head.h"

typedef struct autotune__line {                 /* one sound record */
    autotune__head head;
    const char *text;                           /* of a loaded one; NULL: it is read from the file when it is asked
                                                   for */
    size_t length, offset;                      /* without its line feed; where it stands in the file */
    size_t source;                              /* 0: the file on disk; else which load */
    size_t older;                               /* the next with an equal hash, + 1; 0: none */
    bool any_device, dead;                      /* dead: a later record of the same source stands for it */
} autotune__line;

typedef struct autotune__loaded { char *text; size_t source; } autotune__loaded;        /* what autotune_load() read */

static pthread_mutex_t autotune__cache_lock = PTHREAD_MUTEX_INITIALIZER;
static struct autotune__cache {
    autotune__line *lines;
    autotune__loaded *texts;
    size_t *newest;                             /* by hash of id and machine: a line, + 1; a power of two of them */
    size_t places;
    size_t sources;                             /* loads so far */
    bool usable;                                /* the paths that follow are known */
    bool read;                                  /* the file was, at least once */
    char *folder, *file, *new_file, *lock_file, *journals;
    /* what was read of the file */
    dev_t device;
    ino_t inode;
    size_t bytes, dead_bytes, line_count;
    char last[32];                              /* bytes of it: a rewritten file may get the number of an older one */
    bool open_end, torn;                        /* its last line lacked the line feed; and is only a part of a record */
    /* the lock file, open for the life of the process: to close it drops its locks */
    int lock;
    pid_t lock_process;                         /* which opened it: after a fork() it is the parent's, with the parent's
                                                   locks */
    dev_t lock_device;
    ino_t lock_inode;
    uint64_t waited;                            /* for the lock for writing, nanoseconds, since it was held last */
    bool said_unusable, said_unsound, said_unwritable, said_no_journal;
    autotune__text say;                         /* lines to be said */
    int cancellation;                           /* the state of the thread that has the lock, before it had it */
} autotune__cache;

static void autotune__enter_cache(void) {
    const int cancellation = autotune__hold_cancellation();
    pthread_mutex_lock(&autotune__cache_lock);
    autotune__cache.cancellation = cancellation;
}
static void autotune__leave_cache(void) {
    autotune__text say = autotune__cache.say;
    const int cancellation = autotune__cache.cancellation;
    char *line, *end;
    autotune__cache.say.at = NULL;
    autotune__cache.say.broken = false;
    pthread_mutex_unlock(&autotune__cache_lock);
    for (line = say.broken ? NULL : say.at; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        autotune__complain("%s", line);
    }
    autotune__free_text(&say);
    autotune__set_cancellation(cancellation);
}
static __attribute__((__format__(__printf__, 2, 3))) void autotune__say_once(bool *said, const char *format, ...) {
    va_list list;
    if (*said) return;
    *said = true;
    va_start(list, format);
    autotune__append_list(&autotune__cache.say, format, list);
    va_end(list);
    autotune__append(&autotune__cache.say, "\n");
}
static void autotune__say_unusable(const char *path, const char *why) {
    autotune__say_once(&autotune__cache.said_unusable,
                       "%s: %s: tuning goes on without the cache on disk; AUTOTUNE_CACHE_DIR names "
                       "another folder, AUTOTUNE_CACHE=off silences this",
                       path, why);
}
static void autotune__say_unwritable(const char *path, const char *why) {
    if (autotune__cache.said_unusable) return;
    autotune__say_once(&autotune__cache.said_unwritable,
                       "%s: %s: results of this run are not kept on disk; AUTOTUNE_CACHE_DIR names "
                       "another folder, AUTOTUNE_CACHE=readonly silences this",
                       path, why);
}

/* Lines by id and machine; those for any device by id alone. */
static size_t *autotune__newest(uint64_t id, uint64_t machine) {
    const uint64_t hash = id ^ machine;
    return &autotune__cache.newest[(hash ^ hash >> 32) & (autotune__cache.places - 1)];
}
static uint64_t autotune__machine_of(const autotune__line *line) {
    return line->any_device ? 0 : line->head.identity.machine;
}
static void autotune__link(size_t first) {      /* lines from this one on; 0: all anew */
    struct autotune__cache *cache = &autotune__cache;
    const size_t count = autotune__count(cache->lines);
    size_t i;
    if (first == 0 && cache->newest) memset(cache->newest, 0, cache->places * sizeof *cache->newest);
    for (i = first; i < count; i++) {
        size_t *newest = autotune__newest(cache->lines[i].head.identity.id, autotune__machine_of(&cache->lines[i]));
        if (cache->lines[i].dead) continue;
        cache->lines[i].older = *newest;
        *newest = i + 1;
    }
}
static bool autotune__widen(void) {             /* false: no memory */
    struct autotune__cache *cache = &autotune__cache;
    const size_t count = autotune__count(cache->lines);
    size_t places = 64;
    size_t *newest;
    while (places < 2 * count) places *= 2;
    if (!(newest = (size_t *)autotune__allocate(places * sizeof *newest))) return false;
    autotune__free(cache->newest);
    cache->newest = newest;
    cache->places = places;
    return true;
}
/* A line of the file that is known makes older ones dead: equal ones, and of one key on one machine all but the last
   eight fingerprints, so that a program under work does not fill the disk while several builds of it can take turns.
   Dead ones leave the list: it stays short, however often a key is raced. */
enum { AUTOTUNE__FINGERPRINTS = 8 };
static void autotune__supersede(autotune__line *line) {
    struct autotune__cache *cache = &autotune__cache;
    const autotune__identity *mine = &line->head.identity;
    size_t *at = &line->older, others = 0;
    while (*at) {
        autotune__line *old = &cache->lines[*at - 1];
        const autotune__identity *its = &old->head.identity;
        const bool equal = its->fingerprint == mine->fingerprint,
                   alike = old->source == line->source && its->id == mine->id &&
                           autotune__machine_of(old) == autotune__machine_of(line);
        if (alike && !old->dead &&
            (equal ? !line->head.unfinished || old->head.unfinished : ++others >= AUTOTUNE__FINGERPRINTS)) {
            old->dead = true;
            if (old->source == 0) cache->dead_bytes += old->length + 1;
        }
        if (old->dead) *at = old->older;
        else at = &old->older;
    }
}
static bool autotune__add_line(const autotune__line *line) {        /* false: no memory */
    struct autotune__cache *cache = &autotune__cache;
    const size_t count = autotune__count(cache->lines);
    const bool wider = count >= cache->places;
    if (!AUTOTUNE__PUSH(cache->lines, *line)) return false;
    if (wider && !autotune__widen()) { autotune__set_count(cache->lines, count); return false; }
    autotune__link(wider ? 0 : count);
    autotune__supersede(&cache->lines[count]);
    return true;
}

/* Reading lines, from memory or through a window over the file. A line that ends with the control character CAN was cut
   short, and said to be so, in an earlier run. */
#define AUTOTUNE__CANCEL '\x18'
typedef struct autotune__reading {
    size_t source, offset, number;              /* where the next line stands; how many lines stand before the first */
    bool any_device, keeps_text, open_end, torn, no_memory;
    size_t lines, sound, unsound, first_unsound;
    const char *why;                            /* the first unsound one is */
} autotune__reading;
static void autotune__note_unsound(autotune__reading *reading, const char *why) {    /* the line that was read last */
    if (reading->unsound++) return;
    reading->first_unsound = reading->number + reading->lines;
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
    line.text = reading->keeps_text ? text : NULL;
    line.length = length;
    line.offset = reading->offset;
    line.source = reading->source;
    line.any_device = reading->any_device;
    if (autotune__add_line(&line)) reading->sound++;
    else reading->no_memory = true;
}
/* how much was whole lines */
static size_t autotune__read_lines(autotune__reading *reading, const char *text, size_t bytes) {
    const char *feed;
    size_t at = 0;
    while (at < bytes && (feed = (const char *)memchr(text + at, '\n', bytes - at)) != NULL) {
        const size_t length = (size_t)(feed - (text + at));
        autotune__read_line(reading, text + at, length);
        reading->offset += length + 1;
        at += length + 1;
    }
    return at;
}

/* The known lines: finding the lines of a key, marking lines as dead, and reading lines of a text. A torn or damaged
   line is skipped, and the log says so once. */
#pragma once
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "line_head.h"
#include "disk.h"

/* Lines are found by a hash of id and machine. All lines with the same hash modulo AUTOTUNE__CHAINS form a chain, the
   newest first. A file of 64 MiB has some ten thousand lines, so that chains are short. */
static size_t *autotune__newest(const autotune__identity *identity) {
    const uint64_t hash = identity->id ^ identity->machine;
    return &autotune__disk.newest[(hash ^ hash >> 32) & (AUTOTUNE__CHAINS - 1)];
}
static void autotune__link(size_t number) {     /* puts a line at the front of its chain */
    autotune__line *line = &autotune__disk.lines[number];
    size_t *newest = autotune__newest(&line->head.identity);
    line->older = *newest;
    *newest = number + 1;
}
/* A new line makes older lines of the same source, key, machine and fingerprint dead. So builds with different texts
   or compilers, and several statements with one key, keep a record each. An unfinished record does not make a finished
   record dead. Dead lines leave their chain, so that chains stay short. */
static bool autotune__is_of_same_key(const autotune__line *a, const autotune__line *b) {
    return a->source == b->source && a->head.identity.id == b->head.identity.id &&
           a->head.identity.machine == b->head.identity.machine;
}
/* Returns true if there is a line that this new line may make dead. */
static bool autotune__may_supersede(const autotune__line *line) {
    const autotune__line *const lines = autotune__disk.lines;
    size_t at = *autotune__newest(&line->head.identity);
    while (at && !autotune__is_of_same_key(&lines[at - 1], line)) at = lines[at - 1].older;
    return at != 0;
}
static void autotune__supersede(autotune__line *line) {
    size_t *at = &line->older;
    while (*at) {
        autotune__line *old = &autotune__disk.lines[*at - 1];
        if (autotune__is_of_same_key(old, line) && !old->dead &&
            old->head.identity.fingerprint == line->head.identity.fingerprint &&
            (!line->head.unfinished || old->head.unfinished)) {
            old->dead = true;
            if (old->source == 0) autotune__disk.dead_bytes += old->length + 1;
        }
        if (old->dead) *at = old->older;
        else at = &old->older;
    }
}
static bool autotune__add_line(const autotune__line *line) {        /* false: no memory */
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    if (!AUTOTUNE__PUSH(cache->lines, *line)) return false;
    autotune__lock_mutex(&autotune__lock);
    autotune__announce();
    autotune__unlock_mutex(&autotune__lock);
    autotune__link(count);
    autotune__supersede(&cache->lines[count]);
    return true;
}
/* Forgets lines. of_file: all lines of the file on disk. Else: the dead lines among the loaded lines. */
static void autotune__drop_lines(bool of_file) {
    struct autotune__disk *cache = &autotune__disk;
    const size_t count = autotune__count(cache->lines);
    size_t i, kept = 0;
    memset(cache->newest, 0, sizeof cache->newest);
    for (i = 0; i < count; i++) {
        if ((cache->lines[i].source == 0) == of_file && (of_file || cache->lines[i].dead)) {
            autotune__free((void *)(uintptr_t)cache->lines[i].text);
            continue;
        }
        cache->lines[kept] = cache->lines[i];
        autotune__link(kept++);
    }
    autotune__set_count(cache->lines, kept);
}

/* Reading lines. A line that ends with the character CAN was not written whole, or is a closed launch note. */
#define AUTOTUNE__CANCEL '\x18'
typedef struct autotune__reading {
    size_t source;                              /* see autotune__line */
    size_t offset;                              /* position of the next line */
    size_t lines;                               /* lines of the file or text so far */
    size_t sound, unsound;                      /* how many of the lines read are sound; how many are not */
    size_t first_unsound;                       /* number of the first unsound line */
    const char *why;                            /* the defect of the first unsound line */
} autotune__reading;
/* Counts the line that was just read as unsound. */
static void autotune__note_unsound(autotune__reading *reading, const char *why) {
    if (reading->unsound++) return;
    reading->first_unsound = reading->lines;
    reading->why = why;
}
static void autotune__read_line(autotune__reading *reading, const char *text, size_t length) {
    autotune__line line;
    autotune__soundness soundness;
    reading->lines++;
    if (!length || text[length - 1] == AUTOTUNE__CANCEL) return;
    memset(&line, 0, sizeof line);
    line.source = reading->source;
    /* A checksum takes time. So the checksum of a line on disk is tested here only if the line may make another line
       dead. Else autotune__fetch() tests the checksum. */
    soundness = autotune__read_head("autotune", text, length, line.source != 0, &line.head);
    if (soundness == AUTOTUNE__SOUND && line.source == 0 && autotune__may_supersede(&line))
        soundness = autotune__read_head("autotune", text, length, true, &line.head);
    if (soundness != AUTOTUNE__SOUND) {
        autotune__note_unsound(reading, soundness == AUTOTUNE__NEWER ? "was written by a later version"
                                                                     : "is damaged or no record");
        return;
    }
    if (reading->source && !(line.text = autotune__copy_piece(text, length))) return;
    line.length = length;
    if (line.head.key_length <= sizeof line.key) {
        line.key_length = line.head.key_length;
        memcpy(line.key, text + line.head.key, line.key_length);
    }
    line.offset = reading->offset;
    line.number = reading->lines;
    if (autotune__add_line(&line)) reading->sound++;
    else autotune__free((void *)(uintptr_t)line.text);
}
/* Reads all whole lines. A last line without a line feed is whole if it is sound, or of a later version. */
static void autotune__read_text(autotune__reading *reading, const char *text, size_t bytes) {
    const char *at = text, *line;
    autotune__head head;
    size_t length;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        autotune__read_line(reading, line, length);
        reading->offset += length + 1;
    }
    length = (size_t)(text + bytes - at);
    if (length && autotune__read_head("autotune", at, length, true, &head) != AUTOTUNE__DAMAGED) {
        autotune__read_line(reading, at, length);
        reading->offset += length;
        reading->lines--;                       /* the next reading counts this line, at its line feed */
    }
}

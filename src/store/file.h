/* The cache's file: reading it, reading what was appended since, appending a line, and rewriting it. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "json.h"
#include "line_head.h"
#include "disk.h"
#include "lines.h"
#include "lock.h"

/* Forgets the lines of the file: the next reading begins at the start of the file. */
static void autotune__forget_file(void) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__drop_lines(true);
    cache->bytes = cache->dead_bytes = cache->line_count = 0;
    cache->too_large = false;
}
static void autotune__say_unsound(size_t number, const char *why, size_t count) {
    if (autotune__disk.said_unsound) return;
    autotune__disk.said_unsound = true;
    autotune__append(&autotune__disk.complaints, "%s:%lu: this line %s and is skipped%s to silence this\n",
                     autotune__disk.file, (unsigned long)number, why,
                     count > 1 ? ", and so are others below it; delete the lines that 'autotune check' lists"
                               : "; delete it");
}
/* Returns a hash of the last 32 of the first `bytes` bytes. This hash tells apart files of the same size. */
static uint64_t autotune__hash_end(int file, size_t bytes) {
    char last[32];
    const size_t count = bytes < sizeof last ? bytes : sizeof last;
    size_t got;
    return autotune__read_at(file, last, count, bytes - count, &got) ? autotune__hash_more(0, last, got) : 0;
}
/* Reads the lines up to `end` in small pieces: to allocate memory for all of a large file takes longer than to read it.
   If a piece ends within a line, the next piece begins with that line. If the line does not fit in the piece, the next
   piece is larger. Returns false if the file cannot be read: errno says why. */
static bool autotune__read_pieces(autotune__reading *reading, int file, size_t end) {
    size_t most = 16 << 10, start, asked, got;
    do {
        char *piece AUTOTUNE__OWNED = NULL;
        start = reading->offset;
        asked = most < end - start ? most : end - start;
        if (!(piece = autotune__read_part(file, start, asked, &got))) return false;
        autotune__read_text(reading, piece, got);
        if (reading->offset == start) most *= 4;
    } while (got == asked && start + got < end);
    return true;
}
/* Returns how many bytes of the file are read at most: twice the size to which the file may grow, and at least 128 MiB.
   A larger file gets no more lines. A file that cannot be locked is never rewritten, and a foreign file may have any
   size. Lines have no limit: a record with many kernels or long labels may have some MiB, and has to answer. */
static size_t autotune__most_bytes(void) {
    const double given = autotune__environment.cache_mib, usual = 64,
                 most = 2 * (given > usual ? given : usual) * 1048576;
    return most < (double)SIZE_MAX ? (size_t)most : SIZE_MAX;
}
/* Reads the rest of the file that was not read yet. Leaves out an incomplete last line, which another process may be
   writing. Returns false if the file cannot be read, is too large, or does not fit into memory. */
static bool autotune__read_tail(int file) {
    struct autotune__disk *cache = &autotune__disk;
    const size_t refusals = autotune__memory_refusals, most = autotune__most_bytes();
    autotune__reading reading;
    autotune__file_facts facts;
    bool read;
    memset(&reading, 0, sizeof reading);
    if (!autotune__facts_of_file(file, &facts)) return false;
    if (cache->bytes && (!autotune__is_same_id(facts.id, cache->id) || facts.bytes < cache->bytes ||
                         autotune__hash_end(file, cache->bytes) != cache->end_hash))
        autotune__forget_file();                /* another file: the file that was read could only have grown */
    cache->id = facts.id;
    if (facts.bytes == cache->bytes) return true;
    reading.offset = cache->bytes;
    reading.lines = cache->line_count;
    cache->too_large = facts.bytes > most;
    if (cache->too_large)
        autotune__say_once(&cache->said_unwritable, cache->file, "is larger than a cache may be",
                           "only its first part is read, and results of this run are not kept; remove the file, or "
                           "set AUTOTUNE_CACHE_MIB to more than its size");
    if (!(read = autotune__read_pieces(&reading, file, cache->too_large ? most : facts.bytes)))
        autotune__say_unusable(cache->file, strerror(errno));
    cache->bytes = reading.offset;
    cache->line_count = reading.lines;
    cache->end_hash = autotune__hash_end(file, cache->bytes);
    if (refusals != autotune__memory_refusals) autotune__say_unusable(cache->file, "out of memory for its records");
    if (reading.unsound) autotune__say_unsound(reading.first_unsound, reading.why, reading.unsound);
    return read && !cache->too_large && refusals == autotune__memory_refusals;
}
/* Reads the lines that the file has now. Creates nothing, since the folder may be read-only. */
static void autotune__refresh(void) {
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    int file AUTOTUNE__CLOSED = -1;
    cache->read = true;
    if (!autotune__find_cache()) return;
    file = autotune__open_ours(cache->file, AUTOTUNE__READ, &why);
    if (file >= 0) (void)autotune__read_tail(file);
    else {
        if (why) autotune__say_unusable(cache->file, why);
        autotune__forget_file();
    }
}

/* Reads the text of a line, and parses it. Returns false in four cases:
   * The line is damaged. It no longer counts, but stays in the file.
   * The file was replaced, and another line stands in this place. Either the file was not read again yet, or the new
     file has the inode number and the last bytes of the old file.
   * The file cannot be read.
   * There is no memory. */
static bool autotune__fetch(autotune__line *line, autotune__text *text, autotune__json *json) {
    const char *why, *here = line->text;
    char *read AUTOTUNE__OWNED = NULL;
    size_t got = line->length;
    autotune__head head;
    bool same, sound = false;
    int file AUTOTUNE__CLOSED = -1;
    if (!here && (file = autotune__open_ours(autotune__disk.file, AUTOTUNE__READ, &why)) >= 0)
        here = read = autotune__read_part(file, line->offset, line->length, &got);
    autotune__clear_text(text);
    if (here) autotune__append_piece(text, here, got);
    if (here && !text->broken) {
        same = autotune__read_head("autotune", text->at, got, false, &head) == AUTOTUNE__SOUND &&
               !memcmp(&head.identity, &line->head.identity, sizeof head.identity);
        sound = same && autotune__read_head("autotune", text->at, got, true, &head) == AUTOTUNE__SOUND;
        line->damaged = same && !sound;
        if (line->damaged) autotune__say_unsound(line->number, "is damaged or no record", 1);
        if (!same) autotune__disk.bytes = SIZE_MAX;     /* no file is so long: the whole file is read again */
    }
    return sound && autotune__parse(json, text->at, got);
}

/* Returns the start of the last lines of `text`: as many as fit into `most` bytes, and at least the last line. */
static size_t autotune__start_of_last(const char *text, size_t bytes, size_t most) {
    size_t start = 0;
    const char *feed;
    while (bytes - start > most && (feed = (const char *)memchr(text + start, '\n', bytes - start - 1)) != NULL)
        start = (size_t)(feed + 1 - text);
    return start;
}
/* Appends a record without its tables of configurations: such a record still answers. A line that has no tables keeps
   all its members. A line that is not sound is not appended. */
static void autotune__append_without_tables(autotune__text *text, const char *line, size_t length) {
    autotune__json json;
    autotune__head head;
    size_t start = autotune__count(text->at);
    int name = 0;
    if (autotune__read_head("autotune", line, length, true, &head) != AUTOTUNE__SOUND ||
        !autotune__parse(&json, line, length))
        return;
    while ((name = autotune__next_member(&json, 0, name)) > 0) {
        if (autotune__spells(&json, name, "configurations") || autotune__spells(&json, name, "former") ||
            autotune__spells(&json, name, "crc"))
            continue;
        autotune__append(text, autotune__count(text->at) > start ? "," : "{");
        autotune__append_piece(text, line + name,
                               (size_t)(autotune__after(&json, autotune__member_value(&json, name)) - name));
    }
    autotune__append_crc(text, start);
}
/* Appends the text of the file without the dead lines. If more than `most` bytes are left, the oldest records lose
   their tables, too, until at most `most` bytes are left. Returns true if tables were left out. */
static bool autotune__append_kept(autotune__text *kept, const char *text, size_t bytes, size_t most) {
    const autotune__line *line = autotune__disk.lines, *const end = line + autotune__count(line);
    const size_t all = bytes - autotune__disk.dead_bytes;
    size_t left = all, at = 0, start;
    for (; line < end; line++) {
        if (line->source != 0) continue;
        autotune__append_piece(kept, text + at, line->offset - at);             /* up to the line */
        at = line->offset + line->length + (line->offset + line->length < bytes);
        if (line->dead) continue;
        start = autotune__count(kept->at);
        if (left > most) autotune__append_without_tables(kept, text + line->offset, line->length);
        if (autotune__count(kept->at) == start) autotune__append_piece(kept, text + line->offset, at - line->offset);
        left -= at - line->offset - (autotune__count(kept->at) - start);
    }
    autotune__append_piece(kept, text + at, bytes - at);
    return left < all;
}
/* Rewrites the file without dead lines. The caller has read all lines. If the rest has more than `most` bytes, first
   the tables of the oldest records are left out, then the oldest lines. A line that cannot be read counts as old as its
   neighbours. Returns false if the file did not change. If the file cannot be written, *why is the reason. */
static bool autotune__rewrite(int file, size_t most, const char **why) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__text kept AUTOTUNE__FREED = { NULL, false };
    size_t bytes, start;
    const char *unread = NULL;
    char *text AUTOTUNE__OWNED = autotune__read_whole(file, &bytes, &unread);
    bool cut;
    if (!text || bytes < cache->bytes) return false;
    cut = autotune__append_kept(&kept, text, bytes, most);
    bytes = autotune__count(kept.at);
    start = autotune__start_of_last(kept.at, bytes, most);
    if (kept.broken || !autotune__replace_file(cache->file, kept.at + start, bytes - start, 0, true, why)) return false;
    autotune__flush_folder(cache->folder);      /* a crash must not lose the folder's entry, either */
    if ((start ? 2 : cut) > cache->said_full) {
        cache->said_full = start ? 2 : 1;
        autotune__append(&cache->remark, "%s: would have more than %g MiB: the oldest records %s; AUTOTUNE_CACHE_MIB "
                         "sets another size", cache->file, autotune__environment.cache_mib,
                         start ? "were removed, and their keys are tuned again"
                               : "lost their tables of configurations, and their winners stay");
    }
    return true;
}
/* Rewrites a file that is too large to three quarters of the allowed size, so that some time passes before the next
   rewriting. Also rewrites a file of which more than half is dead, if it is not small. First reads all of the file
   again: the file may have been replaced, with lines in other places. */
static void autotune__compact(int file) {
    const double room = autotune__environment.cache_mib * 1048576;
    const size_t least = 64 << 10, bytes = autotune__disk.bytes;
    const bool is_large = (double)bytes > room;
    const char *why = NULL;
    if (!is_large && (bytes < least || 2 * autotune__disk.dead_bytes <= bytes)) return;
    autotune__forget_file();
    if (autotune__read_tail(file)) autotune__rewrite(file, is_large ? (size_t)(0.75 * room) : SIZE_MAX, &why);
    if (why) autotune__say_unwritable(autotune__disk.file, why);
}
static bool autotune__append_line(const autotune__text *line) {            /* false: the reason was said */
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    autotune__locked locked;
    bool written = false, alone;
    int file;
    if (!autotune__find_cache()) return false;
    locked = autotune__lock_file(true);
    alone = locked == AUTOTUNE__HELD;
    if (locked == AUTOTUNE__BUSY) {
        autotune__say_unwritable(cache->lock_file, "another process keeps it locked");
        return false;
    }
    file = autotune__create_ours(cache->file, AUTOTUNE__READ | AUTOTUNE__WRITE | AUTOTUNE__APPEND, cache->folder, &why);
    if (file < 0) autotune__say_unwritable(cache->file, why);
    else {
        (void)autotune__read_tail(file);
        written = !cache->too_large && autotune__append_lines(file, line, cache->bytes, alone, &why);
        if (!written) autotune__say_unwritable(cache->file, why);
        if (autotune__read_tail(file) && alone) autotune__compact(file);
        autotune__close_file(file);
    }
    autotune__unlock_file(locked);
    return written;
}

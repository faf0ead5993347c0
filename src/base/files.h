/* Reads files into memory. Opens the user's own files safely, replaces them as a whole, and appends to them. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "memory.h"
#include "numbers.h"
#include "text.h"

/* Reads at most `most` bytes of a file from `offset` on, and puts a zero behind them. The caller frees them. NULL: see
   errno. */
static AUTOTUNE__UNUSED char *autotune__read_part(int file, size_t offset, size_t most, size_t *got) {
    char *bytes = (char *)AUTOTUNE_REALLOC(NULL, most + 1);         /* not zeroed: it may be large */
    autotune__memory_refusals += !bytes;
    if (!bytes) errno = ENOMEM;
    else if (autotune__read_at(file, bytes, most, offset, got)) {
        bytes[*got] = 0;
        return bytes;
    }
    autotune__free(bytes);
    return NULL;
}
/* Reads all bytes of a regular file in the same way. NULL: *why says why. */
static AUTOTUNE__UNUSED char *autotune__read_whole(int file, size_t *got, const char **why) {
    autotune__file_facts facts;
    char *bytes = NULL;
    *why = NULL;
    if (autotune__facts_of_file(file, &facts)) {
        if (facts.is_regular) bytes = autotune__read_part(file, 0, facts.bytes, got);
        else *why = "is no regular file";
    }
    if (!bytes && !*why) *why = strerror(errno);
    return bytes;
}
/* The same for the file at a path. */
static AUTOTUNE__UNUSED char *autotune__read_path(const char *path, size_t *got, const char **why) {
    const int file AUTOTUNE__CLOSED = autotune__open_file(path, AUTOTUNE__READ | AUTOTUNE__NO_WAIT);
    if (file < 0) { *why = strerror(errno); return NULL; }
    return autotune__read_whole(file, got, why);
}

/* Opens a regular file of this user. Does not follow links: another user who may write to the folder could have put a
   link there. Returns -1 on an error: *why is the reason, or NULL if the file does not exist. */
static int autotune__open_ours(const char *path, int how, const char **why) {
    const int file = autotune__open_file(path, how | AUTOTUNE__NO_LINK | AUTOTUNE__NO_WAIT);
    autotune__file_facts facts;
    if (file < 0) *why = errno == ENOENT ? NULL : errno == ELOOP ? "is a link, which is not followed" : strerror(errno);
    else if (!autotune__facts_of_file(file, &facts)) *why = strerror(errno);
    else if (!facts.is_regular) *why = "is no regular file";
    else if (!facts.is_own) *why = "belongs to another user";
    else return file;
    autotune__close_file(file);
    return -1;
}
/* Returns true if a link, a folder, a pipe or a device has this path. */
static AUTOTUNE__UNUSED bool autotune__is_not_regular(const char *path) {
    autotune__file_facts facts;
    return autotune__facts_of_name(path, &facts) && !facts.is_regular;
}
/* Opens a file to write. Creates the file if it does not exist, and `folder`, too; NULL: the folder has to exist.
   Returns -1 on an error: see *why. */
static int autotune__create_ours(const char *path, int how, char *folder, const char **why) {
    int file = autotune__open_ours(path, how | AUTOTUNE__CREATE, why);
    if (file < 0 && !*why && folder && autotune__make_folders(folder))
        file = autotune__open_ours(path, how | AUTOTUNE__CREATE, why);
    if (file < 0 && !*why) *why = strerror(errno);
    return file;
}
/* Returns true if the path is a folder, and no link, to which only this user may write. */
static AUTOTUNE__UNUSED bool autotune__is_own_folder(const char *path) {
    autotune__file_facts facts;
    return autotune__facts_of_name(path, &facts) && facts.is_folder && facts.is_own && !facts.others_may_write;
}

/* Writes a new file, and renames it to the path: see autotune__fill_and_rename(). The new name is random. So no link
   has that name, and no other process writes to the file, even on another machine. how: AUTOTUNE__SHARED or 0. */
static bool autotune__replace_file(const char *path, const char *bytes, size_t count, int how, bool lasting,
                                   const char **why) {
    static uint64_t number;
    const size_t room = strlen(path) + 32;
    char *new_name AUTOTUNE__OWNED = (char *)autotune__allocate(room);
    uint64_t drawn = autotune__hash_word(autotune__wait_clock(), autotune__process_number());
    int file;
    if (!new_name) { *why = "out of memory"; return false; }
    drawn = autotune__hash_word(drawn, __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED) ^
                                           (uint64_t)(uintptr_t)new_name);
    autotune__put_text(new_name, room, "%s.new-%016llx", path, (unsigned long long)drawn);
    file = autotune__open_file(new_name, AUTOTUNE__WRITE | AUTOTUNE__NEW | AUTOTUNE__NO_LINK | how);
    if (file < 0) *why = strerror(errno);
    return file >= 0 && autotune__fill_and_rename(file, new_name, path, bytes, count, lasting, why);
}

/* Appends lines in one write, so that lines of other processes do not come between. Returns false on an error: see
   *why. The file has to be open for reading, too. If the last line of the file has no line feed, a line feed is written
   first. known: the caller has read so many bytes. Beyond them, a last line without a line feed is unfinished: the
   character \x18 makes readers skip it. alone: no other process appends now, so an incomplete write is undone. */
static bool autotune__append_lines(int file, const autotune__text *lines, size_t known, bool alone, const char **why) {
    autotune__file_facts facts;
    autotune__text text AUTOTUNE__FREED = { NULL, lines->broken };
    const bool is_there = autotune__facts_of_file(file, &facts);
    char last = '\n';
    size_t got;
    bool has_room, written;
    if (is_there && facts.bytes) (void)autotune__read_at(file, &last, 1, facts.bytes - 1, &got);
    if (last != '\n') autotune__append_text(&text, facts.bytes > known ? "\x18\n" : "\n");
    autotune__append_text(&text, autotune__string(lines));
    has_room = is_there && !text.broken && autotune__fits(facts.bytes, autotune__count(text.at));
    written = has_room && autotune__write_all(file, text.at, autotune__count(text.at));
    if (!written) *why = text.broken ? "out of memory" : strerror(errno);
    if (has_room && !written && alone) (void)autotune__truncate(file, facts.bytes);
    return written;
}

static char *autotune__joined(const char *folder, const char *name) {           /* NULL: no memory */
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = (char *)autotune__allocate(bytes);
    if (path) autotune__put_text(path, bytes, "%s/%s", folder, name);
    return path;
}
/* Writes a file for the user. A regular file at this path is replaced as a whole. A link, a pipe or a device cannot be
   replaced. Returns false on an error: see *why. */
static bool autotune__write_file(const char *path, const autotune__text *text, const char **why) {
    autotune__file_facts facts;
    if (!autotune__facts_of_name(path, &facts) || facts.is_regular)
        return autotune__replace_file(path, text->at, autotune__count(text->at), AUTOTUNE__SHARED, true, why);
    *why = "is no regular file: give a new path, or the path of a regular file, which is replaced";
    return false;
}

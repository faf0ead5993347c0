/* Files that are written whole or not at all. */
#pragma once
#include <errno.h>
#include <stdio.h>
#include "../system/floor.h"
#include "../base/floor.h"

/* Writes a file under a new name and gives it the path, as autotune__fill_and_rename() does. Nobody has that name: no
   link stands there that would be followed, and no other process writes to it, on whatever machine and with whatever
   number. how: AUTOTUNE__SHARED or 0. */
static bool autotune__replace_file(const char *path, const char *bytes, size_t count, int how, bool lasting,
                                   const char **why) {
    static uint64_t number;
    const size_t room = strlen(path) + 32;
    char *new_name = (char *)autotune__allocate(room);
    uint64_t drawn = autotune__hash_word(autotune__wait_clock(), autotune__process_number());
    int file = -1, tries;
    bool written;
    if (!new_name) { *why = "out of memory"; return false; }
    for (errno = EEXIST, tries = 0; file < 0 && errno == EEXIST && tries < 100; tries++) {
        drawn = autotune__hash_word(drawn, __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED) ^
                                               (uint64_t)(uintptr_t)new_name);
        snprintf(new_name, room, "%s.new-%016llx", path, (unsigned long long)drawn);
        file = autotune__open_file(new_name, AUTOTUNE__WRITE | AUTOTUNE__NEW | AUTOTUNE__NO_LINK | how);
    }
    if (file < 0) *why = strerror(errno);
    written = file >= 0 && autotune__fill_and_rename(file, new_name, path, bytes, count, lasting, why);
    autotune__free(new_name);
    return written;
}

/* Appends a text in one write, so that no line of another process comes between. alone: no other process appends
   meanwhile, and what was written in part is taken back. False: why says it. */
static bool autotune__append_to_file(int file, const autotune__text *text, bool alone, const char **why) {
    const size_t count = autotune__count(text->at);
    autotune__file_facts facts;
    const bool has_room = !text->broken && autotune__facts_of_file(file, &facts) && autotune__fits(facts.bytes, count),
               written = has_room && autotune__write_all(file, text->at, count);
    if (!written) *why = text->broken ? "out of memory" : strerror(errno);
    if (has_room && !written && alone) (void)autotune__cut_file(file, facts.bytes);
    return written;
}

static char *autotune__joined(const char *folder, const char *name) {           /* NULL: no memory */
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = (char *)autotune__allocate(bytes);
    if (path) snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}
/* Where a link at the end of a path leads to, whether something is there or not; a path that does not end with a link
   leads to itself. The caller frees it. number: that of the open file that the link leads to; -1: it leads to none.
   NULL: errno says why. */
static char *autotune__follow_links(const char *path, int *number) {
    char target[4096], *at = autotune__copy_string(path), *next;
    const char *separator;
    int links;
    *number = -1;
    if (!at) errno = ENOMEM;
    for (links = 0; at && links < 40; links++) {
        if ((*number = autotune__open_number(at)) >= 0 || !autotune__read_link(at, target, sizeof target)) return at;
        if ((separator = autotune__last_separator(at)) != NULL) at[separator - at] = 0;
        next = autotune__is_absolute(target) ? autotune__copy_string(target)
                                             : autotune__joined(separator ? at : ".", target);
        autotune__free(at);
        if (!(at = next)) { errno = ENOMEM; return NULL; }
    }
    autotune__free(at);
    if (links) errno = ELOOP;
    return NULL;
}
/* A file for the user, under the path that the user gave: one that is there is replaced. Links are followed, and stay.
   What is no regular file, as a pipe or a device, is written to. False: why says it. */
static bool autotune__write_file(const char *path, const autotune__text *text, const char **why) {
    const size_t count = autotune__count(text->at);
    autotune__file_facts facts;
    bool written;
    int number, file;
    int64_t position;
    char *target = autotune__follow_links(path, &number);
    if (target && number < 0 && (!autotune__facts_of_path(target, &facts) || facts.is_regular))
        written = autotune__replace_file(target, text->at, count, AUTOTUNE__SHARED, true, why);
    else {
        file = !target ? -1 : number < 0 ? autotune__open_file(target, AUTOTUNE__WRITE)
                                         : autotune__duplicate_file(number);
        position = file < 0 ? -1 : autotune__position_in(file);
        written = file >= 0 && (position < 0 || autotune__fits((size_t)position, count)) &&
                  autotune__write_all(file, text->at, count);
        if (!written) *why = strerror(errno);
        autotune__close_file(file);
    }
    autotune__free(target);
    return written;
}

/* Mode MISSED: the keys that the file of misses lists. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "line_head.h"
#include "disk.h"
#include "miss_file.h"

/* Returns true if the statement's key was missed on this device, by any build of the program. The file is small, so it
   is read for each key. Only the first part of a large file is read. */
static bool autotune__was_missed(const autotune__store *store) {
    struct autotune__miss_file *file = &autotune__miss_file;
    const char *why = NULL, *at, *line;
    char *text AUTOTUNE__OWNED = NULL;
    autotune__head head;
    bool was = false, any = false;
    size_t got = 0, length;
    int number AUTOTUNE__CLOSED = -1;
    AUTOTUNE__WITH_CACHE;
    if (autotune__find_miss_file() && (number = autotune__open_ours(file->path, AUTOTUNE__READ, &why)) >= 0 &&
        !(text = autotune__read_part(number, 0, AUTOTUNE__MISSES_READ, &got)))
        why = strerror(errno);
    if (got == AUTOTUNE__MISSES_READ)
        autotune__say_once(&file->said, file->path, "is longer than 5 MiB",
                           "the rest is not read, and its keys are not tuned; 'autotune misses --file FILE --output "
                           "SHORTER' writes one line for each key");
    for (at = text; text && !was && (line = autotune__next_line(&at, text + got, &length)) != NULL;) {
        if (autotune__read_head("missed", line, length, true, &head) != AUTOTUNE__SOUND) continue;
        any = true;
        was = head.identity.id == store->identity.id && head.identity.machine == store->identity.machine;
    }
    if (!any)
        autotune__say_once(&file->said, file->path ? file->path : "the file of misses", why ? why : "has no miss",
                           "AUTOTUNE_MODE=missed tunes nothing");
    return was;
}

/* Files are read into memory. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "memory.h"

/* At most `most` bytes of a file from `offset` on, with a zero behind them. The caller frees them. NULL: errno says
   why. */
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
/* All bytes of a regular file, likewise. NULL: why says it. */
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
/* The same of the file at a path. */
static AUTOTUNE__UNUSED char *autotune__read_path(const char *path, size_t *got, const char **why) {
    const int file AUTOTUNE__CLOSED = autotune__open_file(path, AUTOTUNE__READ | AUTOTUNE__NO_WAIT);
    if (file < 0) { *why = strerror(errno); return NULL; }
    return autotune__read_whole(file, got, why);
}

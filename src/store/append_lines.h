/* Files of lines besides the records: misses.jsonl and verify.jsonl. */
#pragma once
#include "../base/floor.h"

/* Appends lines of a kind: see autotune__append_head(). Nothing is appended to a file of another kind, or to a file
   that has `most` bytes or more; SIZE_MAX: any size. folder: created with the file; NULL: the folder has to exist.
   Returns false if not all lines were appended: *why says why. */
static bool autotune__append_to(const char *path, char *folder, const char *kind, size_t most,
                                const autotune__text *lines, const char **why) {
    char begin[16] = "", got[16] = "";
    const int file AUTOTUNE__CLOSED =
        autotune__create_ours(path, AUTOTUNE__READ | AUTOTUNE__WRITE | AUTOTUNE__APPEND, folder, why);
    const size_t length = (size_t)snprintf(begin, sizeof begin, "{\"%s\":", kind);
    autotune__file_facts facts;
    size_t bytes = 0;
    if (file < 0) return false;
    if (!autotune__read_at(file, got, length, 0, &bytes) || memcmp(got, begin, bytes)) *why = "is of something else";
    else if (most != SIZE_MAX && (!autotune__facts_of_file(file, &facts) || facts.bytes >= most))
        *why = "has no room left: remove it once its keys are tuned";
    else return autotune__append_lines(file, lines, SIZE_MAX, false, why);
    return false;
}

/* Mode MISSED: which keys the file of misses lists. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "line_head.h"
#include "disk.h"
#include "folder.h"
#include "miss_file.h"

/* The keys that a text of misses has; NULL: none, or no memory. The caller frees the array. */
static autotune__missed_key *autotune__read_misses(const char *text, size_t bytes) {
    autotune__missed_key *keys = NULL, key;
    const char *at = text, *line;
    autotune__head head;
    size_t length;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        if (autotune__read_head_of("missed", line, length, &head) != AUTOTUNE__SOUND) continue;
        key.id = head.identity.id;
        key.machine = head.identity.machine;
        if (!AUTOTUNE__PUSH(keys, key)) break;
    }
    return keys;
}
/* With the lock: reads the file, once. */
static void autotune__read_list(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    size_t got = 0;
    char *text = NULL;
    int number;
    if (file->read) return;
    file->read = true;
    if (!autotune__find_miss_file()) return;
    if ((number = autotune__open_ours(file->path, AUTOTUNE__READ, &file->unreadable)) >= 0)
        text = autotune__read_whole(number, &got, &file->unreadable);
    autotune__close_file(number);
    if (text) file->listed = autotune__read_misses(text, got);
    autotune__free(text);
}
/* Was the key of the statement missed on this device, by whatever build of the program? */
static bool autotune__was_missed(const autotune__store *store) {
    const autotune__missed_key *listed;
    const char *why;
    bool was = false, nothing;
    size_t i;
    autotune__enter_cache();
    autotune__read_list();
    nothing = !autotune__miss_file.listed && !autotune__miss_file.said;
    if (nothing) autotune__miss_file.said = true;
    listed = autotune__miss_file.listed;
    for (i = 0; !was && i < autotune__count(listed); i++)
        was = listed[i].id == store->identity.id && listed[i].machine == store->identity.machine;
    why = autotune__miss_file.unreadable;
    autotune__leave_cache();
    if (nothing)
        autotune__complain("AUTOTUNE_MODE=missed: %s%s %s, so nothing is tuned",
                           autotune__miss_file.path ? autotune__miss_file.path : "the file of misses", why ? ":" : "",
                           why ? why : "has no miss");
    return was;
}

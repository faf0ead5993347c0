/* Mode MISSED: which keys the file of misses lists. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "folder.h"
#include "miss_lines.h"
#include "miss_file.h"

/* With the lock: reads the file, once. */
static void autotune__read_list(void) {
    struct autotune__miss_file *file = &autotune__miss_file;
    size_t got = 0;
    int number;
    if (file->read) return;
    file->read = true;
    if (!autotune__find_miss_file()) return;
    if ((number = autotune__open_ours(file->path, AUTOTUNE__READ, &file->unreadable)) >= 0)
        file->text = autotune__read_whole(number, &got, &file->unreadable);
    autotune__close_file(number);
    if (file->text) file->listed = autotune__read_misses(file->text, got);
}
/* Was the key of the statement missed on this device, by whatever build of the program? */
static bool autotune__was_missed(const autotune__store *store) {
    const autotune__identity *its, *mine = &store->identity;
    const char *why;
    bool was = false, nothing;
    size_t i;
    autotune__lock_mutex(&autotune__misses_lock);
    autotune__read_list();
    nothing = !autotune__miss_file.listed && !autotune__miss_file.said;
    if (nothing) autotune__miss_file.said = true;
    for (i = 0; !was && i < autotune__count(autotune__miss_file.listed); i++) {
        its = &autotune__miss_file.listed[i].head.identity;
        was = its->id == mine->id && its->machine == mine->machine;
    }
    why = autotune__miss_file.unreadable;
    autotune__unlock_mutex(&autotune__misses_lock);
    if (nothing)
        autotune__complain("AUTOTUNE_MODE=missed: %s%s %s, so nothing is tuned",
                           autotune__miss_file.path ? autotune__miss_file.path : "the file of misses", why ? ":" : "",
                           why ? why : "has no miss");
    return was;
}

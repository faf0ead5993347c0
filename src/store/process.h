/* What all statements of the process share in the store: it lives through a fork, and until autotune_shutdown(). */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "disk.h"
#include "folder.h"
#include "lock.h"
#include "file.h"
#include "launch_notes.h"
#include "miss_file.h"

/* Around a fork the locks of the store are held, so that what they guard is whole in the child, too. */
static void autotune__hold_store(void) {
    autotune__enter_cache();
    autotune__lock_mutex(&autotune__notes_lock);
}
static void autotune__release_store(void) {
    autotune__unlock_mutex(&autotune__notes_lock);
    autotune__leave_cache();
}
/* In the child, while the locks are held: locks of files, and launch notes, are those of the parent. */
static void autotune__disown(void) {
    autotune__store *noting;
    autotune__close_lock();                     /* an open file would keep the locks of a parent that has ended */
    autotune__leave_misses_to_parent();
    for (noting = autotune__noting; noting; noting = noting->notes.next)
        noting->notes.stage = AUTOTUNE__READ_NOTES;
}
/* autotune_shutdown(). */
static void autotune__free_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    size_t i;
    autotune__free_miss_file();
    autotune__enter_cache();
    for (i = 0; i < autotune__count(cache->lines); i++) autotune__free((void *)(uintptr_t)cache->lines[i].text);
    AUTOTUNE__FREE_ARRAY(cache->lines);
    autotune__close_lock();
    autotune__forget_paths();
    autotune__free_text(&cache->say);
    memset(cache, 0, sizeof *cache);
    autotune__leave_cache();
}

/* The state that all statements of the process share: what happens to it after a fork, and in autotune_shutdown(). */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "disk.h"
#include "lock.h"
#include "file.h"
#include "launch_notes.h"
#include "miss_file.h"

/* Called in the child of a fork. Locks of files, open launch notes and misses so far belong to the parent. */
static void autotune__leave_cache_to_parent(void) {
    autotune__miss *miss;
    autotune__close_lock();                     /* else the child would keep the locks after the parent has ended */
    for (miss = autotune__miss_file.misses; miss; miss = miss->older) miss->calls = miss->written = 0;
    autotune__all_notes = NULL;
    autotune__forks++;
}
/* Called by autotune_shutdown(). */
static void autotune__free_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    size_t i;
    autotune__free_miss_file();
    AUTOTUNE__WITH_CACHE;
    for (i = 0; i < autotune__count(cache->lines); i++) autotune__free((void *)(uintptr_t)cache->lines[i].text);
    AUTOTUNE__FREE_ARRAY(cache->lines);
    autotune__close_lock();
    autotune__forget_paths();
    autotune__free_text(&cache->complaints);
    memset(cache, 0, sizeof *cache);
}
AUTOTUNE__ENTER_FLOOR(autotune__enter_store, autotune__leave_cache_to_parent, autotune__free_cache)

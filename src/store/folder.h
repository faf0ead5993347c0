/* The cache's folder: where it is, and the paths of what is in it. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "disk.h"

/* A path that the environment names, which the working directory does not change any more. NULL: no memory. */
static char *autotune__absolute_path(const char *named) {
    char here[4096];
    return autotune__is_absolute(named) ? autotune__copy_string(named)
                                        : autotune__joined(autotune__current_folder(here, sizeof here), named);
}
static char *autotune__cache_folder(const char **why) {             /* the caller frees it; NULL: why says it */
    const char *named = autotune__variable("AUTOTUNE_CACHE_DIR");
    char path[4096];
    if (!named || !*named) {
        if ((*why = autotune__find_user_cache(path, sizeof path)) != NULL) return NULL;
        named = path;
    }
    *why = "out of memory";
    return autotune__absolute_path(named);
}
static void autotune__forget_paths(void) {
    struct autotune__disk *cache = &autotune__disk;
    autotune__free(cache->folder);
    autotune__free(cache->file);
    autotune__free(cache->lock_file);
    autotune__free(cache->notes);
    cache->folder = cache->file = cache->lock_file = cache->notes = NULL;
}
/* Finds the paths of the cache. Its folder is made when something is written. Returns false if there is no cache; the
   log has the reason. */
static bool autotune__find_cache(void) {
    struct autotune__disk *cache = &autotune__disk;
    const char *why = NULL;
    if (cache->file) return true;
    cache->lock = -1;
    if ((cache->folder = autotune__cache_folder(&why)) != NULL) {
        cache->file = autotune__joined(cache->folder, "results.jsonl");
        cache->lock_file = autotune__joined(cache->folder, "lock");
        cache->notes = autotune__joined(cache->folder, "notes");
        if (cache->file && cache->lock_file && cache->notes) return true;
        why = "out of memory";
    }
    autotune__say_unusable("the cache on disk", why);
    autotune__forget_paths();                   /* there may be memory later */
    return false;
}

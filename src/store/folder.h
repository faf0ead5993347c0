/* The cache's folder: where it is, and which files in it are safe to use. */
#pragma once
#include <errno.h>
#include <stdlib.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "write_files.h"
#include "disk.h"

/* Opens a regular file of the user's own. Links are not followed: who may write to the folder could lead elsewhere with
   them. -1: why says it; NULL: there is none. */
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
/* The same for writing: the file is made if there is none, and so is its folder; NULL: that has to be there. -1: why
   says it. */
static int autotune__create_ours(const char *path, int how, char *folder, const char **why) {
    int file = autotune__open_ours(path, how | AUTOTUNE__CREATE, why);
    if (file < 0 && !*why && folder && autotune__make_folders(folder))
        file = autotune__open_ours(path, how | AUTOTUNE__CREATE, why);
    if (file < 0 && !*why) *why = strerror(errno);
    return file;
}
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
/* The paths of the cache. Its folder is made when something is written. False: there is none, which was said. */
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

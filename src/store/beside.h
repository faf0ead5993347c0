/* What other floors keep in the folder of the cache, beside the records: files in folders of their own. */
#pragma once
#include <errno.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "disk.h"
#include "folder.h"

/* The path of what has this name in the folder. NULL: there is no cache on disk, or no memory. */
static AUTOTUNE__UNUSED char *autotune__path_in_cache(const char *name) {
    AUTOTUNE__WITH_CACHE;
    return autotune__find_cache() ? autotune__joined(autotune__disk.folder, name) : NULL;
}
/* Keeps a file in such a folder, or says why not. It is not flushed, since its checksum shows whether it is whole.
   free_up: makes room for so many bytes, with the lock of the cache. */
static AUTOTUNE__UNUSED void autotune__keep_in_cache(char *folder, const char *path, const autotune__text *text,
                                                     void (*free_up)(const char *folder, double bytes, void *user),
                                                     void *user) {
    const char *why = "out of memory";
    AUTOTUNE__WITH_CACHE;
    if (!text->broken && !autotune__is_own_folder(folder))
        why = autotune__make_folders(folder) ? "is no folder of this user's" : strerror(errno);
    if (!text->broken && autotune__is_own_folder(folder)) {
        free_up(folder, (double)autotune__count(text->at), user);
        if (autotune__replace_file(path, text->at, autotune__count(text->at), 0, false, &why)) return;
    }
    autotune__say_unwritable(folder, why);
}

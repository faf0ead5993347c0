/* Folders in the cache for the files of other floors, beside the file of records. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "disk.h"

/* Returns the path of the folder or file with this name in the folder of the cache. NULL: no cache on disk, or no
   memory. The caller holds the lock of the cache, and frees the path. */
static char *autotune__path_in_cache(const char *name) {
    return autotune__find_cache() ? autotune__joined(autotune__disk.folder, name) : NULL;
}
/* Says why a folder or a file of machine code cannot be trusted. */
static void autotune__say_untrusted(const char *path, const char *why) {
    autotune__say_once(&autotune__disk.said_untrusted, path, why,
                       "machine code there is not loaded, but compiled again; 'chmod go-w' takes this right "
                       "from others");
}
static bool autotune__trusts_folder(const char *folder) {
    const bool own = autotune__is_own_folder(folder);
    if (!own) autotune__say_untrusted(folder, "is not a folder to which only this user may write");
    return own;
}
/* Opens a file of machine code in a folder of the cache for reading. Returns -1 if there is no file. Returns -1, and
   says why, if the file cannot be opened, or if other users may write to the folder or to the file. */
static AUTOTUNE__UNUSED int autotune__open_in_cache(const char *folder_name, const char *name) {
    AUTOTUNE__WITH_CACHE;
    char *folder AUTOTUNE__OWNED = autotune__path_in_cache(folder_name),
         *path AUTOTUNE__OWNED = folder ? autotune__joined(folder, name) : NULL;
    const char *why = NULL;
    autotune__file_facts facts;
    int file;
    if (!path || !autotune__facts_of_name(folder, &facts) || !autotune__trusts_folder(folder)) return -1;
    file = autotune__open_ours(path, AUTOTUNE__READ, &why);
    if (file >= 0 && autotune__facts_of_file(file, &facts) && !facts.others_may_write) return file;
    if (file >= 0) why = "is a file to which others may write";
    if (why) autotune__say_untrusted(path, why);
    autotune__close_file(file);
    return -1;
}
/* Keeps a file of machine code in a folder of the cache, or says why not. The file is not flushed, since its checksum
   shows whether it is whole. free_up: makes room for `bytes` bytes, and is called with the lock of the cache. */
static AUTOTUNE__UNUSED void autotune__keep_in_cache(const char *folder_name, const char *name,
                                                     const autotune__text *text,
                                                     void (*free_up)(const char *folder, double bytes, void *user),
                                                     void *user) {
    AUTOTUNE__WITH_CACHE;
    char *folder AUTOTUNE__OWNED = autotune__path_in_cache(folder_name),
         *path AUTOTUNE__OWNED = folder ? autotune__joined(folder, name) : NULL;
    const char *why = "out of memory";
    if (path && !text->broken && !autotune__is_own_folder(folder) && !autotune__make_folders(folder))
        why = strerror(errno);
    else if (path && !text->broken) {
        if (!autotune__trusts_folder(folder)) return;
        free_up(folder, (double)autotune__count(text->at), user);
        if (autotune__replace_file(path, text->at, autotune__count(text->at), 0, false, &why)) return;
    }
    if (folder) autotune__say_unwritable(folder, why);
}

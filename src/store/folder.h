/* The cache's folder: where it is, and files in it that are safe to use. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/memory.h"
#include "../system/files.h"
#include "write_files.h"
#include "lines.h"

/* The file system. */
static bool autotune__is_ours(int file, const char **why) {         /* a regular file of the user's own */
    struct stat status;
    *why = NULL;
    if (fstat(file, &status) != 0) *why = strerror(errno);
    else if (!S_ISREG(status.st_mode)) *why = "is no regular file";
    else if (status.st_uid != geteuid()) *why = "belongs to another user";
    return !*why;
}
/* -1: why says it; NULL: it is not there */
static int autotune__open_ours(const char *path, int flags, const char **why) {
    const int file = autotune__open_path(path, flags | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
    if (file < 0) *why = errno == ENOENT ? NULL : errno == ELOOP ? "is a link, which is not followed" : strerror(errno);
    else if (!autotune__is_ours(file, why)) { close(file); return -1; }
    return file;
}
static bool autotune__make_folders(char *path) {                    /* and those above it, for their owner alone; else
                                                                       errno tells */
    char *slash;
    int first = 0;                              /* of the folder that was missing, if the last fails for want of it */
    for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST && !first) first = errno;
        *slash = '/';
    }
    if (mkdir(path, S_IRWXU) == 0 || errno == EEXIST) return true;
    if (errno == ENOENT && first) errno = first;
    return false;
}
static char *autotune__cache_folder(const char **why) {             /* NULL: why says it */
    const char *said = getenv("AUTOTUNE_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char here[4096], *folder;
    *why = "out of memory";
    if (said && *said == '/') folder = autotune__copy_string(said);
    else if (said && *said) folder = autotune__joined(getcwd(here, sizeof here) ? here : ".", said);
    else if (xdg && *xdg == '/') folder = autotune__joined(xdg, "autotune");
    else if (home && *home == '/') folder = autotune__joined(home, ".cache/autotune");
    else { *why = "neither AUTOTUNE_CACHE_DIR, XDG_CACHE_HOME nor HOME says where it is"; return NULL; }
    return folder;
}
static void autotune__forget_paths(void) {
    struct autotune__cache *cache = &autotune__cache;
    autotune__free(cache->folder);
    autotune__free(cache->file);
    autotune__free(cache->new_file);
    autotune__free(cache->lock_file);
    autotune__free(cache->journals);
    cache->folder = cache->file = cache->new_file = cache->lock_file = cache->journals = NULL;
    cache->usable = false;
}
static bool autotune__find_cache(void) {        /* its paths; the folder itself is made when something is written */
    struct autotune__cache *cache = &autotune__cache;
    const char *why = NULL;
    if (cache->usable) return true;
    cache->lock = -1;
    if ((cache->folder = autotune__cache_folder(&why)) != NULL) {
        cache->file = autotune__joined(cache->folder, "results.jsonl");
        cache->new_file = autotune__joined(cache->folder, "results.jsonl.new");
        cache->lock_file = autotune__joined(cache->folder, "lock");
        cache->journals = autotune__joined(cache->folder, "journal");
        cache->usable = cache->file && cache->new_file && cache->lock_file && cache->journals;
        why = "out of memory";
    }
    if (cache->usable) return true;
    autotune__say_unusable("the cache on disk", why);
    autotune__forget_paths();                   /* there may be memory later */
    return false;
}

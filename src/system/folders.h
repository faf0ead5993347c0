/* Folders and paths: folders made and walked through. A function that fails sets errno. */
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/floor.h"
#include "types.h"
#include "files.h"

static bool autotune__is_separator(char character) { return character == '/'; }     /* of a folder and a name */
static AUTOTUNE__UNUSED bool autotune__is_absolute(const char *path) { return autotune__is_separator(*path); }
/* The folder of the user for files that programs can make again. A variable of the environment names a folder, and this
   library has a folder below it. The last member is the sentence for an environment that names none. */
static const char *const autotune__cache_places[][2] = { { "XDG_CACHE_HOME", "autotune" },
                                                          { "HOME", ".cache/autotune" } };
static const char autotune__no_cache_place[] = "neither AUTOTUNE_CACHE_DIR, XDG_CACHE_HOME nor HOME says where it is";
/* Makes a folder for its owner alone. */
static AUTOTUNE__UNUSED bool autotune__make_folder(const char *path) { return mkdir(path, S_IRWXU) == 0; }
/* The names in a folder, but for those that begin with a point. */
static AUTOTUNE__UNUSED void autotune__walk_folder(const char *path, void (*visit)(const char *name, void *user),
                                                   void *user) {
    const int file = autotune__above_standard_files(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    const struct dirent *entry;
    if (!folder) autotune__close_file(file);
    while (folder && (entry = readdir(folder)) != NULL) if (*entry->d_name != '.') visit(entry->d_name, user);
    if (folder) closedir(folder);
}
/* The names that a folder has are there after the machine went down, too. */
static AUTOTUNE__UNUSED void autotune__flush_folder(const char *path) {
    const int folder = autotune__open_file(path, AUTOTUNE__READ);
    if (folder >= 0) (void)fsync(folder);
    autotune__close_file(folder);
}
static AUTOTUNE__UNUSED const char *autotune__current_folder(char *path, size_t room) {    /* "." if unknown */
    return getcwd(path, room) ? path : ".";
}

/* Folders and paths: folders made and walked through; the user's folder of what can be found out again. Where a
   function fails, errno says why. */
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#include <sddl.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#include "../api/language.h"
#include "files.h"

static bool autotune__is_absolute(const char *path);
/* A folder below that which the environment names. False: it names none, or a relative one. */
static bool autotune__named_folder(const char *variable, const char *below, char *path, size_t room) {
    const char *folder = getenv(variable);
    const int length = folder && autotune__is_absolute(folder) ? snprintf(path, room, "%s/%s", folder, below) : -1;
    return length >= 0 && (size_t)length < room;
}

#ifndef _WIN32
static bool autotune__is_separator(char character) { return character == '/'; }     /* of a folder and a name */
static AUTOTUNE__UNUSED bool autotune__is_absolute(const char *path) { return autotune__is_separator(*path); }
/* Where the user keeps what programs can find out again: a folder of this library there. Returns NULL, or the sentence
   that says why there is none. */
static AUTOTUNE__UNUSED const char *autotune__find_user_cache(char *path, size_t room) {
    return autotune__named_folder("XDG_CACHE_HOME", "autotune", path, room) ||
                   autotune__named_folder("HOME", ".cache/autotune", path, room)
               ? NULL
               : "neither AUTOTUNE_CACHE_DIR, XDG_CACHE_HOME nor HOME says where it is";
}
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
#else
/* What begins with a separator alone is on the current drive. */
static bool autotune__is_separator(char character) { return character == '/' || character == '\\'; }
static AUTOTUNE__UNUSED bool autotune__is_absolute(const char *path) {
    return (*path && path[1] == ':' && autotune__is_separator(path[2])) ||
           (autotune__is_separator(*path) && autotune__is_separator(path[1]));
}
static AUTOTUNE__UNUSED const char *autotune__find_user_cache(char *path, size_t room) {
    return autotune__named_folder("LOCALAPPDATA", "autotune", path, room)
               ? NULL
               : "neither AUTOTUNE_CACHE_DIR nor LOCALAPPDATA says where it is";
}

/* For the user, the system and its administrators alone. A drive is there. */
static AUTOTUNE__UNUSED bool autotune__make_folder(const char *path) {
    SECURITY_ATTRIBUTES attributes = { sizeof attributes, NULL, FALSE };
    autotune__user user;
    char *name = NULL, words[256];
    bool made;
    if (path[strlen(path) - 1] == ':') { errno = EEXIST; return false; }
    if (autotune__ask_user(&user) && ConvertSidToStringSidA(user.is.User.Sid, &name)) {
        snprintf(words, sizeof words, "D:P(A;OICI;FA;;;%s)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", name);
        if (!ConvertStringSecurityDescriptorToSecurityDescriptorA(words, SDDL_REVISION_1,
                                                                  &attributes.lpSecurityDescriptor, NULL))
            attributes.lpSecurityDescriptor = NULL;
        LocalFree(name);
    }
    made = CreateDirectoryA(path, attributes.lpSecurityDescriptor ? &attributes : NULL) || autotune__windows_failed();
    LocalFree(attributes.lpSecurityDescriptor);
    return made;
}
static AUTOTUNE__UNUSED void autotune__walk_folder(const char *path, void (*visit)(const char *name, void *user),
                                                   void *user) {
    WIN32_FIND_DATAA entry;
    char pattern[4096];
    HANDLE folder;
    if ((size_t)snprintf(pattern, sizeof pattern, "%s/*", path) >= sizeof pattern) return;
    folder = FindFirstFileA(pattern, &entry);
    if (folder == INVALID_HANDLE_VALUE) return;
    do if (*entry.cFileName != '.') visit(entry.cFileName, user);
    while (FindNextFileA(folder, &entry));
    FindClose(folder);
}
static AUTOTUNE__UNUSED void autotune__flush_folder(const char *path) { (void)path; }     /* NTFS keeps a journal */
static AUTOTUNE__UNUSED const char *autotune__current_folder(char *path, size_t room) {
    const DWORD length = GetCurrentDirectoryA((DWORD)room, path);
    return length && length < room ? path : ".";
}
#endif

/* The last character that stands between a folder and a name; NULL: the path has none. */
static AUTOTUNE__UNUSED const char *autotune__last_separator(const char *path) {
    const char *last = NULL;
    for (; *path; path++) if (autotune__is_separator(*path)) last = path;
    return last;
}
/* Makes a folder and those above it. The path is changed meanwhile. */
static AUTOTUNE__UNUSED bool autotune__make_folders(char *path) {
    int first = 0;                              /* the error of the first folder that could not be made */
    char *at;
    for (at = path + 1; *at; at++) {
        const char separator = *at;
        if (!autotune__is_separator(separator)) continue;
        *at = 0;
        if (!autotune__make_folder(path) && errno != EEXIST && !first) first = errno;
        *at = separator;
    }
    if (autotune__make_folder(path) || errno == EEXIST) return true;
    if (errno == ENOENT && first) errno = first;
    return false;
}

/* Files: opened so that none takes the place of the standard input, output or error. */
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/language.h"

/* Files. Their numbers are above 2, whatever numbers are free: in a program that was started without standard output,
   or closed it, what it prints would else land in a file of ours. -1 or NULL: errno says why. */
static AUTOTUNE__UNUSED int autotune__open_path(const char *path, int flags, mode_t mode) {
    const int file = open(path, flags | O_CLOEXEC, mode);
    int above;
    if (file < 0 || file > STDERR_FILENO) return file;
    above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return above;
}
static AUTOTUNE__UNUSED FILE *autotune__open_to_read(const char *path) {
    const int file = autotune__open_path(path, O_RDONLY, 0);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (!stream && file >= 0) close(file);
    return stream;
}
static AUTOTUNE__UNUSED DIR *autotune__open_folder(const char *path) {
    const int file = autotune__open_path(path, O_RDONLY | O_DIRECTORY, 0);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    if (!folder && file >= 0) close(file);
    return folder;
}

/* Files: opened so that none takes the place of the standard input, output or error. */
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/language.h"

/* The number of every file that is opened here is above 2. A program may have been started without standard output, or
   may have closed it; if a file of this library took the free number, it would receive what the program prints.
   -1 or NULL: errno says why. */
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
/* Does somebody see what is written to the standard error? */
static bool autotune__stderr_is_terminal(void) { return isatty(STDERR_FILENO); }

/* Files are read into memory. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/language.h"
#include "../system/files.h"
#include "memory.h"

/* At most `most` bytes of a file from `offset` on, with a zero behind them. The caller frees them. NULL: errno says
   why. */
static AUTOTUNE__UNUSED char *autotune__read_part(int file, size_t offset, size_t most, size_t *got) {
    char *bytes = (char *)AUTOTUNE_REALLOC(NULL, most + 1);         /* not zeroed: it may be large */
    ssize_t more = 1;
    *got = 0;
    if (!bytes) errno = ENOMEM;
    while (bytes && more && *got < most) {
        more = pread(file, bytes + *got, most - *got, (off_t)(offset + *got));
        if (more >= 0) *got += (size_t)more;
        else if (errno != EINTR) { autotune__free(bytes); return NULL; }
    }
    if (bytes) bytes[*got] = 0;
    return bytes;
}
/* All bytes of a regular file, likewise. NULL: why says it. */
static AUTOTUNE__UNUSED char *autotune__read_whole(int file, size_t *got, const char **why) {
    struct stat status;
    char *bytes = NULL;
    *why = NULL;
    if (fstat(file, &status) == 0 && !S_ISREG(status.st_mode)) *why = "is no regular file";
    else bytes = autotune__read_part(file, 0, (size_t)status.st_size, got);
    if (!bytes && !*why) *why = strerror(errno);
    return bytes;
}
/* The same of the file at a path. */
static AUTOTUNE__UNUSED char *autotune__read_path(const char *path, size_t *got, const char **why) {
    const int file = autotune__open_path(path, O_RDONLY | O_NONBLOCK, 0);
    char *bytes;
    if (file < 0) { *why = strerror(errno); return NULL; }
    bytes = autotune__read_whole(file, got, why);
    close(file);
    return bytes;
}

/* Files that are written whole or not at all. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../system/files.h"
#include "../system/threads.h"

/* Is there room for so many bytes more? A write past this limit would end the program by a signal. */
static bool autotune__fits(size_t size, size_t more) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size + more <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}
static bool autotune__write_all(int file, const char *bytes, size_t count) {        /* false: errno says why */
    while (count) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) { if (!written) errno = ENOSPC; return false; }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}
/* Fills a new file and gives it the path, where another file may stand. lasting: it is there after the machine went
   down, too. `file` has the name `new_name`, and is closed. False: why says it, and the new file is removed. */
static bool autotune__fill_and_rename(int file, const char *new_name, const char *path, const char *bytes, size_t count,
                                      bool lasting, const char **why) {
    bool written = autotune__fits(0, count) && autotune__write_all(file, bytes, count);
    if (written && lasting) written = fsync(file) == 0;
    if (!written) *why = strerror(errno);
    if (close(file) != 0 && written) { *why = strerror(errno); written = false; }
    if (written && rename(new_name, path) != 0) { *why = strerror(errno); written = false; }
    if (!written) unlink(new_name);
    return written;
}
/* The same under a new name that nobody has: no link stands there that would be followed, and no other process writes
   to it, on whatever machine and with whatever number. */
static bool autotune__replace_file(const char *path, const char *bytes, size_t count, mode_t mode, bool lasting,
                                   const char **why) {
    static uint64_t number;
    const size_t room = strlen(path) + 32;
    char *new_name = (char *)autotune__allocate(room);
    uint64_t drawn = autotune__hash_word(autotune__wait_clock(), (uint64_t)getpid());
    int file = -1, tries;
    bool written;
    if (!new_name) { *why = "out of memory"; return false; }
    for (errno = EEXIST, tries = 0; file < 0 && errno == EEXIST && tries < 100; tries++) {
        drawn = autotune__hash_word(drawn, __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED) ^
                                               (uint64_t)(uintptr_t)new_name);
        snprintf(new_name, room, "%s.new-%016llx", path, (unsigned long long)drawn);
        file = autotune__open_path(new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    }
    if (file < 0) *why = strerror(errno);
    written = file >= 0 && autotune__fill_and_rename(file, new_name, path, bytes, count, lasting, why);
    autotune__free(new_name);
    return written;
}

static char *autotune__joined(const char *folder, const char *name) {           /* NULL: no memory */
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = (char *)autotune__allocate(bytes);
    if (path) snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}
/* A link among the open files of this process, as /dev/stdout leads to one: its number there; -1: it is none. */
static int autotune__open_number(const char *link) {
    const char *name = strrchr(link, '/');
    struct stat folder, own;
    char *path = name ? autotune__copy_string(link) : NULL;
    int number = -1;
    if (path) path[name - link] = 0;
    if (path && stat(path, &folder) == 0 && stat("/proc/self/fd", &own) == 0 && folder.st_dev == own.st_dev &&
        folder.st_ino == own.st_ino)
        number = (int)strtol(name + 1, NULL, 10);
    autotune__free(path);
    return number;
}
/* Where a link at the end of a path leads to, whether something is there or not; a path that does not end with a link
   leads to itself. The caller frees it. number: that of the open file that the link leads to; -1: it leads to none.
   NULL: errno says why. */
static char *autotune__follow_links(const char *path, int *number) {
    char target[4096], *at = autotune__copy_string(path), *next, *slash;
    int links;
    *number = -1;
    if (!at) errno = ENOMEM;
    for (links = 0; at && links < 40; links++) {
        const ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0 || (*number = autotune__open_number(at)) >= 0) return at;
        target[length] = 0;
        if ((slash = strrchr(at, '/')) != NULL) *slash = 0;
        next = *target == '/' ? autotune__copy_string(target) : autotune__joined(slash ? at : ".", target);
        autotune__free(at);
        if (!(at = next)) { errno = ENOMEM; return NULL; }
    }
    autotune__free(at);
    if (links) errno = ELOOP;
    return NULL;
}
/* A file for the user, under the path that the user gave: one that is there is replaced. Links are followed, and stay.
   What is no regular file, as a pipe or a device, is written to. False: why says it. */
static bool autotune__write_file(const char *path, const autotune__text *text, const char **why) {
    const mode_t mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    const size_t count = autotune__count(text->at);
    struct stat status;
    bool written;
    int number, file;
    off_t offset;
    char *target = autotune__follow_links(path, &number);
    if (target && number < 0 && (stat(target, &status) != 0 || S_ISREG(status.st_mode)))
        written = autotune__replace_file(target, text->at, count, mode, true, why);
    else {
        file = !target ? -1 : number < 0 ? autotune__open_path(target, O_WRONLY, 0)
                                         : fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        offset = file < 0 ? -1 : lseek(file, 0, SEEK_CUR);          /* -1: a pipe has none */
        written = file >= 0 && (offset < 0 || autotune__fits((size_t)offset, count)) &&
                  autotune__write_all(file, text->at, count);
        if (!written) *why = strerror(errno);
        if (file >= 0) close(file);
    }
    autotune__free(target);
    return written;
}

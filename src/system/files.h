/* Files and folders: opening, identifying, reading, writing, replacing, removing and locking files; making and walking
   folders. A function that fails sets errno. A function of type bool returns false if it fails.

   Other rooms see a file as a number. On Windows the number is that of a handle, which functions of the C library
   cannot use; all handles of Windows fit into 32 bits. A path is in the code page of the program, like paths of the C
   library. */
#pragma once
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/floor.h"
#include "types.h"

/* Returns another number above 2 for an open file. All files of this library have numbers above 2. A program that has
   closed its standard output would print to a file that gets the number 1. */
static AUTOTUNE__UNUSED int autotune__duplicate_file(int file) {
    return fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}
static AUTOTUNE__UNUSED int autotune__above_standard_files(int file) {
    int above;
    if (file < 0 || file > STDERR_FILENO) return file;
    above = autotune__duplicate_file(file);
    close(file);
    return above;
}
static AUTOTUNE__UNUSED int autotune__open_file(const char *path, int how) {        /* -1: an error */
    const int flags = (how & AUTOTUNE__WRITE ? how & AUTOTUNE__READ ? O_RDWR : O_WRONLY : O_RDONLY) |
                      (how & AUTOTUNE__APPEND ? O_APPEND : 0) | (how & AUTOTUNE__CREATE ? O_CREAT : 0) |
                      (how & AUTOTUNE__NEW ? O_CREAT | O_EXCL : 0) | (how & AUTOTUNE__NO_LINK ? O_NOFOLLOW : 0) |
                      (how & AUTOTUNE__NO_WAIT ? O_NONBLOCK : 0);
    const mode_t mode = S_IRUSR | S_IWUSR | (how & AUTOTUNE__SHARED ? S_IRGRP | S_IROTH : 0);
    return autotune__above_standard_files(open(path, flags | O_CLOEXEC, mode));
}
static AUTOTUNE__UNUSED FILE *autotune__open_to_read(const char *path) {            /* NULL: an error */
    const int file = autotune__open_file(path, AUTOTUNE__READ);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (!stream && file >= 0) close(file);
    return stream;
}
static AUTOTUNE__UNUSED bool autotune__close_file(int file) {       /* a negative number is no file */
    return file < 0 || close(file) == 0;
}
/* Returns true if the standard error is a terminal. */
static bool autotune__stderr_is_terminal(void) { return isatty(STDERR_FILENO); }

/* Copies the facts of a file from `status`. If `error` is not 0, for instance because the file is missing, all facts
   are 0, and the result is false. */
static AUTOTUNE__UNUSED bool autotune__take_facts(int error, const struct stat *status, autotune__file_facts *facts) {
    memset(facts, 0, sizeof *facts);
    if (error != 0) return false;
    facts->id.device = (uint64_t)status->st_dev;
    facts->id.number = (uint64_t)status->st_ino;
    facts->bytes = (size_t)status->st_size;
#ifdef __APPLE__
    facts->modified_ns = (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
    facts->modified_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
    facts->is_regular = S_ISREG(status->st_mode);
    facts->is_folder = S_ISDIR(status->st_mode);
    facts->is_own = status->st_uid == geteuid();
    facts->others_may_write = (status->st_mode & (S_IWGRP | S_IWOTH)) != 0;
    return true;
}
static AUTOTUNE__UNUSED bool autotune__facts_of_file(int file, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(fstat(file, &status), &status, facts);
}
static AUTOTUNE__UNUSED bool autotune__facts_of_path(const char *path, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(stat(path, &status), &status, facts);
}
/* Like autotune__facts_of_path(), but does not follow a link at the end of the path. */
static AUTOTUNE__UNUSED bool autotune__facts_of_name(const char *path, autotune__file_facts *facts) {
    struct stat status;
    return autotune__take_facts(lstat(path, &status), &status, facts);
}
/* Reads `most` bytes from `offset` on, or fewer at the end of the file. */
static AUTOTUNE__UNUSED bool autotune__read_at(int file, char *bytes, size_t most, size_t offset, size_t *got) {
    ssize_t more = 1;
    for (*got = 0; more && *got < most;) {
        more = pread(file, bytes + *got, most - *got, (off_t)(offset + *got));
        if (more > 0) *got += (size_t)more;
        else if (more < 0 && errno != EINTR) return false;
    }
    return true;
}
/* Returns true if RLIMIT_FSIZE lets a file of `size` bytes grow by `more`. A write beyond this limit would end the
   program. */
static AUTOTUNE__UNUSED bool autotune__fits(size_t size, size_t more) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || size + more <= limit.rlim_cur)
        return true;
    errno = EFBIG;
    return false;
}
static AUTOTUNE__UNUSED bool autotune__write_all(int file, const char *bytes, size_t count) {
    while (count) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) { if (!written) errno = ENOSPC; return false; }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}
static AUTOTUNE__UNUSED bool autotune__write_at(int file, const char *bytes, size_t count, size_t offset) {
    ssize_t written;
    do written = pwrite(file, bytes, count, (off_t)offset);
    while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written < count) errno = ENOSPC;
    return written >= 0 && (size_t)written == count;
}
static AUTOTUNE__UNUSED bool autotune__truncate(int file, size_t bytes) { return ftruncate(file, (off_t)bytes) == 0; }
static AUTOTUNE__UNUSED void autotune__remove_file(const char *path) { (void)unlink(path); }
/* Renames a file to `path`. A file that has this path before is replaced. */
static AUTOTUNE__UNUSED bool autotune__rename_over(const char *new_name, const char *path) {
    return rename(new_name, path) == 0;
}
/* Flushes the file, so that a crash of the machine does not lose it. */
static AUTOTUNE__UNUSED bool autotune__flush_file(int file) { return fsync(file) == 0; }

static bool autotune__is_separator(char character) { return character == '/'; }     /* between a folder and a name */
static AUTOTUNE__UNUSED bool autotune__is_absolute(const char *path) { return autotune__is_separator(*path); }
/* The places for the cache, the preferred place first: a variable that names a folder of the user, and the path of the
   cache's folder below it. autotune__no_cache_place is the message if none of these variables is set. */
static const char *const autotune__cache_places[][2] = { { "XDG_CACHE_HOME", "autotune" },
                                                          { "HOME", ".cache/autotune" } };
static const char autotune__no_cache_place[] = "neither AUTOTUNE_CACHE_DIR, XDG_CACHE_HOME nor HOME says where it is";
/* Makes a folder that only its owner may use. */
static AUTOTUNE__UNUSED bool autotune__make_folder(const char *path) { return mkdir(path, S_IRWXU) == 0; }
/* Calls visit() for each name in a folder, except names that begin with a dot. */
static AUTOTUNE__UNUSED void autotune__walk_folder(const char *path, void (*visit)(const char *name, void *user),
                                                   void *user) {
    const int file = autotune__above_standard_files(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    const struct dirent *entry;
    if (!folder) autotune__close_file(file);
    while (folder && (entry = readdir(folder)) != NULL) if (*entry->d_name != '.') visit(entry->d_name, user);
    if (folder) closedir(folder);
}
/* Flushes the names in a folder, so that a crash of the machine does not lose them. */
static AUTOTUNE__UNUSED void autotune__flush_folder(const char *path) {
    const int folder = autotune__open_file(path, AUTOTUNE__READ);
    if (folder >= 0) (void)fsync(folder);
    autotune__close_file(folder);
}
static AUTOTUNE__UNUSED const char *autotune__current_folder(char *path, size_t room) {    /* "." if unknown */
    return getcwd(path, room) ? path : ".";
}

/* Locks among processes: each lock is a byte of an open file, at the offset `at`. A lock ends at the latest
   when its process and all children that have the file open have ended.

   One process may have two copies of this implementation, for instance in a library with AUTOTUNE_STATIC. On 64-bit
   Linux since 3.15 a lock by F_OFD_SETLK belongs to the open file. So the two copies exclude each other like two
   processes, and a copy that closes its file drops only its own locks. Headers for strict POSIX hide the name
   F_OFD_SETLK, so this room has its number. On other systems a lock belongs to the process, and the copies do not
   exclude each other. */
static AUTOTUNE__UNUSED int autotune__ask_lock(int file, int command, short type, uint64_t at, struct flock *range) {
    memset(range, 0, sizeof *range);
    range->l_type = type;
    range->l_whence = SEEK_SET;
    range->l_start = (off_t)at;
    range->l_len = 1;
#if defined __linux__ && defined __LP64__
    enum { OFD_GETLK = 36, OFD_SETLK = 37 };
    if (fcntl(file, command == F_GETLK ? OFD_GETLK : OFD_SETLK, range) == 0) return 0;
    if (errno != EINVAL) return -1;
#endif
    return fcntl(file, command, range);
}
static AUTOTUNE__UNUSED autotune__locked autotune__lock_at(int file, uint64_t at) {       /* without waiting */
    struct flock range;
    if (autotune__ask_lock(file, F_SETLK, F_WRLCK, at, &range) == 0) return AUTOTUNE__HELD;
    return errno == EACCES || errno == EAGAIN ? AUTOTUNE__BUSY : AUTOTUNE__NO_LOCKS;
}
static AUTOTUNE__UNUSED void autotune__unlock_at(int file, uint64_t at) {
    struct flock range;
    (void)autotune__ask_lock(file, F_SETLK, F_UNLCK, at, &range);
}
/* Returns true if another process, or another copy of this implementation, holds the lock. */
static AUTOTUNE__UNUSED bool autotune__is_locked_at(int file, uint64_t at) {
    struct flock range;
    return autotune__ask_lock(file, F_GETLK, F_WRLCK, at, &range) == 0 && range.l_type != F_UNLCK;
}

/* Locks among processes. */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../system/threads.h"
#include "../system/clock.h"
#include "session.h"
#include "lines.h"
#include "folder.h"

/* Each lock is a byte of the file `lock`: byte 0 is the lock for writing to the cache's file, and each key on a device
   has one of the others. */
typedef enum autotune__locked { AUTOTUNE__BUSY, AUTOTUNE__HELD, AUTOTUNE__NO_LOCKS } autotune__locked;

static bool autotune__is_lock_file(int error, const struct stat *status) {         /* is it the one that was opened? */
    return error == 0 && status->st_ino == autotune__cache.lock_inode && status->st_dev == autotune__cache.lock_device;
}
/* Is it open? Whoever closed it may have got its number for another file. */
static bool autotune__has_lock_open(void) {
    struct stat status;
    return autotune__cache.lock >= 0 && autotune__is_lock_file(fstat(autotune__cache.lock, &status), &status);
}
/* Opens the lock file, once more if it was closed, removed or replaced since. create: else it has to be there, and may
   be there for reading only, to look at locks. */
static bool autotune__open_lock(bool create) {
    struct autotune__cache *cache = &autotune__cache;
    struct stat open_one, named;
    const char *why;
    if (autotune__has_lock_open()) {
        if (cache->lock_process == getpid() && autotune__is_lock_file(lstat(cache->lock_file, &named), &named))
            return true;
        close(cache->lock);                     /* the locks of a parent stay, since the parent has it open, too */
    }
    if (create) cache->lock = autotune__create_ours(cache->lock_file, O_RDWR, cache->folder, &why);
    else if ((cache->lock = autotune__open_ours(cache->lock_file, O_RDWR, &why)) < 0)
        cache->lock = autotune__open_ours(cache->lock_file, O_RDONLY, &why);
    if (cache->lock < 0 || fstat(cache->lock, &open_one) != 0) return false;
    cache->lock_inode = open_one.st_ino;
    cache->lock_device = open_one.st_dev;
    cache->lock_process = getpid();
    return true;
}
/* Where the system has locks that belong to the open file, these are taken: F_OFD_GETLK and F_OFD_SETLK of Linux 3.15
   and later, whose names the C library hides from POSIX programs. So two copies of this implementation in one process
   (in a library with AUTOTUNE_STATIC, say) exclude each other as two processes do, and a copy that closes the file
   drops no lock of the other. Elsewhere locks belong to the process, and neither holds. */
static int autotune__ask_lock(int command, struct flock *range) {          /* F_GETLK or F_SETLK */
#if defined __linux__ && defined __LP64__
    enum { OFD_GETLK = 36, OFD_SETLK = 37 };
    if (fcntl(autotune__cache.lock, command == F_GETLK ? OFD_GETLK : OFD_SETLK, range) == 0) return 0;
    if (errno != EINVAL) return -1;
#endif
    return fcntl(autotune__cache.lock, command, range);
}
static off_t autotune__lock_byte(const autotune__identity *identity) {     /* of a tuner and key on a device */
    return (off_t)(1 + ((identity->id ^ identity->machine) & 0x3FFFFFFF));
}
static autotune__locked autotune__lock_once(off_t byte, short type) {
    struct flock range;
    memset(&range, 0, sizeof range);
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    if (autotune__ask_lock(F_SETLK, &range) == 0) return AUTOTUNE__HELD;
    return errno == EACCES || errno == EAGAIN ? AUTOTUNE__BUSY : AUTOTUNE__NO_LOCKS;
}
static void autotune__unlock(off_t byte) {
    if (autotune__cache.lock_process == getpid() && autotune__has_lock_open()) autotune__lock_once(byte, F_UNLCK);
}
/* Does another process have it locked, or another copy of this implementation? */
static bool autotune__is_locked(off_t byte) {
    struct flock range;
    memset(&range, 0, sizeof range);
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    return autotune__open_lock(false) && autotune__ask_lock(F_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}
/* In a child made by fork, with the lock of the cache. If the child kept the file open, it would keep the locks of its
   parent after the parent has ended. */
static void autotune__leave_locks_to_parent(void) {
    if (autotune__has_lock_open()) close(autotune__cache.lock);
    autotune__cache.lock = -1;
}
/* The lock for writing. It is held for a few milliseconds; a process that holds it for five seconds is stopped, and is
   waited for no more: the five seconds are for all writing together. */
static autotune__locked autotune__lock_file(bool create) {
    const uint64_t patience = 5000000000u, before = autotune__cache.waited, began = autotune__wait_clock();
    autotune__locked locked;
    if (!autotune__open_lock(create)) return AUTOTUNE__NO_LOCKS;
    while ((locked = autotune__lock_once(0, F_WRLCK)) == AUTOTUNE__BUSY && autotune__cache.waited < patience) {
        autotune__sleep_ns(1000000);
        autotune__cache.waited = before + (autotune__wait_clock() - began);
    }
    if (locked == AUTOTUNE__HELD) autotune__cache.waited = 0;
    return locked;
}
static void autotune__unlock_file(autotune__locked locked) { if (locked == AUTOTUNE__HELD) autotune__unlock(0); }

/* Locks among processes: of single bytes of an open file. They end with the process at the latest. */
#pragma once
#include <errno.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif
#include "../api/language.h"
#include "files.h"

/* BUSY: another process has the lock. NO_LOCKS: this file, or its file system, has none. */
typedef enum autotune__locked { AUTOTUNE__BUSY, AUTOTUNE__HELD, AUTOTUNE__NO_LOCKS } autotune__locked;

#ifndef _WIN32
/* Locks belong to the open file, where the system has such: F_OFD_GETLK and F_OFD_SETLK of Linux 3.15 and later, whose
   names the C library hides from POSIX programs. So two copies of this implementation in one process (in a library with
   AUTOTUNE_STATIC, say) exclude each other as two processes do, and neither drops a lock of the other's by closing its
   file. Elsewhere locks belong to the process, and both is given up. */
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
/* Does another process, or another copy of this implementation, have the lock? */
static AUTOTUNE__UNUSED bool autotune__is_locked_at(int file, uint64_t at) {
    struct flock range;
    return autotune__ask_lock(file, F_GETLK, F_WRLCK, at, &range) == 0 && range.l_type != F_UNLCK;
}
#else
/* A lock of Windows keeps others from what is locked. So it stands far behind the end of any file. Locks belong to the
   open file: what this process holds itself counts as locked, too. */
static OVERLAPPED autotune__lock_place(uint64_t at) { return autotune__at_offset((uint64_t)1 << 62 | at); }
static AUTOTUNE__UNUSED autotune__locked autotune__lock_at(int file, uint64_t at) {
    OVERLAPPED place = autotune__lock_place(at);
    if (LockFileEx(autotune__handle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
        return AUTOTUNE__HELD;
    return GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING ? AUTOTUNE__BUSY
                                                                                        : AUTOTUNE__NO_LOCKS;
}
static AUTOTUNE__UNUSED void autotune__unlock_at(int file, uint64_t at) {
    OVERLAPPED place = autotune__lock_place(at);
    (void)UnlockFileEx(autotune__handle(file), 0, 1, 0, &place);
}
static AUTOTUNE__UNUSED bool autotune__is_locked_at(int file, uint64_t at) {
    const autotune__locked locked = autotune__lock_at(file, at);
    if (locked == AUTOTUNE__HELD) autotune__unlock_at(file, at);
    return locked == AUTOTUNE__BUSY;
}
#endif

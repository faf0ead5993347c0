/* Locks among processes: of single bytes of an open file. They end with the process at the latest. */
#pragma once
#include <fcntl.h>
#include <unistd.h>
#include "../api/floor.h"
#include "types.h"

/* Locks belong to the open file, where the system has such: F_OFD_GETLK and F_OFD_SETLK of Linux 3.15 and later, whose
   names the C library hides from POSIX programs. Two copies of this implementation may be in one process, as in a
   library with AUTOTUNE_STATIC. The copies exclude each other as two processes do, and no copy drops the other's lock
   by closing its file. On other systems locks belong to the process, and neither holds. */
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

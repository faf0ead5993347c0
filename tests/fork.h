/* fork.h - fork() for tests of a suite. A system without fork() skips such a test. */
#ifndef FORK_H
#define FORK_H

#include <criterion/criterion.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/types.h>

static inline pid_t fork(void) {
    cr_skip_test("Windows has no fork()");
    return -1;
}
static inline pid_t waitpid(pid_t process, int *status, int options) {
    (void)process, (void)status, (void)options;
    return -1;
}
#define WIFEXITED(status)   ((status) == 0)
#define WEXITSTATUS(status) (status)
#define WTERMSIG(status)    (status)
static inline int pipe(int ends[2]) { return _pipe(ends, 4096, _O_BINARY); }
#else
#include <sys/wait.h>
#include <unistd.h>
#endif

#endif

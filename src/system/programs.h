/* Starts other programs, such as a compiler. The functions of child.h read what a program prints, wait for the program,
   and end it, as for a child. */
#pragma once
#include <pthread.h>
#include "../api/floor.h"
#include "child.h"
#include "files.h"
#include "types.h"

/* vfork() is no part of POSIX any more, and headers hide it. There are two reasons to use it. posix_spawn() would start
   the program before its group is bound to the end of this process. fork() copies the page tables of this process,
   which may be large. */
#ifdef __linux__
extern pid_t autotune__vfork(void) __asm__("vfork") __attribute__((__returns_twice__));
#else                                           /* no program is started on other systems so far */
static pid_t autotune__vfork(void) { return fork(); }
#endif

/* Runs in the child of vfork(), which shares the memory of its parent, but has files and signals of its own. Starts
   the program in the child, with default signal handlers, and with no signal blocked. The program inherits the reading
   end of the pipe `life`, so it ends with this process. This end takes the number reports[0]: the program does not
   need the reading end of its own output. Returns errno if the program cannot be started. */
static AUTOTUNE__UNUSED int autotune__become_program(const char *const *words, const char *const *settings,
                                                     const char *input, const int reports[2], const int life[2]) {
    const int file = open(input, O_RDONLY | O_CLOEXEC);
    sigset_t none;
    int number;
    sigemptyset(&none);
    if (!autotune__this_child) { setpgid(0, 0); (void)autotune__end_with_parent(life); }
    if (file < 0 || dup2(file, STDIN_FILENO) < 0 || dup2(reports[1], STDOUT_FILENO) < 0 ||
        dup2(reports[1], STDERR_FILENO) < 0 || dup2(life[0], reports[0]) < 0)
        return errno;
    for (number = 1; number <= 64; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(words[0], (char *const *)(uintptr_t)words, (char *const *)(uintptr_t)settings);
    return errno;
}
/* Starts the program at the path words[0], with `words` as its arguments and `settings`, such as "NAME=VALUE", as its
   environment. The program reads the file `input`, and prints into its pipe `reports`. It ends with this process. It
   leads its own process group; if this process is itself a child, the program belongs to the child's group. While the
   program is being started signals are blocked, since no signal handler may run in the child of vfork(). Returns false
   on an error: see *why. */
static AUTOTUNE__UNUSED bool autotune__start_program(autotune__child *program, const char *const *words,
                                                     const char *const *settings, const char *input, const char **why) {
    int reports[2] = { -1, -1 }, life[2] = { -1, -1 };
    volatile int error = 0;
    volatile pid_t process = -1;
    sigset_t all, before;
    if (autotune__make_pipe(reports) && autotune__make_pipe(life)) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        process = autotune__vfork();
        if (process == 0) {
            error = autotune__become_program(words, settings, input, reports, life);
            _exit(127);
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (process > 0 && !error) autotune__keep_parent_ends(program, process, reports, life);
    else *why = strerror(error ? error : errno);
    if (process > 0 && error) (void)waitpid(process, NULL, 0);
    if (process < 0 || error) { autotune__close_pipe(reports); autotune__close_pipe(life); }
    return process > 0 && !error;
}

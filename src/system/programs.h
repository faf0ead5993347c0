/* Other programs: started with what they read; they are heard, waited for and ended as children are. */
#pragma once
#include <spawn.h>
#include "../api/floor.h"
#include "child.h"
#include "files.h"
#include "types.h"

/* Starts a program as /usr/bin/env does: the words begin with "env" and settings, NAME=VALUE. It reads the file at the
   path `input`; what it prints goes into the pipe of its reports. It leads a process group of its own; in a child it is
   of the child's group, so that it ends with the child. It begins with the usual handlers of signals, none of which is
   blocked. posix_spawn() copies no memory of this process, which may be large. False: why says it. */
static AUTOTUNE__UNUSED bool autotune__start_program(autotune__child *program, const char *const *words,
                                                     char *const *settings, const char *input, const char **why) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    int reports[2] = { -1, -1 }, error;
    pid_t process = 0;
    if (!autotune__make_pipe(reports)) { *why = strerror(errno); autotune__close_pipe(reports); return false; }
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, (short)((autotune__this_child ? 0 : POSIX_SPAWN_SETPGROUP) |
                                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, reports[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, reports[1], STDERR_FILENO);
    error = posix_spawn(&process, "/usr/bin/env", &files, &how, (char *const *)(uintptr_t)words, settings);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (error) { *why = strerror(error); autotune__close_pipe(reports); return false; }
    autotune__hear_child(program, process, reports);
    return true;
}

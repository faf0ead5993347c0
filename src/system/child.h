/* Child processes: made by fork, with a pipe through which the child reports; waited for, ended, and how they ended.

   A child is the leader of its own process group. So its own children can be ended with it, and a child that kills its
   process group kills nobody else. It does not outlive its parent: Linux kills its group when the parent ends, by
   whatever way, and elsewhere its next report ends it. It leaves no core, and the system that runs out of memory kills
   it before its parent. Handlers that the program gave to atexit() are not called in it. */
#pragma once
#include <signal.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../api/floor.h"
#include "clock.h"
#include "files.h"
#include "types.h"

#ifdef __linux__
#include <sys/ioctl.h>
#include <sys/prctl.h>
#endif

/* gcc's OpenMP keeps its threads between parallel regions, and a child that has none of them waits for them forever.
   They end here, and the next region starts others. clang's OpenMP begins anew in a child by itself, and aborts if it
   is asked to pause. Inside a parallel region nothing is paused. The symbols are weak: most programs have neither. */
#ifdef __ELF__
extern int autotune__pause_openmp(int kind) __asm__("omp_pause_resource_all") __attribute__((__weak__));
extern void autotune__clang_openmp(void) __asm__("__kmpc_fork_call") __attribute__((__weak__));
static void autotune__end_openmp_threads(void) {
    enum { PAUSE_HARD = 2 };
    if (autotune__pause_openmp && !autotune__clang_openmp) (void)autotune__pause_openmp(PAUSE_HARD);
}
/* How many threads run the OpenMP region that this one is in; 1: it is in none. */
extern int autotune__openmp_threads(void) __asm__("omp_get_num_threads") __attribute__((__weak__));
static int autotune__team_size(void) { return autotune__openmp_threads ? autotune__openmp_threads() : 1; }
#else
static void autotune__end_openmp_threads(void) {}
static int autotune__team_size(void) { return 1; }
#endif

/* In a child, exit() ends it at once: what the program wants to be done at its end is the parent's to do. Processes
   that a body makes by fork end as they always do. */
static autotune__child *autotune__this_child;
static void autotune__exit_child(void) {
    if ((unsigned long)getpid() != autotune__this_child->process) return;
    fflush(stdout);
    _exit(EXIT_FAILURE);
}
/* In the child, which leads its process group: Linux kills that group as soon as the parent ends, by whatever way. It
   sends a signal when the last writing end of a pipe is closed; the parent has that end, and the child the other.
   PR_SET_PDEATHSIG does not do: that signal comes when a thread of the parent ends, and reaches the child alone, not
   the processes that the child started. A child that ends by it first closes its end, so that its group lives on.
   Returns true if the group ends with the parent. */
static bool autotune__end_with_parent(const int life[2]) {
    bool ends = false;
#ifdef __linux__
    enum { SET_SIGNAL = 10 };                   /* F_SETSIG, which the C library hides from POSIX programs */
    int on = 1;
    if (fcntl(life[0], SET_SIGNAL, SIGKILL) == 0 && fcntl(life[0], F_SETOWN, -getpid()) == 0)
        ends = ioctl(life[0], FIOASYNC, &on) == 0;
#endif
    close(life[1]);
    return ends;
}
/* In the child. ends: its group ends with the parent already. */
static void autotune__bind_child_to(pid_t parent, bool ends) {
#ifdef __linux__
    const int badness = autotune__open_file("/proc/self/oom_score_adj", AUTOTUNE__WRITE);
    if (badness >= 0) (void)autotune__write_all(badness, "1000", 4);
    autotune__close_file(badness);
    if (!ends) prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    (void)ends;
    if (getppid() != parent) _exit(EXIT_FAILURE);       /* it ended before that */
}
static void autotune__settle_in_child(autotune__child *child, pid_t parent, const int life[2]) {
    struct rlimit core = { 1, 1 };              /* a byte: with 0 a program that collects cores would get one */
    autotune__file_facts facts;
    setpgid(0, 0);
    autotune__bind_child_to(parent, autotune__end_with_parent(life));
    setrlimit(RLIMIT_CORE, &core);
    signal(SIGTTOU, SIG_IGN);                   /* it is not in the foreground of its terminal */
    signal(SIGTTIN, SIG_IGN);
    child->process = (unsigned long)getpid();
    memset(&child->reports_id, 0, sizeof child->reports_id);
    if (autotune__facts_of_file(child->reports, &facts)) child->reports_id = facts.id;
    autotune__this_child = child;
    (void)atexit(autotune__exit_child);
}
static void autotune__close_pipe(const int ends[2]) {           /* an end that is negative is none */
    autotune__close_file(ends[0]);
    autotune__close_file(ends[1]);
}
static bool autotune__make_pipe(int ends[2]) {          /* false: errno says why, and one end may be there */
    int i;
    if (pipe(ends) != 0) return false;
    for (i = 0; i < 2; i++) {
        const int end = ends[i];
        ends[i] = autotune__duplicate_file(end);
        close(end);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}
/* In the parent: the child is this process, and reports through the pipe. */
static void autotune__hear_child(autotune__child *child, pid_t process, const int reports[2], const int life[2]) {
    close(reports[1]);
    close(life[0]);
    (void)fcntl(reports[0], F_SETFL, O_NONBLOCK);
    child->process = (unsigned long)process;
    child->reports = reports[0];
    child->life = life[1];
}
/* Forks. The buffers of the standard streams are written before, so that nothing is written twice. Other streams are
   left alone: a thread that waits for input holds the lock of its stream. Returns NO_FORK on an error, which `why`
   names. */
static AUTOTUNE__UNUSED autotune__forked autotune__start_child(autotune__child *child, const char **why) {
    const pid_t parent = getpid();
    int reports[2] = { -1, -1 }, life[2] = { -1, -1 };
    pid_t process = -1;
    if (autotune__make_pipe(reports) && autotune__make_pipe(life)) {
        autotune__end_openmp_threads();
        fflush(stdout);
        fflush(stderr);
        process = fork();
    }
    if (process < 0) {
        *why = strerror(errno);
        autotune__close_pipe(reports);
        autotune__close_pipe(life);
        return AUTOTUNE__NO_FORK;
    }
    if (process == 0) {
        close(reports[0]);
        child->reports = reports[1];
        autotune__settle_in_child(child, parent, life);
        return AUTOTUNE__IS_CHILD;
    }
    setpgid(process, process);                  /* the child does the same: whoever comes first */
    autotune__hear_child(child, process, reports, life);
    return AUTOTUNE__IS_PARENT;
}

/* In the child: it ends, without the end of the program. */
static AUTOTUNE__UNUSED void autotune__leave_child(void) {
    fflush(stdout);
    _exit(EXIT_SUCCESS);
}
/* In the parent: reads what there is of the reports. Returns how many bytes that are. Inlined, gcc takes the length for
   too large (_FORTIFY_SOURCE=3). */
static AUTOTUNE__UNUSED __attribute__((__noinline__)) size_t autotune__read_reports(const autotune__child *child,
                                                                                    char *bytes, size_t most) {
    ssize_t got;
    do got = read(child->reports, bytes, most);
    while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}
static bool autotune__child_has_ended(const autotune__child *child) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    /* Not waited for, so that no other process gets its number. */
    if (waitid(P_PID, (id_t)child->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
    return info.si_pid != 0;
}
/* In the parent: waits for so many milliseconds, or until the child ends or has closed all its files. Returns true if
   the child ended or closed them. */
static AUTOTUNE__UNUSED bool autotune__await_child(const autotune__child *child, int milliseconds) {
    struct pollfd pipe = { 0, 0, 0 };           /* that nobody can write to it any more is always told */
    pipe.fd = child->reports;
    return poll(&pipe, 1, milliseconds) > 0 || autotune__child_has_ended(child);
}
/* Ends a child, and whatever it started. If the program ignores SIGCHLD, or waits for all children in a handler, the
   number of an ended child is free for other processes. While a process is left in the child's group, the system gives
   the number to no other process. So if no process has the number, the group is the child's, or there is none. */
static void autotune__kill_group(pid_t process) {
    siginfo_t info;
    const bool is_child = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (is_child || (kill(process, 0) != 0 && errno == ESRCH)) kill(-process, SIGKILL);
    if (is_child) kill(process, SIGKILL);       /* it may have left its group */
}
/* In the parent: the child has ended, or closed all its files and may end within a second, or it is ended. So is
   whatever it started. A child in the middle of a system call that cannot be ended is left to itself after 5 s. */
static AUTOTUNE__UNUSED autotune__child_end autotune__end_child(autotune__child *child, bool at_once) {
    const pid_t process = (pid_t)child->process;
    autotune__child_end end = { AUTOTUNE__UNTOLD, 0 };
    int status = 0, i;
    pid_t waited = 0;
    bool killed = at_once;
    for (i = 0; !killed && !autotune__child_has_ended(child); i++) {
        killed = i == 1000;
        autotune__sleep_ns(1000000);
    }
    autotune__kill_group(process);
    for (i = 0; i < 5000 && (waited = waitpid(process, &status, WNOHANG)) == 0; i++) autotune__sleep_ns(1000000);
    if (waited == process && WIFEXITED(status)) { end.how = AUTOTUNE__EXITED; end.number = WEXITSTATUS(status); }
    if (waited == process && WIFSIGNALED(status)) { end.how = AUTOTUNE__SIGNALLED; end.number = WTERMSIG(status); }
    if (killed) end.how = AUTOTUNE__STILL_RUNNING;
    autotune__close_file(child->reports);
    autotune__close_file(child->life);
    child->process = 0;
    return end;
}
/* The meaning of a signal, in words. Out of memory, the system kills by signal 9. */
static AUTOTUNE__UNUSED const char *autotune__signal_words(int number) { return strsignal(number); }

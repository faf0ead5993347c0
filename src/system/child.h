/* Child processes: forking a child, its pipe for reports, waiting for it, ending it, and how it ended.

   A child leads its own process group. So the processes that it starts end with it, and a child that kills its group
   kills no process of the program. A child does not outlive its parent. Linux kills the child's group when the parent
   ends in any way. On other systems the child ends at its next report. A child leaves no core file. If memory is short,
   the system kills the child before the parent. A child does not call the program's atexit() handlers. */
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

/* The message of a program that leaves child processes out. */
#define AUTOTUNE__NO_CHILD \
    "AUTOTUNE_CHILD is left out of this program (AUTOTUNE_WITHOUT_CHILD): the launches are made in this process"

/* Ends the threads that gcc's OpenMP keeps between parallel regions. A child does not have these threads, but its first
   parallel region would wait for them forever. The next region of this process starts new threads. clang's OpenMP
   starts its threads again in a child by itself, and aborts the program if it is asked to pause. Inside a parallel
   region the call has no effect. The symbols are weak, because most programs have no OpenMP. */
#ifdef __ELF__
extern int autotune__pause_openmp(int kind) __asm__("omp_pause_resource_all") __attribute__((__weak__));
extern void autotune__clang_openmp(void) __asm__("__kmpc_fork_call") __attribute__((__weak__));
static void autotune__end_openmp_threads(void) {
    enum { PAUSE_HARD = 2 };
    if (autotune__pause_openmp && !autotune__clang_openmp) (void)autotune__pause_openmp(PAUSE_HARD);
}
/* Returns how many threads run the OpenMP region of this thread; 1: none. */
extern int autotune__openmp_threads(void) __asm__("omp_get_num_threads") __attribute__((__weak__));
static int autotune__team_size(void) { return autotune__openmp_threads ? autotune__openmp_threads() : 1; }
#else
static void autotune__end_openmp_threads(void) {}
static int autotune__team_size(void) { return 1; }
#endif

/* exit() in a child ends the child at once: the other actions at the end of the program are for the parent. exit() in a
   process that the body forked works as usual. */
static autotune__child *autotune__this_child;
static void autotune__exit_child(void) {
    if ((unsigned long)getpid() != autotune__this_child->process) return;
    fflush(stdout);
    _exit(EXIT_FAILURE);
}
/* Runs in the child, which leads its process group: lets Linux kill this group as soon as the parent ends in any way.
   life: a pipe; the parent keeps the writing end, and the child the reading end. Linux sends SIGKILL to the group when
   the last writing end is closed. PR_SET_PDEATHSIG is not enough: Linux sends its signal when a single thread of the
   parent ends. And only the child gets this signal, not the processes that the child started. If the child ends first,
   its reading end is closed, and its group lives on. Returns true if the group ends with the parent. */
static bool autotune__end_with_parent(const int life[2]) {
    bool ends = false;
#ifdef __linux__
    enum { SET_SIGNAL = 10 };                   /* F_SETSIG, which headers for strict POSIX hide */
    int on = 1;
    if (fcntl(life[0], SET_SIGNAL, SIGKILL) == 0 && fcntl(life[0], F_SETOWN, -getpid()) == 0)
        ends = ioctl(life[0], FIOASYNC, &on) == 0;
#endif
    close(life[1]);
    return ends;
}
/* Runs in the child, or in a copy of the process: if memory is short, the system ends the child first. ends: the child
   ends with the parent, since autotune__end_with_parent() returned true. If `ends` is false, this function makes the
   child end with the thread that forked it. */
static void autotune__bind_child_to(pid_t parent, bool ends) {
#ifdef __linux__
    const int badness = autotune__open_file("/proc/self/oom_score_adj", AUTOTUNE__WRITE);
    if (badness >= 0) (void)autotune__write_all(badness, "1000", 4);
    autotune__close_file(badness);
    if (!ends) prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    (void)ends;
    if (getppid() != parent) _exit(EXIT_FAILURE);       /* the parent ended before */
}
static void autotune__set_up_child(autotune__child *child, pid_t parent, const int life[2]) {
    struct rlimit core = { 1, 1 };              /* one byte: with 0, a collector still gets a core file */
    autotune__file_facts facts;
    setpgid(0, 0);
    autotune__bind_child_to(parent, autotune__end_with_parent(life));
    setrlimit(RLIMIT_CORE, &core);
    signal(SIGTTOU, SIG_IGN);                   /* the child is not in the foreground of its terminal */
    signal(SIGTTIN, SIG_IGN);
    child->process = (unsigned long)getpid();
    memset(&child->reports_id, 0, sizeof child->reports_id);
    if (autotune__facts_of_file(child->reports, &facts)) child->reports_id = facts.id;
    autotune__this_child = child;
    (void)atexit(autotune__exit_child);
}
static void autotune__close_pipe(const int ends[2]) {           /* a negative end does not exist */
    autotune__close_file(ends[0]);
    autotune__close_file(ends[1]);
}
static bool autotune__make_pipe(int ends[2]) {          /* false: see errno; one end may exist */
    int i;
    if (pipe(ends) != 0) return false;
    for (i = 0; i < 2; i++) {
        const int end = ends[i];
        ends[i] = autotune__duplicate_file(end);
        close(end);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}
/* Runs in the parent: keeps the process id of the child, and the parent's ends of the two pipes. */
static void autotune__keep_parent_ends(autotune__child *child, pid_t process, const int reports[2], const int life[2]) {
    close(reports[1]);
    close(life[0]);
    (void)fcntl(reports[0], F_SETFL, O_NONBLOCK);
    child->process = (unsigned long)process;
    child->reports = reports[0];
    child->life = life[1];
}
/* Forks a child. Flushes stdout and stderr first, so that nothing is written twice. It does not flush other streams: a
   thread that waits for input holds the lock of its stream. Returns NO_FORK on an error: see *why. */
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
        autotune__set_up_child(child, parent, life);
        return AUTOTUNE__IS_CHILD;
    }
    setpgid(process, process);                  /* parent and child both make the group: either may be first */
    autotune__keep_parent_ends(child, process, reports, life);
    return AUTOTUNE__IS_PARENT;
}

/* Runs in the child: ends the child, without the other actions at the end of the program. */
static AUTOTUNE__UNUSED void autotune__leave_child(void) {
    fflush(stdout);
    _exit(EXIT_SUCCESS);
}
/* Runs in the parent: reads up to `most` bytes of the reports so far, and returns how many bytes were read. It is not
   inlined: with _FORTIFY_SOURCE=3 gcc would take `most` for too large. */
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
    /* WNOWAIT: the child keeps its process id, so that no other process gets this id. */
    if (waitid(P_PID, (id_t)child->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
    return info.si_pid != 0;
}
/* Runs in the parent: waits at most so many milliseconds until the child ends or closes its pipe. A report does not end
   the wait. Returns true if the child has ended or closed its pipe. */
static AUTOTUNE__UNUSED bool autotune__await_child(const autotune__child *child, int milliseconds) {
    struct pollfd pipe = { 0, 0, 0 };           /* no events: poll() tells only that all writing ends are closed */
    pipe.fd = child->reports;
    return poll(&pipe, 1, milliseconds) > 0 || autotune__child_has_ended(child);
}
/* Kills the child and all processes of its group. The process id of an ended child may belong to another process by
   now, if the program ignores SIGCHLD, or waits for all children in a handler. But as long as a process is left in the
   child's group, the system gives the id to no other process. So if no process has the id, the group with this id is
   the child's group, or does not exist. */
static void autotune__kill_group(pid_t process) {
    siginfo_t info;
    const bool is_child = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (is_child || (kill(process, 0) != 0 && errno == ESRCH)) kill(-process, SIGKILL);
    if (is_child) kill(process, SIGKILL);       /* it may have left its group */
}
/* Runs in the parent: ends the child and all processes that it started, and returns how the child ended. at_once: kills
   the child now. Else the child, which has ended or closed its pipe, has a second to end before it is killed. A child
   that is stuck in a system call is given up after 5 s more. */
static AUTOTUNE__UNUSED autotune__child_end autotune__end_child(autotune__child *child, bool at_once) {
    const pid_t process = (pid_t)child->process;
    autotune__child_end end = { AUTOTUNE__END_LOST, 0 };
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
/* Returns the name of a signal in words. */
static AUTOTUNE__UNUSED const char *autotune__signal_words(int number) { return strsignal(number); }

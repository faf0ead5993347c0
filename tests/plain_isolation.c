/* plain_isolation.c - races in child processes: if a configuration breaks its process, only this configuration
   fails. */
#define _DEFAULT_SOURCE
#include "opened.h"
#include "plain.h"
#include "sanitized.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

/* A signal must end a child: the sanitizers must not turn the signal into an exit. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0:"
           "use_sigaltstack=0:allocator_may_return_null=1";
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigbus=0:handle_sigfpe=0:die_after_fork=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) {
    return "handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigbus=0:handle_sigfpe=0";
}

enum misdeed {
    WORKS, CRASH, ABORT, EXIT, LOOP, DEADLOCK, OVERFLOW, ILLEGAL, EAT, CLOSE, KILL_GROUP, LEAVE, LATER, FORK,
    FORK_IN_REHEARSAL, SECOND_CHILD, HELP, HELP_WITHOUT_FILES, SLOW, SPOIL, MISTAKE
};
enum { MOST = 16, SIZE = 4096 };
static int forks;                   /* how many forks this process has made */
static int trials, calls;           /* that this process has made */
static bool is_grandchild;
static char memory[SIZE];           /* no option names this buffer */
static char file_name[] = "/tmp/autotune-isolation-XXXXXX";
static volatile int zero;
static const int constant = 2;

static int helper_tells;            /* the pipe to which a process that a trial started writes its process number */

static void count_fork(void) { forks++; }
static __attribute__((__noinline__)) int overflow(int depth) {
    volatile char frame[4096];
    frame[zero] = (char)depth;
    return depth < 0 ? 0 : overflow((depth + 1) % (1 << 30)) + frame[zero];
}
static void spin(long nanoseconds) {
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < nanoseconds);
}
/* By default, only kernels move the clock, so other programs have no influence. One test sets by_the_machine, and uses
   the machine's clock. */
static bool by_the_machine;
static autotune_backend *clock_of_kernels(void) {
    static autotune_backend backend;
    if (by_the_machine) return NULL;
    if (!backend.now) backend = virtual_backend("virtual");
    return &backend;
}
static void take(long nanoseconds) {
    if (by_the_machine) spin(nanoseconds);
    else spend((uint64_t)nanoseconds);
}
static void misbehave(enum misdeed misdeed, int launch_number) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct rlimit limit;
    int told[2];
    switch (misdeed) {
    case CRASH: *(volatile int *)(uintptr_t)&constant = 1; break;
    case ABORT: abort();
    case EXIT: exit(3);
    case LOOP: for (;;) zero = 0;
    case SLOW: if (launch_number == 1) usleep(300000); break;
    case DEADLOCK: pthread_mutex_lock(&mutex); pthread_mutex_lock(&mutex); break;
    case OVERFLOW: overflow(0); break;
    case ILLEGAL: raise(SIGILL); break;
    case EAT:
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = (rlim_t)1 << 30;
        setrlimit(RLIMIT_AS, &limit);
        for (size_t bytes = (size_t)1 << 28; bytes > 4; bytes /= 2)
            for (void *volatile eaten; (eaten = malloc(bytes)) != NULL;) memset(eaten, 1, bytes < 4096 ? bytes : 4096);
        break;
    case CLOSE: /* also opens other files under the freed numbers; the library must not write to them */
        for (int file = 3; file < 1024; file++) close(file);
        for (int i = 0; i < 64; i++)
            if (open(file_name, O_WRONLY | O_APPEND) < 0) abort();
        break;
    case KILL_GROUP: kill(0, SIGKILL); break;
    case LATER: if (launch_number >= 3) raise(SIGSEGV); break;
    case FORK: case FORK_IN_REHEARSAL:
        if (launch_number > 1 || forks != (misdeed == FORK_IN_REHEARSAL)) break;
        is_grandchild = fork() == 0;
        if (is_grandchild) setpgid(0, 0); /* so the grandchild is not killed with the process group of the child */
        break;
    case SPOIL: end_race_of_trial(); break;
    case MISTAKE: if (forks == 0) swap_trial(); break;
    case SECOND_CHILD: if (forks == 1) raise(SIGSEGV); break;
    /* first closes the library's files. One of them is the pipe whose end makes Linux kill the process group */
    case HELP_WITHOUT_FILES:
        for (int file = 3; file < 1024; file++)
            if (file != helper_tells) close(file);
        /* fall through */
    /* starts a helper process. The trial goes on when the helper has written its number and closed its end */
    case HELP:
        if (pipe(told) != 0) _exit(EXIT_FAILURE);
        if (fork() == 0) {
            const pid_t self = getpid();
            if (write(helper_tells, &self, sizeof self) != (ssize_t)sizeof self) _exit(EXIT_FAILURE);
            close(told[1]);
            for (;;) pause();
        }
        close(told[1]);
        if (read(told[0], &launch_number, sizeof launch_number) == 0) abort();
        _exit(EXIT_FAILURE);
    default: break;
    }
}
/* Each configuration does its misdeed. The last configuration is the fastest that works. */
static enum misdeed misdeeds[MOST];
static int launches_of[MOST];
static bool launch(int which, bool trial) {
    trials += trial;
    calls += !trial;
    launches_of[which]++;
    if (trial) memset(memory, 0xAB, sizeof memory);
    if (trial) misbehave(misdeeds[which], launches_of[which]);
    take(misdeeds[which] == FORK_IN_REHEARSAL                ? 6000000
         : which == MOST - 1 || misdeeds[which] == LATER ? 20000
                                                         : 60000);
    return misdeeds[which] != LEAVE;
}

static char said_last[1000];
static void remember_line(void *user, autotune_log_level level, const char *line) {
    (void)user, (void)level;
    snprintf(said_last, sizeof said_last, "%s", line);
}
static bool said(const char *part) {
    const bool has = strstr(said_last, part) != NULL;
    *said_last = 0;
    return has;
}

/* The result of each configuration, from the race of a key. */
static struct row { autotune_status status; char reason[200]; size_t launches; } rows[MOST];
static void take_rows(void *key, const autotune_known *known) {
    if (known->key.word[0] != *(uint64_t *)key) return;
    for (size_t i = 0; i < known->measurement_count; i++) {
        const autotune_measurement *m = &known->measurements[i];
        struct row *row = &rows[m->config.index];
        row->status = m->status;
        row->launches = m->launches;
        snprintf(row->reason, sizeof row->reason, "%s", m->reason ? m->reason : "");
    }
}
static autotune_result result;
static void tune(int key, double launch_timeout) {
    uint64_t number = (uint64_t)key;
    forks = trials = calls = 0;
    memset(launches_of, 0, sizeof launches_of);
    memset(memory, 1, sizeof memory);
    memset(rows, 0, sizeof rows);
    AUTOTUNE_BLOCK(SPACE(RANGE(which, 0, MOST - 1, 1)), .key = KEY(key), .isolate = AUTOTUNE_CHILD,
                   .preset = AUTOTUNE_FAST, .launch_timeout = launch_timeout, .backend = clock_of_kernels(),
                   .result = &result) {
        if (!launch(which, autotune_trial)) break;
    }
    autotune_each(take_rows, &number);
}
static void works_with(int which, enum misdeed misdeed) {
    memset(misdeeds, 0, sizeof misdeeds);
    misdeeds[which] = misdeed;
}
static void expect_failure(int which, const char *reason) {
    if (!strstr(rows[which].reason, reason))
        fprintf(stderr, "%d: \"%s\", not \"%s\"\n", which, rows[which].reason, reason);
    CHECK(rows[which].status == AUTOTUNE_FAILED || rows[which].status == AUTOTUNE_ERR_LEFT);
    CHECK(strstr(rows[which].reason, reason));
}
static void expect_untouched(void) {
    CHECK(trials == 0 && calls == 1 && result.status == AUTOTUNE_OK);
    for (int i = 0; i < SIZE; i++) CHECK(memory[i] == 1);
}

static void a_race_runs_in_one_child(void) {
    works_with(0, WORKS);
    tune(1, 0);
    expect_untouched();
    CHECK(forks == 1 && result.failed == 0 && result.index == MOST - 1 && result.tried == MOST && !result.cache_hit);
    tune(1, 0);
    CHECK(forks == 0 && calls == 1 && result.cache_hit && result.index == MOST - 1);
}
static bool finds_the_fastest(void) {
    static int key = 100;
    tune(key++, 0);
    expect_untouched();
    CHECK(forks == 1 && result.failed == 0 && result.tried == MOST);
    return result.index == MOST - 1;
}
static void a_race_by_the_clock_of_the_machine_finds_the_fastest(void) {
    works_with(0, WORKS);
    by_the_machine = true;
    CHECK(in_one_of_ten_tries(finds_the_fastest));
    by_the_machine = false;
}
static void misdeeds_fail_their_configurations(void) {
    static const struct { enum misdeed misdeed; const char *reason; } all[] = {
        {CRASH, "killed by signal 11 (Segmentation fault)"},
        {ABORT, "killed by signal 6 (Aborted)"},
        {EXIT, "ended the program"},
        {LOOP, "did not end within 1"},
        {DEADLOCK, "did not end within 1"},
        {OVERFLOW, "killed by signal 11 (Segmentation fault)"},
        {ILLEGAL, "killed by signal 4 (Illegal instruction)"},
        {CLOSE, "closed the pipe through which its process reports"},
        {KILL_GROUP, "killed by signal 9 (Killed)"},
        {LEAVE, "left the body"},
#if !SANITIZED
        {EAT, "left no memory to go on"},
#endif
    };
    const int bad = sizeof all / sizeof *all, file = mkstemp(file_name);
    struct stat facts;
    CHECK(file >= 0);
    works_with(0, WORKS);
    for (int i = 0; i < bad; i++) misdeeds[i + 2] = all[i].misdeed;
    tune(2, 1);
    CHECK(fstat(file, &facts) == 0 && facts.st_size == 0 && close(file) == 0 && unlink(file_name) == 0);
    for (int i = 0; i < bad; i++) expect_failure(i + 2, all[i].reason);
    expect_untouched();
    CHECK(forks == 1 + bad && result.failed == (size_t)bad && result.index == MOST - 1);
    tune(2, 1);
    CHECK(forks == 0 && calls == 1 && result.cache_hit && result.index == MOST - 1);
}
/* The library ends a child that is too late at once: it does not wait for the child a second time. */
static bool ends_a_late_child_at_once(void) {
    static int key = 200;
    const uint64_t began = machine_ns();
    works_with(2, LOOP);
    tune(key++, 0.3);
    expect_failure(2, "did not end within 0.3");
    return machine_ns() - began < SECOND;
}
static void a_late_child_ends_at_once(void) { CHECK(in_one_of_ten_tries(ends_a_late_child_at_once)); }
/* Signals arrive often, as in a profiler, and end the parent's waits early. The launch takes 0.3 s and the limit is 1
   s: no child is late. */
static void note_alarm(int number) { (void)number; }
static void signals_make_no_child_late(void) {
    const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    works_with(2, SLOW);
    signal(SIGALRM, note_alarm);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    tune(6, 1);
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    signal(SIGALRM, SIG_DFL);
    CHECK(result.failed == 0 && forks == 1 && result.index == MOST - 1);
}
static void the_first_configuration_may_be_bad(void) {
    works_with(0, CRASH);
    misdeeds[1] = LOOP;
    tune(3, 1);
    expect_failure(0, "killed by signal 11");
    expect_failure(1, "did not end within 1");
    expect_untouched();
    CHECK(forks == 3 && result.index == MOST - 1);
}

static void a_later_launch_may_be_bad(void) {
    works_with(3, LATER);
    tune(4, 1);
    expect_failure(3, "killed by signal 11");
    expect_untouched();
    CHECK(forks <= 2 && result.failed == 1 && result.index == MOST - 1 && rows[3].launches >= 2);
}
/* Configuration 2 crashes in the second child, in the launch that comes before another configuration is measured there.
   The failure must count for configuration 2, and not for the configuration that was to be measured. */
static void a_rehearsal_may_be_bad(void) {
    works_with(0, SECOND_CHILD);
    misdeeds[2] = CRASH;
    tune(41, 5);
    expect_failure(2, "killed by signal 11");
    expect_untouched();
    CHECK(forks == 3 && result.failed == 1 && result.index == MOST - 1);
}
/* A trial forks. The new process makes the call on its own, and reports nothing to the race. It has launched all
   configurations from `first` on, or its parent has launched them before the fork. */
static void tune_with_a_fork(int key, int first) {
    volatile int *const told =
        (volatile int *)mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(told != MAP_FAILED);
    tune(key, 60);
    if (is_grandchild) {
        bool right = calls == 1 && result.status == AUTOTUNE_OK && result.index == MOST - 1;
        for (int i = first; i < MOST; i++) right = right && launches_of[i] > 0;
        *told = right ? 1 : 2;
        _exit(EXIT_SUCCESS);
    }
    expect_untouched();
    CHECK(result.index == MOST - 1);
    for (int i = 0; i < 10000 && !*told; i++) usleep(1000);
    CHECK(*told == 1);
}
static void a_trial_may_fork(void) {
    works_with(3, FORK);
    tune_with_a_fork(42, 0);
    CHECK(forks == 1 && result.failed == 0);
}
/* Configuration 1 crashes. The second child launches configuration 0 before the configuration to be measured, and forks
   in this launch. Its time must count for no other configuration in the new process. */
static void a_rehearsal_may_fork(void) {
    works_with(0, FORK_IN_REHEARSAL);
    misdeeds[1] = CRASH;
    tune_with_a_fork(43, 2);
    CHECK(forks == 2 && result.failed == 1);
}
/* A trial starts a helper process. The helper ends with the trial, whether the program ignores SIGCHLD, or waits for
   all its children, or does neither. */
static void wait_for_all(int signal_number) {
    const int before = errno;
    while (waitpid(-1, NULL, WNOHANG) > 0) (void)signal_number;
    errno = before;
}
static void helpers_of_a_trial_end_with_it(void) {
    static void (*const actions[])(int) = {SIG_DFL, SIG_IGN, wait_for_all};
    for (int i = 0; i < 6; i++) {
        struct pollfd end = {0, POLLIN, 0};
        int ends[2];
        pid_t helper, left = 0;
        CHECK(pipe(ends) == 0);
        helper_tells = ends[1];
        signal(SIGCHLD, actions[i % 3]);
        works_with(3, i < 3 ? HELP : HELP_WITHOUT_FILES);
        tune(300 + i, 60);
        signal(SIGCHLD, SIG_DFL);
        expect_untouched();
        CHECK(forks == 2 && result.failed == 1 && result.index == MOST - 1);
        close(ends[1]);
        CHECK(read(ends[0], &helper, sizeof helper) == (ssize_t)sizeof helper);
        end.fd = ends[0];
        if (poll(&end, 1, 10000) != 1 || !(end.revents & POLLHUP)) left = helper;
        if (left) kill(left, SIGKILL);
        CHECK(!left && close(ends[0]) == 0);
    }
}
/* A trial changes the state of the race in its process. The next launches run in another child, and never in the
   program itself. */
static void a_trial_may_spoil_the_race_of_its_process(void) {
    works_with(3, SPOIL);
    misdeeds[0] = SPOIL;
    tune(46, 60);
    expect_untouched();
    CHECK(forks > 2 && result.failed == 0 && result.tried == MOST && result.index == MOST - 1);
    works_with(3, MISTAKE);
    tune(47, 60);
    expect_untouched();
    CHECK(forks == 2 && result.failed == 0 && result.tried == MOST && result.index == MOST - 1);
}
/* All configurations crash. The error names the misdeed that they have in common. */
static void all_may_be_bad(void) {
    for (int i = 0; i < MOST; i++) misdeeds[i] = CRASH;
    tune(5, 1);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED && forks == MOST && trials == 0 && calls == 0);
    CHECK(last_error_has("none of 16 configurations works") && last_error_has("which=0: killed by signal 11"));
}

/* A race in a program with another thread, which holds a lock. */
static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;
static bool stop;
static void *hold_a_lock(void *unused) {
    pthread_mutex_lock(&taken);
    /* not under a sanitizer, whose allocator may be locked in a child */
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) if (!SANITIZED) free(malloc(100));
    pthread_mutex_unlock(&taken);
    return unused;
}
static bool works_without_threads(int which, bool trial) {
    trials += trial;
    calls += !trial;
    if (trial && which == 1) {
        pthread_mutex_lock(&taken);
        pthread_mutex_unlock(&taken);
    }
    take(which == 2 ? 20000 : 60000);
    return true;
}
static void other_threads_go_on(void) {
    pthread_t thread;
    autotune_result r;
    forks = trials = calls = 0;
    stop = false;
    autotune_set_log(remember_line, NULL);
    CHECK(pthread_create(&thread, NULL, hold_a_lock, NULL) == 0);
    while (pthread_mutex_trylock(&taken) == 0) pthread_mutex_unlock(&taken);
    AUTOTUNE(SPACE(AXIS(which, 0, 1, 2)), 1, works_without_threads(which, autotune_trial), .isolate = AUTOTUNE_CHILD,
             .preset = AUTOTUNE_FAST, .launch_timeout = 1, .backend = clock_of_kernels(), .result = &r);
    CHECK(r.status == AUTOTUNE_OK && r.failed == 1 && r.index == 2 && forks == 2);
    CHECK(trials == 0 && calls == 1);
    /* the thread sanitizer has its own thread */
    CHECK(said(THREAD_SANITIZED ? "the child lacks 2 other threads" : "the child lacks 1 other thread of the program"));
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    CHECK(pthread_join(thread, NULL) == 0);
}

/* Launches that hang count against the limits of the race, although the virtual clock stands still meanwhile. */
static void hanging_launches_take_time(void) {
    autotune_result r;
    forks = trials = calls = 0;
    works_with(0, WORKS);
    for (int i = 1; i < MOST; i++) misdeeds[i] = LOOP;
    AUTOTUNE(SPACE(RANGE(which, 0, MOST - 1, 1)), 1, launch(which, autotune_trial), .isolate = AUTOTUNE_CHILD,
             .max_seconds = 0.5, .launch_timeout = 0.2, .backend = clock_of_kernels(), .result = &r);
    CHECK(r.status == AUTOTUNE_OK && r.index == 0 && r.verdict == AUTOTUNE_UNRESOLVED);
    CHECK(r.failed >= 2 && r.failed <= 4 && r.tried == r.failed + 1 && r.seconds > 0.4 && r.seconds < 1);
}

/* The outputs of the first configuration that works are compared with the outputs of all others, also in the later
   children. */
static void compute(int which, float *values) {
    for (int i = 0; i < 64; i++) values[i] = (float)(which == 2 ? i + 1 : i);
    if (which == 1 || which == 4) raise(SIGSEGV);
    take(which == 2 ? 10000 : which == 5 ? 20000 : 60000);
}
static void outputs_are_compared_across_children(void) {
    float values[64] = {0};
    autotune_result r;
    forks = 0;
    AUTOTUNE(SPACE(RANGE(which, 0, 5, 1)), 1, compute(which, values), .isolate = AUTOTUNE_CHILD,
             .preset = AUTOTUNE_FAST, .outputs = BUFFERS({values, sizeof values, AUTOTUNE_F32}),
             .backend = clock_of_kernels(), .result = &r);
    CHECK(r.status == AUTOTUNE_OK && r.failed == 3 && r.index == 5 && forks == 3 && values[63] == 63);
}
/* Configurations that differ from the first configuration agree with each other. A crash ends the child
   between them. */
static int results_of[6];                       /* what each configuration computes; 0: it crashes */
static const autotune_result *compute_results(int a, int b, int c, int d, int e, int f) {
    const int all[] = {a, b, c, d, e, f};
    static autotune_result r;
    static int key;
    int out = 0;
    memcpy(results_of, all, sizeof all);
    said_last[0] = 0;
    forks = 0;
    autotune_set_log(remember_line, NULL);
    AUTOTUNE_BLOCK(SPACE(RANGE(which, 0, 5, 1)), .key = KEY(++key), .isolate = AUTOTUNE_CHILD, .preset = AUTOTUNE_FAST,
                   .outputs = BUFFERS({&out, sizeof out, AUTOTUNE_I32}), .backend = clock_of_kernels(), .result = &r) {
        take(20000);
        out = results_of[which];
        if (!out) raise(SIGSEGV);
    }
    autotune_set_log(say_nothing, NULL);
    CHECK(r.status == AUTOTUNE_OK && out == results_of[r.index] && out == a);
    return &r;
}
static void a_wrong_first_configuration_is_told(void) {
    const autotune_result *r = compute_results(3, 2, 2, 2, 2, 2);
    CHECK(r->verdict == AUTOTUNE_UNRELIABLE && strstr(r->doubt, "not with the first one") && forks == 1);
    CHECK(said("5 configurations agree with each other, and not with the first one"));
    /* the second child does not know the outputs of the first child, except those of the first configuration */
    r = compute_results(3, 2, 2, 0, 2, 2);
    CHECK(r->verdict == AUTOTUNE_UNRELIABLE && forks == 2);
    CHECK(said("configurations agree with each other, and not with the first one"));
    r = compute_results(3, 2, 0, 4, 0, 5);
    CHECK(r->verdict != AUTOTUNE_UNRELIABLE && forks == 3 && !said("agree with each other"));
    /* over both children, more configurations agree with the first configuration */
    r = compute_results(3, 2, 3, 0, 3, 2);
    CHECK(r->verdict != AUTOTUNE_UNRELIABLE && forks == 2 && !said("agree with each other"));
}
/* The clock belongs to the program. It moves only in the child. */
static void spend_as(int which, bool trial) {
    trials += trial;
    spend((uint64_t)(which == 2 ? 10 : 20) * MILLISECOND);
    if (trial && which == 1) abort();
}
static void a_clock_of_the_program_is_used(void) {
    autotune_backend backend = virtual_backend("virtual");
    autotune_result r;
    trials = forks = 0;
    AUTOTUNE(SPACE(AXIS(which, 0, 1, 2, 3)), 1, spend_as(which, autotune_trial), .isolate = AUTOTUNE_CHILD,
             .backend = &backend, .result = &r);
    CHECK(r.status == AUTOTUNE_OK && r.index == 2 && r.median_ns == 10 * MILLISECOND && r.seconds > 0.1 && forks == 2);
    CHECK(r.verdict == AUTOTUNE_SEPARATED && trials == 0);
}
/* Trials of created tuners, and of AUTOTUNE_SELECT, run in children. */
static autotune_status launch_created(void *user, const autotune_config *config) {
    const int64_t which = autotune_get_int(config, "which");
    ++*(int *)user;
    if (which == 1 && *(int *)user < 1000000) _exit(4);
    take(which == 2 ? 20000 : 60000);
    return AUTOTUNE_OK;
}
static void created_tuners_are_isolated(void) {
    static const int64_t values[] = {0, 1, 2};
    static const autotune_axis axis = {.name = "which", .values = values, .count = 3};
    int launched = 0;
    const autotune_desc description = {
        .name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created, .user = &launched};
    autotune_tuner *tuner = autotune_create(&description);
    autotune_result r;
    const autotune_options options = {
        .isolate = AUTOTUNE_CHILD, .preset = AUTOTUNE_FAST, .backend = clock_of_kernels(), .result = &r};
    forks = 0;
    CHECK(tuner && autotune_call(tuner, &options) == AUTOTUNE_OK);
    CHECK(r.index == 2 && r.failed == 1 && forks == 2 && launched == 1);
    CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK && r.cache_hit && forks == 2);
    autotune_destroy(tuner);
}
static void alternatives_are_isolated(void) {
    autotune_result r;
    forks = 0;
    AUTOTUNE_SELECT((.isolate = AUTOTUNE_CHILD, .preset = AUTOTUNE_FAST, .backend = clock_of_kernels(), .result = &r),
                    take(60000), raise(SIGBUS), take(20000));
    CHECK(r.status == AUTOTUNE_OK && r.index == 2 && r.failed == 1 && forks == 2);
}
/* A statement in the body of a trial does not fork: it runs in the child of the trial. */
static void enter_another(int which, pid_t parent) {
    AUTOTUNE(SPACE(AXIS(inner, 0, 1)), 1, take(inner ? 20000 : 40000), .isolate = AUTOTUNE_CHILD, .name = "inner",
             .key = KEY(which), .preset = AUTOTUNE_FAST);
    if (getpid() != parent && forks != 0) abort();
}
static void statements_within_trials_do_not_fork(void) {
    const pid_t parent = getpid();
    autotune_result r;
    forks = 0;
    AUTOTUNE(SPACE(AXIS(which, 0, 1)), 1, enter_another(which, parent), .isolate = AUTOTUNE_CHILD,
             .preset = AUTOTUNE_FAST, .result = &r);
    CHECK(r.status == AUTOTUNE_OK && r.failed == 0);
}

/* Reads a pipe until its end. The pipe has the standard output of another program, or the messages of its trials. */
static int read_all(int file, char *text, size_t bytes) {
    size_t got = 0;
    ssize_t more;
    while (got < bytes - 1 && (more = read(file, text + got, bytes - 1 - got)) > 0) got += (size_t)more;
    text[got] = 0;
    return (int)got;
}
static pid_t begin_program(void (*program)(int to), int *from) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) {
        close(ends[0]);
        alarm(600);
        program(ends[1]);
        exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    *from = ends[0];
    return process;
}
static void print_and_tune(int to) {
    FILE *file = fdopen(dup(to), "w");
    CHECK(file && dup2(to, STDOUT_FILENO) == STDOUT_FILENO);
    printf("printed|");
    fprintf(file, "written|");
    works_with(1, EXIT);
    misdeeds[2] = ABORT;
    tune(1000, 1);
    CHECK(result.index == MOST - 1 && result.failed == 2);
    fclose(file);
}
static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++) count++;
    return count;
}
static void nothing_is_written_twice(void) {
    char text[1000];
    int from, status;
    const pid_t program = begin_program(print_and_tune, &from);
    read_all(from, text, sizeof text);
    CHECK(waitpid(program, &status, 0) == program && status == 0);
    CHECK(count_of(text, "printed|") == 1 && count_of(text, "written|") == 1);
    close(from);
}
static int tell_to;
static void tell_and_wait(int which, pid_t parent) {
    const pid_t self = getpid();
    if (self != parent && which == 1 && write(tell_to, &self, sizeof self) == (ssize_t)sizeof self)
        for (;;) zero = 0;
    spin(20000);
}
static void tune_for_long(int to) {
    const pid_t parent = getpid();
    tell_to = to;
    AUTOTUNE(SPACE(AXIS(which, 0, 1, 2)), 1, tell_and_wait(which, parent), .isolate = AUTOTUNE_CHILD,
             .launch_timeout = 60);
}
static bool is_there(pid_t process) { return kill(process, 0) == 0; }
static void nap(long milliseconds) {
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * MILLISECOND};
    nanosleep(&time, NULL);
}
static void a_killed_parent_leaves_no_child(void) {
    pid_t child;
    int from, status;
    const pid_t program = begin_program(tune_for_long, &from);
    CHECK(read(from, &child, sizeof child) == (ssize_t)sizeof child && is_there(child));
    CHECK(kill(program, SIGKILL) == 0 && waitpid(program, &status, 0) == program);
    for (int i = 0; i < 10000 && is_there(child); i++) nap(1);
    const bool left = is_there(child);
    if (left) kill(child, SIGKILL);
    CHECK(!left);
    close(from);
}
static void tell_and_spin(int which, pid_t parent) {
    static bool told;
    const pid_t self = getpid();
    if (self != parent && !told && write(tell_to, &self, sizeof self) == (ssize_t)sizeof self) {
        told = true;
        spin(400 * MILLISECOND);                    /* in this launch the parent and the child are stopped */
    }
    spin((which == 2 ? 1 : 2) * MILLISECOND);
}
static void tune_while_stopped(int to) {
    const pid_t parent = getpid();
    autotune_result r;
    tell_to = to;
    AUTOTUNE(SPACE(RANGE(which, 0, 15, 1)), 1, tell_and_spin(which, parent), .isolate = AUTOTUNE_CHILD,
             .launch_timeout = 2, .preset = AUTOTUNE_FAST, .result = &r);
    CHECK(r.status == AUTOTUNE_OK && r.failed == 0);
}
static void stopping_and_continuing_is_survived(void) {
    pid_t child;
    int from, status;
    const pid_t program = begin_program(tune_while_stopped, &from);
    CHECK(read(from, &child, sizeof child) == (ssize_t)sizeof child);
    CHECK(kill(program, SIGSTOP) == 0 && kill(child, SIGSTOP) == 0);
    nap(3000);
    CHECK(kill(program, SIGCONT) == 0);
    nap(100);
    CHECK(kill(child, SIGCONT) == 0);
    CHECK(waitpid(program, &status, 0) == program && status == 0);
    close(from);
}

/* The reason of a failure is longer than a child can report. */
static size_t reason_bytes;
static void take_long_reason(void *key, const autotune_known *known) {
    if (known->key.word[0] != *(uint64_t *)key) return;
    for (size_t i = 0; i < known->measurement_count; i++)
        if (known->measurements[i].config.index == 1) reason_bytes = strlen(known->measurements[i].reason);
}
static autotune_status fail_at_length(int which) {
    take(1000);
    if (which == 1) autotune_explain("%01200d", which);
    return which == 1 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void a_long_reason_is_cut(void) {
    uint64_t key = 60;
    forks = 0;
    AUTOTUNE(SPACE(AXIS(which, 0, 1, 2)), 1, fail_at_length(which), .isolate = AUTOTUNE_CHILD, .preset = AUTOTUNE_FAST,
             .backend = clock_of_kernels(), .key = KEY(key), .result = &result);
    autotune_each(take_long_reason, &key);
    CHECK(result.status == AUTOTUNE_OK && forks == 1 && reason_bytes == 1000);
}

/* Backends that differ from the CPU's in one function, which a child process could not share. */
static void *own_allocate(autotune_backend *self, size_t bytes) { return (void)self, malloc(bytes); }
static autotune_status own_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self, memcpy(to, from, bytes);
    return AUTOTUNE_OK;
}
static autotune_status start_clock(autotune_backend *self) { return (void)self, AUTOTUNE_OK; }
static autotune_status stop_clock(autotune_backend *self, double *ns) { return (void)self, *ns = 1000, AUTOTUNE_OK; }
static autotune_status prepare_nothing(autotune_backend *self, const autotune_config *config, uint64_t *prepared) {
    return (void)self, (void)config, *prepared = 0, AUTOTUNE_OK;
}
static autotune_backend *open_itself(autotune_backend *self, void *place, const autotune_options *o) {
    return (void)place, (void)o, self;
}
static autotune_error_class never_worse(autotune_backend *self, autotune_status status) {
    return (void)self, (void)status, AUTOTUNE_ERROR_CONFIGURATION;
}
static void only_the_cpu_is_isolated(void) {
    enum { DIFFERENCES = 7 };
    for (int different = 0; different <= DIFFERENCES; different++) {
        autotune_backend backend = virtual_backend("virtual");
        if (different == 1) backend.allocate = own_allocate;
        if (different == 2) backend.copy = own_copy;
        if (different == 3) backend.start = start_clock, backend.stop = stop_clock;
        if (different == 4) backend.prepare = prepare_nothing;
        if (different == 5) backend.open = open_itself;
        if (different == 6) backend.ready = start_clock;
        if (different == 7) backend.classify = never_worse;
        autotune_set_log(remember_line, NULL);
        forks = 0;
        AUTOTUNE(SPACE(AXIS(which, 0, 1)), 1, spend(1000), .isolate = AUTOTUNE_CHILD, .backend = &backend,
                 .key = KEY(different));
        CHECK(said("only launches on the CPU work in a child process") == (different > 0));
        CHECK(forks == (different == 0));
        autotune_set_log(say_nothing, NULL);
    }
}

/* A child needs two pipes. If no files are left for them, the race runs in the process, and all open files stay
   open. */
static void without_files_for_pipes_the_process_races(void) {
    enum { NEEDED = 5, FILES = 64 };
    struct rlimit limit, few;
    int held[FILES], count = 0, again;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    few = limit;
    few.rlim_cur = FILES;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    while ((held[count] = dup(STDERR_FILENO)) >= 0) count++;
    works_with(0, WORKS);
    for (int room = 0; room <= NEEDED; room++) {
        for (int i = 0; i < room; i++) close(held[--count]);
        autotune_set_log(remember_line, NULL);
        tune(50 + room, 0);
        autotune_set_log(say_nothing, NULL);
        CHECK(result.status == AUTOTUNE_OK && result.index == MOST - 1 && calls == 1);
        CHECK(forks == (room == NEEDED) && (trials == 0) == (room == NEEDED));
        CHECK(said("Too many open files") == (room < NEEDED) && fcntl(STDOUT_FILENO, F_GETFD) >= 0);
        for (again = 0; (held[count] = dup(STDERR_FILENO)) >= 0; again++) count++;
        CHECK(again == room);
    }
    while (count) close(held[--count]);
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* Mode ONLINE makes no child, since each launch is real. */
static void online_is_not_isolated(void) {
    autotune_set_log(remember_line, NULL);
    forks = 0;
    for (int call = 0; call < 3; call++) {
        AUTOTUNE(SPACE(AXIS(which, 0, 1)), 1, spin(1000), .isolate = AUTOTUNE_CHILD, .mode = AUTOTUNE_ONLINE);
        CHECK(said("every launch is real") == (call == 0) && forks == 0);
    }
    autotune_set_log(say_nothing, NULL);
}

/* No launch returns from a child, so the race runs in the process. */
static void needs_the_parent(int which, pid_t parent) {
    trials++;
    if (getpid() != parent) for (;;) pause();
    take(which == 2 ? 20000 : 60000);
}
static void where_children_do_not_work_the_process_races(void) {
    const pid_t parent = getpid();
    autotune_set_log(remember_line, NULL);
    for (int key = 0; key < 2; key++) {
        autotune_result r;
        forks = trials = 0;
        AUTOTUNE(SPACE(AXIS(which, 0, 1, 2)), 1, needs_the_parent(which, parent), .isolate = AUTOTUNE_CHILD,
                 .preset = AUTOTUNE_FAST, .launch_timeout = 0.5, .key = KEY(key), .backend = clock_of_kernels(),
                 .result = &r);
        CHECK(r.status == AUTOTUNE_OK && r.failed == 0 && trials > 3 && r.index == 2);
        CHECK(forks == (key == 0 ? 2 : 0) && said("AUTOTUNE_CHILD has no effect"));
    }
}
static const plain_test tests[] = {
    {"a race runs in one child", a_race_runs_in_one_child},
    {"a race by the clock of the machine finds the fastest", a_race_by_the_clock_of_the_machine_finds_the_fastest},
    {"misdeeds fail their configurations", misdeeds_fail_their_configurations},
    {"a late child ends at once", a_late_child_ends_at_once},
    {"signals make no child late", signals_make_no_child_late},
    {"the first configuration may be bad", the_first_configuration_may_be_bad},
    {"a later launch may be bad", a_later_launch_may_be_bad},
    {"a rehearsal may be bad", a_rehearsal_may_be_bad},
    {"a trial may fork", a_trial_may_fork},
    {"a rehearsal may fork", a_rehearsal_may_fork},
    {"helpers of a trial end with it", helpers_of_a_trial_end_with_it},
    {"a trial may spoil the race of its process", a_trial_may_spoil_the_race_of_its_process},
    {"all may be bad", all_may_be_bad},
    {"other threads go on", other_threads_go_on},
    {"hanging launches take time", hanging_launches_take_time},
    {"outputs are compared across children", outputs_are_compared_across_children},
    {"a wrong first configuration is told", a_wrong_first_configuration_is_told},
    {"a clock of the program is used", a_clock_of_the_program_is_used},
    {"created tuners are isolated", created_tuners_are_isolated},
    {"alternatives are isolated", alternatives_are_isolated},
    {"statements within trials do not fork", statements_within_trials_do_not_fork},
    {"nothing is written twice", nothing_is_written_twice},
    {"a killed parent leaves no child", a_killed_parent_leaves_no_child},
    {"stopping and continuing is survived", stopping_and_continuing_is_survived},
    {"a long reason is cut", a_long_reason_is_cut},
    {"only the cpu is isolated", only_the_cpu_is_isolated},
    {"without files for pipes the process races", without_files_for_pipes_the_process_races},
    {"online is not isolated", online_is_not_isolated},
    /* this test is the last, since the library makes no child after it */
    {"where children do not work the process races", where_children_do_not_work_the_process_races},
};
int main(void) {
    CHECK(pthread_atfork(NULL, count_fork, NULL) == 0);
    return RUN_PLAIN_TESTS(tests);
}

/* program.c CASE - an unmodified program for libautotune_openmp.so. It has its own clock, which only regions move. So
   on any machine the time of a region depends only on its threads. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t virtual_ns = 1000000000u;
/* Replaces the function of the C library in the whole process. */
int clock_gettime(clockid_t clock, struct timespec *time) {
    const uint64_t now = __atomic_add_fetch(&virtual_ns, 20, __ATOMIC_RELAXED);
    (void)clock;
    time->tv_sec = (time_t)(now / 1000000000u);
    time->tv_nsec = (long)(now % 1000000000u);
    return 0;
}
/* A thread that wakes the thread of the library waits until that thread sleeps again. So the thread of the library
   takes no time on the virtual clock. */
static long woken, slept;
int sem_wait(sem_t *semaphore) {
    int (*real)(sem_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "sem_wait");
    __atomic_add_fetch(&slept, 1, __ATOMIC_RELEASE);
    return real(semaphore);
}
int sem_post(sem_t *semaphore) {
    const long count = __atomic_add_fetch(&woken, 1, __ATOMIC_RELAXED);
    int status, (*real)(sem_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "sem_post");
    status = real(semaphore);
    while (__atomic_load_n(&slept, __ATOMIC_ACQUIRE) <= count) sched_yield();
    return status;
}
void spend(uint64_t ns);
void spend(uint64_t ns) { __atomic_add_fetch(&virtual_ns, ns, __ATOMIC_RELAXED); }

/* The numbers of threads of a region: in its first call, in its last call, and the least and the most in all calls. */
typedef struct teams { int first, last, least, most; } teams;
static void count_team(teams *seen, int threads) {
    if (!seen->first) seen->first = seen->least = seen->most = threads;
    seen->last = threads;
    if (threads < seen->least) seen->least = threads;
    if (threads > seen->most) seen->most = threads;
}
static void print_teams(const char *name, const teams *seen) {
    printf("%s: first %d, last %d, from %d to %d threads\n", name, seen->first, seen->last, seen->least, seen->most);
}

enum { N = 1 << 10 };
static double values[N];
/* The time of sweep_small() for each thread, in ns. So one thread is the fastest. */
static unsigned small_ns = 20000;
void sweep_small(teams *seen);
void sweep_large(teams *seen);
void sweep_small(teams *seen) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) values[i] = values[i] * 0.5 + i;
#pragma omp master
        {
            spend((uint64_t)omp_get_num_threads() * small_ns);
            count_team(seen, omp_get_num_threads());
        }
    }
}
/* This region has 8 ms of work, which its threads share. So 8 threads are the fastest. */
void sweep_large(teams *seen) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 16)
        for (int i = 0; i < N; i++) values[i] = values[i] * 0.5 + i;
#pragma omp master
        {
            spend(8000000u / (unsigned)omp_get_num_threads());
            count_team(seen, omp_get_num_threads());
        }
    }
}
static void print_sum(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += values[i];
    printf("sum %.17g\n", sum);
}
/* A function of count.c; NULL if count.c is not loaded. It returns how often this thread allocated memory or took a
   lock. */
__attribute__((__weak__)) long counted(void);
static void run_calls(void (*sweep)(teams *), const char *name, int calls) {
    teams seen = {0};
    const uint64_t began = virtual_ns;
    int costly = 0;
    for (int i = 0; i < calls; i++) {
        const long before = counted ? counted() : 0;
        sweep(&seen);
        costly += i > 0 && counted && counted() != before;
    }
    print_teams(name, &seen);
    if (counted) printf("%s: allocations or locks in %d calls after the first\n", name, costly);
    printf("%.4f s\n", (double)(virtual_ns - began) / 1e9);
    print_sum();
}
static void small(void) { run_calls(sweep_small, "small", 18000); }
/* After 60 calls the region takes 100 times as long. Before and after this one thread is eight times as fast as 8. */
static void grown(void) {
    run_calls(sweep_small, "before", 60);
    small_ns *= 100;
    run_calls(sweep_small, "grown", 2000);
}
static void few(void) { run_calls(sweep_small, "few", 500); }
static void cut(void) {
    small_ns = 1000;
    run_calls(sweep_small, "cut", 40);
}
static void large(void) { run_calls(sweep_large, "large", 1000); }

/* ---- Regions that the library leaves alone ---- */

static __attribute__((__noinline__)) int team(int given) {
    int threads = 0;
    if (given) {
#pragma omp parallel num_threads(given)
#pragma omp master
        threads = omp_get_num_threads();
    } else {
#pragma omp parallel
#pragma omp master
        {
            threads = omp_get_num_threads();
            spend((uint64_t)threads * 20000);
        }
    }
    return threads;
}
static void given(void) {
    teams one = {0}, three = {0}, closed = {0};
    for (int i = 0; i < 2000; i++) {
        count_team(&one, team(1));
        count_team(&three, team(3));
#pragma omp parallel if (i < 0)
        count_team(&closed, omp_get_num_threads());
    }
    print_teams("one", &one);
    print_teams("three", &three);
    print_teams("closed", &closed);
}
/* A region whose caller wants a part from each of `count` threads, as omp_get_max_threads() promises them. Returns how
   many parts are missing. */
static int missing_parts(teams *seen, int count) {
    int parts[64] = {0}, missing = 0;
#pragma omp parallel
    {
        parts[omp_get_thread_num()] = 1;
#pragma omp master
        {
            spend((uint64_t)omp_get_num_threads() * small_ns);
            count_team(seen, omp_get_num_threads());
        }
    }
    for (int i = 0; i < count; i++) missing += !parts[i];
    return missing;
}
int omp_get_max_threads_(void);                 /* the same function for Fortran */
static void parts(void) {
    teams seen = {0}, other = {0};
    int missing = 0;
    for (int i = 0; i < 2000; i++) {
        missing += missing_parts(&seen, i % 2 ? omp_get_max_threads() : omp_get_max_threads_());
        sweep_small(&other);
    }
    print_teams("parts", &seen);
    print_teams("other", &other);
    printf("%d parts are missing\n", missing);
}
static void nested(void) {
    teams inner = {0};
    omp_set_max_active_levels(2);
    for (int i = 0; i < 300; i++) {
#pragma omp parallel num_threads(2)
#pragma omp master
        {
            omp_set_num_threads(3);
#pragma omp parallel
#pragma omp master
            {
                count_team(&inner, omp_get_num_threads());
                spend((uint64_t)omp_get_num_threads() * 20000);
            }
        }
    }
    print_teams("inner", &inner);
}
static void forked(void) {
    const pid_t child = fork();
    int status = 1;
    if (child == 0) {
        teams seen = {0};
        for (int i = 0; i < 2000; i++) count_team(&seen, team(0));
        print_teams("child", &seen);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, &status, 0);
    run_calls(sweep_small, "parent", 2000);
    if (fork() == 0) execlp("sh", "sh", "-c", "exit 3", (char *)NULL);
    wait(&status);
    printf("sh ended with %d\n", WEXITSTATUS(status));
}

/* ---- Several regions in turn ---- */

/* The time of libgomp to start one thread again, in us, if a region has more threads than the region before. */
static unsigned start_us = 25;
static inline __attribute__((__always_inline__)) void spend_by_team(teams *seen, const unsigned *us_of_team) {
#pragma omp parallel
#pragma omp master
    {
        static int before;
        const int threads = omp_get_num_threads();
        count_team(seen, threads);
        spend(us_of_team[threads] * 1000u);
        if (threads > before && before > 1) spend((unsigned)(threads - before) * start_us * 1000u);
        if (threads > 1) before = threads;
    }
}
/* With 4 threads the first region takes 50 us less. But the second region needs all 8 threads, and to start 4 threads
   again takes 100 us. */
static void turns(void) {
    static const unsigned first_us[9] = {0, 1600, 1200, 0, 350, 0, 0, 0, 400},
                          second_us[9] = {0, 3200, 1600, 0, 800, 0, 0, 0, 400};
    teams first = {0}, second = {0}, alone = {0};
    for (int i = 0; i < 3000; i++) {
        spend_by_team(&first, first_us);
        spend_by_team(&second, second_us);
    }
    for (int i = 0; i < 3000; i++) spend_by_team(&alone, first_us);
    print_teams("turns", &first);
    print_teams("alone", &alone);
}

/* Runs twelve regions in turn, and prints their time on the virtual clock. */
static void run_twelve(const char *name, const unsigned *us, int rounds) {
    const uint64_t began = virtual_ns;
    teams seen = {0};
    for (int i = 0; i < rounds; i++) {
#define REGION spend_by_team(&seen, us);
        REGION REGION REGION REGION REGION REGION REGION REGION REGION REGION REGION REGION
    }
    print_teams(name, &seen);
    printf("%.4f s\n", (double)(virtual_ns - began) / 1e9);
}
/* Each region takes 10 us with 8 threads, and 10 ms with fewer threads. */
static void steep(void) {
    static const unsigned us[9] = {0, 10000, 10000, 0, 10000, 0, 0, 0, 10};
    run_twelve("steep", us, 1000);
}
/* The processors are busy, so it takes long to start a thread. With 4 threads a region takes only 10 us less than with
   8 threads. */
static void run_dear(const char *name, unsigned us_of_start, int rounds) {
    static const unsigned us[9] = {0, 400, 200, 0, 90, 0, 0, 0, 100};
    start_us = us_of_start;
    run_twelve(name, us, rounds);
}
static void dear(void) { run_dear("dear", 2000, 1000); }
/* In this short program, one call that starts four threads again takes half of the time of all regions. */
static void brief(void) { run_dear("brief", 40000, 250); }

/* ---- The end of programs, threads and signals ---- */

static void leave(void) {
    for (int i = 0; i < 200; i++) (void)team(0);
#pragma omp parallel
#pragma omp master
    {
        puts("leaving");
        exit(7);
    }
}
static void *sweep_in_thread(void *argument) {
    (void)argument;
    for (int i = 0; i < 1000; i++) (void)team(0);
    return NULL;
}
static void threads(void) {
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, sweep_in_thread, NULL);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < 20000; i++) (void)team(0);
    printf("all ended, last %d\n", team(0));
}
static void cancelled(void) {
    int left = 0;
    for (int i = 0; i < 1000; i++) {
#pragma omp parallel reduction(+ : left)
        {
#pragma omp cancel parallel
            left++;
        }
    }
    printf("cancelled %d\n", omp_get_cancellation() && left == 0);
}
static volatile sig_atomic_t alarms;
static void count_alarm(int signal) { (void)signal, alarms++; }
static void signalled(void) {
    const struct sigaction action = {.sa_handler = count_alarm};
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 1000; i++) {
        if (i % 10 == 0) kill(getpid(), SIGUSR1);
        (void)team(0);
    }
    printf("signals %d\n", (int)alarms);
}

/* Returns how many threads of this process have the policy SCHED_BATCH, and so do not preempt another thread when they
   wake up. */
static int threads_with_sched_batch(void) {
    int count = 0;
    DIR *const folder = opendir("/proc/self/task");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        count += atoi(entry->d_name) && sched_getscheduler(atoi(entry->d_name)) == SCHED_BATCH;
    if (folder) closedir(folder);
    return count;
}
/* The thread of the library begins when it gets a processor. No call waits for this if an earlier run settled the
   region. So the program waits for up to 10 s. */
static void scheduling(void) {
    for (int i = 0; i < 10000 && !threads_with_sched_batch(); i++) {
        (void)team(0);
        usleep(1000);
    }
    printf("threads with SCHED_BATCH: %d\n", threads_with_sched_batch());
}

/* ---- Schedules, sections, reductions, many variables ---- */

static long all_loops(void) {
    long sum = 0;
#define LOOP(directive) \
    _Pragma(directive) \
    for (int i = 0; i < N; i++) sum += i
    LOOP("omp parallel for reduction(+ : sum) schedule(static, 3)");
    LOOP("omp parallel for reduction(+ : sum) schedule(dynamic)");
    LOOP("omp parallel for reduction(+ : sum) schedule(guided, 7)");
    LOOP("omp parallel for reduction(+ : sum) schedule(runtime)");
    LOOP("omp parallel for reduction(+ : sum) schedule(monotonic : dynamic)");
    LOOP("omp parallel for reduction(+ : sum) schedule(monotonic : guided)");
    LOOP("omp parallel for reduction(+ : sum) schedule(monotonic : runtime)");
    LOOP("omp parallel for reduction(+ : sum) schedule(nonmonotonic : runtime)");
#pragma omp parallel sections reduction(+ : sum)
    {
#pragma omp section
        sum += 1;
#pragma omp section
        sum += 2;
    }
#pragma omp parallel reduction(task, + : sum)
#pragma omp master
    for (int i = 0; i < 10; i++)
#pragma omp task in_reduction(+ : sum)
        sum += i;
    return sum;
}
#define TEN(X, tens) X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) \
    X(tens##8) X(tens##9)
#define THIRTY(X) TEN(X, 1) TEN(X, 2) TEN(X, 3)
#define DEFINE(n) long v##n = n;
#define SHOW(n) long *volatile p##n = &v##n;
#define ADD(n) sum += v##n;
/* clang passes each variable as an argument: 11 in the first region, 31 in the second. */
static long many_variables(void) {
    long sum = 0;
    THIRTY(DEFINE)
    THIRTY(SHOW)
#pragma omp parallel
#pragma omp master
    { TEN(ADD, 1) }
#pragma omp parallel
#pragma omp master
    { THIRTY(ADD) }
#define KEEP(n) sum += p##n == NULL;
    THIRTY(KEEP)
    return sum;
}
static void loops(void) {
    long sum = 0;
    for (int i = 0; i < 100; i++) sum += all_loops() + many_variables();
    printf("loops %ld\n", sum);
}

/* ---- Modules ---- */

static int (*open_module(const char *path, void **handle))(void) {
    int (*sweep)(void) = NULL;
    void *function;
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle || !(function = dlsym(*handle, "module_sweep"))) {
        puts(dlerror());
        exit(3);
    }
    memcpy(&sweep, &function, sizeof sweep);
    return sweep;
}
/* Loads two modules in turn, which the system may load to the same address. Each is unloaded in the middle of a
   batch. */
static void modules(void) {
    for (int i = 0; i < 16; i++) {
        void *handle;
        int (*const sweep)(void) = open_module(i % 2 ? "./second.so" : "./first.so", &handle);
        int calls[9] = {0}, usual = 0;
        for (int call = 0; call < 200; call++) calls[sweep()]++;
        for (int threads = 1; threads <= 8; threads++)
            if (calls[threads] > calls[usual]) usual = threads;
        printf("module %d: %d\n", i, usual);
        dlclose(handle);
    }
}
/* Unloads a module after 1 to 11 calls, and loads it again to another address. So the batch that is interrupted has
   some calls, or none. */
static void moved(void) {
    int threads = 0;
    for (int calls = 1; calls < 12; calls++) {
        void *handle, *other, *again;
        int (*const sweep)(void) = open_module("./first.so", &handle);
        for (int call = 0; call < calls; call++) (void)sweep();
        dlclose(handle);
        (void)open_module("./second.so", &other);
        int (*const moved_sweep)(void) = open_module("./first.so", &again);
        if (moved_sweep == sweep) puts("it was loaded to the same place");
        for (int call = 0; call < 1500; call++) threads = moved_sweep();
        dlclose(again);
        dlclose(other);
    }
    printf("at another place: %d\n", threads);
}
static void mixed(void) {
    void *handle;
    int (*const sweep)(void) = open_module("./other.so", &handle);
    teams own = {0}, others = {0};
    for (int i = 0; i < 500; i++) {
        count_team(&others, sweep());
        count_team(&own, team(0));
    }
    print_teams("own", &own);
    print_teams("others", &others);
}

int main(int count, char **arguments) {
    static const struct { const char *name; void (*run)(void); } cases[] = {
        {"small", small}, {"grown", grown}, {"few", few}, {"cut", cut}, {"large", large}, {"given", given},
        {"turns", turns}, {"parts", parts},
        {"steep", steep}, {"dear", dear}, {"brief", brief}, {"nested", nested}, {"fork", forked}, {"leave", leave},
        {"threads", threads}, {"cancel", cancelled}, {"signal", signalled}, {"scheduling", scheduling},
        {"loops", loops}, {"modules", modules}, {"moved", moved}, {"mixed", mixed},
    };
    for (size_t i = 0; count > 1 && i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(arguments[1], cases[i].name)) {
            cases[i].run();
            return 0;
        }
    return 2;
}

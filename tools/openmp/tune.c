/* The race of each region. */
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "library.h"
#include "tune.h"

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- Races ---- */

/* The race only has steps, which the program makes. So the library never calls this function. */
static autotune_status launch(void *user, const autotune_config *config) {
    return (void)user, (void)config, AUTOTUNE_FAILED;
}
/* The first configuration is default_threads. Then comes one thread, with which the runtime ends no threads. Then come
   powers of two below default_threads. The name "asked" of the key's part is in the caches of users. */
static void make_race(openmp_region *region) {
    int64_t threads[33] = { region->default_threads };
    autotune_axis axis = { .name = "threads", .values = threads, .count = 1 };
    const autotune_desc desc = { .name = region->module.place, .axes = &axis, .axis_count = 1, .launch = launch };
    for (int64_t power = 1; power < region->default_threads; power *= 2) threads[axis.count++] = power;
    region->tuner = autotune_create(&desc);
    region->options = (autotune_options){
        .mode = AUTOTUNE_ONLINE, .max_loss = 0.04, .max_seconds = 0.05,
        .strategy = AUTOTUNE_EXHAUSTIVE,        /* in the order of `threads` */
        .version = region->version, .key.text = "asked" };
    autotune_key_add_int(&region->options.key, region->default_threads);
}

/* ---- The budget ---- */

/* The loss of all regions together, in ns: the time that calls took beyond default_ns of their region. Two kinds of
   calls count: calls with another number of threads than default_threads, and calls that start threads which the
   runtime ended for another region. While the loss is above its limit (see may_lose()), all regions whose race goes on
   get default_threads. */
static int64_t lost_ns;
static double loaded_ns;                        /* when the process loaded this library */
static __attribute__((__constructor__)) void begin_budget(void) { loaded_ns = now_ns(); }
static double get(const int64_t *sum_ns) { return (double)__atomic_load_n(sum_ns, __ATOMIC_RELAXED); }
static bool may_lose(double expected_ns) {
    return get(&lost_ns) + expected_ns <= 10e6 + 0.03 * (now_ns() - loaded_ns);
}
static void add(int64_t *sum_ns, double ns) { __atomic_add_fetch(sum_ns, (int64_t)ns, __ATOMIC_RELAXED); }
/* Adds to the loss. Gains pay for later losses, up to 0.06 s: enough to try one number of threads. A higher gain may
   not be real: if calls have less work than before, a call with default_threads would be shorter, too. */
static void lose(double ns) {
    add(&lost_ns, ns);
    if (get(&lost_ns) < -60e6) __atomic_store_n(&lost_ns, -60000000, __ATOMIC_RELAXED);
}
/* Returns the possible loss of a new batch. In its first call `trying` threads do the work of default_threads. If the
   runtime ends threads, the next region waits until new threads start. With four busy processes on two processors this
   took 28 to 75 ms. With one thread the runtime ends no threads. So a short program on a busy machine only tries one
   thread. */
static double expected_loss_ns(const openmp_region *region) {
    if (!region->trying || region->trying == region->threads) return 0;
    return (region->default_threads / (double)region->trying - 1) * get(&region->default_ns) +
           (region->trying > 1 ? 50e6 : 0);
}

/* ---- Batches: only the thread that has set `busy` calls these functions ---- */

/* Plans the calls of a batch. Batches become longer. So a short program has short batches, and long batches are longer
   than the time slice that the system gives to another program. While default_ns of the region is not known, a batch is
   one call. The option .work tells the race how many calls a batch has. */
static void plan_batch(openmp_region *region) {
    const double first_ns = 100e3, most_ns = 5e6, longer_ns = 1.1 * region->target_ns,
                 default_ns = get(&region->default_ns), calls = default_ns > 0 ? region->target_ns / default_ns : 1;
    region->target_ns = longer_ns < first_ns ? first_ns : longer_ns > most_ns ? most_ns : longer_ns;
    region->planned = calls < 1 ? 1 : calls > 10000 ? 10000 : (int)calls;
    region->batch_ns = 0;
}
/* Ends a batch. A batch that takes far too long ends early, as does a batch at the end of the program. Then the time is
   extrapolated to the planned calls. One slow call might so count as thousands of slow calls. So the time for the race
   is limited to 8 times the time of the calls that were made. */
static void end_batch(openmp_region *region) {
    const double seen_ns = region->batch_ns + (double)__atomic_exchange_n(&region->debt_ns, 0, __ATOMIC_RELAXED),
                 reported_ns = seen_ns * region->planned / region->made,
                 most_ns = 8 * (seen_ns > 2 * region->target_ns ? seen_ns : 2 * region->target_ns);
    (void)autotune_step_end(&region->step, reported_ns < most_ns ? reported_ns : most_ns);
    region->planned = region->made = 0;
}
/* Logs the winner of a race that has ended. A race that goes on is not reported: it has compared few calls, and another
   program may have delayed each of them. */
static void log_winner(const openmp_region *region) {
    const double default_ns = region->result.default_ns, median_ns = region->result.median_ns;
    if (__atomic_load_n(&region->known, __ATOMIC_ACQUIRE) && region->threads &&
        !__atomic_load_n(&region->left_alone, __ATOMIC_RELAXED) &&
        __builtin_isgreater(default_ns, 1.02 * median_ns))
        openmp_log(AUTOTUNE_LOG_WINNER, "openmp: %s is %.2f times as fast with %d of %d threads; its line in the "
                   "source: addr2line -e '%s' 0x%lx", region->module.place, default_ns / median_ns, region->threads,
                   region->default_threads, region->module.path, (unsigned long)region->module.offset - 1);
}
static int threads_of(const autotune_step *step) {      /* 0: default_threads, the first configuration */
    return step->config.count && step->config.index ? (int)step->config.values[0] : 0;
}
/* Returns the threads of the configuration in use: a second step of the key gets it while the first step is
   measured. */
static int threads_in_use(const openmp_region *region) {
    autotune_step other;
    (void)autotune_step_begin(region->tuner, &region->options, &other);
    return threads_of(&other);
}
static void begin_batch(openmp_region *region) {
    autotune_options options = region->options;
    plan_batch(region);
    options.work = region->planned;
    options.result = &region->result;
    (void)autotune_step_begin(region->tuner, &options, &region->step);
    region->trying = threads_of(&region->step);
    __atomic_store_n(&region->threads, region->step.ticket ? threads_in_use(region) : region->trying, __ATOMIC_RELAXED);
    /* The time may be NaN. __builtin_isgreater() raises no exception for a NaN; the program may trap exceptions. */
    const double default_ns = region->trying ? region->result.default_ns : region->result.median_ns;
    if (!(get(&region->default_ns) > 0) && __builtin_isgreater(default_ns, 0))
        __atomic_store_n(&region->default_ns, (int64_t)default_ns, __ATOMIC_RELAXED);
    if (region->step.ticket) return;
    region->planned = 0;
    if (region->result.verdict != AUTOTUNE_ONGOING && region->result.verdict != AUTOTUNE_DEFAULT)
        __atomic_store_n(&region->known, true, __ATOMIC_RELEASE);
}

/* ---- The reporter ---- */

/* The end of a batch takes locks, allocates memory, and now and then writes to the disk. So a thread of this library,
   the reporter, reports the times of batches to their races. A call hands its region over to the reporter, and goes on.
   Until the next batch begins, calls get the number of threads that is in use. The reporter runs with SCHED_BATCH: it
   waits until a processor is free, or until the time slice of another thread ends. If the reporter took a processor
   from a thread of the program, the other threads of the region would wait for that thread. */
static sem_t handed_over;                       /* counts the regions that calls handed over */
static pthread_mutex_t reporting = PTHREAD_MUTEX_INITIALIZER;

static void report_batch(openmp_region *region) {
    if (!__atomic_exchange_n(&region->is_handed_over, false, __ATOMIC_ACQUIRE)) return;
    end_batch(region);
    begin_batch(region);
    __atomic_store_n(&region->busy, false, __ATOMIC_RELEASE);
}
/* At the end of the program: writes the result of the region's race for the next run, unless a call of the region still
   runs. A step without calls is given up with its tuner. */
static void end_region(openmp_region *region) {
    if (!__atomic_exchange_n(&region->is_handed_over, false, __ATOMIC_ACQUIRE) &&
        __atomic_exchange_n(&region->busy, true, __ATOMIC_ACQUIRE))
        return;
    if (region->made) end_batch(region);
    autotune_destroy(region->tuner);
    log_winner(region);
}
static void for_each_region(void (*act)(openmp_region *)) {
    openmp_region *region = __atomic_load_n(&openmp_newest, __ATOMIC_ACQUIRE);
    pthread_mutex_lock(&reporting);
    for (; region; region = region->older) act(region);
    pthread_mutex_unlock(&reporting);
}

/* The main thread may end by pthread_exit(). Then the process has to end with the last thread of the program. The
   reporter is no thread of the program. So after the end of the main thread the reporter polls whether it is the only
   thread left. Before, the reporter sleeps until a region is handed over. */
static bool main_has_ended;
static sigset_t signals_of_program;             /* the signals that the thread blocks which started the reporter */
static void end_main(void *unused) {
    (void)unused;
    __atomic_store_n(&main_has_ended, true, __ATOMIC_RELEASE);
    sem_post(&handed_over);
}
/* Asks for a call of end_main() when the main thread ends. If another thread loads this library, that is not possible,
   and the main thread counts as ended. */
static __attribute__((__constructor__)) void watch_main(void) {
    static pthread_key_t key;                   /* end_main() is called for its value */
    main_has_ended = syscall(SYS_gettid) != getpid() || pthread_key_create(&key, end_main) != 0 ||
                     pthread_setspecific(key, &key) != 0;
}
/* Returns true if the main thread has ended and no other thread is left, or if this cannot be found out. */
static bool is_alone(void) {
    char text[1024], state;
    int threads;
    const char *past_name = openmp_read("/proc/self/stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return !past_name || sscanf(past_name, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d",
                                &state, &threads) != 2 || (state == 'Z' && threads == 2);
}
/* Waits for a region. Returns false if this thread is the last one: the process then ends with it. */
static bool await_region(void) {
    struct timespec pause = { .tv_nsec = 1000000 };
    if (!__atomic_load_n(&main_has_ended, __ATOMIC_ACQUIRE)) return sem_wait(&handed_over), true;
    for (; sem_trywait(&handed_over) != 0; nanosleep(&pause, NULL), pause.tv_nsec *= pause.tv_nsec < 50000000 ? 2 : 1)
        if (is_alone()) return false;
    return true;
}
static void *report_batches(void *unused) {
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){ 0 });
    while (await_region()) for_each_region(report_batch);
    pthread_sigmask(SIG_SETMASK, &signals_of_program, NULL);
    return unused;
}
static void end_regions(void) { if (!openmp_is_child) for_each_region(end_region); }
/* Starts the reporter. If this fails, no batch ends, and no further batch begins. */
static void begin_reporter(void) {
    pthread_t reporter;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals_of_program);    /* signals are for threads of the program */
    if (pthread_create(&reporter, NULL, report_batches, NULL) == 0) pthread_detach(reporter);
    pthread_sigmask(SIG_SETMASK, &signals_of_program, NULL);
    (void)atexit(end_regions);
}

/* ---- Calls ---- */

/* The first call looks up the winner of an earlier run. So the call itself begins the first batch, not the reporter. */
static void begin_region(openmp_region *region) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_reporter);
    if (!region->tuner) make_race(region);
    if (region->tuner) begin_batch(region);     /* else there is no memory */
}
/* Returns true if this call is measured. A batch ends with the next call of the region: by then the debt of the batch
   is known. */
static bool joins_batch(openmp_region *region) {
    if (__atomic_exchange_n(&region->busy, true, __ATOMIC_ACQUIRE)) return false;
    if (!region->planned) begin_region(region);
    const double took_ns = region->batch_ns + (double)__atomic_load_n(&region->debt_ns, __ATOMIC_RELAXED);
    if (region->made && (region->made == region->planned || took_ns > (region->made > 1 ? 2 : 8) * region->target_ns)) {
        __atomic_store_n(&region->is_handed_over, true, __ATOMIC_RELEASE);
        sem_post(&handed_over);
        return false;
    }
    if (region->made || (region->planned && may_lose(expected_loss_ns(region)))) return true;
    __atomic_store_n(&region->busy, false, __ATOMIC_RELEASE);
    return false;
}
/* If a region has fewer threads than the region before it, the runtime ends threads. The next larger region has to
   start them again. With libgomp this takes 25 us per thread, and milliseconds if other programs use the processors.
   The larger region is not to blame for this time. If a call with default_threads has to start threads, returns the
   debt of the region whose call ended them, else NULL. If this call has fewer threads than default_threads, later calls
   of this thread add to `own`. */
static int64_t *whose_debt(int threads, int default_threads, int64_t *own) {
    static __thread int64_t *ended_by;
    static __thread int team;
    int64_t *const found = threads > team && threads == default_threads ? ended_by : NULL;
    if (threads < 2) return NULL;               /* with one thread the runtime ends no threads */
    ended_by = threads <= team && threads < default_threads ? own : NULL;
    team = threads;
    return found;
}
void openmp_end(const openmp_call *call) {
    openmp_region *const region = call->timed;
    openmp_asks_maximum = false;                /* the body of the region, or the runtime, may have asked, too */
    if (!region) return;
    const double default_ns = get(&region->default_ns),
                 ns = now_ns() - call->began_ns, beyond_ns = default_ns > 0 ? ns - default_ns : 0,
                 owed_ns = call->debt_ns && beyond_ns > 0 ? beyond_ns : 0;
    if (call->threads || call->debt_ns) lose(beyond_ns);
    /* default_ns follows the work of the region. A delayed call raises it by at most an eighth. */
    else add(&region->default_ns, (beyond_ns < default_ns ? beyond_ns : default_ns) / 8);
    if (call->debt_ns) add(call->debt_ns, owed_ns);
    if (!call->measured) return;
    region->batch_ns += ns - owed_ns;
    region->made++;
    __atomic_store_n(&region->busy, false, __ATOMIC_RELEASE);
}
void openmp_choose(openmp_call *call, openmp_region *region) {
    static int64_t debt_of_no_batch;            /* the debt of calls that belong to no batch */
    const bool known = __atomic_load_n(&region->known, __ATOMIC_ACQUIRE);
    call->measured = !known && joins_batch(region);
    if (call->measured) call->threads = region->trying;
    else if (known || may_lose(0)) call->threads = __atomic_load_n(&region->threads, __ATOMIC_RELAXED);
    call->debt_ns = whose_debt(call->threads ? call->threads : region->default_threads, region->default_threads,
                               known ? NULL : call->measured ? &region->debt_ns : &debt_of_no_batch);
    if (call->debt_ns == &region->debt_ns) call->debt_ns = &debt_of_no_batch; /* a region owes itself nothing */
    if (known && !call->debt_ns) return;
    call->timed = region;
    call->began_ns = now_ns();
}

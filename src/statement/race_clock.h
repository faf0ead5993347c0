/* The clock of a race: the time since the race began, and the time that does not count against its limit. A thread may
   wait for a processor that other processes use. If the length of the wait is known, it is subtracted. */
#pragma once
#include "../system/floor.h"
#include "../device/floor.h"
#include "statement.h"
#include "peers.h"

static double autotune__own_seconds(const autotune__trial_state *trial, uint64_t now) {    /* since the race began */
    const double ns = (double)(int64_t)(now - trial->watch.began);     /* below 0: the clock was set back */
    return ns > 0 ? ns / 1e9 : 0;
}
/* Returns true if peers make each launch, too. Then a failed launch does not end its batch, except with timing
   QUEUED. */
static bool autotune__makes_each_launch(const autotune__trial_state *trial) {
    return trial->peers && trial->peers->make_each_launch(trial);
}
/* Returns the seconds since the race began. Ranks in step get the number on which they agreed last. */
static double autotune__seconds(const autotune__trial_state *trial, uint64_t now) {
    return autotune__makes_each_launch(trial) ? trial->seconds : autotune__own_seconds(trial, now);
}
static double autotune__now(const autotune__trial_state *trial) {
    return autotune__seconds(trial, autotune__clock_now(trial->subject));
}
/* Notes that nothing was launched since `from`. Checking large outputs, or compiling, may take longer than all launches
   of a configuration. */
static void autotune__exclude_time_since(autotune__trial_state *trial, uint64_t from) {
    trial->answer.unlaunched_seconds += autotune__passed_ns(from, autotune__clock_now(trial->subject)) / 1e9;
}
/* A driver may compile a kernel during the first launch, and the device's clock does not count the compilation. So a
   first launch counts against the limit of the race with at most twice its time by the device's clock. ns: its time by
   the device's clock. */
static void autotune__exclude_compilation(autotune__trial_state *trial, double ns) {
    const double passed_ns = autotune__passed_ns(trial->watch.started, autotune__clock_now(trial->subject));
    if (passed_ns > 2 * ns) trial->answer.unlaunched_seconds += (passed_ns - 2 * ns) / 1e9;
}

/* Bits that say which launches were preempted, and how they were timed. */
enum {
    AUTOTUNE__OF_ONE_THREAD = 1,                /* launches of one thread: without waits for a processor */
    AUTOTUNE__OF_SEVERAL_THREADS = 2            /* launches of several threads: with waits, by the backend's clock */
};
/* Returns true if the CPU's clock measures. Times by another clock are not corrected, even if a driver is preempted. */
static bool autotune__corrects_preemption(const autotune__trial_state *trial) {
    return trial->subject->backend->now == autotune__cpu_now;
}
/* Returns how long other threads of the process have computed. Only the difference of two such times has a meaning. */
static double autotune__others_ns(const autotune__usage *used) {
    return (double)autotune__process_ns() - (double)used->cpu_ns;
}
/* Called before the first RUN of a process, and before a call in use. */
static void autotune__begin_watch(autotune__trial_state *trial) {
    const autotune__usage used = autotune__thread_usage();
    trial->watch.others_ns = autotune__others_ns(&used);
}
/* Called directly before the clock starts. */
static void autotune__note_usage(autotune__trial_state *trial) {
    if (!autotune__corrects_preemption(trial)) return;
    trial->watch.used = autotune__thread_usage();
    trial->watch.compiling = __atomic_load_n(&autotune__compiling, __ATOMIC_RELAXED);
}
/* Returns the remark on a race whose preempted launches were timed in two ways; NULL: all were timed in one way. */
static const char *autotune__note_on_threads(const autotune__trial_state *trial) {
    const unsigned both = AUTOTUNE__OF_ONE_THREAD | AUTOTUNE__OF_SEVERAL_THREADS;
    return trial->preemptions != both
               ? NULL : "launches of one thread count without their waits for a processor, launches of several threads "
                        "with them: compare numbers of threads on an idle machine";
}
/* Returns true if a first launch may have taken longer than later launches. One sign is page faults: half a microsecond
   for each is more than a tenth of the time that the process computed. The other sign is the start of threads: the
   thread waited, and the process computed for less than half of the time. */
static bool autotune__sets_up(const autotune__usage *before, const autotune__usage *after, double ns,
                              double process_ns) {
    const double faults_ns = 500 * (double)(after->faults - before->faults);
    return (faults_ns > 0 && faults_ns > 0.1 * process_ns) || (after->waited != before->waited && process_ns < ns / 2);
}
/* Returns the time of launches that took `ns` by the clock. If the thread was preempted, only the time that it computed
   counts, since it waited for a processor the rest of the time. This holds only if the thread waited for nothing else,
   and other threads of the process computed for a short time at most. Else `ns` counts. *preempted: true if the thread
   was preempted, and the launches should be repeated. They should if the returned time may include waiting for a
   processor, or is below 1 ms. */
static double autotune__without_waiting(autotune__trial_state *trial, double ns, bool *preempted) {
    const autotune__usage *before = &trial->watch.used,
                          after = autotune__corrects_preemption(trial) ? autotune__thread_usage() : *before;
    const uint64_t computed_ns = after.cpu_ns - before->cpu_ns;
    const double some_ns = 20e3, short_ns = 1e6, others_ns = autotune__others_ns(&after),
                 more_ns = others_ns - trial->watch.others_ns;
    const bool alone = more_ns < some_ns + ns / 50 && after.waited == before->waited;
    double own_ns = ns;
    trial->watch.others_ns = others_ns;
    if (autotune__is_new(trial) && autotune__sets_up(before, &after, ns, more_ns + (double)computed_ns))
        trial->answer.execution = AUTOTUNE__SETS_UP;
    *preempted = false;
    if (after.preempted == before->preempted) return ns;
    if (alone && computed_ns && !trial->subject->backend->start) own_ns = (double)computed_ns;
    /* A short launch is cheap to repeat, and the process that preempted the thread has changed the caches. */
    *preempted = own_ns >= ns || own_ns < short_ns;
    if (own_ns < ns) trial->answer.waited_seconds += (ns - own_ns) / 1e9;
    if (ns >= short_ns && alone) trial->answer.preemptions |= AUTOTUNE__OF_ONE_THREAD;
    /* While the library compiles, the other threads that computed may be its own. */
    if (ns >= short_ns && more_ns >= some_ns + ns / 50 && !trial->watch.compiling &&
        !__atomic_load_n(&autotune__compiling, __ATOMIC_RELAXED))
        trial->answer.preemptions |= AUTOTUNE__OF_SEVERAL_THREADS;
    return own_ns < ns ? own_ns : ns;
}

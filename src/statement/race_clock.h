/* The clock of a race: the time since the race began, and what does not count against its limit. Launches may wait for
   a processor, since other processes want it, too: that time is not their own. */
#pragma once
#include "../system/floor.h"
#include "../device/floor.h"
#include "statement.h"
#include "peers.h"

static double autotune__own_seconds(const autotune__trial_state *trial, uint64_t now) {    /* since the race began */
    const double ns = (double)(int64_t)(now - trial->watch.began);     /* of a clock that turned back: below 0 */
    return ns > 0 ? ns / 1e9 : 0;
}
/* Returns true if peers make each launch, too, also where one of a batch fails. */
static bool autotune__makes_each_launch(const autotune__trial_state *trial) {
    return trial->peers && trial->peers->make_each_launch(trial);
}
/* Seconds since the race began: of ranks in step those that they agreed on. */
static double autotune__seconds(const autotune__trial_state *trial, uint64_t now) {
    return autotune__makes_each_launch(trial) ? trial->seconds : autotune__own_seconds(trial, now);
}
static double autotune__now(const autotune__trial_state *trial) {
    return autotune__seconds(trial, autotune__clock_now(trial->subject));
}
/* The time since `from` is not that of a launch: checking large outputs, or compiling, may take longer than all
   launches of a configuration. */
static void autotune__spend_besides(autotune__trial_state *trial, uint64_t from) {
    trial->answer.besides_seconds += autotune__passed_ns(from, autotune__clock_now(trial->subject)) / 1e9;
}
/* A device may compile a kernel while its first launch waits, and its clock does not count that. So a first launch
   counts twice as long as it took there, at most, against the limit of the race. */
static void autotune__put_off_first_launch(autotune__trial_state *trial, double ns) {
    const double passed_ns = autotune__passed_ns(trial->watch.started, autotune__clock_now(trial->subject));
    if (passed_ns > 2 * ns) trial->answer.besides_seconds += (passed_ns - 2 * ns) / 1e9;
}

/* Bits that say how preempted launches were timed. */
enum {
    AUTOTUNE__OF_ONE_THREAD = 1,                /* without their waits for a processor */
    AUTOTUNE__OF_SEVERAL_THREADS = 2            /* with these waits, by the clock of the backend */
};
/* A clock of the user's own is believed as it is, and so is that of a device, though its driver may be preempted. */
static bool autotune__knows_usage(const autotune__trial_state *trial) {
    return trial->subject->backend->now == autotune__cpu_now;
}
/* For which other threads of the process have computed; only differences count. */
static double autotune__others_ns(const autotune__usage *used) {
    return (double)autotune__computed_ns() - (double)used->computed_ns;
}
/* Before the first RUN. */
static void autotune__begin_watch(autotune__trial_state *trial) {
    const autotune__usage used = autotune__thread_usage();
    trial->watch.others_ns = autotune__others_ns(&used);
}
/* Right before the clock starts. */
static void autotune__note_usage(autotune__trial_state *trial) {
    if (autotune__knows_usage(trial)) trial->watch.used = autotune__thread_usage();
}
/* Returns what the log says of a race in which preempted launches were timed in two ways. */
static const char *autotune__note_on_threads(const autotune__trial_state *trial) {
    const unsigned both = AUTOTUNE__OF_ONE_THREAD | AUTOTUNE__OF_SEVERAL_THREADS;
    return trial->preempted_as != both
               ? NULL : "launches of one thread count without their waits for a processor, launches of several threads "
                        "with them: compare numbers of threads on an idle machine";
}
/* Returns true if a first launch may have taken longer than later ones. Two signs show it. Pages that the thread
   touched for the first time, at half a microsecond each, took a tenth of what the process computed, or more. Or the
   thread waited, and the process computed for less than half of the time, as when threads start. */
static bool autotune__sets_up(const autotune__usage *before, const autotune__usage *after, double ns,
                              double process_ns) {
    const double faults_ns = 500 * (double)(after->faults - before->faults);
    return (faults_ns > 0 && faults_ns > 0.1 * process_ns) || (after->waited != before->waited && process_ns < ns / 2);
}
/* How long launches took that took `ns` by the clock. The thread may have been preempted meanwhile, but waited for
   nothing else, and no other thread of the process computed. Then they took as long as the thread computed: the rest of
   the time they waited for a processor. In all other cases the time of the clock counts. *preempted: the time may
   include some in which they did not run. */
static double autotune__without_waiting(autotune__trial_state *trial, double ns, bool *preempted) {
    const autotune__usage *before = &trial->watch.used,
                          after = autotune__knows_usage(trial) ? autotune__thread_usage() : *before;
    const uint64_t computed_ns = after.computed_ns - before->computed_ns;
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
    /* A short launch is cheap to repeat, and the repetition does not suffer from another process's use of the
       caches. */
    *preempted = own_ns >= ns || own_ns < short_ns;
    if (own_ns < ns) trial->answer.waited_seconds += (ns - own_ns) / 1e9;
    if (ns >= short_ns && alone) trial->answer.preempted_as |= AUTOTUNE__OF_ONE_THREAD;
    if (ns >= short_ns && more_ns >= some_ns + ns / 50) trial->answer.preempted_as |= AUTOTUNE__OF_SEVERAL_THREADS;
    return own_ns < ns ? own_ns : ns;
}

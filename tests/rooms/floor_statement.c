/* floor_statement.c - the size of a call's allocations, and rooms that need no statement: sampling, the clock of a
   race, and counters of the system for a launch. */
#include <criterion/criterion.h>
#ifndef _WIN32 /* replaces functions of the system: a test sets what they return */
#include <sys/resource.h>
#include <time.h>
static int told_usage(struct rusage *usage);
static int told_clock(clockid_t clock, struct timespec *time);
#define getrusage(who, usage) told_usage(usage)
#define clock_gettime(clock, time) told_clock(clock, time)
#endif
#include "../../src/site/statements.h"
#include "../../src/online_calls/race.h"
#include "../../src/statement/sampling.h"
#include "../../src/statement/race_clock.h"
#include "../../src/statement/learnt.h"
#include "../../src/statement/options.h"
#ifndef _WIN32
#include "../../src/isolated/parent.h"
#endif

/* A call allocates no block above 4 KB, except arrays of times. */
_Static_assert(sizeof(autotune__statement) - AUTOTUNE_MOST_QUEUED * sizeof(double) <= 4096, "a statement is one block");
_Static_assert(sizeof(autotune__space) <= 4096, "its space is another one");
_Static_assert(sizeof(autotune__race_state) <= 4096, "and so is its race");
_Static_assert(sizeof(autotune__call_race) <= 4096, "and the online race of a key");

static autotune__request run_of(uint32_t launches, double limit_ns) {
    autotune__request request;
    memset(&request, 0, sizeof request);
    request.launches = launches;
    request.limit_ns = limit_ns;
    request.until_seconds = 10;
    return request;
}
/* Makes a RUN whose launches take `ns` each. Returns the number of batches. */
static size_t sample(autotune__sampling *sampling, const autotune__request *asked, autotune__timing timing, double ns) {
    size_t batches = 0;
    do {
        const uint32_t launches = autotune__next_batch(sampling, asked, timing);
        autotune__add_batch(sampling, launches, 1, launches * ns, asked->tick_ns);
        batches++;
    } while (autotune__sample_goes_on(sampling, asked, 0));
    return batches;
}

Test(sampling, makes_all_launches_behind_one_start_of_the_clock) {
    const autotune__request request = run_of(100, 0);
    autotune__sampling sampling;
    memset(&sampling, 0, sizeof sampling);
    cr_assert_eq(sample(&sampling, &request, AUTOTUNE__AT_ONCE, 5), 1);
    cr_assert_eq(sampling.launched, 100);
    cr_assert_eq(sampling.elapsed_ns, 500);
}
Test(sampling, launches_an_unknown_configuration_alone) {
    autotune__request request = run_of(100, 0);
    autotune__sampling sampling;
    memset(&sampling, 0, sizeof sampling);
    request.occasion = AUTOTUNE__FIRST_LAUNCH;
    cr_assert_eq(autotune__next_batch(&sampling, &request, AUTOTUNE__AT_ONCE), 1);
}
Test(sampling, ends_beyond_the_limit) {
    const autotune__request request = run_of(100, 20);
    autotune__sampling sampling;
    memset(&sampling, 0, sizeof sampling);
    cr_assert_eq(sample(&sampling, &request, AUTOTUNE__APART, 15), 2);
    memset(&sampling, 0, sizeof sampling);
    cr_assert_eq(sample(&sampling, &request, AUTOTUNE__APART, 4), 6);
}
Test(sampling, queues_nothing_before_it_is_known_whether_the_limit_is_exceeded) {
    const autotune__request limited = run_of(100, 20), unlimited = run_of(100, 0);
    autotune__sampling sampling;
    memset(&sampling, 0, sizeof sampling);
    cr_assert_eq(autotune__next_batch(&sampling, &limited, AUTOTUNE__QUEUED), 1);
    cr_assert_eq(autotune__next_batch(&sampling, &unlimited, AUTOTUNE__QUEUED), AUTOTUNE_MOST_QUEUED);
}
Test(sampling, makes_no_launch_after_the_end_of_the_race) {
    const autotune__request request = run_of(100, 0);
    autotune__sampling sampling;
    memset(&sampling, 0, sizeof sampling);
    cr_assert(autotune__sample_goes_on(&sampling, &request, 9));
    cr_assert_not(autotune__sample_goes_on(&sampling, &request, 10));
}
Test(sampling, repeats_a_disturbed_run_three_times) {
    autotune__answer answer = {.made = 1};
    size_t repeated = 0;
    while (autotune__count_disturbance(&answer, true)) repeated++;
    cr_assert_eq(repeated, 3);
    cr_assert_gt(answer.disturbances, AUTOTUNE__MOST_REPEATS, "and is disturbed nonetheless");
    cr_assert_not(autotune__count_disturbance(&answer, false));
}
Test(sampling, takes_the_mean_of_the_others_for_a_launch_that_waited) {
    const autotune__request request = run_of(4, 0);
    const double took[] = { 3, 100, 3, 3 };
    autotune__sampling sampling;
    size_t i;
    memset(&sampling, 0, sizeof sampling);
    for (i = 0; i < 4; i++) autotune__add_batch(&sampling, 1, 1, took[i], request.tick_ns);
    cr_assert_eq(sampling.elapsed_ns, 12);
}
Test(sampling, says_that_nothing_ran_once_there_are_enough_readings) {
    autotune__sampling sampling;
    uint32_t i;
    memset(&sampling, 0, sizeof sampling);
    for (i = 0; i < 15; i++) autotune__add_batch(&sampling, 1, 1, 0, 1000);
    cr_assert_not(autotune__is_below_least(&sampling, 500, 1000));
    autotune__add_batch(&sampling, 1, 1, 0, 1000);
    cr_assert(autotune__is_below_least(&sampling, 500, 1000));
    cr_assert_not(autotune__is_below_least(&sampling, 0, 1000));
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

static autotune_status start_queue(autotune_backend *self) { return (void)self, AUTOTUNE_OK; }
static bool whole_batches(autotune_backend *backend, autotune_options options) {
    static autotune__subject subject;
    memset(&subject, 0, sizeof subject);
    subject.backend = backend;
    subject.options = options;
    return autotune__limits_of(&subject).sampling == AUTOTUNE__BY_BATCHES;
}
static void set_up(void *user, const autotune_config *config) { (void)user, (void)config; }
Test(limits, what_is_queued_is_timed_in_batches_unless_each_launch_is_timed_alone) {
    autotune_backend queue = {.start = start_queue}, processor = {.start = NULL};
    cr_assert(whole_batches(&queue, (autotune_options){.preset = AUTOTUNE_FAST}));
    cr_assert(!whole_batches(&queue, (autotune_options){.setup = set_up}));
    cr_assert(!whole_batches(&queue, (autotune_options){.cache_state = AUTOTUNE_COLD}));
    cr_assert(!whole_batches(&processor, (autotune_options){.preset = AUTOTUNE_FAST}));
}

/* ---- Learnt data ------------------------------------------------------------------------------------------------- */

static bool tells_of_learnt_data(double usual_ns, size_t forgetful, double forgetful_ns) {
    static autotune__trial_state trial;
    memset(&trial, 0, sizeof trial);
    trial.sampling.alone = 1;
    trial.sampling.alone_ns[0] = usual_ns;
    for (size_t i = 0; i < forgetful; i++) trial.forgetful_ns[i] = forgetful_ns;
    autotune__tell_of_learnt_data(&trial);
    return trial.answer.note != NULL;
}
Test(learnt, data_are_told_if_launches_take_twice_as_long_without_them_and_some_time_more) {
    cr_assert(tells_of_learnt_data(1000, AUTOTUNE__FORGETFUL, 2100));
    cr_assert_not(tells_of_learnt_data(1000, AUTOTUNE__FORGETFUL, 1900));
    cr_assert_not(tells_of_learnt_data(50, AUTOTUNE__FORGETFUL, 240));
    cr_assert_not(tells_of_learnt_data(1000, AUTOTUNE__FORGETFUL - 1, 2100), "one launch was not made");
}
Test(learnt, data_are_those_that_are_restored_or_zeroed) {
    static autotune__trial_state trial;
    static autotune__subject subject;
    static autotune__thread_turn turn;
    static autotune__race race;
    autotune_backend cpu = autotune_cpu();
    trial.subject = &subject;
    trial.turn = &turn;
    turn.race = &race;
    subject.backend = &cpu;
    race.stage = AUTOTUNE__DUELLING;
    trial.request.occasion = AUTOTUNE__LAUNCHED_BEFORE;
    trial.request.launches = 6;
    cr_assert_not(autotune__forgets_before_launch(&trial));
    subject.options.restore.count = 1;
    cr_assert(autotune__forgets_before_launch(&trial));
    subject.options.restore.count = 0;
    subject.options.zero.count = 1;
    cr_assert(autotune__forgets_before_launch(&trial));
    subject.options.setup = set_up;
    cr_assert_not(autotune__forgets_before_launch(&trial), "the data are new each time");
    subject.options.setup = NULL;
    subject.options.cache_state = AUTOTUNE_COLD;
    cr_assert_not(autotune__forgets_before_launch(&trial));
    subject.options.cache_state = AUTOTUNE_HOT;
    trial.sampling.launched = AUTOTUNE__FORGETFUL;
    cr_assert_not(autotune__forgets_before_launch(&trial));
    trial.sampling.launched = 0;
    trial.request.launches = 5;
    cr_assert_not(autotune__forgets_before_launch(&trial));
}

/* ---- Child processes --------------------------------------------------------------------------------------------- */

#ifndef _WIN32                                  /* Windows has no fork() */
/* Returns for how many seconds a child may report nothing after a report of this kind, in a RUN of 3 launches of a
   second each. */
static double quiet_seconds(double launch_timeout, double compile_timeout, bool first, autotune__report_kind last) {
    static autotune__statement statement;
    static autotune__reports reports;
    statement.subject.options.launch_timeout = launch_timeout;
    statement.subject.options.compile_timeout = compile_timeout;
    statement.trial.request = run_of(3, 0);
    statement.trial.request.what = AUTOTUNE__RUN_IT;
    statement.trial.request.occasion = first ? AUTOTUNE__FIRST_LAUNCH : AUTOTUNE__LAUNCHED_BEFORE;
    statement.trial.request.expected_ns = first ? 0 : 1e9;
    statement.turn.progress.longest_ns = first ? 0 : 1000000000;
    reports.last = last;
    return autotune__quiet_seconds(&statement, &reports);
}
Test(children, may_report_nothing_for_as_long_as_their_work_may_take) {
    cr_expect_eq(quiet_seconds(0, 0, true, AUTOTUNE__LAUNCH_BEGINS), 10);
    cr_expect_eq(quiet_seconds(0, 0, false, AUTOTUNE__LAUNCH_BEGINS), 20);
    cr_expect_eq(quiet_seconds(0.5, 0, false, AUTOTUNE__LAUNCH_BEGINS), 0.5);
    cr_expect_eq(quiet_seconds(0, 0, true, AUTOTUNE__LAUNCH_IS_PUT_OFF), 10 + 2 * 60);
    cr_expect_eq(quiet_seconds(0, 0.5, true, AUTOTUNE__LAUNCH_IS_PUT_OFF), 10 + 2 * 0.5);
    cr_expect_eq(quiet_seconds(0, 0, true, AUTOTUNE__HAS_ANSWER), 60);
    cr_expect_eq(quiet_seconds(100, 0, true, AUTOTUNE__HAS_ANSWER), 100);
    cr_expect_eq(quiet_seconds(0, 0, false, AUTOTUNE__HAS_ANSWER), 20 + 20 * 3);
    cr_expect_eq(quiet_seconds(0.5, 0, false, AUTOTUNE__HAS_ANSWER), 10 + 20 * 3);
}
#endif

/* ---- First launches ---------------------------------------------------------------------------------------------- */

#ifndef _WIN32
static const double US = 1e3;
static uint64_t told_by_device(autotune_backend *self) { return (void)self, 0; }
static struct told {
    double us, thread_us, process_us; /* the elapsed time, and the processor times of the thread and of the process */
    long faults, waits, preemptions;
} told;
static int told_usage(struct rusage *usage) {
    memset(usage, 0, sizeof *usage);
    usage->ru_minflt = told.faults;
    usage->ru_nvcsw = told.waits;
    usage->ru_nivcsw = told.preemptions;
    return 0;
}
static int told_clock(clockid_t clock, struct timespec *time) {
    const double us = clock == CLOCK_THREAD_CPUTIME_ID    ? told.thread_us
                      : clock == CLOCK_PROCESS_CPUTIME_ID ? told.process_us
                                                          : told.us;
    time->tv_sec = (time_t)(us / 1e6);
    time->tv_nsec = (long)(1e3 * us) % 1000000000;
    return 0;
}
/* A launch sets something up if it touches pages of its own buffers, or if a team of threads starts while the first
   thread waits. A plain loop, a team that computes, and a loop beside busy processes set nothing up. */
Test(first_launches, that_touch_pages_or_wait_while_little_is_computed_set_something_up) {
    static const struct {
        struct told launch;
        bool sets_up;
    } cases[] = {
        {{300, 300, 300, 0, 0, 0}, false},       {{406, 406, 406, 256, 0, 0}, true},
        {{406, 406, 406, 82, 0, 0}, true},       {{406, 406, 406, 81, 0, 0}, false},
        {{9000, 406, 406, 82, 0, 3}, true},      {{9000, 406, 406, 81, 0, 3}, false},
        {{10000, 800, 1500, 0, 7, 0}, true},     {{10000, 800, 1500, 0, 0, 7}, false},
        {{10000, 2600, 4900, 0, 1, 0}, true},    {{10000, 2600, 5100, 0, 1, 0}, false},
        {{10000, 9500, 39000, 0, 40, 0}, false}, {{406, 406, 1600, 300, 0, 0}, false},
    };
    static autotune__trial_state trial;
    static autotune__subject subject;
    autotune_backend cpu = autotune_cpu(), other = cpu;
    other.now = told_by_device;
    trial.subject = &subject;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int later = 0; later < 3; later++) { /* 0: a first launch; 1: a later launch; 2: by a clock of the user */
            const struct told *launch = &cases[i].launch;
            bool preempted;
            subject.backend = later == 2 ? &other : &cpu;
            trial.request.occasion = later == 1 ? AUTOTUNE__LAUNCHED_BEFORE : AUTOTUNE__FIRST_LAUNCH;
            trial.answer.execution = AUTOTUNE__AS_ASKED;
            told = (struct told){5e6, 3e6, 4e6, 1000, 50, 70};
            autotune__begin_watch(&trial);
            autotune__note_usage(&trial);
            told.us += launch->us;
            told.thread_us += launch->thread_us;
            told.process_us += launch->process_us;
            told.faults += launch->faults;
            told.waits += launch->waits;
            told.preemptions += launch->preemptions;
            autotune__without_waiting(&trial, launch->us * US, &preempted);
            cr_expect((trial.answer.execution == AUTOTUNE__SETS_UP) == (cases[i].sets_up && !later), "case %zu, %d", i,
                      later);
        }
}
/* If a launch of one thread is preempted, its wait for a processor does not count. If a launch of several threads is
   preempted, the wait counts. The log reports if a race has launches of both kinds. */
Test(first_launches, that_are_preempted_are_timed_in_two_ways_which_the_log_says) {
    static autotune__trial_state trial;
    static autotune__subject subject;
    autotune_backend cpu = autotune_cpu();
    trial.subject = &subject;
    subject.backend = &cpu;
    trial.request.occasion = AUTOTUNE__LAUNCHED_BEFORE;
    for (int kinds = 0; kinds < 4; kinds++) {
        trial.preemptions = 0;
        for (int several = 0; several < 2; several++) {
            bool preempted;
            if (!(kinds >> several & 1)) continue;
            trial.answer.preemptions = 0;
            told = (struct told){5e6, 3e6, 4e6, 0, 0, 0};
            autotune__begin_watch(&trial);
            autotune__note_usage(&trial);
            told.us += 9000;
            told.thread_us += 4000;
            told.process_us += several ? 12000 : 4000;
            told.preemptions++;
            const double ns = autotune__without_waiting(&trial, 9000 * US, &preempted);
            cr_expect_eq(ns, several ? 9000 * US : 4000 * US, "%g ns", ns);
            trial.preemptions |= trial.answer.preemptions;
        }
        cr_expect((autotune__note_on_threads(&trial) != NULL) == (kinds == 3), "%d", kinds);
    }
}
/* Threads of the library compile during the race. Their processor time must not make the race believe that launches use
   several threads. */
Test(first_launches, that_are_preempted_beside_threads_that_compile_are_not_taken_for_launches_of_several_threads) {
    static autotune__trial_state trial;
    static autotune__subject subject;
    autotune_backend cpu = autotune_cpu();
    trial.subject = &subject;
    subject.backend = &cpu;
    trial.request.occasion = AUTOTUNE__LAUNCHED_BEFORE;
    /* bit 0: they compile when the launch begins; bit 1: when it ends */
    for (int compiles = 0; compiles < 4; compiles++) {
        bool preempted;
        trial.answer.preemptions = 0;
        told = (struct told){5e6, 3e6, 4e6, 0, 0, 0};
        autotune__begin_watch(&trial);
        autotune__compiling = compiles & 1;
        autotune__note_usage(&trial);
        told.us += 9000;
        told.thread_us += 4000;
        told.process_us += 12000;
        told.preemptions++;
        autotune__compiling = (size_t)compiles >> 1;
        (void)autotune__without_waiting(&trial, 9000 * US, &preempted);
        cr_expect((trial.answer.preemptions == 0) == (compiles != 0), "%d", compiles);
    }
    autotune__compiling = 0;
}
#endif

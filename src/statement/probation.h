/* A call of a winner on probation: the call is a hit that is timed, and is like later calls in all else.
   registry/probation.h decides which calls are timed. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"
#include "clock_in_use.h"
#include "phase.h"
#include "begin.h"
#include "failures.h"

/* Returns true if this call is a hit, or is on probation. */
static AUTOTUNE__UNUSED bool autotune__acts_as_hit(const autotune__tuning *tuning) {
    return !tuning || tuning->phase == AUTOTUNE__CALLING_ON_PROBATION;
}
/* Counts a call that took `ns`; below 0: the call does not count. After the last call the first rank writes the
   result to the disk. A call differs if its time is above `factor` times the race's time plus `slack_ns`, or below
   the race's time divided by `factor` less `slack_ns`. If six of eight calls differ in the same direction, this is
   logged, once for each key. Another thread of the machine may share the core, and may double the time of a call. So
   if another thread runs now, the factor on the CPU is 4. If autotune_shutdown() ran in the call, the winner is
   freed, and nothing counts. */
static void autotune__count_on_probation(autotune__statement *statement, double ns) {
    const double slack_ns = 500 + statement->trial.clock.tick_ns;
    autotune_result *result = &statement->result;
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    double times[AUTOTUNE__PROBATION_CALLS];
    const autotune__entry *entry = autotune__kept_entry(statement->entry->value);
    const char *why;
    int slower;
    if (!entry || !autotune__end_probation_call(entry, ns, times)) return;
    autotune__copy_result(entry, result, sizeof *result);
    const double factor = autotune__corrects_preemption(&statement->trial) && autotune__others_run() ? 4 : 2;
    slower = (times[2] > factor * result->median_ns + slack_ns) - (times[5] + slack_ns < result->median_ns / factor);
    if (statement->subject.follows) return;
    why = autotune__write_in_use(&statement->store, &statement->subject, result, times[5] / times[2] - 1, slower);
    if (!slower || statement->subject.known_key->logged_in_use++) return;
    if (result->note) why = result->note;
    if (!why && slower < 0 && autotune__is_cold(&statement->subject)) why = "they began with empty caches";
    if (!why) why = statement->subject.backend->ask ? "one launch behind the other?" : "the same data, in the caches?";
    autotune__append_time(&line, result->in_use_ns);
    autotune__append(&line, " a call in use, %.2f x what the race measured: its trials were not like the program's "
                            "calls (%s); see 'In use' in the manual", result->in_use_ns / result->median_ns, why);
    autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject, "%s", autotune__string(&line));
}
/* Asks devices for the times of earlier calls of the key. If the probation ends before the time of a call is known, the
   call does not count. */
static void autotune__ask_for_times(autotune__known_key *known_key) {
    autotune__statement *statement, *next;
    autotune__lock_mutex(&autotune__lock);
    statement = known_key->awaited;
    known_key->awaited = NULL;
    autotune__unlock_mutex(&autotune__lock);
    for (; statement; statement = next) {
        autotune_backend *backend = statement->subject.backend;
        double ns = -1;
        next = statement->next_awaited;
        if (backend->ask(backend, 0, &ns) != AUTOTUNE_OK) ns = -1;
        else if (ns < 0 && autotune__await_time(statement)) continue;
        autotune__count_on_probation(statement, ns);
        autotune__free_statement(statement);
    }
}
/* Called by autotune_shutdown(): ends all probations, and frees all statements whose times are awaited. */
static void autotune__end_probations(void) {
    autotune__known_key *known_key;
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        known_key->probation.open = 0;
        autotune__ask_for_times(known_key);
    }
}
/* Begins a statement that times the call. The statement does not become the current one of the thread, so the body of
   the call acts as in a hit. NULL: the call is not timed. A call in the body of another statement is not timed:
   timing would lengthen a trial of the other statement. */
static autotune__tuning *autotune__begin_on_probation(autotune__site *site, const autotune_options *options,
                                                      autotune__entry *entry) {
    const autotune_mode mode = autotune__mode_of(options);
    autotune__statement *statement;
    bool timed;
    if (!entry->known_key || !(__atomic_load_n(&entry->shape, __ATOMIC_RELAXED) & autotune__on_probation)) return NULL;
    timed = autotune__begin_probation_call(entry->known_key, !autotune__current && mode != AUTOTUNE_ONLINE);
    if (!autotune__current) autotune__ask_for_times(entry->known_key);
    statement = timed ? autotune__make_statement(site, options, mode) : NULL;
    if (timed && !statement) (void)autotune__end_probation_call(entry, -1, NULL);
    if (!statement) return NULL;
    autotune__current = NULL;
    statement->subject.known_key = entry->known_key;
    statement->entry = entry;
    autotune__copy_result(entry, &statement->result, sizeof statement->result);
    (void)autotune__begin_call(statement, AUTOTUNE__CALLING_ON_PROBATION);
    if (autotune__start_use_clock(statement)) return &statement->head;
    autotune__count_on_probation(statement, -1);
    autotune__free_statement(statement);
    return NULL;
}
AUTOTUNE__COLD autotune__start autotune__begin(autotune__site *site, const autotune_options *options) {
    const int error_number = errno;
    autotune__start start = autotune__begin_any(site, options, true);
    if (start.slot && !start.tuning)
        start.tuning = autotune__begin_on_probation(site, options, autotune__entry_of(start.slot));
    errno = error_number;
    return start;
}
/* Ends a call on probation. stopped: its end. A call that failed, was left, or was interrupted does not count. */
static void autotune__end_on_probation(autotune__statement *statement, bool done, uint64_t stopped) {
    const autotune_status status = statement->trial.launch_status;
    const double ns = done && status == AUTOTUNE_OK ? autotune__stop_use_clock(statement, stopped) : -1;
    if (status != AUTOTUNE_OK)
        statement->head.refused = autotune__hit_failed(statement->subject.site, statement->entry->value, NULL,
                                                       (int)status, NULL);
    if (!statement->awaited) autotune__count_on_probation(statement, ns);
    autotune__end_with(statement, status);
}

/* The clock of a call in use. The CPU's clock gives the time at once. For a device, this room puts two marks into the
   stream: one before the call, and one after the call. Later calls of the key ask for the time between the marks, and
   no thread waits. So the statement of the call, and the session of its backend, live until the time is known. */
#pragma once
#include "../api/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "race_clock.h"

/* Puts a mark into the stream. ended: false before the call, true after the call. Returns false if this fails, for
   instance during the capture of a stream. */
static bool autotune__record_call_event(autotune__statement *statement, bool ended) {
    autotune_backend *backend = statement->subject.backend;
    bool marked = !backend->enter || backend->enter(backend, statement->subject.options.autotune__place) == AUTOTUNE_OK;
    if (!marked) return false;
    marked = backend->clock_call(backend, 0, ended) == AUTOTUNE_OK;
    if (backend->leave) backend->leave(backend);
    return marked;
}
/* Called directly before the call. Returns false if the call cannot be timed. On an idle device the time between two
   marks includes the time in which the CPU makes the launch. The times of trials do not include this time, since their
   launches queue. So for a device a difference of 10 us between call and race counts as no difference. */
static bool autotune__start_use_clock(autotune__statement *statement) {
    autotune__trial_state *trial = &statement->trial;
    trial->clock.tick_ns = 10e3;
    if (statement->subject.backend->ask) return autotune__record_call_event(statement, false);
    trial->clock = autotune__clock_of(statement->subject.backend);
    autotune__begin_watch(trial);
    autotune__note_usage(trial);
    trial->watch.started = autotune__clock_now(&statement->subject);
    return true;
}
/* Called after the call. stopped: the end of the call, by the CPU's clock. Returns the time of the call. Below 0: the
   call runs on a device, or a preemption of the thread makes the time useless. Sets statement->awaited: true if the
   device tells the time later. */
static double autotune__stop_use_clock(autotune__statement *statement, uint64_t stopped) {
    autotune__trial_state *trial = &statement->trial;
    double ns = autotune__passed_ns(trial->watch.started, stopped) - trial->clock.cost_ns;
    bool preempted;
    statement->awaited = statement->subject.backend->ask && autotune__record_call_event(statement, true);
    if (statement->subject.backend->ask) return -1;
    ns = autotune__without_waiting(trial, ns > 0 ? ns : 0, &preempted);
    return preempted ? -1 : ns;
}
/* Returns true if later calls will ask for the time of this call. Then the statement lives on without its space, which
   is freed here. To free the space later, the library would read the call site, which may be unloaded by then. */
static bool autotune__await_time(autotune__statement *statement) {
    const autotune__entry *entry = autotune__kept_entry(statement->entry->value);
    if (!entry) return false;
    autotune__free(statement->subject.space);
    statement->subject.space = NULL;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!entry->known_key->probation.open) return false;
    statement->next_awaited = entry->known_key->awaited;
    entry->known_key->awaited = statement;
    return true;
}

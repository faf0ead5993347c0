/* The clock of a call in use. The clock of the CPU tells the time at once. A device tells it later: two marks stand
   around the call in its stream, and later calls of the key ask for the time between them. Nobody waits. So the
   statement of such a call lives until then, and with it the backend's session, which has the marks. */
#pragma once
#include "../api/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "race_clock.h"

/* Returns false if the stream cannot be marked now, as during a capture. */
static bool autotune__mark_call(autotune__statement *statement, bool ended) {
    autotune_backend *backend = statement->subject.backend;
    bool marked = !backend->enter || backend->enter(backend, statement->subject.options.autotune__place) == AUTOTUNE_OK;
    if (!marked) return false;
    marked = backend->clock_call(backend, 0, ended) == AUTOTUNE_OK;
    if (backend->leave) backend->leave(backend);
    return marked;
}
/* The call comes next. Returns false if it cannot be timed. On a device that idles the time between two marks includes
   the CPU's time for the launch. Trials, which make one launch behind the other, do not show that time. */
static bool autotune__start_use_clock(autotune__statement *statement) {
    autotune__trial_state *trial = &statement->trial;
    trial->clock.tick_ns = 10e3;
    if (statement->subject.backend->ask) return autotune__mark_call(statement, false);
    trial->clock = autotune__clock_of(statement->subject.backend);
    autotune__begin_watch(trial);
    autotune__note_usage(trial);
    trial->watch.started = autotune__clock_now(&statement->subject);
    return true;
}
/* The call has ended, at the time `stopped` of the CPU. Returns its time. Below 0: it is not known, since the call was
   interrupted, or not yet; then it is awaited. */
static double autotune__stop_use_clock(autotune__statement *statement, uint64_t stopped) {
    autotune__trial_state *trial = &statement->trial;
    double ns = autotune__passed_ns(trial->watch.started, stopped) - trial->clock.cost_ns;
    bool preempted;
    statement->awaited = statement->subject.backend->ask && autotune__mark_call(statement, true);
    if (statement->subject.backend->ask) return -1;
    ns = autotune__without_waiting(trial, ns > 0 ? ns : 0, &preempted);
    return preempted ? -1 : ns;
}
/* Returns true if later calls ask for the time of this one. The call site may end before, and has nothing of it. */
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

/* The functions by which a backend with its own header asks and informs its statement. The backend knows a statement by
   the address of its first member, an `autotune__tuning`. NULL stands for a hit. The thread of the statement calls
   these functions. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "phase.h"
#include "trial.h"
#include "suspects.h"
#include "failures.h"

/* Returns the innermost statement of this thread that is no hit. NULL: there is none. */
static AUTOTUNE__UNUSED autotune__tuning *autotune__innermost(void) {
    return autotune__current ? &autotune__current->head : NULL;
}
/* Returns the backend of this statement: the result of open(), or the backend of autotune__work_with(). */
static AUTOTUNE__UNUSED autotune_backend *autotune__backend_of(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->subject.backend;
}
/* Returns the innermost statement if `opened` is its backend. NULL: it is not. */
static AUTOTUNE__UNUSED autotune__tuning *autotune__tuning_with(const autotune_backend *opened) {
    autotune__tuning *tuning = autotune__innermost();
    return tuning && autotune__backend_of(tuning) == opened ? tuning : NULL;
}
/* Returns true during a trial. Returns false while axes are described, and while the call is made for real. */
static AUTOTUNE__UNUSED bool autotune__is_trying(const autotune__tuning *tuning) {
    return tuning && tuning->phase == AUTOTUNE__TRYING;
}
/* Returns true during a trial of the control. The control shows how far the times of equal code differ. */
static AUTOTUNE__UNUSED bool autotune__tries_control(const autotune__tuning *tuning) {
    return autotune__is_trying(tuning) &&
           autotune__statement_of(tuning)->trial.request.occasion == AUTOTUNE__OF_CONTROL;
}
/* Notes that the trial of the control launches another copy of the code. */
static AUTOTUNE__UNUSED void autotune__launches_copy(autotune__tuning *tuning) {
    autotune__statement_of(tuning)->trial.answer.execution = AUTOTUNE__BY_COPY;
}
/* Returns true during a call that an online race measures. */
static AUTOTUNE__UNUSED bool autotune__is_measuring(const autotune__tuning *tuning) {
    return tuning && tuning->phase == AUTOTUNE__CALLING_MEASURED;
}

/* Returns the point of the configuration in trial. autotune__space_of() has its values. */
static AUTOTUNE__UNUSED size_t autotune__point_of(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->trial.request.index;
}
/* Returns the text of the call as it is written, before macros are expanded. NULL: the statement has a block, or
   several calls. */
static AUTOTUNE__UNUSED const char *autotune__call_of(const autotune__tuning *tuning, size_t *length) {
    return autotune__call_text(&autotune__statement_of(tuning)->subject, length);
}
/* Returns the values of the configuration. The word after the values keeps what the backend prepared, for later
   launches of the configuration. NULL: no later launch can find this word. */
static AUTOTUNE__UNUSED uint64_t *autotune__lasting_values(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    if (statement->head.phase == AUTOTUNE__TRYING || statement->head.phase == AUTOTUNE__CALLING_MEASURED)
        return statement->subject.space->value;
    if (statement->entry) return statement->entry->value;
    /* An entry will copy the word. */
    return statement->head.phase == AUTOTUNE__CALLING_CANDIDATE ? statement->subject.space->value : NULL;
}
/* Returns the point that the race will probably launch after k other points. A backend can prepare this point ahead.
   SIZE_MAX: unknown. */
static AUTOTUNE__UNUSED size_t autotune__coming_point(const autotune__tuning *tuning, size_t k) {
    return autotune__upcoming(autotune__statement_of(tuning)->turn.race, k);
}

/* Returns the number of launches for which the trial starts the clock once. 0: this is no trial. */
static AUTOTUNE__UNUSED uint32_t autotune__launches_at_once(const autotune__tuning *tuning) {
    const autotune__statement *statement = autotune__statement_of(tuning);
    if (!autotune__is_trying(tuning)) return 0;
    return statement->trial.timing == AUTOTUNE__QUEUED ? 1 : statement->trial.batch;
}
/* Returns the cost and the step of the backend's clock, as the race knows them. All 0: there is no statement. */
static AUTOTUNE__UNUSED autotune__clock autotune__clock_in(const autotune__tuning *tuning) {
    const autotune__clock unknown = { NULL, NULL, 0, 0 };
    return tuning ? autotune__statement_of(tuning)->trial.clock : unknown;
}
/* Returns true if a launch of this trial has failed. */
static AUTOTUNE__UNUSED bool autotune__is_failing(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->trial.launch_status != AUTOTUNE_OK;
}
/* Notes that the trial waited `ns` for work, such as a compilation. From now on up to `threads` other threads do this
   work ahead, at the same time. So the race expects less waiting for later configurations. */
static AUTOTUNE__UNUSED void autotune__can_share(autotune__tuning *tuning, uint64_t ns, size_t threads) {
    if (autotune__is_trying(tuning) && threads)
        autotune__statement_of(tuning)->trial.answer.shareable_ns += (double)ns * (1 - 1 / (double)threads);
}
/* Notes that this call launched nothing. A measured call, or a call with the first configuration, is then made with
   another configuration. */
static AUTOTUNE__UNUSED void autotune__refuse_call(autotune__tuning *tuning) {
    if (autotune__is_measuring(tuning) || (tuning && tuning->phase == AUTOTUNE__CALLING_FIRST))
        autotune__statement_of(tuning)->trial.mishap = AUTOTUNE__NOT_LAUNCHED;
}
/* Notes that the clock timed more than the launch, so that the trial is repeated. A repetition may be disturbed, too.
   So a trial is repeated at most three times. */
static AUTOTUNE__UNUSED void autotune__disturb_trial(autotune__tuning *tuning) {
    autotune__disturb(&autotune__statement_of(tuning)->turn);
}

/* Returns the options of the statement. */
static AUTOTUNE__UNUSED const autotune_options *autotune__options_of(const autotune__tuning *tuning) {
    return &autotune__statement_of(tuning)->subject.options;
}
/* Called if times that are measured now differ from usual times. The statement then reads the cache on disk, and does
   not write it. */
static AUTOTUNE__UNUSED void autotune__keep_nothing(autotune__tuning *tuning, const char *why) {
    autotune__subject *subject = &autotune__statement_of(tuning)->subject;
    subject->is_distorted = true;
    autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "what is found is not kept on disk: %s", why);
}
/* Logs a doubt about the times of a session. The caller calls it once for each session. */
static AUTOTUNE__UNUSED void autotune__tell_doubt(const autotune__tuning *tuning, const char *why) {
    autotune__say_of(AUTOTUNE_LOG_WINNER, &autotune__statement_of(tuning)->subject, "%s", why);
}
/* Replaces the backend of the statement. The end of the statement closes the new backend. */
static AUTOTUNE__UNUSED void autotune__work_with(autotune__tuning *tuning, autotune_backend *backend) {
    autotune__statement_of(tuning)->subject.backend = backend;
    autotune__statement_of(tuning)->subject.close = backend->close;
}
/* Work between step_aside() and step_back(), inside a call, is no part of the call. Neither the clock of the call nor
   the limit of the race counts this work. */
typedef struct autotune__aside { uint64_t from; autotune__usage used; } autotune__aside;
static AUTOTUNE__UNUSED autotune__aside autotune__step_aside(const autotune__tuning *tuning) {
    const autotune__aside aside = { autotune__clock_now(&autotune__statement_of(tuning)->subject),
                                    autotune__thread_usage() };
    return aside;
}
static AUTOTUNE__UNUSED void autotune__step_back(autotune__tuning *tuning, const autotune__aside *aside) {
    autotune__trial_state *trial = &autotune__statement_of(tuning)->trial;
    autotune__usage *used = &trial->watch.used;
    const autotune__usage now = autotune__thread_usage();
    used->cpu_ns += now.cpu_ns - aside->used.cpu_ns;
    used->preempted += now.preempted - aside->used.preempted;
    used->waited += now.waited - aside->used.waited;
    autotune__exclude_time_since(trial, aside->from);
    trial->watch.started += (uint64_t)autotune__passed_ns(aside->from, autotune__clock_now(trial->subject));
}

/* Called while the device or a compiler works. Threads that wait for this statement then go on waiting. ns: how long a
   step may take. tuning: NULL if there is no statement, so that no thread waits. */
static AUTOTUNE__UNUSED void autotune__be_patient(autotune__tuning *tuning, uint64_t ns) {
    if (!tuning) return;
    autotune__count_step(&autotune__statement_of(tuning)->turn.progress);
    autotune__expect_long(&autotune__statement_of(tuning)->turn.progress, ns);
}

/* Called before a compiler runs inside the call: closes the launch note. Returns true if the caller has to call
   autotune__goes_on_to_launch() after the compiler. With ranks the note stays open, since another rank may be
   launching. */
static AUTOTUNE__UNUSED bool autotune__puts_off_launch(autotune__tuning *tuning) {
    return tuning && !autotune__statement_of(tuning)->trial.peers &&
           autotune__put_off_launch(&autotune__statement_of(tuning)->trial);
}
static AUTOTUNE__UNUSED void autotune__goes_on_to_launch(autotune__tuning *tuning) {
    autotune__trial_state *trial = &autotune__statement_of(tuning)->trial;
    autotune__launch_begins(trial, trial->request.index);
}
/* Notes that this launch broke the device: no later process launches the configuration. */
static AUTOTUNE__UNUSED void autotune__launch_broke_device(autotune__tuning *tuning) {
    autotune__statement_of(tuning)->trial.mishap = AUTOTUNE__BROKE_DEVICE;
}
/* Notes a kernel that this statement launches. source: a hash of its tokens. written: a hash of its source as written.
   compiler: the name and version of its compiler; NULL: unknown. Returns false if the statement launches a candidate of
   a record that was made with another source or compiler. The candidate then fails, and must not be launched. */
static AUTOTUNE__UNUSED bool autotune__is_known_kernel(autotune__tuning *tuning, const char *name, uint64_t source,
                                                       uint64_t written, const char *compiler) {
    autotune__statement *statement = autotune__statement_of(tuning);
    const bool candidate = statement->head.phase == AUTOTUNE__CALLING_CANDIDATE;
    if (!autotune__note_kernel(&statement->store, candidate, name, source, written, compiler))
        statement->trial.mishap = AUTOTUNE__OUTDATED;
    if (!candidate || statement->trial.mishap != AUTOTUNE__OUTDATED) return statement->trial.launched_kernel = true;
    autotune_explain("%s has another source, or compiler, than when the winner was found", name);
    autotune__fail_launch(&statement->trial, AUTOTUNE_FAILED);       /* even if the body ignores the failure */
    return false;
}
/* Appends the statement and its configuration in trial: "NAME [KEY] tried POINT". */
static AUTOTUNE__UNUSED void autotune__append_trial(autotune__text *text, const autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    autotune__append_subject(text, &statement->subject);
    autotune__append(text, " tried ");
    autotune__append_point(text, statement->subject.space, statement->trial.request.index);
}

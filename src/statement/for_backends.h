/* For backends that are headers of their own: what such a backend asks of the statement that it works for, and what it
   tells that statement. A backend sees a statement as the autotune__tuning that begins it, and NULL on a hit. These
   functions are called in the thread of the statement. */
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

/* The innermost statement of this thread that is no hit. NULL: there is none. */
static AUTOTUNE__UNUSED autotune__tuning *autotune__innermost(void) {
    return autotune__current ? &autotune__current->head : NULL;
}
/* Returns the result of the backend's open() for this statement. */
static AUTOTUNE__UNUSED autotune_backend *autotune__backend_of(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->subject.backend;
}
/* The same statement, if `opened` is what its backend's open() returned. NULL: the backend works for nobody here. */
static AUTOTUNE__UNUSED autotune__tuning *autotune__tuning_with(const autotune_backend *opened) {
    autotune__tuning *tuning = autotune__innermost();
    return tuning && autotune__backend_of(tuning) == opened ? tuning : NULL;
}
/* Is a trial made? Else the axes are described, or the call is made for real. */
static AUTOTUNE__UNUSED bool autotune__is_trying(const autotune__tuning *tuning) {
    return tuning && tuning->phase == AUTOTUNE__TRYING;
}
/* Is it a trial of the control, which shows how far equal code differs from itself? */
static AUTOTUNE__UNUSED bool autotune__tries_control(const autotune__tuning *tuning) {
    return autotune__is_trying(tuning) &&
           autotune__statement_of(tuning)->trial.request.occasion == AUTOTUNE__OF_CONTROL;
}
/* The trial of the control launches another copy of the code. */
static AUTOTUNE__UNUSED void autotune__launches_copy(autotune__tuning *tuning) {
    autotune__statement_of(tuning)->trial.answer.execution = AUTOTUNE__BY_COPY;
}
/* Is a call of an online race made? */
static AUTOTUNE__UNUSED bool autotune__is_measuring(const autotune__tuning *tuning) {
    return tuning && tuning->phase == AUTOTUNE__CALLING_MEASURED;
}

/* The point of the configuration that is tried. The values are those of autotune__space_of(). */
static AUTOTUNE__UNUSED size_t autotune__point_of(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->trial.request.index;
}
/* The text of the call as it was written, before expansion. NULL: there is no text of one call. */
static AUTOTUNE__UNUSED const char *autotune__call_of(const autotune__tuning *tuning, size_t *length) {
    return autotune__call_text(&autotune__statement_of(tuning)->subject, length);
}
/* The values of the configuration, and behind them the word in which the next launch of the same configuration finds
   what the backend prepared. NULL: nothing that is prepared now can be found again. */
static AUTOTUNE__UNUSED uint64_t *autotune__lasting_values(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    if (statement->head.phase == AUTOTUNE__TRYING || statement->head.phase == AUTOTUNE__CALLING_MEASURED)
        return statement->subject.space->value;
    if (statement->entry) return statement->entry->value;
    return autotune__calls_candidate(statement) ? statement->subject.space->value : NULL;  /* which becomes an entry */
}
/* The point that the race will probably launch after k others, for a backend that prepares ahead. SIZE_MAX: nobody
   knows. */
static AUTOTUNE__UNUSED size_t autotune__coming_point(const autotune__tuning *tuning, size_t k) {
    return autotune__upcoming(autotune__statement_of(tuning)->turn.race, k);
}

/* How many launches of the trial stand behind this start of the clock. 0: no trial is made. */
static AUTOTUNE__UNUSED uint32_t autotune__launches_at_once(const autotune__tuning *tuning) {
    const autotune__statement *statement = autotune__statement_of(tuning);
    if (!autotune__is_trying(tuning)) return 0;
    return statement->trial.timing == AUTOTUNE__QUEUED ? 1 : statement->trial.batch;
}
/* Returns the cost of the backend's clock, and its steps, as far as the race knows them. All 0 without a statement. */
static AUTOTUNE__UNUSED autotune__clock autotune__clock_in(const autotune__tuning *tuning) {
    const autotune__clock unknown = { NULL, NULL, 0, 0 };
    return tuning ? autotune__statement_of(tuning)->trial.clock : unknown;
}
/* Has a launch of this trial failed? */
static AUTOTUNE__UNUSED bool autotune__is_failing(const autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->trial.launch_status != AUTOTUNE_OK;
}
/* The trial waited so long for what up to `threads` other threads prepare ahead from now on. */
static AUTOTUNE__UNUSED void autotune__can_share(autotune__tuning *tuning, uint64_t ns, size_t threads) {
    if (autotune__is_trying(tuning) && threads)
        autotune__statement_of(tuning)->trial.answer.shareable_ns += (double)ns * (1 - 1 / (double)threads);
}
/* Nothing was launched for this call of an online race, or of the first configuration: another one is launched. */
static AUTOTUNE__UNUSED void autotune__refuse_call(autotune__tuning *tuning) {
    if (autotune__is_measuring(tuning) || (tuning && tuning->phase == AUTOTUNE__CALLING_FIRST))
        autotune__statement_of(tuning)->trial.mishap = AUTOTUNE__NOT_LAUNCHED;
}
/* Something beside the launch was timed, so that the trial is repeated. A trial is repeated three times at most, since
   the next one may be disturbed as well. */
static AUTOTUNE__UNUSED void autotune__disturb_trial(autotune__tuning *tuning) {
    autotune__disturb(&autotune__statement_of(tuning)->turn);
}

/* The options of the statement. */
static AUTOTUNE__UNUSED const autotune_options *autotune__options_of(const autotune__tuning *tuning) {
    return &autotune__statement_of(tuning)->subject.options;
}
/* Times that are measured now differ from usual times: the statement reads the cache on disk, and writes nothing
   there. */
static AUTOTUNE__UNUSED void autotune__keep_nothing(autotune__tuning *tuning, const char *why) {
    autotune__subject *subject = &autotune__statement_of(tuning)->subject;
    subject->is_distorted = true;
    autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "what is found is not kept on disk: %s", why);
}
/* The log tells once for each session what may be wrong with its times. */
static AUTOTUNE__UNUSED void autotune__tell_doubt(const autotune__tuning *tuning, const char *why) {
    autotune__say_of(AUTOTUNE_LOG_WINNER, &autotune__statement_of(tuning)->subject, "%s", why);
}
/* From now on the statement works with this backend, which stands for the one that it has, and which it closes. */
static AUTOTUNE__UNUSED void autotune__work_with(autotune__tuning *tuning, autotune_backend *backend) {
    autotune__statement_of(tuning)->subject.backend = backend;
    autotune__statement_of(tuning)->subject.close = backend->close;
}
/* Work between these two, in the midst of a call, is no part of the call. Neither the clock of the call nor the limit
   of the race counts it. */
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
    used->computed_ns += now.computed_ns - aside->used.computed_ns;
    used->preempted += now.preempted - aside->used.preempted;
    used->waited += now.waited - aside->used.waited;
    autotune__spend_besides(trial, aside->from);
    trial->watch.started += (uint64_t)autotune__passed_ns(aside->from, autotune__clock_now(trial->subject));
}

/* The device works, or something is compiled: threads that wait for this statement wait on, for as long as something
   that takes so many nanoseconds may take. NULL: no statement, and nobody waits. */
static AUTOTUNE__UNUSED void autotune__be_patient(autotune__tuning *tuning, uint64_t ns) {
    autotune__progress *race = tuning ? &autotune__statement_of(tuning)->turn.progress : NULL;
    if (!race) return;
    autotune__count_step(race);
    autotune__expect_long(race, ns);
}

/* Something is compiled in the midst of the call, which no launch note counts. Returns true if the next function has
   to follow. With ranks the note stays open: another rank may be launching. */
static AUTOTUNE__UNUSED bool autotune__puts_off_launch(autotune__tuning *tuning) {
    return tuning && !autotune__statement_of(tuning)->trial.peers &&
           autotune__launch_is_put_off(&autotune__statement_of(tuning)->trial);
}
static AUTOTUNE__UNUSED void autotune__goes_on_to_launch(autotune__tuning *tuning) {
    autotune__trial_state *trial = &autotune__statement_of(tuning)->trial;
    autotune__launch_begins(trial, trial->request.index);
}
/* The backend knows that this launch broke the device: no later process launches it again. */
static AUTOTUNE__UNUSED void autotune__launch_broke_device(autotune__tuning *tuning) {
    autotune__statement_of(tuning)->trial.mishap = AUTOTUNE__BROKE_DEVICE;
}
/* A kernel that this statement launches: its name, a hash of its tokens and one of its source as written, and which
   compiler made it, NULL for none. Returns false if the winner that the cache names is of another kernel of this name:
   the winner fails, and must not be launched. */
static AUTOTUNE__UNUSED bool autotune__is_known_kernel(autotune__tuning *tuning, const char *name, uint64_t source,
                                                       uint64_t written, const char *compiler) {
    autotune__statement *statement = autotune__statement_of(tuning);
    const bool candidate = autotune__calls_candidate(statement);
    if (!autotune__note_kernel(&statement->store, candidate, name, source, written, compiler))
        statement->trial.mishap = AUTOTUNE__OUTDATED;
    if (!candidate || statement->trial.mishap != AUTOTUNE__OUTDATED) return statement->trial.begun = true;
    autotune_explain("%s has another source, or compiler, than when the winner was found", name);
    autotune__fail_launch(&statement->trial, AUTOTUNE_FAILED);       /* whatever the body makes of our answer */
    return false;
}
/* Which configuration of which statement is tried: "NAME [KEY] tried POINT". */
static AUTOTUNE__UNUSED void autotune__append_trial(autotune__text *text, const autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    autotune__append_subject(text, &statement->subject);
    autotune__append(text, " tried ");
    autotune__append_point(text, statement->subject.space, statement->trial.request.index);
}

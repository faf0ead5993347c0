/* The phase of a statement decides the next step of its loop. This room alone changes the phase. A bool function that
   changes the phase returns true if the loop goes on. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "describe.h"

/* Returns true if the loop makes the call for real. The program sees the errno that this call sets. After a trial the
   library restores the errno that the program had before the statement. */
static bool autotune__is_for_real(const autotune__statement *statement) {
    return statement->head.phase >= AUTOTUNE__CALLING_FIRST && statement->head.phase <= AUTOTUNE__CALLING_MEASURED;
}

/* Seeks the first configuration that WHERE and PRIORITY admit. It is launched in mode OFF, in mode CACHED on a miss, in
   a detour, and if tuning is impossible. In mode REQUIRE nothing is launched instead of the winner. */
static bool autotune__seek_first(autotune__statement *statement) {
    statement->head.phase = AUTOTUNE__SEEKING;
    statement->trial.request.index = 0;
    autotune__judge_anew(statement);
    statement->subject.space->value[AUTOTUNE_MAX_AXES] = 0;   /* nothing is prepared for this configuration */
    return true;
}
/* Lets the loop judge the next candidate. */
static bool autotune__recall_next(autotune__statement *statement) {
    statement->head.phase = AUTOTUNE__RECALLING;
    return true;
}
/* Lets the loop judge all points for an online race. */
static AUTOTUNE__UNUSED void autotune__begin_to_list(autotune__statement *statement) {
    statement->head.phase = AUTOTUNE__LISTING;
    autotune__judge_anew(statement);
}
/* Sets the phase for a request of a race: JUDGING or TRYING. A race that has ended leaves the phase unchanged. */
static void autotune__set_phase(autotune__statement *statement) {
    const autotune__what what = statement->trial.request.what;
    if (what == AUTOTUNE__EVALUATE) statement->head.phase = AUTOTUNE__JUDGING;
    if (what == AUTOTUNE__RUN_IT) statement->head.phase = AUTOTUNE__TRYING;
}
/* Begins a launch for real. kind: one of the phases CALLING_... */
static bool autotune__begin_call(autotune__statement *statement, autotune__phase kind) {
    statement->head.phase = kind;
    statement->trial.launches_left = 0;
    statement->trial.launch_status = AUTOTUNE_OK;
    if (kind == AUTOTUNE__CALLING_FIRST) statement->trial.mishap = AUTOTUNE__NO_MISHAP;
    autotune__clear_text(&statement->trial.why);
    return true;
}
/* Reports a call for real that failed with `status`. then: the end of the sentence. */
static void autotune__report_call(autotune__statement *statement, autotune_status status, const char *then) {
    const bool told = autotune__has_text(&statement->trial.why);
    if (status != AUTOTUNE_OK)
        autotune__report(statement, status, "%s%s%s%s", autotune_status_text(status), told ? ": " : "",
                         told ? autotune__string(&statement->trial.why) : "", then);
}
/* Ends the statement, and fills in .result. Always returns false: the loop ends. */
static bool autotune__end_with(autotune__statement *statement, autotune_status status) {
    statement->head.phase = AUTOTUNE__ENDED;
    statement->result.status = status;
    if (statement->subject.options.result) *statement->subject.options.result = autotune__shown(&statement->result);
    return false;
}

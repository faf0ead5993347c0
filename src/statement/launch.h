/* The call for real: with the winner, or with the first configuration. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "phase.h"
#include "settle.h"

static const char *autotune__instead(const autotune__statement *statement) {
    if (statement->plan.task == AUTOTUNE__TASK_TUNE) return "nothing was tuned";
    return statement->subject.mode == AUTOTUNE_REQUIRE ? "the mode is REQUIRE, so the call was not made"
                                          : "the first configuration is launched untuned";
}
/* The statement cannot tune: it reports why, and what is done instead. */
static bool autotune__stay_untuned(autotune__statement *statement, autotune_status status, const char *why) {
    autotune__report(statement, status, "%s; %s", why, autotune__instead(statement));
    return autotune__seek_first(statement);
}
/* Ends the statement without its call. */
static bool autotune__end(autotune__statement *statement) {
    statement->result.launches = statement->trial.launches;
    return autotune__end_with(statement, statement->status);
}
/* Saves the buffers. Returns false if that fails: then no trial is made, since the buffers would not be as before. A
   device or backend that does not work makes no call. */
static bool autotune__saves_buffers(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    const autotune_status status = autotune__snapshot(&statement->trial.memories, &statement->subject.options, backend);
    const bool works = autotune__class_of(backend, status) == AUTOTUNE_ERROR_CONFIGURATION;
    if (status == AUTOTUNE_OK) return true;
    if (autotune__has_turn(&statement->turn)) autotune__stop_racing(statement);
    autotune__report(statement, status, "the buffers cannot be saved (%s): %s",
                     autotune__reason(&statement->trial, status),
                     works ? autotune__instead(statement) : "the call was not made");
    (void)(works ? autotune__seek_first(statement) : autotune__end(statement));
    return false;
}
/* Ends the statement, since nothing is left to be launched: nothing is admitted, or what is admitted did not run. */
static bool autotune__end_without_any(autotune__statement *statement) {
    const autotune__space *space = statement->subject.space;
    autotune__text refusals AUTOTUNE__FREED = { NULL, false };
    bool strings = false;
    size_t a;
    for (a = 0; a < space->axis_count; a++) strings = strings || space->axes[a].type == AUTOTUNE_STRING;
    autotune__append_refusals(&refusals, space);
    if (statement->trial.mishap == AUTOTUNE__NOT_LAUNCHED)
        autotune__report_call(statement, statement->trial.launch_status, "");
    else autotune__report(statement, statement->status == AUTOTUNE_OK ? AUTOTUNE_ERR_SPACE : statement->status,
                     "WHERE and PRIORITY leave none of %lu configurations that were looked at%s, so the call was not "
                     "made; they are evaluated more than once for a configuration, so that they must change nothing%s",
                     (unsigned long)statement->judged, autotune__string(&refusals),
                     strings ? "; the strings of an axis are compared by strcmp(), and not by ==" : "");
    return autotune__end(statement);
}
/* Makes the call with the configuration at index, unless the statement only tunes. */
static bool autotune__launch_for_real(autotune__statement *statement, size_t index, autotune__phase kind) {
    autotune__space *space = statement->subject.space;
    if (statement->plan.task == AUTOTUNE__TASK_TUNE) return autotune__end(statement);
    autotune__locate(space, index);
    if (statement->result.config.count)
        /* The strings of result.config outlive the call. */
        memcpy(space->value, statement->result.config.values, sizeof statement->result.config.values);
    statement->result.launches = statement->trial.launches + 1;
    return autotune__begin_call(statement, kind);
}
/* Is the winner known to the registry? */
static bool autotune__finds_winner(autotune__statement *statement) {
    autotune__entry *entry = autotune__look_up(&statement->subject);
    if (entry) statement->entry = entry;
    return entry != NULL;
}
static bool autotune__launch_known(autotune__statement *statement) {
    const autotune__entry *entry = statement->entry;
    autotune__copy_result(entry, &statement->result, sizeof statement->result);
    if (!autotune__launch_for_real(statement, statement->result.index, AUTOTUNE__CALLING_WINNER)) return false;
    statement->subject.space->value[AUTOTUNE_MAX_AXES] =
        __atomic_load_n(&entry->value[AUTOTUNE_MAX_AXES], __ATOMIC_ACQUIRE);
    return true;
}

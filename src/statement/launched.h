/* The end of the call for real: its status is reported, and the statement ends. */
#pragma once
#include "../api/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "plan.h"
#include "phase.h"
#include "settle.h"
#include "without_winner.h"

static void autotune__launched_for_real(autotune__statement *statement) {
    const autotune_status status = statement->trial.launch_status;
    const bool first = statement->head.phase == AUTOTUNE__CALLING_FIRST && statement->result.config.count;
    if (status != AUTOTUNE_OK && statement->entry &&
        autotune__class_of(statement->subject.backend, status) == AUTOTUNE_ERROR_CONFIGURATION)
        (void)autotune__forget_failed(statement->entry);
    autotune__report_call(statement, status,
                          autotune__is_pinned(statement) ? "; AUTOTUNE_USE asks for this configuration" : "");
    if (first && statement->status == AUTOTUNE_OK) autotune__stand_in_with_first(statement);
    autotune__end_with(statement, statement->status);
}

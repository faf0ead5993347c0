/* Ends the statement of each rank after the group has ended. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"

/* Reports why the group has ended. Then ends the statement, or launches the first configuration. Always returns
   false. */
static bool autotune__end_with_group(autotune__statement *statement) {
    const autotune__peer_group *group = statement->trial.group;
    const autotune_status status = group->trouble.status != AUTOTUNE_OK ? group->trouble.status
                                                                          : AUTOTUNE_ERR_ENVIRONMENT;
    const char *instead = group->ending == AUTOTUNE__NO_CALL ? "the call was not made" : autotune__instead(statement);
    autotune__break_race(statement);
    if (group->cause == AUTOTUNE__OUT_OF_STEP)
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT, "the ranks are out of step: %s; %s",
                         autotune__has_text(&group->difference) ? autotune__string(&group->difference)
                                            : "all ranks make the same calls in the same order, with the same version, "
                                              "key, space, mode and options, and .key has all that WHERE, PRIORITY and "
                                              "MODEL read", instead);
    else
        autotune__report(statement, status, "rank %d %s (%s); %s", group->trouble.rank,
                         group->cause == AUTOTUNE__UNREACHABLE ? "cannot reach the other ranks"
                                                               : "came to its end before the others",
                         group->cause == AUTOTUNE__UNREACHABLE ? autotune__reason(&statement->trial, status)
                                                               : autotune_status_text(status), instead);
    autotune__free_text(&statement->trial.group->difference);
    if (group->ending == AUTOTUNE__NO_CALL) (void)autotune__end(statement);
    else (void)autotune__seek_first(statement);
    return false;
}
/* Returns true if the group has ended. This function has then decided what the statement does. */
static bool autotune__end_if_group_ended(autotune__statement *statement) {
    return statement->trial.group->ending && !autotune__end_with_group(statement);
}

/* A statement whose configurations AUTOTUNE_USE restricts. If one configuration is left, it is launched as a candidate
   of the cache on disk is. Buffers are not saved, though, because no other configuration is tried in its place. If more
   are left, they are raced as a space of their own. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "describe.h"
#include "phase.h"
#include "plan.h"

/* Locates the next point, for the loop to judge if pin and WHERE admit it; at the end the only one that was admitted.
   Returns false if none was admitted, or if there is more than one. */
static bool autotune__judge_pinned(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    const autotune__space *space = statement->subject.space;
    size_t *point = &statement->trial.request.index;
    if (!statement->judged) {
        if (!autotune__is_pin_of(space, recalled->pin)) return false;
        *point = recalled->count = 0;
    }
    if (recalled->next || recalled->count > 1) return false;
    if (*point >= space->points || statement->judged >= AUTOTUNE_MAX_POINTS ||
        (recalled->count && autotune__asks_for_first(recalled->pin))) {
        if (!recalled->count) return false;
        recalled->next = 1;
        *point = recalled->candidates[0];
    }
    autotune__judge(statement, *point);
    return true;
}
/* The loop has judged a point. Returns true if it is the only one, which was judged again, and is admitted. */
static bool autotune__take_pinned(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    size_t *point = &statement->trial.request.index;
    if (recalled->next) return autotune__is_eligible(&statement->trial.answer);
    if (autotune__is_eligible(&statement->trial.answer)) recalled->candidates[recalled->count++] = *point;
    *point += autotune__points_answered(&statement->trial.answer);
    return false;
}
/* No configuration has what AUTOTUNE_USE asks for, or several have it. Returns false if the statement ended. */
static bool autotune__say_unpinned(autotune__statement *statement) {
    const bool required = statement->plan.needs_winner;
    const char *pin = statement->prior.recalled.pin;
    if (statement->prior.recalled.count > 1)
        autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject,
                         "AUTOTUNE_USE leaves the configurations that have '%s'", pin);
    else
        autotune__complain_of(&statement->subject,
                              "AUTOTUNE_USE asks for '%s', and no configuration that WHERE and PRIORITY admit has "
                              "these axes and values, which are written as the log shows them; %s", pin,
                              required ? "the mode is REQUIRE, so the call was not made" : "nothing is pinned");
    return !autotune__plan_without_pin(statement) || !required || autotune__end_with(statement, AUTOTUNE_ERR_ARGUMENT);
}

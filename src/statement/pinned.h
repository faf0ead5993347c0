/* A statement whose configurations AUTOTUNE_USE restricts. If it leaves one configuration, this configuration is
   launched like a candidate of a record. Buffers are not saved, because no other configuration replaces this one. If
   AUTOTUNE_USE leaves several configurations, they are raced like a smaller space. */
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

/* Locates the next point. The loop then judges if pin, WHERE and PRIORITY admit the point. If all points are judged,
   and exactly one point was admitted, locates this point again. Returns false if no point is left to judge: none or
   several were admitted, or the only one was judged again. */
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
/* Called after the loop judged a point. Returns true if it is the only admitted point, and is admitted again. */
static bool autotune__take_pinned(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    size_t *point = &statement->trial.request.index;
    if (recalled->next) return autotune__is_eligible(&statement->trial.answer);
    if (autotune__is_eligible(&statement->trial.answer)) recalled->candidates[recalled->count++] = *point;
    *point += autotune__points_of(&statement->trial.answer);
    return false;
}
/* Logs that AUTOTUNE_USE fits no configuration, or several configurations. Returns false if the statement ended. */
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

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

/* Returns true if the pin leaves one configuration, or how many it leaves is not known yet. */
static bool autotune__is_pinned(const autotune__statement *statement) {
    return *statement->prior.recalled.pin && !statement->prior.recalled.restricts;
}
/* Mode OFF launches the first configuration, whatever is pinned. */
static void autotune__look_for_pin(autotune__statement *statement) {
    char *pin = statement->prior.recalled.pin;
    (void)autotune__find_pin(&statement->subject, pin);
    if (statement->subject.mode == AUTOTUNE_OFF) *pin = 0;
}
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
/* The loop has judged a point. Returns true if it is the only one, which was judged again. */
static bool autotune__take_pinned(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    size_t *point = &statement->trial.request.index;
    if (recalled->next) return true;
    if (autotune__is_eligible(&statement->trial.answer)) recalled->candidates[recalled->count++] = *point;
    *point += autotune__points_answered(&statement->trial.answer);
    return false;
}

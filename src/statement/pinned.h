/* A statement whose configuration AUTOTUNE_USE asks for. It is launched as a candidate of the cache on disk is; but its
   buffers are not saved, because no other configuration is tried in its place. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "describe.h"

static bool autotune__is_pinned(const autotune__statement *statement) { return *statement->prior.recalled.pin != 0; }
/* Mode OFF launches the first configuration, whatever is pinned. */
static void autotune__look_for_pin(autotune__statement *statement) {
    char *pin = statement->prior.recalled.pin;
    (void)autotune__find_pin(&statement->subject, pin);
    if (statement->subject.mode == AUTOTUNE_OFF) *pin = 0;
}
/* Locates the next point that has what is wanted, for the loop to judge. False: there is none. */
static bool autotune__judge_pinned(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    const size_t from = recalled->next ? recalled->candidates[0] + 1 : 0,
                 next = autotune__next_wanted(statement->subject.space, recalled->pin, from);
    if (next == SIZE_MAX) return false;
    recalled->candidates[0] = next;
    recalled->next = 1;
    autotune__judge(statement, next);
    return true;
}

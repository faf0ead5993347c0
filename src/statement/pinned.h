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
/* In mode OFF ranks tell each other nothing, so that a pin, which rank 0 tells them, does not count. */
static void autotune__look_for_pin(autotune__statement *statement) {
    autotune__subject *subject = &statement->subject;
    if (subject->mode == AUTOTUNE_OFF && autotune__ranks_of(&subject->options)) return;
    if (autotune__find_pin(subject, statement->prior.recalled.pin) && subject->mode == AUTOTUNE_OFF)
        subject->mode = AUTOTUNE_CACHED;
}
/* In mode OFF a winner that was found does not count, but one that was pinned. */
static bool autotune__counts_if_off(const autotune__statement *statement) {
    return statement->asked != AUTOTUNE_OFF || statement->entry->result.verdict == AUTOTUNE_PINNED;
}
/* Locates the next point that has what is wanted, for the loop to judge. False: there is none. */
static bool autotune__judge_pinned(autotune__statement *statement) {
    autotune__recalled *recalled = &statement->prior.recalled;
    autotune__candidate *candidate = &recalled->candidates[0];
    size_t from = recalled->next ? candidate->index + 1 : 0;
    for (; (from = autotune__next_wanted(statement->subject.space, recalled->pin, from)) != SIZE_MAX; from++) {
        candidate->index = recalled->winner = from;
        candidate->median_ns = candidate->min_ns = AUTOTUNE__NEVER;
        recalled->next = 1;
        if (autotune__judge(statement, from)) return true;
    }
    return false;
}

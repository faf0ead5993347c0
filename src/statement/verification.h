/* Mode VERIFY: the winner of a record is duelled once more before it answers; a key without a record is told of, and
   has no race. The call, and all later ones, are made with the winner of the record. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"
#include "pinned.h"

/* All ranks know the record of the key. If nothing is to be verified, the mode is CACHED. */
static void autotune__verify_if_known(autotune__statement *statement) {
    if (autotune__verifies(&statement->subject) && !autotune__is_pinned(statement) &&
        !statement->prior.recalled.duel)
        statement->subject.mode = AUTOTUNE_CACHED;
}

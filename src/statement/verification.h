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

/* It is known what the record of the key says, on all ranks. Where nothing is to be verified the mode is CACHED. */
static void autotune__verify_if_known(autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    if (!autotune__verifies(&statement->subject) || autotune__is_pinned(statement) || recalled->verified) return;
    statement->subject.mode = AUTOTUNE_CACHED;
    if (recalled->count || autotune__is_set(&statement->subject.known_key->duelled)) return;
    autotune__set(&statement->subject.known_key->duelled);      /* it is told once */
    autotune__write_verified(&statement->store, NULL);
}
/* A verification has as much time as a race of the statement, and its rounds. */
static void autotune__limit_to_verification(autotune__limits *limits) {
    autotune__limit_to_finalists(limits, limits->seconds);
    limits->stop_at_ns = 0;
}
static void autotune__log_verified(autotune__statement *statement, const autotune__race *race) {
    const autotune__race_outcome *outcome = &race->outcome;
    autotune__text text = { NULL, false };
    autotune__append(&text, "verified: %s", autotune__name_point(&statement->subject, race->setup.incumbent));
    if (outcome->winner == SIZE_MAX) autotune__append(&text, " no longer works");
    else if (outcome->lead < 0)
        autotune__append(&text, " takes %.1f %% longer than %s", 100 * (1 / (1 + outcome->lead) - 1),
                         autotune__name_point(&statement->subject, race->rows[outcome->runner_up].index));
    else autotune__append(&text, " is still the best");
    autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject, "%s", autotune__string(&text));
    autotune__free_text(&text);
}

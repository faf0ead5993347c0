/* A statement whose key was never tuned, and that guesses instead of racing it. The guessed configurations are
   candidates like those of the cache on disk. The candidate that works answers hits. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "join_ranks.h"
#include "pinned.h"

static bool autotune__is_guessed(const autotune__statement *statement) {
    return statement->prior.recalled.result.verdict == AUTOTUNE_GUESSED;
}
static bool autotune__may_guess(const autotune__statement *statement) {
    const int asked = autotune__environment.unseen;
    const autotune_mode mode = statement->subject.mode;
    return (asked < 0 ? (int)statement->subject.options.unseen : asked) == AUTOTUNE_GUESS &&
           mode != AUTOTUNE_FORCE && mode != AUTOTUNE_ONLINE && !autotune__verifies(&statement->subject) &&
           statement->aim == AUTOTUNE__AIM_CALL;
}
/* Finds the configurations that may be the winner, as far as this process knows without a race. recalls: the cache on
   disk is asked, too. */
static void autotune__find_candidates(autotune__statement *statement, bool recalls) {
    autotune__recalled *recalled = &statement->prior.recalled;
    if (autotune__is_pinned(statement)) {
        autotune__clear_result(&recalled->result);
        recalled->result.verdict = AUTOTUNE_PINNED;
        recalled->count = 1;                    /* the point is looked for when it is judged */
        recalled->next = 0;
    } else if (recalls && !statement->detours)
        autotune__recall(&statement->store, autotune__may_guess(statement));
}
/* The guess works. If something became known meanwhile, the next call guesses anew. The call counts as a miss, so that
   mode MISSED tunes the key. */
static void autotune__accept_guess(autotune__statement *statement) {
    autotune__lock_mutex(&autotune__lock);
    if (statement->result.config.count && !autotune__heard_news(statement))
        statement->entry = autotune__publish_guess(&statement->subject, &statement->result);
    autotune__unlock_mutex(&autotune__lock);
    autotune__count_miss(statement->subject.known_key, &statement->store);
}

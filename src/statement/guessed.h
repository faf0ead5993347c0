/* A statement that guesses, since its key was never tuned, and does not race. The guessed configurations are candidates
   like the candidates of a record. The first candidate that works answers hits. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"

/* Publishes a guess that works. If another key became known meanwhile, the guess is not published, and the next call
   guesses again. The call counts as a miss, so that mode MISSED tunes the key. */
static void autotune__publish_accepted_guess(autotune__statement *statement) {
    autotune__lock_mutex(&autotune__lock);
    /* Ranks have agreed on the guess: a key that became known to one rank alone does not change it. */
    if (statement->result.config.count &&
        (statement->trial.peers || statement->prior.changes == autotune__changes_so_far()))
        statement->entry = autotune__publish_guess(&statement->subject, &statement->result);
    autotune__unlock_mutex(&autotune__lock);
    autotune__count_miss(statement->subject.known_key, &statement->store);
}
AUTOTUNE__DEFINE_TABLE(autotune__guessing_table, autotune__guessing, autotune__retire_guesses, autotune__recall_guess,
                       autotune__find_seeds, autotune__publish_accepted_guess)

/* How rooms outside of the door GUESSES reach what is learnt from other keys: guesses and seeds. Without the door, a
   key that was never tuned is raced. Its race begins with no configuration of another key. */
#pragma once
#include "../base/floor.h"

static bool autotune__guesses_are_out;          /* with the lock: a guess was published after the last retirement */
struct autotune__store;
struct autotune__statement;
typedef struct autotune__guessing_table {
    void (*retire)(void);                       /* with the lock: retires guesses, since the knowledge has changed */
    void (*recall)(struct autotune__store *store);      /* guesses the winner of a key without a record */
    void (*find_seeds)(struct autotune__store *store);  /* finds what the race of a key tries first */
    void (*accept)(struct autotune__statement *statement);      /* publishes a guess that works */
} autotune__guessing_table;
AUTOTUNE__DECLARE_TABLE(autotune__guessing_table, autotune__guessing)
#ifdef AUTOTUNE_WITHOUT_GUESSES
AUTOTUNE__EMPTY_TABLE(autotune__guessing_table, autotune__guessing)
#endif

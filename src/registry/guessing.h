/* Guesses as rooms outside of the door GUESSES reach them. Without the door a key that was never tuned is raced. */
#pragma once
#include "../base/floor.h"

static bool autotune__guesses_are_out;          /* with the lock: entries of this process are guesses */
struct autotune__store;
struct autotune__statement;
typedef struct autotune__guessing_table {
    void (*retire)(void);                       /* with the lock: something became known, and may be nearer */
    void (*recall)(struct autotune__store *store);      /* finds what may be the winner of a key without a record */
    void (*accept)(struct autotune__statement *statement);      /* the guess works */
} autotune__guessing_table;
AUTOTUNE__DECLARE_TABLE(autotune__guessing_table, autotune__guessing)
#ifdef AUTOTUNE_WITHOUT_GUESSES
AUTOTUNE__EMPTY_TABLE(autotune__guessing_table, autotune__guessing)
#endif

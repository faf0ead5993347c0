/* Calls for real that are measured, as rooms outside of the door ONLINE know them: what a key has of them, and the
   table of the door. Without the door no mode is ONLINE, and no call is measured. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"

typedef struct autotune__call_race autotune__call_race;        /* the race that measures the calls of a key */

/* The measured calls of a key. */
typedef struct autotune__key_calls {
    autotune__call_race *race;                  /* NULL: there is none */
    bool measured;                              /* a call of the key is measured: only its thread touches that race */
    /* The ticket of the step that has this call, without autotune__lock; 0: none has it. 32-bit x86 aligns it to 4. And
       how many others were begun since. */
    uint64_t open_step __attribute__((__aligned__(8)));
    size_t passed_steps;
} autotune__key_calls;

struct autotune__statement;
typedef struct autotune__measured_calls_table {
    /* A call that is no hit, in mode ONLINE. Returns false if the race of its key does not go on. */
    bool (*go_on)(autotune__site *site, const autotune_options *options, autotune__start *start);
    /* The winner is known, and this call is one that .watch asks for. */
    autotune__start (*watch)(autotune__site *site, const autotune_options *options, autotune__start known);
    /* Statements of mode ONLINE: a miss; a winner that is known, and is watched from now on. Each returns true if the
       loop goes on. */
    bool (*begin)(struct autotune__statement *statement);
    bool (*watch_known)(struct autotune__statement *statement);
    /* The phases LISTING and CALLING_MEASURED: takes the answer. Returns true if the next iteration is decided. */
    bool (*take_answer)(struct autotune__statement *statement, bool done, uint64_t stopped);
    /* The call is over of a statement that has a race. */
    void (*hand_back)(struct autotune__statement *statement);
    /* All races of a site end without a winner. NULL: those of all sites, in autotune_shutdown(). */
    void (*drop_all)(const autotune__site *site);
    /* Steps: this one is measured; one begins that is not; the end. The last returns false if the step is not open. */
    void (*begin_step)(struct autotune__statement *statement, autotune_step *step);
    void (*pass_step)(const autotune__entry *entry);
    bool (*end_step)(void *key, uint64_t ticket, double ns, autotune_status *status);
} autotune__measured_calls_table;
AUTOTUNE__DECLARE_TABLE(autotune__measured_calls_table, autotune__measured_calls)
#ifdef AUTOTUNE_WITHOUT_ONLINE
AUTOTUNE__EMPTY_TABLE(autotune__measured_calls_table, autotune__measured_calls)
#endif

/* The table through which rooms outside of the door ONLINE reach measured calls, and what a key keeps for these calls.
   Without the door no mode is ONLINE, and no call is measured. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"

typedef struct autotune__call_race autotune__call_race;        /* the race that measures the calls of a key */

/* The measured calls of a key. */
typedef struct autotune__key_calls {
    autotune__call_race *race;                  /* the race of the key; NULL: the key has no race */
    bool locked;                                /* a thread holds the call lock: see online_calls/call_lock.h */
    /* The ticket of the step that is measured now; 0: no step is measured. Threads access it without autotune__lock, so
       it has to be aligned. 32-bit x86 aligns a uint64_t to 4. */
    uint64_t open_step __attribute__((__aligned__(8)));
    size_t passed_steps;                        /* how many other steps of the key began since `open_step` began */
} autotune__key_calls;

struct autotune__statement;
typedef struct autotune__measured_calls_table {
    /* Called for a call that is no hit, in mode ONLINE. Returns false if the key has no race that goes on. */
    bool (*go_on)(autotune__site *site, const autotune_options *options, autotune__start *start);
    /* Called if an entry could answer the call, and .watch asks to measure this call. */
    autotune__start (*watch)(autotune__site *site, const autotune_options *options, autotune__start known);
    /* Statements of mode ONLINE: begin() on a miss, watch_known() to watch a known winner from now on. Each returns
       true if the loop goes on. */
    bool (*begin)(struct autotune__statement *statement);
    bool (*watch_known)(struct autotune__statement *statement);
    /* In the phases LISTING and CALLING_MEASURED: takes the answer of an iteration. Returns true if the function has
       decided the next iteration. */
    bool (*take_answer)(struct autotune__statement *statement, bool done, uint64_t stopped);
    /* Called after a measured call: releases the call lock of its key. If the race has ended, frees the statement. */
    void (*end_call_and_unlock)(struct autotune__statement *statement);
    /* Ends the races of a site, writes them to disk, and publishes no winner. NULL: the races of all sites, in
       autotune_shutdown(). */
    void (*drop_all)(const autotune__site *site);
    void (*begin_step)(struct autotune__statement *statement, autotune_step *step);     /* begins a measured step */
    /* Counts a step that begins and is not measured: */
    void (*count_unmeasured_step)(const autotune__entry *entry);
    /* Ends a measured step. Returns false if the step is not open: it was ended or given up before. */
    bool (*end_step)(void *key, uint64_t ticket, double ns, autotune_status *status);
} autotune__measured_calls_table;
AUTOTUNE__DECLARE_TABLE(autotune__measured_calls_table, autotune__measured_calls)
#ifdef AUTOTUNE_WITHOUT_ONLINE
AUTOTUNE__EMPTY_TABLE(autotune__measured_calls_table, autotune__measured_calls)
#endif

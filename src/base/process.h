/* The state that all threads of the process share: locks, the environment, and the functions around a fork. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "tables.h"

static autotune__mutex autotune__lock = AUTOTUNE__MUTEX;            /* guards the registry and all that is published; no
                                                                       user code runs under it */
static autotune__condition autotune__changed;                       /* signalled when a race ends */
static autotune__mutex autotune__cache_lock = AUTOTUNE__MUTEX;      /* guards the cache; taken before autotune__lock */
static autotune__mutex autotune__log_lock = AUTOTUNE__MUTEX;        /* guards the log; a log function may tune while it
                                                                       is held */
static size_t autotune__compiling;              /* how many threads of the library compile kernels now; atomic: it is
                                                   written under the lock of kernels, and read without this lock */
static __thread bool autotune__has_log;                             /* this thread has the log's lock */
/* The values of the AUTOTUNE_ variables: see base/environment.h. -1, 0 or NEVER: not set. */
static struct autotune__environment {
    int mode, preset, cache_state, cache, unseen, isolate, log, progress;
    double max_seconds, max_run_seconds, margin, cache_mib, cubins_mib;
    bool has_seed;
    bool audits;                                /* AUTOTUNE_MODE=audit */
    uint64_t seed;
} autotune__environment;

/* The functions that are called around a fork: see statement/fork.h. autotune__begin_process() registers them. */
typedef struct autotune__events_table {
    void (*before_fork)(void), (*after_fork)(void), (*begin_forked)(void);
} autotune__events_table;
AUTOTUNE__DECLARE_TABLE(autotune__events_table, autotune__events)

/* A floor's functions for the child of a fork, and for autotune_shutdown(); NULL: none. The child has one thread, and
   copies of all locks. Each floor adds its functions to the list before main(), the lowest floor first. The functions
   of the last floor are called first. */
typedef struct autotune__floor_hooks {
    void (*begin_forked)(void), (*shut_down)(void);
    struct autotune__floor_hooks *entered_before;
} autotune__floor_hooks;
static autotune__floor_hooks *autotune__floors;
#define AUTOTUNE__ENTER_FLOOR(enter, begin_forked, shut_down) \
    static __attribute__((__constructor__(101))) void enter(void) { \
        static autotune__floor_hooks floor = { begin_forked, shut_down, NULL }; \
        floor.entered_before = autotune__floors; \
        autotune__floors = &floor; \
    }

static void autotune__make_locks(void) {        /* in a child made by fork() */
    autotune__make_condition(&autotune__changed);
    autotune__make_mutex(&autotune__log_lock);
    autotune__has_log = false;
}

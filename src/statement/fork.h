/* The behaviour of statements when the process forks. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "phase.h"
#include "elsewhere.h"

/* The child of fork() has one thread, and copies of all memory. Before the fork, the thread that forks takes the locks
   of the library, so that the guarded data are consistent in the child. It takes neither the lock of the log nor the
   lock of a flush, since another thread may hold these locks for long. The child makes new ones. The child gives up the
   races of the other threads, and may tune. Files, their locks and launch notes belong to the parent. */
static void autotune__before_fork(void) {
    autotune__lock_mutex(&autotune__cache_lock);
    autotune__lock_mutex(&autotune__lock);
    autotune__lock_mutex(&autotune__putting);
}
static void autotune__after_fork(void) {
    autotune__unlock_mutex(&autotune__putting);
    autotune__unlock_mutex(&autotune__lock);
    autotune__unlock_mutex(&autotune__cache_lock);
}
static void autotune__begin_forked(void) {
    const autotune__floor_hooks *floor;
    autotune__statement *own;
    autotune__known_key *known_key;
    autotune__make_locks();
    autotune__make_mutex(&autotune__one_flush_at_a_time);
    autotune__release_absent(autotune__current ? &autotune__current->turn : NULL);
    for (own = autotune__current; own; own = own->outer)        /* this process is no child of their races */
        if (own->trial.isolation) autotune__in_children.stay_with_parent(&own->trial);
    for (known_key = autotune__known_keys; known_key; known_key = known_key->next) {
        known_key->awaited = NULL;
        known_key->probation.running = 0;       /* the threads of these calls do not exist here */
    }
    autotune__after_fork();
    for (floor = autotune__floors; floor; floor = floor->entered_before) floor->begin_forked();
}
AUTOTUNE__DEFINE_TABLE(autotune__events_table, autotune__events, autotune__before_fork, autotune__after_fork,
                       autotune__begin_forked)

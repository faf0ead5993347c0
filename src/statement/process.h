/* What happens to statements when their thread ends, and when the process forks. */
#pragma once
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../device/cpu.h"
#include "statement.h"
#include "../registry/thread_turns.h"
#include "../store/store.h"
#include "begin.h"
#include "launch.h"
#include "settle.h"

/* A thread ends in the middle of statements: they end, the innermost first. Their .result may point to the stack of the
   thread, which is gone. */
static void autotune__end_thread(void *value) {
    autotune__statement *statement;
    (void)value;
    while ((statement = autotune__current) != NULL) {
        statement->subject.options.result = NULL;
        autotune__withdraw(&statement->store);
        if (statement->turn.racing) autotune__stop_racing(statement);
        autotune__make_current(statement->outer);
        autotune__free_statement(statement);
    }
}

/* fork(). The child has one thread and copies of all memory. The thread that forks holds the locks, so that what they
   guard is consistent in the child. The lock of the log is not taken, since a log function of the user may hold it for
   long; the child makes it anew. The child gives up the races of the other threads, and may tune itself. Files, their
   locks and the lines of the journal belong to the parent. */
static void autotune__before_fork(void) {
    autotune__hold_store();
    autotune__lock_mutex(&autotune__lock);
    autotune__lock_mutex(&autotune__putting);
}
static void autotune__after_fork(void) {
    autotune__unlock_mutex(&autotune__putting);
    autotune__unlock_mutex(&autotune__lock);
    autotune__release_store();
}
static void autotune__begin_child(void) {
    const autotune__floor *floor;
    autotune__make_locks();
    autotune__make_mutex(&autotune__one_flush_at_a_time);
    autotune__disown(autotune__current ? &autotune__current->store : NULL);
    autotune__release_absent(autotune__current ? &autotune__current->turn : NULL);
    autotune__after_fork();
    for (floor = autotune__floors; floor; floor = floor->entered_before) floor->begin_child();
}
/* 101 is the first priority that programs may use. */
static __attribute__((__constructor__(101))) void autotune__enter_events(void) {
    autotune__events.end_thread = autotune__end_thread;
    autotune__events.before_fork = autotune__before_fork;
    autotune__events.after_fork = autotune__after_fork;
    autotune__events.begin_child = autotune__begin_child;
}

/* What happens to statements when their thread ends, and when the process forks. */
#pragma once
#include <pthread.h>
#include "../base/memory.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../device/cpu.h"
#include "statement.h"
#include "../registry/records.h"
#include "../registry/thread_turns.h"
#include "../registry/results.h"
#include "../store/store.h"
#include "begin.h"
#include "launch.h"

/* The thread ends with the statement whose body it left last: by pthread_exit() or a cancellation that unwinds, which
   the statement could not tell from break, return and exceptions. So the body was not left. */
static void autotune__forgive_leaving(void) {
    autotune__record *record = autotune__left_key;
    if (!record) return;
    autotune__left_key = NULL;
    pthread_mutex_lock(&autotune__lock);
    record->left--;
    if (record->entry && record->entry->result.verdict == AUTOTUNE_DEFAULT) autotune__forget(record->entry);
    pthread_mutex_unlock(&autotune__lock);
}
/* The thread ends in the middle of statements, innermost first. What they were told of on the stack is no more. */
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
    autotune__forgive_leaving();
}

/* Fork. The child has one thread, the one that forked, and copies of everything, locks included: so what they guard is
   whole at that moment, and nobody else holds one in the child. The log's may be held for as long as a function of the
   user's runs, and is made anew there. The other threads' races are given up in the child, which may tune for itself;
   files, their locks and the journal's lines are the parent's. */
static void autotune__before_fork(void) {
    autotune__hold_store();
    pthread_mutex_lock(&autotune__lock);
    pthread_mutex_lock(&autotune__putting);
}
static void autotune__after_fork(void) {
    pthread_mutex_unlock(&autotune__putting);
    pthread_mutex_unlock(&autotune__lock);
    autotune__release_store();
}
static void autotune__begin_child(void) {
    autotune__make_locks();
    autotune__make_mutex(&autotune__one_flush_at_a_time);
    autotune__disown(autotune__current ? &autotune__current->store : NULL);
    autotune__release_absent(autotune__current ? &autotune__current->turn : NULL);
    autotune__after_fork();
}
/* 101: the first that programs may have */
static __attribute__((__constructor__(101))) void autotune__enter_events(void) {
    autotune__events.end_thread = autotune__end_thread;
    autotune__events.before_fork = autotune__before_fork;
    autotune__events.after_fork = autotune__after_fork;
    autotune__events.begin_child = autotune__begin_child;
}

/* Online races that end without a winner: when their tuner is destroyed, in autotune_shutdown(), when the program ends,
   and in a child made by fork(). */
#pragma once
#include <stdlib.h>
#include "../api/backend.h"
#include "../site/hit.h"
#include "../base/process.h"
#include "../system/threads.h"
#include "../registry/records.h"
#include "../registry/results.h"
#include "../store/store.h"
#include "statement.h"
#include "free.h"
#include "ongoing.h"
#include "open_calls.h"
#include "measure.h"

/* With the lock: the record forgets its online race, of which no thread makes a call. */
static void autotune__forget_ongoing(autotune__record *record) {
    if (record->ongoing) autotune__forget_step(record->ongoing);
    record->ongoing = NULL;
    autotune__put_in_use(record, NULL);
    autotune__release_call(record);
}
typedef struct autotune__ongoing_search {
    const autotune__site *site;
    bool claims;
    autotune__ongoing *found;
} autotune__ongoing_search;
static bool autotune__is_other_race(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    autotune__ongoing_search *search = (autotune__ongoing_search *)user;
    (void)tuner;
    if (!record->ongoing || (search->site && record->ongoing->statement->subject.site != search->site) ||
        (search->claims && !autotune__claim_call(record)))
        return true;
    search->found = record->ongoing;
    return false;
}
/* Takes an online race out of the registry, of the calls of this site, or NULL: of any. claims: it stays there, and its
   call is taken, if no other thread has it. NULL: there is none. */
static autotune__ongoing *autotune__take_ongoing(const autotune__site *site, bool claims) {
    autotune__ongoing_search search = { site, claims, NULL };
    autotune__lock_mutex(&autotune__lock);
    (void)autotune__walk(autotune__is_other_race, &search);
    if (search.found && !claims) autotune__forget_ongoing(search.found->statement->subject.record);
    autotune__unlock_mutex(&autotune__lock);
    return search.found;
}
/* Asks for the times of the calls that have ended, without waiting for the others. True: with these the race was over,
   and its winner is kept. After exit() has closed the backend there is nobody to ask. With .verify nothing is asked for
   either: what .user points to lives until a call returns, and no call is made now. */
static bool autotune__collects_last(autotune__ongoing *ongoing) {
    autotune__statement *statement = ongoing->statement;
    bool goes_on;
    if (!statement->subject.backend || !autotune__is_awaited_later(statement)) return false;
    if (statement->subject.options.verify) return false;
    autotune__set_outer(statement, autotune__current);
    autotune__make_current(statement);
    goes_on = autotune__collect_times(ongoing);
    autotune__make_current(statement->outer);
    autotune__set_outer(statement, NULL);
    if (!goes_on) autotune__free_statement(statement);
    return !goes_on;
}
static void autotune__drop_all_ongoing(const autotune__site *site) {
    autotune__ongoing *ongoing;
    while ((ongoing = autotune__take_ongoing(site, false))) {
        if (autotune__collects_last(ongoing)) continue;
        autotune__write_unfinished(ongoing, 0);
        autotune__drop_ongoing(ongoing);
    }
}
static void autotune__close_backend(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    statement->subject.backend = NULL;
    if (backend->close) backend->close(backend);
}
/* The program ends. What another thread is measuring is not waited for; calls after this are not measured. */
static void autotune__keep_all_unfinished(void) {
    autotune__ongoing *ongoing;
    while ((ongoing = autotune__take_ongoing(NULL, true))) {
        autotune__write_unfinished(ongoing, 0);
        autotune__close_race(&ongoing->statement->store, &ongoing->online.race);
        autotune__close_backend(ongoing->statement);        /* its threads end, which may compile */
    }
}
static void autotune__keep_at_exit(void) {
    static bool watched;
    autotune__lock_mutex(&autotune__lock);
    if (!watched) watched = atexit(autotune__keep_all_unfinished) == 0;
    autotune__unlock_mutex(&autotune__lock);
}
/* With the lock, in a child made by fork(): the online races belong to the parent, but for that of the statement which
   forked, or of those around it. Their memory is not freed. */
static bool autotune__leave_to_parent(void *user, const autotune__known_tuner *tuner, autotune__record *record) {
    const autotune__statement *own = (const autotune__statement *)user;
    (void)tuner;
    for (; own; own = own->outer) if (own->ongoing && own->ongoing == record->ongoing) return true;
    autotune__forget_ongoing(record);
    record->owed = 0;
    return true;
}

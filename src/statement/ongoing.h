/* The online race of a key: what it keeps beside the rule, what is in use, and how it ends. */
#pragma once
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/process.h"
#include "../race/race.h"
#include "../race/decide.h"
#include "../online/online.h"
#include "../registry/hit.h"
#include "../registry/entries.h"
#include "../registry/records.h"
#include "../registry/subject.h"
#include "../registry/thread_turns.h"
#include "../registry/results.h"
#include "../registry/race_log.h"
#include "../store/store.h"
#include "statement.h"
#include "settle.h"
#include "free.h"

/* The statement of the first call lives as long as the race, and makes all calls of the key that are measured, one at a
   time: so that such a call copies no options, describes no axes, and needs no memory. Who has set record->measured has
   the race and its statement for itself. */
typedef struct autotune__open_call {            /* whose time is not known yet */
    size_t row;
    double work;
    bool chosen;                                /* as in autotune__online */
} autotune__open_call;
typedef struct autotune__ongoing {
    autotune__online online;
    autotune__statement *statement;
    autotune_config *configs;                   /* of the rows, with strings that outlive the call */
    size_t row;                                 /* that runs now */
    size_t shown;                               /* the row that is published as in use; SIZE_MAX: none */
    double work;                                /* that this call has to do */
    bool said_short;
    bool replaced;                              /* of ranks: a call that was rejected is made with another one */
    /* on a device that nobody waits for: */
    autotune__open_call open[AUTOTUNE_MOST_OPEN];       /* by their numbers for the backend, from the oldest on, */
    size_t oldest, open_count;                          /* which is this one; how many there are */
    bool entered;                               /* the backend knows where the call of now goes */
    bool clocked;                               /* its launches are clocked */
    /* of a step that was begun and not ended: it has the call of the key. autotune__lock guards these: */
    uint64_t ticket;                            /* 0: there is none */
    size_t passed;                              /* how many steps of the key were begun since */
    struct autotune__ongoing *next;             /* in the list autotune__open_steps */
} autotune__ongoing;

static autotune__ongoing *autotune__open_steps;
static void autotune__forget_step(autotune__ongoing *ongoing) {         /* with the lock */
    autotune__ongoing **at = &autotune__open_steps;
    while (*at && *at != ongoing) at = &(*at)->next;
    if (*at) *at = ongoing->next;
    ongoing->ticket = 0;
}

static bool autotune__claim_call(autotune__record *record) {
    return !__atomic_exchange_n(&record->measured, true, __ATOMIC_ACQUIRE);
}
static void autotune__release_call(autotune__record *record) {
    __atomic_store_n(&record->measured, false, __ATOMIC_RELEASE);
}
/* May the call that goes to this place be measured? If so autotune__leave_place() follows in the same thread. */
static autotune_status autotune__enter_place(autotune__ongoing *ongoing, void *place) {
    autotune_backend *backend = ongoing->statement->subject.backend;
    const autotune_status status = backend->enter ? backend->enter(backend, place) : AUTOTUNE_OK;
    ongoing->entered = status == AUTOTUNE_OK;
    return status;
}
static void autotune__leave_place(autotune__ongoing *ongoing) {
    autotune_backend *backend = ongoing->statement->subject.backend;
    if (ongoing->entered && backend->leave) backend->leave(backend);
    ongoing->entered = false;
}
static void autotune__free_ongoing(autotune__ongoing *ongoing) {
    autotune__free_race(&ongoing->online.race);
    AUTOTUNE__FREE_ARRAY(ongoing->configs);
    autotune__free(ongoing);
}

/* ---- What is in use ---- */

static double autotune__lost_seconds(const autotune__ongoing *ongoing) { return ongoing->online.gate.loss_ns / 1e9; }
/* What all measured calls took. */
static double autotune__tuned_seconds(const autotune__ongoing *ongoing) {
    return (ongoing->online.gate.would_have_taken_ns + ongoing->online.gate.loss_ns) / 1e9;
}
/* What .result, which is cleared, says of a call that ran this row. */
static void autotune__tell_ongoing(const autotune__ongoing *ongoing, size_t row, autotune_result *result) {
    const autotune__race *race = &ongoing->online.race;
    const double reference_ns = ongoing->online.reference_ns;
    result->space_size = race->admitted.count;
    result->tried = autotune__count(race->rows);
    result->failed = ongoing->online.failed;
    result->verdict = AUTOTUNE_ONGOING;
    result->index = race->rows[row].index;
    result->median_ns = autotune__time(&race->rows[row]);
    result->min_ns = race->rows[row].measured;
    if (autotune__is_definite(reference_ns)) result->default_ns = reference_ns;
    result->loss_seconds = autotune__lost_seconds(ongoing);
}
static void autotune__log_ongoing(autotune__ongoing *ongoing) {
    const autotune__online *online = &ongoing->online;
    autotune__subject *subject = &ongoing->statement->subject;
    const unsigned long count = (unsigned long)online->race.admitted.count;
    const char *used;
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER) return;        /* before the point is named for nothing */
    used = autotune__name_point(subject, online->race.rows[online->incumbent].index);
    if (ongoing->shown == SIZE_MAX)
        autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "online tuning of %lu configurations begins with %s", count,
                         used);
    else
        autotune__say_of(AUTOTUNE_LOG_WINNER, subject,
                         "online tuning of %lu configurations now uses %s, about %.2f times the first configuration's "
                         "speed, after %lu calls; %lu tried", count, used, 1 / online->ratio,
                         (unsigned long)online->gate.calls, (unsigned long)autotune__count(online->race.rows));
}
/* Publishes the incumbent as what is in use, if it is another than before. Without memory the one before stays, and
   nothing is in use any more if the race was cleared. */
static void autotune__show_incumbent(autotune__ongoing *ongoing) {
    autotune__statement *statement = ongoing->statement;
    autotune__record *record = statement->subject.record;
    const size_t row = ongoing->online.incumbent;
    autotune__entry *entry;
    autotune_result result;
    bool cleared;
    if (row == SIZE_MAX || row == ongoing->shown || row >= autotune__count(ongoing->configs)) return;
    autotune__log_ongoing(ongoing);
    autotune__clear_result(&result);
    autotune__tell_ongoing(ongoing, row, &result);
    result.config = ongoing->configs[row];
    statement->subject.space.value[AUTOTUNE_MAX_AXES] = ongoing->online.race.rows[row].prepared;
    autotune__lock_mutex(&autotune__lock);
    cleared = ongoing->shown != SIZE_MAX && !record->in_use;
    if (!cleared && (entry = autotune__list_entry(autotune__new_entry(&statement->subject, &result)))) {
        entry->shape |= autotune__ongoing_bit;
        entry->result.cache_hit = false;
        autotune__put_in_use(record, entry);
        autotune__publish(statement->subject.site, entry);
        ongoing->shown = row;
        /* Without memory the call site does not find it. Without ranks it is found in another way; a rank would meet
           the others alone, and the race must not look as if it went on. */
        if (statement->council.ranks && !autotune__find_ongoing(statement->subject.site, &statement->subject.options)) {
            autotune__put_in_use(record, NULL);
            ongoing->shown = SIZE_MAX;
        }
    }
    autotune__unlock_mutex(&autotune__lock);
}
/* With the lock: what is in use, as an entry for the options of another call site or another backend. */
static autotune__entry *autotune__in_use_for(const autotune__subject *subject) {
    const autotune_options *o = &subject->options;
    autotune__entry *entry = autotune__find_ongoing(subject->site, o);
    if (entry) return entry;
    if (!(entry = autotune__entry_for(subject->record->in_use, o))) return NULL;
    entry->shape |= autotune__ongoing_bit;
    autotune__publish(subject->site, entry);
    return entry;
}

/* ---- The end ---- */

/* The race is over; who calls this has the call of the key, or nobody can have it. */
static void autotune__leave_ongoing(autotune__statement *statement) {
    autotune__record *record = statement->subject.record;
    autotune__ongoing *ongoing = statement->ongoing;
    autotune__leave_place(ongoing);
    autotune__lock_mutex(&autotune__lock);
    record->ongoing = NULL;
    autotune__put_in_use(record, NULL);
    autotune__release_call(record);
    autotune__unlock_mutex(&autotune__lock);
    statement->ongoing = NULL;
    autotune__free_ongoing(ongoing);
}
/* The winner is found: it is kept, on disk too, and published, so that the next call is a hit. The race takes the turn
   of the key for it, unless another statement races the key in mode ON. */
static void autotune__settle_ongoing(autotune__ongoing *ongoing) {
    autotune__statement *statement = ongoing->statement;
    autotune__race *race = &statement->turn.race;
    const autotune__row *winner;
    autotune__lock_mutex(&autotune__lock);
    if (!statement->subject.record->turn) {
        *race = ongoing->online.race;
        memset(&ongoing->online.race, 0, sizeof ongoing->online.race);
        autotune__claim(&statement->turn);
    }
    autotune__unlock_mutex(&autotune__lock);
    if (!statement->turn.racing) return;
    autotune__summarise_race(statement);
    statement->result.seconds = autotune__tuned_seconds(ongoing);
    statement->result.loss_seconds = autotune__lost_seconds(ongoing);
    statement->result.launches = ongoing->online.gate.calls;
    autotune__log_race(&statement->subject, race, &statement->result, 0);
    autotune__remember(&statement->store, race, &statement->result, ongoing->online.gate.calls);
    winner = &race->rows[race->outcome.winner];
    autotune__settle(statement, winner->index, winner->prepared);
    autotune__leave_ongoing(statement);
}
/* An unfinished race goes on in the next process. It is written after two seconds of measured calls, and then after
   half as many as there were; when its tuner is destroyed; and when the program ends. */
static __attribute__((__cold__)) void autotune__write_unfinished(autotune__ongoing *ongoing, double interval) {
    autotune__store *store = &ongoing->statement->store;
    const double seconds = autotune__tuned_seconds(ongoing);
    if (store->locked && seconds > store->written)
        autotune__checkpoint(store, &ongoing->online.race, &ongoing->online, seconds, ongoing->online.gate.calls,
                             interval);
}
/* The race ends without a winner, and nobody makes one of its calls. NULL: there is none. */
static void autotune__drop_ongoing(autotune__ongoing *ongoing) {
    if (!ongoing) return;
    autotune__free_statement(ongoing->statement);
    autotune__free_ongoing(ongoing);
}

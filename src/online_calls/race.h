/* The online race of a key: its state, the configuration in use, and its end. online/rule.h decides which configuration
   a call runs. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../online/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../statement/floor.h"
#include "call_lock.h"

typedef struct autotune__measured_call {
    size_t row;                                 /* the row that the call runs */
    double work;                                /* .work of the call */
    bool chosen;                                /* the rule chose the row for this call: see autotune__online */
} autotune__measured_call;
/* The state of the backend for the current call. The place of a call is where its launches run, for instance a
   stream. */
typedef enum autotune__call_place {
    AUTOTUNE__AWAY,                             /* the backend has not entered the place, and clocks no launch */
    AUTOTUNE__ENTERED,                          /* the backend has entered the place; its clock does not run */
    AUTOTUNE__CLOCKED                           /* the backend has entered the place; its clock runs */
} autotune__call_place;
/* The statement of the first call lives as long as the race, and makes all measured calls of the key. So a measured
   call copies few options and describes no axes. Only the first call of a configuration needs memory for its row.
   Only the thread that holds the call lock of the key uses the race and its statement. */
struct autotune__call_race {
    autotune__online online;                    /* the state of the race, which the rule changes */
    autotune__statement *statement;             /* the statement of the first call */
    autotune_config *configs;                   /* the configuration of each row; its strings outlive the call */
    autotune__measured_call call;               /* the current call, or the open call whose time is being told to the
                                                   rule */
    size_t published;                           /* the published row: calls that are not measured run this row.
                                                   SIZE_MAX: no row is published */
    size_t logged_row;                          /* the row in the last line of the log */
    const char *logged_why;                     /* the reason in the last line of the log */
    bool written_at_exit;                       /* the program ends: the race is on disk, and the call lock stays
                                                   taken */
    autotune__call_place place;
    /* If the device tells the times of calls later: */
    autotune__measured_call open[AUTOTUNE_MOST_OPEN];   /* a ring of calls; the backend knows a call by its position */
    size_t oldest;                                      /* the position of the oldest open call */
    size_t open_count;                                  /* how many calls are open */
};

/* Makes the backend enter the place of the call. Returns AUTOTUNE_OK if the call can be measured there. After the
   launch the same thread has to call autotune__leave_place(). */
static autotune_status autotune__enter_place(autotune__call_race *call_race, void *place) {
    autotune_backend *backend = call_race->statement->subject.backend;
    const autotune_status status = backend->enter ? backend->enter(backend, place) : AUTOTUNE_OK;
    call_race->place = status == AUTOTUNE_OK ? AUTOTUNE__ENTERED : AUTOTUNE__AWAY;
    return status;
}
static void autotune__leave_place(autotune__call_race *call_race) {
    autotune_backend *backend = call_race->statement->subject.backend;
    if (call_race->place != AUTOTUNE__AWAY && backend->leave) backend->leave(backend);
    call_race->place = AUTOTUNE__AWAY;
}
static void autotune__free_call_race(autotune__call_race *call_race) {
    autotune__free_race(&call_race->online.race);
    AUTOTUNE__FREE_ARRAY(call_race->configs);
    autotune__free(call_race);
}

/* ---- The row in use ---- */

/* Returns the entry of the row in use; NULL: the call site has no such entry. */
static autotune__entry *autotune__find_entry_in_use(const autotune__site *site, const autotune_options *options) {
    return autotune__find_marked(__atomic_load_n(&site->table, __ATOMIC_ACQUIRE), options,
                                 autotune__mark_of_mode(AUTOTUNE_ONLINE));
}

/* Returns the loss that users see: how much longer the measured calls took than calls of the first configuration. */
static double autotune__lost_seconds(const autotune__call_race *call_race) {
    return autotune__shown_loss_ns(&call_race->online.gate) / 1e9;
}
/* Returns how long all measured calls took. */
static double autotune__tuned_seconds(const autotune__call_race *call_race) {
    return (call_race->online.gate.would_have_taken_ns + call_race->online.gate.lost_ns) / 1e9;
}
/* Fills a cleared result with the state of the race, for a call that runs this row. While a winner is watched, the
   result is the result of a hit. */
static void autotune__fill_call_result(const autotune__call_race *call_race, size_t row, autotune_result *result) {
    const bool watched = call_race->online.stage == AUTOTUNE__WATCHING;
    const autotune__race *race = &call_race->online.race;
    if (watched) { autotune__copy_result(call_race->statement->entry, result, sizeof *result); return; }
    result->space_size = race->admitted.count;
    result->refused = autotune__refused_of(race->setup.space, result->space_size);
    result->tried = autotune__count(race->rows);
    result->failed = call_race->online.failed;
    result->verdict = AUTOTUNE_ONGOING;
    result->index = race->rows[row].index;
    result->median_ns = autotune__time(&race->rows[row]);
    result->min_ns = race->rows[row].measured;
    if (autotune__is_definite(call_race->online.reference_ns)) result->default_ns = call_race->online.reference_ns;
    result->loss_seconds = autotune__lost_seconds(call_race);
}
/* Logs the row that comes into use. Rows after the first are logged only if there is a reason, and if the last line did
   not have the same row and reason. The log names the winner at the end of the race. */
static void autotune__log_row_in_use(autotune__call_race *call_race, size_t row) {
    const autotune__online *online = &call_race->online;
    autotune__subject *subject = &call_race->statement->subject;
    const bool first = call_race->published == SIZE_MAX, rests = row != online->incumbent;
    const char *why = rests ? "the configuration used before lost more time than it may" : online->why, *used;
    const bool again = !first && row == call_race->logged_row && why == call_race->logged_why;
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER || (!first && !why) || again) return;
    call_race->logged_row = row;
    call_race->logged_why = why;
    used = autotune__name_point(subject, online->race.rows[row].index);
    if (first && online->watch.change > 0)
        autotune__say_of(AUTOTUNE_LOG_WINNER, subject,
                         "calls take %.2f times as long as before: %s, configurations near it and the first one are "
                         "compared again", online->watch.change, used);
    else if (first)
        autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "online tuning of %lu configurations begins with %s",
                         (unsigned long)online->race.admitted.count, used);
    else
        autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "after %lu calls uses %s: %s",
                         (unsigned long)online->gate.calls, used, why);
}
/* Publishes the row in use unless this row is published already. The row in use is the incumbent, or the first
   configuration while the incumbent rests. If there is no memory, the earlier entry stays. If another thread has
   cleared the key, no row is published. */
static void autotune__publish_row_in_use(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    autotune__known_key *known_key = statement->subject.known_key;
    const size_t row = autotune__row_in_use(&call_race->online);
    autotune__entry *entry;
    autotune_result result;
    bool cleared;
    if (row == SIZE_MAX || row == call_race->published || row >= autotune__count(call_race->configs)) return;
    autotune__log_row_in_use(call_race, row);
    autotune__clear_result(&result);
    autotune__fill_call_result(call_race, row, &result);
    result.config = call_race->configs[row];
    statement->subject.space->value[AUTOTUNE_MAX_AXES] = call_race->online.race.rows[row].prepared;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    cleared = call_race->published != SIZE_MAX && !known_key->in_use;
    if (!cleared && (entry = autotune__entry_for(&statement->subject, &result))) {
        result = autotune__result_of_hits(&result);
        result.cache_hit = false;
        autotune__put_in_use(known_key, entry);
        autotune__revive(entry, statement->subject.site, &statement->subject.options,
                         autotune__mark_of_mode(AUTOTUNE_ONLINE), &result);
        call_race->published = row;
    }
}
/* ---- The end ---- */

/* Removes the race from its key, closes an open step, and releases the call lock. The caller holds autotune__lock. The
   caller also holds the call lock, or no other thread uses the race. */
static void autotune__unregister_race(autotune__known_key *known_key) {
    __atomic_store_n(&known_key->calls.open_step, 0, __ATOMIC_RELEASE);
    known_key->calls.race = NULL;
    autotune__put_in_use(known_key, NULL);
    autotune__release_call_lock(known_key);
}
/* Ends and frees the race. The statement goes on without a race. The caller holds the call lock of the key, which the
   function releases. */
static void autotune__end_call_race(autotune__statement *statement) {
    autotune__call_race *call_race = statement->call_race;
    autotune__leave_place(call_race);
    autotune__lock_mutex(&autotune__lock);
    autotune__unregister_race(statement->subject.known_key);
    autotune__unlock_mutex(&autotune__lock);
    autotune__end_turn(&statement->turn);
    statement->call_race = NULL;
    statement->turn.race = NULL;
    autotune__free_call_race(call_race);
}
/* Begins to watch the calls of the winner. winner: its row, whose entry is published. Returns false if .watch is not
   set, if the winner was not published, or if another thread has cleared the key. Then the caller ends the race. */
static bool autotune__begin_watching(autotune__call_race *call_race, size_t winner) {
    autotune__statement *statement = call_race->statement;
    if (!statement->subject.options.watch || !statement->entry) return false;
    statement->turn.race = &call_race->online.race;
    autotune__start_watching(&call_race->online, winner);
    call_race->published = winner;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!statement->entry->shape) return false; /* another thread has cleared the key */
    autotune__put_in_use(statement->subject.known_key, statement->entry);
    return true;
}
/* Ends the race before its first call. The statement launches the first configuration. */
static bool autotune__give_up_online(autotune__statement *statement, autotune_status status, const char *why) {
    autotune__end_call_race(statement);
    return autotune__stay_untuned(statement, status, why);
}
/* Returns a remark on the race for the log; NULL: no remark. A remark does not make the verdict UNRELIABLE. */
static const char *autotune__remark_on_end(const autotune__call_race *call_race) {
    if (call_race->online.race.lack == AUTOTUNE__LACKS_TIME)
        return "some configurations were not tried, or too seldom, since .max_loss and .max_seconds admit no more";
    return call_race->online.race.outcome.note || call_race->statement->subject.options.work > 0 ||
                   !autotune__calls_differ(&call_race->online)
               ? call_race->online.race.outcome.note
               : "calls of one configuration differ: if some have more to do, say in .work how much";
}
/* Ends a race that has a winner: writes the winner to disk and publishes the winner, so that later calls are hits.
   With .watch the race stays, and watches the winner. The statement first takes the turn of the key. If another
   statement has the turn, the race does not end yet, and the next measured call tries again. */
static void autotune__settle_call_race(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    autotune__race *race = &call_race->online.race;
    autotune__row *winner;
    autotune__lock_mutex(&autotune__lock);
    if (!statement->subject.known_key->turn) autotune__claim(&statement->turn);
    autotune__unlock_mutex(&autotune__lock);
    if (!autotune__has_turn(&statement->turn)) return;
    winner = &race->rows[race->outcome.winner];
    if (!autotune__is_definite(winner->median)) winner->median = winner->measured;      /* no duel timed the winner */
    race->outcome.note = autotune__remark_on_end(call_race);
    autotune__summarise_race(statement);
    if (!autotune__is_definite(statement->result.default_ns) && race->outcome.winner == call_race->online.incumbent)
        statement->result.default_ns = autotune__audited_ratio(&call_race->online) * statement->result.median_ns;
    statement->result.seconds = autotune__tuned_seconds(call_race);
    statement->result.loss_seconds = autotune__lost_seconds(call_race);
    statement->result.launches = call_race->online.gate.calls;
    autotune__log_race(&statement->subject, race, &statement->result);
    autotune__remember(&statement->store, race, &statement->result, call_race->online.gate.calls);
    autotune__settle(statement, winner->index, winner->prepared, call_race->configs);
    if (!autotune__begin_watching(call_race, race->outcome.winner)) autotune__end_call_race(statement);
}
/* Writes an unfinished race to disk, so that the next process continues the race. interval: see
   autotune__checkpoint(). */
static __attribute__((__cold__)) void autotune__write_unfinished(autotune__call_race *call_race, double interval) {
    const autotune__online *online = &call_race->online;
    const bool hands_over = online->incumbent != SIZE_MAX && online->stage != AUTOTUNE__DECIDED &&
                            autotune__is_definite(online->reference_ns);
    const autotune__handover handover = {
        hands_over ? online->race.rows[online->incumbent].index : 0,
        online->pulse.count ? autotune__pulse_ns(&online->pulse) * online->reference_work : AUTOTUNE__NEVER,
        online->incumbent ? autotune__audited_ratio(online) : 1, online->reference_ns, online->reference_work
    };
    autotune__checkpoint(&call_race->statement->store, &online->race, autotune__tuned_seconds(call_race),
                         online->gate.calls, interval, hands_over ? &handover : NULL);
}
/* Frees a race and its statement. The caller makes sure that no thread makes a call of the race any more. call_race
   may be NULL. */
static void autotune__free_unfinished(autotune__call_race *call_race) {
    if (!call_race) return;
    autotune__free_statement(call_race->statement);
    autotune__free_call_race(call_race);
}

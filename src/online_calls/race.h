/* The online race of a key: its state, the configuration in use, and its end. The rule has a state of its own. */
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

/* The statement of the first call lives as long as the race. It makes all measured calls of the key, one at a time. So
   a measured call copies no options, describes no axes, and needs no memory. The thread that holds the call
   lock of the key, known_key->calls.measured, has the race and its statement for itself. */
typedef struct autotune__open_call {            /* a call whose time is not known yet */
    size_t row;
    double work;
    bool chosen;                                /* the rule chose the row for this call: see autotune__online */
} autotune__open_call;
/* AWAY: the backend has not entered the place of the call, such as a stream. CLOCKED: it also clocks the launches. */
typedef enum autotune__call_place { AUTOTUNE__AWAY, AUTOTUNE__ENTERED, AUTOTUNE__CLOCKED } autotune__call_place;
struct autotune__call_race {
    autotune__online online;
    autotune__statement *statement;
    autotune_config *configs;                   /* of the rows, with strings that outlive the call */
    size_t row;                                 /* the row of this call */
    size_t shown;                               /* the row that is published as in use; SIZE_MAX: none */
    size_t said;                                /* the row that the log named last */
    const char *said_why;
    double work;                                /* the work of this call */
    bool kept;                                  /* set when the program ends: the race is on disk, measures no call */
    /* If times come later, from the device: */
    autotune__open_call open[AUTOTUNE_MOST_OPEN];       /* a ring; the backend knows a call by its position */
    size_t oldest, open_count;                          /* where the ring begins; how many calls it has */
    autotune__call_place place;
};

/* Closes the step with this ticket. Returns false if the step was not open. Several threads may do this at once: only
   one gets true. From then on this thread holds the call lock of the key. */
static bool autotune__close_step(autotune__known_key *known_key, uint64_t ticket) {
    return __atomic_compare_exchange_n(&known_key->calls.open_step, &ticket, 0, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

static bool autotune__claim_call(autotune__known_key *known_key) {
    return !__atomic_exchange_n(&known_key->calls.measured, true, __ATOMIC_ACQUIRE);
}
static void autotune__release_call(autotune__known_key *known_key) {
    __atomic_store_n(&known_key->calls.measured, false, __ATOMIC_RELEASE);
}
/* Enters the place of the call, for instance a stream. Returns AUTOTUNE_OK if a call there can be measured. Then
   autotune__leave_place() follows in the same thread. */
static autotune_status autotune__enter_place(autotune__call_race *ongoing, void *place) {
    autotune_backend *backend = ongoing->statement->subject.backend;
    const autotune_status status = backend->enter ? backend->enter(backend, place) : AUTOTUNE_OK;
    ongoing->place = status == AUTOTUNE_OK ? AUTOTUNE__ENTERED : AUTOTUNE__AWAY;
    return status;
}
static void autotune__leave_place(autotune__call_race *ongoing) {
    autotune_backend *backend = ongoing->statement->subject.backend;
    if (ongoing->place != AUTOTUNE__AWAY && backend->leave) backend->leave(backend);
    ongoing->place = AUTOTUNE__AWAY;
}
static void autotune__free_ongoing(autotune__call_race *ongoing) {
    autotune__free_race(&ongoing->online.race);
    AUTOTUNE__FREE_ARRAY(ongoing->configs);
    autotune__free(ongoing);
}

/* ---- What is in use ---- */

static autotune__entry *autotune__find_ongoing(const autotune__site *site, const autotune_options *said) {
    return autotune__find_marked(__atomic_load_n(&site->table, __ATOMIC_ACQUIRE), said,
                                 autotune__mark_of_mode(AUTOTUNE_ONLINE));
}

static double autotune__lost_seconds(const autotune__call_race *ongoing) {
    return autotune__told_loss_ns(&ongoing->online.gate) / 1e9;
}
/* Returns the time of all measured calls. */
static double autotune__tuned_seconds(const autotune__call_race *ongoing) {
    return (ongoing->online.gate.would_have_taken_ns + ongoing->online.gate.lost_ns) / 1e9;
}
/* Fills .result, which is cleared, for a call of this row. A watched call gets the result of a hit. */
static void autotune__tell_ongoing(const autotune__call_race *ongoing, size_t row, autotune_result *result) {
    const bool watched = ongoing->online.stage == AUTOTUNE__WATCHING;
    const autotune__race *race = &ongoing->online.race;
    const double reference_ns = ongoing->online.reference_ns;
    if (watched) { autotune__copy_result(ongoing->statement->entry, result, sizeof *result); return; }
    result->space_size = race->admitted.count;
    result->refused = autotune__refused_of(race->setup.space, result->space_size);
    result->tried = autotune__count(race->rows);
    result->failed = ongoing->online.failed;
    result->verdict = AUTOTUNE_ONGOING;
    result->index = race->rows[row].index;
    result->median_ns = autotune__time(&race->rows[row]);
    result->min_ns = race->rows[row].measured;
    if (autotune__is_definite(reference_ns)) result->default_ns = reference_ns;
    result->loss_seconds = autotune__lost_seconds(ongoing);
}
/* Logs the row that comes into use. A row near the best is not logged, since the log names the winner at the end. */
static void autotune__log_ongoing(autotune__call_race *ongoing, size_t row) {
    const autotune__online *online = &ongoing->online;
    autotune__subject *subject = &ongoing->statement->subject;
    const bool first = ongoing->shown == SIZE_MAX, rests = row != online->incumbent;
    const char *why = rests ? "the configuration used before lost more time than it may" : online->why, *used;
    const bool again = !first && row == ongoing->said && why == ongoing->said_why;
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER || (!first && !why) || again) return;
    ongoing->said = row;
    ongoing->said_why = why;
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
/* Publishes the row in use if it has changed: the incumbent, or the first configuration while the incumbent rests.
   Without memory the earlier entry stays. If the race was cleared, nothing is in use any more. */
static void autotune__show_incumbent(autotune__call_race *ongoing) {
    autotune__statement *statement = ongoing->statement;
    autotune__known_key *known_key = statement->subject.known_key;
    const size_t row = autotune__row_in_use(&ongoing->online);
    autotune__entry *entry;
    autotune_result result;
    bool cleared;
    if (row == SIZE_MAX || row == ongoing->shown || row >= autotune__count(ongoing->configs)) return;
    autotune__log_ongoing(ongoing, row);
    autotune__clear_result(&result);
    autotune__tell_ongoing(ongoing, row, &result);
    result.config = ongoing->configs[row];
    statement->subject.space->value[AUTOTUNE_MAX_AXES] = ongoing->online.race.rows[row].prepared;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    cleared = ongoing->shown != SIZE_MAX && !known_key->in_use;
    if (!cleared && (entry = autotune__entry_for(&statement->subject, &result))) {
        result = autotune__result_of_hits(&result);
        result.cache_hit = false;
        autotune__put_in_use(known_key, entry);
        autotune__revive(entry, statement->subject.site, &statement->subject.options,
                         autotune__mark_of_mode(AUTOTUNE_ONLINE), &result);
        ongoing->shown = row;
    }
}
/* ---- The end ---- */

/* With the lock: the key forgets its online race. The caller holds the call lock of the key, or no other thread can
   take this lock. */
static void autotune__forget_ongoing(autotune__known_key *known_key) {
    __atomic_store_n(&known_key->calls.open_step, 0, __ATOMIC_RELEASE);
    known_key->calls.race = NULL;
    autotune__put_in_use(known_key, NULL);
    autotune__release_call(known_key);
}
/* Ends the race. The caller holds the call lock of the key. */
static void autotune__leave_ongoing(autotune__statement *statement) {
    autotune__call_race *ongoing = statement->call_race;
    autotune__leave_place(ongoing);
    autotune__lock_mutex(&autotune__lock);
    autotune__forget_ongoing(statement->subject.known_key);
    autotune__release(&statement->turn);
    autotune__unlock_mutex(&autotune__lock);
    statement->call_race = NULL;
    statement->turn.race = NULL;
    autotune__free_ongoing(ongoing);
}
/* Begins to watch calls of the published winner, a row. Returns true if the race goes on for this. */
static bool autotune__begin_watching(autotune__call_race *ongoing, size_t winner) {
    autotune__statement *statement = ongoing->statement;
    if (!statement->subject.options.watch || !statement->entry) return false;
    statement->turn.race = &ongoing->online.race;
    autotune__start_watching(&ongoing->online, winner);
    ongoing->shown = winner;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    if (!statement->entry->shape) return false; /* another thread has forgotten it */
    autotune__put_in_use(statement->subject.known_key, statement->entry);
    return true;
}
/* Ends the race before its first call. The call is made with the first configuration. */
static bool autotune__give_up_online(autotune__statement *statement, autotune_status status, const char *why) {
    autotune__leave_ongoing(statement);
    return autotune__stay_untuned(statement, status, why);
}
/* Returns a remark on the end of the race; NULL: none. The remark does not make the verdict UNRELIABLE. */
static const char *autotune__noticed_online(const autotune__call_race *ongoing) {
    if (ongoing->online.race.left_out == AUTOTUNE__LACKS_TIME)
        return "some configurations were not tried, or too seldom, since .max_loss and .max_seconds admit no more";
    return ongoing->online.race.outcome.note || ongoing->statement->subject.options.work > 0 ||
                   !autotune__calls_differ(&ongoing->online)
               ? ongoing->online.race.outcome.note
               : "calls of one configuration differ: if some have more to do, say in .work how much";
}
/* The winner is found. It is written to disk and published, so the next call is a hit. For this the race takes the turn
   of the key, unless another statement races the key in mode ON. */
static void autotune__settle_ongoing(autotune__call_race *ongoing) {
    autotune__statement *statement = ongoing->statement;
    autotune__race *race = &ongoing->online.race;
    autotune__row *winner;
    autotune__lock_mutex(&autotune__lock);
    if (!statement->subject.known_key->turn) autotune__claim(&statement->turn);
    autotune__unlock_mutex(&autotune__lock);
    if (!autotune__has_turn(&statement->turn)) return;
    winner = &race->rows[race->outcome.winner];
    if (!autotune__is_definite(winner->median)) winner->median = winner->measured;      /* no duel timed it */
    race->outcome.note = autotune__noticed_online(ongoing);
    autotune__summarise_race(statement);
    if (!autotune__is_definite(statement->result.default_ns) && race->outcome.winner == ongoing->online.incumbent)
        statement->result.default_ns = autotune__audited_ratio(&ongoing->online) * statement->result.median_ns;
    statement->result.seconds = autotune__tuned_seconds(ongoing);
    statement->result.loss_seconds = autotune__lost_seconds(ongoing);
    statement->result.launches = ongoing->online.gate.calls;
    autotune__log_race(&statement->subject, race, &statement->result);
    autotune__remember(&statement->store, race, &statement->result, ongoing->online.gate.calls);
    autotune__settle(statement, winner->index, winner->prepared, ongoing->configs);
    if (!autotune__begin_watching(ongoing, race->outcome.winner)) autotune__leave_ongoing(statement);
}
/* Writes an unfinished race for the next process: at intervals, when its tuner is destroyed, and at the program's
   end. */
static __attribute__((__cold__)) void autotune__write_unfinished(autotune__call_race *ongoing, double interval) {
    const autotune__online *online = &ongoing->online;
    const bool hands_over = online->incumbent != SIZE_MAX && online->stage != AUTOTUNE__DECIDED &&
                            autotune__is_definite(online->reference_ns);
    const autotune__handover handover = {
        hands_over ? online->race.rows[online->incumbent].index : 0,
        online->pulse.count ? autotune__pulse_ns(&online->pulse) * online->reference_work : AUTOTUNE__NEVER,
        online->incumbent ? autotune__audited_ratio(online) : 1, online->reference_ns, online->reference_work
    };
    autotune__checkpoint(&ongoing->statement->store, &online->race, autotune__tuned_seconds(ongoing),
                         online->gate.calls, interval, hands_over ? &handover : NULL);
}
/* Ends a race without a winner, while no thread makes one of its calls. NULL: no race. */
static void autotune__drop_ongoing(autotune__call_race *ongoing) {
    if (!ongoing) return;
    autotune__free_statement(ongoing->statement);
    autotune__free_ongoing(ongoing);
}

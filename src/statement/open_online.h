/* The first call of a key in mode ONLINE: the configurations are listed, and the race begins with this call. */
#pragma once
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/log.h"
#include "../base/numbers.h"
#include "../race/request.h"
#include "../race/race.h"
#include "../online/online.h"
#include "../online/rule.h"
#include "../online/handover.h"
#include "../registry/records.h"
#include "../registry/results.h"
#include "../store/store.h"
#include "../store/session.h"
#include "../ranks/council.h"
#include "statement.h"
#include "options.h"
#include "describe.h"
#include "end_ongoing.h"
#include "race_start.h"
#include "agree.h"
#include "online_ranks.h"
#include "isolation.h"
#include "launch.h"
#include "settle.h"
#include "ongoing.h"
#include "open_calls.h"
#include "measure.h"

/* False: the ranks do not begin it. */
static bool autotune__begin_list(autotune__statement *statement, autotune__ongoing *ongoing) {
    const autotune__limits limits = autotune__limits_of(statement, 0);
    autotune__race_setup setup;
    autotune__enter_race(&statement->store);
    if (!autotune__begin_online_together(statement, &limits)) return false;
    autotune__describe_race(statement, &setup);
    ongoing->statement = statement;
    ongoing->shown = SIZE_MAX;
    autotune__prepare_online(&ongoing->online, &setup, &statement->agreed.limits, statement->agreed.max_loss,
                             statement->agreed.allowance_seconds);
    ongoing->online.backend = statement->subject.backend;
    autotune__keep_at_exit();
    statement->ongoing = ongoing;
    statement->judged = 0;
    statement->phase = AUTOTUNE__LISTING;
    return true;
}
/* What an unfinished race of an earlier run found out is taken over. The times of a race that ended are of another
   build: only its winner counts, which is tried first. */
static void autotune__restore_unfinished(autotune__ongoing *ongoing) {
    const autotune__former *former = &ongoing->statement->store.former;
    const size_t first = autotune__first_admitted(&ongoing->online.race), count = autotune__count(former->rows);
    double first_ns = AUTOTUNE__NEVER;
    autotune__handover handed;
    bool found;
    size_t i;
    if (former->winner != SIZE_MAX) return;
    for (i = 0; i < count; i++) if (former->rows[i].index == first) first_ns = former->rows[i].ns;
    if (!autotune__is_definite(first_ns) || !(first_ns > 0)) return;
    found = autotune__recall_handover(&ongoing->statement->store, &handed);
    autotune__refer_to(&ongoing->online, first_ns, 1);
    for (i = 0; i < count; i++) {
        const double ns = former->rows[i].ns;
        const bool failed = !autotune__is_definite(ns);
        if (former->rows[i].index == first || (found && !failed)) continue;
        autotune__online_restore(&ongoing->online, former->rows[i].index, failed ? AUTOTUNE__NEVER : ns / first_ns);
    }
    if (found) autotune__take_handover(&ongoing->online, &handed);
    autotune__free_handover(&handed);
}
/* All points are judged: the race begins with this call. False: the statement ended. */
static bool autotune__begin_ongoing(autotune__statement *statement) {
    autotune__ongoing *ongoing = statement->ongoing;
    autotune__race *race = &ongoing->online.race;
    autotune__record *record = statement->subject.record;
    const bool no_memory = race->no_memory;
    if (ongoing->online.stage == AUTOTUNE__DECIDED && race->outcome.winner == SIZE_MAX) {
        autotune__leave_ongoing(statement);
        if (no_memory) {
            autotune__report(statement, AUTOTUNE_ERR_MEMORY, "out of memory; %s", autotune__instead(statement));
            autotune__seek_first(statement);
            return true;
        }
        return autotune__end_without_any(statement, true);
    }
    if (ongoing->online.stage == AUTOTUNE__DECIDED) {           /* the only configuration */
        const size_t index = race->rows[race->outcome.winner].index;
        autotune__summarise(race, &statement->result);
        autotune__leave_ongoing(statement);
        autotune__settle(statement, index, 0);
        return autotune__launch_for_real(statement, index);
    }
    autotune__restore_unfinished(ongoing);
    autotune__lock_mutex(&autotune__lock);
    record->listing = false;
    record->ongoing = ongoing;
    record->measured = true;
    autotune__unlock_mutex(&autotune__lock);
    if (autotune__is_awaited_later(statement))
        (void)autotune__enter_place(ongoing, statement->subject.options.autotune__place);
    (void)autotune__begin_measured(ongoing, &statement->subject.options);
    if (!autotune__may_make_first_call(ongoing)) return statement->phase != AUTOTUNE__ENDED;
    autotune__show_incumbent(ongoing);
    return true;
}
/* Judges points until the loop has to, or the race begins. True: the loop has a point to judge, or the call to make. */
static bool autotune__list_configurations(autotune__statement *statement, const autotune__answer *answer) {
    for (;;) {
        if (answer && autotune__is_in_step(&statement->council))
            autotune__walk_past(&statement->council, statement->trial.request.index, answer->admitted, answer->group,
                                answer->intra, answer->cost);
        if (!autotune__online_evaluate(&statement->ongoing->online, answer, &statement->trial.request))
            return autotune__begin_ongoing(statement) && statement->phase != AUTOTUNE__SEEKING;
        if (autotune__judge(statement, statement->trial.request.index)) return true;
        answer = &statement->trial.answer;
    }
}
static const char *autotune__online_problem(const autotune__statement *statement) {
    const autotune_backend *b = statement->subject.options.backend;
    if (b && (b->prepare || ((b->start || b->open) && !(b->clock_call && b->ask))))
        return "mode ONLINE needs a backend whose clock is now() alone, or one with clock_call() and ask(), and "
               "without prepare()";
    if (b && b->ask && statement->council.ranks)
        return "mode ONLINE with .ranks needs a backend whose clock is now() alone, so that all know at once what a "
               "call took";
    return statement->subject.space.points > AUTOTUNE_MAX_POINTS
               ? "mode ONLINE lists the space in the first call, and this one has more than AUTOTUNE_MAX_POINTS (2^24) "
                 "points: give fewer values, or tune in mode ON, which draws points" : NULL;
}
/* Where the launches go may be no place where they can be measured without waiting. */
static autotune_status autotune__try_place(autotune__statement *statement) {
    autotune_backend *backend = statement->subject.backend;
    autotune_status status = AUTOTUNE_OK;
    if (backend->enter) status = backend->enter(backend, statement->subject.options.autotune__place);
    if (backend->enter && status == AUTOTUNE_OK && backend->leave) backend->leave(backend);
    return status;
}
/* A race goes on, and nothing is in use, since there was no memory for that: later calls would not find the race. */
static void autotune__show_at_last(autotune__record *record) {
    autotune__ongoing *ongoing;
    if (!autotune__claim_call(record)) return;
    ongoing = record->ongoing;
    if (ongoing && !record->in_use && ongoing->online.incumbent != SIZE_MAX &&
        autotune__configure_row(ongoing, ongoing->online.incumbent))
        autotune__show_incumbent(ongoing);
    autotune__release_call(record);
}
/* A miss in mode ONLINE. True: the loop goes on. */
static bool autotune__open_online(autotune__statement *statement) {
    autotune__record *record = statement->subject.record;
    const char *problem = autotune__online_problem(statement);
    autotune__ongoing *ongoing;
    autotune__ongoing *cleared = NULL;
    autotune_status status;
    bool another, unseen, anew;
    if (problem) {
        autotune__report(statement, AUTOTUNE_ERR_ARGUMENT, "%s; %s", problem, autotune__instead(statement));
        autotune__seek_first(statement);
        return true;
    }
    autotune__lock_mutex(&autotune__lock);
    anew = record->anew;
    /* Ranks that meet have no race that goes on: one of them may be left from a call that one rank could not make. */
    if ((record->anew || (statement->council.sits && record->ongoing && !record->in_use)) &&
        autotune__claim_call(record)) {
        cleared = record->ongoing;
        record->ongoing = NULL;
        record->anew = false;
        autotune__release_call(record);
    }
    statement->entry = record->in_use ? autotune__in_use_for(&statement->subject) : NULL;
    another = record->listing || record->ongoing;
    unseen = record->ongoing && !record->in_use;
    if (!another) record->listing = true;
    autotune__unlock_mutex(&autotune__lock);
    autotune__drop_ongoing(cleared);
    if (statement->entry) return autotune__launch_known(statement);
    if (another) {
        if (unseen) autotune__show_at_last(record);
        autotune__seek_first(statement);
        return true;
    }
    /* No other thread calls the backend: there is no race yet, and this thread alone begins one. */
    if ((status = autotune__try_place(statement)) != AUTOTUNE_OK) {
        autotune__lock_mutex(&autotune__lock);
        record->listing = false;
        record->anew |= anew;
        autotune__unlock_mutex(&autotune__lock);
        autotune__report(statement, status, "%s; %s", autotune__reason(&statement->trial, status),
                         autotune__instead(statement));
        autotune__seek_first(statement);
        return true;
    }
    if (!(ongoing = (autotune__ongoing *)autotune__allocate(sizeof *ongoing))) {
        autotune__lock_mutex(&autotune__lock);
        record->listing = false;
        autotune__unlock_mutex(&autotune__lock);
        autotune__report(statement, AUTOTUNE_ERR_MEMORY, "out of memory; %s", autotune__instead(statement));
        autotune__seek_first(statement);
        return true;
    }
    if (autotune__try_key(&statement->store, 0, &statement->trial.why) == AUTOTUNE__ANSWERED) {
        autotune__lock_mutex(&autotune__lock);
        record->listing = false;
        autotune__unlock_mutex(&autotune__lock);
        autotune__free(ongoing);
        autotune__recall_news(statement);
        return true;
    }
    autotune__plan_isolation(statement);
    if (!autotune__begin_list(statement, ongoing)) {
        autotune__lock_mutex(&autotune__lock);
        record->listing = false;
        autotune__unlock_mutex(&autotune__lock);
        autotune__free(ongoing);
        return true;
    }
    return autotune__list_configurations(statement, NULL);
}

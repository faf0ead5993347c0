/* Online races of several ranks: the rule of each rank is told the same of each call, so that all ranks run the same
   configuration in the next one. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../base/process.h"
#include "../online/rule.h"
#include "../registry/records.h"
#include "../store/store.h"
#include "../ranks/ballot.h"
#include "../ranks/sitting.h"
#include "../ranks/council.h"
#include "statement.h"
#include "launch.h"
#include "agree_on_launch.h"
#include "options.h"
#include "race_start.h"
#include "agree_on_race.h"
#include "ongoing.h"
#include "settle.h"

/* An online race begins, of ranks with what rank 0 knows. False: they do not begin it. */
static bool autotune__begin_online_together(autotune__statement *statement) {
    const autotune_options *o = &statement->subject.options;
    const double seconds = autotune__environment.max_seconds > 0 ? autotune__environment.max_seconds : o->max_seconds;
    autotune__beginning *agreed = &statement->agreed;
    agreed->limits = autotune__limits_of(statement, 0);
    autotune__gather_beginning(statement, agreed);
    agreed->max_loss = o->max_loss > 0 ? o->max_loss : 0.05;
    agreed->allowance_seconds = seconds > 0 ? seconds : 0.1;
    return !statement->council.sits || autotune__begin_together(statement, agreed);
}
/* The first call comes next, if all ranks have listed the same configurations, and have the memory for it. Ranks may
   communicate in that call, so that none makes it alone. False: the race is over. */
static bool autotune__may_make_first_call(autotune__ongoing *ongoing) {
    autotune__statement *statement = ongoing->statement;
    const size_t point = statement->trial.request.index;
    autotune__ballot ballot = { { 0 } };
    bool alike;
    if (!statement->council.sits) return true;
    ballot.at[AUTOTUNE__NO_MEMORY] = !autotune__count(ongoing->configs);
    alike = autotune__vote(&statement->council, &ballot);
    if (alike && !(statement->council.said.at[AUTOTUNE__NO_MEMORY] > 0)) return true;
    autotune__acquit(&statement->store, point);
    autotune__leave_ongoing(statement);
    if (alike) (void)autotune__stay_untuned(statement, AUTOTUNE_ERR_MEMORY, "a rank is out of memory");
    else autotune__follow(statement);
    return false;
}
/* They cannot go on together: this rank makes its calls without measuring them, until all begin anew. */
static bool autotune__part_online(autotune__ongoing *ongoing, autotune_status status, const char *why) {
    autotune__report(ongoing->statement, status,
                     "the ranks no longer measure the same calls (%s): what was found is dropped, and the next call "
                     "begins anew", why);
    autotune__online_finish(&ongoing->online, SIZE_MAX, AUTOTUNE_DEFAULT);
    return false;
}
static bool autotune__part_by_cause(autotune__ongoing *ongoing, autotune__cause cause) {
    return autotune__part_online(
        ongoing, cause == AUTOTUNE__DISORDERED ? AUTOTUNE_ERR_ARGUMENT : AUTOTUNE_ERR_ENVIRONMENT,
        cause == AUTOTUNE__DISORDERED    ? "threads call in another order than on another rank, or .work differs"
        : cause == AUTOTUNE__UNREACHABLE ? "they cannot reach each other"
                                         : ".work, the key or the number of calls differ, or a rank left");
}
/* The call of this row was made on all ranks: its time is that of the slowest, and what failed on one has failed. It
   is one exchange, and the sitting goes on until it is known whether the race is over. False: it is. */
static bool autotune__agree_on_call(autotune__ongoing *ongoing, double *ns, autotune_status *status) {
    autotune__statement *statement = ongoing->statement;
    autotune__council *council = &statement->council;
    autotune__ballot ballot = { { 0 } };
    if (!council->ranks) return true;
    if (!council->sits && !autotune__convene(council)) {
        autotune__leave_sitting(council, true);
        return autotune__part_online(ongoing, AUTOTUNE_ERR_ARGUMENT,
                                     "this rank is in another statement that agrees with them");
    }
    autotune__walk_on(council, ongoing->row);
    autotune__walk_on(council, autotune__word_double(ongoing->work));
    ballot.at[AUTOTUNE__MEASURES] = 1;
    ballot.at[AUTOTUNE__NS] = *ns;
    ballot.at[AUTOTUNE__TROUBLE] = autotune__trouble_of(
        autotune__severity_of(statement->subject.backend, *status), *status, council->ranks->rank);
    if (!autotune__vote(council, &ballot))
        return autotune__part_by_cause(ongoing, council->cause);
    *ns = council->said.at[AUTOTUNE__NS];
    if (council->trouble.severity) *status = council->trouble.status;
    return true;
}
/* The winner was published, or could not be: what one rank cannot keep none keeps. */
static void autotune__agree_on_end(autotune__statement *statement) {
    autotune__council *council = &statement->council;
    autotune__ballot ballot = { { 0 } };
    if (!council->ranks) return;
    ballot.at[AUTOTUNE__MEASURES] = 1;
    ballot.at[AUTOTUNE__UNPUBLISHED] = !statement->entry;
    council->kept = council->sits && autotune__vote(council, &ballot) &&
                    !(council->said.at[AUTOTUNE__UNPUBLISHED] > 0);
    if (council->kept) return;
    autotune__unpublish(statement);
    if (statement->ongoing) autotune__leave_ongoing(statement);
    autotune__report(statement, AUTOTUNE_ERR_ENVIRONMENT,
                     "a rank cannot keep the winner: it has no memory, or tunes the key in mode ON just now; what was "
                     "found is dropped, and the next call begins anew");
}
/* Calls of another thread came meanwhile, and abstained on this rank: no rank goes on with the race. */
static void autotune__drop_crowded(autotune__statement *statement) {
    (void)autotune__part_online(statement->ongoing, AUTOTUNE_ERR_ARGUMENT,
                                "another thread came with a call of this key");
    autotune__leave_ongoing(statement);
}
/* The call of an online race has told how it ended, and whether that ended the race. */
static void autotune__end_sitting(autotune__statement *statement) {
    if (autotune__adjourn(&statement->council) && statement->ongoing) autotune__drop_crowded(statement);
}
/* The race ended without a winner after the sitting, and calls of its key came in between: they abstain now. */
static void autotune__leave_late_sittings(autotune__statement *statement) {
    autotune__record *record = statement->subject.record;
    bool late;
    if (!statement->council.ranks || !record) return;
    autotune__lock_mutex(&autotune__lock);
    late = record->owed > 0 && !record->ongoing;
    autotune__unlock_mutex(&autotune__lock);
    if (late) autotune__leave_sitting(&statement->council, false);
}
/* The next call of the race may be made, unless, of ranks, others came too late for the sitting of this one. False: the
   race is over. */
static bool autotune__lets_next_call(autotune__statement *statement) {
    autotune__record *record = statement->subject.record;
    bool late;
    if (!statement->council.ranks) { autotune__release_call(record); return true; }
    autotune__lock_mutex(&autotune__lock);
    late = record->owed > 0;
    if (!late) autotune__release_call(record);
    autotune__unlock_mutex(&autotune__lock);
    if (!late) return true;
    autotune__leave_sitting(&statement->council, false);
    autotune__drop_crowded(statement);
    return false;
}

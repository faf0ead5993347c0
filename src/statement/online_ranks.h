/* Online races of several ranks: the rule of each rank is told the same of each call, so that all ranks run the same
   configuration in the next one. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../base/log.h"
#include "../race/request.h"
#include "../online/rule.h"
#include "../ranks/ballot.h"
#include "../ranks/council.h"
#include "statement.h"
#include "in_step.h"
#include "beginning.h"
#include "agree.h"
#include "ongoing.h"

/* An online race begins, of ranks with what rank 0 knows. False: they do not begin it. */
static bool autotune__begin_online_together(autotune__statement *statement, const autotune__limits *limits) {
    const autotune_options *o = &statement->subject.options;
    const double seconds = autotune__environment.max_seconds > 0 ? autotune__environment.max_seconds : o->max_seconds;
    autotune__beginning *agreed = &statement->agreed;
    agreed->limits = *limits;
    autotune__gather_beginning(statement, agreed);
    agreed->max_loss = o->max_loss > 0 ? o->max_loss : 0.05;
    agreed->allowance_seconds = seconds > 0 ? seconds : 0.1;
    return !statement->council.sits || autotune__begin_together(statement, agreed);
}
/* They cannot go on together: this rank makes its calls without measuring them, until all begin anew. */
static bool autotune__part_online(autotune__ongoing *ongoing, const char *why) {
    autotune__report(ongoing->statement, AUTOTUNE_ERR_ENVIRONMENT,
                     "the ranks no longer measure the same calls (%s): what was found is dropped, and the next call "
                     "begins anew", why);
    (void)autotune__online_finish(&ongoing->online, SIZE_MAX, AUTOTUNE_DEFAULT);
    return false;
}
/* The call of this row was made on all ranks: its time is that of the slowest, and what failed on one has failed. It
   is one exchange. False: the race is over. */
static bool autotune__agree_on_call(autotune__ongoing *ongoing, double *ns, autotune_status *status) {
    autotune__statement *statement = ongoing->statement;
    autotune__council *council = &statement->council;
    autotune__ballot ballot;
    bool agreed, crowded;
    if (!council->ranks) return true;
    if (!council->sits && !autotune__convene(council)) {
        autotune__leave_exchange(council);
        return autotune__part_online(ongoing, "this rank is in another statement that agrees with them");
    }
    autotune__walk_on(council, ongoing->row);
    autotune__walk_on(council, autotune__word_double(ongoing->work));
    memset(&ballot, 0, sizeof ballot);
    ballot.at[AUTOTUNE__MEASURES] = 1;
    ballot.at[AUTOTUNE__NS] = *ns;
    ballot.at[AUTOTUNE__TROUBLE] = autotune__trouble_of(
        autotune__severity_of(statement->subject.backend, *status), *status, council->ranks->rank);
    agreed = autotune__vote(council, &ballot);
    crowded = autotune__adjourn(council);
    if (agreed && crowded) return autotune__part_online(ongoing, "another thread came with a statement of these ranks");
    if (!agreed)
        return autotune__part_online(ongoing, council->cause == AUTOTUNE__UNREACHABLE ? "they cannot reach each other"
                                              : ".work, the key or the number of calls differ, or a rank left");
    *ns = council->said.at[AUTOTUNE__NS];
    if (council->trouble.severity) *status = council->trouble.status;
    return true;
}
/* The winner was published, or could not be: what one rank cannot keep none keeps. */
static void autotune__agree_on_end(autotune__statement *statement) {
    autotune__council *council = &statement->council;
    autotune__ballot ballot;
    if (!council->ranks) return;
    if (!autotune__convene(council)) autotune__leave_exchange(council);
    memset(&ballot, 0, sizeof ballot);
    ballot.at[AUTOTUNE__MEASURES] = 1;
    ballot.at[AUTOTUNE__UNPUBLISHED] = !statement->entry;
    if (!council->sits || !autotune__vote(council, &ballot) || council->said.at[AUTOTUNE__UNPUBLISHED] > 0) {
        autotune__unpublish(statement);
        if (statement->ongoing) autotune__leave_ongoing(statement);
        autotune__report(statement, AUTOTUNE_ERR_ENVIRONMENT,
                         "a rank cannot keep the winner: it has no memory, or tunes the key in mode ON just now; what "
                         "was found is dropped, and the next call begins anew");
    }
    (void)autotune__adjourn(council);
}

/* All threads of an OpenMP team make a call that waits for the whole team. One thread races, and its first trial waits
   for the other threads. After a while the other threads do not wait for the race any more, and launch the
   configuration of this trial. So the trial becomes the call of the whole team. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "phase.h"
#include "launch.h"
#include "race.h"

static void autotune__report_team(autotune__statement *statement, size_t index) {
    autotune__report(statement, AUTOTUNE_ERR_ARGUMENT,
                     "all threads of an OpenMP team make this call, which waits for the others or takes longer than a "
                     "second: make it in `#pragma omp single`, or before the region; all launch the first "
                     "configuration, %s",
                     autotune__name_point(&statement->subject, index));
}
/* Returns true if the race of another thread of the team waits for this call. The call is then made next. */
static bool autotune__call_with_team(autotune__statement *statement) {
    const size_t index = statement->turn.trying;
    if (!statement->turn.team) return false;
    autotune__report_team(statement, index);
    statement->result.index = index;
    autotune__configure(statement->subject.space, index, &statement->result.config);
    (void)autotune__launch_for_real(statement, AUTOTUNE__CALLING_FIRST);
    return true;
}
/* Called after a trial, if other threads of the team gave up waiting for the race. Returns true if the trial was the
   first one, and the call of the whole team. Then the statement has ended. */
static bool autotune__end_with_team(autotune__statement *statement) {
    const size_t index = statement->trial.request.index;
    const int others = __atomic_load_n(&statement->turn.team, __ATOMIC_RELAXED);
    if (others + 1 < autotune__team_size() || statement->trial.launches) return false;
    autotune__keep_trial(statement);
    statement->trial.launches++;
    autotune__stay_with(statement, index);
    if (statement->trial.peers) statement->trial.peers->accept_candidate(statement);
    autotune__report_team(statement, index);
    (void)autotune__end(statement);
    return true;
}

/* Online races of several ranks. After each call the ranks agree on one time, and tell it to their rules. So all ranks
   run the same configuration in the next call. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../online/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "../collective/floor.h"
#include "race.h"

/* Returns why the ranks of a statement cannot measure its calls; NULL: they can, or the statement has no other
   ranks. */
static const char *autotune__why_peers_cannot_measure(const autotune__statement *statement) {
    const autotune_backend *b = statement->subject.options.backend;
    return statement->trial.peers && b && b->ask
               ? "mode ONLINE with .ranks needs a backend whose clock is now() alone, so that all know how long a "
                 "call took" : NULL;
}
/* Compares the ranks before the first call. No rank can make this call alone, since ranks may communicate in the
   call. Returns true if all ranks have listed the same configurations and have memory. Also returns true if there are
   no other ranks. Else ends the race, and returns false. The time of a call is the time of the slowest rank, and
   often one of the ranks is interrupted. So each configuration is called twice before it may be cut:
   `online.calls_each_twice`. */
static bool autotune__all_make_first_call(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    bool alike;
    if (!statement->trial.peers || !autotune__is_joined(statement->trial.group)) return true;
    call_race->online.calls_each_twice = true;
    alike = autotune__all_reduce_one(statement->trial.group, AUTOTUNE__NO_MEMORY, !autotune__count(call_race->configs));
    if (alike && !(statement->trial.group->values[AUTOTUNE__NO_MEMORY] > 0)) return true;
    autotune__launch_came_back(&statement->trial, statement->trial.request.index);
    if (alike) (void)autotune__give_up_online(statement, AUTOTUNE_ERR_MEMORY, "a rank is out of memory");
    else { autotune__end_call_race(statement); autotune__end_with_group(statement); }
    return false;
}
/* Publishes the row in use. If a call site with ranks gets no entry, since there is no memory, its next call would
   begin a statement, and wait in vain for the other ranks. So no row stays in use then, and
   autotune__end_call_and_unlock() ends the race. */
static void autotune__show_in_use(autotune__call_race *call_race) {
    const autotune__subject *subject = &call_race->statement->subject;
    autotune__publish_row_in_use(call_race);
    if (!call_race->statement->trial.peers || autotune__find_entry_in_use(subject->site, &subject->options)) return;
    call_race->published = SIZE_MAX;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    autotune__put_in_use(subject->known_key, NULL);
}
/* Ends the race of this rank, which can no longer agree with the other ranks. Always returns false. */
static bool autotune__end_race_out_of_step(autotune__call_race *call_race, autotune_status status, const char *why) {
    autotune__report(call_race->statement, status,
                     "the ranks no longer measure the same calls (%s): their results are dropped, and the next call "
                     "starts again", why);
    autotune__online_finish(&call_race->online, SIZE_MAX, AUTOTUNE_DEFAULT);
    return false;
}
/* Agrees on the time and the status of a call that all ranks have made, by one all-reduce. The time is the time of the
   slowest rank. If the call failed on one rank, it counts as failed on all ranks. The group stays joined until the end
   of the call. Returns false if the ranks cannot agree. Then the race is over. If there are no other ranks,
   returns true, and changes nothing. */
static bool autotune__agree_on_call(autotune__call_race *call_race, double *ns, autotune_status *status) {
    autotune__statement *statement = call_race->statement;
    autotune__peer_group *group = statement->trial.group;
    if (!statement->trial.peers) return true;
    if (!autotune__is_joined(group) && !autotune__enter_group(group, true))
        return autotune__end_race_out_of_step(call_race, AUTOTUNE_ERR_ARGUMENT,
                                              "another thread of this rank is in a statement of these ranks just now");
    autotune__hash_step(group, call_race->call.row);
    autotune__hash_step(group, autotune__word_double(call_race->call.work));
    autotune__new_reduction(group)[AUTOTUNE__NS] = *ns;
    autotune__put_status(group, statement->subject.backend, *status);
    if (!autotune__all_reduce(group))
        return autotune__end_race_out_of_step(call_race, AUTOTUNE_ERR_ENVIRONMENT,
                                              ".work, the key or the number of calls differ, a rank left or cannot be "
                                              "reached");
    *ns = group->values[AUTOTUNE__NS];
    if (group->trouble.severity) *status = group->trouble.status;
    return true;
}
/* Ends a call: the ranks leave their group until the next call. won: the race has a winner, which each rank has tried
   to publish. If a rank could not publish the winner, no rank keeps the winner. */
static void autotune__agree_on_end(autotune__statement *statement, bool won) {
    autotune__peer_group *group = statement->trial.group;
    const bool kept = !won || !statement->trial.peers || (autotune__is_joined(group) &&
                       autotune__all_reduce_one(group, AUTOTUNE__UNPUBLISHED, !statement->entry) &&
                       group->values[AUTOTUNE__UNPUBLISHED] == 0);
    if (statement->trial.peers) autotune__leave_group(group);
    if (kept) return;
    autotune__unpublish(statement);
    if (statement->call_race) autotune__end_call_race(statement);
    autotune__report(statement, AUTOTUNE_ERR_ENVIRONMENT,
                     "a rank cannot keep the winner: it has no memory, or tunes the key in mode ON just now; the "
                     "results are dropped, and the next call starts again");
}

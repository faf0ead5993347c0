/* Online races of several ranks. The rule of each rank gets the same result of each call. So all ranks run the same
   configuration in the next call. */
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

/* Returns why ranks cannot measure the calls of a statement together. NULL: they can, or there are no other ranks. */
static const char *autotune__apart_online(const autotune__statement *statement) {
    const autotune_backend *b = statement->subject.options.backend;
    return statement->trial.peers && b && b->ask
               ? "mode ONLINE with .ranks needs a backend whose clock is now() alone, so that all know how long a "
                 "call took" : NULL;
}
/* Returns true if the first call comes next: all ranks have listed the same configurations, and have memory. Ranks may
   communicate in the call, so no rank makes it alone. Each configuration is called twice before it may be cut: the
   slowest rank makes the time of a call, and often some rank is interrupted. Returns false if the race is over. */
static bool autotune__all_make_first_call(autotune__call_race *ongoing) {
    autotune__statement *statement = ongoing->statement;
    const size_t point = statement->trial.request.index;
    bool alike;
    if (!statement->trial.peers || !autotune__is_joined(statement->trial.group)) return true;
    ongoing->online.together = true;
    alike = autotune__all_reduce_one(statement->trial.group, AUTOTUNE__NO_MEMORY, !autotune__count(ongoing->configs));
    if (alike && !(statement->trial.group->said[AUTOTUNE__NO_MEMORY] > 0)) return true;
    autotune__launch_came_back(&statement->trial, point);
    if (alike) (void)autotune__give_up_online(statement, AUTOTUNE_ERR_MEMORY, "a rank is out of memory");
    else { autotune__end_ongoing(statement); autotune__end_as_group(statement); }
    return false;
}
/* Publishes the row in use. Without memory the call site does not find it. A statement that is alone finds it in
   another way. A rank would wait for ranks that do not come, so the race must not look as if it went on. */
static void autotune__show_in_use(autotune__call_race *ongoing) {
    const autotune__subject *subject = &ongoing->statement->subject;
    autotune__publish_row_in_use(ongoing);
    if (!ongoing->statement->trial.peers || autotune__find_entry_in_use(subject->site, &subject->options)) return;
    ongoing->published = SIZE_MAX;
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    autotune__put_in_use(subject->known_key, NULL);
}
/* Ranks cannot go on together: this rank makes its calls without measuring them, until all ranks begin again. */
static bool autotune__part_online(autotune__call_race *ongoing, autotune_status status, const char *why) {
    autotune__report(ongoing->statement, status,
                     "the ranks no longer measure the same calls (%s): their results are dropped, and the next call "
                     "starts again", why);
    autotune__online_finish(&ongoing->online, SIZE_MAX, AUTOTUNE_DEFAULT);
    return false;
}
/* Agrees on the call of this row, which all ranks have made. Its time is the slowest rank's. If it failed on one rank,
   it failed. This is one exchange. The group stays joined until all know whether the race is over. Returns false if the
   race is over. */
static bool autotune__agree_on_call(autotune__call_race *ongoing, double *ns, autotune_status *status) {
    autotune__statement *statement = ongoing->statement;
    autotune__peer_group *group = statement->trial.group;
    if (!statement->trial.peers) return true;
    if (!autotune__is_joined(group) && !autotune__enter_group(group, true))
        return autotune__part_online(ongoing, AUTOTUNE_ERR_ARGUMENT,
                                     "another thread of this rank is in a statement of these ranks just now");
    autotune__hash_step(group, ongoing->call.row);
    autotune__hash_step(group, autotune__word_double(ongoing->call.work));
    autotune__new_reduction(group)[AUTOTUNE__NS] = *ns;
    autotune__put_trouble(group, autotune__severity_of(statement->subject.backend, *status), *status);
    if (!autotune__all_reduce(group))
        return autotune__part_online(ongoing, AUTOTUNE_ERR_ENVIRONMENT,
                                     ".work, the key or the number of calls differ, a rank left or cannot be reached");
    *ns = group->said[AUTOTUNE__NS];
    if (group->trouble.severity) *status = group->trouble.status;
    return true;
}
/* Ends a call: the ranks part until the next call. won: the race has ended, and its winner was published, or could not
   be. If one rank cannot keep the winner, no rank keeps it. */
static void autotune__agree_on_end(autotune__statement *statement, bool won) {
    autotune__peer_group *group = statement->trial.group;
    const bool kept = !won || !statement->trial.peers || (autotune__is_joined(group) &&
                       autotune__all_reduce_one(group, AUTOTUNE__UNPUBLISHED, !statement->entry) &&
                       group->said[AUTOTUNE__UNPUBLISHED] == 0);
    if (statement->trial.peers) autotune__leave_group(group);
    if (kept) return;
    autotune__unpublish(statement);
    if (statement->call_race) autotune__end_ongoing(statement);
    autotune__report(statement, AUTOTUNE_ERR_ENVIRONMENT,
                     "a rank cannot keep the winner: it has no memory, or tunes the key in mode ON just now; the "
                     "results are dropped, and the next call starts again");
}

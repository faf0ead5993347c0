/* Ranks in step. Before and after a launch the ranks exchange failures and times, so that the races of all ranks make
   the same decisions. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"

/* Puts the status of a launch into the next all-reduce. The severity of an error is its class plus 1. */
static void autotune__put_status(autotune__peer_group *group, autotune_backend *backend, autotune_status status) {
    const unsigned severity = status == AUTOTUNE_OK ? 0u : 1u + (unsigned)autotune__class_of(backend, status);
    autotune__put_trouble(group, severity, status);
}
/* Returns the class of an error of the last launch. If ranks agreed on this launch, the worst error of all ranks
   counts. */
static autotune_error_class autotune__worst_of(const autotune__trial_state *trial, autotune_status status) {
    const unsigned severity = trial->group->trouble.severity;
    if (!autotune__is_joined(trial->group) || !severity) return autotune__class_of(trial->subject->backend, status);
    return (autotune_error_class)(severity - 1);
}
/* Makes an all-reduce with the status of the launch. If the launch failed on another rank, it fails on this rank, too.
   Returns false if the group has ended. */
static bool autotune__reduce_launch(autotune__trial_state *trial) {
    autotune__peer_group *group = trial->group;
    autotune__put_status(group, trial->subject->backend, trial->launch_status);
    if (!autotune__all_reduce(group)) {
        if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = AUTOTUNE_ERR_ENVIRONMENT;
        return false;
    }
    if (group->trouble.severity && trial->launch_status == AUTOTUNE_OK) {
        trial->launch_status = group->trouble.status;
        autotune__clear_text(&trial->why);
        autotune__append(&trial->why, "on rank %d: %s", group->trouble.rank,
                         autotune_status_text(group->trouble.status));
    }
    return true;
}
/* Makes the all-reduce of autotune__reduce_launch() in a race, with all values that decide how the race goes on. */
static void autotune__reduce_in_race(autotune__trial_state *trial, uint64_t now) {
    double *values = trial->group->values;
    values[AUTOTUNE__ELAPSED] = autotune__own_seconds(trial, now);
    values[AUTOTUNE__BESIDES] = trial->answer.unlaunched_seconds;
    values[AUTOTUNE__WAITED] = trial->answer.waited_seconds;
    values[AUTOTUNE__EXECUTION] = trial->answer.execution;
    values[AUTOTUNE__OUTDATED_KERNEL] = trial->mishap == AUTOTUNE__OUTDATED;
    values[AUTOTUNE__DIFFER_FROM_FIRST] = autotune__differ_from_first(&trial->memories);
    if (!autotune__reduce_launch(trial)) return;
    trial->seconds = values[AUTOTUNE__ELAPSED];
    trial->answer.unlaunched_seconds = values[AUTOTUNE__BESIDES];
    trial->answer.waited_seconds = values[AUTOTUNE__WAITED];
    trial->answer.execution = (autotune__execution)(int)values[AUTOTUNE__EXECUTION];
    if (values[AUTOTUNE__OUTDATED_KERNEL] > 0) trial->mishap = AUTOTUNE__OUTDATED;
    trial->memories.differ_on_other_rank = (unsigned)values[AUTOTUNE__DIFFER_FROM_FIRST];
}
/* Adds the results of WHERE, PRIORITY and MODEL for a point to the hash. All ranks must have the same hash. Ranks that
   race their parts do this only while all of them evaluate the whole space. */
static void autotune__step_past_point(autotune__trial_state *trial) {
    const autotune__answer *answer = &trial->answer;
    const autotune__race *race = trial->turn->race;
    const bool of_part = autotune__races_part(trial->group) && race && race->stage == AUTOTUNE__EVALUATING;
    if (!of_part && !autotune__is_in_step(trial->group)) return;
    autotune__hash_step(trial->group, trial->request.index << 1 | !answer->refused);
    autotune__hash_step(trial->group, (uint64_t)(int64_t)answer->precedence.group);
    autotune__hash_step(trial->group, (uint64_t)answer->precedence.intra);
    autotune__hash_step(trial->group, autotune__word_double(answer->precedence.cost));
}
/* Adds a RUN to the hash, before the RUN begins. */
static void autotune__step_into_run(autotune__trial_state *trial) {
    if (!autotune__is_in_step(trial->group)) return;
    autotune__hash_step(trial->group, trial->request.index);
    autotune__hash_step(trial->group, trial->request.launches);
    autotune__hash_step(trial->group, autotune__word_double(trial->request.limit_ns));
}
/* Tells all ranks if a rank cannot go on. */
static void autotune__agree_to_go_on(autotune__trial_state *trial) {
    if (!autotune__is_in_step(trial->group)) return;
    (void)autotune__new_reduction(trial->group);
    autotune__reduce_in_race(trial, autotune__clock_now(trial->subject));
}
/* Tells all ranks if a rank is not ready to launch. A rank may be not ready at a first launch, if buffers were
   prepared, or if WHERE, PRIORITY and MODEL were called directly before. In other cases the ranks exchange nothing. */
static void autotune__make_ready(autotune__trial_state *trial, bool judged) {
    if (autotune__is_new(trial) || judged || autotune__launches_alone(trial->subject)) autotune__agree_to_go_on(trial);
}
/* Called after a batch. *ns becomes the time of the slowest rank. A disturbance on one rank counts on all ranks. */
static void autotune__agree_on_time(autotune__trial_state *trial, double *ns, bool *disturbed, uint64_t stopped) {
    double *values = trial->group->values;
    if (!autotune__is_in_step(trial->group)) return;
    autotune__new_reduction(trial->group)[AUTOTUNE__NS] = *ns;
    values[AUTOTUNE__DISTURBED] = *disturbed;
    autotune__reduce_in_race(trial, stopped);
    if (!autotune__is_joined(trial->group)) return;
    *ns = values[AUTOTUNE__NS];
    *disturbed = values[AUTOTUNE__DISTURBED] > 0;
}
/* Returns true if all ranks make each launch of a race. */
static bool autotune__all_launch(const autotune__trial_state *trial) { return autotune__is_in_step(trial->group); }

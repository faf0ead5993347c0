/* A runner carries out one RUN of a race. It makes batches of launches until sampling.h says that the sample is
   complete. trial.h makes each batch. suspects.h writes launch notes, and reports to the parent of a child process.
   peers.h asks other ranks. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "statement.h"
#include "options.h"
#include "race_clock.h"
#include "sampling.h"
#include "suspects.h"
#include "checks.h"
#include "peers.h"
#include "trial.h"

/* Ends the RUN with the status of its last launch. */
static void autotune__end_run(autotune__trial_state *trial) {
    trial->answer.status = trial->launch_status;
    if (trial->launch_status != AUTOTUNE_OK) trial->answer.reason = autotune__reason(trial, trial->launch_status);
}
/* Begins a batch. judged: WHERE, PRIORITY or MODEL were called directly before. Returns false if no launch follows. */
static bool autotune__launch_batch(autotune__trial_state *trial, bool judged) {
    bool begins;
    __atomic_store_n(&trial->turn->disturbed, false, __ATOMIC_RELAXED);     /* an earlier disturbance does not count */
    if (trial->launch_status == AUTOTUNE_OK && (autotune__is_new(trial) || autotune__launches_alone(trial->subject)))
        (void)autotune__prepare_trial(trial);
    begins = autotune__is_new(trial) && trial->launch_status == AUTOTUNE_OK;
    if (begins) autotune__launch_begins(trial, trial->request.index);   /* before any rank launches */
    if (trial->peers) trial->peers->make_ready(trial, judged);
    if (trial->launch_status == AUTOTUNE_OK && autotune__start_batch(trial)) return true;
    if (begins) autotune__withdraw_launch(trial);
    return false;
}
/* Begins a RUN. Returns false if no launch follows, since the configuration failed before. trial->answer then has the
   reason. */
static bool autotune__start_run(autotune__trial_state *trial, bool judged) {
    memset(&trial->sampling, 0, sizeof trial->sampling);
    memset(&trial->answer, 0, sizeof trial->answer);
    trial->answer.prepared = trial->request.prepared;
    trial->launch_status = AUTOTUNE_OK;
    trial->mishap = AUTOTUNE__NO_MISHAP;
    autotune__clear_text(&trial->why);
    autotune__locate(trial->subject->space, trial->request.index);
    __atomic_store_n(&trial->turn->trying, trial->request.index, __ATOMIC_RELAXED);
    if (trial->peers) trial->peers->step_into_run(trial);
    if (trial->request.index + 1 == __atomic_load_n(&trial->subject->known_key->exit_number, __ATOMIC_RELAXED)) {
        autotune__append(&trial->why, "left the body");
        trial->launch_status = AUTOTUNE_ERR_LEFT;
    } else if (autotune__is_new(trial) && autotune__admits_suspect(trial) && trial->subject->backend->prepare)
        autotune__prepare_configuration(trial);
    trial->subject->space->value[AUTOTUNE_MAX_AXES] = trial->answer.prepared;
    if (autotune__launch_batch(trial, judged)) return true;
    autotune__end_run(trial);
    return false;
}
/* Called if the launches worked so far. Returns true if the RUN is repeated, or its next batch begins. */
static bool autotune__continue_run(autotune__trial_state *trial, bool disturbed, uint64_t stopped) {
    if (autotune__count_disturbance(&trial->answer, disturbed)) memset(&trial->sampling, 0, sizeof trial->sampling);
    else if (!autotune__sample_goes_on(&trial->sampling, &trial->request, autotune__seconds(trial, stopped)))
        return false;
    return autotune__launch_batch(trial, false);
}
/* Called after a batch. Returns true if the RUN goes on with another batch. Returns false if the RUN is complete;
   trial->answer is then filled in. */
static bool autotune__took_launch(autotune__trial_state *trial, uint64_t stopped) {
    const autotune_options *o = &trial->subject->options;
    const uint32_t readings = trial->timing == AUTOTUNE__QUEUED ? trial->batch : 1;
    bool disturbed;
    double ns = autotune__time_batch(trial, stopped, readings, &disturbed);
    if (autotune__device_at_work) autotune__look_at_device(trial, true);
    if (trial->peers) trial->peers->agree_on_time(trial, &ns, &disturbed, stopped);
    if (autotune__is_new(trial) && !autotune__is_loss_of_device(trial->subject->backend, trial->launch_status))
        autotune__launch_came_back(trial, trial->request.index);        /* it returned on all ranks in step */
    if (trial->forgets) trial->forgetful_ns[trial->sampling.launched] = ns;
    autotune__add_batch(&trial->sampling, trial->batch, readings, ns, trial->request.tick_ns);
    autotune__count_launches(trial, trial->batch);
    if (trial->subject->backend->least_launch_ns > 0) autotune__check_time(trial, disturbed);
    if (autotune__is_new(trial) && trial->launch_status == AUTOTUNE_OK &&
        (o->outputs.count || o->verify || autotune__environment.audits))
        autotune__check_outputs(trial);
    if (autotune__is_new(trial)) trial->request.occasion = AUTOTUNE__LAUNCHED_BEFORE;
    if (trial->launch_status != AUTOTUNE_OK) autotune__note_loss(trial);
    else if (autotune__continue_run(trial, disturbed, stopped)) return true;
    if (trial->forgetful_ns[0] > 0) autotune__tell_of_learnt_data(trial);
    autotune__end_run(trial);
    trial->answer.elapsed_ns = trial->sampling.elapsed_ns;
    trial->answer.launches = trial->sampling.launched;
    return false;
}

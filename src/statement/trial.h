/* A trial, which carries out one RUN of the race: buffers, launches, the clock, checks of the outputs, repetitions. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "statement.h"
#include "race_clock.h"
#include "waiting.h"
#include "sample.h"
#include "suspects.h"
#include "checks.h"
#include "agree_on_launch.h"
#include "in_child.h"

/* Stops the clock of the device. A launch that has failed keeps its own error and reason, unless the device is lost. */
static void autotune__stop_clock(autotune__trial_state *trial, double *ns) {
    autotune_backend *backend = trial->subject->backend;
    autotune__text own = trial->why;
    autotune_status status;
    bool counts;
    memset(&trial->why, 0, sizeof trial->why);  /* stop() may explain itself */
    status = backend->stop(backend, ns);
    counts = trial->launch_status == AUTOTUNE_OK ? status != AUTOTUNE_OK
                                                 : autotune__is_loss_of_device(backend, status) &&
                                                       !autotune__is_loss_of_device(backend, trial->launch_status);
    if (counts) trial->launch_status = status;
    if (counts && autotune__has_text(&trial->why)) { autotune__free_text(&own); return; }
    autotune__free_text(&trial->why);
    trial->why = own;
}
/* What the launches since the start of the clock took together. */
static double autotune__clocked(autotune__trial_state *trial, uint64_t stopped) {
    double ns = autotune__passed_ns(trial->watch.started, stopped);
    if (trial->subject->backend->stop) autotune__stop_clock(trial, &ns);
    return autotune__is_definite(ns) ? ns : 0;
}
static void autotune__count_launches(autotune__trial_state *trial, uint32_t count) {
    trial->answer.made += count;
    trial->launches += count;
}
/* The RUN ends with the status of its last launch. */
static void autotune__end_run(autotune__trial_state *trial) {
    trial->answer.status = trial->launch_status;
    trial->answer.reason = autotune__reason(trial, trial->launch_status);
}
static void autotune__fail_launch(autotune__trial_state *trial, autotune_status status) {
    if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = status;
    if (autotune__is_in_step(trial->group) && !trial->queued) return;     /* other ranks go on with the batch */
    trial->batch -= trial->more;                /* no further launch of this batch */
    trial->more = 0;
}
static bool autotune__is_cold(const autotune__trial_state *trial) {
    return (trial->subject->options.cache_state ? trial->subject->options.cache_state
                                              : trial->subject->backend->cache_state) == AUTOTUNE_COLD;
}
static autotune_status autotune__poison_outputs(autotune__trial_state *trial) {
    const uint64_t from = autotune__clock_now(trial->subject);
    const autotune_status status = autotune__poison(&trial->memories, trial->subject->backend);
    autotune__spend_besides(trial, from);
    return status;
}
static autotune_status autotune__prepare_launch(autotune__trial_state *trial) {
    const autotune_options *o = &trial->subject->options;
    autotune_backend *backend = trial->subject->backend;
    autotune_status status;
    if (trial->request.first && o->outputs.count && (status = autotune__poison_outputs(trial)) != AUTOTUNE_OK)
        return status;
    if ((status = autotune__restore_and_zero(&trial->memories, backend)) != AUTOTUNE_OK) return status;
    if (o->setup) o->setup(o->user);
    return autotune__is_cold(trial) ? backend->flush(backend) : AUTOTUNE_OK;
}
static bool autotune__prepare_trial(autotune__trial_state *trial) { /* false: this failed, and so the launch */
    trial->launch_status = autotune__prepare_launch(trial);
    if (trial->launch_status == AUTOTUNE_ERR_MEMORY) trial->answer.no_memory = true;
    if (trial->launch_status != AUTOTUNE_OK && !autotune__has_text(&trial->why))
        autotune__append(&trial->why, "its buffers could not be prepared");
    return trial->launch_status == AUTOTUNE_OK;
}
static uint32_t autotune__batch_of(autotune__trial_state *trial) {
    const bool limited = trial->request.limit_ns > 0;
    const uint32_t left = trial->request.launches - trial->launched,
                   most = limited ? trial->request.at_least : (uint32_t)AUTOTUNE_MOST_QUEUED;
    trial->queued =
        trial->apart && !trial->request.first && trial->subject->backend->mark && !trial->subject->options.setup;
    if (trial->queued) return left < most ? left : most;
    return trial->apart || trial->request.first || limited ? 1 : left;
}
/* While ranks race their parts, the note of all of them stays open. */
static void autotune__end_first_launch(autotune__trial_state *trial) {
    if (!autotune__races_part(trial->group)) autotune__close_note(trial->store, trial->request.index);
    autotune__tell(trial, AUTOTUNE__LAUNCH_CAME_BACK, NULL, 0);
}
/* Starts the clock of a batch. False: no launch of it is made, since the clock does not start. In step other ranks make
   them: so does this one, and tells that it failed after them. */
static bool autotune__start_batch(autotune__trial_state *trial) {
    autotune_backend *backend = trial->subject->backend;
    autotune_status status;
    trial->batch = autotune__batch_of(trial);
    trial->more = trial->batch - 1;
    autotune__note_usage(trial);
    trial->watch.started = autotune__clock_now(trial->subject);
    (void)autotune__was_stopped(trial, trial->watch.stopped, trial->watch.started);
    status = backend->start ? backend->start(backend) : AUTOTUNE_OK;
    if (status == AUTOTUNE_OK) return true;
    autotune__fail_launch(trial, status);
    return autotune__is_in_step(trial->group);
}
static bool autotune__launch_trial(autotune__trial_state *trial) { /* false: the launch failed before it began */
    bool begins;
    if (trial->launch_status == AUTOTUNE_OK && (trial->apart || trial->request.first))
        (void)autotune__prepare_trial(trial);
    begins = trial->request.first && trial->launch_status == AUTOTUNE_OK;
    if (begins) {
        /* A later run that finds that this launch did not end knows which configuration to blame. The note is there
           before another rank launches. */
        autotune__open_note(trial->store, trial->request.index, NULL);
        autotune__tell(trial, AUTOTUNE__LAUNCH_BEGINS, NULL, 0);
    }
    if (autotune__all_are_ready(trial) && autotune__start_batch(trial)) return true;
    if (begins) autotune__withdraw_note(trial->store);
    return false;
}
/* Queues the next launch of a batch whose launches are prepared and timed one by one. False: this failed, and the batch
   ends with the last launch. */
static bool autotune__queue_launch(autotune__trial_state *trial) {
    autotune_status status = trial->subject->backend->mark(trial->subject->backend);
    if (status == AUTOTUNE_OK)
        status = autotune__prepare_trial(trial) ? trial->subject->backend->start(trial->subject->backend)
                                               : trial->launch_status;
    if (status != AUTOTUNE_OK) autotune__fail_launch(trial, status);
    return status == AUTOTUNE_OK;
}
/* May the configuration of a RUN be launched? If not, its status says why. */
static void autotune__look_before_launch(autotune__trial_state *trial) {
    autotune_backend *backend = trial->subject->backend;
    autotune_config config;
    uint64_t from;
    if (trial->subject->known_key->exits && trial->request.index == trial->subject->known_key->exit_index) {
        autotune__append(&trial->why, "left the body");
        trial->launch_status = AUTOTUNE_ERR_LEFT;
    } else if (trial->request.first && autotune__admits_suspect(trial) && backend->prepare) {
        if (!autotune__configure(&trial->subject->space, trial->request.index, &config)) {
            trial->launch_status = AUTOTUNE_ERR_MEMORY;
            trial->answer.no_memory = true;
            return;
        }
        from = autotune__clock_now(trial->subject);
        trial->launch_status = backend->prepare(backend, &config, &trial->subject->space.value[AUTOTUNE_MAX_AXES]);
        autotune__spend_besides(trial, from);
        trial->answer.prepared = trial->subject->space.value[AUTOTUNE_MAX_AXES];
    }
}
/* Did something else run during this RUN, which took so long so far? That is another statement, or its waiting; or
   another process, unless the RUN is so long that this must be expected. */
static bool autotune__is_disturbed(const autotune__trial_state *trial, double ns) {
    const double short_ns = 20e6;
    return __atomic_load_n(&trial->turn->disturbed, __ATOMIC_RELAXED) || (trial->preempted && ns < short_ns);
}
static void autotune__forget_disturbance(autotune__trial_state *trial) {
    __atomic_store_n(&trial->turn->disturbed, false, __ATOMIC_RELAXED);
    trial->preempted = false;
}
static bool autotune__begin_run(autotune__trial_state *trial) {
    trial->launched = trial->readings = trial->repeats = 0;
    autotune__forget_times(trial);
    trial->launch_status = AUTOTUNE_OK;
    trial->at_fault = false;
    autotune__clear_text(&trial->why);
    autotune__locate(&trial->subject->space, trial->request.index);
    autotune__step_into_run(trial);
    autotune__look_before_launch(trial);
    trial->subject->space.value[AUTOTUNE_MAX_AXES] = trial->answer.prepared;
    autotune__forget_disturbance(trial);
    return autotune__launch_trial(trial);
}
/* Begins a RUN. False: the configuration failed before its launch, and the answer says so. */
static bool autotune__start_run(autotune__trial_state *trial) {
    memset(&trial->answer, 0, sizeof trial->answer);
    trial->answer.prepared = trial->request.prepared;
    if (autotune__begin_run(trial)) return true;
    autotune__end_run(trial);
    return false;
}
static bool autotune__repeat_run(autotune__trial_state *trial) {
    trial->launched = trial->readings = 0;
    autotune__forget_times(trial);
    return autotune__launch_trial(trial);
}
static bool autotune__run_goes_on(const autotune__trial_state *trial, uint64_t stopped) {
    const autotune__request *asked = &trial->request;
    const bool enough =
        asked->limit_ns > 0 && trial->launched >= asked->at_least && trial->elapsed_ns > asked->limit_ns;
    return trial->launched < asked->launches && !enough &&
           autotune__seconds(trial, stopped) < asked->until_seconds;
}
/* The launches worked so far. True: the RUN is repeated, or another launch of it begins. */
static bool autotune__continue_run(autotune__trial_state *trial, uint64_t stopped) {
    const unsigned most = 3;                    /* every RUN may be disturbed */
    autotune__forget_disturbance(trial);
    if (trial->disturbed && trial->repeats++ < most) return autotune__repeat_run(trial);
    if (autotune__run_goes_on(trial, stopped)) return autotune__launch_trial(trial);
    trial->answer.disturbed = trial->disturbed;
    return false;
}
/* Takes the end of a launch or a batch. True: the RUN goes on with another launch. False: it is complete, and the
   answer is filled in. */
static bool autotune__took_launch(autotune__trial_state *trial, uint64_t stopped) {
    const uint32_t readings = trial->queued ? trial->batch : 1;
    const double ns = autotune__clocked(trial, stopped), cost_ns = readings * trial->clock.cost_ns;
    double own = ns > cost_ns ? ns - cost_ns : 0;
    const bool interrupted = autotune__was_stopped(trial, trial->watch.started, stopped);
    if (trial->request.first && trial->subject->backend->stop) autotune__put_off_first_launch(trial, ns);
    trial->watch.stopped = stopped;
    trial->watch.computed_ns = autotune__computed_ns();
    own = autotune__without_waiting(trial, own);
    trial->disturbed = interrupted || autotune__is_disturbed(trial, trial->elapsed_ns + own);
    if (autotune__is_in_step(trial->group)) autotune__agree_on_time(trial, &own, stopped);
    /* It has come back, of ranks in step on all of them. */
    if (trial->request.first && !autotune__lost_by(trial)) autotune__end_first_launch(trial);
    autotune__take_time(trial, own);
    trial->launched += trial->batch;
    autotune__count_launches(trial, trial->batch);
    trial->readings += readings;
    autotune__check_time(trial);
    autotune__expect_long(&trial->turn->progress, (uint64_t)ns / trial->batch);
    if (trial->request.first && trial->launch_status == AUTOTUNE_OK &&
        (trial->subject->options.outputs.count || trial->subject->options.verify)) {
        autotune__check_outputs(trial);
        autotune__agree_to_go_on(trial);        /* the check may fail on one rank alone */
    }
    trial->request.first = false;
    /* The launch did not return properly: its note stays open. */
    if (autotune__lost_by(trial)) autotune__open_note(trial->store, trial->request.index, autotune__lost_by(trial));
    if (trial->launch_status == AUTOTUNE_OK && autotune__continue_run(trial, stopped)) return true;
    autotune__end_run(trial);
    trial->answer.elapsed_ns = trial->elapsed_ns;
    trial->answer.launches = trial->launched;
    return false;
}

/* One batch of launches: prepares buffers and configurations, starts and stops the clock, and computes the time of the
   launches. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "options.h"
#include "race_clock.h"
#include "learnt.h"
#include "sampling.h"

/* Stops the clock of the device. A failed launch keeps its own error and reason, unless the device is lost. */
static void autotune__stop_clock(autotune__trial_state *trial, double *ns) {
    autotune_backend *backend = trial->subject->backend;
    autotune__text own = trial->why;
    autotune_status status;
    bool counts;
    memset(&trial->why, 0, sizeof trial->why);  /* stop() may give a reason by autotune_explain() */
    status = backend->stop(backend, ns);
    counts = trial->launch_status == AUTOTUNE_OK ? status != AUTOTUNE_OK
                                                 : autotune__is_loss_of_device(backend, status) &&
                                                       !autotune__is_loss_of_device(backend, trial->launch_status);
    if (counts) trial->launch_status = status;
    if (counts && autotune__has_text(&trial->why)) { autotune__free_text(&own); return; }
    autotune__free_text(&trial->why);
    trial->why = own;
}
/* Returns the time of all launches since the start of the clock. 0: the backend does not know this time. */
static double autotune__clocked(autotune__trial_state *trial, uint64_t stopped) {
    double ns = autotune__passed_ns(trial->watch.started, stopped);
    if (trial->subject->backend->stop) autotune__stop_clock(trial, &ns);
    return autotune__is_definite(ns) ? ns : 0;
}
static void autotune__count_launches(autotune__trial_state *trial, uint32_t count) {
    trial->answer.made += count;
    trial->launches += count;
}
static void autotune__fail_launch(autotune__trial_state *trial, autotune_status status) {
    if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = status;
    if (autotune__makes_each_launch(trial) && trial->timing != AUTOTUNE__QUEUED) return;
    trial->batch -= trial->launches_left;                /* the batch has no further launch */
    trial->launches_left = 0;
}
static autotune_status autotune__prepare_launch(autotune__trial_state *trial) {
    const autotune_options *o = &trial->subject->options;
    autotune_backend *backend = trial->subject->backend;
    autotune_status status;
    if (autotune__is_new(trial) && o->outputs.count) {
        const uint64_t from = autotune__clock_now(trial->subject);
        status = autotune__poison(&trial->memories, backend);
        autotune__exclude_time_since(trial, from);
        if (status != AUTOTUNE_OK) return status;
    }
    if ((status = autotune__restore_and_zero(&trial->memories, backend)) != AUTOTUNE_OK) return status;
    if (o->setup) {
        const uint64_t from = autotune__clock_now(trial->subject);
        autotune_config config;
        if (!autotune__configure(trial->subject->space, trial->request.index, &config)) return AUTOTUNE_ERR_MEMORY;
        o->setup(o->user, &config);
        if (autotune__is_new(trial)) autotune__exclude_time_since(trial, from);
    }
    trial->forgets = trial->memories.count && autotune__forgets_before_launch(trial);
    if (trial->forgets) autotune__empty_branch_predictor();
    return autotune__is_cold(trial->subject) ? backend->flush(backend) : AUTOTUNE_OK;
}
static bool autotune__prepare_trial(autotune__trial_state *trial) { /* false: the launch has failed */
    trial->launch_status = autotune__prepare_launch(trial);
    if (trial->launch_status == AUTOTUNE_ERR_MEMORY) trial->answer.execution = AUTOTUNE__WITHOUT_MEMORY;
    if (trial->launch_status != AUTOTUNE_OK && !autotune__has_text(&trial->why))
        autotune__append(&trial->why, "its buffers could not be prepared");
    return trial->launch_status == AUTOTUNE_OK;
}
/* Called before and after the first batch, if the CPU's clock times the batch. A device that idled before the launches,
   and works after the launches, works for these launches. The CPU's clock does not wait for the device, so the log asks
   for .backend, once for each site. */
static void autotune__look_at_device(autotune__trial_state *trial, bool launched) {
    const char *backend;
    if (trial->launches || trial->subject->options.backend) return;
    backend = autotune__device_at_work();
    if (launched && backend && trial->device_idled && autotune__says_first(trial->subject->site, AUTOTUNE_ERR_DEVICE))
        autotune__complain_of(trial->subject, "the call leaves untimed work on a device: add .backend = %s", backend);
    trial->device_idled = !backend;
}
/* Starts the clock of a batch. Returns true if the batch makes launches. If the clock does not start, the batch makes
   none, unless other ranks make the same launches as this rank. */
static bool autotune__start_batch(autotune__trial_state *trial) {
    autotune_backend *backend = trial->subject->backend;
    const bool queues = !autotune__is_new(trial) && backend->mark && !trial->subject->options.setup;
    autotune_status status;
    trial->timing = !autotune__launches_alone(trial->subject) ? AUTOTUNE__AT_ONCE
                                                             : queues ? AUTOTUNE__QUEUED : AUTOTUNE__APART;
    trial->batch = autotune__next_batch(&trial->sampling, &trial->request, trial->timing);
    trial->launches_left = trial->batch - 1;
    if (autotune__device_at_work) autotune__look_at_device(trial, false);
    autotune__note_usage(trial);
    trial->watch.started = autotune__clock_now(trial->subject);
    status = backend->start ? backend->start(backend) : AUTOTUNE_OK;
    if (status == AUTOTUNE_OK) return true;
    autotune__fail_launch(trial, status);
    return autotune__makes_each_launch(trial);
}
/* Prepares the next launch of a batch with timing QUEUED. If this fails, returns false, and the batch has no further
   launch. */
static bool autotune__queue_launch(autotune__trial_state *trial) {
    autotune_status status = trial->subject->backend->mark(trial->subject->backend);
    if (status == AUTOTUNE_OK)
        status = autotune__prepare_trial(trial) ? trial->subject->backend->start(trial->subject->backend)
                                               : trial->launch_status;
    if (status != AUTOTUNE_OK) autotune__fail_launch(trial, status);
    return status == AUTOTUNE_OK;
}
/* Called after a launch of a batch. Returns true if another launch follows. */
static bool autotune__goes_on_in_batch(autotune__trial_state *trial) {
    if (trial->timing == AUTOTUNE__QUEUED && !autotune__queue_launch(trial)) return false;
    trial->launches_left--;
    return true;
}
/* Lets the backend prepare a configuration that was not launched before. */
static void autotune__prepare_configuration(autotune__trial_state *trial) {
    autotune_backend *backend = trial->subject->backend;
    uint64_t *prepared = &trial->subject->space->value[AUTOTUNE_MAX_AXES], from;
    autotune_config config;
    if (!autotune__configure(trial->subject->space, trial->request.index, &config)) {
        trial->launch_status = AUTOTUNE_ERR_MEMORY;
        trial->answer.execution = AUTOTUNE__WITHOUT_MEMORY;
        return;
    }
    from = autotune__clock_now(trial->subject);
    trial->launch_status = backend->prepare(backend, &config, prepared);
    autotune__exclude_time_since(trial, from);
    trial->answer.prepared = *prepared;
}
/* Returns the time of the batch that has ended, without the cost of reading the clock. See also
   autotune__without_waiting().
   *disturbed: true if other work of the library ran meanwhile, a thread gave up waiting, or another process ran. In a
   RUN of more than 20 ms other processes are expected, and do not count. */
static double autotune__time_batch(autotune__trial_state *trial, uint64_t stopped, uint32_t readings, bool *disturbed) {
    const double ns = autotune__clocked(trial, stopped), cost_ns = readings * trial->clock.cost_ns;
    double own = ns > cost_ns ? ns - cost_ns : 0;
    const double short_ns = 20e6;
    bool preempted;
    if (autotune__is_new(trial) && trial->subject->backend->stop) autotune__exclude_compilation(trial, ns);
    own = autotune__without_waiting(trial, own, &preempted);
    *disturbed = (preempted && trial->sampling.elapsed_ns + own < short_ns) ||
                 __atomic_load_n(&trial->turn->disturbed, __ATOMIC_RELAXED);
    autotune__expect_long(&trial->turn->progress, (uint64_t)ns / trial->batch);
    return own;
}

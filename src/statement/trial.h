/* A trial: one RUN of the race. Buffers, launches, the clock, checks of what was computed, repeats. */
#pragma once
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "../space/describe.h"
#include "../device/cpu.h"
#include "../device/pin.h"
#include "../device/buffers.h"
#include "../device/outputs.h"
#include "../race/race.h"
#include "../registry/recalled.h"
#include "../registry/work.h"
#include "../store/store.h"
#include "failures.h"
#include "time.h"
#include "sample.h"
#include "launch.h"

/* A RUN: one launch after the other, each prepared, or all of a batch behind one start of the clock. */
static bool autotune__is_cold(const autotune__work *work) {
    return (work->options.cache_state ? work->options.cache_state : work->backend->cache_state) == AUTOTUNE_COLD;
}
/* What checking a configuration takes, with large outputs, or compiling it, may be more than all its launches, and is
   no time for launches: the limit by default is put off by it. Not the one that the user gave, nor the one of the first
   launches. */
static void autotune__put_off_limit(autotune__work *work, uint64_t from) {
    const uint64_t now = work->backend->now(work->backend);
    if (!work->race.limits.explicit_seconds && now > from) work->race.limits.seconds += (double)(now - from) / 1e9;
}
static autotune_status autotune__poison_outputs(autotune__work *work) {
    const uint64_t from = work->backend->now(work->backend);
    const autotune_status status = autotune__poison(&work->memories, work->backend);
    autotune__put_off_limit(work, from);
    return status;
}
static autotune_status autotune__prepare_launch(autotune__work *work) {
    const autotune_options *o = &work->options;
    autotune_backend *backend = work->backend;
    autotune_status status;
    if (work->checking && o->outputs.count && (status = autotune__poison_outputs(work)) != AUTOTUNE_OK) return status;
    if ((status = autotune__restore_and_zero(&work->memories, backend)) != AUTOTUNE_OK) return status;
    if (o->setup) o->setup(o->user);
    return autotune__is_cold(work) ? backend->flush(backend) : AUTOTUNE_OK;
}
static bool autotune__prepare_trial(autotune__work *work) {         /* false: it could not be, and the launch failed */
    work->launch_status = autotune__prepare_launch(work);
    if (work->launch_status == AUTOTUNE_ERR_MEMORY) work->race.no_memory = true;
    if (work->launch_status != AUTOTUNE_OK && (!work->why.at || !*work->why.at))
        autotune__append(&work->why, "its buffers could not be prepared");
    return work->launch_status == AUTOTUNE_OK;
}
static uint32_t autotune__batch_of(autotune__work *work) {
    const bool limited = work->request.limit_ns > 0;
    const uint32_t left = work->request.launches - work->launched,
                   most = limited ? work->request.at_least : (uint32_t)AUTOTUNE__MOST_QUEUED;
    work->queued = work->apart && !work->checking && work->backend->mark && !work->options.setup;
    if (work->queued) return left < most ? left : most;
    return work->apart || work->checking || limited ? 1 : left;
}
static bool autotune__launch_trial(autotune__work *work) {          /* false: it could not be prepared, and the launch
                                                                       failed */
    if ((work->apart || work->checking) && !autotune__prepare_trial(work)) return false;
    if (work->checking) autotune__blame(work, NULL);
    work->batch = autotune__batch_of(work);
    work->head.filtering = false;
    work->head.trial = true;
    work->more = work->batch - 1;
    work->started = work->backend->now(work->backend);
    autotune__lose_gap(work);
    if (!work->backend->start) return true;
    work->launch_status = work->backend->start(work->backend);
    if (work->launch_status != AUTOTUNE_OK) autotune__acquit(work);
    return work->launch_status == AUTOTUNE_OK;
}
/* Inside a batch whose launches are prepared and clocked one by one: the next one is queued behind this. */
static bool autotune__queue_launch(autotune__work *work) {          /* false: it could not be, and this was the last */
    autotune_status status = work->backend->mark(work->backend);
    if (status == AUTOTUNE_OK)
        status = autotune__prepare_trial(work) ? work->backend->start(work->backend) : work->launch_status;
    if (status != AUTOTUNE_OK) autotune__fail_launch(work, status);
    return status == AUTOTUNE_OK;
}
/* The first launch of a configuration which earlier runs did not survive: the row says so, and the log. False: there is
   none. */
static void autotune__say_suspect(autotune__work *work, const autotune__row *row) {
    autotune__text text = { NULL, false };
    autotune__append_statement(&text, work);
    autotune__append(&text, ": ");
    autotune__append_point(&text, &work->space, row->index);
    autotune__append(&text, ": %s; 'autotune clear' forgets that", row->note);
    autotune__complain("%s", autotune__string(&text));
    autotune__free_text(&text);
}
static bool autotune__admits_suspect(autotune__work *work, autotune__row *row) {
    const bool others_work = autotune__is_definite(work->race.best_ns);
    autotune__suspicion suspicion = autotune__suspicion_of(work, row->index);
    if (suspicion == AUTOTUNE__UNSUSPECTED) return true;
    if (suspicion == AUTOTUNE__TO_BE_SPARED && !others_work) suspicion = AUTOTUNE__TO_BE_LAST;
    row->note = suspicion == AUTOTUNE__TO_BE_LAST ? "tried last: it did not come back in an earlier run"
                : suspicion == AUTOTUNE__TO_BE_SPARED
                    ? "skipped: the device was lost in its launch in an earlier run, and others work"
                : suspicion == AUTOTUNE__CONVICTED ? "skipped: its launch broke the device in an earlier run"
                                                   : "skipped: it did not come back in earlier runs, again and again";
    autotune__say_suspect(work, row);
    if (suspicion == AUTOTUNE__TO_BE_LAST) {
        if (work->race.runs) autotune__write_checkpoint(work, work->backend->now(work->backend));
        autotune__locate(&work->space, row->index);         /* which the record of the others has left */
        return true;
    }
    autotune__append(&work->why, "%s", row->note);
    work->launch_status = AUTOTUNE_FAILED;
    work->race.skipped = work->race.skipped || suspicion != AUTOTUNE__CONVICTED;    /* which is known to have failed */
    return false;
}
static void autotune__watch_processor(autotune__work *work) {       /* it matters where the CPU itself computes */
    const int before = work->processor;
    if (work->backend->now != autotune__cpu_now) return;
    work->processor = autotune__processor();
    work->moves += before >= 0 && work->processor != before;
}
static bool autotune__start_run(autotune__work *work) {             /* false: the configuration failed before its
                                                                       launch */
    autotune__row *row = autotune__running_row(work);
    autotune_backend *backend = work->backend;
    work->phase = AUTOTUNE__TRYING;
    work->checking = row->launches == 0;
    work->launched = work->readings = work->repeats = 0;
    work->suspect_ns = 0;
    autotune__forget_times(work);
    work->launch_status = AUTOTUNE_OK;
    work->at_fault = false;
    autotune__clear_text(&work->why);
    autotune__locate(&work->space, work->request.index);
    if (work->record->left && work->request.index == work->record->left_index) {
        autotune__append(&work->why, "left the body");
        work->launch_status = AUTOTUNE_ERR_LEFT;
        return false;
    }
    if (work->checking && !autotune__admits_suspect(work, row)) return false;
    if (work->checking && backend->prepare) {
        autotune_config config;
        if (!autotune__configure(&work->space, work->request.index, &config)) {
            work->launch_status = AUTOTUNE_ERR_MEMORY;
            work->race.no_memory = true;
            return false;
        }
        work->launch_status = backend->prepare(backend, &config, &work->space.value[AUTOTUNE_MAX_AXES]);
        row->prepared = work->space.value[AUTOTUNE_MAX_AXES];
        if (work->launch_status != AUTOTUNE_OK) return false;
    }
    work->space.value[AUTOTUNE_MAX_AXES] = row->prepared;
    __atomic_store_n(&work->spoiled, false, __ATOMIC_RELAXED);
    work->preemptions = autotune__preemptions(work->backend);
    autotune__watch_processor(work);
    return autotune__launch_trial(work);
}
/* After a configuration's first launch: outputs against those of the first that worked, then the user's own check. */
static void autotune__check_outputs(autotune__work *work) {
    const autotune_options *o = &work->options;
    const uint64_t from = work->backend->now(work->backend);
    autotune_status status = autotune__compare(&work->memories, work->backend, &work->why);
    if (status == AUTOTUNE_OK && o->verify && !o->verify(o->user)) {
        autotune__append(&work->why, "refused by .verify");
        status = AUTOTUNE_FAILED;
    }
    if (status == AUTOTUNE_OK) status = autotune__keep_outputs(&work->memories, work->backend);
    if (status == AUTOTUNE_ERR_MEMORY) work->race.no_memory = true;
    work->launch_status = status;
    autotune__put_off_limit(work, from);
}
/* Did something else run in the middle of the RUN so far? Another tuner or its waiting, or, where that is not to be
   expected anyway, another process. */
static bool autotune__was_spoiled(autotune__work *work) {
    const double short_ns = 20e6;
    const long before = work->preemptions;
    const bool spoiled = __atomic_exchange_n(&work->spoiled, false, __ATOMIC_RELAXED);
    work->preemptions = autotune__preemptions(work->backend);
    return spoiled || (work->preemptions != before && work->elapsed_ns < short_ns);
}
/* A RUN in which the clock may have jumped, or the process have been stopped, is repeated: that was so if it takes less
   than a tenth of the time now. One that failed is not. */
static bool autotune__is_suspect(autotune__work *work, uint64_t stopped) {
    const double ns = (double)(stopped - work->started), suspect_ns = work->suspect_ns;
    work->suspect_ns = 0;
    if (suspect_ns > 0) {
        if (ns < suspect_ns / 10) autotune__lose(work, suspect_ns);
    } else if (autotune__has_jumped(work, work->started, stopped)) work->suspect_ns = ns;
    if (!(work->suspect_ns > 0) && ns / work->batch > work->longest_known_ns) work->longest_known_ns = ns / work->batch;
    return work->suspect_ns > 0;
}
static bool autotune__repeat_run(autotune__work *work) {
    work->launched = work->readings = 0;
    autotune__forget_times(work);
    return autotune__launch_trial(work);
}
static bool autotune__run_goes_on(const autotune__work *work, uint64_t stopped) {
    const autotune__request *asked = &work->request;
    const bool enough = asked->limit_ns > 0 && work->launched >= asked->at_least && work->elapsed_ns > asked->limit_ns;
    return work->launched < asked->launches && !enough &&
           autotune__seconds(work, stopped) < work->race.limits.seconds;
}
static bool autotune__has_lost_device(const autotune__work *work) {
    return work->launch_status != AUTOTUNE_OK && autotune__class_of(work, work->launch_status) == AUTOTUNE_ERROR_DEVICE;
}
/* A launch that was clocked in no time did not run there, unless the RUN is spoiled, and is made again. Of nothing, a
   reading of a clock with steps shows a quarter of one in the mean, at most; where steps are longer than the least time
   of a launch, it takes some readings to tell. */
static void autotune__check_time(autotune__work *work) {
    const double steps_ns = work->readings * work->race.limits.tick_ns,
                 least_ns = work->launched * work->backend->least_launch_ns;
    const uint32_t some = 16;
    if (work->launch_status != AUTOTUNE_OK || !(least_ns > 0 && work->elapsed_ns < least_ns + steps_ns / 2)) return;
    if (__atomic_load_n(&work->spoiled, __ATOMIC_RELAXED) || (steps_ns > least_ns && work->readings < some)) return;
    autotune__append(
        &work->why,
        "%.0f ns is less than an empty launch takes: the call launches on another stream than .backend names, "
        "or its launch was refused and nobody asked for the error (after <<<>>> return cudaGetLastError())",
        work->elapsed_ns / work->launched);
    work->launch_status = AUTOTUNE_FAILED;
}
/* Takes a launch's (or a batch's) end. True: another launch of the same RUN; false: the RUN is complete, and answer is
   filled. */
static bool autotune__took_launch(autotune__work *work, uint64_t stopped) {
    const uint32_t readings = work->queued ? work->batch : 1;
    const double ns = autotune__clocked(work, stopped), cost_ns = readings * work->clock_cost_ns,
                 own = ns > cost_ns ? ns - cost_ns : 0;
    const bool suspect = autotune__is_suspect(work, stopped);
    if (work->checking && !autotune__has_lost_device(work)) autotune__acquit(work);
    work->stopped = stopped;
    work->witnessed = autotune__witness(work);
    autotune__take_time(work, own);
    work->launched += work->batch;
    autotune__count_launches(work, work->batch);
    work->readings += readings;
    autotune__check_time(work);
    if ((uint64_t)ns / work->batch > work->longest_ns)
        __atomic_store_n(&work->longest_ns, (uint64_t)ns / work->batch, __ATOMIC_RELAXED);
    if (work->checking && work->launch_status == AUTOTUNE_OK && (work->options.outputs.count || work->options.verify))
        autotune__check_outputs(work);
    work->checking = false;
    /* it did not come back in order */
    if (autotune__has_lost_device(work)) autotune__blame(work, work->at_fault ? "launch" : "device");
    if (work->launch_status == AUTOTUNE_OK) {
        const bool spoiled = autotune__was_spoiled(work);
        if (suspect || (spoiled && work->repeats++ < 3)) {      /* three times at most: it may be spoiled always */
            if (autotune__repeat_run(work)) return true;
        } else if (autotune__run_goes_on(work, stopped)) {
            if (autotune__launch_trial(work)) return true;
        } else if (spoiled) work->race.disturbed++;
    } else if (suspect) autotune__lose(work, ns);
    work->race.runs++;
    work->answer.status = work->launch_status;
    work->answer.ns = work->launched ? work->elapsed_ns / work->launched : 0;
    work->answer.launches = work->launched;
    return false;
}

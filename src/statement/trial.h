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
#include "../system/processor.h"
#include "../device/buffers.h"
#include "../device/outputs.h"
#include "../race/race.h"
#include "../registry/recalled.h"
#include "../registry/subject.h"
#include "../registry/work.h"
#include "../store/store.h"
#include "failures.h"
#include "time.h"
#include "sample.h"
#include "launch.h"

/* A RUN: one launch after the other, each prepared, or all of a batch behind one start of the clock. */
static bool autotune__is_cold(const autotune__work *work) {
    return (work->subject.options.cache_state ? work->subject.options.cache_state
                                              : work->subject.backend->cache_state) == AUTOTUNE_COLD;
}
/* What checking a configuration takes, with large outputs, or compiling it, may be more than all its launches, and is
   no time for launches: the limit by default is put off by it. Not the one that the user gave, nor the one of the first
   launches. */
static void autotune__put_off_limit(autotune__work *work, uint64_t from) {
    const uint64_t now = work->subject.backend->now(work->subject.backend);
    if (!work->race.limits.explicit_seconds && now > from) work->race.limits.seconds += (double)(now - from) / 1e9;
}
static autotune_status autotune__poison_outputs(autotune__work *work) {
    const uint64_t from = work->subject.backend->now(work->subject.backend);
    const autotune_status status = autotune__poison(&work->trial.memories, work->subject.backend);
    autotune__put_off_limit(work, from);
    return status;
}
static autotune_status autotune__prepare_launch(autotune__work *work) {
    const autotune_options *o = &work->subject.options;
    autotune_backend *backend = work->subject.backend;
    autotune_status status;
    if (work->trial.checking && o->outputs.count && (status = autotune__poison_outputs(work)) != AUTOTUNE_OK)
        return status;
    if ((status = autotune__restore_and_zero(&work->trial.memories, backend)) != AUTOTUNE_OK) return status;
    if (o->setup) o->setup(o->user);
    return autotune__is_cold(work) ? backend->flush(backend) : AUTOTUNE_OK;
}
static bool autotune__prepare_trial(autotune__work *work) {         /* false: it could not be, and the launch failed */
    work->trial.launch_status = autotune__prepare_launch(work);
    if (work->trial.launch_status == AUTOTUNE_ERR_MEMORY) work->race.no_memory = true;
    if (work->trial.launch_status != AUTOTUNE_OK && (!work->trial.why.at || !*work->trial.why.at))
        autotune__append(&work->trial.why, "its buffers could not be prepared");
    return work->trial.launch_status == AUTOTUNE_OK;
}
static uint32_t autotune__batch_of(autotune__work *work) {
    const bool limited = work->request.limit_ns > 0;
    const uint32_t left = work->request.launches - work->trial.launched,
                   most = limited ? work->request.at_least : (uint32_t)AUTOTUNE__MOST_QUEUED;
    work->trial.queued =
        work->trial.apart && !work->trial.checking && work->subject.backend->mark && !work->subject.options.setup;
    if (work->trial.queued) return left < most ? left : most;
    return work->trial.apart || work->trial.checking || limited ? 1 : left;
}
static bool autotune__launch_trial(autotune__work *work) {          /* false: it could not be prepared, and the launch
                                                                       failed */
    if ((work->trial.apart || work->trial.checking) && !autotune__prepare_trial(work)) return false;
    if (work->trial.checking) autotune__blame(work, NULL);
    work->trial.batch = autotune__batch_of(work);
    work->head.filtering = false;
    work->head.trial = true;
    work->trial.more = work->trial.batch - 1;
    work->watch.started = work->subject.backend->now(work->subject.backend);
    autotune__lose_gap(work);
    if (!work->subject.backend->start) return true;
    work->trial.launch_status = work->subject.backend->start(work->subject.backend);
    if (work->trial.launch_status != AUTOTUNE_OK) autotune__acquit(work);
    return work->trial.launch_status == AUTOTUNE_OK;
}
/* Inside a batch whose launches are prepared and clocked one by one: the next one is queued behind this. */
static bool autotune__queue_launch(autotune__work *work) {          /* false: it could not be, and this was the last */
    autotune_status status = work->subject.backend->mark(work->subject.backend);
    if (status == AUTOTUNE_OK)
        status = autotune__prepare_trial(work) ? work->subject.backend->start(work->subject.backend)
                                               : work->trial.launch_status;
    if (status != AUTOTUNE_OK) autotune__fail_launch(work, status);
    return status == AUTOTUNE_OK;
}
/* The first launch of a configuration which earlier runs did not survive: the row says so, and the log. False: there is
   none. */
static void autotune__say_suspect(autotune__work *work, const autotune__row *row) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &work->subject);
    autotune__append(&text, ": ");
    autotune__append_point(&text, &work->subject.space, row->index);
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
        if (work->race.runs) autotune__write_checkpoint(work, work->subject.backend->now(work->subject.backend));
        autotune__locate(&work->subject.space, row->index);         /* which the record of the others has left */
        return true;
    }
    autotune__append(&work->trial.why, "%s", row->note);
    work->trial.launch_status = AUTOTUNE_FAILED;
    work->race.skipped = work->race.skipped || suspicion != AUTOTUNE__CONVICTED;    /* which is known to have failed */
    return false;
}
static void autotune__watch_processor(autotune__work *work) {       /* it matters where the CPU itself computes */
    const int before = work->pinned.processor;
    if (work->subject.backend->now != autotune__cpu_now) return;
    work->pinned.processor = autotune__processor();
    work->pinned.moves += before >= 0 && work->pinned.processor != before;
}
static bool autotune__start_run(autotune__work *work) {             /* false: the configuration failed before its
                                                                       launch */
    autotune__row *row = autotune__running_row(work);
    autotune_backend *backend = work->subject.backend;
    work->phase = AUTOTUNE__TRYING;
    work->trial.checking = row->launches == 0;
    work->trial.launched = work->trial.readings = work->trial.repeats = 0;
    work->watch.suspect_ns = 0;
    autotune__forget_times(work);
    work->trial.launch_status = AUTOTUNE_OK;
    work->trial.at_fault = false;
    autotune__clear_text(&work->trial.why);
    autotune__locate(&work->subject.space, work->request.index);
    if (work->subject.record->left && work->request.index == work->subject.record->left_index) {
        autotune__append(&work->trial.why, "left the body");
        work->trial.launch_status = AUTOTUNE_ERR_LEFT;
        return false;
    }
    if (work->trial.checking && !autotune__admits_suspect(work, row)) return false;
    if (work->trial.checking && backend->prepare) {
        autotune_config config;
        if (!autotune__configure(&work->subject.space, work->request.index, &config)) {
            work->trial.launch_status = AUTOTUNE_ERR_MEMORY;
            work->race.no_memory = true;
            return false;
        }
        work->trial.launch_status = backend->prepare(backend, &config, &work->subject.space.value[AUTOTUNE_MAX_AXES]);
        row->prepared = work->subject.space.value[AUTOTUNE_MAX_AXES];
        if (work->trial.launch_status != AUTOTUNE_OK) return false;
    }
    work->subject.space.value[AUTOTUNE_MAX_AXES] = row->prepared;
    __atomic_store_n(&work->turn.spoiled, false, __ATOMIC_RELAXED);
    work->trial.preemptions = autotune__preemptions(work->subject.backend);
    autotune__watch_processor(work);
    return autotune__launch_trial(work);
}
/* After a configuration's first launch: outputs against those of the first that worked, then the user's own check. */
static void autotune__check_outputs(autotune__work *work) {
    const autotune_options *o = &work->subject.options;
    const uint64_t from = work->subject.backend->now(work->subject.backend);
    autotune_status status = autotune__compare(&work->trial.memories, work->subject.backend, &work->trial.why);
    if (status == AUTOTUNE_OK && o->verify && !o->verify(o->user)) {
        autotune__append(&work->trial.why, "refused by .verify");
        status = AUTOTUNE_FAILED;
    }
    if (status == AUTOTUNE_OK) status = autotune__keep_outputs(&work->trial.memories, work->subject.backend);
    if (status == AUTOTUNE_ERR_MEMORY) work->race.no_memory = true;
    work->trial.launch_status = status;
    autotune__put_off_limit(work, from);
}
/* Did something else run in the middle of the RUN so far? Another tuner or its waiting, or, where that is not to be
   expected anyway, another process. */
static bool autotune__was_spoiled(autotune__work *work) {
    const double short_ns = 20e6;
    const long before = work->trial.preemptions;
    const bool spoiled = __atomic_exchange_n(&work->turn.spoiled, false, __ATOMIC_RELAXED);
    work->trial.preemptions = autotune__preemptions(work->subject.backend);
    return spoiled || (work->trial.preemptions != before && work->trial.elapsed_ns < short_ns);
}
/* A RUN in which the clock may have jumped, or the process have been stopped, is repeated: that was so if it takes less
   than a tenth of the time now. One that failed is not. */
static bool autotune__is_suspect(autotune__work *work, uint64_t stopped) {
    const double ns = (double)(stopped - work->watch.started), suspect_ns = work->watch.suspect_ns;
    work->watch.suspect_ns = 0;
    if (suspect_ns > 0) {
        if (ns < suspect_ns / 10) autotune__lose(work, suspect_ns);
    } else if (autotune__has_jumped(work, work->watch.started, stopped)) work->watch.suspect_ns = ns;
    if (!(work->watch.suspect_ns > 0) && ns / work->trial.batch > work->watch.longest_known_ns)
        work->watch.longest_known_ns = ns / work->trial.batch;
    return work->watch.suspect_ns > 0;
}
static bool autotune__repeat_run(autotune__work *work) {
    work->trial.launched = work->trial.readings = 0;
    autotune__forget_times(work);
    return autotune__launch_trial(work);
}
static bool autotune__run_goes_on(const autotune__work *work, uint64_t stopped) {
    const autotune__request *asked = &work->request;
    const bool enough =
        asked->limit_ns > 0 && work->trial.launched >= asked->at_least && work->trial.elapsed_ns > asked->limit_ns;
    return work->trial.launched < asked->launches && !enough &&
           autotune__seconds(work, stopped) < work->race.limits.seconds;
}
static bool autotune__has_lost_device(const autotune__work *work) {
    return work->trial.launch_status != AUTOTUNE_OK &&
           autotune__class_of(work, work->trial.launch_status) == AUTOTUNE_ERROR_DEVICE;
}
/* A launch that was clocked in no time did not run there, unless the RUN is spoiled, and is made again. Of nothing, a
   reading of a clock with steps shows a quarter of one in the mean, at most; where steps are longer than the least time
   of a launch, it takes some readings to tell. */
static void autotune__check_time(autotune__work *work) {
    const double steps_ns = work->trial.readings * work->race.limits.tick_ns,
                 least_ns = work->trial.launched * work->subject.backend->least_launch_ns;
    const uint32_t some = 16;
    if (work->trial.launch_status != AUTOTUNE_OK || !(least_ns > 0 && work->trial.elapsed_ns < least_ns + steps_ns / 2))
        return;
    if (__atomic_load_n(&work->turn.spoiled, __ATOMIC_RELAXED) || (steps_ns > least_ns && work->trial.readings < some))
        return;
    autotune__append(
        &work->trial.why,
        "%.0f ns is less than an empty launch takes: the call launches on another stream than .backend names, "
        "or its launch was refused and nobody asked for the error (after <<<>>> return cudaGetLastError())",
        work->trial.elapsed_ns / work->trial.launched);
    work->trial.launch_status = AUTOTUNE_FAILED;
}
/* Takes a launch's (or a batch's) end. True: another launch of the same RUN; false: the RUN is complete, and answer is
   filled. */
static bool autotune__took_launch(autotune__work *work, uint64_t stopped) {
    const uint32_t readings = work->trial.queued ? work->trial.batch : 1;
    const double ns = autotune__clocked(work, stopped), cost_ns = readings * work->trial.clock_cost_ns,
                 own = ns > cost_ns ? ns - cost_ns : 0;
    const bool suspect = autotune__is_suspect(work, stopped);
    if (work->trial.checking && !autotune__has_lost_device(work)) autotune__acquit(work);
    work->watch.stopped = stopped;
    work->watch.witnessed = autotune__witness(work);
    autotune__take_time(work, own);
    work->trial.launched += work->trial.batch;
    autotune__count_launches(work, work->trial.batch);
    work->trial.readings += readings;
    autotune__check_time(work);
    if ((uint64_t)ns / work->trial.batch > work->turn.longest_ns)
        __atomic_store_n(&work->turn.longest_ns, (uint64_t)ns / work->trial.batch, __ATOMIC_RELAXED);
    if (work->trial.checking && work->trial.launch_status == AUTOTUNE_OK &&
        (work->subject.options.outputs.count || work->subject.options.verify))
        autotune__check_outputs(work);
    work->trial.checking = false;
    /* it did not come back in order */
    if (autotune__has_lost_device(work)) autotune__blame(work, work->trial.at_fault ? "launch" : "device");
    if (work->trial.launch_status == AUTOTUNE_OK) {
        const bool spoiled = autotune__was_spoiled(work);
        if (suspect || (spoiled && work->trial.repeats++ < 3)) { /* three times at most: it may be spoiled always */
            if (autotune__repeat_run(work)) return true;
        } else if (autotune__run_goes_on(work, stopped)) {
            if (autotune__launch_trial(work)) return true;
        } else if (spoiled)
            work->race.disturbed++;
    } else if (suspect) autotune__lose(work, ns);
    work->race.runs++;
    work->answer.status = work->trial.launch_status;
    work->answer.ns = work->trial.launched ? work->trial.elapsed_ns / work->trial.launched : 0;
    work->answer.launches = work->trial.launched;
    return false;
}

/* Winners that the cache on disk names: each is launched for real, and published if it works. */
#pragma once
#include <pthread.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../api/functions.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/labels.h"
#include "../space/describe.h"
#include "../device/buffers.h"
#include "../race/batch.h"
#include "../registry/recalled.h"
#include "../registry/subject.h"
#include "../registry/work.h"
#include "../registry/thread_turns.h"
#include "../registry/results.h"
#include "../store/store.h"
#include "describe.h"
#include "launch.h"
#include "trial.h"

/* A winner that the cache names is launched for real, with the buffers saved: what works is published, what fails is
   undone, and the next is tried or the key is tuned again. */
static void autotune__say_of_candidate(autotune__work *work, const char *what, const char *why) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &work->subject);
    autotune__append(&text, ": the cache names ");
    autotune__append_point(&text, &work->subject.space, work->store.candidates[work->store.next - 1].index);
    autotune__append(&text, ", which %s%s%s; %s", what, *why ? ": " : "", why,
                     work->store.next < work->store.count ? "another that was nearly as fast is tried" :
                     work->subject.mode == AUTOTUNE_ON ? "this key is tuned again" : "no winner is known");
    autotune__complain("%s", autotune__string(&text));
    autotune__free_text(&text);
}
static void autotune__accept_candidate(autotune__work *work) {
    const uint64_t prepared = work->subject.space.value[AUTOTUNE_MAX_AXES];
    work->store.launching = false;
    if (autotune__finds_winner(work)) return;        /* another thread was faster */
    autotune__settle(work, work->result.index, prepared);
    autotune__keep_line(work, &work->store.line);
}
/* What the cache knows is of other kernels: all is raced. */
static void autotune__drop_outdated(autotune__work *work) {
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &work->subject);
    autotune__append(
        &text,
        ": what an earlier run found no longer counts: the source of a kernel, or its compiler, has changed since");
    autotune__say(AUTOTUNE_LOG_WINNER, autotune__string(&text));
    autotune__free_text(&text);
    work->store.next = work->store.count;
    work->store.outdated = false;
    work->store.all_anew = true;
}
static bool autotune__reject_candidate(autotune__work *work) {     /* false: the error is not the configuration's own */
    autotune_backend *backend = work->subject.backend;
    if (autotune__class_of(work->subject.backend, work->trial.launch_status) != AUTOTUNE_ERROR_CONFIGURATION)
        return false;
    if (autotune__put_back(&work->trial.memories, backend) != AUTOTUNE_OK) return false;
    if (work->store.outdated) autotune__drop_outdated(work);
    else autotune__say_of_candidate(work, "no longer works", autotune__reason(&work->trial, work->trial.launch_status));
    autotune__free_memories(&work->trial.memories, backend);
    work->store.launching = false;
    work->trial.launches++;
    work->phase = AUTOTUNE__RECALLING;
    return true;
}
static void autotune__launched_for_real(autotune__work *work) {
    autotune_result *result = &work->result;
    if (work->store.launching && work->trial.launch_status == AUTOTUNE_OK) autotune__accept_candidate(work);
    result->status = work->trial.launch_status != AUTOTUNE_OK ? work->trial.launch_status : work->status;
    if (work->trial.launch_status != AUTOTUNE_OK) {
        if (work->entry &&
            autotune__class_of(work->subject.backend, work->trial.launch_status) == AUTOTUNE_ERROR_CONFIGURATION) {
            pthread_mutex_lock(&autotune__lock);
            autotune__forget(work->entry);
            work->entry->record->distrusted = true;
            pthread_mutex_unlock(&autotune__lock);
        }
        autotune__report(work, work->trial.launch_status, "%s%s%s", autotune_status_text(work->trial.launch_status),
                         work->trial.why.at && *work->trial.why.at ? ": " : "",
                         work->trial.why.at ? autotune__string(&work->trial.why) : "");
    }
    if (work->subject.options.result) *work->subject.options.result = autotune__shown(result);
    work->phase = AUTOTUNE__ENDED;
}

/* Candidates of the cache, one by one. */
static bool autotune__judge_candidate(autotune__work *work) {      /* binds the next; false: there is none */
    autotune__store *recall = &work->store;
    while (recall->next < recall->count)
        if (autotune__judge(work, recall->candidates[recall->next++].index)) return true;
    return false;
}
static void autotune__distrust(autotune__work *work) {
    autotune__clear_result(&work->result);
    autotune__set(&work->subject.record->distrusted);
}
static bool autotune__launch_candidate(autotune__work *work, const autotune__candidate *candidate) {
    autotune_backend *backend = work->subject.backend;
    autotune__configure(&work->subject.space, candidate->index, &work->result.config);
    work->subject.space.value[AUTOTUNE_MAX_AXES] = 0;
    work->trial.launch_status = AUTOTUNE_OK;
    autotune__clear_text(&work->trial.why);
    if (backend->prepare)
        work->trial.launch_status =
            backend->prepare(backend, &work->result.config, &work->subject.space.value[AUTOTUNE_MAX_AXES]);
    if (work->trial.launch_status == AUTOTUNE_OK && backend->start && !work->tune_only)
        work->trial.launch_status = backend->start(backend);
    if (work->trial.launch_status != AUTOTUNE_OK) {
        if (!autotune__reject_candidate(work)) autotune__launched_for_real(work);
        return false;
    }
    autotune__log_recalled(work, candidate->index);
    work->store.launching = true;
    if (!work->tune_only) return autotune__launch_for_real(work, candidate->index);
    autotune__accept_candidate(work);           /* a call will show whether it works */
    return autotune__end_with_result(work);
}
static bool autotune__try_candidate(autotune__work *work) {        /* the one that was bound and judged */
    const autotune__candidate *candidate = &work->store.candidates[work->store.next - 1];
    autotune_status status;
    if (!autotune__is_eligible(&work->answer)) {
        autotune__say_of_candidate(work, "WHERE and PRIORITY no longer admit", "");
        work->store.all_anew = true;
        return false;
    }
    if ((status = autotune__snapshot(&work->trial.memories, &work->subject.options, work->subject.backend)) !=
        AUTOTUNE_OK) {
        autotune__report(work, status, "the buffers cannot be saved (%s): %s", autotune__reason(&work->trial, status),
                         autotune__instead(work));
        autotune__seek_first(work);
        return false;
    }
    work->result = work->store.result;
    work->result.index = candidate->index;
    work->result.median_ns = candidate->median_ns;
    work->result.min_ns = candidate->min_ns;
    work->result.cache_hit = true;
    if (work->store.next > 1) {                 /* not the winner */
        work->result.verdict = AUTOTUNE_UNRESOLVED;
        work->result.runner_up_ns = AUTOTUNE__NEVER;
    }
    return autotune__launch_candidate(work, candidate);
}

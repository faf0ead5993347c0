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
#include "../registry/subject.h"
#include "work.h"
#include "../registry/thread_turns.h"
#include "../registry/results.h"
#include "../registry/report.h"
#include "../store/store.h"
#include "describe.h"
#include "launch.h"
#include "trial.h"

/* A winner that the cache names is launched for real, with the buffers saved: what works is published, what fails is
   undone, and the next is tried or the key is tuned again. */
static void autotune__say_of_candidate(autotune__work *work, const char *what, const char *why) {
    const autotune__recalled *recalled = &work->store.recalled;
    autotune__text text = { NULL, false };
    autotune__append_subject(&text, &work->subject);
    autotune__append(&text, ": the cache names ");
    autotune__append_point(&text, &work->subject.space, recalled->candidates[recalled->next - 1].index);
    autotune__append(&text, ", which %s%s%s; %s", what, *why ? ": " : "", why,
                     recalled->next < recalled->count ? "another that was nearly as fast is tried" :
                     work->subject.mode == AUTOTUNE_ON ? "this key is tuned again" : "no winner is known");
    autotune__complain("%s", autotune__string(&text));
    autotune__free_text(&text);
}
static void autotune__accept_candidate(autotune__work *work) {
    const uint64_t prepared = work->subject.space.value[AUTOTUNE_MAX_AXES];
    work->launches_candidate = false;
    if (autotune__finds_winner(work)) return;        /* another thread was faster */
    autotune__settle(work, work->result.index, prepared);
    autotune__keep_line(&work->store, &work->store.recalled.line);
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
    autotune__drop_outdated_records(&work->store);
}
static bool autotune__reject_candidate(autotune__work *work) {     /* false: the error is not the configuration's own */
    autotune_backend *backend = work->subject.backend;
    if (autotune__class_of(work->subject.backend, work->trial.launch_status) != AUTOTUNE_ERROR_CONFIGURATION)
        return false;
    if (autotune__put_back(&work->trial.memories, backend) != AUTOTUNE_OK) return false;
    if (work->store.outdated) autotune__drop_outdated(work);
    else autotune__say_of_candidate(work, "no longer works", autotune__reason(&work->trial, work->trial.launch_status));
    autotune__free_memories(&work->trial.memories, backend);
    work->launches_candidate = false;
    work->trial.launches++;
    work->phase = AUTOTUNE__RECALLING;
    return true;
}
static void autotune__launched_for_real(autotune__work *work) {
    autotune_result *result = &work->result;
    if (work->launches_candidate && work->trial.launch_status == AUTOTUNE_OK) autotune__accept_candidate(work);
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
    autotune__recalled *recalled = &work->store.recalled;
    while (recalled->next < recalled->count)
        if (autotune__judge(work, recalled->candidates[recalled->next++].index)) return true;
    return false;
}
static void autotune__distrust(autotune__work *work) {
    autotune__clear_result(&work->result);
    autotune__set(&work->subject.record->distrusted);
}
static void autotune__log_recalled(autotune__work *work, size_t index) {
    autotune__text line = { NULL, false };
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER) return;
    autotune__append_subject(&line, &work->subject);
    autotune__append(&line, ": ");
    autotune__append_point(&line, &work->subject.space, index);
    autotune__append(&line, ": ");
    autotune__append_time(&line, work->result.median_ns);
    autotune__append(&line, ", known from an earlier run");
    autotune__say(AUTOTUNE_LOG_WINNER, autotune__string(&line));
    autotune__free_text(&line);
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
    work->launches_candidate = true;
    if (!work->tune_only) return autotune__launch_for_real(work, candidate->index);
    autotune__accept_candidate(work);           /* a call will show whether it works */
    return autotune__end(work);
}
static bool autotune__try_candidate(autotune__work *work) {        /* the one that was bound and judged */
    const autotune__candidate *candidate = &work->store.recalled.candidates[work->store.recalled.next - 1];
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
    work->result = work->store.recalled.result;
    work->result.index = candidate->index;
    work->result.median_ns = candidate->median_ns;
    work->result.min_ns = candidate->min_ns;
    work->result.cache_hit = true;
    if (work->store.recalled.next > 1) {                 /* not the winner */
        work->result.verdict = AUTOTUNE_UNRESOLVED;
        work->result.runner_up_ns = AUTOTUNE__NEVER;
    }
    return autotune__launch_candidate(work, candidate);
}

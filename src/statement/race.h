/* The race of a statement: what it starts with, how it ends, and what breaks it off. */
#pragma once
#include <pthread.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/labels.h"
#include "../device/buffers.h"
#include "../race/race.h"
#include "../race/sample.h"
#include "../race/decide.h"
#include "../registry/records.h"
#include "work.h"
#include "../registry/results.h"
#include "../registry/report.h"
#include "../registry/key_distance.h"
#include "../store/store.h"
#include "time.h"
#include "launch.h"
#include "trial.h"

/* Who won before: in this process, which mode FORCE asks anew, or in a former one. */
static size_t autotune__incumbent_of(autotune__work *work) {
    size_t index = work->store.former.winner;
    pthread_mutex_lock(&autotune__lock);
    if (work->subject.record->entry) index = work->subject.record->entry->result.index;
    pthread_mutex_unlock(&autotune__lock);
    return index;
}
static bool autotune__make_race(autotune__work *work) {            /* false: no memory */
    autotune__race *race = (autotune__race *)autotune__allocate(sizeof *race);
    work->subject.record->race = work->trial.race = race;
    return race != NULL;
}
/* Prepares the race of the statement's space, with what is known before it. */
static void autotune__set_up_race(autotune__work *work, const autotune__limits *limits) {
    const autotune__space *space = &work->subject.space;
    autotune__race_setup setup;
    memset(&setup, 0, sizeof setup);
    setup.points = space->points;
    setup.space = space;
    setup.sampled = space->points > AUTOTUNE_MAX_POINTS && !space->pruned;
    setup.incumbent = autotune__incumbent_of(work);
    setup.postponed = work->store.crashes.points;
    setup.postponed_count = autotune__count(setup.postponed);
    if (autotune__is_searched(&setup, limits->strategy, space->points))
        autotune__seed_from_disk(&work->store, autotune__seed_from_process(&work->subject, &setup.seeds), &setup.seeds);
    autotune__prepare_race(work->trial.race, &setup, limits);
}
/* What former times left out is raced after all: nothing else works, or the times were of other kernels. */
static void autotune__race_anew(autotune__work *work) {
    const autotune__limits limits = work->trial.race->limits;
    autotune__forget_former(&work->store);
    autotune__free_race(work->trial.race);
    autotune__set_up_race(work, &limits);
    work->judged = 0;
    work->request = autotune__decide(work->trial.race, NULL, 0);
    work->phase = AUTOTUNE__JUDGING;
}
/* All configurations failed: what the race found out is worth knowing. Without memory it is not remembered, and nothing
   is lost by that. */
static void autotune__remember_failure(autotune__work *work) {
    autotune__history *history;
    work->result.status = AUTOTUNE_ERR_ALL_FAILED;
    if (!(history = autotune__new_history(&work->subject, work->trial.race, &work->result))) return;
    pthread_mutex_lock(&autotune__lock);
    if (work->subject.record->entry) autotune__drop_history(history);      /* a winner of before stands */
    else autotune__keep_history(work->subject.record, history);
    pthread_mutex_unlock(&autotune__lock);
}
static bool autotune__conclude_without_winner(autotune__work *work) {
    const autotune__race *race = work->trial.race;
    const bool no_memory = race->no_memory, any = race->admitted_count > 0, sampled = race->setup.sampled;
    autotune__text failures = { NULL, false };
    autotune__append_failures(&failures, &work->subject, race);
    if (any && !no_memory) autotune__remember_failure(work);
    autotune__stop_racing(work);
    if (no_memory)
        autotune__report(work, AUTOTUNE_ERR_MEMORY, "out of memory while tuning; %s", autotune__instead(work));
    else if (any)
        autotune__report(work, AUTOTUNE_ERR_ALL_FAILED,
                         "none of %lu configurations works, so the call was not made: %s",
                         (unsigned long)work->result.tried, autotune__string(&failures));
    else
        autotune__report(
            work, AUTOTUNE_ERR_SPACE,
            sampled ? "WHERE and PRIORITY leave none of the %lu points that were looked at, so the call was not made"
                    : "WHERE and PRIORITY leave none of %lu configurations, so the call was not made",
            (unsigned long)(sampled ? work->judged : work->subject.space.points));
    autotune__free_text(&failures);
    if (!no_memory) return autotune__end(work);
    autotune__seek_first(work);
    return true;
}
/* The end of a race: by a winner, or without one. */
static bool autotune__conclude(autotune__work *work) {
    const size_t winner = work->trial.race->winner;
    work->result.seconds = autotune__seconds(&work->trial, work->subject.backend->now(work->subject.backend));
    autotune__summarise(work->trial.race, &work->result);
    work->result.space_size += work->store.former.left_out;
    work->result.launches = work->trial.launches + (winner != SIZE_MAX);
    if (work->trial.race->setup.sampled && work->trial.race->limits.top_k)
        autotune__report(work, AUTOTUNE_ERR_ARGUMENT,
                         ".top_k needs a space of up to %d points, which can be listed; this one was searched",
                         (int)AUTOTUNE_MAX_POINTS);
    else if (work->trial.race->no_model)
        autotune__report(
            work, AUTOTUNE_ERR_ARGUMENT,
            ".top_k needs a MODEL in the space, which predicts costs; without one all configurations were raced");
    work->status = AUTOTUNE_OK;                 /* that was no more than a hint */
    if (autotune__put_back(&work->trial.memories, work->subject.backend) != AUTOTUNE_OK) {
        autotune__stop_racing(work);
        autotune__report(work, AUTOTUNE_ERR_DEVICE, "the buffers could not be put back, so the call was not made");
        return autotune__end(work);
    }
    if (winner == SIZE_MAX && work->store.former.left_out && !work->trial.race->no_memory) {
        autotune__race_anew(work);
        return true;
    }
    autotune__log_race(&work->subject, work->trial.race, &work->result, work->store.policy == AUTOTUNE_CACHE_ON,
                       work->trial.pinned.moves);
    if (winner != SIZE_MAX) {
        const size_t index = work->trial.race->rows[winner].index;
        autotune__remember(&work->store, work->trial.race, &work->result, work->trial.launches);
        autotune__settle(work, index, work->trial.race->rows[winner].prepared);
        return autotune__launch_for_real(work, index);
    }
    return autotune__conclude_without_winner(work);
}
/* A launch ended with an error that is not its configuration's own: nothing more is launched. */
static bool autotune__break_off(autotune__work *work, autotune_status status, autotune_error_class error) {
    const bool gone = error == AUTOTUNE_ERROR_DEVICE;
    autotune__text point = { NULL, false };
    autotune__file(work->trial.race, &work->trial.answer);
    autotune__put_back(&work->trial.memories, work->subject.backend);         /* as far as the device still can */
    autotune__stop_racing(work);
    autotune__append_point(&point, &work->subject.space, work->request.index);
    autotune__report(work, gone ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_ENVIRONMENT,
                     "tuning stopped at %s, and the call was not made: %s", autotune__string(&point),
                     autotune__reason(&work->trial, status));
    autotune__free_text(&point);
    return autotune__end(work);
}
/* The body was left during a trial. What it did stays; the configuration fails; after the second time the key stays
   untuned. */
static void autotune__left_body(autotune__work *work) {
    autotune__record *record = work->subject.record;
    autotune__text point = { NULL, false };
    if (work->subject.backend->stop) autotune__clocked(&work->trial, 0);        /* the device may still be writing */
    autotune__acquit(&work->store, work->trial.request.index);
    autotune__unpoison(&work->trial.memories, work->subject.backend);
    autotune__count_launches(&work->trial, work->trial.batch - work->trial.more);
    autotune__append(&work->trial.why, "left the body");
    work->trial.launch_status = AUTOTUNE_ERR_LEFT;
    autotune__end_run(&work->trial);
    autotune__file(work->trial.race, &work->trial.answer);
    autotune__append_point(&point, &work->subject.space, work->request.index);
    record->left_index = work->request.index;               /* the race is ours: nobody else looks at these */
    autotune__left_key = record;
    if (++record->left < 2) {
        autotune__stop_racing(work);
        autotune__report(
            work, AUTOTUNE_ERR_LEFT,
            "a trial of %s left the body by break, return, goto or an exception; the next call tunes without it",
            autotune__string(&point));
    } else {
        const size_t first = autotune__first_admitted(work->trial.race);
        autotune__summarise(work->trial.race, &work->result);
        work->result.launches = work->trial.launches;
        work->result.verdict = AUTOTUNE_DEFAULT;
        autotune__settle(work, first, autotune__prepared_of(work->trial.race, first));
        autotune__report(
            work, AUTOTUNE_ERR_LEFT,
            "a trial of %s left the body, the second to do so; this key stays on the first configuration from now on",
            autotune__string(&point));
    }
    autotune__free_text(&point);
    autotune__end(work);
}

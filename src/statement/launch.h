/* The call itself, made for real: with the winner, or with the first configuration. */
#pragma once
#include <pthread.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/axes.h"
#include "../space/describe.h"
#include "../system/processor.h"
#include "../race/race.h"
#include "../race/decide.h"
#include "../registry/entries.h"
#include "../registry/records.h"
#include "work.h"
#include "../registry/thread_turns.h"
#include "../registry/results.h"
#include "../registry/report.h"
#include "../store/store.h"

/* The first configuration, launched alone: for OFF, for CACHED on a miss, and when tuning is impossible. With REQUIRE
   nothing is launched in its place. */
static void autotune__seek_first(autotune__work *work) {
    work->phase = AUTOTUNE__SEEKING;
    work->point = work->judged = 0;
    work->subject.space.value[AUTOTUNE_MAX_AXES] = 0;   /* of another configuration */
}
static const char *autotune__instead(const autotune__work *work) {
    if (work->tune_only) return "nothing was tuned";
    return work->subject.mode == AUTOTUNE_REQUIRE ? "the mode is REQUIRE, so the call was not made"
                                          : "the first configuration is launched untuned";
}
/* Ends the statement without its call. */
static bool autotune__end(autotune__work *work) {
    work->phase = AUTOTUNE__ENDED;
    work->result.launches = work->trial.launches;
    work->result.status = work->status;
    if (work->subject.options.result) *work->subject.options.result = autotune__shown(&work->result);
    return false;
}
/* Makes the call with the configuration at index, unless it was only to be tuned. */
static bool autotune__launch_for_real(autotune__work *work, size_t index) {
    if (work->tune_only) return autotune__end(work);
    autotune__locate(&work->subject.space, index);
    if (work->result.config.count)
        /* strings that stay */
        memcpy(work->subject.space.value, work->result.config.values, sizeof work->result.config.values);
    work->phase = AUTOTUNE__LAUNCHING;
    work->head.filtering = work->head.trial = false;
    work->trial.more = 0;
    work->trial.batch = 0;
    work->trial.launch_status = AUTOTUNE_OK;
    work->result.launches = work->trial.launches + 1;
    autotune__clear_text(&work->trial.why);
    return true;
}
static bool autotune__launch_known(autotune__work *work) {
    work->result = work->entry->result;
    if (work->tune_only) return autotune__end(work);
    memcpy(work->subject.space.value, work->entry->value, AUTOTUNE_MAX_AXES * sizeof *work->subject.space.value);
    work->subject.space.value[AUTOTUNE_MAX_AXES] =
        __atomic_load_n(&work->entry->value[AUTOTUNE_MAX_AXES], __ATOMIC_ACQUIRE);
    work->subject.space.at = SIZE_MAX;                  /* value[] is the entry's own */
    work->phase = AUTOTUNE__LAUNCHING;
    work->head.filtering = work->head.trial = false;
    work->trial.more = 0;
    work->trial.launch_status = AUTOTUNE_OK;
    return true;
}
static bool autotune__finds_winner(autotune__work *work) {          /* in the registry */
    autotune__entry *entry = autotune__look_up(&work->subject);
    if (entry) work->entry = entry;
    return entry != NULL;
}
/* The end of this statement's race, if there is one. The cache on disk goes first: its lock is the process's, and once
   the turn is given back another thread may race this key. */
static void autotune__leave_race(autotune__work *work) {
    autotune__hide_progress();
    autotune__unpin(&work->trial.pinned.affinity);
    autotune__close_race(&work->store, work->trial.race);
}
static void autotune__end_race(autotune__work *work) {              /* with autotune__lock */
    if (work->trial.race) {
        autotune__free_race(work->trial.race);
        autotune__free(work->trial.race);
        work->subject.record->race = work->trial.race = NULL;
    }
    autotune__release(&work->turn);
}
/* Publishes the winner of the key. Without memory it is used once, and found again at the next call. */
static void autotune__settle(autotune__work *work, size_t index, uint64_t prepared) {
    autotune__history *history = NULL;
    work->result.index = index;
    work->result.status = AUTOTUNE_OK;
    if (autotune__configure(&work->subject.space, index, &work->result.config))
        history = autotune__new_history(&work->subject, work->trial.race, &work->result);
    autotune__locate(&work->subject.space, index);
    work->subject.space.value[AUTOTUNE_MAX_AXES] = prepared;
    autotune__leave_race(work);
    pthread_mutex_lock(&autotune__lock);
    if (history) work->entry = autotune__revived(&work->subject, &work->result);
    if (history && !work->entry) work->entry = autotune__list_entry(autotune__new_entry(&work->subject, &work->result));
    if (work->entry) {
        if (work->subject.record->entry) autotune__forget(work->subject.record->entry);
        work->subject.record->entry = work->entry;
        autotune__keep_history(work->subject.record, history);
        if (!autotune__find_said(work->subject.site, &work->subject.options))
            autotune__publish(work->subject.site, work->entry);
    } else autotune__drop_history(history);
    autotune__end_race(work);
    pthread_mutex_unlock(&autotune__lock);
    if (!work->entry)
        autotune__report(work, AUTOTUNE_ERR_MEMORY,
                         "out of memory: the winner is used but cannot be kept; the next call tunes again");
}
static void autotune__stop_racing(autotune__work *work) {
    autotune__summarise(work->trial.race, &work->result);
    autotune__leave_race(work);
    pthread_mutex_lock(&autotune__lock);
    autotune__end_race(work);
    pthread_mutex_unlock(&autotune__lock);
}

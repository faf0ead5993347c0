/* From the axes to the race: a known winner, another's race, or a race of the statement's own. */
#pragma once
#include <time.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "../space/describe.h"
#include "../device/clock.h"
#include "../system/processor.h"
#include "../device/buffers.h"
#include "../race/race.h"
#include "../race/batch.h"
#include "../race/decide.h"
#include "../registry/subject.h"
#include "work.h"
#include "../registry/thread_turns.h"
#include "../store/store.h"
#include "options.h"
#include "begin.h"
#include "time.h"
#include "launch.h"
#include "race.h"
#include "trial.h"

/* After the axes: from the registry to the race, or round it. False: the statement ends here. */
static bool autotune__untuned(autotune__work *work) { autotune__seek_first(work); return true; }
static bool autotune__miss(autotune__work *work) {
    autotune__report(work, AUTOTUNE_ERR_MISS,
                     "no winner is known for this key and the mode is REQUIRE, so the call was not made");
    return autotune__end(work);
}
static void autotune__say_untuned(autotune__work *work) {           /* once of each key */
    autotune__text text = { NULL, false };
    if (autotune__is_set(&work->subject.record->said_untuned)) return;
    autotune__set(&work->subject.record->said_untuned);
    autotune__append_subject(&text, &work->subject);
    autotune__append(
        &text,
        ": the first configuration is launched untuned: %s; a later call tunes, and to tune this key before that race "
        "begins avoids it",
        autotune__string(&work->trial.why));
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__string(&text));
    autotune__free_text(&text);
}
static bool autotune__untuned_for_now(autotune__work *work) {
    const bool hindered = work->trial.why.at && *work->trial.why.at;
    if (work->tune_only && work->subject.mode != AUTOTUNE_CACHED)
        autotune__report(work, AUTOTUNE_ERR_MISS, "nothing was tuned: %s",
                         hindered ? autotune__string(&work->trial.why) : "the winner is being looked for further out");
    else if (hindered) autotune__say_untuned(work);
    return autotune__untuned(work);
}
static bool autotune__start_race(autotune__work *work) {
    const autotune_options *o = &work->subject.options;
    autotune_status status = autotune__snapshot(&work->trial.memories, o, work->subject.backend);
    autotune__limits limits;
    autotune__clock clock;
    if (status != AUTOTUNE_OK && autotune__class_of(work->subject.backend, status) != AUTOTUNE_ERROR_CONFIGURATION) {
        autotune__stop_racing(work);
        autotune__report(work, status, "the buffers cannot be saved (%s), so the call was not made",
                         autotune__reason(&work->trial, status));
        return autotune__end(work);
    }
    if (status != AUTOTUNE_OK) {
        autotune__stop_racing(work);
        autotune__report(work, status, "the buffers cannot be saved (%s): %s", autotune__reason(&work->trial, status),
                         autotune__instead(work));
        return autotune__untuned(work);
    }
    if (!autotune__make_race(work)) {
        autotune__stop_racing(work);
        autotune__report(work, AUTOTUNE_ERR_MEMORY, "out of memory; %s", autotune__instead(work));
        return autotune__untuned(work);
    }
    if (autotune__environment.pin && !autotune__pin(&work->trial.pinned.affinity))
        autotune__say(AUTOTUNE_LOG_WINNER,
                      "AUTOTUNE_PIN=core has no effect: the system refuses to hold this thread on a processor");
    work->trial.pinned.processor = -1;
    work->trial.apart = o->restore.count || o->zero.count || o->setup || autotune__is_cold(&work->trial);
    clock = autotune__clock_of(work->subject.backend);
    work->trial.clock_cost_ns = clock.cost_ns;
    limits = autotune__limits_of(work, clock.tick_ns);
    autotune__enter_race(&work->store);
    autotune__set_up_race(work, &limits);
    work->trial.watch.began = work->trial.watch.stopped = work->subject.backend->now(work->subject.backend);
    work->trial.watch.witnessed = autotune__witness(&work->trial);
    work->request = autotune__decide(work->trial.race, NULL, 0);
    work->phase = AUTOTUNE__JUDGING;
    return true;
}
/* False: the backend does not work here, and the statement ends without its call. */
static bool autotune__backend_is_ready(autotune__work *work) {
    const autotune_status status =
        work->subject.backend->ready ? work->subject.backend->ready(work->subject.backend) : AUTOTUNE_OK;
    if (status == AUTOTUNE_REJECTED) {
        work->not_now = true;
        if (work->subject.mode != AUTOTUNE_REQUIRE) work->subject.mode = AUTOTUNE_CACHED;
    } else if (status != AUTOTUNE_OK) {
        autotune__report(work, status, "%s; the call was not made", autotune__reason(&work->trial, status));
        return false;
    }
    return true;
}
/* How long a race of this statement might take, a minute at most: as long others are waited for. In nanoseconds. */
static uint64_t autotune__longest_wait(const autotune__work *work) {
    const autotune__limits limits = autotune__limits_of(work, 0);
    const double seconds = limits.seconds + limits.screen_seconds;
    return (uint64_t)((seconds < 60 ? seconds + 0.1 : 60) * 1e9);
}
static void autotune__pause_thread(const autotune__work *work, long milliseconds) {
    const struct timespec pause = { 0, milliseconds * 1000000 };
    autotune__set_cancellation(work->turn.cancellation);
    nanosleep(&pause, NULL);
    autotune__hold_cancellation();
}
/* First alone among the threads, then among processes. While another process races the key, the device is free for the
   other threads. */
static bool autotune__take_turn(autotune__work *work) {
    const uint64_t longest_wait = autotune__longest_wait(work);
    long pause = 1;
    for (;; pause += pause < 20) {
        switch (autotune__look_up_or_claim(&work->turn, longest_wait, &work->entry, &work->trial.why)) {
        case AUTOTUNE__KNOWN: return autotune__launch_known(work);
        case AUTOTUNE__MISSED: return autotune__miss(work);
        case AUTOTUNE__UNTUNED: return autotune__untuned_for_now(work);
        default: break;
        }
        switch (autotune__try_key(&work->store, longest_wait, &work->trial.why)) {
        case AUTOTUNE__OURS: return autotune__start_race(work);
        case AUTOTUNE__ANSWERED:
            autotune__stop_racing(work);
            work->phase = AUTOTUNE__RECALLING;
            return true;
        case AUTOTUNE__GIVEN_UP:
            autotune__stop_racing(work);
            return autotune__untuned_for_now(work);
        default:
            autotune__stop_racing(work);
            autotune__pause_thread(work, pause);
        }
    }
}
static bool autotune__open(autotune__work *work) {
    autotune__space *space = &work->subject.space;
    autotune__text problem = { NULL, false };
    if (!space->no_memory) autotune__finish_space(space);
    if (space->no_memory) {
        autotune__report(work, AUTOTUNE_ERR_MEMORY, "out of memory for the values of the axes; the call was not made");
        return autotune__end(work);
    }
    if (!space->points) {
        autotune__report(work, AUTOTUNE_ERR_SPACE, "the space is empty, so the call was not made: %s",
                         space->problem ? space->problem : "an axis has no value");
        return autotune__end(work);
    }
    if (autotune__option_problem(&problem, &work->subject.options))
        autotune__report(work, AUTOTUNE_ERR_ARGUMENT, "%s; %s", autotune__string(&problem), autotune__instead(work));
    else if (space->problem)
        autotune__report(work, AUTOTUNE_ERR_ARGUMENT, "%s; %s", space->problem, autotune__instead(work));
    else if (space->points == SIZE_MAX)
        autotune__report(work, AUTOTUNE_ERR_ARGUMENT,
                         "the space has more points than can be numbered: give fewer values; %s",
                         autotune__instead(work));
    autotune__free_text(&problem);
    if (work->status != AUTOTUNE_OK || work->subject.mode == AUTOTUNE_OFF || work->refused)
        return autotune__untuned(work);
    if (!autotune__backend_is_ready(work)) return autotune__end(work);
    if (!autotune__identify(work)) {
        autotune__report(work, AUTOTUNE_ERR_MEMORY, "out of memory; %s", autotune__instead(work));
        return autotune__untuned(work);
    }
    if (autotune__finds_winner(work)) return autotune__launch_known(work);
    if (!work->not_now && autotune__recall_winner(&work->store)) { work->phase = AUTOTUNE__RECALLING; return true; }
    return autotune__take_turn(work);
}
/* The point that the loop was asked about, in search of the first configuration. True: it is the one, and its launch
   comes next. */
static bool autotune__is_first(autotune__work *work, size_t index) {
    if (!autotune__is_eligible(&work->answer)) return false;
    work->result.index = index;
    if (work->subject.options.result || autotune__has_strings(&work->subject.space))
        autotune__configure(&work->subject.space, index, &work->result.config);
    return autotune__launch_for_real(work, index);
}

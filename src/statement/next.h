/* A statement that is no hit, from one turn of its loop to the next. begin() took the options, the loop told the axes,
   and every next() takes one answer and leads to the next turn: a point to judge, a trial, the call itself, or the
   end. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../base/log.h"
#include "../device/buffers.h"
#include "../race/race.h"
#include "../race/batch.h"
#include "../race/evaluate.h"
#include "../race/decide.h"
#include "work.h"
#include "../registry/thread_turns.h"
#include "../registry/report.h"
#include "../store/store.h"
#include "begin.h"
#include "describe.h"
#include "time.h"
#include "launch.h"
#include "candidates.h"
#include "race.h"
#include "trial.h"
#include "open.h"

/* What comes next, after an answer. */
static void autotune__take_decision(autotune__work *work, const autotune__answer *answer, uint64_t now) {
    work->request = autotune__decide(work->trial.race, answer, autotune__seconds(&work->trial, now));
    autotune__show_progress(&work->subject, work->trial.race, &work->progress_shown);
}
/* A RUN ended in an error. False: it is not the configuration's own, and the statement is over. */
static bool autotune__run_failed(autotune__work *work) {
    const autotune_status status = work->trial.answer.status;
    const autotune_error_class error = autotune__class_of(work->subject.backend, status);
    return error == AUTOTUNE_ERROR_CONFIGURATION || autotune__break_off(work, status, error);
}
/* The phase SEEKING: judges points until one is admitted. True: the loop is to judge one. */
static bool autotune__seek(autotune__work *work) {
    const size_t points = work->subject.space.points;
    if (work->subject.mode == AUTOTUNE_REQUIRE)
        return work->status == AUTOTUNE_OK ? autotune__miss(work) : autotune__end(work);
    while (work->point < points && work->judged < AUTOTUNE_MAX_POINTS) {
        if (autotune__judge(work, work->point)) return true;
        work->point += 1 + work->answer.skip;
    }
    autotune__report(
        work, work->status == AUTOTUNE_OK ? AUTOTUNE_ERR_SPACE : work->status,
        work->point < points
            ? "WHERE and PRIORITY leave none of the %lu points that were looked at, so the call was not made"
            : "WHERE and PRIORITY leave none of the %lu configurations, so the call was not made",
        (unsigned long)(work->point < points ? work->judged : points));
    return autotune__end(work);
}
static uint64_t autotune__now(const autotune__work *work) { return work->subject.backend->now(work->subject.backend); }
/* What the race asked for: begun where the loop has to do it, else done. True: it was begun; false: the race has the
   answer, or the statement is over. */
static bool autotune__judge_for_race(autotune__work *work) {
    work->phase = AUTOTUNE__JUDGING;
    if (work->judged == AUTOTUNE_MAX_POINTS && work->trial.race->stage == AUTOTUNE__EVALUATING) {
        autotune__sample_instead(work->trial.race);
        autotune__take_decision(work, NULL, autotune__now(work));
        return false;
    }
    if (autotune__judge(work, work->request.index)) return true;
    autotune__take_decision(work, &work->answer, autotune__now(work));
    return false;
}
static bool autotune__run_for_race(autotune__work *work) {
    work->phase = AUTOTUNE__TRYING;
    if (autotune__start_run(&work->trial, &work->request)) return true;
    if (autotune__run_failed(work)) autotune__take_decision(work, &work->trial.answer, autotune__now(work));
    return false;
}
static void autotune__pause_for_race(autotune__work *work) {
    autotune_backend *backend = work->subject.backend;
    if (backend->pause) backend->pause(backend, (uint64_t)work->request.limit_ns);
    autotune__take_decision(work, NULL, autotune__now(work));
}
static bool autotune__carry_out(autotune__work *work) {
    switch (work->request.what) {
    case AUTOTUNE__EVALUATE: return autotune__judge_for_race(work);
    case AUTOTUNE__RUN_IT: return autotune__run_for_race(work);
    case AUTOTUNE__PAUSE: autotune__pause_for_race(work); return false;
    default: (void)autotune__conclude(work); return false;
    }
}
/* From one turn of the loop to the next. True: value[] holds what the loop is to bind; false: the statement is over. */
static bool autotune__advance(autotune__work *work) {
    for (;;) {
        switch (work->phase) {
        case AUTOTUNE__ENDED: return false;
        case AUTOTUNE__LAUNCHING: return true;
        case AUTOTUNE__SEEKING: return autotune__seek(work);
        case AUTOTUNE__RECALLING:
            if (autotune__judge_candidate(work)) return true;
            autotune__distrust(work);           /* that was the last one */
            (void)autotune__take_turn(work);
            break;
        default:
            if (autotune__carry_out(work)) return true;
        }
    }
}
/* Takes the answer of the turn that ended. True: it calls for another turn as it stands. */
static bool autotune__take_answer(autotune__work *work, bool done, uint64_t stopped) {
    switch (work->phase) {
    case AUTOTUNE__JUDGING:
        if (autotune__is_eligible(&work->answer) &&
            autotune__is_set_aside(&work->store, work->trial.race, work->request.index))
            work->answer.admitted = false;
        work->request =
            autotune__decide(work->trial.race, &work->answer,
                             work->judged % 256 /* the clock need not be asked each time */
                                 ? work->trial.race->elapsed
                                 : autotune__seconds(&work->trial, work->subject.backend->now(work->subject.backend)));
        return false;
    case AUTOTUNE__SEEKING:
        if (autotune__is_first(work, work->point)) return true;
        work->point += 1 + work->answer.skip;
        return false;
    case AUTOTUNE__RECALLING: return autotune__try_candidate(work);
    case AUTOTUNE__TRYING:
        if (!done) { autotune__left_body(work); return false; }
        if (autotune__took_launch(&work->trial, stopped)) return true;
        if (work->trial.answer.status != AUTOTUNE_OK && !autotune__run_failed(work)) return false;
        if (work->store.outdated) {
            autotune__drop_outdated(work);
            autotune__race_anew(work);
            return false;
        }
        autotune__take_decision(work, &work->trial.answer, stopped);
        if (work->request.what != AUTOTUNE__FINISH) autotune__write_checkpoint(&work->trial, stopped, 2);
        return false;
    default:
        if (work->refused && work->subject.space.at == SIZE_MAX) {
            autotune__clear_result(&work->result);
            work->entry = NULL;
            autotune__seek_first(work);
            return false;
        }
        /* its call may have returned before it failed */
        if (work->launches_candidate && work->subject.backend->stop) autotune__clocked(&work->trial, 0);
        if (work->launches_candidate && work->trial.launch_status != AUTOTUNE_OK && autotune__reject_candidate(work))
            return false;
        autotune__launched_for_real(work);
        return false;
    }
}
static bool autotune__binds_launch(const autotune__work *work) {
    return work->phase == AUTOTUNE__TRYING || work->phase == AUTOTUNE__LAUNCHING;
}
AUTOTUNE__COLD const uint64_t *autotune__next(autotune__tuning *tuning, bool done) {
    autotune__work *work = (autotune__work *)(void *)tuning;
    uint64_t stopped;
    bool goes_on;
    if (done && work->trial.more && (!work->trial.queued || autotune__queue_launch(&work->trial))) {
        work->trial.more--;
        return work->subject.space.value;                           /* inside a batch: nothing else, it is timed */
    }
    stopped = work->phase == AUTOTUNE__TRYING ? work->subject.backend->now(work->subject.backend) : 0;
    autotune__count_step(&work->turn);
    work->turn.cancellation = autotune__hold_cancellation();
    work->held = true;
    if (done) work->head.trial = false;
    goes_on = work->phase == AUTOTUNE__DESCRIBING ? autotune__open(work) : autotune__take_answer(work, done, stopped);
    if (!goes_on || !autotune__binds_launch(work)) goes_on = autotune__advance(work);
    if (goes_on && work->phase == AUTOTUNE__TRYING) {
        work->head.filtering = false;
        work->head.trial = true;
    }
    work->held = false;
    autotune__set_cancellation(work->turn.cancellation);
    return goes_on ? work->subject.space.value : NULL;
}
/* An exception in the expressions of the statement, in .setup or in .verify: no launch is to blame. */
static void autotune__left_statement(autotune__work *work) {
    autotune__put_back(&work->trial.memories, work->subject.backend);
    if (work->turn.racing) autotune__stop_racing(work);
    autotune__report(
        work, AUTOTUNE_ERR_LEFT,
        "an exception left the statement outside of its call; the buffers are as before, and the next call starts "
        "anew");
    autotune__end(work);
}
/* The cleanup of the statement: its end, or the way out by return, goto or an exception. */
AUTOTUNE__COLD void autotune__abandon(autotune__tuning *tuning) {
    autotune__work *work = (autotune__work *)(void *)tuning;
    int cancellation = autotune__hold_cancellation();
    if (!work->held) work->turn.cancellation = cancellation;             /* else .setup or the like was left by an
                                                                       exception */
    switch (work->phase) {
    case AUTOTUNE__ENDED: break;
    case AUTOTUNE__LAUNCHING: autotune__launched_for_real(work); break;
    default:
        if (work->head.trial) autotune__left_body(work);
        else autotune__left_statement(work);
    }
    cancellation = work->turn.cancellation;
    autotune__make_current(work->outer);
    autotune__free_work(work);
    autotune__set_cancellation(cancellation);
}

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
#include "../registry/work.h"
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
    work->request = autotune__decide(&work->race, answer, autotune__seconds(work, now));
    autotune__show_progress(&work->subject, &work->race, &work->progress_shown);
}
/* A RUN ended in an error. False: it is not the configuration's own, and the statement is over. */
static bool autotune__run_failed(autotune__work *work) {
    const autotune_error_class error = autotune__class_of(work, work->answer.status);
    autotune__fail_row(work);
    return error == AUTOTUNE_ERROR_CONFIGURATION || autotune__break_off(work, work->answer.status, error);
}
/* From one turn of the loop to the next. True: value[] holds what the loop is to bind; false: the statement is over. */
static bool autotune__advance(autotune__work *work) {
    for (;;) {
        const autotune__request request = work->request;
        if (work->phase == AUTOTUNE__RECALLING) {
            if (autotune__judge_candidate(work)) return true;
            autotune__distrust(work);
            if (!autotune__take_turn(work)) return false;
            if (work->phase == AUTOTUNE__LAUNCHING) return true;
            continue;
        }
        if (work->phase == AUTOTUNE__SEEKING) {
            if (work->subject.mode == AUTOTUNE_REQUIRE)
                return work->status == AUTOTUNE_OK ? autotune__miss(work) : autotune__end(work);
            while (work->race.visited < work->subject.space.points && work->judged < AUTOTUNE_MAX_POINTS) {
                if (autotune__judge(work, work->race.visited)) return true;
                work->race.visited += 1 + work->answer.skip;
            }
            autotune__report(
                work, work->status == AUTOTUNE_OK ? AUTOTUNE_ERR_SPACE : work->status,
                work->race.visited < work->subject.space.points
                    ? "WHERE and PRIORITY leave none of the %lu points that were looked at, so the call was not made"
                    : "WHERE and PRIORITY leave none of the %lu configurations, so the call was not made",
                (unsigned long)(work->race.visited < work->subject.space.points ? work->judged
                                                                                : work->subject.space.points));
            return autotune__end(work);
        }
        if (request.what == AUTOTUNE__FINISH) {
            if (!autotune__conclude(work)) return false;
            if (work->phase == AUTOTUNE__LAUNCHING) return true;
            continue;
        }
        work->answer.launches = 0;
        if (request.what == AUTOTUNE__EVALUATE) {
            work->phase = AUTOTUNE__JUDGING;
            if (work->judged == AUTOTUNE_MAX_POINTS && work->race.stage == AUTOTUNE__EVALUATING) {
                autotune__sample_instead(&work->race);
                autotune__take_decision(work, NULL, work->subject.backend->now(work->subject.backend));
                continue;
            }
            if (autotune__judge(work, request.index)) return true;
        } else if (request.what == AUTOTUNE__RUN_IT) {
            if (autotune__start_run(work)) return true;
            work->answer.status = work->trial.launch_status;
            if (!autotune__run_failed(work)) return false;
        } else if (work->subject.backend->pause)
            work->subject.backend->pause(work->subject.backend, (uint64_t)request.limit_ns);
        autotune__take_decision(work, request.what == AUTOTUNE__PAUSE ? NULL : &work->answer,
                                work->subject.backend->now(work->subject.backend));
    }
}
/* Takes the answer of the turn that ended. True: it calls for another turn as it stands. */
static bool autotune__take_answer(autotune__work *work, bool done, uint64_t stopped) {
    switch (work->phase) {
    case AUTOTUNE__JUDGING:
        if (work->store.former.rows && autotune__is_eligible(&work->answer) &&
            autotune__is_set_aside(work, work->request.index))
            work->answer.admitted = false;
        work->request =
            autotune__decide(&work->race, &work->answer,
                             work->judged % 256 /* the clock need not be asked each time */
                                 ? work->race.elapsed
                                 : autotune__seconds(work, work->subject.backend->now(work->subject.backend)));
        return false;
    case AUTOTUNE__SEEKING:
        if (autotune__is_first(work, work->race.visited)) return true;
        work->race.visited += 1 + work->answer.skip;
        return false;
    case AUTOTUNE__RECALLING: return autotune__try_candidate(work);
    case AUTOTUNE__TRYING:
        if (!done) { autotune__left_body(work); return false; }
        if (autotune__took_launch(work, stopped)) return true;
        if (work->answer.status != AUTOTUNE_OK) {
            if (!autotune__run_failed(work)) return false;
        }
        if (work->store.outdated) {
            autotune__drop_outdated(work);
            autotune__race_anew(work);
            return false;
        }
        autotune__take_decision(work, &work->answer, stopped);
        if (work->request.what != AUTOTUNE__FINISH) autotune__checkpoint(work, stopped);
        return false;
    default:
        if (work->refused && work->subject.space.at == SIZE_MAX) {
            autotune__clear_result(&work->result);
            work->entry = NULL;
            autotune__seek_first(work);
            return false;
        }
        /* its call may have returned before it failed */
        if (work->store.launching && work->subject.backend->stop) autotune__clocked(work, 0);
        if (work->store.launching && work->trial.launch_status != AUTOTUNE_OK && autotune__reject_candidate(work))
            return false;
        autotune__launched_for_real(work);
        return false;
    }
}
AUTOTUNE__COLD const uint64_t *autotune__next(autotune__tuning *tuning, bool done) {
    autotune__work *work = (autotune__work *)(void *)tuning;
    uint64_t stopped;
    bool goes_on;
    if (done && work->trial.more && (!work->trial.queued || autotune__queue_launch(work))) {
        work->trial.more--;
        return work->subject.space.value;                           /* inside a batch: nothing else, it is timed */
    }
    stopped = work->phase == AUTOTUNE__TRYING ? work->subject.backend->now(work->subject.backend) : 0;
    autotune__count_step(&work->turn);
    work->turn.cancellation = autotune__hold_cancellation();
    work->held = true;
    if (done) work->head.trial = false;
    goes_on = work->phase == AUTOTUNE__DESCRIBING ? autotune__open(work) : autotune__take_answer(work, done, stopped);
    if (work->phase == AUTOTUNE__ENDED) goes_on = false;
    else if (!goes_on || work->phase == AUTOTUNE__JUDGING || work->phase == AUTOTUNE__SEEKING ||
             work->phase == AUTOTUNE__RECALLING) goes_on = autotune__advance(work);
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

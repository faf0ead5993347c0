/* The race of a statement: its beginning, its end, and breaking it off. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"
#include "race_clock.h"
#include "phase.h"
#include "launch.h"
#include "settle.h"
#include "peers.h"
#include "plan.h"
#include "trial.h"
#include "runner.h"
#include "elsewhere.h"

/* Describes the race of the statement. */
static void autotune__describe_race(const autotune__statement *statement, autotune__race_setup *setup) {
    const autotune__prior *prior = &statement->prior;
    const autotune__race *part = statement->race_state ? statement->race_state->part : NULL;
    memset(setup, 0, sizeof *setup);
    setup->points = statement->subject.space->points;
    setup->space = statement->subject.space;
    setup->purpose = autotune__verifies(&statement->subject) ? AUTOTUNE__TO_VERIFY
                     : prior->recalled.duel                  ? AUTOTUNE__TO_DUEL_AGAIN
                     : part                                  ? AUTOTUNE__TO_DUEL
                     : autotune__environment.audits          ? AUTOTUNE__TO_AUDIT
                     : autotune__is_unlisted(setup->space)   ? AUTOTUNE__TO_SAMPLE : AUTOTUNE__TO_TUNE;
    setup->is_checked = statement->subject.options.outputs.count || statement->subject.options.verify;
    setup->prior = prior->rows;
    setup->scatter = prior->scatter;
    setup->rest = !part ? prior->rest : part->lack ? AUTOTUNE__REST_UNTRIED : AUTOTUNE__REST_LOST;
}
/* Limits a race of finalists, and a resumed race that was broken off again. */
static void autotune__limit_to_purpose(const autotune__statement *statement, autotune__limits *limits) {
    const autotune__prior *prior = &statement->prior;
    if (autotune__verifies(&statement->subject)) {
        autotune__limit_to_finalists(limits, limits->seconds);
        limits->stop_at_ns = 0;
    } else if (prior->recalled.duel) autotune__limit_to_duel(limits, prior->seconds);
    else if (prior->seconds > 0 && prior->seconds < limits->seconds) limits->seconds = prior->seconds;
}
/* Prepares the race of the statement's space. The race gets the prior knowledge. */
static void autotune__set_up_race(autotune__statement *statement, const autotune__limits *limits) {
    autotune__race_setup setup;
    autotune__describe_race(statement, &setup);
    if (statement->trial.peers) statement->trial.peers->take_part(statement, &setup);
    statement->turn.race = &statement->race_state->race;
    autotune__prepare_race(statement->turn.race, &setup, limits);
}
/* Lets the race decide on its next request. */
static void autotune__decide_on(autotune__statement *statement, const autotune__answer *answer, double seconds) {
    statement->trial.seconds = seconds;
    statement->trial.request = autotune__decide(statement->turn.race, answer, seconds);
}
/* Begins the race. seconds: since the first race of the statement began. */
static void autotune__begin_race(autotune__statement *statement, double seconds) {
    autotune__judge_anew(statement);
    autotune__decide_on(statement, NULL, seconds);
    autotune__set_phase(statement);
}
/* Races all configurations again, also those that former times left out. This happens in six cases:
   - All raced configurations failed, and others were not raced since they had lost an earlier race.
   - The former times were of other kernels.
   - The program was built anew, and a checked configuration no longer agrees with its former time.
   - The winner of a record is far slower than the record says: see autotune__refutes_record().
   - A finalist failed, although it had worked in the part of its rank.
   - Launches in child processes hang, and this process makes them from now on: see isolated/parent.h. */
static void autotune__race_anew(autotune__statement *statement) {
    const size_t changed = statement->race_state->race.contradicting;
    autotune__plan_without_duel(statement);
    autotune__forget_times(&statement->prior);
    if (changed != SIZE_MAX) {
        statement->prior.rest = AUTOTUNE__REST_REBUILT;
        autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject,
                         "the program is new, and %s no longer compares with the others as its record says: all "
                         "configurations are raced",
                         autotune__name_point(&statement->subject, statement->race_state->race.rows[changed].index));
    }
    autotune__free_races(statement->race_state);
    statement->trial.memories.agree = statement->trial.memories.differ = 0;
    autotune__set_up_race(statement, &statement->race_state->agreed.limits);
    autotune__begin_race(statement, 0);
}
static bool autotune__race_without_memory(autotune__statement *statement) {
    autotune__stop_racing(statement);
    return autotune__stay_untuned(statement, AUTOTUNE_ERR_MEMORY, "out of memory while tuning");
}
/* Ends a statement whose configurations all failed. The failure is kept before the turn goes to other threads. */
static bool autotune__end_all_failed(autotune__statement *statement, const autotune__race *race) {
    autotune__text failures AUTOTUNE__FREED = { NULL, false };
    autotune__append_failures(&failures, &statement->subject, race);
    autotune__report(statement, AUTOTUNE_ERR_ALL_FAILED,
                     "none of %lu configurations works, so the call was not made: %s",
                     (unsigned long)statement->result.failed, autotune__string(&failures));
    autotune__keep_failure(statement);
    autotune__stop_racing(statement);
    return autotune__end(statement);
}
static bool autotune__conclude_without_winner(autotune__statement *statement) {
    const autotune__race *race = statement->turn.race;
    if (autotune__lacks_memory(race)) return autotune__race_without_memory(statement);
    if (race->admitted.count) return autotune__end_all_failed(statement, race);
    autotune__stop_racing(statement);
    return autotune__end_without_any(statement);
}
/* Ends the verification of a record. The winner of the record then answers unchanged. */
static bool autotune__end_verification(autotune__statement *statement) {
    autotune__remember(&statement->store, statement->turn.race, &statement->result, statement->trial.launches);
    autotune__free_memories(&statement->trial.memories, statement->subject.backend);
    autotune__stop_racing(statement);
    autotune__plan_without_duel(statement);
    autotune__recall_new_winner(statement);
    return true;
}
/* Returns true if a finalist failed, although it had worked in the part of its rank. In that part other configurations
   may have lost to this finalist. */
static bool autotune__has_failed_finalist(const autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) if (autotune__failed(&race->rows[i])) return true;
    return false;
}
/* Called after the race of the finalists. Moves the rows and points of this rank's part into that race. If there is no
   memory, some rows that did not win are missing. */
static void autotune__take_over_part(autotune__race *race, autotune__race *part) {
    const autotune__admission of_finalists = race->admitted;
    size_t i;
    for (i = 0; i < autotune__count(part->rows); i++) {
        autotune__row row = part->rows[i];
        const size_t known = autotune__find_row(race, row.index);
        if (known != SIZE_MAX) { race->rows[known].launches += row.launches; continue; }
        row.samples = NULL;                     /* its samples are of other rounds */
        if (autotune__works(&row)) row.why = "not among the best";
        if (i == part->outcome.winner) row.stage = "halving";
        if (AUTOTUNE__PUSH(race->rows, row)) part->rows[i].reason = NULL;
    }
    race->admitted = part->admitted;
    part->admitted = of_finalists;
}
/* Doubts the first configuration, whose outputs are the reference, if several configurations agree on other outputs. At
   least two configurations have to agree on the other outputs, and no more configurations may agree with the
   reference. */
static void autotune__doubt_first(const autotune__statement *statement, autotune__race_outcome *outcome) {
    const autotune__memories *memories = &statement->trial.memories;
    const unsigned here = autotune__differ_from_first(memories), there = memories->differ_on_other_rank;
    if (!here && !there) return;
    outcome->verdict = AUTOTUNE_UNRELIABLE;
    outcome->doubt = autotune__wrong_reference;
    autotune__complain_of(&statement->subject,
                          ".outputs: %u configurations agree with each other, and not with the first one: is the first "
                          "one wrong? They cannot win, unless AUTOTUNE_USE with != leaves out the first one. All are "
                          "raced again in the next run", here > there ? here : there);
}
/* Returns true if a repeated duel refutes its record. Two conditions must hold. Calls of the winner in use were far
   slower than the record says: see statement/probation.h. The winner's launches in the duel take more than twice the
   time in the record. Then the kernels or the machine have changed, although the build of the program is the same: a
   shared library may have the kernels. */
static bool autotune__refutes_record(autotune__statement *statement, const autotune__race *race) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    const size_t row = autotune__working_row(race, race->incumbent);
    if (recalled->duel != AUTOTUNE__DUEL_AGAIN || !recalled->slower_in_use || row == SIZE_MAX ||
        !(race->rows[row].measured > 2 * recalled->result.median_ns))
        return false;
    autotune__say_of(AUTOTUNE_LOG_WINNER, &statement->subject,
                     "%s takes %.4g us, and %.4g us in the record: all configurations are raced",
                     autotune__name_point(&statement->subject, race->rows[row].index),
                     race->rows[row].measured / 1e3, recalled->result.median_ns / 1e3);
    return true;
}
/* Called when a race is over, with or without a winner. Ends the race, or races all configurations anew. */
static bool autotune__conclude(autotune__statement *statement) {
    autotune__race *race = statement->turn.race, *part = statement->race_state->part;
    const bool won = race->outcome.winner != SIZE_MAX,
               anew = part ? autotune__has_failed_finalist(race)
                    : won ? autotune__refutes_record(statement, race)
                          : race->contradicting != SIZE_MAX || race->admitted.excluded || autotune__duels_again(race);
    const autotune__row *winner;
    if (part && !anew) autotune__take_over_part(race, part);
    statement->result.seconds = autotune__now(&statement->trial);
    if (won && statement->trial.memories.outputs) autotune__doubt_first(statement, &race->outcome);
    autotune__summarise_race(statement);
    if (!statement->result.note && statement->trial.preemptions)
        statement->result.note = autotune__note_on_threads(&statement->trial);
    statement->result.launches = statement->trial.launches + won;
    if (race->group.without_effect) autotune__complain_of(&statement->subject, "%s", race->group.without_effect);
    if (autotune__put_back(&statement->trial.memories, statement->subject.backend) != AUTOTUNE_OK) {
        autotune__stop_racing(statement);
        autotune__report(statement, AUTOTUNE_ERR_DEVICE, "the buffers could not be put back, so the call was not made");
        return autotune__end(statement);
    }
    if (autotune__is_verifying(race)) return autotune__end_verification(statement);
    if (anew && !autotune__lacks_memory(race)) {
        autotune__race_anew(statement);
        return true;
    }
    autotune__log_race(&statement->subject, race, &statement->result);
    if (!won) return autotune__conclude_without_winner(statement);
    winner = &race->rows[race->outcome.winner];
    autotune__remember(&statement->store, race, &statement->result, statement->trial.launches);
    statement->result.index = winner->index;
    if (statement->trial.peers && statement->trial.peers->make_winner_the_candidate(statement)) return true;
    autotune__settle(statement, winner->index, winner->prepared, NULL);
    return autotune__launch_for_real(statement, AUTOTUNE__CALLING_WINNER);
}
/* Breaks off a race after an error that is not the configuration's. Nothing more is launched. Always returns false. */
static bool autotune__break_off(autotune__statement *statement, autotune_status status, autotune_error_class error) {
    autotune__break_race(statement);
    autotune__report(statement, error == AUTOTUNE_ERROR_DEVICE ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_ENVIRONMENT,
                     "tuning stopped at %s, and the call was not made: %s",
                     autotune__name_point(&statement->subject, statement->trial.request.index),
                     autotune__reason(&statement->trial, status));
    return autotune__end(statement);
}
/* Called if the race ends in a trial. Keeps the effects of the trial on buffers, and closes its launch note. */
static void autotune__keep_trial(autotune__statement *statement) {
    if (statement->subject.backend->stop) autotune__clocked(&statement->trial, 0); /* the device may still write */
    (void)autotune__note_launch(&statement->store, statement->trial.request.index, AUTOTUNE__NOTE_CAME_BACK);
    if (statement->subject.options.outputs.count)       /* else nothing was poisoned */
        autotune__unpoison(&statement->trial.memories, statement->subject.backend);
}
/* Makes this configuration the winner of the key, although it was not compared with others. */
static void autotune__stay_with(autotune__statement *statement, size_t index) {
    const autotune__race *race = statement->turn.race;
    const size_t row = autotune__find_row(race, index);
    autotune__summarise_race(statement);
    statement->result.launches = statement->trial.launches;
    statement->result.verdict = AUTOTUNE_DEFAULT;
    autotune__settle(statement, index, row == SIZE_MAX ? 0 : race->rows[row].prepared, NULL);
}
/* Fails a configuration whose trial left the body. After two such trials the key keeps its first configuration, except
   with ranks. */
static void autotune__left_body(autotune__statement *statement) {
    autotune__race *race = statement->turn.race;
    bool stays;
    if (statement->trial.isolation)
        autotune__in_children.leave(&statement->trial, AUTOTUNE__HAS_LEFT, "left the body");
    autotune__keep_trial(statement);
    autotune__count_launches(&statement->trial, statement->trial.batch - statement->trial.launches_left);
    autotune__append(&statement->trial.why, "left the body");
    statement->trial.launch_status = AUTOTUNE_ERR_LEFT;
    autotune__end_run(&statement->trial);
    autotune__write_answer(race, &statement->trial.answer);
    stays = autotune__count_exit(statement);
    if (stays) autotune__stay_with(statement, race->admitted.points[0]);
    else autotune__stop_racing(statement);
    autotune__report(
        statement, AUTOTUNE_ERR_LEFT,
        stays ? "a trial of %s left the body, the second to do so, so this key stays on the first configuration"
              : "a trial of %s left the body by break, return, goto or an exception; the next call tunes without it",
        autotune__name_point(&statement->subject, statement->trial.request.index));
    autotune__end(statement);
}

/* The entry of a race: it takes an answer, files it, and asks the stage of the race for the next request. The stages
   are evaluate.h, survey.h, screen.h, halving.h, and duel.h, which finds the winner. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "request.h"
#include "race.h"
#include "evidence.h"
#include "verdict.h"
#include "evaluate.h"
#include "screen.h"
#include "compare.h"

/* Which configuration is likely to get its first launch next (k = 0), after that (k = 1), and so on, as far as is known
   now. SIZE_MAX: none. */
static AUTOTUNE__UNUSED size_t autotune__upcoming(const autotune__race *race, size_t k) {
    const autotune__group *group = &race->group;
    const bool searching = autotune__is_searching(race), undecided = race->searching.extent == AUTOTUNE__UNDECIDED;
    const size_t left = searching && !undecided ? 0 : autotune__count(group->order) - group->next;
    if (race->stage != AUTOTUNE__SCREENING) return SIZE_MAX;
    if (searching && !undecided && !race->searching.ended) return autotune__likely_next(race->searching.search, k);
    if (k < left) return group->order[group->next + k];
    k += group->next_deferred - left;
    return k < autotune__count(group->deferred) ? group->deferred[k] : SIZE_MAX;
}
static void autotune__prepare_race(autotune__race *race, const autotune__race_setup *setup,
                                   const autotune__limits *limits) {
    memset(race, 0, sizeof *race);
    race->setup = *setup;
    race->limits = *limits;
    if (race->limits.rounds > AUTOTUNE__MOST_ROUNDS) race->limits.rounds = AUTOTUNE__MOST_ROUNDS;
    race->planned_seconds = limits->seconds;
    race->random = limits->seed;
    race->patience = 2 * limits->seconds;
    race->outcome.winner = race->outcome.runner_up = race->control.row = SIZE_MAX;
    race->probe.due = 16;
    race->pace.now = race->pace.fastest = race->pace.slowdown = 1;
    race->outcome.lead = race->outcome.lead_low = race->outcome.lead_high = AUTOTUNE__NEVER;
}
/* Puts the end of the race off by the time of what was no launch. Launches that wait for a processor put it off, too,
   to three times its length at most. A limit that the user gave stays. */
static void autotune__put_off_end(autotune__race *race, const autotune__answer *answer) {
    const double waited = answer->waited_seconds < race->patience ? answer->waited_seconds : race->patience;
    race->patience -= waited;
    race->conditions.besides_seconds += answer->besides_seconds;
    race->conditions.waited_seconds += answer->waited_seconds;
    if (!race->limits.explicit_seconds) race->limits.seconds += answer->besides_seconds + waited;
}
/* Writes down what a RUN brought, in the row of its configuration. decide() calls this; a race that is broken off is
   told its last answer by this function alone. */
static void autotune__file(autotune__race *race, const autotune__answer *answer) {
    double *spent_ns = race->stage == AUTOTUNE__DUELLING ? &race->duel.spent_ns : &race->before_duel_ns;
    autotune__row *row = race->running ? &race->rows[race->row] : NULL;
    if (!row) return;
    race->running = false;
    autotune__put_off_end(race, answer);
    *spent_ns += answer->elapsed_ns;
    race->conditions.runs += answer->made > 0;
    race->conditions.disturbed += answer->disturbed;
    race->searching.shareable_ns += answer->shareable_ns;
    if (answer->spared && !race->screening.left_out) race->screening.left_out = AUTOTUNE__SKIPPED;
    if (answer->no_memory) race->no_memory = true;
    row->launches += answer->made;
    row->prepared = answer->prepared;
    row->status = answer->status;
    if (autotune__failed(row)) row->reason = autotune__copy_string(answer->reason);
}
/* The entry. It is told the answer to the last request, NULL at first and after a PAUSE, and how many seconds ago the
   race began. It returns the next request. With FINISH race->outcome is complete. */
static __attribute__((__cold__)) autotune__request autotune__decide(
    autotune__race *race, const autotune__answer *answer, double elapsed) {
    bool asked = false;
    race->elapsed = elapsed;
    if (answer) autotune__file(race, answer);
    while (!asked) {
        if (race->no_memory && race->stage < AUTOTUNE__OVER) autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
        switch (race->stage) {
        case AUTOTUNE__EVALUATING:
            asked = autotune__evaluate(race, answer);
            if (!asked || race->admitted.asked < AUTOTUNE_MAX_POINTS) break;
            autotune__sample_instead(race);
            asked = false;
            break;
        case AUTOTUNE__SURVEYING: asked = autotune__survey_space(race, answer); break;
        case AUTOTUNE__SCREENING: asked = autotune__screen(race, answer); break;
        case AUTOTUNE__HALVING:
        case AUTOTUNE__DUELLING: asked = autotune__compare_survivors(race, answer); break;
        default: asked = autotune__ask(race, AUTOTUNE__FINISH, 0, 0);
        }
        answer = NULL;                          /* one stage has taken it */
    }
    return race->request;
}
static void autotune__free_race(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        AUTOTUNE__FREE_ARRAY(race->rows[i].samples);
        autotune__free(race->rows[i].reason);
    }
    AUTOTUNE__FREE_ARRAY(race->rows);
    AUTOTUNE__FREE_ARRAY(race->live);
    AUTOTUNE__FREE_ARRAY(race->round.rows);
    AUTOTUNE__FREE_ARRAY(race->duel.fastest);
    AUTOTUNE__FREE_ARRAY(race->control.first);
    AUTOTUNE__FREE_ARRAY(race->control.second);
    AUTOTUNE__FREE_ARRAY(race->group.order);
    AUTOTUNE__FREE_ARRAY(race->group.deferred);
    AUTOTUNE__FREE_ARRAY(race->admitted.precedences);
    AUTOTUNE__FREE_ARRAY(race->admitted.points);
    autotune__free_search(race->searching.search);
}

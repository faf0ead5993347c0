/* The whole race as one function, and the entry of the race: from an answer to the next request. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "request.h"
#include "race.h"
#include "evidence.h"
#include "verdict.h"
#include "cut.h"
#include "screen_samples.h"
#include "rounds.h"
#include "recheck.h"
#include "check.h"
#include "duel.h"
#include "verification.h"
#include "halving.h"
#include "screen.h"
#include "audit.h"
#include "evaluate.h"

/* Suspends the race until the request is answered: stores the stage, and returns. The next call of the function has the
   answer, and resumes the race here. No local variable keeps its value. State that has to last is in the race. */
#define AUTOTUNE__AWAIT(what) \
    do { race->stage = (what); return; case what:; } while (0)
/* A round takes one sample of each survivor, and may take samples of the control and of the first configuration. */
#define AUTOTUNE__MAKE_ROUND(what)                   \
    do {                                             \
        autotune__start_round(race);                 \
        while (autotune__ask_for_sample(race)) {     \
            AUTOTUNE__AWAIT(what);                   \
            autotune__take_repetition(race, answer); \
        }                                            \
    } while (0)
/* The whole race. It ends with a call of autotune__finish(). */
static void autotune__resume_race(autotune__race *race, const autotune__answer *answer) {
    switch (race->stage) {
    default: return;                            /* the race is over */
    case AUTOTUNE__BEGINNING:
        /* The evaluation finds the points that may be raced. */
        while (autotune__ask_for_point(race)) {
            AUTOTUNE__AWAIT(AUTOTUNE__EVALUATING);
            autotune__take_point(race, answer);
        }
        while (race->setup.purpose == AUTOTUNE__TO_AUDIT && autotune__audit_first(race))
            AUTOTUNE__AWAIT(AUTOTUNE__AUDITING);
        if (autotune__is_over(race) || !autotune__end_evaluating(race)) return;
        /* Points are raced in groups by PRIORITY, the highest first, until a configuration works. */
        while (autotune__start_next_group(race)) {
            /* The screen launches each configuration once. The first one is launched until the device is warm. */
            while (autotune__ask_for_first_launch(race)) {
                if (race->request.what == AUTOTUNE__EVALUATE) {
                    AUTOTUNE__AWAIT(AUTOTUNE__DRAWING);
                    if (!autotune__take_drawn(race, answer)) continue;
                }
                do AUTOTUNE__AWAIT(AUTOTUNE__SCREENING);
                while (autotune__take_launch(race, answer) && autotune__in_time(race) &&
                       autotune__ask_sample(race, race->row));
            }
            if (autotune__is_over(race)) return;                    /* .stop_at_ns was reached */
            /* The rechecks launch again each configuration that one launch might exclude wrongly. If there is a record
               of another build, they also check whether its times still hold. */
            autotune__begin_rechecks(race);
            while (autotune__ask_for_second_launch(race) || (race->setup.prior && autotune__ask_for_check(race))) {
                AUTOTUNE__AWAIT(AUTOTUNE__RECHECKING);
                autotune__take_second_launch(race, answer);
            }
            if (race->setup.prior && !autotune__is_over(race)) race->contradicting = autotune__next_changed(race, 0);
            if (race->contradicting != SIZE_MAX) (void)autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
            if (autotune__is_over(race)) return;
            if (autotune__end_screen(race)) {
    case AUTOTUNE__SURVIVORS_FOUND:
                /* The halving: each round takes one sample of each survivor. The survivors near the best stay. */
                if (autotune__start_halving(race))
                    do AUTOTUNE__MAKE_ROUND(AUTOTUNE__HALVING); while (autotune__halve(race));
                /* The duel: a test compares the finalists after each round. Then the
                   winner may duel with rows that were cut earlier, perhaps wrongly. */
                if (autotune__begin_duel(race))
                    do {
                        autotune__start_duel(race);
                        do AUTOTUNE__MAKE_ROUND(AUTOTUNE__DUELLING);
                        while (autotune__is_verifying(race) ? autotune__verify(race) : autotune__duel(race));
                    } while (autotune__duels_others(race));
            }
            if (autotune__is_over(race)) return;
            /* Time is up, or no survivor works. If a row of the group works, it wins; else the next group is
               raced. */
            autotune__update_medians(race);
            if (autotune__count(race->live) || autotune__collect(race)) {
                (void)autotune__finish_unresolved(race);
                return;
            }
        }
        (void)autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    }
}

/* Returns the configuration that is likely to get its first launch next (k = 0), or k launches later; SIZE_MAX:
   unknown. */
static AUTOTUNE__UNUSED size_t autotune__upcoming(const autotune__race *race, size_t k) {
    const autotune__group *group = &race->group;
    if (!autotune__is_screening(race)) return SIZE_MAX;
    if (autotune__is_searching(race) && race->searching.extent != AUTOTUNE__UNDECIDED)
        return autotune__likely_next(race->searching.search, k);
    return group->next + k < autotune__count(group->order) ? group->order[group->next + k] : SIZE_MAX;
}
static void autotune__prepare_race(autotune__race *race, const autotune__race_setup *setup,
                                   const autotune__limits *limits) {
    size_t i;
    memset(race, 0, sizeof *race);
    race->setup = *setup;
    race->limits = *limits;
    if (!(race->limits.margin > 0)) race->limits.margin = autotune__default_margin;
    race->random = limits->seed;
    race->patience = 2 * limits->seconds;
    race->outcome.winner = race->outcome.runner_up = race->control.row = race->duel.to_beat = SIZE_MAX;
    race->incumbent = race->contradicting = SIZE_MAX;
    for (i = 0; i < autotune__count(setup->prior); i++)
        if (setup->prior[i].flags & AUTOTUNE__WON) race->incumbent = setup->prior[i].point;
    race->outcome.lead.median = race->outcome.lead.low = race->outcome.lead.high = AUTOTUNE__NEVER;
}
/* Writes the answer to a RUN into the row of its configuration. If a race is broken off, the caller passes the last
   answer to this function alone, and not to autotune__decide(). Time between launches extends the limits of the race,
   and so does waiting for a processor. Waiting extends the limits by twice the time limit of the race at most. A limit
   that the user gave stays. */
static void autotune__write_answer(autotune__race *race, const autotune__answer *answer) {
    autotune__row *row = race->request.what == AUTOTUNE__RUN_IT ? &race->rows[race->row] : NULL;
    const double waited = answer->waited_seconds < race->patience ? answer->waited_seconds : race->patience,
                 put_off = autotune__has_own_limit(&race->limits) ? 0 : answer->unlaunched_seconds + waited;
    if (!row) return;
    race->request.what = AUTOTUNE__FINISH;      /* the request is no RUN any more; the race goes on */
    race->patience -= waited;
    race->put_off += put_off;
    race->limits.seconds += put_off;
    *(race->stage == AUTOTUNE__DUELLING ? &race->duel.spent_ns : &race->before_duel_ns) += answer->elapsed_ns;
    race->runs += answer->made > 0;
    race->disturbed += answer->disturbances > AUTOTUNE__MOST_REPEATS;
    race->searching.shareable_ns += answer->shareable_ns;
    if (answer->execution == AUTOTUNE__SPARED && !race->lack) race->lack = AUTOTUNE__SKIPPED;
    (void)autotune__has_memory_for(race, answer->execution != AUTOTUNE__WITHOUT_MEMORY);
    row->launches += answer->made;
    row->prepared = answer->prepared;
    row->status = answer->status;
    if (answer->note) row->note = answer->note;
    if (autotune__failed(row)) row->reason = autotune__copy_string(answer->reason);
}
/* The entry. answer: the answer to the last request; NULL at first. elapsed: seconds since the race began. Returns the
   next request. FINISH means that race->outcome is complete. */
static __attribute__((__cold__)) autotune__request autotune__decide(
    autotune__race *race, const autotune__answer *answer, double elapsed) {
    race->elapsed = elapsed;
    if (answer) autotune__write_answer(race, answer);
    if (!autotune__is_over(race)) autotune__resume_race(race, answer);
    if (autotune__is_over(race)) (void)autotune__ask(race, AUTOTUNE__FINISH, 0);
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
    AUTOTUNE__FREE_ARRAY(race->round.pace);
    AUTOTUNE__FREE_ARRAY(race->control.first);
    AUTOTUNE__FREE_ARRAY(race->control.second);
    AUTOTUNE__FREE_ARRAY(race->group.order);
    AUTOTUNE__FREE_ARRAY(race->admitted.precedences);
    AUTOTUNE__FREE_ARRAY(race->admitted.points);
    autotune__free_search(race->searching.search);
}

/* The race's one entry: decide() takes an answer and makes the next request. From round to round; the confirmation. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../search/strategies.h"
#include "../search/create.h"
#include "race.h"
#include "evidence.h"
#include "verdict.h"
#include "sample.h"
#include "evaluate.h"
#include "cut.h"
#include "rounds.h"
#include "probe.h"
#include "screen.h"
#include "halving.h"
#include "duel.h"

static bool autotune__rounds(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    if (answer) autotune__take_epoch(race, answer);
    if ((race->stage != AUTOTUNE__HALVING && race->stage != AUTOTUNE__DUELLING) || race->no_memory) return false;
    if (!autotune__count(race->live)) {     /* all failed late: what works besides them, or the next lower priority */
        if (autotune__collect(race)) return autotune__finish_unresolved(race);
        return autotune__next_batch(race);
    }
    if (!autotune__in_time(race)) {
        autotune__update_medians(race);
        return autotune__finish_unresolved(race);
    }
    if (race->pausing) return autotune__ask_pause(race, request);
    while (race->turn < autotune__count(race->round) &&
           race->rows[autotune__row_of_turn(race)].state == AUTOTUNE__FAILED)
        race->turn++;
    if (race->turn < autotune__count(race->round)) {
        const bool first = race->stage == AUTOTUNE__HALVING && race->halvings == 0 &&
                           race->launches > 1 && !race->limits.whole_batches;      /* its batches end once they lose */
        const double limit_ns = first ? 1.25 * race->best_ns * race->launches : 0;
        (void)autotune__ask_run(race, request, autotune__row_of_turn(race), race->launches, limit_ns);
        request->at_least = 4;                  /* one that is held up is not the end */
        return true;
    }
    if (race->stage == AUTOTUNE__HALVING) autotune__halve(race);
    else autotune__duel(race);
    return false;
}

/* Stage 5: the slowest configuration is reported, so it is launched again if it was launched once: one preemption would
   make any the slowest. */
static bool autotune__confirm(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    size_t i, slowest = race->winner;           /* never launched again itself: it might fail, and it is the winner */
    if (answer && answer->status == AUTOTUNE_OK) autotune__note(&race->rows[race->row], answer->ns, false);
    for (i = 0; i < autotune__count(race->rows); i++)
        if (race->rows[i].state != AUTOTUNE__FAILED &&
            autotune__time(&race->rows[i]) > autotune__time(&race->rows[slowest]))
            slowest = i;
    if (slowest != race->winner && race->rows[slowest].launches == 1 && race->confirmed++ < 16 &&
        autotune__in_time(race))
        return autotune__ask_run(race, request, slowest, 1, 0);
    race->stage = AUTOTUNE__OVER;
    return false;
}

/* What is screened next if nothing happens: k = 0 comes first; of a search, what is likely to be. SIZE_MAX: nothing
   more. */
static AUTOTUNE__UNUSED size_t autotune__upcoming(const autotune__race *race, size_t k) {
    const bool searches = race->search && !race->whole;
    const size_t left = searches || !race->order ? 0 : autotune__count(race->order) - race->next;
    if (race->stage != AUTOTUNE__SCREENING) return SIZE_MAX;
    if (searches && !race->searched) return autotune__likely_next(race->search, k);
    if (k < left) return race->admitted[race->order[race->next + k]];
    k -= left;
    return race->next_late + k < autotune__count(race->late) ? race->late[race->next_late + k] : SIZE_MAX;
}
static void autotune__prepare_race(autotune__race *race, const autotune__race_setup *setup,
                                   const autotune__limits *limits) {
    memset(race, 0, sizeof *race);
    race->setup = *setup;
    race->limits = *limits;
    if (race->limits.rounds > AUTOTUNE__MOST_ROUNDS) race->limits.rounds = AUTOTUNE__MOST_ROUNDS;
    race->first_batch = true;
    race->random = limits->seed;
    race->winner = race->runner_up = race->twin = SIZE_MAX;
    race->probe_due = 16;
    race->pace = race->fastest_pace = race->slowdown = 1;
    race->lead = race->lead_low = race->lead_high = AUTOTUNE__NEVER;
}
/* Files what a RUN brought, in the row of its configuration. decide() does so; only a race that is broken off is told
   its last answer by this alone. */
static void autotune__file(autotune__race *race, const autotune__answer *answer) {
    autotune__row *row = race->running ? &race->rows[race->row] : NULL;
    if (!row) return;
    race->running = false;
    *(race->stage == AUTOTUNE__DUELLING ? &race->duel_ns : &race->before_ns) += answer->ns * answer->launches;
    race->runs += answer->made > 0;
    race->disturbed += answer->disturbed;
    race->clock_jumped = race->clock_jumped || answer->clock_jumped;
    race->spared = race->spared || answer->spared;
    race->no_memory = race->no_memory || answer->no_memory;
    row->launches += answer->made;
    row->prepared = answer->prepared;
    row->status = answer->status;
    if (answer->status == AUTOTUNE_OK) return;
    row->state = AUTOTUNE__FAILED;
    row->reason = answer->reason ? autotune__copy_string(answer->reason) : NULL;
}
/* The one entry: the answer to the last request (NULL at first, and after a PAUSE), and the seconds since the race
   began; the next request. After FINISH, winner and verdict are set. */
static autotune__request autotune__decide(autotune__race *race, const autotune__answer *answer, double elapsed) {
    autotune__request request;
    bool asked = false;
    race->elapsed = elapsed;
    if (answer) autotune__file(race, answer);
    while (!asked) {
        if (race->no_memory && race->stage < AUTOTUNE__CONFIRMING) autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
        switch (race->stage) {
        case AUTOTUNE__EVALUATING: asked = autotune__evaluate(race, answer, &request); break;
        case AUTOTUNE__SURVEYING: asked = autotune__survey(race, answer, &request); break;
        case AUTOTUNE__SCREENING: asked = autotune__screen(race, answer, &request); break;
        case AUTOTUNE__HALVING: case AUTOTUNE__DUELLING: asked = autotune__rounds(race, answer, &request); break;
        case AUTOTUNE__CONFIRMING: asked = autotune__confirm(race, answer, &request); break;
        default: asked = autotune__ask(&request, AUTOTUNE__FINISH, 0, 0, 0);
        }
        answer = NULL;                          /* one stage takes it */
    }
    return request;
}
static void autotune__free_race(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        AUTOTUNE__FREE_ARRAY(race->rows[i].samples);
        autotune__free(race->rows[i].reason);
    }
    AUTOTUNE__FREE_ARRAY(race->rows);
    AUTOTUNE__FREE_ARRAY(race->live);
    AUTOTUNE__FREE_ARRAY(race->round);
    AUTOTUNE__FREE_ARRAY(race->fastest);
    AUTOTUNE__FREE_ARRAY(race->earlier);
    AUTOTUNE__FREE_ARRAY(race->later);
    AUTOTUNE__FREE_ARRAY(race->order);
    AUTOTUNE__FREE_ARRAY(race->late);
    AUTOTUNE__FREE_ARRAY(race->ranks);
    AUTOTUNE__FREE_ARRAY(race->admitted);
    autotune__free_search(race->search);
}

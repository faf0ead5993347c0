/* The screen: every configuration of the next group is launched once. Which comes next, when time is up, and how the
   screen ends. Why a configuration leaves it is said in cut.h. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "finalists.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"
#include "survey.h"
#include "budget.h"
#include "searching.h"
#include "cut.h"
#include "screen_samples.h"
#include "rounds.h"
#include "probe.h"
#include "recheck.h"
#include "duel.h"
#include "halving.h"

/* The configuration that is launched next: TRY. JUDGE: the point has to be evaluated before. EXHAUSTED: none is
   left. */
static autotune__move autotune__next_candidate(autotune__race *race, size_t *index) {
    const bool by_default = !race->limits.trials && !race->limits.explicit_seconds;
    autotune__searching *searching = &race->searching;
    autotune_search *search = searching->search;
    autotune__move move;
    autotune__choose_extent(race);
    while (!autotune__is_searching(race) && race->group.next < autotune__count(race->group.order)) {
        *index = race->group.order[race->group.next++];
        if (!search || !autotune__is_visited(search, *index)) return AUTOTUNE__TRY;
    }
    if (!autotune__is_searching(race)) return AUTOTUNE__EXHAUSTED;
    if (searching->judging) move = autotune__search_step(search, searching->admits, index);
    else if (!autotune__tell_rows(race)) return AUTOTUNE__NO_ROOM;
    else if (by_default && searching->extent == AUTOTUNE__SEARCHED && !autotune__pays(search))
        return AUTOTUNE__EXHAUSTED;
    else move = autotune__search_step(search, false, index);
    searching->judging = move == AUTOTUNE__JUDGE;
    return move;
}
static autotune__move autotune__next_deferred(autotune__race *race, size_t *index) {
    if (!autotune__has_deferred(race)) return AUTOTUNE__EXHAUSTED;
    *index = race->group.deferred[race->group.next_deferred++];
    return AUTOTUNE__TRY;
}
/* Of the user's own limit a part is the finalists'. The default limit is exceeded until something works, though not in
   a sampled space, and until a search has its 50 trials, however long their launches take. But what is no launch, as
   drawing points and compiling, takes four times the limit at most. */
static bool autotune__no_time_left(const autotune__race *race) {
    const double limit = autotune__screen_seconds(race), besides_launches = race->elapsed - race->before_duel_ns / 1e9;
    const size_t enough = 50, rows = autotune__count(race->rows), tried = rows - race->group.first_row;
    if (race->elapsed < limit || !rows) return false;
    if (race->limits.explicit_seconds) return true;
    if (!autotune__is_definite(race->best_ns)) return race->setup.sampled && !race->limits.trials;
    return !autotune__is_searching(race) || tried >= enough || besides_launches >= 4 * limit;
}
/* Is there a configuration of the group that was not launched? How many a sampled space has is an estimate. */
static bool autotune__leaves_out(const autotune__race *race) {
    const autotune__group *group = &race->group;
    const size_t rows = autotune__count(race->rows);
    if (race->setup.sampled) return autotune__estimated_count(race) > rows;
    return rows - group->first_row < autotune__count(group->order) + autotune__count(group->deferred);
}
/* Asks for the first launch of another configuration. False: none gets one. */
static bool autotune__screen_next(autotune__race *race) {
    const bool screened = autotune__is_screened(race), gives_up = autotune__gives_up(race),
               no_trial_left = race->limits.trials && autotune__count(race->rows) >= race->limits.trials;
    size_t index;
    if (screened && !autotune__has_deferred(race)) return false;
    if (gives_up || no_trial_left || autotune__no_time_left(race)) {
        race->searching.ended = race->searching.ended || gives_up;
        if (!gives_up && autotune__leaves_out(race))
            race->screening.left_out = no_trial_left ? AUTOTUNE__LACKS_TRIALS : AUTOTUNE__LACKS_TIME;
        race->searching.judging = false;
        return false;
    }
    switch (screened ? autotune__next_deferred(race, &index) : autotune__next_candidate(race, &index)) {
    case AUTOTUNE__JUDGE: return autotune__ask(race, AUTOTUNE__EVALUATE, index, 0);
    case AUTOTUNE__EXHAUSTED:
        autotune__end_search(race);
        return autotune__has_deferred(race) && autotune__screen_next(race);
    case AUTOTUNE__TRY: race->no_memory = !autotune__new_row(race, index); break;
    default: race->no_memory = true;
    }
    return !race->no_memory && autotune__ask_sample(race, autotune__count(race->rows) - 1);
}
/* The screen of the next group begins. Where there is none, the race ends without a winner. */
static bool autotune__next_group(autotune__race *race) {
    const bool chosen = race->setup.sampled ? autotune__choose_sample(race) : autotune__choose_group(race);
    if (!chosen) return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (!autotune__start_search(race)) { race->no_memory = true; return false; }
    race->stage = AUTOTUNE__SCREENING;
    memset(&race->rechecking, 0, sizeof race->rechecking);
    race->group.began = race->elapsed;
    race->group.next = 0;
    race->group.first_row = race->rechecking.next_unknown = race->probe.row = autotune__count(race->rows);
    race->best_ns = race->probe.expected_ns = AUTOTUNE__NEVER;
    return false;
}
/* No launch took any time by the clock, or time was up as soon as the clock's steps were known: of what works the
   lowest index wins. If nothing does, the next group is raced. */
static bool autotune__finish_unmeasured(autotune__race *race) {
    size_t row, lowest = SIZE_MAX;
    for (row = race->group.first_row; row < autotune__count(race->rows); row++)
        if (autotune__works(&race->rows[row]) &&
            (lowest == SIZE_MAX || race->rows[row].index < race->rows[lowest].index))
            lowest = row;
    if (lowest == SIZE_MAX) return autotune__next_group(race);
    race->outcome.doubt = autotune__count(race->live)
                              ? "the clock did not move during the launches"
                              : "the clock is too coarse: time was up before a launch could be measured";
    return autotune__finish(race, lowest, AUTOTUNE_UNRESOLVED);
}
static bool autotune__end_screen(autotune__race *race) {
    const bool collected = autotune__collect(race);
    bool short_of_time;
    if (race->no_memory) return false;
    if (!collected || !(race->best_ns > 0)) return autotune__finish_unmeasured(race);
    short_of_time = !race->setup.finalists && autotune__fit_field(race);
    if (autotune__count(race->live) == 1) return autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
    autotune__start_halving(race);
    if (race->setup.finalists || (short_of_time && autotune__count(race->live) <= AUTOTUNE__FINALISTS)) {
        autotune__start_duel(race);             /* halved before, or there is no time for it, nor for the control */
        race->control.active = race->control.active && !short_of_time;
        autotune__start_round(race);
    }
    return false;
}
/* The answer for a point that the search asked about. A deferred point is not admitted, but kept for later. */
static void autotune__take_judgement(autotune__race *race, const autotune__answer *answer) {
    const size_t index = race->request.index;
    const bool takes_part = autotune__note_priority(race, answer), deferred = autotune__is_deferred(race, index);
    autotune__count_draw(race, answer);
    if (takes_part && deferred) autotune__defer(race, index);
    race->searching.admits = takes_part && !deferred;
}
static bool autotune__screen(autotune__race *race, const autotune__answer *answer) {
    if (answer && race->searching.judging) autotune__take_judgement(race, answer);
    else if (answer && race->probe.launches) autotune__take_probe(race, answer);
    else if (answer) autotune__take_screened(race, answer);
    if (answer && race->rechecking.first_ns > 0) autotune__take_recheck(race, answer);
    if (race->stage != AUTOTUNE__SCREENING) return false;           /* .stop_at_ns was reached */
    if (race->screening.repeat && autotune__in_time(race)) return autotune__ask_sample(race, race->row);
    race->screening.repeat = AUTOTUNE__NO_REPEAT;
    if (autotune__in_time(race) && autotune__probe(race)) return true;
    race->probe.launches = 0;
    if (autotune__screen_next(race)) return true;
    if (race->no_memory) return false;
    if (race->searching.ended && autotune__in_time(race) && autotune__probe(race)) return true;
    if (race->setup.sampled) race->admitted.count = autotune__estimated_count(race);
    if (!(race->rechecking.until > 0)) autotune__reserve_time(race);
    return autotune__recheck(race) || autotune__end_screen(race);
}

/* The screen launches the configurations of the next group for the first time: all of them, or those that a search
   chooses. This room decides which configuration comes next, when time is up, and how the screen ends. cut.h says
   why a configuration is cut. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "prior.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"
#include "searching.h"
#include "cut.h"
#include "screen_samples.h"
#include "rounds.h"
#include "recheck.h"
#include "duel.h"
#include "verification.h"
#include "halving.h"

/* Finds the configuration to launch next. TRY: launch *index. JUDGE: evaluate *index first. EXHAUSTED: none is left,
   or a search expects little gain from further ones. NO_ROOM: no memory. */
static autotune__move autotune__next_candidate(autotune__race *race, size_t *index) {
    const bool by_default = !race->limits.trials && !autotune__has_own_limit(&race->limits);
    autotune__searching *searching = &race->searching;
    autotune_search *search = searching->search;
    autotune__choose_extent(race);
    while (!autotune__is_searching(race) && race->group.next < autotune__count(race->group.order)) {
        *index = race->group.order[race->group.next++];
        if (!search || !autotune__is_visited(search, *index)) return AUTOTUNE__TRY;
    }
    if (!autotune__is_searching(race)) return AUTOTUNE__EXHAUSTED;
    if (!autotune__tell_rows(race)) return AUTOTUNE__NO_ROOM;
    if (by_default && searching->extent == AUTOTUNE__SEARCHED && !autotune__pays(search)) return AUTOTUNE__EXHAUSTED;
    return autotune__search_step(search, index);
}
static bool autotune__has_many_trials(const autotune__race *race) {
    return autotune__count(race->rows) - race->group.first_row >= 50;
}
/* Returns true if the work besides launches has taken too long: four times the limit of first launches. This work is
   compilation, checks of outputs, and drawing of points. A screen of fewer than 50 trials without a search has no such
   limit. */
static bool autotune__works_long_besides(const autotune__race *race) {
    return (autotune__is_searching(race) || autotune__has_many_trials(race)) &&
           race->elapsed - race->before_duel_ns / 1e9 >= 4 * autotune__screen_seconds(race);
}
/* Returns true if first launches may go on beyond the default limit:
   - until a configuration of the group works. In a sampled space perhaps none works, so there first launches go on only
     with .max_trials.
   - in a search, until it has 50 trials, or its work besides launches has taken too long. */
static bool autotune__may_pass_default_limit(const autotune__race *race) {
    if (!autotune__is_definite(race->best_ns)) return !autotune__is_sampled(race) || race->limits.trials;
    return autotune__is_searching(race) && !autotune__has_many_trials(race) && !autotune__works_long_besides(race);
}
/* Returns true if the time for first launches is used up. The race makes its first launch in any case. */
static bool autotune__no_time_left(const autotune__race *race) {
    const bool passed = race->elapsed - race->put_off >= autotune__screen_seconds(race);
    return autotune__count(race->rows) && (passed || autotune__works_long_besides(race)) &&
           (autotune__has_own_limit(&race->limits) || !autotune__may_pass_default_limit(race));
}
/* Returns true if a configuration of the group was not launched. In a sampled space this is an estimate. */
static bool autotune__leaves_out(const autotune__race *race) {
    const size_t rows = autotune__count(race->rows);
    return autotune__is_sampled(race) ? autotune__estimated_count(race) > rows
                                      : rows - race->group.first_row < autotune__count(race->group.order);
}
static bool autotune__launch_first(autotune__race *race, size_t index) {
    return autotune__has_memory_for(race, autotune__new_row(race, index)) &&
           autotune__ask_sample(race, autotune__count(race->rows) - 1);
}
/* Asks for the first launch of another configuration, or for the evaluation of a point to launch. Returns false if
   there are no further first launches. If a limit leaves out configurations, notes this in `lack`. */
static bool autotune__ask_for_first_launch(autotune__race *race) {
    size_t index = SIZE_MAX;
    if (autotune__is_over(race)) return false;
    if (!autotune__is_searching(race) && race->group.next >= autotune__count(race->group.order)) return false;
    if (autotune__lacks_trials(race) || autotune__no_time_left(race)) {
        if (autotune__leaves_out(race))
            race->lack = autotune__lacks_trials(race) ? AUTOTUNE__LACKS_TRIALS : AUTOTUNE__LACKS_TIME;
        return false;
    }
    switch (autotune__next_candidate(race, &index)) {
    case AUTOTUNE__JUDGE: return autotune__ask(race, AUTOTUNE__EVALUATE, index);
    case AUTOTUNE__EXHAUSTED: autotune__end_search(race); return autotune__ask_for_first_launch(race);
    case AUTOTUNE__TRY: return autotune__launch_first(race, index);
    default: return autotune__has_memory_for(race, false);
    }
}
/* Takes the answer for a point that the search has drawn. Returns true if the point is launched. A deferred point is
   not launched now, but kept for later. */
static bool autotune__take_drawn(autotune__race *race, const autotune__answer *answer) {
    const size_t index = race->request.index;
    const bool eligible = autotune__is_eligible(answer) && !autotune__is_excluded(race, index),
               deferred = autotune__is_deferred(race, index);
    autotune__move move;
    autotune__count_draw(race, eligible, autotune__points_of(answer));
    if (eligible && deferred) autotune__defer(race, index);
    move = autotune__accept(race->searching.search, eligible && !deferred);
    return autotune__has_memory_for(race, move != AUTOTUNE__NO_ROOM) && move == AUTOTUNE__TRY &&
           autotune__launch_first(race, index);
}
/* Starts the screen of the next group. Returns false if there is no next group, or no memory. */
static bool autotune__start_next_group(autotune__race *race) {
    if (!autotune__choose_group(race) || !autotune__has_memory_for(race, autotune__start_search(race))) return false;
    race->group.began = race->elapsed;
    race->group.next = 0;
    race->group.first_row = autotune__count(race->rows);
    race->best_ns = AUTOTUNE__NEVER;
    return true;
}
/* Cuts by the first and second launches, which are two rounds. Rows without a second launch are too slow. */
static void autotune__cut_by_two_rounds(autotune__race *race) {
    size_t i;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++)
        if (!autotune__count(race->rows[i].samples)) race->rows[i].why = autotune__too_slow;
    if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(race->round.pace, 0) && AUTOTUNE__PUSH(race->round.pace, 0)) ||
        !autotune__update_minima(race))
        return;
    autotune__keep(race, 1 + autotune__near_best(race), SIZE_MAX);
}
/* Ends the screen. Returns true if at least two configurations have survived. A single survivor wins. If none works,
   the race goes on with the next group. */
static bool autotune__end_screen(autotune__race *race) {
    if (autotune__has_two_rounds(race)) autotune__cut_by_two_rounds(race);
    else {
        autotune__forget_rounds(race);
        if (!autotune__collect(race)) return false;
    }
    return autotune__count(race->live) > 1 || autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
}

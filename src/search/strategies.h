/* The strategies of a search: which point to judge or to try next. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "lattice.h"
#include "points.h"
#include "model.h"
#include "proposals.h"

/* Draws a point anywhere. If uniform draws have found no new point, draws a neighbour of the best trials. */
static void autotune__draw_any(autotune_search *search, autotune__purpose purpose) {
    const bool near_best = search->draws == AUTOTUNE__NEAR_BEST;
    search->purpose = purpose;
    if (!near_best) search->draws = AUTOTUNE__UNIFORMLY;
    search->drawn = near_best ? autotune__draw_neighbour(search) : autotune__draw_uniform(search);
}
/* Draws a proposal: one of four draws is uniform, the others are neighbours. Before the first forecast all draws are
   uniform. Returns false if the pool has enough proposals. */
static bool autotune__draw_for_pool(autotune_search *search) {
    const bool forecasts = search->model->factored > 0;
    if (!search->wanted) return false;
    search->wanted--;
    if ((!forecasts || autotune__draw(search, 4) == 0) && search->draws != AUTOTUNE__NEAR_BEST)
        autotune__draw_any(search, AUTOTUNE__TO_POOL);
    else if (!forecasts) return false;
    else search->drawn = autotune__draw_neighbour(search);
    return true;
}
/* Begins a choice of SURROGATE. Updates the model with the new times. Sets how many proposals the pool gets before one
   is chosen: fewer as trials are made, and more after a new best trial. Returns false if there is no memory. */
static bool autotune__begin_choice(autotune_search *search) {
    const size_t from_afar = AUTOTUNE__POOL / 2, trials = autotune__count(search->trials);
    if (!autotune__update_model(search)) return false;
    search->purpose = AUTOTUNE__TO_POOL;
    if (search->model->factored) search->wanted = 4 + 300 / trials + (search->last_gain == trials ? 30 : 0);
    else search->wanted = search->model->proposals < from_afar ? from_afar - search->model->proposals : 0;
    return true;
}
static autotune__move autotune__draw_by_model(autotune_search *search) {
    autotune__surrogate *m = search->model;
    if (search->purpose != AUTOTUNE__TO_POOL && !autotune__begin_choice(search)) return AUTOTUNE__NO_ROOM;
    if (autotune__draw_for_pool(search)) return AUTOTUNE__JUDGE;
    if (m->proposals) {
        search->purpose = AUTOTUNE__CHOSEN;
        search->drawn =
            m->pool[m->factored ? autotune__choose_proposal(search) : autotune__choose_unknown(search)].index;
    } else autotune__draw_any(search, AUTOTUNE__TO_TRY);
    return AUTOTUNE__JUDGE;
}
static autotune__move autotune__draw_in_order(autotune_search *search) {
    search->purpose = AUTOTUNE__TO_TRY;
    if (search->ordered == (search->list ? search->list_count : search->lattice.points)) return AUTOTUNE__EXHAUSTED;
    search->drawn = search->list ? search->list[search->ordered] : search->ordered;
    search->ordered++;
    return AUTOTUNE__JUDGE;
}
static autotune__move autotune__draw_point(autotune_search *search) {
    if (search->list && search->visited_count >= search->list_count) return AUTOTUNE__EXHAUSTED;
    if (search->preferred_next < autotune__count(search->preferred)) {
        search->purpose = AUTOTUNE__TO_TRY;
        search->drawn = search->preferred[search->preferred_next++];
        return AUTOTUNE__JUDGE;
    }
    if (search->strategy == AUTOTUNE_EXHAUSTIVE) return autotune__draw_in_order(search);
    if (search->strategy != AUTOTUNE_RANDOM && search->draws != AUTOTUNE__UNIFORMLY)
        return autotune__draw_by_model(search);
    autotune__draw_any(search, search->strategy == AUTOTUNE_RANDOM ? AUTOTUNE__TO_TRY : search->purpose);
    return AUTOTUNE__JUDGE;
}
/* Takes the answer: whether the drawn point is admitted. */
static autotune__move autotune__accept(autotune_search *search, bool admitted) {
    if (search->model && search->purpose != AUTOTUNE__TO_POOL) autotune__drop_proposal(search->model, search->drawn);
    if (!admitted || autotune__is_visited(search, search->drawn)) { search->fruitless++; return AUTOTUNE__DRAW; }
    search->fruitless = 0;
    if (search->draws == AUTOTUNE__UNIFORMLY) search->draws = AUTOTUNE__BY_STRATEGY;
    if (search->purpose != AUTOTUNE__TO_POOL)
        return autotune__visit_point(search, search->drawn) ? AUTOTUNE__TRY : AUTOTUNE__NO_ROOM;
    autotune__add_proposal(search, search->drawn);
    return AUTOTUNE__DRAW;
}
/* Returns true if uniform draws were for a pool that has proposals already. */
static bool autotune__may_choose_from_pool(const autotune_search *search) {
    return search->draws == AUTOTUNE__UNIFORMLY && search->purpose == AUTOTUNE__TO_POOL && search->model->proposals;
}
/* Returns true if draws near the best trials may follow uniform draws. RANDOM draws no points near the best trials. */
static bool autotune__may_draw_near_best(const autotune_search *search) {
    return search->draws == AUTOTUNE__UNIFORMLY && search->best_count && search->strategy != AUTOTUNE_RANDOM;
}
/* Returns true if no point is left. Called before each draw. After too many draws in a row without a new point:
   - If the draws were for a pool that has proposals, one of these is chosen.
   - Else the search draws near the best trials.
   - If that was done already, or is not possible, no point is left.
   EXHAUSTIVE does not draw at random. */
static bool autotune__gives_up(autotune_search *search) {
    const bool chooses = autotune__may_choose_from_pool(search), goes_near = autotune__may_draw_near_best(search);
    const size_t most = chooses ? AUTOTUNE__FRUITLESS >> 8 : AUTOTUNE__FRUITLESS;
    if (search->strategy == AUTOTUNE_EXHAUSTIVE || search->fruitless < most) return false;
    if (chooses) search->wanted = 0;
    search->draws = !chooses && goes_near ? AUTOTUNE__NEAR_BEST : AUTOTUNE__BY_STRATEGY;
    search->fruitless = 0;
    return !chooses && !goes_near;
}
/* Returns the next move. TRY: try *point. JUDGE: judge *point, and tell autotune__accept() whether WHERE admits it. */
static autotune__move autotune__search_step(autotune_search *search, size_t *point) {
    autotune__move move = AUTOTUNE__DRAW;
    while (move == AUTOTUNE__DRAW) {
        bool admitted;
        if (autotune__gives_up(search)) return AUTOTUNE__EXHAUSTED;
        move = autotune__draw_point(search);
        if (move != AUTOTUNE__JUDGE) break;
        *point = search->drawn;
        if (search->purpose == AUTOTUNE__CHOSEN) admitted = true;
        else if (search->drawn == AUTOTUNE__NOWHERE) admitted = false;
        else if (search->list) admitted = autotune__listed(search, search->drawn) != SIZE_MAX;
        else break;
        move = autotune__accept(search, admitted);
    }
    return move;
}

/* Inserts a trial that worked into the list of the best. */
static void autotune__note_best(autotune_search *search, size_t trial) {
    const double time = search->trials[trial].log_ns,
                 least = search->best_count ? search->trials[search->best[0]].log_ns : AUTOTUNE__NEVER;
    size_t i;
    if (time < least - 0.002) search->last_gain = trial + 1;
    for (i = search->best_count; i > 0 && search->trials[search->best[i - 1]].log_ns > time; i--)
        if (i < AUTOTUNE__POPULATION) search->best[i] = search->best[i - 1];
    if (i < AUTOTUNE__POPULATION) search->best[i] = trial;
    if (search->best_count < AUTOTUNE__POPULATION) search->best_count++;
}
/* Returns true if further trials pay: fewer than 50 were made, a gain was among the last three fifths of the trials, or
   the model expects a gain. */
static bool autotune__pays(const autotune_search *search) {
    const size_t trials = autotune__count(search->trials), least = 50;
    return trials < least || trials - search->last_gain < trials * 3 / 5 || search->gain * (double)trials >= 0.02;
}
/* Tells a search the time of a trial; AUTOTUNE__NEVER: the configuration failed. Returns false without memory. */
static bool autotune__tell_search(autotune_search *search, size_t index, double ns) {
    const size_t trial = autotune__count(search->trials);
    autotune__tried_point told;
    memset(&told, 0, sizeof told);
    told.index = index;
    told.log_ns = autotune__is_definite(ns) ? autotune__logarithm(ns > 1e-300 ? ns : 1e-300) : AUTOTUNE__NEVER;
    autotune__bins_of(&search->lattice, index, told.bin);
    if (!autotune__visit_point(search, index) || !AUTOTUNE__PUSH(search->trials, told)) return false;
    if (search->model) autotune__drop_proposal(search->model, index);
    if (told.log_ns < AUTOTUNE__NEVER) autotune__note_best(search, trial);
    return true;
}

/* Returns a point that is likely to be tried after k others; SIZE_MAX: unknown. Preferred points come first. Proposals
   follow in ascending order of the forecast mean less the deviation. */
static AUTOTUNE__UNUSED size_t autotune__likely_next(const autotune_search *search, size_t k) {
    const autotune__surrogate *m = search->model;
    const size_t preferred = search->preferred ? autotune__count(search->preferred) - search->preferred_next : 0;
    float low[AUTOTUNE__POOL];
    size_t i, j, lower;
    if (k < preferred) {
        const size_t point = search->preferred[search->preferred_next + k];
        return search->list && autotune__listed(search, point) == SIZE_MAX ? SIZE_MAX : point;
    }
    if (!m || !m->factored) return SIZE_MAX;
    for (i = 0; i < m->proposals; i++) low[i] = m->pool[i].mean - autotune__deviation(m, &m->pool[i]);
    for (i = 0; i < m->proposals; i++) {
        for (lower = j = 0; j < m->proposals; j++) lower += low[j] < low[i] || (j < i && !(low[i] < low[j]));
        if (lower == k - preferred) return m->pool[i].index;
    }
    return SIZE_MAX;
}

/* The search's strategies: the pool of proposals, and the step from one question to the next. */
#pragma once
#include <float.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/options.h"
#include "../api/search.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "points.h"
#include "model.h"

static void autotune__drop_proposal(autotune__surrogate *m, size_t index) {
    size_t i;
    for (i = 0; i < m->proposals; i++) if (m->pool[i].index == index) { m->pool[i] = m->pool[--m->proposals]; return; }
}
/* In a full pool a new one takes the place of that which promises least. */
static void autotune__add_proposal(autotune_search *search, size_t index) {
    autotune__surrogate *m = search->model;
    autotune__proposal *place;
    size_t i;
    for (i = 0; i < m->proposals; i++) if (m->pool[i].index == index) return;
    if (m->proposals < AUTOTUNE__POOL) place = &m->pool[m->proposals++];
    else {
        float worst = -FLT_MAX;
        for (place = m->pool, i = 0; i < AUTOTUNE__POOL; i++) {
            const float least = m->pool[i].mean - autotune__deviation(m, &m->pool[i]);
            if (least > worst) { worst = least; place = &m->pool[i]; }
        }
    }
    place->index = index;
    autotune__places_of(search, index, place->place);
    if (m->factored) autotune__forecast(search, place, 0);
}
/* While nothing can be forecast: the one that is least like any that was tried. */
static size_t autotune__choose_unknown(const autotune_search *search) {
    const autotune__surrogate *m = search->model;
    float least = FLT_MAX, similarity[AUTOTUNE__KNOWN_POINTS];
    size_t i, j, chosen = 0;
    for (i = 0; i < m->proposals; i++) {
        float nearest = 0;
        autotune__compare_places(search, m->pool[i].place, 0, m->count, similarity);
        for (j = 0; j < m->count; j++) if (similarity[j] > nearest) nearest = similarity[j];
        if (nearest < least) { least = nearest; chosen = i; }
    }
    return chosen;
}
/* The greatest expected gain; in two of three trials after a long time without any, the lowest that the time might
   be. */
static size_t autotune__choose_proposal(autotune_search *search) {
    const autotune__surrogate *m = search->model;
    const size_t trials = autotune__count(search->trials);
    const bool curious = trials - search->improved > search->habits.patience && autotune__draw(search, 3);
    float most = -FLT_MAX, lowest = FLT_MAX;
    size_t i, chosen = 0, other = 0;
    for (i = 0; i < m->proposals; i++) {
        const autotune__proposal *p = &m->pool[i];
        const float deviation = autotune__deviation(m, p), low = p->mean - (float)search->habits.curiosity * deviation,
                    below = m->best - p->mean, z = below / deviation, bell = 0.4f / ((1 + z * z / 4) * (1 + z * z / 4));
        if (low < lowest) { lowest = low; other = i; }
        /* else the gain is less: bell is above the normal density */
        if ((below > 0 ? below : 0) + deviation * bell > most) {
            const float gain = autotune__expected_gain(below, deviation);
            if (gain > most) { most = gain; chosen = i; }
        }
    }
    search->gain = 1 - autotune__exp(-(double)most * m->deviation);
    return curious ? other : chosen;
}

/* Whoever draws for himself is content with the next point that is admitted and new. Where so few are that draws from
   anywhere found none, the neighbours of those that are known are left. */
static bool autotune__draw_any(autotune_search *search, autotune__purpose purpose) {
    search->purpose = purpose;
    search->uniform = !search->thin;
    search->candidate = search->uniform ? autotune__draw_uniform(search) : autotune__draw_neighbour(search);
    return true;
}
/* The best with another value on one axis: one axis after the other, all values, or as many drawn where there are
   more. */
static bool autotune__sweep(autotune_search *search) {              /* false: it is done */
    const size_t most = 32;
    for (; search->sweep_axis < search->axis_count; search->sweep_axis++, search->sweep_value = 0) {
        const size_t axis = search->sweep_axis, count = search->count[axis];
        size_t values[AUTOTUNE_MAX_AXES];
        if (count < 2 || search->sweep_value >= (count < most ? count : most)) continue;
        autotune__values_of(search, search->trials[search->best[0]].index, values);
        if (count <= most) values[axis] = search->sweep_value;
        else autotune__vary(search, values, axis);
        search->sweep_value++;
        search->candidate = autotune__index_of(search, values);
        return true;
    }
    return false;
}
/* Of eight draws two come from anywhere, two are crossings, four are neighbours; before the first forecast all come
   from anywhere. */
static bool autotune__draw_for_pool(autotune_search *search) {      /* false: one is to be chosen from the pool */
    const bool forecasts = search->model->factored > 0;
    uint64_t kind;
    search->purpose = AUTOTUNE__TO_POOL;
    if (forecasts && autotune__sweep(search)) return true;
    if (!search->wanted) return false;
    search->wanted--;
    kind = forecasts ? autotune__draw(search, 8) : 0;
    if (kind < 2 && !search->thin) return autotune__draw_any(search, AUTOTUNE__TO_POOL);
    if (!forecasts) return false;
    search->candidate = kind < 4 ? autotune__draw_child(search, false) : autotune__draw_neighbour(search);
    return true;
}
/* A turn of SURROGATE: the model learns what was told, the pool gets new proposals, one of them is chosen. */
static void autotune__begin_turn(autotune_search *search) {
    const size_t from_afar = AUTOTUNE__POOL / 2;
    search->no_memory = !autotune__update_model(search);
    search->turn = !search->no_memory;
    if (search->model->factored) search->wanted = 4 + 300 / autotune__trial_count(search);
    else search->wanted = search->model->proposals < from_afar ? from_afar - search->model->proposals : 0;
    if (search->model->factored && !search->sweep_axis && !search->sweep_value) search->wanted += 30;
}
static bool autotune__draw_by_model(autotune_search *search) {
    autotune__surrogate *m = search->model;
    if (!search->turn) {
        if (!search->thin && autotune__draw(search, 50) == 0)
            return autotune__draw_any(search, AUTOTUNE__TO_TRY);    /* whatever the model believes */
        autotune__begin_turn(search);
        if (search->no_memory) return false;
    }
    if (autotune__draw_for_pool(search)) return true;
    search->turn = false;
    if (!m->proposals) return autotune__draw_any(search, AUTOTUNE__TO_TRY);
    search->purpose = AUTOTUNE__CHOSEN;
    search->candidate =
        m->pool[m->factored ? autotune__choose_proposal(search) : autotune__choose_unknown(search)].index;
    return true;
}
static bool autotune__draw_child_to_try(autotune_search *search) {
    const size_t barren = 64;                   /* children in a row that were known or not admitted */
    if (autotune__trial_count(search) < AUTOTUNE__POPULATION || search->best_count < 2 || search->fruitless >= barren)
        return autotune__draw_any(search, AUTOTUNE__TO_TRY);
    search->purpose = AUTOTUNE__TO_TRY;
    search->candidate = autotune__draw_child(search, true);
    return true;
}
static bool autotune__draw_in_order(autotune_search *search) {
    search->purpose = AUTOTUNE__TO_TRY;
    if (search->ordered == (search->list ? search->list_count : search->points)) return false;
    search->candidate = search->list ? search->list[search->ordered] : search->ordered;
    search->ordered++;
    return true;
}
static bool autotune__draw_candidate(autotune_search *search) {     /* false: there is nothing left */
    if (search->list && search->visited_count >= search->list_count) return false;
    if (search->preferred_next < autotune__count(search->preferred)) {
        search->purpose = AUTOTUNE__TO_TRY;
        search->candidate = search->preferred[search->preferred_next++];
        return true;
    }
    if (search->uniform) return autotune__draw_any(search, search->purpose);
    switch (search->strategy) {
    case AUTOTUNE_EXHAUSTIVE: return autotune__draw_in_order(search);
    case AUTOTUNE_RANDOM: return autotune__draw_any(search, AUTOTUNE__TO_TRY);
    case AUTOTUNE_GENETIC: return autotune__draw_child_to_try(search);
    default: return autotune__draw_by_model(search);
    }
}
/* The candidate was judged. True: it is the point to try. */
static bool autotune__accept(autotune_search *search, bool admitted) {
    if (search->model && search->purpose != AUTOTUNE__TO_POOL)
        autotune__drop_proposal(search->model, search->candidate);
    if (!admitted || autotune__is_visited(search, search->candidate)) { search->fruitless++; return false; }
    search->fruitless = 0;
    search->uniform = false;
    if (search->purpose == AUTOTUNE__TO_POOL) { autotune__add_proposal(search, search->candidate); return false; }
    search->no_memory = !autotune__visit_point(search, search->candidate);
    return !search->no_memory;
}
/* Draws that led to nothing new, too many in a row. What comes from anywhere to a pool that is not empty can be done
   without in this turn; what comes in order is not drawn. True: there is nothing left. */
static bool autotune__is_exhausted(autotune_search *search) {
    const bool spare = search->uniform && search->purpose == AUTOTUNE__TO_POOL && search->model->proposals;
    const size_t most = spare ? AUTOTUNE__FRUITLESS >> 8 : AUTOTUNE__FRUITLESS;
    if (search->strategy == AUTOTUNE_EXHAUSTIVE || search->fruitless < most) return false;
    if (spare) search->wanted = 0;
    else search->thin = search->uniform && search->best_count && search->strategy != AUTOTUNE_RANDOM;
    search->uniform = false;
    search->fruitless = 0;
    return !spare && !search->thin;
}
/* From one question to the next: JUDGE a point (the next call says whether it is admitted), or TRY one. */
static autotune__move autotune__search_step(autotune_search *search, bool admitted, size_t *point) {
    const bool judged = search->judging;
    search->judging = search->no_memory = false;
    if (judged && autotune__accept(search, admitted)) { *point = search->candidate; return AUTOTUNE__TRY; }
    while (!search->no_memory) {
        if (autotune__is_exhausted(search)) return AUTOTUNE__EXHAUSTED;
        if (!autotune__draw_candidate(search)) return search->no_memory ? AUTOTUNE__NO_ROOM : AUTOTUNE__EXHAUSTED;
        *point = search->candidate;
        if (search->purpose == AUTOTUNE__CHOSEN) admitted = true;
        else if (search->list) admitted = autotune__listed(search, search->candidate) != SIZE_MAX;
        else { search->judging = true; return AUTOTUNE__JUDGE; }
        if (autotune__accept(search, admitted)) return AUTOTUNE__TRY;
    }
    return AUTOTUNE__NO_ROOM;
}

/* A trial that worked, to its place among the best. */
static void autotune__rank_trial(autotune_search *search, size_t trial) {
    const double time = search->trials[trial].log_ns,
                 least = search->best_count ? search->trials[search->best[0]].log_ns : AUTOTUNE__NEVER;
    size_t i;
    if (time < least - 0.002) search->improved = trial + 1;
    if (time < least) search->sweep_axis = search->sweep_value = 0;
    for (i = search->best_count; i > 0 && search->trials[search->best[i - 1]].log_ns > time; i--)
        if (i < AUTOTUNE__POPULATION) search->best[i] = search->best[i - 1];
    if (i < AUTOTUNE__POPULATION) search->best[i] = trial;
    if (search->best_count < AUTOTUNE__POPULATION) search->best_count++;
}
/* What a trial took; AUTOTUNE__NEVER: it failed. False: no memory. */
static bool autotune__tell_search(autotune_search *search, size_t index, double ns) {
    const size_t trial = autotune__trial_count(search);
    autotune__tried_point told;
    memset(&told, 0, sizeof told);
    told.index = index;
    told.log_ns = autotune__is_definite(ns) ? autotune__logarithm(ns > 1e-300 ? ns : 1e-300) : AUTOTUNE__NEVER;
    autotune__places_of(search, index, told.place);
    if (!autotune__visit_point(search, index) || !AUTOTUNE__PUSH(search->trials, told)) return false;
    if (search->model) autotune__drop_proposal(search->model, index);
    if (told.log_ns < AUTOTUNE__NEVER) autotune__rank_trial(search, trial);
    return true;
}

/* What may be tried after k others: a preferred point, or one of the pool by the least that its time may be. SIZE_MAX:
   nobody knows. */
static AUTOTUNE__UNUSED size_t autotune__likely_next(const autotune_search *search, size_t k) {
    const autotune__surrogate *m = search->model;
    const size_t preferred = search->preferred ? autotune__count(search->preferred) - search->preferred_next : 0;
    bool taken[AUTOTUNE__POOL] = { false };
    size_t i, round, chosen = SIZE_MAX;
    if (k < preferred) {
        const size_t point = search->preferred[search->preferred_next + k];
        return search->list && autotune__listed(search, point) == SIZE_MAX ? SIZE_MAX : point;
    }
    if (!m || !m->factored || k - preferred >= m->proposals) return SIZE_MAX;
    for (round = preferred; round <= k; round++) {
        float least = FLT_MAX;
        for (i = 0; i < m->proposals; i++) {
            const float low = m->pool[i].mean - autotune__deviation(m, &m->pool[i]);
            if (!taken[i] && low < least) { least = low; chosen = i; }
        }
        if (chosen == SIZE_MAX) return SIZE_MAX;
        taken[chosen] = true;
    }
    return m->pool[chosen].index;
}

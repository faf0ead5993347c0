/* The proposals of SURROGATE: the pool of points, from which the model chooses the next point to try. */
#pragma once
#include <float.h>
#include "../api/floor.h"
#include "../base/floor.h"
#include "lattice.h"
#include "points.h"
#include "model.h"

static void autotune__drop_proposal(autotune__surrogate *m, size_t index) {
    size_t i;
    for (i = 0; i < m->proposals; i++) if (m->pool[i].index == index) { m->pool[i] = m->pool[--m->proposals]; return; }
}
/* Adds a point to the pool. In a full pool the point replaces the proposal that promises least. */
static void autotune__add_proposal(autotune_search *search, size_t index) {
    autotune__surrogate *m = search->model;
    autotune__proposal *proposal;
    size_t i;
    for (i = 0; i < m->proposals; i++) if (m->pool[i].index == index) return;
    if (m->proposals < AUTOTUNE__POOL) proposal = &m->pool[m->proposals++];
    else {
        float worst = -FLT_MAX;
        for (proposal = m->pool, i = 0; i < AUTOTUNE__POOL; i++) {
            const float least = m->pool[i].mean - autotune__deviation(m, &m->pool[i]);
            if (least > worst) { worst = least; proposal = &m->pool[i]; }
        }
    }
    proposal->index = index;
    autotune__bins_of(&search->lattice, index, proposal->bin);
    if (m->factored) autotune__forecast(search, proposal, 0);
}
/* Before the first forecast: chooses the proposal that is least similar to the tried points. */
static size_t autotune__choose_unknown(const autotune_search *search) {
    const autotune__surrogate *m = search->model;
    float least = FLT_MAX, similarity[AUTOTUNE__KNOWN_POINTS];
    size_t i, j, chosen = 0;
    for (i = 0; i < m->proposals; i++) {
        float nearest = 0;
        autotune__compare_bins(search, m->pool[i].bin, 0, m->count, similarity);
        for (j = 0; j < m->count; j++) if (similarity[j] > nearest) nearest = similarity[j];
        if (nearest < least) { least = nearest; chosen = i; }
    }
    return chosen;
}
/* Chooses the proposal with the greatest expected gain. */
static size_t autotune__choose_proposal(autotune_search *search) {
    const autotune__surrogate *m = search->model;
    float most = -FLT_MAX;
    size_t i, chosen = 0;
    for (i = 0; i < m->proposals; i++) {
        const autotune__proposal *p = &m->pool[i];
        const float gain = autotune__expected_gain(m->best - p->mean, autotune__deviation(m, p));
        if (gain > most) { most = gain; chosen = i; }
    }
    search->gain = 1 - autotune__exp(-(double)most * m->deviation);
    return chosen;
}

/* The model of SURROGATE: a Gaussian process, which forecasts the times of untried points. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "lattice.h"
#include "points.h"

/* Returns the logarithm of a feature's fading before trials teach it. points.h explains fading, and lattice.h
   evenness. The evenness of an axis may have no effect on times, so its fading is half as large. */
static double autotune__first_fading(const autotune_search *search, size_t i) {
    const double fading = search->constants.fading;
    return autotune__logarithm(i < search->lattice.coordinates ? fading : fading / 2);
}
/* Sets the likeness of any two bins of a feature. It is (exp(-r) + exp(-3 r^2)) / 2. Here r is the fading multiplied by
   the distance of the bins, and the largest distance is 1. The first term falls at once as r grows, for axes whose
   times have cliffs. The second term falls late, for axes whose times are smooth. */
static void autotune__fade(autotune_search *search, size_t i) {
    const autotune__lattice *lattice = &search->lattice;
    const bool even = i >= lattice->coordinates;
    const autotune__coordinate *coordinate = &lattice->coordinate[even ? lattice->even[i - lattice->coordinates] : i];
    const size_t bins = AUTOTUNE__BINS, span = even ? coordinate->evennesses - 1 : coordinate->span,
                 furthest = span < bins - 1 ? span : bins - 1;
    const double fading = autotune__exp(search->model->fading[i]);
    float *middle = search->model->likeness[i] + bins;
    size_t apart;
    for (apart = 0; apart < bins; apart++) {
        const double r = fading * ((double)(apart < furthest ? apart : furthest) / (double)furthest);
        middle[apart] = *(middle - apart) = (float)(0.5 * autotune__exp(-r) + 0.5 * autotune__exp(-3 * r * r));
    }
}
/* Computes the similarity of a point, given by its bins, to each of the points [from, to) of the model. */
static void autotune__compare_bins(const autotune_search *search, const unsigned char *bin, size_t from, size_t to,
                                     float *similarity) {
    const autotune__surrogate *m = search->model;
    const size_t features = autotune__features(&search->lattice);
    const float additive = (float)search->constants.additive, share = features ? additive / (float)features : 0;
    float sum[AUTOTUNE__KNOWN_POINTS];
    size_t i, j;
    for (j = from; j < to; j++) { similarity[j] = 1 - additive; sum[j] = 0; }
    for (i = 0; i < features; i++) {
        const float *likeness = &m->likeness[i][AUTOTUNE__BINS - bin[i]];
        const unsigned char *other = m->bin[i];
        for (j = from; j < to; j++) {
            similarity[j] *= likeness[other[j]];
            sum[j] += likeness[other[j]];
        }
    }
    for (j = from; j < to; j++) similarity[j] += share * sum[j];
}

/* Computes row i of L, the Cholesky factor of the similarities of all points. The diagonal of L has inverse values. */
static void autotune__factor_row(autotune_search *search, size_t i) {
    autotune__surrogate *m = search->model;
    float *row = m->L[i], rest;
    size_t j;
    autotune__compare_bins(search, search->trials[m->point[i]].bin, 0, i, row);
    for (j = 0; j < i; j++) row[j] = (row[j] - autotune__dot(row, m->L[j], j)) * m->L[j][j];
    rest = 1 + (float)autotune__exp(m->fading[AUTOTUNE__FEATURES]) - autotune__dot(row, row, i);
    row[i] = autotune__inverse_root(rest > 1e-5f ? rest : 1e-5f);
}
static void autotune__solve(autotune__surrogate *m, size_t count) {
    float sum = 0;
    size_t i;
    for (i = 0; i < count; i++) {
        m->solved[i] = (m->target[i] - autotune__dot(m->L[i], m->solved, i)) * m->L[i][i];
        sum += m->solved[i] * m->solved[i];
    }
    m->scale = sum / (float)count + 1e-12f;
}
/* Returns the logarithm of a product: the likelihood of the first `count` targets, and the normal priors of fadings and
   noise. */
static double autotune__likelihood(autotune_search *search, size_t count) {
    autotune__surrogate *m = search->model;
    const double spread = 1.5, noise_spread = 2;
    double sum, distance;
    size_t i;
    for (i = 0; i < count; i++) autotune__factor_row(search, i);
    autotune__solve(m, count);
    sum = -0.5 * (double)count * autotune__logarithm((double)m->scale);
    for (i = 0; i < count; i++) sum += autotune__logarithm((double)m->L[i][i]);
    for (i = 0; i < autotune__features(&search->lattice); i++) {
        distance = (m->fading[i] - autotune__first_fading(search, i)) / spread;
        sum -= 0.5 * distance * distance;
    }
    distance = (m->fading[AUTOTUNE__FEATURES] - AUTOTUNE__USUAL_NOISE) / noise_spread;
    return sum - 0.5 * distance * distance;
}
/* Learns one fading, or the noise: moves the number down or up by a step if this makes the targets more likely. */
static void autotune__learn_number(autotune_search *search, size_t i, double step, size_t count, double *likelihood) {
    autotune__surrogate *m = search->model;
    const double before = m->fading[i];
    int direction;
    for (direction = -1; direction <= 1; direction += 2) {
        double now;
        m->fading[i] = before + direction * step;
        if (i < AUTOTUNE__FEATURES) autotune__fade(search, i);
        if ((now = autotune__likelihood(search, count)) > *likelihood) { *likelihood = now; return; }
    }
    m->fading[i] = before;
    if (i < AUTOTUNE__FEATURES) autotune__fade(search, i);
}
static void autotune__learn(autotune_search *search) {
    autotune__surrogate *m = search->model;
    const size_t most = AUTOTUNE__REVIEWED, count = m->count < most ? m->count : most;
    double likelihood, step;
    size_t i;
    likelihood = autotune__likelihood(search, count);
    for (step = count < most ? 1 : 0.6; step > 0.5; step *= 0.6) {     /* with many points only the small step */
        for (i = 0; i < autotune__features(&search->lattice); i++)
            autotune__learn_number(search, i, step, count, &likelihood);
        autotune__learn_number(search, AUTOTUNE__FEATURES, step, count, &likelihood);
    }
}

/* Forecasts a proposal. An earlier forecast has already counted the model's points before `from`. */
static void autotune__forecast(const autotune_search *search, autotune__proposal *p, size_t from) {
    const autotune__surrogate *m = search->model;
    size_t i;
    if (!from) p->variance = 1;
    autotune__compare_bins(search, p->bin, from, m->count, p->whitened);
    for (i = from; i < m->count; i++) {
        p->whitened[i] = (p->whitened[i] - autotune__dot(m->L[i], p->whitened, i)) * m->L[i][i];
        p->variance -= p->whitened[i] * p->whitened[i];
    }
    p->mean = autotune__dot(p->whitened, m->solved, m->count);
}
static float autotune__deviation(const autotune__surrogate *m, const autotune__proposal *p) {
    const float variance = (p->variance > 1e-6f ? p->variance : 1e-6f) * m->scale;
    return variance * autotune__inverse_root(variance);
}
/* Returns the expected improvement of Bayesian optimisation: the mean of max(0, best - time). Here best - time is
   normal with mean `below`. The result is deviation * h(z). For the normal distribution h(z) = density(z) + z *
   probability(z). If z < 0, h is the density divided by a parabola, with an error below 5 % for z > -3. If z > 0, h(z)
   = z + h(-z). */
static float autotune__expected_gain(float below, float deviation) {
    const float z = below / deviation, t = z < 0 ? -z : z;
    const float h = 0.39894228f * (float)autotune__exp(-0.5 * (double)(z * z)) / (1 + 1.2533f * t + 0.7f * t * t);
    return (below > 0 ? below : 0) + deviation * h;
}

static void autotune__add_point(autotune_search *search, size_t trial) {
    autotune__surrogate *m = search->model;
    size_t i;
    for (i = 0; i < autotune__features(&search->lattice); i++) m->bin[i][m->count] = search->trials[trial].bin[i];
    m->point[m->count++] = trial;
}
/* Chooses the points of the model: the best trials, and others drawn from the rest. Returns false without memory. */
static bool autotune__choose_points(autotune_search *search, size_t best, size_t total) {
    autotune__surrogate *m = search->model;
    const size_t trials = autotune__count(search->trials);
    autotune__numbered *order AUTOTUNE__OWNED = (autotune__numbered *)autotune__allocate(trials * sizeof *order);
    size_t i;
    if (!order) return false;
    for (i = 0; i < trials; i++) {
        order[i].value = search->trials[i].log_ns;
        order[i].number = i;
    }
    qsort(order, trials, sizeof *order, autotune__order_numbered);
    m->count = m->factored = 0;
    for (i = 0; i < total; i++) {
        const size_t j = i < best ? i : i + (size_t)autotune__draw(search, trials - i);
        autotune__add_point(search, order[j].number);
        order[j] = order[i];
    }
    m->absorbed = trials;
    return true;
}
/* Sets the targets to the logarithms of the points' times. Slow times are capped, since differences between them tell
   little. A failure counts as the cap, and as at least 1 % slower than the best. Returns false if no point worked. */
static bool autotune__set_targets(autotune_search *search) {
    autotune__surrogate *m = search->model;
    double times[AUTOTUNE__KNOWN_POINTS], least, median, cap, failed, mean = 0, square = 0;
    size_t i, worked = 0;
    for (i = 0; i < m->count; i++) {
        const double time = search->trials[m->point[i]].log_ns;
        if (time < AUTOTUNE__NEVER) times[worked++] = time;
    }
    if (!worked) return false;
    autotune__sort(times, worked);
    least = times[0];
    median = times[worked / 2];
    cap = median + search->constants.cap * (median - least);
    if (cap > times[worked - 1] || cap <= least) cap = times[worked - 1];
    failed = cap > least + 0.01 ? cap : least + 0.01;
    for (i = 0; i < m->count; i++) {
        const double time = search->trials[m->point[i]].log_ns, capped = time < cap               ? time
                                                                         : time < AUTOTUNE__NEVER ? cap
                                                                                                  : failed;
        m->target[i] = (float)(capped - least);
        mean += (capped - least) / (double)m->count;
        square += (capped - least) * (capped - least) / (double)m->count;
    }
    square = square > mean * mean + 1e-12 ? square - mean * mean : 1e-12;
    m->deviation = autotune__exp(autotune__logarithm(square) / 2);
    for (i = 0; i < m->count; i++) m->target[i] = (float)(((double)m->target[i] - mean) / m->deviation);
    m->best = (float)(-mean / m->deviation);
    return true;
}
/* Adds the new trials to the points of the model. A review learns the fadings from the first points, so before a review
   the best trials are put first. Returns false if there is no memory. */
static bool autotune__absorb_trials(autotune_search *search, bool reviews) {
    autotune__surrogate *m = search->model;
    const size_t trials = autotune__count(search->trials), room = AUTOTUNE__KNOWN_POINTS, kept = room * 3 / 5;
    if (trials > m->absorbed + room - m->count) return autotune__choose_points(search, kept * 3 / 4, kept);
    if (reviews)
        return autotune__choose_points(search, trials < AUTOTUNE__REVIEWED ? trials : AUTOTUNE__REVIEWED / 2, trials);
    while (m->absorbed < trials) autotune__add_point(search, m->absorbed++);
    return true;
}
/* Updates the model and the forecasts to the last trial. Returns false if there is no memory. */
static bool autotune__update_model(autotune_search *search) {
    autotune__surrogate *m = search->model;
    const size_t trials = autotune__count(search->trials);
    const bool forecasts = trials >= search->constants.first && search->best_count,
               reviews = forecasts && trials >= m->next_review && trials <= AUTOTUNE__KNOWN_POINTS;
    size_t i, from;
    if (!autotune__absorb_trials(search, reviews)) return false;
    if (!forecasts || !autotune__set_targets(search)) return true;
    if (reviews) {
        autotune__learn(search);
        m->next_review = trials + trials / 3 + 1;
        m->factored = 0;
    }
    from = m->factored;
    for (; m->factored < m->count; m->factored++) autotune__factor_row(search, m->factored);
    autotune__solve(m, m->count);
    for (i = 0; i < m->proposals; i++) autotune__forecast(search, &m->pool[i], from);
    return true;
}

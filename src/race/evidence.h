/* The race's evidence: when samples show that one configuration is slower than another; medians; the winner's lead. */
#pragma once
#include <math.h>
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"

/* Evidence. In a round drawn at random, which of two equal configurations is slower is a fair coin, whatever drifts.
   Against that coin, E(w, n) = 2^n / ((n + 1) C(n, w)) after w of n is a martingale, the mixture of all biases; so the
   chance that it ever reaches T is at most 1/T, at whatever time one stops (Ville), whichever of the two leads. */
static double autotune__evidence(size_t wins, size_t rounds) {
    const size_t k = wins < rounds - wins ? wins : rounds - wins;
    double e = 1 / (double)(rounds + 1);
    size_t i;
    for (i = 1; i <= rounds; i++) { e *= 2; if (i <= k) e *= (double)i / (double)(rounds - k + i); }
    return e;
}
static double autotune__evidence_of_slower(const double *slow, const double *fast, size_t rounds, double scale) {
    size_t i, wins = 0, decided = 0;
    for (i = 0; i < rounds; i++) {
        const double x = slow[i] * scale, y = fast[i];
        if (x < y || x > y) decided++;
        if (x > y) wins++;
    }
    return 2 * wins > decided ? autotune__evidence(wins, decided) : 0;
}
static size_t autotune__rounds_of_both(const double *a, const double *b) {
    const size_t x = autotune__count(a), y = autotune__count(b);
    return x < y ? x : y;
}
static bool autotune__shown_slower(const autotune__row *slow, const autotune__row *fast, double scale,
                                   double threshold) {
    const size_t rounds = autotune__rounds_of_both(slow->samples, fast->samples);
    return autotune__evidence_of_slower(slow->samples, fast->samples, rounds, scale) >= threshold;
}
static const double *autotune__samples(const autotune__race *race, size_t row) {
    return row == SIZE_MAX ? NULL : race->rows[row].samples;
}
/* that the second launch in a round is 1 % slower or faster */
static double autotune__twin_evidence(const autotune__race *race) {
    const size_t rounds = autotune__rounds_of_both(race->earlier, race->later);
    const double slower = autotune__evidence_of_slower(race->later, race->earlier, rounds, 1 / 1.01),
                 faster = autotune__evidence_of_slower(race->earlier, race->later, rounds, 1 / 1.01);
    return slower > faster ? slower : faster;
}

/* Over the fastest of its round, a sample tells more than by itself: what drifts slows the whole round. */
enum { AUTOTUNE__MOST_ROUNDS = 256 };
static void autotune__update_medians(autotune__race *race) {
    double scratch[AUTOTUNE__MOST_ROUNDS];
    size_t i, k;
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        const size_t rounds = autotune__rounds_of_both(row->samples, race->fastest);
        if (!rounds) continue;
        memcpy(scratch, row->samples, rounds * sizeof *scratch);
        row->median = autotune__median(scratch, rounds);
        for (k = 0; k < rounds; k++) scratch[k] = race->fastest[k] > 0 ? row->samples[k] / race->fastest[k] : 1;
        row->relative = autotune__median(scratch, rounds);
    }
}
static double autotune__standing(const autotune__row *row) {
    return autotune__is_definite(row->relative) ? row->relative : autotune__time(row);
}
/* who was in the duel stands before who was not */
static bool autotune__stands_better(const autotune__row *a, const autotune__row *b) {
    const bool x = autotune__is_definite(a->relative), y = autotune__is_definite(b->relative);
    return x != y ? x : autotune__standing(a) < autotune__standing(b);
}
static size_t autotune__second(const autotune__race *race) {        /* the row that stands best beside the winner */
    size_t i, second = SIZE_MAX;
    for (i = 0; i < autotune__count(race->rows); i++) {
        if (i == race->winner || race->rows[i].state == AUTOTUNE__FAILED ||
            !autotune__is_definite(race->rows[i].minimum))
            continue;
        if (second == SIZE_MAX || autotune__stands_better(&race->rows[i], &race->rows[second])) second = i;
    }
    return second;
}
/* The median of the ratios of a round, between the k-th least and the k-th largest of them: fewer than k of n signs
   agree by chance in one case of 40. */
static void autotune__measure_lead(autotune__race *race) {
    const double *winner = race->rows[race->winner].samples, *second = autotune__samples(race, race->runner_up);
    const size_t rounds = autotune__rounds_of_both(winner, second);
    double ratios[AUTOTUNE__MOST_ROUNDS], chance = ldexp(1, -(int)rounds), below = chance;
    size_t i, k = 0;
    for (i = 0; i < rounds; i++) ratios[i] = second[i] / winner[i] - 1;
    if (!rounds) return;
    race->lead = autotune__median(ratios, rounds);
    while (below <= 0.025) { k++; chance *= (double)(rounds - k + 1) / (double)k; below += chance; }
    if (!k) return;
    race->lead_low = ratios[k - 1];
    race->lead_high = ratios[rounds - k];
}

/* Evidence: when samples show that one configuration is slower than another; the margin, the boundary, a tie; scores
   and medians of rows, and the lead of one row over another. */
#pragma once
#include <math.h>
#include "../api/floor.h"
#include "../base/floor.h"
#include "race.h"

/* The order of a round is random. So a fair coin decides which of two equal configurations takes longer in a round,
   however the device's speed drifts. If one took longer in w of n rounds, the evidence against a fair coin is E(w, n) =
   2^n / ((n + 1) C(n, w)). For a fair coin this is a martingale (the mean of the likelihood ratios of all biases). So
   by Ville's inequality the chance that E ever reaches T is at most 1/T. Hence the race may test after every round. The
   chance that this configuration takes longer may also be p, not 1/2. Then 2^n becomes 1 / (p^w (1 - p)^(n - w)), and
   the same holds. */
static double autotune__evidence(size_t wins, size_t rounds, double chance) {
    double e = 1 / (double)(rounds + 1);
    size_t i;
    for (i = 1; i <= rounds; i++)
        e *= i <= wins ? (double)i / ((double)(rounds - wins + i) * chance) : 1 / (1 - chance);
    return e;
}
/* Returns in how many rounds `slow` takes longer than `fast`, if the times of `slow` are multiplied by `scale`.
   *decided: in how many rounds the two differ. */
static size_t autotune__wins(const double *slow, const double *fast, size_t rounds, double scale, size_t *decided) {
    size_t i, wins = 0;
    for (*decided = i = 0; i < rounds; i++) {
        *decided += slow[i] * scale < fast[i] || slow[i] * scale > fast[i];
        wins += slow[i] * scale > fast[i];
    }
    return wins;
}
static size_t autotune__rounds_of_both(const double *a, const double *b) {
    const size_t x = autotune__count(a), y = autotune__count(b);
    return x < y ? x : y;
}
static double autotune__evidence_of_slower(const double *slow, const double *fast, double scale) {
    size_t decided;
    const size_t wins = autotune__wins(slow, fast, autotune__rounds_of_both(slow, fast), scale, &decided);
    return 2 * wins > decided ? autotune__evidence(wins, decided, 0.5) : 0;
}
/* Two copies of one kernel differ by some nanoseconds, so by default configurations within 0.2 % are alike. A margin of
   1 % would be worse if times are noisy and differ little: one winner in ten would be more than 1 % slower than the
   best. */
static const double autotune__default_margin = 0.002;
/* The boundary between configurations that are alike and slower configurations, as a factor of the best time. The same
   boundary decides which configuration leaves a duel, and which may win. With two boundaries, the number of rounds
   would decide whether a configuration between them leaves or wins. Why 1.7 margins: after many rounds the error of a
   time is a small part of a margin. Then a configuration within one margin of the best is always alike, and a
   configuration that is slower by two margins does not win. With a boundary of one margin the winner would change more
   often from run to run: see bench/replay.c. */
static double autotune__boundary(const autotune__race *race) { return 1 + 1.7 * race->limits.margin; }
/* Configurations tie within 1 %, or within the boundary if that is more. */
static double autotune__tie(const autotune__race *race) {
    const double boundary = autotune__boundary(race);
    return boundary > 1.01 ? boundary : 1.01;
}
enum { AUTOTUNE__FIRST_LOOK = 5 };              /* medians of fewer rounds say nothing */
/* Returns true if the evidence that `slow` takes longer than `fast` reaches the threshold. The times of `slow` are
   multiplied by `scale` before. A scale of 1 / boundary tests that `slow` is slower by more than the boundary. A scale
   above 1 tests that `slow` is not faster by more than this factor. */
static bool autotune__is_shown(const autotune__race *race, double scale, size_t slow, size_t fast, double threshold) {
    return autotune__evidence_of_slower(race->rows[slow].samples, race->rows[fast].samples, scale) >= threshold;
}
static const double *autotune__samples(const autotune__race *race, size_t row) {
    return row == SIZE_MAX ? NULL : race->rows[row].samples;
}
/* Returns the evidence that the control's second samples are longer than its first samples by more than 1 %, or shorter
   by more than 1 %: the larger of both. */
static double autotune__control_evidence(const autotune__race *race) {
    const double slower = autotune__evidence_of_slower(race->control.second, race->control.first, 1 / 1.01),
                 faster = autotune__evidence_of_slower(race->control.first, race->control.second, 1 / 1.01);
    return slower > faster ? slower : faster;
}

/* A drift of the device's speed changes all times of a round. So the drift does not change the ratio of a sample to the
   fastest sample of its round. But a median of fewer than five such ratios says less than the shortest launch, since
   disturbances only make launches longer. */
enum { AUTOTUNE__MOST_ROUNDS = 256 };           /* limits.rounds is less */
static double autotune__median_of(const double *values, size_t count) {         /* does not sort `values` */
    double scratch[AUTOTUNE__MOST_ROUNDS];
    memcpy(scratch, values, count * sizeof *scratch);
    return autotune__median(scratch, count);
}
/* Returns a sample divided by another sample of the round, or by the pace of the round; 1 if the other took no time,
   since the clock stood still. */
static double autotune__ratio(double ns, double other) { return other > 0 ? ns / other : 1; }
/* Divides a row's samples by the paces of their rounds. least: the two least ratios; AUTOTUNE__NEVER takes the place of
   a ratio that is missing. */
static void autotune__least_ratios(const autotune__race *race, const autotune__row *row, double least[2]) {
    const size_t rounds = autotune__rounds_of_both(row->samples, race->round.pace);
    size_t i;
    least[0] = least[1] = AUTOTUNE__NEVER;
    for (i = 0; i < rounds; i++) {
        const double ratio = autotune__ratio(row->samples[i], race->round.pace[i]);
        if (ratio < least[0]) { least[1] = least[0]; least[0] = ratio; }
        else if (ratio < least[1]) least[1] = ratio;
    }
}
/* Returns the score of a row, by which rows are compared: `relative` if the row has it, after five rounds; else the
   least time. A lower score is better. */
static double autotune__score(const autotune__row *row) {
    return autotune__is_definite(row->relative) ? row->relative : autotune__least_ns(row);
}
/* Returns true if row a has a better score than row b. A row that has `relative` is better than a row that does not. */
static bool autotune__scores_better(const autotune__row *a, const autotune__row *b) {
    const bool duelled = autotune__is_definite(a->relative);
    return duelled != autotune__is_definite(b->relative) ? duelled : autotune__score(a) < autotune__score(b);
}
/* Returns the best row that did not fail, except the winner; SIZE_MAX: none. */
static size_t autotune__find_runner_up(const autotune__race *race) {
    size_t i, second = SIZE_MAX;
    for (i = 0; i < autotune__count(race->rows); i++) {
        if (i == race->outcome.winner || autotune__failed(&race->rows[i]) ||
            !autotune__is_definite(race->rows[i].minimum))
            continue;
        if (second == SIZE_MAX || autotune__scores_better(&race->rows[i], &race->rows[second])) second = i;
    }
    return second;
}
/* Compares two rows in the rounds that both have: by what share `second` took longer than `first`. The result is the
   median share, and the interval from the k-th least to the k-th largest share. The chance that the true median lies
   below the interval is `error` at most, and so is the chance that it lies above. k is the largest number for which
   this holds. AUTOTUNE__NEVER: too few rounds. */
static const double autotune__error_of_lead = 0.025;
static autotune__lead autotune__lead_over(const double *second, const double *first, double error) {
    const size_t rounds = autotune__rounds_of_both(first, second);
    autotune__lead lead = { AUTOTUNE__NEVER, AUTOTUNE__NEVER, AUTOTUNE__NEVER };
    double ratios[AUTOTUNE__MOST_ROUNDS], chance = ldexp(1, -(int)rounds), below = chance;
    size_t i, k = 0;
    for (i = 0; i < rounds; i++) ratios[i] = autotune__ratio(second[i], first[i]) - 1;
    if (!rounds) return lead;
    lead.median = autotune__median(ratios, rounds);
    while (below <= error) { k++; chance *= (double)(rounds - k + 1) / (double)k; below += chance; }
    if (!k) return lead;
    lead.low = ratios[k - 1];
    lead.high = ratios[rounds - k];
    return lead;
}
static void autotune__update_medians(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        const size_t rounds = autotune__rounds_of_both(row->samples, race->round.pace);
        if (rounds) row->median = autotune__median_of(row->samples, rounds);
        if (rounds >= AUTOTUNE__FIRST_LOOK)
            row->relative = 1 + autotune__lead_over(row->samples, race->round.pace, 0).median;
    }
}
/* Returns the lead of `row` over `other`. A verification takes the fastest of several rows as runner-up. So its error
   is 0.05 divided by the number of these rows. With a chance of 19 in 20 each end of the interval is valid for all of
   these rows. */
static autotune__lead autotune__lead_of(const autotune__race *race, size_t row, size_t other) {
    const double error = autotune__is_verifying(race) ? 0.05 / (double)(race->admitted.count - 1)
                                                      : autotune__error_of_lead;
    return autotune__lead_over(autotune__samples(race, other), autotune__samples(race, row), error);
}

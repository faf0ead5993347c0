/* What a process hands over to the next one of an online race that it could not end: what each configuration takes
   over the first one, and how far the comparison is, with all of its samples. So a key that has few calls in each
   process is settled, too. */
#pragma once
#include "../api/language.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../race/earlier_duels.h"
#include "../race/race.h"
#include "../race/evidence.h"
#include "../race/rounds.h"
#include "../race/duel.h"
#include "../race/decide.h"
#include "pulse.h"
#include "online.h"
#include "incumbent.h"
#include "rule.h"

typedef struct autotune__handed_ratio { size_t point; double ratio; } autotune__handed_ratio;
typedef struct autotune__handed_row { size_t point; double *samples; } autotune__handed_row;
typedef struct autotune__handover {
    autotune__online_stage stage;
    double reference_ns, reference_work;        /* as in autotune__online, and so are the next two */
    double ratio;
    autotune__pulse audits;
    double pulse_ns;                            /* of the incumbent, at the speed of the device that samples are at */
    size_t incumbent, control;                  /* points */
    bool controlled;                            /* the control is sampled in the next rounds, too */
    double *first, *second;                     /* samples of the control */
    autotune__handed_ratio *ratios;             /* of those that were tried, and work */
    autotune__handed_row *compared;             /* those that were compared, with their samples */
    size_t *left;                               /* the points of those that are still in the race, in their order */
} autotune__handover;

static void autotune__free_handover(autotune__handover *handed) {
    size_t i;
    for (i = 0; i < autotune__count(handed->compared); i++) AUTOTUNE__FREE_ARRAY(handed->compared[i].samples);
    AUTOTUNE__FREE_ARRAY(handed->compared);
    AUTOTUNE__FREE_ARRAY(handed->ratios);
    AUTOTUNE__FREE_ARRAY(handed->left);
    AUTOTUNE__FREE_ARRAY(handed->first);
    AUTOTUNE__FREE_ARRAY(handed->second);
}
/* What the incumbent takes now, at the speed of the device that the samples of the duel are at; AUTOTUNE__NEVER: that
   is not known. */
static AUTOTUNE__UNUSED double autotune__pulse_to_hand_over(const autotune__online *online) {
    if (autotune__has_pulse(&online->pulse)) return autotune__pulse_ns(&online->pulse) * online->speed;
    if (autotune__is_definite(online->handed_pulse_ns)) return online->handed_pulse_ns;
    return online->first_ns * online->ratio * online->speed;
}

/* ---- Taking it over ---- */

static size_t autotune__row_of_point(const autotune__race *race, size_t point) {    /* SIZE_MAX: there is none */
    const size_t row = autotune__find_row(race, point);
    return row == SIZE_MAX || autotune__failed(&race->rows[row]) ? SIZE_MAX : row;
}
/* Gives samples to the rows that were compared. False: a configuration is missing, and then its rounds are of no
   use. */
static bool autotune__take_samples(autotune__race *race, autotune__handover *handed, const char *stage) {
    size_t i;
    for (i = 0; i < autotune__count(handed->compared); i++) {
        const size_t row = autotune__row_of_point(race, handed->compared[i].point);
        if (row == SIZE_MAX || race->rows[row].samples) return false;
        race->rows[row].samples = handed->compared[i].samples;
        race->rows[row].stage = stage;
        race->rows[row].why = "shown to be slower";
        handed->compared[i].samples = NULL;
        race->samples += autotune__count(race->rows[row].samples);
    }
    return true;
}
/* Those are live that were left of the compared. False: so many samples cannot be of rounds, or there is no memory. */
static bool autotune__keep_left(autotune__race *race, const autotune__handover *handed, size_t *rounds) {
    size_t i, most = 0;
    *rounds = AUTOTUNE__MOST_ROUNDS;
    for (i = 0; i < autotune__count(handed->left); i++) {
        const size_t row = autotune__row_of_point(race, handed->left[i]);
        size_t samples;
        if (row == SIZE_MAX || autotune__works(&race->rows[row]) || !AUTOTUNE__PUSH(race->live, row))
            return false;
        race->rows[row].why = NULL;
        samples = autotune__count(race->rows[row].samples);
        if (samples > most) most = samples;
        if (samples < *rounds) *rounds = samples;
    }
    return autotune__count(race->live) > 1 && most <= *rounds + 1 && most < AUTOTUNE__MOST_ROUNDS;
}
/* Has this place of a round its sample? The control has two places. */
static bool autotune__is_sampled(const autotune__race *race, size_t place, size_t rounds) {
    const bool again = place == AUTOTUNE__CONTROL;
    const size_t row = again ? race->control.row : place, count = autotune__count(race->rows[row].samples),
                 both = autotune__count(race->control.first) + autotune__count(race->control.second);
    return again ? both > 2 * rounds + (count > rounds) : count > rounds;
}
/* Those that have their sample come first. Returns how many these are. */
static size_t autotune__put_sampled_first(const autotune__race *race, size_t *places, size_t rounds) {
    size_t i, sampled = 0;
    for (i = 0; i < autotune__count(places); i++) {
        const size_t place = places[i];
        if (!autotune__is_sampled(race, place, rounds)) continue;
        places[i] = places[sampled];
        places[sampled++] = place;
    }
    return sampled;
}
/* False: the comparison is not sound, or there is no memory. So it is with the duel. A few rounds leave as many as a
   duel has: so many of them were never made, and the cuts of the next ones had no room for their samples. */
static bool autotune__resume_comparing(autotune__online *online, const autotune__handover *handed) {
    autotune__race *race = &online->race;
    const size_t many_rounds = AUTOTUNE__MOST_ROUNDS / 2;
    size_t rounds;
    if (!autotune__keep_left(race, handed, &rounds) || rounds >= many_rounds ||
        autotune__count(race->live) <= AUTOTUNE__FINALISTS || autotune__count(race->live) > AUTOTUNE__MOST_COMPARED)
        return false;
    online->stage = AUTOTUNE__COMPARING;
    autotune__shuffle(race->live, 0, &race->random);
    online->turn = autotune__put_sampled_first(race, race->live, rounds);
    return true;
}
/* The control has a first sample in each round that it was in, and a second one but for the last round. */
static bool autotune__take_control(autotune__race *race, autotune__handover *handed, size_t rounds) {
    const size_t first = autotune__count(handed->first), second = autotune__count(handed->second),
                 row = autotune__row_of_point(race, handed->control);
    if (row == SIZE_MAX || first > rounds + 1 || second > first || first > second + 1) return false;
    if (handed->controlled && second < rounds) return false;
    race->control.row = row;
    race->control.active = handed->controlled;
    race->control.first = handed->first;
    race->control.second = handed->second;
    handed->first = handed->second = NULL;
    return true;
}
static bool autotune__resume_duel(autotune__online *online, autotune__handover *handed) {
    autotune__race *race = &online->race;
    const size_t finalists = autotune__count(handed->compared);
    size_t rounds;
    if (finalists > AUTOTUNE__FINALISTS) return false;
    if (!autotune__keep_left(race, handed, &rounds) || !autotune__take_control(race, handed, rounds)) return false;
    while (autotune__rounds(race) < rounds) {
        const double fastest = autotune__fastest_of_round(race);
        if (!AUTOTUNE__PUSH(race->duel.fastest, fastest)) return false;
    }
    online->stage = AUTOTUNE__DECIDING;
    race->stage = AUTOTUNE__DUELLING;
    race->duel.finalists = finalists;
    race->best_ns = AUTOTUNE__NEVER;            /* so that a sample is one launch */
    autotune__update_medians(race);
    autotune__start_round(race);
    race->round.at = autotune__put_sampled_first(race, race->round.rows, rounds);
    (void)autotune__decide(race, NULL, 0);
    autotune__look_at_duel(online);
    return true;
}
/* The comparison cannot be taken over: all rows are as after their glances, and it begins anew. */
static void autotune__refuse_comparison(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        if (autotune__failed(row)) continue;
        autotune__set_count(row->samples, 0);
        row->stage = "screen";
        row->why = NULL;
    }
    autotune__set_count(race->live, 0);
    autotune__set_count(race->control.first, 0);
    autotune__set_count(race->control.second, 0);
    autotune__set_count(race->duel.fastest, 0);
    race->control.row = SIZE_MAX;
    race->control.active = false;
    race->samples = 0;
}
/* What failed in the last process has its row already. */
static void autotune__take_handover(autotune__online *online, autotune__handover *handed) {
    autotune__race *race = &online->race;
    const bool duels = handed->stage == AUTOTUNE__DECIDING;
    uint64_t mixed;
    size_t row, i;
    bool glances, taken;
    autotune__refer_to(online, handed->reference_ns, handed->reference_work);
    for (i = 0; i < autotune__count(handed->ratios); i++)
        autotune__online_restore(online, handed->ratios[i].point, handed->ratios[i].ratio);
    glances = autotune__untried(race) != SIZE_MAX;
    if ((row = autotune__row_of_point(race, handed->incumbent)) == SIZE_MAX) return;
    autotune__take_over(online, row, handed->ratio);
    online->handed_pulse_ns = handed->pulse_ns;
    online->audits = handed->audits;            /* one of its own is needed before anything counts as gained */
    while (autotune__is_audited(online)) online->audits.count--;
    if (handed->stage == AUTOTUNE__GLANCING || glances) return;
    taken = autotune__take_samples(race, handed, duels ? "duel" : "halving");
    mixed = race->random + race->samples;       /* so that no process has the orders of the one before */
    race->random = autotune__random(&mixed);
    if (taken) taken = duels ? autotune__resume_duel(online, handed) : autotune__resume_comparing(online, handed);
    if (!taken) autotune__refuse_comparison(race);
}

/* The race's screen: one launch of each configuration. Which comes next, when there is no time left, and how it
   ends. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../api/search.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../search/points.h"
#include "../search/strategies.h"
#include "race.h"
#include "verdict.h"
#include "batch.h"
#include "sample.h"
#include "evaluate.h"
#include "cut.h"
#include "rounds.h"
#include "probe.h"

/* What the search proposes, and what it is told: the least time of each row, once the row has had its samples. */
static bool autotune__tell_rows(autotune__race *race) {             /* false: no memory */
    for (; race->told < autotune__count(race->rows); race->told++) {
        const autotune__row *row = &race->rows[race->told];
        const bool failed = row->state == AUTOTUNE__FAILED;
        /* the clock did not move: nothing is known of it */
        if (!failed && !autotune__is_definite(row->minimum)) continue;
        if (!autotune__tell_search(race->search, row->index,
                                   failed             ? AUTOTUNE__NEVER
                                   : row->minimum > 0 ? row->minimum
                                                      : 1))
            return false;
    }
    return true;
}
static void autotune__choose_extent(autotune__race *race) {
    const size_t enough = 8, rows = autotune__count(race->rows) - race->batch_rows,
                 count = autotune__count(race->order);
    const double spent = race->elapsed - race->batch_began;
    if (!race->deciding || rows < enough) return;
    race->deciding = false;
    race->whole = (!race->limits.trials || race->limits.trials >= race->batch_rows + count) &&
                  race->batch_began + spent / (double)rows * (double)count <= race->limits.screen_seconds;
}
/* The next to be tried; EXHAUSTED: there is none. JUDGE: the point has to be judged before. */
static autotune__move autotune__next_candidate(autotune__race *race, size_t *index) {
    const bool by_default = !race->limits.trials && !race->limits.explicit_seconds;
    autotune__move move;
    autotune__choose_extent(race);
    while (race->next < autotune__count(race->order) && (!race->search || race->whole)) {
        *index = race->admitted[race->order[race->next++]];
        if (!race->search || !autotune__is_visited(race->search, *index)) return AUTOTUNE__TRY;
    }
    if (!race->search || race->whole) return AUTOTUNE__EXHAUSTED;
    if (race->judging) move = autotune__search_step(race->search, race->admits, index);
    else if (!autotune__tell_rows(race)) return AUTOTUNE__NO_ROOM;
    else if (by_default && !race->deciding && !autotune_search_pays(race->search)) return AUTOTUNE__EXHAUSTED;
    else move = autotune__search_step(race->search, false, index);
    race->judging = move == AUTOTUNE__JUDGE;
    return move;
}
static autotune__move autotune__next_late(autotune__race *race, size_t *index) {
    if (!autotune__has_late(race)) return AUTOTUNE__EXHAUSTED;
    *index = race->late[race->next_late++];
    return AUTOTUNE__TRY;
}
/* By default something that works is found, though of a sample not at any price, and a search has its 50 trials,
   however long their launches are. What else it needs takes no more than four times the limit: points may be hard to
   find, and slow to compile. */
static bool autotune__no_time_left(const autotune__race *race) {
    const size_t enough = 50, rows = autotune__count(race->rows), tried = rows - race->batch_rows;
    const double besides_launches = race->elapsed - race->before_ns / 1e9;
    if (race->elapsed < race->limits.screen_seconds || !rows) return false;
    if (race->limits.explicit_seconds) return true;
    if (!autotune__is_definite(race->best_ns)) return race->setup.sampled && !race->limits.trials;
    return !race->search || race->whole || tried >= enough || besides_launches >= 4 * race->limits.screen_seconds;
}
/* The search has nothing left, and did not end because it no longer pays. Of a sample that was not to be found, not all
   was tried. */
static void autotune__end_search(autotune__race *race) {
    race->searched = true;
    /* of groups nobody knows */
    if (!race->setup.sampled || race->level.grouped || race->limits.strategy == AUTOTUNE_EXHAUSTIVE) return;
    if (autotune_search_pays(race->search) && autotune__estimated_count(race) / 2 > autotune__count(race->rows))
        race->cut_short = true;
}
static bool autotune__screen_next(autotune__race *race, autotune__request *request) {
    const bool gives_up = autotune__gives_up(race),
               no_trial_left = race->limits.trials && autotune__count(race->rows) >= race->limits.trials;
    size_t index;
    if (autotune__is_screened(race) && !autotune__has_late(race)) return false;
    if (gives_up || no_trial_left || autotune__no_time_left(race)) {
        race->searched = race->searched || gives_up;
        race->cut_short = race->cut_short || !(gives_up || no_trial_left);
        race->judging = false;
        return false;
    }
    switch (autotune__is_screened(race) ? autotune__next_late(race, &index) : autotune__next_candidate(race, &index)) {
    case AUTOTUNE__JUDGE: race->judged = index; return autotune__ask(request, AUTOTUNE__EVALUATE, index, 0, 0);
    case AUTOTUNE__EXHAUSTED:
        autotune__end_search(race);
        return autotune__has_late(race) && autotune__screen_next(race, request);
    case AUTOTUNE__TRY: race->no_memory = !autotune__new_row(race, index); break;
    default: race->no_memory = true;
    }
    return !race->no_memory && autotune__ask_sample(race, request, autotune__count(race->rows) - 1);
}
/* A first launch may start threads and touch pages: one below a millisecond is made again before it counts. So is what
   was measured before the clock's steps were known. */
static bool autotune__screen_again(autotune__race *race, autotune__request *request) {
    const double within = autotune__screen_factor(race), short_ns = 1e6;
    for (; race->again < autotune__count(race->rows) && autotune__in_time(race); race->again++) {
        const autotune__row *row = &race->rows[race->again];
        const bool lost = row->launches == 1 && row->minimum < short_ns && row->minimum > within * race->best_ns;
        if (row->state != AUTOTUNE__FAILED && ((lost && !race->cut_short) || !autotune__is_definite(row->minimum)))
            return autotune__ask_sample(race, request, race->again++);
    }
    return false;
}
static bool autotune__finish_unmeasured(autotune__race *race) {     /* the lowest index of what took no time at all */
    size_t i, lowest = race->live[0];
    for (i = 1; i < autotune__count(race->live); i++)
        if (race->rows[race->live[i]].index < race->rows[lowest].index) lowest = race->live[i];
    race->doubt = "the clock did not move during the launches";
    return autotune__finish(race, lowest, AUTOTUNE_UNRESOLVED);
}
static void autotune__forget_unsure(autotune__race *race) {         /* the rounds measure them anew */
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        if (row->unsure && row->state == AUTOTUNE__WORKS) row->minimum = row->second = AUTOTUNE__NEVER;
        row->unsure = false;
    }
}
static bool autotune__end_screen(autotune__race *race) {
    if (!autotune__collect(race)) return autotune__next_batch(race);
    if (!autotune__is_definite(race->best_ns) || !(race->best_ns > 0)) return autotune__finish_unmeasured(race);
    if (autotune__count(race->live) == 1)
        return autotune__finish(race, race->live[0], race->cut_short ? AUTOTUNE_UNRESOLVED : AUTOTUNE_SEPARATED);
    race->stage = AUTOTUNE__HALVING;
    race->rounds_left = 1;
    race->halvings = race->rounds = 0;
    race->repeated_rounds = 0;
    autotune__set_count(race->fastest, 0);
    autotune__set_count(race->earlier, 0);
    autotune__set_count(race->later, 0);
    race->twin = SIZE_MAX;
    race->twin_runs = false;
    autotune__forget_unsure(race);
    autotune__start_round(race);
    return false;
}
static bool autotune__screen(autotune__race *race, const autotune__answer *answer, autotune__request *request) {
    if (answer && race->judging) {
        race->admits = autotune__takes_part(race, answer);
        autotune__count_draw(race, answer);
        if (race->admits && autotune__is_postponed(race, race->judged)) {
            autotune__postpone(race, race->judged);
            race->admits = false;
        }
    }
    else if (answer && race->probes) autotune__take_probe(race, answer);
    else if (answer) autotune__take_screened(race, answer);
    if (race->stage != AUTOTUNE__SCREENING) return false;           /* the goal was reached */
    if (race->repeat && autotune__in_time(race)) return autotune__ask_sample(race, request, race->row);
    race->repeat = AUTOTUNE__NO_REPEAT;
    if (autotune__in_time(race) && autotune__probe(race, request)) return true;
    race->probes = 0;
    if (autotune__screen_next(race, request)) return true;
    if (race->no_memory) return false;
    if (race->searched && autotune__in_time(race) && autotune__probe(race, request)) return true;
    if (race->setup.sampled) race->admitted_count = autotune__estimated_count(race);
    return autotune__screen_again(race, request) || autotune__end_screen(race);
}

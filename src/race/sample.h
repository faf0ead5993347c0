/* The race in a space that is sampled or searched: which points take part, and the search of a batch. */
#pragma once
#include <stdlib.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../api/search.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../search/points.h"
#include "../search/create.h"
#include "race.h"
#include "verdict.h"
#include "batch.h"

/* A sampled space. Which groups it has is learnt from 256 points that may be raced, drawn before the first launch; the
   highest of these, and any that turns out to be higher, are the first batch. What is lower is refused but noted: the
   highest of it is the next batch, if nothing works. A group of which the first 200 fail does not work. */
static bool autotune__takes_part(autotune__race *race, const autotune__answer *answer) {
    const autotune__rank rank = autotune__rank_of(answer);
    if (!autotune__is_eligible(answer)) return false;
    if (!race->level.grouped) race->level = rank;
    if (!autotune__higher(&race->level, &rank)) return !race->above.grouped || autotune__higher(&race->above, &rank);
    if (!race->lower.grouped || autotune__higher(&rank, &race->lower)) race->lower = rank;
    return false;
}
static void autotune__take_surveyed(autotune__race *race, const autotune__answer *answer) {
    const autotune__rank rank = autotune__rank_of(answer);
    race->drawn++;
    if (!autotune__is_eligible(answer)) return;
    race->hits++;
    if (race->level.grouped && autotune__higher(&rank, &race->level)) {
        race->lower = race->level;
        race->level = rank;
        race->cheapest.count = 0;
    }
    if (autotune__takes_part(race, answer)) autotune__shortlist_point(&race->cheapest, race->surveyed, answer->cost);
}
static bool autotune__choose_sample(autotune__race *race) {         /* false: all groups that are known were tried, or
                                                                       no memory */
    const bool first = race->first_batch;
    autotune__set_count(race->order, 0);
    race->first_batch = false;
    if (!first && !race->lower.grouped) return false;
    if (!first) {
        race->above = race->level;
        race->level = race->lower;
        race->lower.grouped = false;
    }
    if (race->admitted) race->no_memory = !AUTOTUNE__PUSH(race->order, 0);     /* judged again before it is tried */
    return !race->no_memory;
}
/* of a sampled space: the share that uniform draws hit */
static size_t autotune__estimated_count(const autotune__race *race) {
    const double share = race->drawn ? (double)race->hits / (double)race->drawn : 0,
                 count = share * (double)race->setup.points;
    const size_t seen = autotune__count(race->rows);
    return count >= (double)race->setup.points ? race->setup.points : count > (double)seen ? (size_t)count : seen;
}
/* one from anywhere, or the next in order */
static void autotune__count_draw(autotune__race *race, const autotune__answer *answer) {
    const bool in_order = race->search->ordered == race->judged + 1;
    if (!in_order && !race->search->uniform) return;
    race->drawn += 1 + (in_order ? answer->skip : 0);
    race->hits += autotune__is_eligible(answer);
    if (in_order) race->search->ordered += answer->skip;
}
static bool autotune__gives_up(const autotune__race *race) {
    const size_t enough = 200;
    return race->setup.sampled && race->lower.grouped && !autotune__is_definite(race->best_ns) &&
           autotune__count(race->rows) - race->batch_rows >= enough;
}

/* A batch of more than 50 is searched unless it is to be screened whole: with AUTO, when the first eight trials show
   that the budget is enough for all. */
static bool autotune__list_batch(autotune__race *race, autotune_search *search) {       /* false: no memory */
    const size_t count = autotune__count(race->order);
    size_t i;
    search->list_count = count;
    search->list = race->admitted;
    if (count == autotune__count(race->admitted)) return true;
    if (!AUTOTUNE__ROOM(search->own_list, count)) return false;
    for (i = 0; i < count; i++) (void)AUTOTUNE__PUSH(search->own_list, race->admitted[race->order[i]]);
    qsort(search->own_list, count, sizeof *search->own_list, autotune__order_sizes);
    search->list = search->own_list;
    return true;
}
static bool autotune__prefer_points(autotune__race *race, autotune_search *search) {       /* false: no memory */
    const size_t count = autotune__count(race->order), cheapest = 8;
    size_t i, taken = 0;
    if (!AUTOTUNE__ROOM(search->preferred, cheapest + 2 + race->setup.seeds.count)) return false;
    if (count) (void)AUTOTUNE__PUSH(search->preferred, search->list ? search->list[0] : race->admitted[0]);
    if (race->setup.incumbent != SIZE_MAX) (void)AUTOTUNE__PUSH(search->preferred, race->setup.incumbent);
    for (i = 0; race->priced && i < count && taken < cheapest; i++) {
        if (race->admitted[race->order[i]] == race->setup.incumbent) continue;
        (void)AUTOTUNE__PUSH(search->preferred, race->admitted[race->order[i]]);
        taken++;
    }
    for (i = 0; i < race->cheapest.count && i < cheapest; i++)
        (void)AUTOTUNE__PUSH(search->preferred, race->cheapest.index[i]);
    for (i = 0; i < race->setup.seeds.count; i++) (void)AUTOTUNE__PUSH(search->preferred, race->setup.seeds.index[i]);
    return true;
}
static bool autotune__is_searched(const autotune__race_setup *setup, autotune_strategy strategy,
                                  size_t count) {                   /* a batch of so many */
    const size_t small = 50;
    const bool in_order = strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM ||
                          (strategy == AUTOTUNE_AUTO && count <= small);
    return setup->space && (setup->sampled || (count && !in_order));
}
static bool autotune__start_search(autotune__race *race) {          /* or none, if the batch is screened in order;
                                                                       false: no memory */
    const size_t count = autotune__count(race->order);
    const autotune_strategy strategy = race->limits.strategy;
    autotune_search *search;
    autotune__free_search(race->search);
    race->search = NULL;
    race->told = autotune__count(race->rows);
    race->batch_began = race->elapsed;
    race->searched = race->whole = race->judging = false;
    if (!autotune__is_searched(&race->setup, strategy, count)) return true;
    race->deciding = strategy == AUTOTUNE_AUTO && !race->setup.sampled;
    if (!(search = autotune__search_space(race->setup.space, strategy, race->limits.seed))) return false;
    race->search = search;
    return (race->setup.sampled || autotune__list_batch(race, search)) && autotune__prefer_points(race, search);
}
static bool autotune__next_batch(autotune__race *race) {            /* to the screen, or the race ends with nothing that
                                                                       works */
    const bool chosen = race->setup.sampled ? autotune__choose_sample(race) : autotune__choose_batch(race);
    if (!chosen) return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (!autotune__start_search(race)) { race->no_memory = true; return false; }
    race->stage = AUTOTUNE__SCREENING;
    race->next = 0;
    race->batch_rows = race->again = race->probe = autotune__count(race->rows);
    race->best_ns = race->probe_ns = AUTOTUNE__NEVER;
    return false;
}

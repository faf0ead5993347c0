/* A space that is sampled, and the search of a group: which points take part, and who chooses among them. */
#pragma once
#include <stdlib.h>
#include "../api/search.h"
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../search/points.h"
#include "../search/create.h"
#include "shortlist.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"

/* A sampled space. Before the first launch a survey draws points until 256 of them may be raced; so it learns which
   PRIORITYs there are. The first group is the highest of them, and any higher one that the search meets. Points of a
   lower PRIORITY are refused, but the highest of these is remembered: it becomes the next group if nothing of this one
   works, which is so when the first 200 fail. */
static bool autotune__is_of_this_group(autotune__race *race, const autotune__answer *answer) {
    const autotune__precedence precedence = autotune__precedence_of(answer);
    autotune__survey *survey = &race->survey;
    if (!autotune__is_eligible(answer)) return false;
    if (!survey->current.grouped) survey->current = precedence;
    if (!autotune__higher(&survey->current, &precedence))
        return !survey->ceiling.grouped || autotune__higher(&survey->ceiling, &precedence);
    if (!survey->lower.grouped || autotune__higher(&precedence, &survey->lower)) survey->lower = precedence;
    return false;
}
static void autotune__take_surveyed(autotune__race *race, const autotune__answer *answer) {
    const autotune__precedence precedence = autotune__precedence_of(answer);
    autotune__survey *survey = &race->survey;
    survey->drawn++;
    if (!autotune__is_eligible(answer)) return;
    survey->eligible++;
    if (survey->current.grouped && autotune__higher(&precedence, &survey->current)) {
        survey->lower = survey->current;
        survey->current = precedence;
        survey->cheapest.count = 0;
    }
    if (autotune__is_of_this_group(race, answer))
        autotune__shortlist_point(&survey->cheapest, race->request.index, answer->cost);
}
/* The next group is a PRIORITY, and not a list of points: only the first configuration of the space is in its order.
   False: all PRIORITYs that are known were raced, or there is no memory. */
static bool autotune__choose_sample(autotune__race *race) {
    autotune__survey *survey = &race->survey;
    const bool first = race->group.number++ == 0;
    autotune__set_count(race->group.order, 0);
    race->group.reference = autotune__count(race->admitted.points) ? race->admitted.points[0] : SIZE_MAX;
    if (!first && !survey->lower.grouped) return false;
    if (!first) {
        survey->ceiling = survey->current;
        survey->current = survey->lower;
        survey->lower.grouped = false;
    }
    if (race->admitted.points) race->no_memory = !AUTOTUNE__PUSH(race->group.order, race->admitted.points[0]);
    return !race->no_memory;
}
/* How many configurations the space has, by the share of the points drawn uniformly that may be raced. */
static size_t autotune__estimated_count(const autotune__race *race) {
    const size_t points = race->setup.points, drawn = race->survey.drawn, seen = autotune__count(race->rows);
    const double share = drawn ? (double)race->survey.eligible / (double)drawn : 0, count = share * (double)points;
    return count >= (double)points ? points : count > (double)seen ? (size_t)count : seen;
}
/* Counts a point that the search has drawn, if it is one from anywhere, or the next in order. */
static void autotune__count_draw(autotune__race *race, const autotune__answer *answer) {
    autotune_search *search = race->searching.search;
    const bool in_order = search->ordered == race->request.index + 1;
    if (!in_order && !search->uniform) return;
    race->survey.drawn += 1 + (in_order ? answer->skip : 0);
    race->survey.eligible += autotune__is_eligible(answer);
    if (in_order) search->ordered += answer->skip;
}
static bool autotune__gives_up(const autotune__race *race) {        /* this group, for a lower PRIORITY */
    const size_t enough = 200;
    return race->setup.sampled && race->survey.lower.grouped && !autotune__is_definite(race->best_ns) &&
           autotune__count(race->rows) - race->group.first_row >= enough;
}

/* The search of a group. With AUTO a group of more than 50 configurations is searched, unless its first trials show
   that there is time for all of it. */
static bool autotune__list_group(autotune__race *race, autotune_search *search) {       /* false: no memory */
    const size_t count = autotune__count(race->group.order);
    size_t i;
    search->list_count = count;
    search->list = race->admitted.points;
    if (count == autotune__count(race->admitted.points)) return true;
    if (!AUTOTUNE__ROOM(search->own_list, count)) return false;
    for (i = 0; i < count; i++) (void)AUTOTUNE__PUSH(search->own_list, race->group.order[i]);
    qsort(search->own_list, count, sizeof *search->own_list, autotune__order_sizes);
    search->list = search->own_list;
    return true;
}
static void autotune__prefer_listed(autotune_search *search, const autotune__shortlist *list, size_t most) {
    size_t i;
    for (i = 0; i < list->count && i < most; i++) (void)AUTOTUNE__PUSH(search->preferred, list->index[i]);
}
/* What the search tries first: the first configuration, the incumbent, those with the least predicted costs, and what
   was good for another key. False: no memory. */
static bool autotune__prefer_points(autotune__race *race, autotune_search *search) {
    const size_t count = autotune__count(race->group.order), cheapest = 8;
    const autotune__race_setup *setup = &race->setup;
    size_t i, taken = 0;
    if (!AUTOTUNE__ROOM(search->preferred, cheapest + 2 + setup->seeds.count)) return false;
    if (count) (void)AUTOTUNE__PUSH(search->preferred, search->list ? search->list[0] : race->admitted.points[0]);
    if (setup->incumbent != SIZE_MAX) (void)AUTOTUNE__PUSH(search->preferred, setup->incumbent);
    for (i = 0; race->group.priced && i < count && taken < cheapest; i++) {
        if (race->group.order[i] == setup->incumbent) continue;
        (void)AUTOTUNE__PUSH(search->preferred, race->group.order[i]);
        taken++;
    }
    autotune__prefer_listed(search, &race->survey.cheapest, cheapest);
    autotune__prefer_listed(search, &setup->seeds, setup->seeds.count);
    return true;
}
/* Does a search choose among so many configurations? Else they are launched in order. */
static bool autotune__is_searched(const autotune__race_setup *setup, autotune_strategy strategy, size_t count) {
    const size_t small = 50;
    const bool in_order = strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM ||
                          (strategy == AUTOTUNE_AUTO && count <= small);
    return setup->space && (setup->sampled || (count && !in_order));
}
static bool autotune__start_search(autotune__race *race) {          /* if the group is searched; false: no memory */
    const autotune_strategy strategy = race->limits.strategy;
    const bool sampled = race->setup.sampled;
    autotune__searching *searching = &race->searching;
    autotune__free_search(searching->search);
    memset(searching, 0, sizeof *searching);
    searching->told = autotune__count(race->rows);
    if (!autotune__is_searched(&race->setup, strategy, autotune__count(race->group.order))) return true;
    searching->extent = strategy == AUTOTUNE_AUTO && !sampled ? AUTOTUNE__UNDECIDED : AUTOTUNE__SEARCHED;
    searching->search = autotune__search_space(race->setup.space, strategy, race->limits.seed + race->setup.part);
    return searching->search && (sampled || autotune__list_group(race, searching->search)) &&
           autotune__prefer_points(race, searching->search);
}
/* The screen of the next group begins. Where there is none, the race ends without a winner. */
static bool autotune__next_group(autotune__race *race) {
    const bool chosen = race->setup.sampled ? autotune__choose_sample(race) : autotune__choose_group(race);
    if (!chosen) return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (!autotune__start_search(race)) { race->no_memory = true; return false; }
    race->stage = AUTOTUNE__SCREENING;
    memset(&race->rechecking, 0, sizeof race->rechecking);
    race->group.began = race->elapsed;
    race->group.next = 0;
    race->group.first_row = race->rechecking.next_short = race->probe.row = autotune__count(race->rows);
    race->best_ns = race->probe.expected_ns = AUTOTUNE__NEVER;
    return false;
}

/* The search of a group: when a search chooses the launches, which points and times it gets, and whether there is time
   to launch the whole group instead. Also estimates how large a sampled space is. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "request.h"
#include "race.h"
#include "priority.h"

/* Sets the points that the search may choose: all points of the group that are not deferred. */
static bool autotune__list_group(autotune__race *race, autotune_search *search) {       /* false: no memory */
    const size_t count = autotune__not_deferred(race);
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
/* Lists the points that the search tries first: the group's first point, the incumbent, up to nine points with the
   least predicted costs, and the best seeds. Returns false if there is no memory. */
static bool autotune__prefer_points(autotune__race *race, autotune_search *search) {
    const size_t count = autotune__not_deferred(race), cheapest = 8;
    const autotune__shortlist seeds = autotune__best_seeds(race->setup.prior);
    const bool priced = autotune__is_priced(race);
    size_t i;
    if (!AUTOTUNE__ROOM(search->preferred, cheapest + 2 + seeds.count)) return false;
    if (count) (void)AUTOTUNE__PUSH(search->preferred, search->list ? search->list[0] : race->admitted.points[0]);
    if (race->incumbent != SIZE_MAX) (void)AUTOTUNE__PUSH(search->preferred, race->incumbent);
    for (i = 0; priced && i < count && i < cheapest + (race->incumbent != SIZE_MAX); i++)
        if (race->group.order[i] != race->incumbent) (void)AUTOTUNE__PUSH(search->preferred, race->group.order[i]);
    for (i = 0; i < seeds.count; i++) (void)AUTOTUNE__PUSH(search->preferred, seeds.index[i]);
    return true;
}
/* Starts the search of the group. If no search is needed, the group is launched in order. AUTO searches a group of more
   than 50 configurations, unless first trials show that there is time for all. Returns false if there is no memory. */
static bool autotune__start_search(autotune__race *race) {
    const autotune_strategy strategy = race->limits.strategy;
    const size_t small = 50, count = autotune__count(race->group.order);
    const bool sampled = autotune__is_sampled(race),
               in_order = strategy == AUTOTUNE_EXHAUSTIVE || strategy == AUTOTUNE_RANDOM ||
                          (strategy == AUTOTUNE_AUTO && count <= small);
    autotune__searching *searching = &race->searching;
    autotune__free_search(searching->search);
    memset(searching, 0, sizeof *searching);
    if (!race->setup.space || (!sampled && (!count || in_order))) return true;
    searching->extent = strategy == AUTOTUNE_AUTO && !sampled ? AUTOTUNE__UNDECIDED : AUTOTUNE__SEARCHED;
    searching->search = autotune__search_space(race->setup.space, strategy, race->limits.seed + race->setup.part);
    return searching->search && (sampled || autotune__list_group(race, searching->search)) &&
           autotune__prefer_points(race, searching->search);
}
/* Called before each step of the search, when all rows have their times. Tells the search the time of every row that
   is new since the last call. Returns false if there is no memory. */
static bool autotune__tell_rows(autotune__race *race) {
    autotune_search *search = race->searching.search;
    size_t i = race->group.first_row + autotune__count(search->trials);
    for (; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const double ns = autotune__failed(row) ? AUTOTUNE__NEVER : row->minimum > 0 ? row->minimum : 1;
        if (!autotune__tell_search(search, row->index, ns)) return false;
    }
    return true;
}
/* Decides once a group has had eight trials whether the whole group is launched. This needs enough .max_trials, and
   time to launch all of the group at the mean pace of its trials. The longest trial does not count, since other
   programs may have held it up. `shareable_ns` does not count, since later trials will not wait for this work. */
static void autotune__choose_extent(autotune__race *race) {
    const autotune__limits *limits = &race->limits;
    const autotune__group *group = &race->group;
    autotune__searching *searching = &race->searching;
    const size_t enough = 8, rows = autotune__count(race->rows) - group->first_row,
                 count = autotune__count(group->order);
    const double now = race->elapsed - group->began - searching->shareable_ns / 1e9;
    if (now - searching->last_at > searching->longest) searching->longest = now - searching->last_at;
    searching->last_at = now;                   /* another trial begins */
    if (limits->strategy != AUTOTUNE_AUTO || autotune__is_sampled(race) || rows < enough ||
        searching->extent == AUTOTUNE__SEARCH_ENDED)
        return;
    searching->extent =
        (!limits->trials || limits->trials >= group->first_row + count) &&
                race->elapsed + (now - searching->longest) / (double)(rows - 1) *
                                    (double)(count > rows ? count - rows : 0) <= autotune__screen_seconds(race)
            ? AUTOTUNE__WHOLE : AUTOTUNE__SEARCHED;
}
/* Estimates how many configurations a sampled space has, by the share of draws that may be raced. Draws count if
   they were uniform, or in order. */
static size_t autotune__estimated_count(const autotune__race *race) {
    const size_t points = race->setup.points, drawn = race->searching.drawn, seen = autotune__count(race->rows);
    const double share = drawn ? (double)race->searching.eligible / (double)drawn : 1, count = share * (double)points;
    return count >= (double)points ? points : count > (double)seen ? (size_t)count : seen;
}
/* Counts a drawn point for autotune__estimated_count(), if the search drew it uniformly or in order. points: how many
   points the answer decides. A search in order goes on behind these points. */
static void autotune__count_draw(autotune__race *race, bool eligible, size_t points) {
    autotune_search *search = race->searching.search;
    const bool in_order = search->ordered == race->request.index + 1;
    if (!in_order && search->draws != AUTOTUNE__UNIFORMLY) return;
    race->searching.drawn += in_order ? points : 1;
    race->searching.eligible += eligible;
    if (in_order) search->ordered += points - 1;
}
/* Ends the search, since no point is left, or since it expects little gain. Deferred points are launched next. If the
   search has not tried all points that may be raced, the race is incomplete. A sampled space counts as incomplete,
   unless it is tried in order. */
static void autotune__end_search(autotune__race *race) {
    const size_t count = autotune__not_deferred(race), tried = autotune__count(race->rows) - race->group.first_row;
    const bool sampled = autotune__is_sampled(race) && race->limits.strategy != AUTOTUNE_EXHAUSTIVE;
    if (!autotune__is_searching(race)) return;
    race->searching.extent = AUTOTUNE__SEARCH_ENDED;
    race->group.next = count;
    if (sampled || (!autotune__is_sampled(race) && tried < count))
        race->lack = autotune__pays(race->searching.search) ? AUTOTUNE__LACKS_POINTS : AUTOTUNE__LACKS_GAIN;
}

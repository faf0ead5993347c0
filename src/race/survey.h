/* A sampled space: what the points that were drawn tell of it, and which of them take part. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "shortlist.h"
#include "request.h"
#include "race.h"
#include "priority.h"

/* Before the first launch a survey draws points until 256 of them may be raced; so it learns which PRIORITYs there are.
   The first group is the highest of them, and any higher one that the search meets. Points of a lower PRIORITY are
   refused, but the highest of these is noted: it becomes the next group if nothing of this one works, which is so when
   the first 200 fail. True: the point is of the group that is raced now. */
static bool autotune__note_priority(autotune__race *race, const autotune__answer *answer) {
    const autotune__precedence precedence = autotune__precedence_of(answer);
    autotune__survey *survey = &race->survey;
    if (!autotune__is_eligible(answer)) return false;
    if (!race->group.current.grouped) race->group.current = precedence;
    if (!autotune__higher(&race->group.current, &precedence))
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
    if (race->group.current.grouped && autotune__higher(&precedence, &race->group.current)) {
        survey->lower = race->group.current;
        race->group.current = precedence;
        survey->cheapest.count = 0;
    }
    if (autotune__note_priority(race, answer))
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
        survey->ceiling = race->group.current;
        race->group.current = survey->lower;
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

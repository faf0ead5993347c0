/* Groups: which configurations may be raced; which of them are raced together, by PRIORITY; and in which order. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "parts.h"

/* Returns true if the point is admitted, and its PRIORITY is not negative. A point with a negative PRIORITY is never
   launched. */
static bool autotune__is_eligible(const autotune__answer *answer) {
    return !answer->refused && answer->precedence.intra >= 0;
}
static bool autotune__higher(const autotune__precedence *a, const autotune__precedence *b) {    /* is `a` the higher? */
    return a->group != b->group ? a->group > b->group : a->intra > b->intra;
}
/* Returns true if an earlier race excludes the point. The first configuration is always raced, since speed-ups are
   relative to it. An earlier race of a sampled space saw few points, so it excludes only points whose rows say that
   they lost. An online race and a race of finalists exclude no point. Counts the excluded points, and sets the flag
   ASIDE in their rows. */
static bool autotune__is_excluded(autotune__race *race, size_t point) {
    const size_t first = autotune__first_admitted(race);
    autotune__prior_row *row = autotune__find_prior(race->setup.prior, point);
    const unsigned flags = row ? row->flags : 0;
    if (race->limits.sampling == AUTOTUNE__BY_LAUNCHES || autotune__races_finalists(race) || first == SIZE_MAX ||
        point == first)
        return false;
    if (flags & AUTOTUNE__ASIDE) return true;   /* a search may draw a point more than once */
    if (!(flags & AUTOTUNE__LOST) &&
        (flags & AUTOTUNE__SEED || race->setup.rest < AUTOTUNE__REST_LOST || autotune__is_sampled(race)))
        return false;
    if (row) row->flags |= AUTOTUNE__ASIDE;
    race->admitted.excluded++;
    return true;
}
/* Adds the point to the admitted points if it may be raced. `precedences` stays empty until a point has a PRIORITY or
   a cost. */
static void autotune__enlist(autotune__race *race, size_t index, const autotune__answer *answer) {
    const autotune__precedence none = { 0, 0, AUTOTUNE__NEVER }, *precedence = &answer->precedence;
    autotune__admission *admitted = &race->admitted;
    if (!autotune__is_eligible(answer) || autotune__is_excluded(race, index)) return;
    if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(admitted->points, index)) ||
        (!admitted->precedences && !precedence->group && !autotune__is_definite(precedence->cost)))
        return;
    while (autotune__count(admitted->precedences) + 1 < autotune__count(admitted->points))
        if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(admitted->precedences, none))) return;
    (void)autotune__has_memory_for(race, AUTOTUNE__PUSH(admitted->precedences, *precedence));
}

/* The order of a group:
   - If MODEL predicts costs, the points are sorted by cost.
   - Else, with EXHAUSTIVE, the points stay in the order of the space.
   - Else the first point of the group comes first. The best ten seeds follow, then the rest at random, then all other
     seeds. With RANDOM the seeds are part of the rest.
   Except with EXHAUSTIVE, the incumbent is moved to the front. Deferred points come last in any case. */
/* Returns the cost that MODEL predicts for a point; AUTOTUNE__NEVER: none. */
static double autotune__cost_of(const autotune__admission *admitted, size_t point) {
    const autotune__precedence *of = admitted->precedences;
    const size_t at = of ? autotune__position_of(point, admitted->points, autotune__count(admitted->points)) : 0;
    return of && autotune__is_definite(of[at].cost) ? of[at].cost : AUTOTUNE__NEVER;
}
/* Returns true if MODEL predicts a cost in the group. Then `reference` has a cost: it was the first point after the
   sort. */
static bool autotune__is_priced(const autotune__race *race) {
    const size_t first = race->group.reference;
    return first != SIZE_MAX && autotune__is_definite(autotune__cost_of(&race->admitted, first));
}
/* Keeps the next .top_k points of an order that is sorted by cost. The points before them were in earlier groups, and
   all failed. The points behind them are left for the next group, and `lack` notes that they are left. */
static void autotune__keep_cheapest(autotune__race *race) {
    autotune__group *group = &race->group;
    const size_t most = (size_t)race->limits.top_k, left = autotune__count(group->order) - group->passed;
    const bool cuts = most && left > most;
    memmove(group->order, group->order + group->passed, left * sizeof *group->order);
    autotune__set_count(group->order, cuts ? most : left);
    group->passed = cuts ? group->passed + most : 0;
    if (cuts || race->lack == AUTOTUNE__LACKS_PLACES) race->lack = cuts ? AUTOTUNE__LACKS_PLACES : AUTOTUNE__NO_LACK;
}
/* Sorts the order by cost; points without a cost come last. Applies .top_k if there are costs. Returns false if there
   is no memory. */
static bool autotune__sort_by_cost(autotune__race *race) {
    size_t *order = race->group.order;
    const size_t count = autotune__count(order);
    autotune__numbered *priced AUTOTUNE__OWNED = (autotune__numbered *)autotune__allocate(count * sizeof *priced);
    size_t i;
    if (!autotune__has_memory_for(race, priced != NULL)) return false;
    for (i = 0; i < count; i++) {
        priced[i].value = autotune__cost_of(&race->admitted, order[i]);
        priced[i].number = order[i];
    }
    qsort(priced, count, sizeof *priced, autotune__order_numbered);
    for (i = 0; i < count; i++) order[i] = priced[i].number;
    if (autotune__is_definite(priced[0].value)) autotune__keep_cheapest(race);
    return true;
}
/* Moves a point up to position `to`. Returns false if the point is before that position, or not in the order. */
static bool autotune__move_up(autotune__race *race, size_t index, size_t to) {
    size_t *order = race->group.order;
    const size_t at = autotune__position_among(index, order);
    if (at == SIZE_MAX || at < to) return false;
    memmove(order + to + 1, order + to, (at - to) * sizeof *order);
    order[to] = index;
    return true;
}
/* Moves the best ten seeds to the positions from `to` on, and all other seeds to the end. The other seeds were launched
   in an earlier race, and were slower: points that were not launched before promise more. */
static void autotune__move_up_seeds(autotune__race *race, size_t to) {
    const autotune__shortlist seeds = autotune__best_seeds(race->setup.prior);
    size_t *order = race->group.order, end = autotune__count(order), i, point;
    for (i = end; i-- > to;) {
        point = order[i];
        if (!(autotune__prior_flags(race->setup.prior, point) & AUTOTUNE__SEED)) continue;
        order[i] = order[--end];
        order[end] = point;
    }
    i = seeds.count;
    while (i > 0) (void)autotune__move_up(race, seeds.index[--i], to);
}

/* Returns true if a point is deferred: it comes after all others of its group. */
static bool autotune__is_deferred(const autotune__race *race, size_t index) {
    return autotune__prior_flags(race->setup.prior, index) & AUTOTUNE__DEFERRED;
}
/* Puts a point at the end of the order. A search may draw the point twice, but the order has the point once. */
static void autotune__defer(autotune__race *race, size_t index) {
    size_t *order = race->group.order;
    const size_t count = autotune__count(order), at = autotune__position_among(index, order);
    if (at == SIZE_MAX) { (void)autotune__has_memory_for(race, AUTOTUNE__PUSH(race->group.order, index)); return; }
    memmove(order + at, order + at + 1, (count - at - 1) * sizeof *order);
    order[count - 1] = index;
}
static void autotune__put_deferred_last(autotune__race *race) {
    const autotune__prior_row *rows = race->setup.prior;
    size_t i;
    for (i = 0; i < autotune__count(rows); i++)
        if (rows[i].flags & AUTOTUNE__DEFERRED &&
            autotune__position_among(rows[i].point, race->group.order) != SIZE_MAX)
            autotune__defer(race, rows[i].point);
}
/* Returns how many points of the group are not deferred. */
static size_t autotune__not_deferred(const autotune__race *race) {
    size_t count = autotune__count(race->group.order);
    while (count && autotune__is_deferred(race, race->group.order[count - 1])) count--;
    return count;
}

/* The next group has the points that .top_k left over in the current group, else the points of the next lower PRIORITY.
   Points without a PRIORITY belong to the first group. A sampled space is one group. Its order has the first
   configuration, and the deferred points that the search draws. */
static const autotune__precedence *autotune__highest_untried(const autotune__race *race) {      /* NULL: none */
    const autotune__precedence *all = race->admitted.precedences, *last = &race->group.current, *highest = NULL;
    size_t i;
    for (i = 0; i < autotune__count(all); i++)
        if (all[i].group && (!last->group || autotune__higher(last, &all[i])) &&
            (!highest || autotune__higher(&all[i], highest)))
            highest = &all[i];
    return highest;
}
/* Fills group->order, which has room for all points. */
static void autotune__gather_group(autotune__race *race, const autotune__precedence *highest) {
    autotune__group *group = &race->group;
    size_t i;
    for (i = 0; i < autotune__count(race->admitted.points); i++) {
        const autotune__precedence *precedence = race->admitted.precedences ? &race->admitted.precedences[i] : NULL;
        const bool chosen = precedence && precedence->group
                                ? precedence->group == highest->group && precedence->intra == highest->intra
                                : group->number == 0;
        if (chosen) (void)AUTOTUNE__PUSH(group->order, race->admitted.points[i]);
    }
    if (highest) group->current = *highest;
    group->number++;
}
static bool autotune__choose_group(autotune__race *race) {          /* false: no group, or no memory */
    autotune__group *group = &race->group;
    const autotune__precedence *highest = group->passed ? &group->current : autotune__highest_untried(race);
    const bool in_order = race->limits.strategy == AUTOTUNE_EXHAUSTIVE;
    bool priced;
    autotune__set_count(group->order, 0);
    if (group->passed) group->number--;
    if ((!highest && group->number) ||
        !autotune__has_memory_for(race, AUTOTUNE__ROOM(group->order, autotune__count(race->admitted.points))))
        return false;
    autotune__gather_group(race, highest);
    if (race->admitted.precedences && !autotune__sort_by_cost(race)) return false;
    group->reference = autotune__count(group->order) ? group->order[0] : SIZE_MAX;
    priced = autotune__is_priced(race);
    if (race->setup.parts) autotune__keep_own_part(race, priced);
    if (!priced && race->limits.top_k && !autotune__races_finalists(race) && !group->without_effect)
        group->without_effect = ".top_k needs a MODEL in the space, which predicts costs: it had no effect";
    if (!priced && !in_order) {                 /* the first point may be the one to beat, or the reference of parts */
        autotune__shuffle(group->order, 1, &race->random);
        if (race->setup.prior && race->limits.strategy != AUTOTUNE_RANDOM)
            autotune__move_up_seeds(race, 1);   /* behind the first point */
    }
    if (!in_order) (void)autotune__move_up(race, race->incumbent, 0);
    if (race->setup.prior) autotune__put_deferred_last(race);   /* after the sort: .top_k counts deferred points, too */
    return autotune__count(group->order) > 0 || autotune__is_sampled(race);
}

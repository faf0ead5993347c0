/* The race's batches: which configurations are raced together, and in which order, by PRIORITY and MODEL. */
#pragma once
#include <stdlib.h>
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "race.h"

/* How many launches of this length make a sample that the clock can resolve: 32 us, or 1000 of the clock's steps as
   long as that is below 20 ms, and 20 of them at least. */
static const double autotune__least_batch_ns = 32e3;
static uint32_t autotune__batch(const autotune__race *race, double ns) {
    const double tick = race->limits.tick_ns, fine = 1000 * tick < 20e6 ? 1000 * tick : 20e6,
                 coarse = fine > 20 * tick ? fine : 20 * tick,
                 enough = coarse > autotune__least_batch_ns ? coarse : autotune__least_batch_ns;
    if (!(ns > 0)) return 1000;
    return ns >= enough ? 1 : enough / ns > 100000 ? 100000 : (uint32_t)(enough / ns) + 1;
}

static bool autotune__is_eligible(const autotune__answer *answer) {
    return answer->admitted && !(answer->grouped && (answer->group < 0 || answer->intra < 0));
}
static autotune__rank autotune__rank_of(const autotune__answer *answer) {
    autotune__rank rank;
    rank.group = answer->group;
    rank.intra = answer->intra;
    rank.cost = autotune__is_definite(answer->cost) ? answer->cost : AUTOTUNE__NEVER;
    rank.grouped = answer->grouped;
    rank.tried = false;
    return rank;
}
static void autotune__enlist(autotune__race *race, size_t index, const autotune__answer *answer) {
    const autotune__rank unranked = { 0, 0, AUTOTUNE__NEVER, false, false }, rank = autotune__rank_of(answer);
    if (!autotune__is_eligible(answer)) return;
    if (!AUTOTUNE__PUSH(race->admitted, index)) race->no_memory = true;
    if (race->no_memory || (!race->ranks && !answer->grouped && !autotune__is_definite(answer->cost))) return;
    while (!race->no_memory && autotune__count(race->ranks) + 1 < autotune__count(race->admitted))
        race->no_memory = !AUTOTUNE__PUSH(race->ranks, unranked);
    if (!race->no_memory) race->no_memory = !AUTOTUNE__PUSH(race->ranks, rank);
}

/* The next batch: the highest priority that was not tried; those without one ride along with the first. False: there is
   none. */
static bool autotune__higher(const autotune__rank *a, const autotune__rank *b) {
    return a->group != b->group ? a->group > b->group : a->intra > b->intra;
}
typedef struct autotune__priced { uint32_t place; double cost; } autotune__priced;
/* by cost, unpredicted ones last, else by index */
static int autotune__order_priced(const void *left, const void *right) {
    const autotune__priced *a = (const autotune__priced *)left, *b = (const autotune__priced *)right;
    const double x = a->cost, y = b->cost;
    return x < y ? -1 : x > y ? 1 : a->place < b->place ? -1 : 1;
}
static bool autotune__sort_by_cost(autotune__race *race) {
    const size_t count = autotune__count(race->order);
    autotune__priced *priced = (autotune__priced *)autotune__allocate(count * sizeof *priced);
    size_t i;
    if (!priced) { race->no_memory = true; return false; }
    for (i = 0; i < count; i++) { priced[i].place = race->order[i]; priced[i].cost = race->ranks[race->order[i]].cost; }
    qsort(priced, count, sizeof *priced, autotune__order_priced);
    for (i = 0; i < count; i++) race->order[i] = priced[i].place;
    autotune__free(priced);
    if (race->limits.top_k && count > race->limits.top_k) autotune__set_count(race->order, (size_t)race->limits.top_k);
    return true;
}
static void autotune__shuffle_batch(autotune__race *race) {         /* Fisher and Yates, but for the first: the
                                                                       incumbent */
    size_t i;
    for (i = autotune__count(race->order); i > 2; i--) {
        const size_t j = 1 + (size_t)(autotune__random(&race->random) % (i - 1));
        const uint32_t swap = race->order[i - 1];
        race->order[i - 1] = race->order[j];
        race->order[j] = swap;
    }
}
static void autotune__lead_off(autotune__race *race) {              /* the incumbent starts, the others follow as they
                                                                       were */
    size_t i = 0;
    while (i < autotune__count(race->order) && race->admitted[race->order[i]] != race->setup.incumbent) i++;
    if (i == autotune__count(race->order)) return;
    for (; i > 0; i--) {
        const uint32_t place = race->order[i];
        race->order[i] = race->order[i - 1];
        race->order[i - 1] = place;
    }
}
static bool autotune__is_postponed(const autotune__race *race, size_t index) {
    return autotune__position_of(index, race->setup.postponed, race->setup.postponed_count) != SIZE_MAX;
}
static bool autotune__has_late(const autotune__race *race) {
    return race->next_late < autotune__count(race->late);
}
static void autotune__postpone(autotune__race *race, size_t index) {        /* a search may draw it twice */
    size_t i;
    for (i = 0; i < autotune__count(race->late); i++) if (race->late[i] == index) return;
    if (!AUTOTUNE__PUSH(race->late, index)) race->no_memory = true;
}
static void autotune__set_late_apart(autotune__race *race) {
    size_t i, kept = 0;
    for (i = 0; i < autotune__count(race->order); i++) {
        const size_t index = race->admitted[race->order[i]];
        if (autotune__is_postponed(race, index)) autotune__postpone(race, index);
        else race->order[kept++] = race->order[i];
    }
    autotune__set_count(race->order, kept);
}
static bool autotune__choose_batch(autotune__race *race) {          /* into order[] and late[]; false: there is none, or
                                                                       no memory */
    const size_t count = autotune__count(race->admitted);
    const autotune__rank *highest = NULL;
    size_t i;
    autotune__set_count(race->order, 0);
    autotune__set_count(race->late, 0);
    race->next_late = 0;
    race->priced = false;
    if (!race->ranks && !race->first_batch) return false;
    if (!AUTOTUNE__ROOM(race->order, count)) { race->no_memory = true; return false; }
    for (i = 0; race->ranks && i < count; i++)
        if (race->ranks[i].grouped && !race->ranks[i].tried && (!highest || autotune__higher(&race->ranks[i], highest)))
            highest = &race->ranks[i];
    for (i = 0; i < count; i++) {
        autotune__rank *rank = race->ranks ? &race->ranks[i] : NULL;
        const bool chosen = rank && rank->grouped
                                ? !rank->tried && rank->group == highest->group && rank->intra == highest->intra
                                : race->first_batch;
        if (!chosen) continue;
        (void)AUTOTUNE__PUSH(race->order, (uint32_t)i);
        if (rank) rank->tried = true;
        if (rank && autotune__is_definite(rank->cost)) race->priced = true;
    }
    race->first_batch = false;
    if (race->priced && !autotune__sort_by_cost(race)) return false;      /* .top_k counts those that are late, too */
    autotune__set_late_apart(race);
    if (race->no_memory) return false;
    race->no_model = !race->priced && race->limits.top_k > 0;
    if (!race->priced && race->limits.strategy != AUTOTUNE_EXHAUSTIVE) autotune__shuffle_batch(race);
    if (race->limits.strategy != AUTOTUNE_EXHAUSTIVE) autotune__lead_off(race);
    return autotune__count(race->order) > 0 || autotune__has_late(race);
}

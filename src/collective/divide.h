/* Ranks that divide a race. Each rank races its part of the space alone, up to the duel. Then the ranks choose the best
   configurations of all parts as finalists, and race the finalists together. race/parts.h decides which configurations
   a part has. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"
#include "races.h"

/* The share of a given time limit that the parts may use. The rest is for the finalists. */
static const double autotune__share_of_parts = 0.8;
/* Called at the beginning of a race, when all ranks have the same prior knowledge. Divides the race if all ranks race,
   and autotune__is_divided() returns true. */
static void autotune__divide(autotune__statement *statement, autotune__limits *limits) {
    uint64_t parts;
    if (!autotune__is_together(statement) || !autotune__is_divided(statement)) return;
    parts = (uint64_t)statement->trial.group->ranks->count;
    statement->trial.group->stage = AUTOTUNE__ALL_RACE;  /* each rank races its part alone */
    limits->trials = (limits->trials + parts - 1) / parts;
    if (autotune__has_own_limit(limits)) limits->seconds *= autotune__share_of_parts;
}

/* Returns the contenders: the best survivors of the group that the part raced last. */
static autotune__shortlist autotune__contenders_of(const autotune__race *part) {
    autotune__shortlist contenders;
    size_t row;
    contenders.count = 0;
    for (row = part->group.first_row; row < autotune__count(part->rows); row++)
        if (!autotune__failed(&part->rows[row]) &&
            (row == part->outcome.winner || autotune__position_among(row, part->live) != SIZE_MAX))
            autotune__shortlist_point(&contenders, part->rows[row].index, autotune__time(&part->rows[row]));
    return contenders;
}
/* Returns the time of the configuration that is in each part; AUTOTUNE__NEVER: unknown. */
static double autotune__reference_ns(const autotune__race *part) {
    const size_t row = autotune__working_row(part, part->group.reference);
    return row != SIZE_MAX && autotune__time(&part->rows[row]) > 0 ? autotune__time(&part->rows[row]) : AUTOTUNE__NEVER;
}

/* After the race of a part: the ranks exchange how their races ended. Returns false if the group has ended. */
static bool autotune__exchange_part_results(autotune__statement *statement, const autotune__race *part,
                                            const autotune__shortlist *own, bool no_memory) {
    autotune__peer_group *group = statement->trial.group;
    double *values = autotune__new_reduction(group);
    values[AUTOTUNE__ELAPSED] = autotune__own_seconds(&statement->trial, autotune__clock_now(&statement->subject));
    values[AUTOTUNE__SPENT] = part->before_duel_ns;
    values[AUTOTUNE__NO_MEMORY] = no_memory;
    autotune__put_trouble(group, no_memory, AUTOTUNE_ERR_MEMORY);
    values[AUTOTUNE__INCOMPLETE] = (double)part->lack;
    values[AUTOTUNE__NO_MEASURE] = own->count && !autotune__is_definite(autotune__reference_ns(part));
    values[AUTOTUNE__BEST] = own->count ? -(double)part->group.number : -AUTOTUNE__NEVER;
    return autotune__all_reduce(group);
}
/* Finds the best contender of all ranks. The first all-reduce finds the least time divided by `unit`. The second
   all-reduce finds the lowest point with this time. unit: the time of the reference on this rank, so that times of fast
   and slow ranks can be compared. unit is 1 if this rank has no contenders, or if a rank does not know the time of the
   reference. *found: true if a rank has a contender. Returns false if the group has ended. */
static bool autotune__choose_contender(autotune__peer_group *group, const autotune__shortlist *own, double unit,
                                       size_t *point, bool *found) {
    const double offer = own->count ? -own->value[0] / unit : -AUTOTUNE__NEVER, *best = &group->values[AUTOTUNE__BEST];
    if (!autotune__all_reduce_one(group, AUTOTUNE__BEST, offer)) return false;
    *found = *best > -AUTOTUNE__NEVER;
    if (!*found) return true;
    if (!autotune__all_reduce_one(group, AUTOTUNE__BEST, offer < *best ? -AUTOTUNE__NEVER : -(double)own->index[0]))
        return false;
    *point = (size_t)-*best;
    return true;
}
/* Chooses the finalists. first: the point of the reference, if the reference is a finalist in any case; SIZE_MAX: it is
   not. *count: the number of finalists. Returns false if the group has ended. */
static bool autotune__choose_finalists(autotune__statement *statement, autotune__shortlist *own, double unit,
                                       size_t first, size_t *count) {
    autotune__prior_row row = { first, AUTOTUNE__NEVER, AUTOTUNE__FINALIST };
    bool found = first != SIZE_MAX;
    *count = 0;
    do {
        if (found) {
            autotune__strike_point(own, row.point);
            *count += AUTOTUNE__PUSH(statement->prior.rows, row);       /* autotune__broadcast_beginning() made room */
        }
        if (*count < AUTOTUNE__FINALISTS &&
            !autotune__choose_contender(statement->trial.group, own, unit, &row.point, &found))
            return false;
    } while (found && *count < AUTOTUNE__FINALISTS);
    autotune__sort_prior(statement->prior.rows);
    return true;
}
/* Replaces the race of the part by the race of the finalists. */
static void autotune__race_finalists(autotune__statement *statement, double spent_ns) {
    autotune__limits limits = statement->race_state->agreed.limits;
    /* The default time limit begins again for the finalists. A time limit of the user goes on. */
    const double before = autotune__has_own_limit(&limits) ? 0 : statement->trial.seconds;
    statement->trial.memories.agree = 0;        /* outputs of finalists are compared again */
    autotune__limit_to_finalists(&limits, limits.seconds + before);
    autotune__set_up_race(statement, &limits);
    statement->turn.race->before_duel_ns = spent_ns;
    autotune__begin_race(statement, statement->trial.seconds);
}
/* Called when the race of this rank is over. If ranks divide the race, waits for the other ranks. Returns true if the
   race of the finalists follows, or if the statement ends as its group does. Returns false if nothing is left to
   race. */
static bool autotune__join_parts(autotune__statement *statement) {
    autotune__peer_group *group = statement->trial.group;
    autotune__race *part = statement->turn.race, *kept;
    const double *values = group->values;
    bool goes_on, over = false;
    size_t finalists = 0;
    autotune__shortlist own;
    if (!autotune__races_part(group)) return false;
    kept = (autotune__race *)autotune__allocate(sizeof *kept);
    own = autotune__contenders_of(part);
    goes_on = autotune__exchange_part_results(statement, part, &own, !kept || autotune__lacks_memory(part));
    /* This closes the launch note. If a rank cannot be reached, the note stays open. */
    if (goes_on || group->cause != AUTOTUNE__UNREACHABLE) autotune__withdraw_launch(&statement->trial);
    if (goes_on) {
        const double unit = values[AUTOTUNE__NO_MEASURE] > 0 || !own.count ? 1 : autotune__reference_ns(part);
        const double spent_ns = values[AUTOTUNE__SPENT];
        const size_t first = unit > 1 && !autotune__is_priced(part) ? part->group.reference : SIZE_MAX;
        statement->trial.seconds = values[AUTOTUNE__ELAPSED];
        (void)autotune__has_memory_for(part, !(values[AUTOTUNE__NO_MEMORY] > 0));
        part->lack = (autotune__lack)(int)values[AUTOTUNE__INCOMPLETE];
        if (-(double)part->group.number < values[AUTOTUNE__BEST]) own.count = 0;   /* another part has a higher
                                                                                      PRIORITY */
        group->stage = AUTOTUNE__IN_STEP;
        over = autotune__lacks_memory(part) || part->outcome.verdict == AUTOTUNE_SINGLE;
        goes_on = over || autotune__choose_finalists(statement, &own, unit, first, &finalists);
        if (goes_on && finalists) {
            *kept = *part;
            statement->race_state->part = kept;
            autotune__race_finalists(statement, spent_ns);
            return true;
        }
        if (autotune__lacks_memory(part) || !over) part->outcome.winner = SIZE_MAX;
    }
    autotune__free(kept);
    if (!goes_on) autotune__end_with_group(statement);
    return !goes_on;
}

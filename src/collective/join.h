/* A statement and its ranks: the statement joins them, and a child made by fork() leaves them to its parent. */
#pragma once
#include "../api/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../ranks/floor.h"
#include "../statement/floor.h"

/* Returns true inside a trial that this rank makes alone. The other ranks do not make the calls inside this trial. */
static bool autotune__is_in_trial_of_rank(void) {
    const autotune__statement *outer = autotune__current;
    while (outer && !(outer->trial.peers && autotune__has_turn(&outer->turn) &&
                      autotune__races_alone(outer->trial.group)))
        outer = outer->outer;
    return outer != NULL;
}
/* Joins the group. Returns false if the statement exchanges nothing with other ranks. */
static bool autotune__join(autotune__peer_group *group, const autotune__site *site, const autotune_options *options) {
    group->ranks = autotune__ranks_of(options);
    group->first_rank = group->ranks ? autotune__first_rank_of(options) : 0;
    group->name = options->name ? autotune__hash_string(options->name)
                                : autotune__hash_word(autotune__hash_string(site->file),
                                                      autotune__hash_string(site->function));
    if (!group->ranks || autotune__is_in_trial_of_rank()) return false;
    group->skips_exchanges = autotune__count_skipped_call(group);
    return !group->skips_exchanges && autotune__enter_group(group, true);
}
/* Joins a statement to its ranks. The statement is collective until its winner is known. A statement inside a trial
   that this rank makes alone does not join, since the other ranks do not begin this statement. */
static void autotune__join_others(autotune__statement *statement) {
    autotune__peer_group *group = statement->trial.group;
    group->subject = &statement->subject;
    group->turn = &statement->turn;
    (void)autotune__join(group, statement->subject.site, &statement->subject.options);
}
/* Tells the other ranks that a statement ended before it could join its group. So the other ranks do not wait for
   it. */
static void autotune__end_before_joining(const autotune__site *site, const autotune_options *options,
                                         autotune_status status) {
    autotune__peer_group group;
    memset(&group, 0, sizeof group);
    if (!autotune__join(&group, site, options)) return;
    autotune__put_trouble(&group, AUTOTUNE__NO_CALL, status);
    group.values[AUTOTUNE__ENDING] = AUTOTUNE__NO_CALL;
    (void)autotune__all_reduce(&group);                 /* this exchange ends the group */
    autotune__free_text(&group.difference);
}
/* In a child made by fork(): leaves the group, since the other ranks exchange values with the parent only. If ranks
   divide a race, the child goes on with its own part. */
static void autotune__leave_ranks_to_parent(void) {
    autotune__statement *own;
    autotune__rank_groups = NULL;
    for (own = autotune__current; own; own = own->outer) {
        own->trial.peers = NULL;
        if (own->turn.race) own->turn.race->setup.parts = 0;
    }
}
static void autotune__forget_skips(void) { memset(autotune__skipped, 0, sizeof autotune__skipped); }
AUTOTUNE__ENTER_FLOOR(autotune__enter_ranks, autotune__leave_ranks_to_parent, autotune__forget_skips)

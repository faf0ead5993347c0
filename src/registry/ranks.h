/* The ranks of a statement: the processes that make its call. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"

/* Returns true if .ranks is set and correct. */
static bool autotune__are_ranks(const autotune_ranks *ranks) {
    return ranks && ranks->rank >= 0 && ranks->rank < ranks->count &&
           (ranks->count == 1 || (ranks->max && ranks->share));
}
/* Returns the ranks with which a statement has to agree. NULL: there is no other rank, or .ranks is not correct. */
static autotune_ranks *autotune__ranks_of(const autotune_options *options) {
    return autotune__are_ranks(options->ranks) && options->ranks->count > 1 ? options->ranks : NULL;
}
/* Returns the number of the first rank. The first rank uses the disk and the terminal, and all ranks take its
   knowledge. */
static int autotune__first_rank_of(const autotune_options *options) {
    const int first = options->agree == AUTOTUNE_FIRST ? options->first_rank : 0;
    return first > 0 && first < options->ranks->count ? first : 0;
}
/* Returns true if this rank is not the first rank. */
static AUTOTUNE__UNUSED bool autotune__is_follower(const autotune_options *options) {
    const autotune_ranks *ranks = autotune__ranks_of(options);
    return ranks && ranks->rank != autotune__first_rank_of(options);
}
/* Returns true if a step is refused, and logs why: a step has .ranks, but steps do not agree with other ranks. */
static AUTOTUNE__UNUSED bool autotune__refuses_step(const autotune_options *options) {
    if (!autotune__ranks_of(options)) return false;
    autotune__complain("autotune_step_begin: steps are measured by one rank alone, so .ranks must not be set: with "
                       ".ranks make calls in mode AUTOTUNE_ONLINE, as by autotune_call()");
    return true;
}
/* Returns true if other ranks have this winner, too. Then this rank does not forget the winner: to tune again, it would
   wait for the other ranks, which do not tune. */
static AUTOTUNE__UNUSED bool autotune__others_have(const autotune__entry *entry) {
    return entry->scope.ranks && entry->scope.ranks->count > 1;
}
static AUTOTUNE__UNUSED const char *autotune__why_kept(const autotune__entry *entry) {
    return entry && autotune__others_have(entry) ? "; it is not forgotten, since other ranks have it, too: "
                                                   "autotune_clear() on all ranks forgets it"
                                                 : "";
}

/* The ranks of a statement: which other processes make its call, too, and what is wrong with .ranks. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"

static bool autotune__are_ranks(const autotune_ranks *ranks) {
    return ranks && ranks->rank >= 0 && ranks->rank < ranks->count &&
           (ranks->count == 1 || (ranks->max && ranks->share));
}
/* The ranks with which a statement has to agree. NULL: with nobody, as where .ranks has no function to reach them. */
static autotune_ranks *autotune__ranks_of(const autotune_options *options) {
    return autotune__are_ranks(options->ranks) && options->ranks->count > 1 ? options->ranks : NULL;
}
/* Returns the rank that leads: it reads and writes the disk and the terminal, and what it knows counts for all. */
static int autotune__first_rank_of(const autotune_options *options) {
    const int first = options->agree == AUTOTUNE_FIRST ? options->first_rank : 0;
    return first > 0 && first < options->ranks->count ? first : 0;
}
/* Returns true if this is a rank that leaves the disk and the terminal to the one that leads. */
static AUTOTUNE__UNUSED bool autotune__is_follower(const autotune_options *options) {
    const autotune_ranks *ranks = autotune__ranks_of(options);
    return ranks && ranks->rank != autotune__first_rank_of(options);
}
/* A step cannot agree with ranks: is it refused? */
static AUTOTUNE__UNUSED bool autotune__refuses_step(const autotune_options *options) {
    if (!autotune__ranks_of(options)) return false;
    autotune__complain("autotune_step_begin: steps are measured by one rank alone, so .ranks must not be set: with "
                       ".ranks make calls in mode AUTOTUNE_ONLINE, as by autotune_call()");
    return true;
}
/* Do other ranks have this winner, too? Then one rank alone does not forget it: the others would not tune again. */
static AUTOTUNE__UNUSED bool autotune__others_have(const autotune__entry *entry) {
    return entry->scope.ranks && entry->scope.ranks->count > 1;
}
static AUTOTUNE__UNUSED const char *autotune__why_kept(const autotune__entry *entry) {
    return entry && autotune__others_have(entry) ? "; it is not forgotten, since other ranks have it, too: "
                                                   "autotune_clear() on all ranks forgets it"
                                                 : "";
}

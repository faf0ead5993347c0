/* Options whose door the program left out of the implementation. Each is refused in one sentence, once for each call
   site. The statement goes on with what needs no door. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "peers.h"
#include "elsewhere.h"
#include "options.h"
#include "identity.h"

enum { AUTOTUNE__LEFT_OUT = 24 };               /* says_first(): the numbers of doors are no statuses */
static AUTOTUNE__UNUSED void autotune__say_left_out(autotune__site *site, int door, const char *sentence) {
    if (autotune__says_first(site, (autotune_status)(AUTOTUNE__LEFT_OUT + door)))
        autotune__complain("%s%s%s: %s", AUTOTUNE__SITE_NAME(site), sentence);
}
/* Returns the mode of a call: CACHED for ONLINE without its door. */
static autotune_mode autotune__mode_here(autotune__site *site, const autotune_options *options, autotune_mode mode) {
    if (mode != AUTOTUNE_ONLINE || autotune__measured_calls.begin) return mode;
    if (!autotune__is_follower(options))
        autotune__say_left_out(site, 0, "mode ONLINE is left out of this program (AUTOTUNE_WITHOUT_ONLINE): calls "
                                        "launch a known winner, or the first configuration untuned");
    return AUTOTUNE_CACHED;
}
/* Trials in child processes, and guesses: what is done without their doors stands in plan.h. */
static void autotune__look_for_left_out(autotune__site *site, const autotune_options *options) {
    const int unseen = autotune__environment.unseen;
    if (!autotune__in_children.plan && !autotune__tries_here(options))
        autotune__say_left_out(site, 1, "AUTOTUNE_CHILD is left out of this program (AUTOTUNE_WITHOUT_CHILD): the "
                                        "launches are made in this process");
    if (!autotune__guessing.recall && (unseen < 0 ? (int)options->unseen : unseen) == AUTOTUNE_GUESS)
        autotune__say_left_out(site, 2, "guesses are left out of this program (AUTOTUNE_WITHOUT_GUESSES): a key that "
                                        "was never tuned is raced");
}

/* Options whose door the program left out of the implementation. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "identity.h"

/* Returns the mode of a call: CACHED for ONLINE without its door, which is said once for each call site. */
static autotune_mode autotune__mode_here(autotune__site *site, const autotune_options *options, autotune_mode mode) {
    if (mode != AUTOTUNE_ONLINE || autotune__measured_calls.begin) return mode;
    if (!autotune__is_follower(options) && autotune__says_first(site, AUTOTUNE_ERR_ENVIRONMENT))
        autotune__complain("%s%s%s: mode ONLINE is left out of this program (AUTOTUNE_WITHOUT_ONLINE): calls launch a "
                           "known winner, or the first configuration untuned", AUTOTUNE__SITE_NAME(site));
    return AUTOTUNE_CACHED;
}

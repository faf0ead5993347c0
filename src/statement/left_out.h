/* Options that need a door which the program left out of the implementation. plan.h and begin.h log a sentence of this
   room, once for each call site, and replace the option. peers.h refuses .ranks. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "identity.h"

/* The doors. autotune__says_first() takes their numbers like statuses, so these numbers are above all statuses.
   MEASURED_CALLS: mode ONLINE.
   CHILD: trials in child processes.
   GUESSES: guesses for keys that were never tuned. */
typedef enum autotune__door { AUTOTUNE__MEASURED_CALLS = 24, AUTOTUNE__CHILD, AUTOTUNE__GUESSES } autotune__door;
static AUTOTUNE__UNUSED void autotune__say_left_out(autotune__site *site, autotune__door door) {
    static const char *const sentences[] = {
        ("mode ONLINE is left out of this program (AUTOTUNE_WITHOUT_ONLINE): calls launch a known winner, or the first "
         "configuration untuned"),
        AUTOTUNE__NO_CHILD,
        "guesses are left out of this program (AUTOTUNE_WITHOUT_GUESSES): a key that was never tuned is raced"
    };
    if (autotune__says_first(site, (autotune_status)(int)door))
        autotune__complain("%s%s%s: %s", AUTOTUNE__SITE_NAME(site), sentences[door - AUTOTUNE__MEASURED_CALLS]);
}

/* The functions of ranks in a program without ranks: AUTOTUNE_WITHOUT_RANKS. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"

AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom) {
    (void)self, (void)seconds, (void)whom;
}
AUTOTUNE__API autotune_status autotune_agree(autotune_ranks *ranks) {
    if (ranks && ranks->count == 1) return AUTOTUNE_OK;
    autotune__ready();
    autotune__complain("autotune_agree(): ranks are left out of this program (AUTOTUNE_WITHOUT_RANKS); nothing was "
                       "shared");
    return AUTOTUNE_ERR_ENVIRONMENT;
}

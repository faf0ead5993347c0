/* copy.c - a library that tunes, with its own copy of the implementation. With NO_COPY it uses the implementation of
   the program. With CHANGED it is another build. */
#ifndef NO_COPY
#define AUTOTUNE_STATIC
#endif
#include "../plain.h"
#include "copy.h"

enum { TILES = 4 };

EXPORTED copy_seen copy_tune(int key, void (*in_trial)(void)) {
    autotune_backend clock = virtual_backend("the clock of a copy");
    copy_seen seen = {-1, 0};
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, TILES - 1, 1)), .name = "copy", .key = KEY(key), .max_seconds = 0.1,
                   .backend = &clock) {
        spend((tile == 3 ? 1 : 2) * (uint64_t)MILLISECOND);
        seen.trials += autotune_trial;
        if (!autotune_trial) seen.tile = tile;
        if (autotune_trial && in_trial) in_trial();
    }
    return seen;
}
EXPORTED int copy_call_online(void) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, spend((uint64_t)tile), .name = "online", .mode = AUTOTUNE_ONLINE,
             .result = &result);
    return result.verdict == AUTOTUNE_ONGOING;
}
EXPORTED int copy_end(void) { return autotune_shutdown() == AUTOTUNE_OK; }
#ifdef CHANGED
EXPORTED int copy_is_changed(void) { return 1; } /* its call sites are the same */
#endif

/* expect: SPACE: every item is AXIS, RANGE, POW2, AXIS_OF, CONFIGS, WHERE, PRIORITY or MODEL, not '.max_trials = 1' */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32), .max_trials = 1)) { kernel(tile); }
}

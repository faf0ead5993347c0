/* expect: SPACE: every item is AXIS, RANGE, POW2, AXIS_OF, CONFIGS, WHERE, PRIORITY or MODEL, not '' */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(), 1, kernel(16));
}

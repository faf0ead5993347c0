/* expect: SPACE: every item is AXIS, RANGE, POW2, AXIS_OF, CONFIGS, WHERE, PRIORITY or MODEL, not 'tile < n' */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32), tile < n), 1, kernel(tile));
}

/* expect: SPACE: NAME belongs into a CASE of AUTOTUNE_SELECT */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32), NAME("small")), 1, kernel(tile));
}

/* expect: GRID: x, y and z, no more */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), GRID(1, 2, 3, 4), kernel(tile));
}

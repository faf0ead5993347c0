/* expect: AXIS(tile, value, ...): at least one value */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile)), 1, kernel(tile));
}

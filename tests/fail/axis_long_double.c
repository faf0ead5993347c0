/* expect: AXIS(tile, ...): values are numbers, strings or functions */
#include "autotune.h"

void kernel(long double tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 1.0L, 2.0L)), 1, kernel(tile));
}

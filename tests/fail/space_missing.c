/* expect: AUTOTUNE: the first argument is SPACE(AXIS(name, value, ...), ...) */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(AXIS(tile, 16, 32), 1, kernel(tile));
}

/* expect: AUTOTUNE_BLOCK: the first argument is SPACE(AXIS(name, value, ...), ...) */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE_BLOCK(AXIS(tile, 16, 32)) { kernel(1); }
}

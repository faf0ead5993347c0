/* expect: AUTOTUNE(space, blocks, call, .option = ..., ...): three arguments at least */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), kernel(tile));
}

/* expect-c: expected */
/* expect-c++: a function stands in the place of its call: write f(n, tile), not f, and () behind a lambda */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, [&] { kernel(tile); });
}

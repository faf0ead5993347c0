/* expect-gcc: undeclared */
/* expect-clang: use of undeclared identifier */
/* expect-c++: expected ')' */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), kernel(tile));
}

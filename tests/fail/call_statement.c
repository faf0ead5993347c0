/* expect-c: expected expression */
/* expect-clang++: expected expression */
/* expect-g++: expected primary-expression */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, if (tile > 16) kernel(tile));
}

/* expect-c: expected expression */
/* expect-g++: expected primary-expression */
/* expect-clang++: expected expression */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY());
}

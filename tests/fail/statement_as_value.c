/* expect-gcc: void value not ignored as it ought to be */
/* expect-clang: expected expression */
/* expect-g++: void value not ignored as it ought to be */
/* expect-clang++: expected expression */
#include "autotune.h"

int kernel(int tile);
int call_site(void);
int call_site(void) {
    const int value =
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile));
    return value;
}

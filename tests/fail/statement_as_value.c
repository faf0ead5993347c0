/* expect-gcc: expected expression before 'for' */
/* expect-clang: expected expression */
/* expect-g++: expected primary-expression before 'for' */
/* expect-clang++: expected expression */
#include "autotune.h"

int kernel(int tile);
int call_site(void);
int call_site(void) {
    return
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile));
}

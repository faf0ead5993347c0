/* expect-gcc: macro "AUTOTUNE_RANGE" requires 4 arguments, but only 3 given */
/* expect-g++: macro "AUTOTUNE_RANGE" requires 4 arguments, but only 3 given */
/* expect-clang: too few arguments provided to function-like macro invocation */
/* expect-clang++: too few arguments provided to function-like macro invocation */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(RANGE(tile, 1, 10)), 1, kernel(tile));
}

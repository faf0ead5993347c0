/* expect-clang: expected expression */
/* expect-clang++: expected expression */
/* expect-gcc: AUTOTUNE as the call of another statement: write AUTOTUNE_BLOCK(...) { AUTOTUNE(...); } */
/* expect-g++: AUTOTUNE as the call of another statement: write AUTOTUNE_BLOCK(...) { AUTOTUNE(...); } */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, AUTOTUNE(SPACE(AXIS(unroll, 1, 2)), 1, kernel(tile * unroll)));
}

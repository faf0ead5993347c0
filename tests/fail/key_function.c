/* expect: KEY: integers, enums, bools, floats and strings; an address is no key */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(kernel));
}

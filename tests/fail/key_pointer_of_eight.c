/* expect: KEY: integers, enums, bools, floats and strings; an address is no key */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(int n, float *a);
void call_site(int n, float *a) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(n, 2, 3, 4, 5, 6, 7, a));
}

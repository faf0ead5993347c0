/* expect: ANCHOR(x) or ANCHOR(x, base, min, max) */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(ANCHOR(n, 4)));
}

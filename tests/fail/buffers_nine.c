/* expect: BUFFERS: at most 8 buffers */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(float *a);
void call_site(float *a) {
    AUTOTUNE(SPACE(AXIS(tile, 16)), 1, kernel(tile), .zero = BUFFERS({a}, {a}, {a}, {a}, {a}, {a}, {a}, {a}, {a}));
}

/* expect: KEY: at most 8 parts: put two numbers into one, as (uint64_t)lda << 32 | (uint32_t)ldb */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(n, 2, 3, 4, 5, 6, 7, 8, 9));
}

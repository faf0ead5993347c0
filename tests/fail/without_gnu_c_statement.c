/* expect: AUTOTUNE needs gcc or clang: compile this file with clang-cl, or call autotune_create() */
/* errors: 1 */
/* flags: -include ../headers/without_gnu_c.h */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32), WHERE(tile < n)), GRID(n), kernel(tile), .key = KEY(n));
}

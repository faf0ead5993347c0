/* expect: AUTOTUNE_BLOCK needs gcc or clang: compile this file with clang-cl, or call autotune_create() */
/* errors: 1 */
/* flags: -include ../headers/without_gnu_c.h */
#include "autotune.h"

void kernel(int n);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), .key = KEY(n)) {
        kernel(n);
    }
}

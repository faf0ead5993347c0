/* expect: AUTOTUNE_SELECT needs gcc or clang: compile this file with clang-cl, or call autotune_create() */
/* errors: 1 */
/* flags: -include ../headers/without_gnu_c.h */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    if (n)
        AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), CASE(kernel(2), WHERE(n > 2)));
    else
        kernel(0);
}

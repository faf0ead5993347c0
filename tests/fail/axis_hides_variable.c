/* expect-gcc: declaration of 'n' shadows a parameter */
/* expect-g++: declaration of 'int n' shadows a parameter */
/* expect-clang: declaration shadows a local variable */
/* expect-clang++: declaration shadows a local variable */
/* flags: -DAUTOTUNE_WARN_SHADOWS -Werror=shadow */
#include "autotune.h"

void kernel(int n, int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(n, 16, 32)), 1, kernel(n, n), .key = KEY(n));
}

/* expect-gcc: 'autotune_options' has no member named 'kye'; did you mean 'key'? */
/* expect-clang: field designator 'kye' does not refer to any field */
/* expect-g++: has no member named 'kye'; did you mean 'key'? */
/* expect-clang++: no member named 'kye' */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .kye = KEY(n));
}

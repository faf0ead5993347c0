/* expect-gcc: redeclaration of enumerator */
/* expect-clang: redefinition of enumerator */
/* expect-g++: conflicts with a previous declaration */
/* expect-clang++: redefinition of enumerator */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16), AXIS(tile, 32)), 1, kernel(tile));
}

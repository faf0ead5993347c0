/* expect-gcc: expected ';' before '}' token */
/* expect-clang: expected ';' after expression */
/* expect-g++: expected ';' before '}' token */
/* expect-clang++: expected ';' after expression */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile))
}

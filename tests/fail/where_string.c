/* expect-gcc: comparison with string literal results in unspecified behavior */
/* expect-g++: comparison with string literal results in unspecified behavior */
/* expect-clang: result of comparison against a string literal is unspecified */
/* expect-clang++: result of comparison against a string literal is unspecified */
#include "autotune.h"

void kernel(const char *order);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(order, "up", "down"), AXIS(tile, 1, 2), WHERE(order == "up" || tile > 1)), 1, kernel(order));
}

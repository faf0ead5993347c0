/* expect-c: autotune__write_options_as_dot_name_equals_value */
/* expect-g++: expected ')' before */
/* expect-clang++: expected ')' */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), KEY(n));
}

/* expect-c: autotune__write_options_as_dot_name_equals_value */
/* expect-c++: expected ')' */
/* flags: -Werror=int-conversion */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), 1, .key = KEY(n)) { kernel(tile); }
}

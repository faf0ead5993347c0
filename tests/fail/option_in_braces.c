/* expect-gcc: missing braces around initializer */
/* expect-clang: suggest braces around initialization of subobject */
/* expect-c++: an option's value is no list in braces: .restore = BUFFERS({pointer, bytes}, ...) */
/* flags: -Werror=missing-braces */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(float *v, size_t bytes);
void call_site(float *v, size_t bytes) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .restore = {v, bytes});
}

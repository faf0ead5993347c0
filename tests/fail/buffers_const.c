/* expect-gcc: discards 'const' qualifier */
/* expect-clang: discards qualifiers */
/* expect-c++: BUFFERS({pointer, bytes}, ...): the memory is written to, and must not be const */
/* flags: -Werror */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(const float *a);
void call_site(const float *a) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .restore = BUFFERS({a, 4}));
}

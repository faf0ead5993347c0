/* expect-gcc: makes pointer from integer without a cast */
/* expect-clang: incompatible integer to pointer conversion */
/* expect-c++: BUFFERS({pointer, bytes}, ...): the first is a pointer, or a CUdeviceptr */
/* flags: -Werror */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(size_t address);
void call_site(size_t address) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .restore = BUFFERS({address, 4}));
}

/* expect: KEY: integers, enums, bools, floats and strings; an address is no key */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
struct size { int rows, columns; };
void call_site(struct size size);
void call_site(struct size size) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(size));
}

/* expect-c: an option stands in the place of the call; were the blocks left out? On the CPU write 1 */
/* expect-c++: an argument is not an option (.name = value): put a call or a value with a comma into parentheses */
/* elsewhere: g++ clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, .key = KEY(n), kernel(tile));
}

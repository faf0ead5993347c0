/* expect: an option stands in the place of the call; were the blocks left out? On the CPU write 1 */
#include "autotune.h"

void call_site(int n);
void call_site(int n) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, .key = KEY(n));
}

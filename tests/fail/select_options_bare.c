/* expect: AUTOTUNE_SELECT((.option = ...), call, ...): the options stand in parentheses, () for none */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT(.key = KEY(n), kernel(1), kernel(2));
}

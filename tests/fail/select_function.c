/* expect: a function stands in the place of its call: write f(n, tile), not f */
/* elsewhere: g++ g++-11 clang++ */
#include "autotune.h"

void kernel(int tile);
void call_site(void);
void call_site(void) {
    AUTOTUNE_SELECT((), kernel(1), kernel);
}

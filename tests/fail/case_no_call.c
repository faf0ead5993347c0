/* expect-gcc: 'AUTOTUNE__FILTER' undeclared */
/* expect-clang: use of undeclared identifier 'AUTOTUNE__FILTER' */
/* expect-g++: 'AUTOTUNE__FILTER' was not declared */
/* expect-clang++: use of undeclared identifier 'AUTOTUNE__FILTER' */
#include "autotune.h"

void kernel(int tile);
void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1), CASE(WHERE(n > 64)));
}

/* expect-c: expected expression */
/* expect-g++: expected primary-expression */
/* expect-clang++: expected expression */
#include "autotune.h"

void call_site(int n);
void call_site(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)));
}

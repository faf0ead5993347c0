/* expect-c: SPACE: the name of an axis is an identifier, and no macro of the program has this name; here it is '7' */
/* expect-c++: SPACE: the name of an axis is an identifier, and no macro of the program has this name; here it is '7' */
#include "autotune.h"

#define tile 7
void kernel(int value);
void call_site(void);
void call_site(void) {
    AUTOTUNE(SPACE(AXIS(tile, 32, 64)), 1, kernel(tile));
}

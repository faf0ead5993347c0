/* Includes the header five times, with other headers in between. AUTOTUNE_IMPLEMENTATION is defined late, and stays
   defined. */
#include "autotune.h"
#include <stdio.h>
#include "autotune.h"
#include <math.h>
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdlib.h>
#include "autotune.h"
#include "expect.h"
#include "autotune.h"

int main(void) {
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = tile);
    EXPECT(last == 1 || last == 2);
    return failures != 0;
}

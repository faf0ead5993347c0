/* A program with its own stb_ds. The file with the implementation is compiled with AUTOTUNE_NO_STB_DS_IMPL, and uses
   this stb_ds. */
#define STB_DS_IMPLEMENTATION
#include <stb_ds.h>
#include "autotune.h"
#include "expect.h"

int main(void) {
    int *tiles = NULL, last = 0;
    arrput(tiles, 16);
    arrput(tiles, 32);
    AUTOTUNE(SPACE(AXIS_OF(tile, tiles, arrlen(tiles))), 1, last = tile, .preset = AUTOTUNE_FAST);
    EXPECT(last == 16 || last == 32);
    arrfree(tiles);
    return failures != 0;
}

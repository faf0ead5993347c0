/* Tunes one call, and checks that it was made. */
#define AUTOTUNE_IMPLEMENTATION
#include <autotune.h>

static int used;

static void kernel(int tile) {
    used = tile;
}

int main(void) {
    AUTOTUNE(SPACE(AXIS(tile, 3, 5)), 1, kernel(tile), .max_seconds = 0.05, .cache = AUTOTUNE_CACHE_OFF);
    return used == 3 || used == 5 ? 0 : 1;
}

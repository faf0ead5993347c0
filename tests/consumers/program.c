/* A program that uses the library as its users do: tunes one call, and checks that the call was made. */
#include <autotune.h>
#include <stdio.h>

static int used;

static void kernel(int tile) {
    used = tile;
}

int main(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 3, 5)), 1, kernel(tile), .max_seconds = 0.05, .result = &result);
    if (result.status == AUTOTUNE_OK && (used == 3 || used == 5)) return 0;
    fprintf(stderr, "status %d, tile %d\n", (int)result.status, used);
    return 1;
}

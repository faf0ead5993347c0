/* The statements of the other programs of this folder, written rightly. This program must compile with the flags with
   which the others must not compile. So the others fail because of their misuse, and not for another reason. */
#include "autotune.h"

struct size { int rows, columns; };

void kernel(int tile);
void shared(double share);
int radix_sort(int *v, int n);
int merge_sort(int *v, int n);
void call_site(int n, float *a, int *v, struct size size, const int *tiles, const char *name);

void call_site(int n, float *a, int *v, struct size size, const int *tiles, const char *name) {
    /* axes */
    AUTOTUNE(SPACE(AXIS(tile, 16, 32), AXIS(unroll, 1, 2)), 1, kernel(tile * unroll));
    AUTOTUNE(SPACE(AXIS(rows, size.rows, n), AXIS(sort, radix_sort, merge_sort)), 1, sort(v, rows));
    AUTOTUNE(SPACE(AXIS(share, 0.5, 1.0)), 1, shared(share));
    AUTOTUNE(SPACE(AXIS_OF(tile, tiles, n)), 1, kernel(tile));
    AUTOTUNE(SPACE(RANGE(tile, 1, 10, 3), POW2(unroll, 1, 8), WHERE(tile < n)), 1, kernel(tile * unroll));
    AUTOTUNE(SPACE(CONFIGS((tile, unroll), (16, 1), (32, 2))), 1, kernel(tile * unroll));
    AUTOTUNE(SPACE(AXIS(a1, 1), AXIS(a2, 1), AXIS(a3, 1), AXIS(a4, 1), AXIS(a5, 1), AXIS(a6, 1), AXIS(a7, 1),
                   AXIS(a8, 1), AXIS(b1, 1), AXIS(b2, 1), AXIS(b3, 1), AXIS(b4, 1), AXIS(b5, 1), AXIS(b6, 1),
                   AXIS(b7, 1), AXIS(b8, 1)),
             1, kernel(a1 + b8));

    /* blocks, keys and options */
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), GRID(1, 2, 3), kernel(tile), .key = KEY(n, 2, 3, 4, 5, 6, 7, 8));
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), n, kernel(tile), .key = KEY(ANCHOR(n), ANCHOR(n, 4, 16, 4096), name),
             .name = "control");
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile),
             .zero = BUFFERS({a, 4}, {a, 4}, {a, 4}, {a, 4}, {a, 4}, {a, 4}, {a, 4}, {a, 4}));

    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, .5 * tile);

    /* the two other statements */
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), .key = KEY(n)) {
        if (tile > 16) kernel(tile);
        AUTOTUNE(SPACE(AXIS(unroll, 1, 2)), 1, kernel(tile * unroll), .key = KEY(n, tile));
    }
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1),
                    CASE(kernel(2), PRIORITY(2), WHERE(n > 64), MODEL(1.5 * n), NAME("two")));
    AUTOTUNE_SELECT((), kernel(1), kernel(2));
}

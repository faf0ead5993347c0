/* With the full names only: the program may use the short names, and all other names, for itself. */
#define AUTOTUNE_NO_SHORT_NAMES
#include "autotune.h"

enum { AXIS = 1, KEY, SPACE, WHERE, MODEL, RANGE, POW2, CONFIGS, GRID, BUFFERS, ANCHOR, PRIORITY, CASE, NAME, AXIS_OF };
#define COUNT this is broken
#define DESCRIBE this is broken
#define BIND this is broken
#define FILTER this is broken
#define TEST this is broken
#define SCORE this is broken
#define RANK this is broken
#define TABLE this is broken
#define ok this is broken
#define name_ this is broken

void kernel(int64_t value);
void every_full_name(int n, const int *p, float *c);

void every_full_name(int n, const int *p, float *c) {
    AUTOTUNE(AUTOTUNE_SPACE(AUTOTUNE_AXIS(a, AXIS, KEY), AUTOTUNE_RANGE(b, 1, 3, 1), AUTOTUNE_POW2(d, 1, 4),
                            AUTOTUNE_AXIS_OF(e, p, 2), AUTOTUNE_WHERE(a <= b), AUTOTUNE_PRIORITY(1),
                            AUTOTUNE_MODEL(b * 2.0)),
             AUTOTUNE_GRID(n, 2), kernel(a + b + d + e + (int64_t)blocks.y), .key = AUTOTUNE_KEY(AUTOTUNE_ANCHOR(n), n),
             .restore = AUTOTUNE_BUFFERS({c, 4}));
    AUTOTUNE_BLOCK(AUTOTUNE_SPACE(AUTOTUNE_CONFIGS((a, b), (1, 2), (3, 4))), .key = AUTOTUNE_KEY(n)) {
        if (a > n) { AUTOTUNE_REJECT("%d", a); continue; }
        kernel(b);
    }
    AUTOTUNE_SELECT((.key = AUTOTUNE_KEY(n)), kernel(1),
                    AUTOTUNE_CASE(kernel(2), AUTOTUNE_PRIORITY(1), AUTOTUNE_WHERE(n > 2), AUTOTUNE_MODEL(n),
                                  AUTOTUNE_NAME("two")));
}

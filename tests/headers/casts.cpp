// Every item and option once, for warnings of casts: a program may forbid old ones and useless ones. To be compiled.
#include "autotune.h"

void kernel(int64_t value);
autotune_status status(int value);
void every_item(int n, int64_t m, float *c, size_t z, unsigned u, const int *p, double cost);

void every_item(int n, int64_t m, float *c, size_t z, unsigned u, const int *p, double cost) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), RANGE(r, m, m + 1, 1), POW2(q, u, 8u), AXIS_OF(e, p, z), WHERE(a <= n),
                   PRIORITY(1, m), MODEL(cost)),
             n, kernel(a + r + q + e), .key = KEY(n, m, z, u, 1.0, 2.0f, ANCHOR(n), ANCHOR(z, 2, 1, 3)),
             .restore = BUFFERS({c, 4}, {c, 4, AUTOTUNE_F32, 1e-3}), .user = c);
    AUTOTUNE(SPACE(CONFIGS((a, b, t), (1, m, "x"), (3, 4, "y")), AXIS(d, kernel)), GRID(n, m, u), d(a + b + *t),
             .key = KEY("text", true));
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), GRID(z), status(a), .name = "status", .max_seconds = 1);
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), .key = KEY(n)) {
        if (a > 3) { AUTOTUNE_REJECT("%d", a); continue; }
        kernel(a);
    }
    AUTOTUNE_SELECT((.key = KEY(n)), kernel(1),
                    CASE(status(2), WHERE(n > 1), PRIORITY(1), MODEL(2.0 * n), NAME("two")));
}

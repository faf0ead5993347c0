/* The promised limits: 16 axes, 64 values per AXIS, 64 rows of 12 names in CONFIGS, 24 calls in a SELECT, keys
   of 8 parts, 8 buffers. Only compile it: a space of 64 to the 12th configurations cannot be run. */
#include "autotune.h"

void kernel(int64_t value);
int first(int v);
int second(int v);
void twelve_axes(int n);
void twelve_axes_in_a_block(int n);
void sixteen_axes(int n, float *c);
void sixty_four_rows(int n);
void twenty_four_calls(int n);

#define VALUES_8(x) (x), (x) + 1, (x) + 2, (x) + 3, (x) + 4, (x) + 5, (x) + 6, (x) + 7
#define VALUES_64 \
    VALUES_8(1), VALUES_8(9), VALUES_8(17), VALUES_8(25), VALUES_8(33), VALUES_8(41), VALUES_8(49), VALUES_8(57)
#define AXES_4(a) AXIS(a##1, VALUES_64), AXIS(a##2, VALUES_64), AXIS(a##3, VALUES_64), AXIS(a##4, VALUES_64)
#define NAMES_4(a) a##1 + a##2 + a##3 + a##4

void twelve_axes(int n) {
    AUTOTUNE(SPACE(AXES_4(a), AXES_4(b), AXES_4(c), WHERE(a1 < n), WHERE(b1 < n), PRIORITY(c1), MODEL(c2)), 1,
             kernel(NAMES_4(a) + NAMES_4(b) + NAMES_4(c)), .key = KEY(n));
}

void twelve_axes_in_a_block(int n) {
    AUTOTUNE_BLOCK(SPACE(AXES_4(a), AXES_4(b), AXES_4(c), WHERE(a1 < n)), .key = KEY(n)) {
        kernel(NAMES_4(a) + NAMES_4(b) + NAMES_4(c));
    }
}

#define SHORT_AXES_4(a) AXIS(a##1, 1, 2), AXIS(a##2, 1, 2), AXIS(a##3, 1, 2), AXIS(a##4, 1, 2)

void sixteen_axes(int n, float *c) {
    AUTOTUNE(SPACE(SHORT_AXES_4(p), SHORT_AXES_4(q), SHORT_AXES_4(r), SHORT_AXES_4(s), WHERE(p1 < n), WHERE(q1 < n),
                   WHERE(r1 < n)),
             GRID(n, n, n), kernel(NAMES_4(p) + NAMES_4(q) + NAMES_4(r) + NAMES_4(s)),
             .key = KEY(n, 2, 3, 4, 5, 6, 7, 8),
             .zero = BUFFERS({c, 1}, {c, 2}, {c, 3}, {c, 4}, {c, 5}, {c, 6}, {c, 7}, {c, 8}));
}

#define ROW(x) (x, 0.5, "text", first, 1u, 1L, (x) + 1, 1.5f, "other", second, 2u, 2L)
#define ROWS_8(x) \
    ROW(x), ROW((x) + 1), ROW((x) + 2), ROW((x) + 3), ROW((x) + 4), ROW((x) + 5), ROW((x) + 6), ROW((x) + 7)

void sixty_four_rows(int n) {
    AUTOTUNE(SPACE(CONFIGS((a, b, c, d, e, f, g, h, i, j, k, l), ROWS_8(1), ROWS_8(9), ROWS_8(17), ROWS_8(25),
                           ROWS_8(33), ROWS_8(41), ROWS_8(49), ROWS_8(57))),
             1, kernel(a + (int64_t)b + c[0] + d(1) + (int64_t)e + f + g + (int64_t)h + i[0] + j(1) + (int64_t)k + l),
             .key = KEY(n));
}

#define CALLS_4(x) \
    kernel(x), kernel((x) + 1), CASE(kernel((x) + 2), PRIORITY(1), WHERE(n > x)), \
    CASE(kernel((x) + 3), MODEL(x), NAME("fourth"))

void twenty_four_calls(int n) {
    AUTOTUNE_SELECT((.key = KEY(n)), CALLS_4(1), CALLS_4(5), CALLS_4(9), CALLS_4(13), CALLS_4(17), CALLS_4(21));
}

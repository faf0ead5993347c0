/* A program that uses the names of items itself: as macros before the include, and as enumerators and a function after
   it. Statements use the full names of items that a macro of the program hides, and the short names of all other
   items. */
#define RANGE(from, to) ((to) - (from))
#define NAME "own names"
#define MODEL 3
#define WHERE(file) file
#include "autotune.h"

#define POW2(x) (1 << (x))
#define CONFIGS "own.cfg"
enum { PRIORITY = 1, AXIS_OF };
int AXIS(int number);
const char *own_names(int n, int64_t *sum);

int AXIS(int number) { return number + PRIORITY + AXIS_OF + MODEL; }

#define ONE_AXIS AXIS(a, 1, 2)
#define TWO_AXES AXIS(b, 1, 2), AUTOTUNE_RANGE(c, 1, 3, 1)

const char *own_names(int n, int64_t *sum) {
    AUTOTUNE(SPACE(ONE_AXIS, TWO_AXES, AUTOTUNE_WHERE(a <= b), PRIORITY(PRIORITY), AUTOTUNE_MODEL(MODEL * a)),
             GRID(n, 2), (void)(*sum += AXIS(a) + b + c + RANGE(1, 2) + POW2(2)), .key = KEY(n),
             .zero = BUFFERS({sum, sizeof *sum}));
    AUTOTUNE_BLOCK(SPACE(AUTOTUNE_POW2(a, 1, 4), AUTOTUNE_CONFIGS((b, c), (1, 2), (3, 4))), .key = KEY(n)) {
        *sum += a + b + c;
    }
    AUTOTUNE_SELECT((.key = KEY(n)), (void)AXIS(1),
                    CASE((void)AXIS(2), AUTOTUNE_WHERE(n > 2), PRIORITY(1, 2), AUTOTUNE_MODEL(n),
                         AUTOTUNE_NAME(NAME)));
    return WHERE(CONFIGS);
}

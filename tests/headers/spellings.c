/* Every spelling of a call site, as C and as C++. It must compile without a warning. When it runs, each statement must
   make its call with values that its space admits. */
#include "autotune.h"
#include "expect.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The values that a call leaves, for checks. */
static int64_t last;
static int calls;
static void note(int64_t value) { last = value; calls++; }
static bool called_with(int64_t low, int64_t high) {
    const bool yes = calls > 0 && last >= low && last <= high;
    calls = 0;
    return yes;
}

enum layout { ROWS, COLUMNS };
typedef int (*sort_function)(int *v, int n);
typedef const char *text;
static int radix_sort(int *v, int n) { (void)v; note(1000 + n); return n; }
static int merge_sort(int *v, int n) { (void)v; note(2000 + n); return n; }


/* ---- AUTOTUNE ---------------------------------------------------------------------------------------------------- */

static void matmul_blocked(int n, const float *a, const float *b, float *c, int tile, int unroll) {
    c[0] = a[0] * b[0] + (float)n;
    note(tile * 10 + unroll);
}
static void matmul(int n, const float *a, const float *b, float *c) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64, 128), AXIS(unroll, 1, 2, 4, 8), WHERE(unroll <= tile)),
             1,
             matmul_blocked(n, a, b, c, tile, unroll),
             .key = KEY(n), .restore = BUFFERS({c, sizeof(float) * (size_t)n * (size_t)n}));
}
static void statements(int n, double x) {
    float a[4] = {0}, b[4] = {0}, c[4] = {0};
    matmul(2, a, b, c);
    EXPECT(called_with(161, 1288));
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, note(n + tile));
    EXPECT(called_with(n + 1, n + 2));
    AUTOTUNE(SPACE(AXIS(tile, 1,   /* a comment, with a comma */
                              2),
                   WHERE(tile
                         > 0)),
             (n + tile
              - 1) / tile,
             note(n +
                  (int64_t)blocks.x * 0 +      // another one
                  (int64_t)x),
             .key =
                KEY(n,
                    x),
             .name = "several lines");
    EXPECT(called_with(n + (int64_t)x, n + (int64_t)x));
}

/* All places where a statement may stand. */
static void positions(int x, int n) {
    if (x) AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, note(tile), .key = KEY(n));
    else note(-1);
    if (x) AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .key = KEY(n)) { note(tile); }
    else note(-2);
    if (x) AUTOTUNE_SELECT((.key = KEY(n)), note(1), note(2)); else note(-3);
    if (!x) note(-4); else AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, note(tile));
    for (int i = 0; i < 2; i++) AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2))) note(tile + i);
    switch (x) {
        case 1: AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, note(tile)); break;
        default: AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2))) { note(tile); }
    }
    do AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, note(tile)); while (0);
    EXPECT(called_with(1, 2));
}


/* ---- axes and rules ---------------------------------------------------------------------------------------------- */

/* The type of an axis is the type of its first value, without qualifiers, and decayed. */
#ifdef __cplusplus
#define IS(name, type) static_assert(std::is_same<decltype(name), type>::value, #name " is no " #type)
#define ENUMERATOR enum layout
#else
#define IS(name, type) \
    do { __typeof__(name) *is = NULL; _Static_assert(_Generic(is, type *: 1, default: 0), #name " is no " #type); \
         (void)is; } while (0)
#define ENUMERATOR int
#endif
struct holder { const int constant; double array[2]; };
static void types(const int constant, const short narrow, enum layout layout, bool flag, const char *const string,
                  struct holder h, const double *doubles, const sort_function *functions, const char *const *strings,
                  int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1), AXIS(b, 1u), AXIS(c, 1L), AXIS(d, (size_t)n), AXIS(e, constant), AXIS(f, narrow),
                         AXIS(g, layout), AXIS(h0, flag))) {
        IS(a, int);
        IS(b, unsigned);
        IS(c, long);
        IS(d, size_t);
        IS(e, int);
        IS(f, short);
        IS(g, enum layout);
        IS(h0, bool);
    }
    AUTOTUNE_BLOCK(SPACE(AXIS(a, ROWS, COLUMNS), AXIS(b, 1.0), AXIS(c, 1.0f), AXIS(d, "a", "b,c"), AXIS(e, string),
                         AXIS(f, radix_sort, merge_sort), AXIS(g, &radix_sort))) {
        IS(a, ENUMERATOR);
        IS(b, double);
        IS(c, float);
        IS(d, text);
        IS(e, text);
        IS(f, sort_function);
        IS(g, sort_function);
    }
    AUTOTUNE_BLOCK(SPACE(AXIS_OF(a, doubles, 1), AXIS_OF(b, functions, 1), AXIS_OF(c, strings, 1), AXIS(d, h.constant),
                         AXIS(e, h.array[1]), RANGE(f, 1L, 2, 1), POW2(g, (size_t)1, 2), AXIS(h0, (bool)1))) {
        IS(a, double);
        IS(b, sort_function);
        IS(c, text);
        IS(d, int);
        IS(e, double);
        IS(f, long);
        IS(g, size_t);
        IS(h0, bool);
        a = 2; d = 3;       /* the axes are not const */
        (void)a; (void)d;
    }
    AUTOTUNE_BLOCK(SPACE(CONFIGS((a, b, c, d), (1, 0.5, "x", radix_sort), (2, 1.5, "y", merge_sort)))) {
        IS(a, int); IS(b, double); IS(c, text); IS(d, sort_function);
    }
}

static void axes(int n, const int *numbers, size_t count) {
    int v[1] = {0};
    static const sort_function sorts[] = { radix_sort, merge_sort };
    AUTOTUNE(SPACE(AXIS(sort, radix_sort, merge_sort)), 1, sort(v, n));
    EXPECT(called_with(1000 + n, 2000 + n));
    AUTOTUNE(SPACE(AXIS_OF(sort, sorts, sizeof sorts / sizeof sorts[0])), 1, sort(v, n));
    EXPECT(called_with(1000 + n, 2000 + n));
    AUTOTUNE(SPACE(AXIS(x, n, n + 1, n * 2)), 1, note(x));
    EXPECT(called_with(n, n * 2));
    AUTOTUNE(SPACE(AXIS(x, (char)1, (char)2), AXIS(y, (short)3), AXIS(z, (unsigned char)255)), 1, note(x + y + z));
    EXPECT(called_with(259, 260));
    AUTOTUNE(SPACE(RANGE(x, 1, 10, 3), WHERE(x > 4)), 1, note(x));
    EXPECT(called_with(7, 10));
    AUTOTUNE(SPACE(RANGE(x, 3, -3, -3)), 1, note(x));
    EXPECT(called_with(-3, 3));
    AUTOTUNE(SPACE(RANGE(x, (size_t)n, (size_t)n + 2, 1)), 1, note((int64_t)x));
    EXPECT(called_with(n, n + 2));
    AUTOTUNE(SPACE(POW2(x, 4, 32), POW2(y, 1u, (unsigned)n)), 1, note(x + (int64_t)y));
    EXPECT(called_with(5, 32 + n));
    AUTOTUNE(SPACE(AXIS_OF(x, numbers, count)), 1, note(x));
    EXPECT(called_with(numbers[0], numbers[count - 1]));
}

static void filters(int n) {
    AUTOTUNE(SPACE(AXIS(a, 0, 1, 2, 3, 4), WHERE(a != 0), WHERE(12 % a == 0 && a < n), WHERE(a & 1),
                   PRIORITY(a > 1 ? 1 : 0), MODEL(1.0 / a + n)),
             (n + a - 1) / a, note(a), .key = KEY(n), .top_k = 2);
    EXPECT(called_with(1, 3) && last != 2);
    AUTOTUNE(SPACE(WHERE(a > 1), PRIORITY(a, n), AXIS(a, 1, 2)), 1, note(a));       /* items may come in any order */
    EXPECT(called_with(2, 2));
}

static void configs(int n) {
    int v[1] = {0};
    AUTOTUNE(SPACE(CONFIGS((a, b), (16, 1), (32, 2), (64, 4))), 1, note(a / b));
    EXPECT(called_with(16, 16));
    AUTOTUNE(SPACE(CONFIGS((a), (1), (2))), 1, note(a));
    EXPECT(called_with(1, 2));
    AUTOTUNE(SPACE(AXIS(x, 100, 200),
                   CONFIGS((a, d, s, sort, u), (n, 0.5, "one", radix_sort, 1u), (n + 1, 1.5, "three", merge_sort, 2u)),
                   AXIS(y, 1000, 2000), WHERE(a < 100)),
             1, note(x + y + a + (int64_t)d + (int64_t)strlen(s) + (int64_t)u + sort(v, 0)), .key = KEY(n));
    EXPECT(called_with(1100 + n + 4, 2200 + n + 9));
}


/* ---- blocks, keys, options --------------------------------------------------------------------------------------- */

static autotune_grid grid;
static void keep(autotune_grid blocks) { grid = blocks; }
static bool grid_is(uint32_t x, uint32_t y, uint32_t z) { return grid.x == x && grid.y == y && grid.z == z; }
static void grids(int n, int64_t m, size_t s, unsigned u, autotune_grid own) {
    AUTOTUNE(SPACE(AXIS(t, 3)), 1, keep(blocks));
    EXPECT(grid_is(1, 1, 1));
    AUTOTUNE(SPACE(AXIS(t, 3)), GRID(n), keep(blocks));
    EXPECT(grid_is(10, 1, 1));
    AUTOTUNE(SPACE(AXIS(t, 3)), GRID(n, m), keep(blocks));
    EXPECT(grid_is(10, 20, 1));
    AUTOTUNE(SPACE(AXIS(t, 3)), GRID((n + t - 1) / t, m, s), keep(blocks));
    EXPECT(grid_is(4, 20, 30));
    AUTOTUNE(SPACE(AXIS(t, 3)), m, keep(blocks));
    EXPECT(grid_is(20, 1, 1));
    AUTOTUNE(SPACE(AXIS(t, 3)), s, keep(blocks));
    EXPECT(grid_is(30, 1, 1));
    AUTOTUNE(SPACE(AXIS(t, 3)), u, keep(blocks));
    EXPECT(grid_is(40, 1, 1));
    AUTOTUNE(SPACE(AXIS(t, 3)), own, keep(blocks));
    EXPECT(grid_is(6, 7, 8));
    AUTOTUNE(SPACE(AXIS(t, 3)), t > 2 ? GRID(5) : GRID(1, 2), keep(blocks));
    EXPECT(grid_is(5, 1, 1));
}

static void keys(int i, unsigned u, long l, size_t z, bool b, enum layout e, double d, float f, const char *s,
                 char *m) {
    for (int round = 0; round < 2; round++) {
        AUTOTUNE(SPACE(AXIS(t, 1)), 1, note(t), .key = KEY(i));
        AUTOTUNE(SPACE(AXIS(t, 1)), 1, note(t), .key = KEY(l, z, b));
        AUTOTUNE(SPACE(AXIS(t, 1)), 1, note(t), .key = KEY(e, d, f, s));
        AUTOTUNE(SPACE(AXIS(t, 1)), 1, note(t), .key = KEY(m, "literal", 'c', (short)1, (unsigned char)2));
        AUTOTUNE(SPACE(AXIS(t, 1)), 1, note(t), .key = KEY(i, u, l, z, b, e, d, s));
        AUTOTUNE(SPACE(AXIS(t, 1)), 1, note(t), .key = KEY(ANCHOR(i), ANCHOR(u, 4, 16, 64)));
    }
    EXPECT(called_with(1, 1));
    const autotune_key key = KEY(i, "x", 2.5);
    EXPECT(key.count == 3);
}

struct problem { int n; };
static void setup(void *user, const autotune_config *config) { ((struct problem *)user)->n += config->count > 0; }
static bool verify(void *user, const autotune_config *config) { return config && ((struct problem *)user)->n >= 0; }
static void options(int n, float *c, int *v) {
    struct problem problem = { 5 };
    double z[2] = { 1, 2 };
    autotune_result result;
    autotune_backend cpu = autotune_cpu();
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, note(t), .key = KEY(n), .name = "every option", .mode = AUTOTUNE_ON,
             .preset = AUTOTUNE_FAST, .max_seconds = 0.01, .max_trials = 100, .top_k = 3, .seed = 7,
             .strategy = AUTOTUNE_RANDOM, .stop_at_ns = 2.5,
             .restore = BUFFERS({c, sizeof(float) * 4}, {v, 8, AUTOTUNE_I32, 0}), .zero = BUFFERS({z, sizeof z}),
             .outputs = BUFFERS({c, 4, AUTOTUNE_F32, 1e-4}), .setup = setup, .verify = verify, .user = &problem,
             .cache_state = AUTOTUNE_HOT, .backend = &cpu, .version = "1", .result = &result);
    EXPECT(called_with(1, 2) && result.status == AUTOTUNE_OK);
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, note(t), .result = &result, .key = KEY(n, "any order"), .backend = NULL);
    EXPECT(called_with(1, 2));
}


/* ---- calls ------------------------------------------------------------------------------------------------------- */

static int int_call(int a) { note(a); return a; }
static double double_call(int a) { note(a); return a; }
static unsigned unsigned_call(int a) { note(a); return 7u; }
static enum layout enum_call(int a) { note(a); return COLUMNS; }
static autotune_status status_call(int a) { note(a); return AUTOTUNE_OK; }
static const char *string_call(int a) { note(a); return "x"; }
static int yes(void) { return 1; }
static void call_types(int n) {
    int sum = 0;
    autotune_status status = AUTOTUNE_OK;
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, int_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, double_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, unsigned_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, enum_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, string_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, status_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, (void)t);
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, sum += t);
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, status = status_call(t));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, (autotune_status)(yes() ? status_call(t) : AUTOTUNE_FAILED));
    EXPECT(called_with(1, 2) && sum > 0 && status == AUTOTUNE_OK);
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), autotune_trial ? 1 : 2, note(autotune_trial ? -1 : t + n));
    EXPECT(called_with(n + 1, n + 2));
    AUTOTUNE(SPACE(AXIS(t, 1, 2)), 1, t == n ? AUTOTUNE_REJECT("%d is too many", t) : status_call(t));
    EXPECT(called_with(1, 2));
}

static void selects(int n, const char *s) {
    AUTOTUNE_SELECT((.key = KEY(n)), int_call(n), note(2), double_call((n)), (void)(note(3), strcmp(s, "a, b)")),
                    status_call(n + 5));
    EXPECT(called_with(2, n + 5));
    AUTOTUNE_SELECT((), note(1));
    EXPECT(called_with(1, 1));
    AUTOTUNE_SELECT((.key = KEY(1), .name = "any name", .max_trials = 3), note(1), CASE(note(2)));
    EXPECT(called_with(1, 2));
    AUTOTUNE_SELECT((.key = KEY(n)),
                    CASE(note(1), WHERE(n < 0)),
                    CASE(note(2), PRIORITY(2), WHERE(n > 0), MODEL(0.5 * n), NAME("two, the second")),
                    CASE(note(3), PRIORITY(2, n)),
                    note(4));
    EXPECT(called_with(2, 4));
}


/* ---- AUTOTUNE_BLOCK ---------------------------------------------------------------------------------------------- */

static int body(int n) {
    int outside = 0;
    if (n > 0)
        AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2, 4), AXIS(unroll, 1, 2), WHERE(unroll <= tile)), .key = KEY(n),
                       .name = "a block") {
            int a = 1, b[2] = {2, 3}, c;
            for (int i = 0, j = n; i < j; i++, j--) {
                if (i == 1) continue;
                if (i == 3) break;
                for (;;) {
                    c = i;
                    break;
                }
                switch (c) {
                case 0: note(a + b[0]); break;
                default: note(b[1]);
                }
                while (c-- > 0) {
                    if (c == 100) return -1;
                }
            }
            outside = tile;
        }
    else return -1;
    return outside;
}
static void skips(int n) { AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2, 3)), .key = KEY(n)) { if (t == 9) continue; note(t); } }
static void rejects(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2, 3)), .key = KEY(n)) {
        if (t == 9) {
            AUTOTUNE_REJECT("t is %d", t);
            continue;
        }
        note(t);
    }
}
static int leaves_by_return(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2)), .key = KEY(n)) {
        if (t + n == 99) return t;
        note(t);
    }
    return 0;
}
static int leaves_by_break(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2)), .key = KEY(n)) {
        if (t + n == 99) break;
        note(t);
    }
    return 0;
}
static int leaves_by_goto(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2)), .key = KEY(n)) { if (t + n == 99) goto out; note(t); }
    return 0;
out:
    return 1;
}
static void nests(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(outer, 1, 2)), .key = KEY(n)) {
        AUTOTUNE_BLOCK(SPACE(AXIS(inner, 10, 20)), .key = KEY(n, outer)) { note(outer + inner); }
        AUTOTUNE(SPACE(AXIS(other, 100, 200)), 1, note(outer + other), .key = KEY(n, outer));
        AUTOTUNE_SELECT((.key = KEY(n, outer)), note(outer), note(outer + 1));
    }
}
static void without_braces(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2)))
        for (int i = 0; i < n; i++)
            if (i & 1) note(t);
            else note(-t);
}
static void empty(void) { AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2))) {} AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2))); }
static int recursive(int n) {
    int r = 0;
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2)), .key = KEY(n)) { r = n > 0 ? recursive(n - 1) + 1 : 0; }
    return r;
}
static void tells_trials(int n) {
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2)), .key = KEY(n)) { note(autotune_trial ? -1 : t); }
    EXPECT(called_with(1, 2));
    AUTOTUNE_SELECT((.key = KEY(n)), note(autotune_trial ? -1 : 1), note(autotune_trial ? -1 : 2));
    EXPECT(called_with(1, 2));
}
static void blocks_of_code(int n) {
    const int tile = body(n);
    EXPECT(tile == 1 || tile == 2 || tile == 4);
    EXPECT(body(0) == -1);
    skips(n);
    rejects(n);
    EXPECT(leaves_by_return(n) + leaves_by_break(n) + leaves_by_goto(n) == 0);
    EXPECT(called_with(1, 3));
    nests(n);
    EXPECT(called_with(1, 3));
    without_braces(n);
    EXPECT(called_with(-2, 2));
    empty();
    tells_trials(n);
    EXPECT(recursive(2) == 2);
}


/* ---- names ------------------------------------------------------------------------------------------------------- */

/* The variables that a statement introduces may hide variables of the caller, without a warning under -Wshadow. After
   the statement the names are the caller's again. */
static int shadowed(int tile, int blocks, int i, int run, int autotune_trial) {
    AUTOTUNE(SPACE(AXIS(unroll, 1, 2)), 1, note(unroll + tile + i + run + (int64_t)blocks.y), .key = KEY(tile, i, run));
    AUTOTUNE_BLOCK(SPACE(AXIS(unroll, 1, 2)), .key = KEY(tile, i)) { note(unroll + i + run); }
    AUTOTUNE_SELECT((.key = KEY(tile, i)), note(i), note(run));
    /* this axis hides a variable, but no later item reads the variable */
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, note(tile));
    return tile + blocks + i + run + autotune_trial;
}

/* The short names are function-like macros. So a variable may have the same name as one of them. */
static void short_names(void) {
    enum {
        AXIS = 1,
        KEY,
        SPACE,
        WHERE,
        MODEL,
        RANGE,
        POW2,
        CONFIGS,
        GRID,
        BUFFERS,
        ANCHOR,
        PRIORITY,
        CASE,
        NAME,
        AXIS_OF
    };
    AUTOTUNE(SPACE(AXIS(a, AXIS, KEY)), 1, note(a), .key = KEY(KEY));
    EXPECT(called_with(AXIS, KEY));
}

/* Each part of a statement may come from a macro of the program. */
#define MY_AXES AXIS(a, 1, 2), AXIS(b, 3, 4)
#define MY_SPACE SPACE(MY_AXES, WHERE(a < b))
#define MY_CALL note(a + b)
#define MY_OPTIONS .key = KEY(n), .name = "my macros"
#define MY_BUFFERS(p, n) BUFFERS({p, n}, {(p) + 1, n, AUTOTUNE_F32, 1e-4})
#define MY_TUNE(space, call) AUTOTUNE(space, 1, call)
static void own_macros(int n, float *c) {
    AUTOTUNE(SPACE(MY_AXES), 1, note(a + b));
    AUTOTUNE(MY_SPACE, 1, MY_CALL, MY_OPTIONS);
    MY_TUNE(MY_SPACE, MY_CALL);
    AUTOTUNE_BLOCK(MY_SPACE, MY_OPTIONS) { note(a); MY_CALL; }
    AUTOTUNE(SPACE(MY_AXES), 1, note(a + b), .restore = MY_BUFFERS(c, 4));
    EXPECT(called_with(4, 6));
}

static void unused_names(int n) {
    AUTOTUNE(SPACE(AXIS(t, 1, 2), AXIS(read_by_where, 1, 2), WHERE(read_by_where == 1)), 1, note(n));
    AUTOTUNE_BLOCK(SPACE(AXIS(t, 1, 2))) { note(n); }
    EXPECT(called_with(n, n));
}

/* ---- Created tuners, and what is known --------------------------------------------------------------------------- */

static bool even_tiles(void *user, const autotune_config *partial) {
    return (void)user, autotune_get_int(partial, "tile") % 2 == 0;
}
static double cost(void *user, const autotune_config *config) { return (void)user, (double)autotune_get_index(config); }
static int group(void *user, const autotune_config *config) { return (void)user, (void)config, 1; }
static autotune_status note_tile(void *user, const autotune_config *config) {
    note(*(const int64_t *)user + autotune_get_int(config, "tile"));
    return AUTOTUNE_OK;
}
static void count_known(void *user, const autotune_known *known) { *(size_t *)user += known->measurement_count > 0; }
static void created(int n) {
    static const int64_t tiles[] = { 1, 2, 3, 4 };
    static autotune_axis axis;              /* static: zeroed in both languages */
    static autotune_desc desc;
    static autotune_options options;
    int64_t base = 100;
    size_t known = 0;
    autotune_config winner;
    autotune_tuner *tuner;
    axis.name = "tile";
    axis.values = tiles;
    axis.count = 4;
    axis.where = even_tiles;
    desc.name = "created";
    desc.axes = &axis;
    desc.axis_count = 1;
    desc.where = even_tiles;
    desc.model = cost;
    desc.priority = group;
    desc.launch = note_tile;
    desc.user = &base;
    options.key = KEY(n);
    tuner = autotune_create(&desc);
    EXPECT(tuner != NULL && autotune_call(tuner, &options) == AUTOTUNE_OK);
    EXPECT(called_with(102, 104));
    options.key = KEY(n + 1);
    EXPECT(autotune_add(tuner, &options) == AUTOTUNE_OK && autotune_tune_all() == AUTOTUNE_OK);
    EXPECT(autotune_tune(tuner, &options) == AUTOTUNE_OK);
    EXPECT(autotune_lookup("created", KEY(n + 1), &winner) == AUTOTUNE_OK &&
           autotune_get_int(&winner, "tile") % 2 == 0);
    autotune_each(count_known, &known);
    EXPECT(known >= 2);
    autotune_destroy(tuner);
}

int main(void) {
    const int numbers[3] = { 5, 7, 9 };
    float c[4] = {0};
    int v[4] = {0};
    const autotune_grid own = { 6, 7, 8 };
    char writable[] = "writable";
    const struct holder holder = { 1, { 2, 3 } };
    const double number = 4;
    const sort_function sort = radix_sort;
    const char *const string = "string";

    statements(5, 2.0);
    positions(1, 3);
    types(1, 2, ROWS, true, "s", holder, &number, &sort, &string, 7);
    axes(4, numbers, 3);
    filters(4);
    configs(8);
    grids(10, 20, 30, 40, own);
    keys(-1, 2, -3, 4, true, COLUMNS, 0.5, 1.5f, "text", writable);
    options(3, c, v);
    call_types(7);
    selects(7, "x");
    blocks_of_code(4);
    EXPECT(shadowed(1, 2, 3, 4, 5) == 15);
    short_names();
    own_macros(3, c);
    unused_names(6);
    created(7);
    return failures != 0;
}

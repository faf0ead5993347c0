/* suite_space.c - spaces: the descriptions at call sites, the configurations that they make, and the numbers, names and
   values of configurations. */
#include "virtual_clock.h"
#include "expect.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

static void keep_log(void) { autotune_set_log(keep_line, NULL); }
TestSuite(space, .init = keep_log);
TestSuite(large_spaces, .init = keep_log);

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

/* The kernel writes down the configurations in the order of their first trials, and the configuration of the call for
   real. One configuration is fast, so it wins. All others are so slow that the screen excludes them. */
enum { MILLISECOND = 1000000 };
static const char *favourite = ""; /* the text of the fast configuration */
static char visited[4096], for_real[256];
static int runs_for_real;
static autotune_result result;

static __attribute__((__format__(__printf__, 2, 3))) void run(bool trial, const char *format, ...) {
    char text[256], known[260];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    virtual_ns += !strcmp(text, favourite) ? MILLISECOND : 100 * MILLISECOND;
    if (!trial) {
        runs_for_real++;
        strcpy(for_real, text);
        return;
    }
    snprintf(known, sizeof known, " %s ", text);
    if (strstr(visited, known)) return;
    if (!*visited) strcpy(visited, " ");
    cr_assert(strlen(visited) + strlen(text) + 2 < sizeof visited);
    strcat(strcat(visited, text), " ");
}

/* Trials are in the order of the space, so `visited` has the admitted configurations by their index. */
#define OPTIONS .strategy = AUTOTUNE_EXHAUSTIVE, .backend = virtual_backend(), .result = &result

/* Executes a statement once. It must try all these configurations, and launch `winner`, which has this index, for
   real. */
#define EXPECT_SPACE(winner, winner_index, size, expected, ...)       \
    do {                                                              \
        favourite = (winner);                                         \
        *visited = *for_real = 0;                                     \
        runs_for_real = 0;                                            \
        __VA_ARGS__;                                                  \
        EXPECT_INT(result.status, AUTOTUNE_OK);                       \
        EXPECT_STRING(visited, " " expected " ");                     \
        EXPECT_STRING(for_real, winner);                              \
        EXPECT_INT(runs_for_real, 1);                                 \
        EXPECT_INT(result.index, winner_index);                       \
        EXPECT_INT(result.config.index, winner_index);                \
        EXPECT_INT(autotune_get_index(&result.config), winner_index); \
        EXPECT_INT(result.space_size, size);                          \
    } while (0)

/* ---- The product ------------------------------------------------------------------------------------------------- */

Test(space, the_last_axis_is_the_fastest) {
    EXPECT_SPACE("2/20/y", 7, 12, "1/10/x 1/10/y 1/20/x 1/20/y 2/10/x 2/10/y 2/20/x 2/20/y 3/10/x 3/10/y 3/20/x 3/20/y",
                 AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), AXIS(b, 10, 20), AXIS(c, "x", "y")), 1,
                          run(autotune_trial, "%d/%d/%s", a, b, c), OPTIONS));
}
Test(space, one_configuration_is_launched_without_a_trial) {
    AUTOTUNE(SPACE(AXIS(a, 5)), 1, run(autotune_trial, "%d", a), OPTIONS);
    EXPECT_STRING(visited, "");
    EXPECT_STRING(for_real, "5");
    EXPECT_INT(result.verdict, AUTOTUNE_SINGLE);
    EXPECT_INT(result.space_size, 1);
    EXPECT_INT(result.launches, 1);
}
Test(space, sixteen_axes) {
    EXPECT_SPACE("2-2", 65535, 2, "1-1 2-2",
                 AUTOTUNE(SPACE(AXIS(a, 1, 2), AXIS(b, 1, 2), AXIS(c, 1, 2), AXIS(d, 1, 2), AXIS(e, 1, 2),
                                AXIS(f, 1, 2), AXIS(g, 1, 2), AXIS(h, 1, 2), AXIS(i, 1, 2), AXIS(j, 1, 2),
                                AXIS(k, 1, 2), AXIS(l, 1, 2), AXIS(m, 1, 2), AXIS(n, 1, 2), AXIS(o, 1, 2),
                                AXIS(p, 1, 2),
                                WHERE(a == b && b == c && c == d && d == e && e == f && f == g && g == h && h == i &&
                                      i == j && j == k && k == l && l == m && m == n && n == o && o == p)),
                          1, run(autotune_trial, "%d-%d", a, p), OPTIONS));
}

/* ---- WHERE ------------------------------------------------------------------------------------------------------- */

Test(space, where_may_stand_anywhere_and_all_must_hold) {
    EXPECT_SPACE("3/4", 11, 3, "1/2 1/4 3/4",
                 AUTOTUNE(SPACE(WHERE(b > a), AXIS(a, 1, 2, 3), WHERE(a != 2), AXIS(b, 1, 2, 3, 4), WHERE(b != 3)), 1,
                          run(autotune_trial, "%d/%d", a, b), OPTIONS));
}
Test(space, where_reads_what_is_in_scope) {
    const int most = 2;
    EXPECT_SPACE("2", 1, 2, "1 2",
                 AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), WHERE(a <= most)), 1, run(autotune_trial, "%d", a), OPTIONS));
}
Test(space, where_takes_pointers_and_commas) {
    const char *layout = "rows";
    EXPECT_SPACE("3", 2, 2, "2 3",
                 AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), WHERE(strchr(layout, 'o')), WHERE((void)layout, a > 1)), 1,
                          run(autotune_trial, "%d", a), OPTIONS));
}
Test(space, where_that_leaves_nothing) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), AXIS(b, 1, 2, 3), WHERE(a > 2)), 1, run(autotune_trial, "%d/%d", a, b), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_ERR_SPACE);
    EXPECT_CONTAINS(autotune_last_error(), "none of 6 configurations");
    EXPECT_CONTAINS(logged, "the call was not made");
    EXPECT_INT(runs_for_real, 0);
    EXPECT_STRING(visited, "");
}

/* ---- What makes values ------------------------------------------------------------------------------------------- */

Test(space, range_up_down_and_short_of_its_last) {
    EXPECT_SPACE("5", 1, 3, "1 5 9", AUTOTUNE(SPACE(RANGE(a, 1, 10, 4)), 1, run(autotune_trial, "%d", a), OPTIONS));
    EXPECT_SPACE("9", 2, 3, "1 5 9",
                 AUTOTUNE(SPACE(RANGE(a, 1, 9, 4)), 1, run(autotune_trial, "%d", a), OPTIONS, .key = KEY(1)));
    EXPECT_SPACE("2", 2, 3, "10 6 2", AUTOTUNE(SPACE(RANGE(a, 10, 1, -4)), 1, run(autotune_trial, "%d", a), OPTIONS));
    EXPECT_SPACE("-2", 0, 3, "-2 0 2", AUTOTUNE(SPACE(RANGE(a, -2, 2, 2)), 1, run(autotune_trial, "%d", a), OPTIONS));
}
Test(space, range_at_the_ends_of_its_type) {
    EXPECT_SPACE("2147483647", 1, 2, "2147483646 2147483647",
                 AUTOTUNE(SPACE(RANGE(a, INT_MAX - 1, INT_MAX, 1)), 1, run(autotune_trial, "%d", a), OPTIONS));
    EXPECT_SPACE("-1", 1, 3, "-9223372036854775808 -1 9223372036854775806",
                 AUTOTUNE(SPACE(RANGE(a, LLONG_MIN, LLONG_MAX, LLONG_MAX)), 1, run(autotune_trial, "%lld", a),
                          OPTIONS));
    EXPECT_SPACE("18446744073709551615", 1, 2, "18446744073709551614 18446744073709551615",
                 AUTOTUNE(SPACE(RANGE(a, ULLONG_MAX - 1, ULLONG_MAX, 1)), 1, run(autotune_trial, "%llu", a), OPTIONS));
    EXPECT_SPACE("255", 1, 2, "250 255", /* 256 is not in the range */
                 AUTOTUNE(SPACE(RANGE(a, (unsigned char)250, 256, 5)), 1, run(autotune_trial, "%d", a), OPTIONS));
}
Test(space, pow2) {
    EXPECT_SPACE("4", 2, 5, "1 2 4 8 16", AUTOTUNE(SPACE(POW2(a, 1, 16)), 1, run(autotune_trial, "%d", a), OPTIONS));
    EXPECT_SPACE("12", 2, 3, "3 6 12", AUTOTUNE(SPACE(POW2(a, 3, 23)), 1, run(autotune_trial, "%d", a), OPTIONS));
    EXPECT_SPACE("4611686018427387904", 1, 2, "2305843009213693952 4611686018427387904",
                 AUTOTUNE(SPACE(POW2(a, 1LL << 61, LLONG_MAX)), 1, run(autotune_trial, "%lld", a), OPTIONS));
}
Test(space, run_time_values) {
    int smallest = 3;
    const size_t count = 2;
    const short array[] = {7, 9, 11};
    EXPECT_SPACE("6/7/5", 5, 8, "3/7/3 3/7/5 3/9/3 3/9/5 6/7/3 6/7/5 6/9/3 6/9/5",
                 AUTOTUNE(SPACE(AXIS(a, smallest, 2 * smallest), AXIS_OF(b, array, count),
                                RANGE(c, smallest, smallest + 2, (int)count)),
                          1, run(autotune_trial, "%d/%d/%d", a, b, c), OPTIONS));
}
Test(space, configs_beside_axes) {
    EXPECT_SPACE("2/20/y/7", 6, 8, "1/10/x/7 1/10/x/8 1/20/y/7 1/20/y/8 2/10/x/7 2/10/x/8 2/20/y/7 2/20/y/8",
                 AUTOTUNE(SPACE(AXIS(a, 1, 2), CONFIGS((b, c), (10, "x"), (20, "y")), AXIS(d, 7, 8)), 1,
                          run(autotune_trial, "%d/%d/%s/%d", a, b, c, d), OPTIONS));
    EXPECT_SPACE("16/1/2", 5, 3, "16/1/1 16/1/3 16/1/2",
                 AUTOTUNE(SPACE(CONFIGS((tile, unroll), (32, 2), (16, 1)), WHERE(tile == 16),
                                CONFIGS((depth), (1), (3), (2))),
                          1, run(autotune_trial, "%d/%d/%d", tile, unroll, depth), OPTIONS));
}

/* A list may come from a macro of the program. */
#define TILES 16, 32
#define FIXED (8, 1), (4, 2)
#define ITEMS AXIS(tile, TILES), WHERE(tile > 0)
Test(space, lists_from_macros) {
    EXPECT_SPACE("32", 1, 2, "16 32", AUTOTUNE(SPACE(AXIS(tile, TILES)), 1, run(autotune_trial, "%d", tile), OPTIONS));
    EXPECT_SPACE("4/2", 1, 2, "8/1 4/2",
                 AUTOTUNE(SPACE(CONFIGS((a, b), FIXED)), 1, run(autotune_trial, "%d/%d", a, b), OPTIONS));
    EXPECT_SPACE("32", 1, 2, "16 32",
                 AUTOTUNE(SPACE(ITEMS), 1, run(autotune_trial, "%d", tile), OPTIONS, .key = KEY(1)));
}

/* If two configurations are equal and the fastest, the first of them wins. */
Test(space, what_is_there_twice_is_tried_twice) {
    EXPECT_SPACE("2", 1, 5, "1 2 3", AUTOTUNE(SPACE(AXIS(a, 1, 2, 1, 3, 2)), 1, run(autotune_trial, "%d", a), OPTIONS));
    EXPECT_INT(result.verdict, AUTOTUNE_TIE);
    EXPECT_INT(result.tried, 5);
    EXPECT_SPACE("1/y", 1, 3, "1/x 1/y",
                 AUTOTUNE(SPACE(CONFIGS((a, b), (1, "x"), (1, "y"), (1, "y"))), 1,
                          run(autotune_trial, "%d/%s", a, b), OPTIONS));
}

/* ---- Types: of the names, by the first value --------------------------------------------------------------------- */

/* The type of the name is exactly this type: not const and not promoted. The test also checks the second value in the
   result, also on a hit. */
#define IS(type, name) _Generic(&(name), type * : true, default : false)
static bool right_type;
static long long given;
static double given_double;
static char given_string[64];
static void keep_string(const char *text) { strcpy(given_string, text ? text : "(NULL)"); }
static void launch(bool trial, bool right, bool favoured) {
    virtual_ns += favoured ? MILLISECOND : 100 * MILLISECOND;
    if (!trial) right_type = right;
}
#define LAUNCH(type, second) (launch(autotune_trial, IS(type, x), x == (second)), (void)(given = (long long)x))
#define EXPECT_TYPE(type, format_type, second, ...)                         \
    do {                                                                    \
        for (int call = 0; call < 2; call++) {                              \
            right_type = false;                                             \
            AUTOTUNE(SPACE(__VA_ARGS__), 1, LAUNCH(type, second), OPTIONS); \
            cr_expect(right_type, "%s makes no %s", #__VA_ARGS__, #type);   \
            EXPECT_INT(given, second);                                      \
            EXPECT_INT(autotune_get_int(&result.config, "x"), second);      \
            EXPECT_INT(result.config.types[0], format_type);                \
            EXPECT_INT(result.cache_hit, call);                             \
        }                                                                   \
    } while (0)

enum layout { ROWS = 3, COLUMNS = 7, small_letters = 9 };
Test(space, integer_types) {
    const short constant = 5;
    const enum layout rows = ROWS;
    const signed char array[] = {-1, -2};
    EXPECT_TYPE(int, AUTOTUNE_I32, 2, AXIS(x, 1, 2));
    EXPECT_TYPE(int, AUTOTUNE_I32, COLUMNS, AXIS(x, ROWS, COLUMNS)); /* in C the type of an enumerator is int */
    EXPECT_TYPE(enum layout, AUTOTUNE_U32, COLUMNS, AXIS(x, rows, COLUMNS));
    EXPECT_TYPE(bool, AUTOTUNE_BOOL, true, AXIS(x, (bool)false, (bool)true));
    EXPECT_TYPE(char, (char)-1 < 0 ? AUTOTUNE_I8 : AUTOTUNE_U8, 'b', AXIS(x, (char)'a', 'b'));
    EXPECT_TYPE(signed char, AUTOTUNE_I8, -100, AXIS(x, (signed char)1, -100));
    EXPECT_TYPE(short, AUTOTUNE_I16, -30000, AXIS(x, constant, -30000));
    EXPECT_TYPE(long, sizeof(long) == 8 ? AUTOTUNE_I64 : AUTOTUNE_I32, -2, AXIS(x, 1L, -2L));
    EXPECT_TYPE(long long, AUTOTUNE_I64, LLONG_MIN, AXIS(x, 1LL, LLONG_MIN));
    EXPECT_TYPE(unsigned char, AUTOTUNE_U8, 200, AXIS(x, (unsigned char)1, 200));
    EXPECT_TYPE(unsigned short, AUTOTUNE_U16, 60000, AXIS(x, (unsigned short)1, 60000));
    EXPECT_TYPE(unsigned, AUTOTUNE_U32, 4000000000u, AXIS(x, 1u, 4000000000u));
    EXPECT_TYPE(unsigned long, sizeof(long) == 8 ? AUTOTUNE_U64 : AUTOTUNE_U32, ULONG_MAX, AXIS(x, 1UL, ULONG_MAX));
    EXPECT_TYPE(unsigned long long, AUTOTUNE_U64, ULLONG_MAX, AXIS(x, 1ULL, ULLONG_MAX));
    EXPECT_TYPE(signed char, AUTOTUNE_I8, -2, AXIS_OF(x, array, 2));
    EXPECT_TYPE(short, AUTOTUNE_I16, 9, RANGE(x, constant, 9, 4));
    EXPECT_TYPE(unsigned, AUTOTUNE_U32, 2, POW2(x, 1u, 2));
    EXPECT_TYPE(long long, AUTOTUNE_I64, 2, CONFIGS((x), (1LL), (2)));
}
Test(space, floating_point_types) {
    for (int call = 0; call < 2; call++) {
        AUTOTUNE(SPACE(AXIS(x, 0.5f, 0.25f)), 1,
                 (launch(autotune_trial, IS(float, x), x < 0.3f), (void)(given_double = (double)x)), OPTIONS);
        cr_expect(right_type);
        cr_expect(given_double == 0.25);
        cr_expect(autotune_get_double(&result.config, "x") == 0.25);
        EXPECT_INT(result.config.types[0], AUTOTUNE_F32);
    }
    const double values[] = {1e300, 0.1};
    for (int call = 0; call < 2; call++) {
        AUTOTUNE(SPACE(AXIS_OF(x, values, 2)), 1,
                 (launch(autotune_trial, IS(double, x), x < 1), (void)(given_double = x)), OPTIONS);
        cr_expect(right_type);
        cr_expect(given_double == values[1]);
        cr_expect(autotune_get_double(&result.config, "x") == values[1]);
        EXPECT_INT(result.config.types[0], AUTOTUNE_F64);
    }
}
Test(space, strings_are_const_char_pointers) {
    char array[] = "array";
    char *pointer = array;
    for (int call = 0; call < 2; call++) {
        AUTOTUNE(SPACE(AXIS(x, array, "literal", pointer)), 1,
                 (launch(autotune_trial, IS(const char *, x), *x == 'l'), keep_string(x)), OPTIONS);
        cr_expect(right_type);
        EXPECT_STRING(given_string, "literal");
        EXPECT_STRING(autotune_get_string(&result.config, "x"), "literal");
        EXPECT_INT(result.space_size, 3);
    }
    for (int call = 0; call < 2; call++) {
        AUTOTUNE(SPACE(AXIS(x, pointer, (const char *)NULL)), 1,
                 (launch(autotune_trial, IS(const char *, x), !x), keep_string(x)), OPTIONS);
        cr_expect(right_type);
        EXPECT_STRING(given_string, "(NULL)");
        cr_expect_null(autotune_get_string(&result.config, "x"));
        EXPECT_STRING(autotune_get_label(&result.config, "x"), "NULL");
    }
}
Test(space, a_string_that_the_body_keeps_outlives_the_statement) {
    static const autotune_mode modes[] = {AUTOTUNE_ON, AUTOTUNE_OFF, AUTOTUNE_ON, AUTOTUNE_CACHED};
    for (int i = 0; i < 4; i++) {
        const char *kept = NULL;
        for (int call = 0; call < 2; call++) {
            AUTOTUNE(SPACE(AXIS(x, "first", "second")), 1, (launch(autotune_trial, true, *x == 'f'), (void)(kept = x)),
                     .backend = virtual_backend(), .mode = modes[i], .key = KEY(i), .result = i < 2 ? &result : NULL);
            EXPECT_STRING(kept, "first");
        }
    }
}
Test(space, strings_of_any_content) {
    const char *const odd[] = {"plain", "a\1b\2c\3d", ""};
    for (size_t wanted = 0; wanted < 3; wanted++)
        for (int call = 0; call < 2; call++) {
            AUTOTUNE(SPACE(AXIS_OF(x, odd, 3), AXIS(y, "\2", "z")), 1,
                     (launch(autotune_trial, true, !strcmp(x, odd[wanted]) && *y == 2), keep_string(x)), OPTIONS,
                     .key = KEY(wanted));
            EXPECT_STRING(given_string, odd[wanted]);
            EXPECT_STRING(autotune_get_string(&result.config, "x"), odd[wanted]);
            EXPECT_STRING(autotune_get_string(&result.config, "y"), "\2");
        }
}

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
typedef int operation(int a, int b);
static void *as_pointer(operation *function) {
    void *pointer;
    memcpy(&pointer, &function, sizeof pointer);
    return pointer;
}
Test(space, functions) {
    operation *const table[] = {add, multiply};
    for (int call = 0; call < 2; call++) {
        AUTOTUNE(SPACE(AXIS(x, add, multiply)), 1,
                 (launch(autotune_trial, IS(operation *, x), x == multiply), (void)(given = x(4, 5))), OPTIONS);
        cr_expect(right_type);
        EXPECT_INT(given, 20);
        cr_expect_eq(autotune_get_pointer(&result.config, "x"), as_pointer(multiply));
        EXPECT_INT(result.config.types[0], AUTOTUNE_POINTER);
        EXPECT_STRING(autotune_get_label(&result.config, "x"), "multiply");
    }
    AUTOTUNE(SPACE(AXIS_OF(x, table, 2)), 1,
             (launch(autotune_trial, IS(operation *, x), x == multiply), (void)(given = x(4, 6))), OPTIONS);
    cr_expect(right_type);
    EXPECT_INT(given, 24);
    EXPECT_STRING(autotune_get_label(&result.config, "x"), "x[1]");
}

/* ---- Labels: what logs and results call a value ------------------------------------------------------------------ */

#define EXPECT_LABEL(label, value, ...)                                                       \
    do {                                                                                      \
        AUTOTUNE(SPACE(__VA_ARGS__), 1, launch(autotune_trial, true, x == (value)), OPTIONS); \
        EXPECT_STRING(autotune_get_label(&result.config, "x"), label);                        \
    } while (0)
#define NUMBER 40
Test(space, labels_of_values) {
    const int values[] = {7, 8};
    EXPECT_LABEL("32", 32, AXIS(x, 16, 32));
    EXPECT_LABEL("-3", -3, RANGE(x, 3, -3, -6));
    EXPECT_LABEL("8", 8, AXIS_OF(x, values, 2));
    EXPECT_LABEL("COLUMNS", COLUMNS, AXIS(x, ROWS, COLUMNS));
    EXPECT_LABEL("9", small_letters, AXIS(x, ROWS, small_letters)); /* a name is a constant only if it is in capitals */
    EXPECT_LABEL("40", NUMBER, AXIS(x, 1, NUMBER));                 /* the label of a macro is its number */
    EXPECT_LABEL("98", 'b', AXIS(x, 'a', 'b'));
    EXPECT_LABEL("1", true, AXIS(x, (bool)false, (bool)true));
    EXPECT_LABEL("0.25", 0.25, AXIS(x, 0.5, 0.25));
    EXPECT_LABEL("18446744073709551615", ULLONG_MAX, AXIS(x, 1ULL, ULLONG_MAX));
    EXPECT_LABEL("multiply", multiply, AXIS(x, &add, &multiply));
    EXPECT_LABEL("COLUMNS", COLUMNS, CONFIGS((y, x), (1, ROWS), (2, COLUMNS)), WHERE(y > 0));
}
Test(space, labels_of_configs_columns) {
    AUTOTUNE(SPACE(CONFIGS((tile, text, order, apply, ratio), (16, "a, b) (", ROWS, add, 0.5),
                           (32, "c\"), (d", COLUMNS, &multiply, 2.5))),
             1, launch(autotune_trial, apply(2, 3) == (order == ROWS ? 5 : 6) && *text && ratio > 0, tile == 32),
             OPTIONS);
    cr_expect(right_type);
    EXPECT_STRING(autotune_get_label(&result.config, "tile"), "32");
    EXPECT_STRING(autotune_get_label(&result.config, "order"), "COLUMNS");
    EXPECT_STRING(autotune_get_label(&result.config, "apply"), "multiply");
    EXPECT_STRING(autotune_get_label(&result.config, "text"), "c\"), (d");
    EXPECT_STRING(autotune_get_label(&result.config, "ratio"), "2.5");
}
#define TEN 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
Test(space, twelve_columns_are_the_most) {
    AUTOTUNE(SPACE(CONFIGS((a, b, c, d, e, f, g, h, i, j, k, l), (TEN, 11, 12), (TEN, 12, 13))), 1,
             launch(autotune_trial, a == 1 && b == 2 && j == 10 && l == k + 1, l == 13), OPTIONS);
    cr_expect(right_type && result.config.count == 12 && result.index == 1);
    /* if there are more columns, the compiler reports this */
    cr_expect(!AUTOTUNE__OVER_TWELVE(TEN, 11, 12) && AUTOTUNE__OVER_TWELVE(TEN, 11, 12, 13));
    cr_expect(AUTOTUNE__OVER_TWELVE(TEN, TEN) && AUTOTUNE__OVER_TWELVE(TEN, TEN, TEN));
    cr_expect(AUTOTUNE__OVER_TWELVE(TEN, TEN, TEN, TEN, TEN, TEN, TEN));
}

static void alternative(bool trial, int number, int wanted) { launch(trial, true, number == wanted); }
#define FROM_A_MACRO(wanted) \
    alternative(autotune_trial, 0, wanted), CASE(alternative(autotune_trial, 1, wanted), WHERE(wanted < 9))
Test(space, labels_of_calls) {
    for (int wanted = 0; wanted < 5; wanted++) {
        static const char *const labels[] = {"alternative(autotune_trial, 0, wanted)",
                                             "alternative(autotune_trial, 1, wanted)", "two",
                                             "alternative(autotune_trial, 3, wanted)",
                                             "(alternative(autotune_trial, 4, wanted), (void)0)"};
        AUTOTUNE_SELECT((OPTIONS, .key = KEY(wanted)), alternative(autotune_trial, 0, wanted),
                        CASE(alternative(autotune_trial, 1, wanted), WHERE(wanted < 9)),
                        CASE(alternative(autotune_trial, 2, wanted), NAME("two"), PRIORITY(0)),
                        AUTOTUNE_CASE(alternative(autotune_trial, 3, wanted)),
                        (alternative(autotune_trial, 4, wanted), (void)0));
        EXPECT_INT(result.index, wanted);
        EXPECT_INT(result.space_size, 5);
        EXPECT_STRING(autotune_get_label(&result.config, "call"), labels[wanted]);
        EXPECT_INT(autotune_get_int(&result.config, "call"), wanted);
    }
    AUTOTUNE_SELECT((OPTIONS), FROM_A_MACRO(0));
    EXPECT_STRING(autotune_get_label(&result.config, "call"), "alternative(autotune_trial, 0, 0)");
    AUTOTUNE_SELECT((OPTIONS), FROM_A_MACRO(1));
    EXPECT_STRING(autotune_get_label(&result.config, "call"), "alternative(autotune_trial, 1, 1)");
}

/* ---- Values by name ---------------------------------------------------------------------------------------------- */

static void forget_last_error(void) { /* by setting another last error */
    AUTOTUNE(SPACE(AXIS(a, 1), WHERE(a > 1)), 1, (void)0);
    EXPECT_CONTAINS(autotune_last_error(), "WHERE");
}
#define EXPECT_NOT_THERE(name, ...)                                        \
    do {                                                                   \
        forget_last_error();                                               \
        cr_expect(__VA_ARGS__, "%s", #__VA_ARGS__);                        \
        EXPECT_CONTAINS(autotune_last_error(), "has no value '" name "'"); \
    } while (0)
Test(space, values_by_name) {
    AUTOTUNE(SPACE(AXIS(number, -3), AXIS(flag, (bool)true), AXIS(ratio, 0.5), AXIS(single, 0.25f), AXIS(text, "abc"),
                   AXIS(function, add), AXIS(large, UINT64_MAX)),
             1, (void)(given = number + flag + (int)ratio + (int)single + *text + function(1, 2) + (large > 0)),
             OPTIONS);
    autotune_config *c = &result.config;
    EXPECT_INT(c->count, 7);
    EXPECT_STRING(c->names[0], "number");
    EXPECT_STRING(c->names[6], "large");
    EXPECT_INT(autotune_get_int(c, "number"), -3);
    EXPECT_INT(autotune_get_int(c, "flag"), 1);
    cr_expect(autotune_get_double(c, "ratio") == 0.5);
    cr_expect(autotune_get_double(c, "single") == 0.25);
    cr_expect(autotune_get_double(c, "number") == -3, "integers convert");
    cr_expect(autotune_get_double(c, "flag") == 1);
    cr_expect(autotune_get_double(c, "large") == 18446744073709551616.0);
    EXPECT_STRING(autotune_get_string(c, "text"), "abc");
    cr_expect_eq(autotune_get_pointer(c, "function"), as_pointer(add));
    EXPECT_NOT_THERE("nothing", autotune_get_int(c, "nothing") == 0);
    EXPECT_NOT_THERE("nothing", isnan(autotune_get_double(c, "nothing")));
    EXPECT_NOT_THERE("nothing", autotune_get_string(c, "nothing") == NULL);
    EXPECT_NOT_THERE("nothing", autotune_get_pointer(c, "nothing") == NULL);
    EXPECT_NOT_THERE("nothing", autotune_get_label(c, "nothing") == NULL);
    EXPECT_NOT_THERE("ratio", autotune_get_int(c, "ratio") == 0);
    EXPECT_NOT_THERE("text", autotune_get_int(c, "text") == 0);
    EXPECT_NOT_THERE("function", autotune_get_int(c, "function") == 0);
    EXPECT_NOT_THERE("text", isnan(autotune_get_double(c, "text")));
    EXPECT_NOT_THERE("number", autotune_get_string(c, "number") == NULL);
    EXPECT_NOT_THERE("function", autotune_get_string(c, "function") == NULL);
    EXPECT_NOT_THERE("text", autotune_get_pointer(c, "text") == NULL);
    EXPECT_NOT_THERE("NULL", autotune_get_int(c, NULL) == 0);
    EXPECT_NOT_THERE("number", autotune_get_int(NULL, "number") == 0);
    EXPECT_INT(autotune_get_index(NULL), 0);
}

/* ---- Spaces that cannot be --------------------------------------------------------------------------------------- */

static void expect_no_call(const char *sentence) {
    EXPECT_INT(result.status, AUTOTUNE_ERR_SPACE);
    EXPECT_CONTAINS(autotune_last_error(), "the call was not made");
    EXPECT_CONTAINS(autotune_last_error(), sentence);
    EXPECT_CONTAINS(logged, sentence);
    EXPECT_INT(runs_for_real, 0);
    EXPECT_STRING(visited, "");
    EXPECT_INT(result.launches, 0);
}
/* Expects one launch of the first configuration, and no trial. */
static void expect_untuned(const char *first, const char *sentence) {
    EXPECT_INT(result.status, AUTOTUNE_ERR_ARGUMENT);
    EXPECT_CONTAINS(autotune_last_error(), sentence);
    EXPECT_CONTAINS(autotune_last_error(), "untuned");
    EXPECT_STRING(for_real, first);
    EXPECT_INT(runs_for_real, 1);
    EXPECT_STRING(visited, "");
    EXPECT_INT(result.launches, 1);
    runs_for_real = 0;
}
Test(space, axis_of_nothing) {
    const int values[] = {1};
    const int *const none = NULL;
    AUTOTUNE(SPACE(AXIS(a, 1, 2), AXIS_OF(b, values, 0)), 1, run(autotune_trial, "%d/%d", a, b), OPTIONS);
    expect_no_call("an AXIS_OF has no value");
    AUTOTUNE(SPACE(AXIS_OF(b, none, 3), AXIS(a, 1, 2)), 1, run(autotune_trial, "%d/%d", a, b), OPTIONS);
    expect_no_call("an AXIS_OF has a NULL pointer");
    AUTOTUNE(SPACE(AXIS_OF(a, none, 0)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("an AXIS_OF has no value");
    AUTOTUNE(SPACE(AXIS_OF(a, values, -1)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("an AXIS_OF has a count below 0");
}
Test(space, range_of_nothing) {
    AUTOTUNE(SPACE(RANGE(a, 1, 5, 0)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a RANGE has no value");
    AUTOTUNE(SPACE(RANGE(a, 1, 5, -1)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a RANGE has no value");
    AUTOTUNE(SPACE(RANGE(a, 5, 1, 1)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a RANGE has no value");
    AUTOTUNE(SPACE(RANGE(a, 5, 5, 0)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a RANGE has no value");
}
Test(space, pow2_of_nothing) {
    AUTOTUNE(SPACE(POW2(a, 0, 8)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a POW2 has no value");
    AUTOTUNE(SPACE(POW2(a, -4, 8)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a POW2 has no value");
    AUTOTUNE(SPACE(POW2(a, 16, 8)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_no_call("a POW2 has no value");
}
Test(space, values_that_their_type_cannot_hold) {
    AUTOTUNE(SPACE(RANGE(a, (unsigned char)200, 300, 50)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_untuned("200", "a RANGE has values that its first value's type cannot hold");
    AUTOTUNE(SPACE(RANGE(a, 4u, -4, -4)), 1, run(autotune_trial, "%u", a), OPTIONS);
    expect_untuned("4", "a RANGE has values that its first value's type cannot hold");
    AUTOTUNE(SPACE(RANGE(a, (bool)false, 2, 1)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_untuned("0", "a RANGE has values that its first value's type cannot hold");
    AUTOTUNE(SPACE(POW2(a, (signed char)64, 128)), 1, run(autotune_trial, "%d", a), OPTIONS);
    expect_untuned("64", "a POW2 has values that its first value's type cannot hold");
    AUTOTUNE(SPACE(RANGE(a, 4ull, -4, -4)), 1, run(autotune_trial, "%llu", a), OPTIONS);
    expect_untuned("4", "a RANGE has values that its first value's type cannot hold");
}
/* The preprocessor divides such a value at its comma, and would divide the labels, too. */
Test(space, values_with_a_comma) {
    AUTOTUNE(SPACE(AXIS(x, add, (operation *[]){add, multiply}[1])), 1, run(autotune_trial, "%d", x(4, 5)), OPTIONS);
    expect_untuned("9", "a value of an AXIS has a comma: put the value into parentheses");
    AUTOTUNE(SPACE(AXIS(x, add, ((operation *[]){add, multiply}[1]))), 1, run(autotune_trial, "%d", x(4, 5)), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.tried, 2);
}
static operation *next_operation(void) {
    static int calls;
    return calls++ % 2 ? multiply : add;
}
Test(space, functions_with_the_same_label) {
    AUTOTUNE(SPACE(AXIS(x, next_operation(), next_operation())), 1, run(autotune_trial, "%d", x(4, 5)), OPTIONS);
    expect_untuned("9", "two values of the axis 'x' differ and have the same label, 'next_operation()'");
    AUTOTUNE(SPACE(AXIS(x, add, add, multiply)), 1, run(autotune_trial, "%d", x(4, 5)), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_OK);
}
/* A comparison of addresses is false for each value. Compilers refuse this for literals. If WHERE leaves no
   configuration, the statement reports the comparison. */
Test(space, strings_that_are_compared_by_their_addresses) {
    const char *const wanted = "down";
    AUTOTUNE(SPACE(AXIS(s, "up", "down"), WHERE(s == wanted)), 1, run(autotune_trial, "%s", s), OPTIONS);
    expect_no_call("the strings of an axis are compared by strcmp(), and not by ==");
}
Test(space, more_points_than_can_be_visited_are_sampled) {
    favourite = "2/2";
    AUTOTUNE(SPACE(RANGE(a, 1, AUTOTUNE_MAX_POINTS / 2, 1), AXIS(b, 1, 2, 3), WHERE(a > 1 && b > 1)), 1,
             run(autotune_trial, "%d/%d", a, b), OPTIONS, .max_trials = 5);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.tried, 5);
    EXPECT_STRING(for_real, "2/2"); /* the first and the fast configuration were tried */
}
Test(large_spaces, exactly_as_many_points_as_can_be_visited) {
    AUTOTUNE(SPACE(RANGE(a, 1, AUTOTUNE_MAX_POINTS, 1), WHERE(a == AUTOTUNE_MAX_POINTS)), 1,
             run(autotune_trial, "%d", a), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_STRING(for_real, "16777216");
    EXPECT_INT(result.index, AUTOTUNE_MAX_POINTS - 1);
}
Test(space, more_points_than_64_bits_count) {
    /* 2^33 * 2^33 wraps to 0 in 64 bits */
    AUTOTUNE(SPACE(RANGE(a, 0LL, (1LL << 33) - 1, 1), RANGE(b, 0LL, (1LL << 33) - 1, 1)), 1,
             run(autotune_trial, "%lld/%lld", a, b), OPTIONS);
    expect_untuned("0/0", "more points than can be numbered");
    AUTOTUNE(SPACE(RANGE(a, 0LL, LLONG_MAX, 1), RANGE(b, 0LL, LLONG_MAX, 1), AXIS(c, 3, 4), AXIS(d, 5, 6),
                   WHERE(c == 4)),
             1, run(autotune_trial, "%lld/%lld/%d/%d", a, b, c, d), OPTIONS);
    expect_untuned("0/0/4/5", "more points than can be numbered");
    AUTOTUNE(SPACE(RANGE(a, LLONG_MIN, LLONG_MAX, 1)), 1, run(autotune_trial, "%lld", a), OPTIONS);
    expect_untuned("-9223372036854775808", "more points than can be numbered"); /* 2^64 wraps to 0 */
    const int values[] = {1};
    AUTOTUNE(SPACE(RANGE(a, 0LL, LLONG_MAX, 1), RANGE(b, 0LL, LLONG_MAX, 1), AXIS_OF(c, values, 0)), 1,
             run(autotune_trial, "%lld/%lld/%d", a, b, c), OPTIONS);
    /* an axis without a value makes the space empty, however large the other axes are */
    expect_no_call("an AXIS_OF has no value");
}

/* ---- Entries hold their own values ------------------------------------------------------------------------------- */

/* Calls with a key. A call reads the values of the axis only on a miss. */
static void choose_number(const int *values, size_t count, int key) {
    AUTOTUNE(SPACE(AXIS_OF(a, values, count)), 1, run(autotune_trial, "%d", a), OPTIONS, .key = KEY(key));
}
Test(space, a_hit_uses_the_value_that_won_whatever_the_array_holds_now) {
    int values[] = {1, 2, 3};
    favourite = "2";
    choose_number(values, 3, 0);
    values[0] = values[1] = values[2] = 9;
    choose_number(values, 3, 0);
    cr_expect(result.cache_hit);
    EXPECT_STRING(for_real, "2");
    EXPECT_INT(autotune_get_int(&result.config, "a"), 2);
    choose_number(NULL, 0, 0);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_STRING(for_real, "2");
    favourite = "9";
    choose_number(values, 1, 1); /* a miss of another key reads the array again */
    cr_expect(!result.cache_hit);
    EXPECT_STRING(for_real, "9");
}
static void choose_text(const char *first, const char *second) {
    AUTOTUNE(SPACE(AXIS(a, first, second)), 1, run(autotune_trial, "%s", a), OPTIONS);
}
Test(space, strings_may_be_freed_after_the_call) {
    char *first = malloc(8), *second = malloc(8);
    cr_assert(first && second);
    strcpy(first, "one");
    strcpy(second, "two");
    favourite = "two";
    choose_text(first, second);
    const autotune_config kept = result.config;
    memset(first, 'x', 7);
    memset(second, 'x', 7);
    free(first);
    free(second);
    EXPECT_STRING(for_real, "two");
    choose_text("three", "four");
    cr_expect(result.cache_hit);
    EXPECT_STRING(for_real, "two");
    EXPECT_STRING(autotune_get_string(&result.config, "a"), "two");
    EXPECT_STRING(autotune_get_string(&kept, "a"), "two");
    EXPECT_STRING(autotune_get_label(&kept, "a"), "two");
}
static int described, judged, ranked, predicted;
static int counted(int *count, int value) { return ++*count, value; }
static void count_evaluations(int key) {
    AUTOTUNE(SPACE(AXIS(a, counted(&described, 1), 2), WHERE(counted(&judged, 1)), PRIORITY(counted(&ranked, 0)),
                   MODEL(counted(&predicted, 1))),
             1, run(autotune_trial, "%d", a), OPTIONS, .key = KEY(key));
}
Test(space, a_miss_describes_and_filters_anew_and_a_hit_does_not) {
    count_evaluations(1);
    cr_expect(described >= 1 && judged >= 2 && ranked >= 2 && predicted >= 2);
    described = judged = ranked = predicted = 0;
    count_evaluations(1);
    EXPECT_INT(described + judged + ranked + predicted, 0);
    count_evaluations(2);
    cr_expect(described >= 1 && judged >= 2 && ranked >= 2 && predicted >= 2);
}

/* ---- The first configuration: admitted, not of negative priority, of the lowest index ---------------------------- */

Test(space, the_first_configuration) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), AXIS(b, 1, 2)), 1, run(autotune_trial, "%d/%d", a, b), OPTIONS,
             .mode = AUTOTUNE_OFF);
    EXPECT_STRING(for_real, "1/1");
    EXPECT_INT(result.index, 0);
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), AXIS(b, 1, 2), WHERE(a > 1), WHERE(b > 1)), 1, run(autotune_trial, "%d/%d", a, b),
             OPTIONS, .mode = AUTOTUNE_OFF);
    EXPECT_STRING(for_real, "2/2");
    EXPECT_INT(result.index, 3);
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), AXIS(b, 1, 2), PRIORITY(a < 3 ? -1 : 0)), 1, run(autotune_trial, "%d/%d", a, b),
             OPTIONS, .mode = AUTOTUNE_CACHED);
    EXPECT_STRING(for_real, "3/1");
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), PRIORITY(a)), 1, run(autotune_trial, "%d", a), OPTIONS, .mode = AUTOTUNE_OFF);
    EXPECT_STRING(for_real, "1"); /* the highest priority does not matter */
    EXPECT_INT(runs_for_real, 4);
    EXPECT_STRING(visited, "");
    runs_for_real = 0;
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3), WHERE(a < 3), PRIORITY(-1)), 1, run(autotune_trial, "%d", a), OPTIONS,
             .mode = AUTOTUNE_OFF);
    expect_no_call("none of 3 configurations");
}
Test(space, negative_priority_leaves_the_space) {
    EXPECT_SPACE("3", 2, 2, "2 3",
                 AUTOTUNE(SPACE(AXIS(a, 1, 2, 3, 4), WHERE(a < 4), PRIORITY(a == 1 ? -1 : 0)), 1,
                          run(autotune_trial, "%d", a), OPTIONS));
    cr_expect(result.default_ns == 100 * MILLISECOND, "the first configuration is 2");
    AUTOTUNE(SPACE(AXIS(a, 1, 2), PRIORITY(-a)), 1, run(autotune_trial, "%d", a), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_ERR_SPACE);
}

/* ---- How many configurations each item refuses ------------------------------------------------------------------- */

static bool is_small(int x, int most) { return x < most; }
static autotune_result refuse(int n) {
    autotune_result of_call;
    AUTOTUNE(SPACE(AXIS(x, 1, 2, 3, 4), WHERE(is_small(x, n)), AXIS(y, 0, 1), WHERE(x + y != 3),
                   PRIORITY(x == 2 ? -1 : 1)), 1, run(autotune_trial, "%d %d", x, y), .key = KEY(n), .name = "refuse",
             .backend = virtual_backend(), .result = &of_call);
    return of_call;
}
Test(space, what_is_refused_is_counted_and_named) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    EXPECT_INT(refuse(4).space_size, 3);        /* a hit has the same counts */
    EXPECT_INT(refuse(4).refused, 5);           /* a hit has the same counts */
    EXPECT_CONTAINS(logged, "; 3 of 3 tried, 5 refused (1 by PRIORITY, 2 by WHERE(x + y != 3), "
                            "2 by WHERE(is_small(x, n))), 0 failed, ");
    EXPECT_INT(refuse(0).status, AUTOTUNE_ERR_SPACE);
    EXPECT_CONTAINS(logged, "none of 8 configurations that were looked at (8 by WHERE(is_small(x, n))), so the ");
    EXPECT_INT(refuse(5).refused, 3);
    EXPECT_CONTAINS(logged, "; 5 of 5 tried, 3 refused (1 by PRIORITY, 2 by WHERE(x + y != 3)), ");
}
Test(space, all_points_behind_a_refused_value_are_counted) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    AUTOTUNE(SPACE(AXIS(x, 1, 2, 3), WHERE(x != 2), RANGE(y, 0, 9, 1)), 1, run(autotune_trial, "%d %d", x, y), OPTIONS);
    EXPECT_INT(result.refused, 10);
    EXPECT_CONTAINS(logged, "20 of 20 tried, 10 refused (10 by WHERE(x != 2)), ");
}
#define NOT(i) WHERE(x != i)
Test(space, five_filters_are_others_and_a_long_one_is_cut) {
    const int nobody_would_give_a_variable_such_a_name_but_for_this_test_of_the_log = 7;
    setenv("AUTOTUNE_LOG", "winner", 1);
    AUTOTUNE(SPACE(RANGE(x, 0, 7, 1), NOT(1), NOT(2), NOT(3), NOT(4), NOT(5),
                   WHERE(x != nobody_would_give_a_variable_such_a_name_but_for_this_test_of_the_log)), 1,
             run(autotune_trial, "%d", x), OPTIONS);
    EXPECT_INT(result.refused, 6);
    EXPECT_CONTAINS(logged, "6 refused (1 by WHERE(x != 1), 1 by WHERE(x != 2), 1 by WHERE(x != 3), 3 by others), ");
    AUTOTUNE_SELECT((OPTIONS), CASE(run(autotune_trial, "1"), WHERE(
        (int)result.refused == nobody_would_give_a_variable_such_a_name_but_for_this_test_of_the_log)),
                    run(autotune_trial, "2"), run(autotune_trial, "3"));
    EXPECT_CONTAINS(logged, "1 refused (1 by "
                            "WHERE((int)result.refused == nobody_would_give_a_variable_such_a_name_but_for_th), ");
}

/* floor_space.c - keys and spaces, as the floors above use them. */
#include "../../src/site/statements.h"
#include "../../src/space/key.h"
#include "../../src/space/axes.h"
#include "../../src/registry/hit.h"

#include "../expect.h"
#include <math.h>

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static const char *exact(autotune_key key) {
    static char text[256];
    autotune__text appended = {NULL, false};
    autotune__append_key(&appended, &key, true);
    snprintf(text, sizeof text, "%s", autotune__string(&appended));
    autotune__free_text(&appended);
    return text;
}
Test(keys, equal_keys_have_one_exact_text_and_one_hash) {
    char text[] = "a,b", copy[] = "a,b";
    const autotune_key one = KEY(7, text), other = KEY(7, copy);
    char first[256];
    snprintf(first, sizeof first, "%s", exact(one));
    EXPECT_STRING(exact(other), first);
    cr_expect(autotune__hash(&one) == autotune__hash(&other));
}
Test(keys, texts_of_unequal_keys_differ) {
    const autotune_key keys[] = {KEY("a", "bc"), KEY("ab", "c"), KEY("a,b", "c"), KEY((const char *)NULL, "c"),
                                 KEY("NULL", "c"), KEY(1), KEY(1u), KEY(1.0), KEY(1.0f), KEY(1, 1)};
    char texts[sizeof keys / sizeof *keys][256];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(texts[i], sizeof texts[i], "%s", exact(keys[i]));
        for (size_t k = 0; k < i; k++) cr_expect(strcmp(texts[i], texts[k]), "%zu and %zu: %s", k, i, texts[i]);
    }
}
Test(keys, a_part_too_many_is_not_read) {
    autotune_key key = KEY(1, 2, 3, 4, 5, 6, 7, 8);
    char eight[256];
    snprintf(eight, sizeof eight, "%s", exact(key));
    key.count++;
    EXPECT_STRING(exact(key), eight);
}
Test(keys, what_no_key_can_be_is_said) {
    autotune_key key = KEY(1);
    cr_expect(!autotune__key_problem(&key));
    key.count = AUTOTUNE_MAX_KEY + 1;
    EXPECT_CONTAINS(autotune__key_problem(&key), "parts");
    for (key.types = 0; key.count > 0; key.count--) {          /* keys that are a number: .key = 9, .key = 8, ... */
        autotune__text text = {NULL, false};
        EXPECT_CONTAINS(autotune__key_problem(&key), "write .key = KEY(n)");
        autotune__append_case(&text, "matmul", &key);
        EXPECT_STRING(autotune__string(&text), "matmul");
        autotune__free_text(&text);
    }
}

/* ---- Spaces ------------------------------------------------------------------------------------------------------ */

static autotune__space product(void) { /* 2 x 3 x 4 points; the last axis changes fastest */
    static const int a[] = {10, 20}, b[] = {1, 2, 1};
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    autotune__add_list(&space, "a", NULL, a, 2, AUTOTUNE_I32);
    autotune__add_list(&space, "b", NULL, b, 3, AUTOTUNE_I32);
    autotune__add_rule(&space, "c", AUTOTUNE__DOUBLING, 1, 0, 4, AUTOTUNE_I32);
    return space;
}
static int value(const autotune__space *space, size_t axis) {
    int value;
    memcpy(&value, &space->value[axis], sizeof value);
    return value;
}
Test(spaces, the_last_axis_is_fastest) {
    autotune__space space = product();
    EXPECT_INT(space.points, 24);
    for (size_t index = 0; index < space.points; index++) {
        autotune__locate(&space, index);
        EXPECT_INT(value(&space, 0), index / 12 ? 20 : 10);
        EXPECT_INT(value(&space, 2), 1 << index % 4);
    }
    autotune__free_space(&space);
}
Test(spaces, values_are_ordered_by_size) {
    static const float floats[] = {-INFINITY, -2.5f, -1e-40f, -0.0f, 0.0f, 1e-40f, 2.5f, INFINITY, NAN};
    static const int64_t integers[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        for (size_t j = 0; j < i; j++) {
            uint64_t low = 0, high = 0;
            memcpy(&low, &floats[j], sizeof *floats);
            memcpy(&high, &floats[i], sizeof *floats);
            cr_assert(autotune__compare_values(AUTOTUNE_F32, low, high) < 0, "%g, %g", floats[j], floats[i]);
            cr_assert(autotune__compare_values(AUTOTUNE_F32, high, low) > 0, "%g, %g", floats[i], floats[j]);
        }
    for (size_t i = 1; i < sizeof integers / sizeof *integers; i++)
        cr_assert(autotune__compare_values(AUTOTUNE_I64, (uint64_t)integers[i - 1], (uint64_t)integers[i]) < 0);
    cr_assert(autotune__compare_values(AUTOTUNE_U64, INT64_MAX, (uint64_t)INT64_MAX + 1) < 0);
}
Test(spaces, values_of_rules_are_counted) {
    EXPECT_INT(autotune__count_of_range(1, 10, 3), 4);
    EXPECT_INT(autotune__count_of_range(10, 1, -3), 4);
    EXPECT_INT(autotune__count_of_range(1, 10, 0), 0);
    EXPECT_INT(autotune__count_of_range(10, 1, 3), 0);
    EXPECT_INT(autotune__count_of_range(INT64_MIN, INT64_MAX, INT64_MAX), 3);
    EXPECT_INT(autotune__count_of_pow2(1, 64), 7);
    EXPECT_INT(autotune__count_of_pow2(3, 100), 6);
    EXPECT_INT(autotune__count_of_pow2(0, 64), 0);
}
Test(spaces, more_points_than_can_be_numbered) {
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    for (int axis = 0; axis < 8; axis++)
        autotune__add_rule(&space, "x", AUTOTUNE__STEPS, 0, 1, (size_t)1 << 16, AUTOTUNE_I32);
    cr_expect(space.points == SIZE_MAX);
    autotune__free_space(&space);
}

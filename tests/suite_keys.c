/* suite_keys.c - keys: which calls share a winner, and which do not. */
#include "opened.h" /* for its hash, with which the test makes keys collide */
#include "virtual_clock.h"
#include "expect.h"
#include "decimal_comma.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static void keep_log(void) { autotune_set_log(keep_line, NULL); }
TestSuite(keys, .init = keep_log);

/* ---- The call sites ---------------------------------------------------------------------------------------------- */

/* Each call site has two configurations. The test sets the faster one before a call. So the winner of a call shows
   whether the key was tuned now, or in which earlier call. If the call site's own table lacks the key, the space is
   described. So the test can see whether the winner came from this table or from the registry. */

enum { MILLISECOND = 1000000 }; /* far longer than the shortest sample of a race, so a sample is one launch */

static int faster;
static int runs_for_real, choice_for_real, descriptions;
static int described(int value) { return descriptions++, value; }
static void run(bool trial, int choice) {
    virtual_ns += choice == faster ? MILLISECOND : 4 * MILLISECOND;
    if (!trial) runs_for_real++, choice_for_real = choice;
}

typedef struct answer {
    bool hit, by_itself;
    int choice;
} answer;
static autotune_result result;
static answer answer_of_call(void) {
    const bool by_itself = !descriptions;
    return descriptions = 0, (answer){result.cache_hit, by_itself, choice_for_real};
}

/* A call site whose key part has a certain C type, as in most programs. */
#define DEFINE_TYPED_SITE(function, type) \
    static answer function(type part) { \
        AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .key = KEY(part), \
                 .backend = virtual_backend(), \
                 .result = &result); \
        return answer_of_call(); \
    }
/* Two call sites that are one tuner. The second call site finds winners of the first in the registry. */
#define DEFINE_SITE(function) \
    static answer function(autotune_key any_key) { \
        AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .name = "shared", \
                 .key = any_key, \
                 .backend = virtual_backend(), .result = &result); \
        return answer_of_call(); \
    }
DEFINE_SITE(here)
DEFINE_SITE(there)
static answer anywhere(autotune_key any_key) { /* a call site without a name, which is found in another way */
    AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .key = any_key,
             .backend = virtual_backend(), .result = &result);
    return answer_of_call();
}

/* if the key were raced now, the other choice would win */
static void expect_known(const char *call, answer given, int winner, bool by_itself) {
    cr_expect(given.hit, "%s is not known", call);
    cr_expect(given.by_itself == by_itself, "%s: its call site knows it %s", call, by_itself ? "no more" : "already");
    cr_expect(given.choice == winner, "%s: the winner is %d and not its own, %d", call, given.choice, winner);
}
#define EXPECT_TUNED(call, winner)                                                                             \
    do {                                                                                                       \
        faster = (winner);                                                                                     \
        const answer given = (call);                                                                           \
        cr_expect(!given.hit, "%s was taken for a known key", #call);                                          \
        cr_expect(given.choice == (winner), "%s: the winner is %d and not %d", #call, given.choice, (winner)); \
    } while (0)
/* EXPECT_FOUND: the winner is in the registry, and not yet in the call site's table */
#define EXPECT_HIT(call, winner)   expect_known(#call, (faster = !(winner), (call)), winner, true)
#define EXPECT_FOUND(call, winner) expect_known(#call, (faster = !(winner), (call)), winner, false)

/* In a key that was made by hand, the words after its parts may have any value. */
Test(keys, words_behind_the_parts_do_not_count) {
    for (uint32_t count = 0; count <= 4; count++) {
        autotune_key key = {count, 0x11111111u * AUTOTUNE_I64, {1, 2, 3, 4, 5, 6, 7, 8}, NULL}, same = key;
        for (uint32_t i = 0; i < count; i++) same.word[i] = key.word[i] += 10 * count;
        for (uint32_t i = count; i < AUTOTUNE_MAX_KEY; i++) same.word[i] = 99;
        EXPECT_TUNED(anywhere(key), 1);
        if (count) {
            key.word[0]++;
            EXPECT_TUNED(anywhere(key), 0); /* another key in between, so that the next hit searches the table */
        }
        EXPECT_HIT(anywhere(same), 1);
    }
}

/* Different keys at one call site and in the registry. Each keeps its own winner. */
static void expect_all_different(const autotune_key *keys, size_t count) {
    for (size_t i = 0; i < count; i++) EXPECT_TUNED(here(keys[i]), (int)(i & 1));
    for (size_t i = 0; i < count; i++) EXPECT_HIT(here(keys[i]), (int)(i & 1));
    for (size_t i = count; i-- > 0;) EXPECT_FOUND(there(keys[i]), (int)(i & 1));
    for (size_t i = count; i-- > 0;) EXPECT_HIT(there(keys[i]), (int)(i & 1));
}
#define EXPECT_ALL_DIFFERENT(...)                                              \
    do {                                                                       \
        const autotune_key different[] = {__VA_ARGS__};                        \
        expect_all_different(different, sizeof different / sizeof *different); \
    } while (0)

/* ---- Parts of every type ----------------------------------------------------------------------------------------- */

#define TEST_TYPE(name, type, ...)                                                                \
    DEFINE_TYPED_SITE(site_of_##name, type)                                                       \
    Test(keys, type_##name) {                                                                     \
        const type values[] = {__VA_ARGS__};                                                      \
        const size_t count = sizeof values / sizeof *values;                                      \
        for (size_t i = 0; i < count; i++) EXPECT_TUNED(site_of_##name(values[i]), (int)(i & 1)); \
        for (size_t i = 0; i < count; i++) EXPECT_HIT(site_of_##name(values[i]), (int)(i & 1));   \
        for (size_t i = count; i-- > 0;) EXPECT_HIT(site_of_##name(values[i]), (int)(i & 1));     \
        autotune_key keys[sizeof values / sizeof *values];                                        \
        for (size_t i = 0; i < count; i++) keys[i] = KEY(values[i]);                              \
        expect_all_different(keys, count);                                                        \
    }

enum color { RED, GREEN, BLUE };
enum temperature { FROZEN = -40, WARM = 20 };

TEST_TYPE(bool, bool, false, true)
TEST_TYPE(char, char, CHAR_MIN, 1, 'a', CHAR_MAX)
TEST_TYPE(signed_char, signed char, SCHAR_MIN, -1, 0, 1, SCHAR_MAX)
TEST_TYPE(short, short, SHRT_MIN, -1, 0, 1, SHRT_MAX)
TEST_TYPE(int, int, INT_MIN, -1, 0, 1, INT_MAX)
TEST_TYPE(long, long, LONG_MIN, -1, 0, 1, LONG_MAX)
TEST_TYPE(long_long, long long, LLONG_MIN, -1, 0, 1, 1LL << 32, LLONG_MAX)
TEST_TYPE(unsigned_char, unsigned char, 0, 1, UCHAR_MAX)
TEST_TYPE(unsigned_short, unsigned short, 0, 1, USHRT_MAX)
TEST_TYPE(unsigned, unsigned, 0, 1, 1u << 31, UINT_MAX)
TEST_TYPE(unsigned_long, unsigned long, 0, 1, LONG_MAX, ULONG_MAX)
TEST_TYPE(unsigned_long_long, unsigned long long, 0, 1, 1ULL << 32, 1ULL << 63, ULLONG_MAX)
TEST_TYPE(enum, enum color, RED, GREEN, BLUE)
TEST_TYPE(negative_enum, enum temperature, FROZEN, WARM)
TEST_TYPE(float, float, -1.5f, 0, 0.1f, 0.1f + FLT_EPSILON / 8, FLT_MIN, FLT_MAX, INFINITY, -INFINITY)
TEST_TYPE(double, double, -1.5, 0, 0.1, 0.1 + DBL_EPSILON / 8, DBL_MIN, DBL_MAX, HUGE_VAL, -HUGE_VAL)
typedef const char *string;
TEST_TYPE(string, string, "nchw", "nhwc", "nchw ", "NCHW", "", "NULL", NULL)

Test(keys, strings_are_equal_by_content_wherever_they_stand) {
    char first[] = "nchw", second[] = "nchw";
    cr_assert(&first[0] != &second[0]);
    EXPECT_TUNED(site_of_string(first), 1);
    EXPECT_HIT(site_of_string(second), 1);
    EXPECT_TUNED(here(KEY(first, 3)), 0); /* an array of char is a string, too */
    EXPECT_HIT(here(KEY(second, 3)), 0);
    EXPECT_FOUND(there(KEY(second, 3)), 0);
}

Test(keys, strings_are_copied) {
    char buffer[] = "nchw";
    char *freed = malloc(sizeof buffer);
    cr_assert(freed);
    strcpy(freed, "nhwc");
    EXPECT_TUNED(here(KEY(buffer)), 1);
    EXPECT_TUNED(here(KEY(freed)), 0);
    strcpy(buffer, "abcd");
    memset(freed, 'x', 4);
    free(freed);
    EXPECT_HIT(here(KEY("nchw")), 1);
    EXPECT_HIT(here(KEY("nhwc")), 0);
    EXPECT_FOUND(there(KEY("nchw")), 1);
    EXPECT_TUNED(here(KEY(buffer)), 0); /* the buffer has another text now, so this is another key */
}

Test(keys, minus_zero_equals_zero_by_value) {
    EXPECT_TUNED(site_of_double(0.0), 1);
    EXPECT_HIT(site_of_double(-0.0), 1);
    EXPECT_TUNED(site_of_float(-0.0f), 0);
    EXPECT_HIT(site_of_float(0.0f), 0);
    EXPECT_TUNED(here(KEY(-0.0)), 1);
    EXPECT_FOUND(there(KEY(0.0)), 1);
}

static autotune_status call_with_float(float part) {
    AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .key = KEY(7, part),
             .backend = virtual_backend(), .result = &result);
    return result.status;
}
Test(keys, not_a_number_is_an_error_and_the_call_is_made_once_untuned) {
    faster = 1;
    for (int call = 1; call <= 2; call++) {
        const uint64_t before = virtual_ns;
        EXPECT_INT(call_with_float(NAN), AUTOTUNE_ERR_ARGUMENT);
        EXPECT_CONTAINS(autotune_last_error(), "not a number");
        EXPECT_CONTAINS(autotune_last_error(), "call_with_float");
        EXPECT_INT(runs_for_real, call);
        EXPECT_INT(choice_for_real, 0);                   /* launches the first configuration */
        EXPECT_INT(virtual_ns - before, 4 * MILLISECOND); /* makes no trial */
        EXPECT_INT(result.launches, 1);
        cr_expect(!result.cache_hit);
    }
    site_of_double((double)NAN);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ARGUMENT);
    EXPECT_INT(call_with_float(1), AUTOTUNE_OK); /* later calls of this call site work */
    EXPECT_INT(choice_for_real, 1);
}

/* ---- Names and versions: with them a statement says which tuner it means, at every call -------------------------- */

static answer said(const char *name, const char *version, autotune_key any_key) {
    AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .name = name, .version = version,
             .key = any_key, .backend = virtual_backend(), .result = &result);
    return answer_of_call();
}
Test(keys, a_name_and_a_version_that_change_are_other_tuners) {
    const autotune_key keys[] = {KEY(1), KEY("text"), {.count = 0}};
    char buffer[8] = "one";
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        EXPECT_TUNED(said(strcpy(buffer, "one"), NULL, keys[k]), 1);
        EXPECT_TUNED(said(strcpy(buffer, "two"), NULL, keys[k]), 0);
        EXPECT_TUNED(said("two", strcpy(buffer, "1"), keys[k]), 1);
        EXPECT_TUNED(said("two", strcpy(buffer, "2"), keys[k]), 0);
        EXPECT_TUNED(said(NULL, strcpy(buffer, "1"), keys[k]), 0);
        EXPECT_TUNED(said(NULL, NULL, keys[k]), 1);
        EXPECT_HIT(said("one", NULL, keys[k]), 1);
        EXPECT_HIT(said(strcpy(buffer, "two"), NULL, keys[k]), 0);
        EXPECT_HIT(said("two", strcpy(buffer, "1"), keys[k]), 1);
        EXPECT_HIT(said("two", "2", keys[k]), 0);
        EXPECT_HIT(said(NULL, "1", keys[k]), 0);
        EXPECT_HIT(said(NULL, NULL, keys[k]), 1);
        EXPECT_FOUND(said("one", "", keys[k]), 1); /* an empty version is the same as no version */
        EXPECT_HIT(said("one", "", keys[k]), 1);
    }
}
Test(keys, a_hundred_names_stay_hits) {
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "name %d", i);
        EXPECT_TUNED(said(name, NULL, KEY(1)), i & 1);
    }
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "name %d", i);
        EXPECT_HIT(said(name, NULL, KEY(1)), i & 1);
    }
}
/* One tuner, by its default name, and by a .name with the same text. */
static answer unnamed_or_named(bool named) {
    if (named)
        AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice),
                 .name = "suite_keys.c:unnamed_or_named", .backend = virtual_backend(), .result = &result);
    else
        AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .backend = virtual_backend(),
                 .result = &result);
    return answer_of_call();
}
Test(keys, a_name_that_is_said_may_be_the_default_of_another_statement) {
    EXPECT_TUNED(unnamed_or_named(false), 1);
    EXPECT_FOUND(unnamed_or_named(true), 1);
    EXPECT_HIT(unnamed_or_named(true), 1);
    EXPECT_HIT(unnamed_or_named(false), 1);
    EXPECT_INT(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    EXPECT_TUNED(unnamed_or_named(true), 0);
    EXPECT_FOUND(unnamed_or_named(false), 0);
}
static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    /* the function is not told what is a trial, so trials count as calls */
    return run(false, (int)config->values[0]), AUTOTUNE_OK;
}
static answer created(autotune_tuner *tuner, const char *name, const char *version) {
    autotune_call(tuner, &(autotune_options){.name = name,
                                             .version = version,
                                             .backend = virtual_backend(),
                                             .result = &result});
    return descriptions = 0, (answer){result.cache_hit, true, (int)result.index};
}
Test(keys, a_created_tuner_listens_to_names_and_versions_too) {
    static const int64_t values[] = {0, 1};
    const autotune_axis axis = {.name = "choice", .values = values, .count = 2};
    autotune_tuner *tuner = autotune_create(
        &(autotune_desc){.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created});
    cr_assert(tuner);
    EXPECT_TUNED(created(tuner, NULL, NULL), 0);
    EXPECT_TUNED(created(tuner, "other", NULL), 1);
    EXPECT_TUNED(created(tuner, NULL, "2"), 1);
    EXPECT_HIT(created(tuner, NULL, NULL), 0);
    EXPECT_HIT(created(tuner, "other", NULL), 1);
    EXPECT_HIT(created(tuner, NULL, "2"), 1);
    autotune_destroy(tuner);
}

/* ---- A key that no KEY(...) makes is an error everywhere --------------------------------------------------------- */

Test(keys, too_many_parts_are_an_error_everywhere) {
    static const int64_t values[] = {0, 1};
    const autotune_axis axis = {.name = "choice", .values = values, .count = 2};
    const uint32_t counts[] = {9, 14, 15, 33, UINT32_MAX - 1, UINT32_MAX};
    autotune_tuner *tuner = autotune_create(
        &(autotune_desc){.name = "parts", .axes = &axis, .axis_count = 1, .launch = launch_created});
    autotune_config winner;
    for (int known = 0; known < 2; known++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const autotune_key key = {.count = counts[i]};
            const autotune_options options = {.key = key, .backend = virtual_backend(), .result = &result};
            const int before = runs_for_real;
            EXPECT_INT(autotune_call(tuner, &options), AUTOTUNE_ERR_ARGUMENT);
            EXPECT_CONTAINS(autotune_last_error(), "more than 8 parts");
            EXPECT_INT(autotune_tune(tuner, &options), AUTOTUNE_ERR_ARGUMENT);
            EXPECT_INT(autotune_add(tuner, &options), AUTOTUNE_ERR_ARGUMENT);
            EXPECT_INT(autotune_lookup("parts", key, &winner), AUTOTUNE_ERR_ARGUMENT);
            EXPECT_INT(autotune_clear(NULL, &key, AUTOTUNE_MEMORY), AUTOTUNE_ERR_ARGUMENT);
            here(key);
            EXPECT_INT(result.status, AUTOTUNE_ERR_ARGUMENT);
            EXPECT_INT(runs_for_real, before + 2); /* launches the first configuration, untuned */
        }
        EXPECT_TUNED(here((autotune_key){.count = 0}), 1);
        EXPECT_INT(autotune_call(tuner, &(autotune_options){.backend = virtual_backend()}), AUTOTUNE_OK);
        EXPECT_INT(autotune_clear("shared", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    }
    autotune_destroy(tuner);
}

/* ---- Several parts ----------------------------------------------------------------------------------------------- */

static answer with_eight(signed char a, unsigned short b, int c, unsigned long long d, bool e, float f, double g,
                         const char *h) {
    AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .key = KEY(a, b, c, d, e, f, g, h),
             .backend = virtual_backend(), .result = &result);
    return answer_of_call();
}
Test(keys, each_of_eight_parts_counts) {
    EXPECT_TUNED(with_eight(-1, 2, 3, 4, true, 6, 7, "8"), 0);
    for (int again = 0; again < 2; again++) {
#define EXPECT_OTHER(call)         \
    do {                           \
        if (again)                 \
            EXPECT_HIT(call, 1);   \
        else                       \
            EXPECT_TUNED(call, 1); \
    } while (0)
        EXPECT_OTHER(with_eight(0, 2, 3, 4, true, 6, 7, "8"));
        EXPECT_OTHER(with_eight(-1, 0, 3, 4, true, 6, 7, "8"));
        EXPECT_OTHER(with_eight(-1, 2, 0, 4, true, 6, 7, "8"));
        EXPECT_OTHER(with_eight(-1, 2, 3, 0, true, 6, 7, "8"));
        EXPECT_OTHER(with_eight(-1, 2, 3, 4, false, 6, 7, "8"));
        EXPECT_OTHER(with_eight(-1, 2, 3, 4, true, 0, 7, "8"));
        EXPECT_OTHER(with_eight(-1, 2, 3, 4, true, 6, 0, "8"));
        EXPECT_OTHER(with_eight(-1, 2, 3, 4, true, 6, 7, "0"));
        EXPECT_HIT(with_eight(-1, 2, 3, 4, true, 6, 7, "8"), 0);
    }
}

static answer with_eight_integers(const int *v) {
    AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice),
             .key = KEY(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]), .backend = virtual_backend(),
             .result = &result);
    return answer_of_call();
}
Test(keys, each_of_eight_integers_counts) { /* a hit compares integers directly. A string would need the table */
    int values[8] = {0};
    EXPECT_TUNED(with_eight_integers(values), 0);
    for (int part = 0; part < 8; part++) {
        values[part] = 1;
        EXPECT_TUNED(with_eight_integers(values), 1);
        EXPECT_HIT(with_eight_integers(values), 1);
        values[part] = 0;
        EXPECT_HIT(with_eight_integers(values), 0);
    }
}

Test(keys, the_order_and_the_number_of_parts_count) {
    const autotune_key none = {0};
    EXPECT_ALL_DIFFERENT(KEY(1, 2), KEY(2, 1), KEY(1), KEY(1, 0), KEY(0, 1), KEY(0), KEY(0, 0), KEY(0, 0, 0), none);
}

Test(keys, separators_inside_strings_confuse_nothing) {
    EXPECT_ALL_DIFFERENT(KEY("a,b"), KEY("a", "b"), KEY("a", "", "b"), KEY("a,", "b"), KEY("a", ",b"), KEY("5:x"),
                         KEY("x"), KEY("13:1:x"), KEY("a,13:1:b"), KEY("a", "1:b"), KEY("1", 2), KEY("1,2"),
                         KEY("1,3:2"), KEY("a\nb"), KEY("a", "\nb"), KEY(""), KEY("", ""), KEY((const char *)NULL),
                         KEY("NULL"), KEY("a", (const char *)NULL), KEY("a,13:NULL"));
}

Test(keys, equal_bits_of_different_types_are_different_keys) {
    int64_t bits;
    const double one = 1;
    memcpy(&bits, &one, sizeof bits);
    EXPECT_ALL_DIFFERENT(KEY(one), KEY(bits), KEY(one, 1), KEY(bits, 1));
}

/* ---- Keys of equal hash ------------------------------------------------------------------------------------------ */

/* The hash multiplies and mixes the word of each part, which can be undone, and adds the results. So for each first
   part there is a second part with which the hash of the key is the same. */

static const uint64_t multiplier = 0x9E3779B97F4A7C15u, second_multiplier = 0xBF58476D1CE4E5B9u;
/* modulo 2^64, by Newton's method: each step doubles the number of right bits */
static uint64_t inverse_of(uint64_t odd) {
    uint64_t inverse = odd;
    for (int step = 0; step < 5; step++) inverse *= 2 - odd * inverse;
    return inverse;
}
/* The hash of numbers is the hash of a sum of products. */
static uint64_t colliding_number(uint64_t first, uint64_t second, uint64_t other) {
    return second + (first - other) * multiplier * inverse_of(second_multiplier);
}
static uint64_t mixed(uint64_t word) {
    word *= multiplier;
    return word ^ word >> 32;
}
static uint64_t unmixed(uint64_t word) { return (word ^ word >> 32) * inverse_of(multiplier); }
static uint64_t rotated(uint64_t hash) { return hash << 23 | hash >> 41; }
/* the hash after the first of two parts */
static uint64_t after_first_part(uint64_t word) { return rotated(rotated(2) + mixed(word)); }
/* Returns the second part with which a key that begins with `other` has the same hash as the key (first, second). */
static uint64_t colliding(uint64_t first, uint64_t second, uint64_t other) {
    return unmixed(after_first_part(first) + mixed(second) - after_first_part(other));
}
static void expect_told_apart(autotune_key a, autotune_key b) {
    cr_assert_eq(hash_of_key(&a), hash_of_key(&b),
                 "no collision: this test follows the hash function, which has changed");
    EXPECT_TUNED(here(a), 0);
    EXPECT_TUNED(here(b), 1);
    EXPECT_FOUND(there(b), 1);
    EXPECT_FOUND(there(a), 0);
    for (int again = 0; again < 2; again++) {
        EXPECT_HIT(here(a), 0);
        EXPECT_HIT(here(b), 1);
        EXPECT_HIT(there(b), 1);
        EXPECT_HIT(there(a), 0);
    }
}

Test(keys, numbers_of_equal_hash_are_told_apart) {
    const uint64_t second = colliding_number(512, 256, 1024);
    expect_told_apart(KEY((uint64_t)512, (uint64_t)256), KEY((uint64_t)1024, second));
}
Test(keys, strings_of_equal_hash_are_told_apart) {
    const uint64_t second = colliding(hash_of_string("nchw"), 256, hash_of_string("nhwc"));
    expect_told_apart(KEY("nchw", (uint64_t)256), KEY("nhwc", second));
}
Test(keys, different_types_of_equal_hash_are_told_apart) {
    const double half = 0.5;
    uint64_t bits;
    memcpy(&bits, &half, sizeof bits);
    expect_told_apart(KEY(half, 3), KEY(bits, 3));
}

/* ---- Many keys --------------------------------------------------------------------------------------------------- */

DEFINE_TYPED_SITE(of_many, int)
Test(keys, a_thousand_keys_stay_hits_as_the_table_grows) {
    static const int sizes[] = {1, 8, 64, 1000};
    int known = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (; known < sizes[s]; known++) EXPECT_TUNED(of_many(known), known % 3 == 0);
        for (int i = 0; i < known; i++) EXPECT_HIT(of_many(i), i % 3 == 0);
        for (int i = known; i-- > 0;) EXPECT_HIT(of_many(i), i % 3 == 0);
    }
}
static const char *numbered(char name[16], int i) { return snprintf(name, 16, "layer_%d", i), name; }
Test(keys, many_strings_stay_hits_in_both_call_sites) {
    char name[16];
    for (int i = 0; i < 200; i++) EXPECT_TUNED(here(KEY(numbered(name, i), i % 2)), i % 3 == 0);
    for (int i = 200; i-- > 0;) EXPECT_FOUND(there(KEY(numbered(name, i), i % 2)), i % 3 == 0);
    for (int i = 200; i-- > 0;) EXPECT_HIT(there(KEY(numbered(name, i), i % 2)), i % 3 == 0);
    for (int i = 0; i < 200; i++) EXPECT_HIT(here(KEY(numbered(name, i), i % 2)), i % 3 == 0);
}

/* ---- How messages show a key ------------------------------------------------------------------------------------- */

/* In mode REQUIRE a miss is an error. Its sentence has the text of the key. */
#define EXPECT_KEY_TEXT(text, ...) \
    do { \
        AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .key = KEY(__VA_ARGS__), \
                 .mode = AUTOTUNE_REQUIRE, \
                 .backend = virtual_backend()); \
        EXPECT_CONTAINS(autotune_last_error(), " [" text "]: "); \
    } while (0)
static int larger(int a, int b) { return a > b ? a : b; }

Test(keys, messages_show_the_parts_by_name_and_value) {
    const int n = 512, m = -3;
    const char *layout = "nchw", *absent = NULL;
    const double scale = 0.5;
    const bool ready = true;
    const uint64_t bytes = UINT64_MAX;
    const int64_t least = INT64_MIN;
    EXPECT_KEY_TEXT("n=512", n);
    EXPECT_KEY_TEXT("n=512, m=-3, layout=nchw, scale=0.5, ready=1", n, m, layout, scale, ready);
    EXPECT_KEY_TEXT("bytes=18446744073709551615, least=-9223372036854775808", bytes, least);
    EXPECT_KEY_TEXT("absent=NULL", absent);
    EXPECT_KEY_TEXT("larger(n, m)=512, n=512", larger(n, m), n);
    EXPECT_KEY_TEXT("7, n=512", 7, n); /* the name of a literal is its text */
    EXPECT_KEY_TEXT("1024, n=512", ANCHOR(n + 1), n);
    EXPECT_INT(runs_for_real, 0);
}
static void write_half(bool trial, int choice, float *to) {
    *to = 0.5f + (float)choice;
    run(trial, choice);
}
Test(keys, messages_show_fractions_with_a_point_in_every_locale) { /* a comma separates two parts */
    const double scale = 0.5;
    float half = 0;
    if (!use_decimal_comma_here()) cr_skip_test("no locale with a decimal comma is installed");
    setenv("AUTOTUNE_LOG", "full", 1);
    EXPECT_KEY_TEXT("scale=0.5", scale);
    AUTOTUNE(SPACE(AXIS(choice, 0, 1)), 1, write_half(autotune_trial, choice, &half), .backend = virtual_backend(),
             .outputs = BUFFERS({&half, sizeof half, AUTOTUNE_F32}));
    EXPECT_CONTAINS(logged, "element 0 is 1.5, not 0.5");
}

/* ---- ANCHOR ------------------------------------------------------------------------------------------------------ */

Test(anchor, by_a_table) {
    static const uint64_t highest_power_of_3 = 12157665459056928801u, highest_power_of_10 = 10000000000000000000u,
                          half = (uint64_t)1 << 63;
    const struct {
        uint64_t x, base, min, max, expected;
    } rows[] = {
        {0, 2, 0, 0, 1},
        {1, 2, 0, 0, 1},
        {2, 2, 0, 0, 2},
        {3, 2, 0, 0, 4},
        {1000, 2, 0, 0, 1024},
        {1u << 29, 2, 0, 0, 1u << 29},
        {(1u << 29) + 1, 2, 0, 0, 1u << 30},
        {(1u << 29) - 1, 2, 0, 0, 1u << 29},
        {125, 5, 0, 0, 125},
        {124, 5, 0, 0, 125},
        {126, 5, 0, 0, 625},
        {0, 10, 0, 0, 1},
        {1000, 10, 0, 0, 1000},
        {1001, 10, 0, 0, 10000},
        /* base 0 and 1 mean 2 */
        {3, 0, 0, 0, 4},
        {3, 1, 0, 0, 4},
        {0, 0, 0, 0, 1},
        {UINT64_MAX, 1, 0, 0, UINT64_MAX},
        /* clamped, to bounds that need not be powers */
        {3, 2, 16, 0, 16},
        {3, 2, 10, 0, 10},
        {1000, 2, 0, 256, 256},
        {1000, 2, 0, 1000, 1000},
        {100, 2, 16, 64, 64},
        {1, 2, 16, 64, 16},
        {30, 2, 16, 64, 32},
        {16, 2, 16, 64, 16},
        {64, 2, 16, 64, 64},
        {0, 2, 16, 64, 16},
        /* near 2^64 */
        {half, 2, 0, 0, half},
        {half - 1, 2, 0, 0, half},
        {half + 1, 2, 0, 0, UINT64_MAX},
        {UINT64_MAX, 2, 0, 0, UINT64_MAX},
        {half + 1, 2, 0, 4096, 4096},
        {highest_power_of_3, 3, 0, 0, highest_power_of_3},
        {highest_power_of_3 + 1, 3, 0, 0, UINT64_MAX},
        {highest_power_of_10, 10, 0, 0, highest_power_of_10},
        {highest_power_of_10 + 1, 10, 0, 0, UINT64_MAX},
        {3, half + 1, 0, 0, half + 1},
        {3, UINT64_MAX, 0, 0, UINT64_MAX},
        {UINT64_MAX, UINT64_MAX, 0, 0, UINT64_MAX},
        {1, UINT64_MAX, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t bucket = autotune_anchor(rows[i].x, rows[i].base, rows[i].min, rows[i].max);
        cr_expect(bucket == rows[i].expected, "anchor(%ju, %ju, %ju, %ju) is %ju and not %ju", (uintmax_t)rows[i].x,
                  (uintmax_t)rows[i].base, (uintmax_t)rows[i].min, (uintmax_t)rows[i].max, (uintmax_t)bucket,
                  (uintmax_t)rows[i].expected);
        EXPECT_INT(ANCHOR(rows[i].x, rows[i].base, rows[i].min, rows[i].max) == bucket, true);
    }
}
Test(anchor, powers_are_their_own_bucket_and_what_lies_above_is_in_the_next) {
    for (uint64_t base = 2; base <= 16; base++)
        for (uint64_t power = base;; power *= base) {
            const bool last = power > UINT64_MAX / base;
            cr_expect(autotune_anchor(power, base, 0, 0) == power, "base %ju, power %ju", (uintmax_t)base,
                      (uintmax_t)power);
            cr_expect(autotune_anchor(power / base + 1, base, 0, 0) == power, "base %ju, above %ju", (uintmax_t)base,
                      (uintmax_t)(power / base));
            cr_expect(autotune_anchor(power + 1, base, 0, 0) == (last ? UINT64_MAX : power * base),
                      "base %ju, above %ju", (uintmax_t)base, (uintmax_t)power);
            if (last) break;
        }
}
Test(keys, the_numbers_of_a_bucket_share_a_winner) {
    for (int n = 513; n <= 1024; n++) {
        if (n == 513)
            EXPECT_TUNED(here(KEY(ANCHOR(n))), 1);
        else
            EXPECT_HIT(here(KEY(ANCHOR(n))), 1);
    }
    EXPECT_TUNED(here(KEY(ANCHOR(1025))), 0);
    EXPECT_TUNED(here(KEY(ANCHOR(512))), 0);
    EXPECT_HIT(here(KEY(ANCHOR(1000, 2, 0, 512))), 0);
}

/* Groups of one rank, as MPI_Comm_split() makes them. The winner of one group is no winner of the other. */
static answer with_ranks(autotune_ranks *ranks, int winner) {
    faster = winner;
    AUTOTUNE(SPACE(AXIS(choice, described(0), 1)), 1, run(autotune_trial, choice), .key = KEY(1), .ranks = ranks,
             .backend = virtual_backend(), .result = &result);
    return answer_of_call();
}
Test(ranks, each_group_is_tuned_for_itself) {
    autotune_ranks groups[2] = {{.count = 1}, {.count = 1}};
    for (int at = 0; at < 2; at++) EXPECT_INT(with_ranks(&groups[at], at).choice, at);
    cr_assert(with_ranks(&groups[0], 1).hit && choice_for_real == 0);
    EXPECT_INT(with_ranks(NULL, 1).choice, 1);
}

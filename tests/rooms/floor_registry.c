/* floor_registry.c - tuners, their keys, and how far keys are apart. */
#include "../../src/site/statements.h"
#include "../../src/registry/records.h"
#include "../../src/registry/key_distance.h"

#include "../expect.h"

Test(records, a_tuner_and_a_key_are_made_once) {
    const autotune_key key = KEY(7, "text"), other = KEY(8, "text");
    autotune__known_tuner *tuner = autotune__tuner_of("identity", "name", "", 1);
    cr_assert(tuner && autotune__tuner_of("identity", "name", "", 1) == tuner && tuner->number == 1);
    EXPECT_INT(autotune__tuner_of("another", "name", "", 2)->number, 2);
    autotune__record *record = autotune__record_of(tuner, "7", &key);
    cr_assert(record && autotune__record_of(tuner, "7", &key) == record);
    cr_assert(autotune__record_of(tuner, "8", &other) != record);
    cr_expect(record->key.word[1] != key.word[1], "its strings are copies");
    EXPECT_STRING(autotune__as_string(record->key.word[1]), "text");
}

static bool count_up_to_two(void *count, const autotune__known_tuner *tuner, autotune__record *record) {
    (void)tuner, (void)record;
    return ++*(int *)count < 2;
}
Test(records, a_walk_ends_when_its_visitor_says_so) {
    const autotune_key key = KEY(1);
    autotune__known_tuner *tuner = autotune__tuner_of("identity", "name", "", 1);
    int count = 0;
    for (const char *text = "abc"; *text; text++) cr_assert(autotune__record_of(tuner, text, &key));
    cr_expect(!autotune__walk(count_up_to_two, &count) && count == 2);
}

static bool apart(autotune_key a, autotune_key b, double least, double most) {
    const double distance = autotune__key_distance(&a, &b);
    return distance >= least && distance <= most && distance == autotune__key_distance(&b, &a);
}
Test(keys, are_as_far_apart_as_there_are_doublings_between_their_numbers) {
    const bool equal = apart(KEY(1024), KEY(1024), 0, 0), doubled = apart(KEY(1023), KEY(2047), 0.999, 1.001),
               four_times = apart(KEY(63), KEY(255), 1.999, 2.001),
               nearly_equal = apart(KEY(1000000000), KEY(1000000001), 1e-9, 1e-8);
    cr_expect(equal && doubled && four_times && nearly_equal);
}
Test(keys, that_no_number_compares_are_eight_doublings_apart) {
    const bool strings = apart(KEY("a"), KEY("b"), 8, 8), signs = apart(KEY(-1), KEY(1), 8, 8),
               truths = apart(KEY((bool)1), KEY((bool)0), 8, 8), sums = apart(KEY(3, "a"), KEY(7, "b"), 8.999, 9.001);
    cr_expect(strings && signs && truths && sums);
}
Test(keys, of_other_parts_are_never_compared) {
    const bool counts = apart(KEY(1), KEY(1, 1), AUTOTUNE__NEVER, AUTOTUNE__NEVER),
               types = apart(KEY(1), KEY(1.0), AUTOTUNE__NEVER, AUTOTUNE__NEVER);
    cr_expect(counts && types);
}

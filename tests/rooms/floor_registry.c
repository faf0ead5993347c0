/* floor_registry.c - entries of call sites, tuners, their keys, how far keys are apart, and when a
   thread gives up waiting for a race. */
#include "../../src/site/statements.h"
#include "../../src/registry/entries.h"
#include "../../src/registry/records.h"
#include "../../src/registry/look_up.h"
#include "../../src/registry/key_distance.h"
#include "../../src/registry/patience.h"

#include "../expect.h"

/* What a hit calls at a site with several keys. A key that it does not find would be found by what follows, but slowly:
   only here does that show. Many keys share a bucket with another one, and differ from it in one part alone. */
enum { ENTRIES = 1000 };
static autotune_key numbered(size_t i) {
    const autotune_key keys[] = {KEY(i), KEY((size_t)7, i), KEY((size_t)7, (size_t)8, i)};
    return keys[i % 3];
}
static const uint64_t *found(const autotune__site *site, const autotune_backend *backend, const autotune_key *key) {
    const uint64_t shape = autotune__shape(key->count, key->types, NULL, NULL), *word = key->word;
    return key->count == 3 ? autotune__find_three(site, backend, shape, word[0], word[1], word[2])
                           : autotune__find_two(site, backend, shape, word[0], key->count > 1 ? word[1] : 0);
}
Test(entries, of_up_to_three_numbers_are_all_found_and_told_apart) {
    static autotune__entry entries[ENTRIES];
    static autotune_backend backend, other;
    autotune__site site = {.last = &AUTOTUNE__NO_ENTRY, .file = ""};
    size_t shared = 0, known = 0, absent = 0;
    const autotune_key any = numbered(0);
    cr_expect(!found(&site, &backend, &any), "there is no table yet");
    for (size_t i = 0; i < ENTRIES; i++) {
        const autotune_key key = numbered(i);
        entries[i].shape = autotune__shape(key.count, key.types, NULL, NULL);
        entries[i].hash = autotune__hash(&key);
        entries[i].backend = &backend;
        for (uint32_t part = 0; part < key.count; part++) entries[i].word[part] = key.word[part];
        autotune__publish(&site, &entries[i]);
    }
    for (size_t i = 0; i < ENTRIES; i++) {
        const autotune_key key = numbered(i), unknown = numbered(ENTRIES + i);
        shared += autotune__places(site.table)[entries[i].hash & site.table->mask] != &entries[i];
        known += found(&site, &backend, &key) == entries[i].value;
        absent += !found(&site, &other, &key) && !found(&site, &backend, &unknown);
    }
    cr_expect(shared > 20 && known == ENTRIES && absent == ENTRIES, "%zu in another bucket, %zu known, %zu absent",
              shared, known, absent);
    autotune__reset_site(&site);
}

/* A winner that is cleared and found again and again: the copy for another backend is found again where it stands. */
Test(entries, that_are_put_back_take_no_second_place) {
    static autotune_backend backend, other;
    static autotune__entry winner;
    const autotune_options options = {.key = KEY(7), .backend = &backend};
    const autotune_result result = {.status = AUTOTUNE_OK};
    autotune__site site = {.last = &AUTOTUNE__NO_ENTRY, .file = ""};
    autotune__record record = {.entry = &winner};
    const autotune__subject subject = {
        .site = &site, .options = {.key = KEY(7), .backend = &other}, .record = &record};
    autotune__be_found_by(&winner, &options);
    winner.word[0] = options.key.word[0];
    autotune__entry *const copy = autotune__look_up(&subject);
    cr_assert(copy && copy != &winner && copy->backend == &other);
    for (int i = 0; i < 100; i++) {
        autotune__retire(&winner);
        autotune__put_entry_back(&winner, &options, &result);
        cr_assert(autotune__look_up(&subject) == copy);
    }
    EXPECT_INT(site.table->used, 1);
    autotune__reset_site(&site);
}

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

/* A thread looks at a race 40 times a second, for ten seconds. The clock of computing shows whole steps. */
enum { LOOKS = 400 };
static const uint64_t second = 1000000000u;
static uint64_t whole_steps(uint64_t ns) { return ns - ns % AUTOTUNE__COMPUTED_STEP_NS; }
static int patient_looks(int64_t (*besides)(uint64_t ns)) { /* how many until the thread gives up */
    autotune__progress race = {.steps = 1};
    autotune__watch watch = {.race = NULL};
    int looks = 0;
    while (looks < LOOKS) {
        const uint64_t ns = (uint64_t)looks * autotune__between_looks;
        if (!autotune__makes_progress(&watch, &race, second + ns, besides(ns), 60 * second)) break;
        looks++;
    }
    return looks;
}
static int64_t a_thirtieth(uint64_t ns) { return (int64_t)whole_steps(ns / 30); }
static int64_t nothing(uint64_t ns) { return (void)ns, 0; }
/* Every tenth look the process has computed for a step more, and the next look knows that a waiting thread did. */
static int64_t what_waiting_took(uint64_t ns) {
    const int64_t step = AUTOTUNE__COMPUTED_STEP_NS > 1 ? AUTOTUNE__COMPUTED_STEP_NS : 10000000;
    return ns / autotune__between_looks % 10 == 2 ? step : 0;
}
Test(turns, of_a_race_with_a_small_share_of_its_processor_are_waited_for) {
    EXPECT_INT(patient_looks(a_thirtieth), LOOKS);
}
Test(turns, of_a_race_that_computes_nothing_are_given_up) {
    const int moment = (int)(autotune__moment / autotune__between_looks);
    EXPECT_INT(patient_looks(nothing), moment + 1);
    const int looks = patient_looks(what_waiting_took);
    cr_expect(looks <= moment + 3, "%d looks", looks);
}

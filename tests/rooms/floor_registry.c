/* floor_registry.c - entries of call sites, tuners, their keys, how far keys are apart, and when a
   thread gives up waiting for a race. */
#include "../../src/site/statements.h"
#include "../../src/registry/entries.h"
#include "../../src/registry/tuners.h"
#include "../../src/registry/look_up.h"
#include "../../src/registry/nearest_keys.h"
#include "../../src/registry/thread_turns.h"
#include "../../src/registry/stand_ins.h"

#include "../expect.h"

/* Calls the function that a hit calls at a site with several keys. A call would also find a key that this function does
   not find, but slowly. So only this test shows such an error. Many keys share a bucket with another key that differs
   in one part only. */
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
        entries[i].scope.backend = &backend;
        for (uint32_t part = 0; part < key.count; part++) entries[i].word[part] = key.word[part];
        autotune__publish(&site, &entries[i]);
    }
    for (size_t i = 0; i < ENTRIES; i++) {
        const autotune_key key = numbered(i), unknown = numbered(ENTRIES + i);
        shared += autotune__buckets(site.table)[entries[i].hash & site.table->mask] != &entries[i];
        known += found(&site, &backend, &key) == entries[i].value;
        absent += !found(&site, &other, &key) && !found(&site, &backend, &unknown);
    }
    cr_expect(shared > 20 && known == ENTRIES && absent == ENTRIES, "%zu in another bucket, %zu known, %zu absent",
              shared, known, absent);
    autotune__reset_site(&site);
}

/* Two backends clear a winner and find it again, many times. Each backend keeps one entry, in its place. */
Test(entries, that_are_revived_take_no_second_place) {
    static autotune_backend backend, other;
    const autotune_options options = {.key = KEY(7), .backend = &backend};
    const autotune_result result = {.status = AUTOTUNE_OK};
    autotune__site site = {.last = &AUTOTUNE__NO_ENTRY, .file = ""};
    autotune__known_tuner *tuner = autotune__tuner_of("identity", "name", "", "", 1, 1);
    autotune__known_key *known_key = autotune__known_key_of(tuner, "7", &options.key);
    const autotune__subject subject = {
        .site = &site, .options = {.key = KEY(7), .backend = &other}, .known_key = known_key};
    const uint64_t values[AUTOTUNE_MAX_AXES] = {3};
    autotune__entry *winner = NULL, *copy = NULL;
    for (int i = 0; i < 100; i++) {
        autotune__entry *const entry = autotune__retired_entry(known_key, &options, values, 0, false);
        cr_assert(entry && (!winner || entry == winner));
        winner = known_key->entry = entry;
        autotune__revive(entry, &site, &options, 0, &result);
        autotune__entry *const like = autotune__look_up(&subject);
        cr_assert(like && like != winner && like->scope.backend == &other && (!copy || like == copy));
        copy = like;
        cr_assert(autotune__find_by_options(&site, &options) == winner->value);
        autotune__retire(known_key, false);
        cr_assert(!autotune__find_by_options(&site, &options) && !autotune__find_by_options(&site, &subject.options));
    }
    EXPECT_INT(site.table->used, 2);
    const autotune_options named = {.key = KEY(7), .backend = &backend, .name = "name"};
    const uint64_t other_values[AUTOTUNE_MAX_AXES] = {4};
    const autotune__entry *const unlike[] = {autotune__retired_entry(known_key, &options, other_values, 0, false),
                                             autotune__retired_entry(known_key, &options, values, 5, false),
                                             autotune__retired_entry(known_key, &options, values, 0, true),
                                             autotune__retired_entry(known_key, &named, values, 0, false)};
    for (int i = 0; i < 4; i++) cr_expect(unlike[i] && unlike[i] != winner && unlike[i] != copy, "%d", i);
    autotune__reset_site(&site);
}

/* Keys whose parts are not compared in registers. Each statement finds only its own entry, in the place of the last
   entry or in the table. */
Test(entries, of_strings_names_versions_and_ranks_are_told_apart) {
    static autotune_backend backend, other;
    static autotune_ranks ranks, others;
    const autotune_options all[] = {
        {.key = KEY("a"), .backend = &backend},
        {.key = KEY("b"), .backend = &backend},
        {.key = KEY("a"), .backend = &other},
        {.key = KEY("a"), .backend = &backend, .ranks = &ranks},
        {.key = KEY("a"), .backend = &backend, .ranks = &others},
        {.key = KEY("a"), .backend = &backend, .name = "x"},
        {.key = KEY("a"), .backend = &backend, .name = "y"},
        {.key = KEY("a"), .backend = &backend, .version = "x"},
        {.key = KEY("a"), .backend = &backend, .version = "y"},
        {.key = KEY("a"), .backend = &backend, .name = "x", .version = "y"},
        {.key = KEY("a", "b"), .backend = &backend},
        {.key = KEY((const char *)NULL), .backend = &backend},
        {.key = KEY(1, 2, 3, 4), .backend = &backend},
    };
    enum { KINDS = sizeof all / sizeof *all };
    const uint64_t values[AUTOTUNE_MAX_AXES] = {3};
    const autotune_result result = {.status = AUTOTUNE_OK};
    autotune__site site = {.last = &AUTOTUNE__NO_ENTRY, .file = ""};
    const autotune__entry *made[KINDS];
    for (int i = 0; i < KINDS; i++) {
        autotune__known_tuner *tuner =
            autotune__tuner_of("identity", all[i].name ? all[i].name : "", all[i].version ? all[i].version : "", "", 1,
                               1);
        autotune__known_key *known_key = autotune__known_key_of(tuner, (char[]){(char)('a' + i), 0}, &all[i].key);
        autotune__known_tuner named = *tuner;
        named.name = all[i].name;
        named.version = all[i].version;
        known_key->tuner = &named;
        for (int k = i; k < KINDS; k++) cr_expect(!autotune__find_by_options(&site, &all[k]), "%d among %d", k, i);
        autotune__entry *const entry = autotune__retired_entry(known_key, &all[i], values, 0, false);
        made[i] = entry;
        autotune__revive(entry, &site, &all[i], 0, &result);
        known_key->tuner = tuner;
        for (int k = 0; k <= i; k++) {
            autotune_options again = all[k];
            again.name = again.name ? strdup(again.name) : NULL;
            cr_expect(autotune__find_by_options(&site, &again) == made[k]->value, "%d after %d", k, i);
            cr_expect(!autotune__find_marked(site.table, &again, autotune__mark_of_mode(AUTOTUNE_ONLINE)));
            free((void *)(uintptr_t)again.name);
        }
    }
    autotune__reset_site(&site);
}

Test(tuners, a_tuner_and_a_key_are_made_once) {
    const autotune_key key = KEY(7, "text"), other = KEY(8, "text");
    autotune__known_tuner *tuner = autotune__tuner_of("identity", "name", "", "", 1, 1);
    cr_assert(tuner && autotune__tuner_of("identity", "name", "", "", 1, 1) == tuner && tuner->number == 1);
    EXPECT_INT(autotune__tuner_of("another", "name", "", "", 2, 2)->number, 2);
    autotune__known_key *known_key = autotune__known_key_of(tuner, "7", &key);
    cr_assert(known_key && autotune__known_key_of(tuner, "7", &key) == known_key);
    cr_assert(autotune__known_key_of(tuner, "8", &other) != known_key);
    cr_expect(known_key->key.word[1] != key.word[1], "its strings are copies");
    EXPECT_STRING(autotune__as_string(known_key->key.word[1]), "text");
}

Test(tuners, their_keys_come_in_the_order_of_their_first_use) {
    const autotune_key key = KEY(1);
    autotune__known_tuner *first = autotune__tuner_of("identity", "name", "", "", 1, 1),
                          *second = autotune__tuner_of("another", "name", "", "", 1, 1);
    const autotune__known_key *const made[] = {autotune__known_key_of(first, "a", &key),
                                               autotune__known_key_of(second, "a", &key),
                                               autotune__known_key_of(first, "b", &key)};
    const autotune__known_key *at = autotune__known_keys;
    autotune__known_key_of(second, "a", &key);
    for (int i = 0; i < 3; i++, at = at->next) cr_assert(at && at == made[i]);
    cr_expect(!at && made[1]->tuner == second);
}

static bool apart(autotune_key a, autotune_key b, double least, double most) {
    const autotune__nearest nearest = {.most = AUTOTUNE__NEVER};
    const double distance = autotune__key_distance(&nearest, &a, &b);
    return distance >= least && distance <= most && distance == autotune__key_distance(&nearest, &b, &a);
}
Test(keys, are_as_far_apart_as_their_numbers_have_ratios) {
    const bool equal = apart(KEY(1024), KEY(1024), 1, 1), doubled = apart(KEY(1024), KEY(2048), 2, 2),
               eight_times = apart(KEY(64, 32), KEY(256, 64), 8, 8), negative = apart(KEY(-3), KEY(-6), 2, 2),
               nearly_equal = apart(KEY(1000000000), KEY(1000000001), 1.0000000009, 1.0000000011);
    cr_expect(equal && doubled && eight_times && negative && nearly_equal);
}
Test(keys, that_no_number_compares_are_far_apart) {
    const bool strings = apart(KEY("a"), KEY("b"), 256, 256), signs = apart(KEY(-1), KEY(1), 256, 256),
               truths = apart(KEY((bool)1), KEY((bool)0), 256, 256), zeros = apart(KEY(0), KEY(1), 256, 256),
               both = apart(KEY(4, "a"), KEY(8, "b"), 512, 512);
    cr_expect(strings && signs && truths && zeros && both);
}
Test(keys, of_other_parts_are_never_compared) {
    const bool counts = apart(KEY(1), KEY(1, 1), AUTOTUNE__NEVER, AUTOTUNE__NEVER),
               types = apart(KEY(1), KEY(1.0), AUTOTUNE__NEVER, AUTOTUNE__NEVER);
    cr_expect(counts && types);
}
Test(keys, of_which_one_part_is_too_far_away_are_no_neighbours) {
    const autotune__nearest nearest = {.most = 2};
    const autotune_key key = KEY(8, 8), nearby = KEY(16, 4), distant = KEY(17, 8);
    cr_expect(autotune__key_distance(&nearest, &key, &nearby) == 4);
    cr_expect(!autotune__is_definite(autotune__key_distance(&nearest, &key, &distant)));
}

/* A thread looks at a race 40 times a second, until it gives up, or for ten seconds. Returns the number of looks. The
   race makes a step in every `looks_for_a_step` looks. */
enum { LOOKS = 400, A_SECOND = 40 };
static int patient_looks(int looks_for_a_step, uint64_t longest_ns) {
    autotune__progress race = {.longest_ns = longest_ns};
    autotune__seen_progress seen = {.race = NULL};
    int looks = 0;
    for (; looks < LOOKS; looks++) {
        if (looks % looks_for_a_step == 0) autotune__count_step(&race);
        if (!autotune__makes_progress(&seen, &race, 1 + (uint64_t)looks * autotune__poll_ns)) break;
    }
    return looks;
}
Test(turns, of_a_race_that_stands_still_are_given_up) {
    EXPECT_INT(patient_looks(LOOKS, 0), A_SECOND + 1);
    EXPECT_INT(patient_looks(LOOKS, 500000000), 2 * A_SECOND + 1);
}
Test(turns, of_a_race_that_goes_on_are_waited_for) { EXPECT_INT(patient_looks(A_SECOND, 0), LOOKS); }
/* After a change a stand-in is out of date, until a statement has looked for a winner again. */
Test(stand_ins, are_up_to_date_until_a_change_and_again_after_a_new_look) {
    const autotune_options options = {.key = KEY(7)};
    const autotune_result result = {.status = AUTOTUNE_ERR_MISS};
    autotune__site site = {.last = &AUTOTUNE__NO_ENTRY, .file = ""};
    const autotune_mode mode = AUTOTUNE_REQUIRE;
    autotune__put_stand_in(&site, &options, mode, autotune__changes_so_far(), &result, "there is no winner", NULL);
    const autotune__stand_in *stand_in = autotune__find_stand_in(&site, &options, mode);
    cr_assert(stand_in && autotune__is_up_to_date(stand_in, mode));
    autotune__announce();
    cr_expect(!autotune__is_up_to_date(stand_in, mode));
    autotune__put_stand_in(&site, &options, mode, autotune__changes_so_far(), &result, "there is no winner", NULL);
    cr_expect(autotune__is_up_to_date(stand_in, mode));
    cr_expect(autotune__find_stand_in(&site, &options, mode) == stand_in);
    cr_expect(!autotune__answer_without_winner(stand_in, NULL));
    EXPECT_CONTAINS(autotune_last_error(), "there is no winner");
    autotune__reset_site(&site);
}

/* Many keys are equally near. The four nearest keys are the first of all keys sorted by distance and words, in whatever
   order the keys are added. */
enum { SOME = 40 };
typedef struct known { double distance; autotune_key key; } known;
static int order_known(const void *left, const void *right) {
    const known *a = left, *b = right;
    if (a->distance < b->distance || a->distance > b->distance) return a->distance < b->distance ? -1 : 1;
    return memcmp(a->key.word, b->key.word, sizeof a->key.word);
}
Test(nearest, are_those_that_stand_first_when_all_are_sorted) {
    const autotune_key mine = KEY(8, 8, 8);
    static known all[SOME];
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        autotune__nearest nearest = {.most = 2};
        for (size_t i = 0; i < SOME; i++) {
            const unsigned drawn = (unsigned)((random = random * 6364136223846793005u + 1442695040888963407u) >> 40);
            const autotune_key key = KEY(4 << drawn % 4, 4 << drawn / 4 % 4, 4 << drawn / 16 % 4);
            all[i].distance = autotune__key_distance(&nearest, &mine, &key);
            all[i].key = key;
            if (autotune__has_place(&nearest, all[i].distance))
                autotune__add_near(&nearest, &key, all[i].distance, NULL, i);
        }
        qsort(all, SOME, sizeof *all, order_known);
        size_t kept = 0;
        for (size_t i = 0; i < SOME && kept < AUTOTUNE__NEAR_KEYS; i++) {
            const autotune_key *its = &nearest.keys[kept].key;
            if (!autotune__is_definite(all[i].distance)) break;
            if (i && !memcmp(all[i].key.word, all[i - 1].key.word, sizeof its->word)) continue;
            cr_expect(kept < nearest.count && !memcmp(its->word, all[i].key.word, sizeof its->word),
                      "round %d, key %zu", round, kept);
            kept++;
        }
        cr_expect(kept >= 3 && nearest.count == kept);
    }
}
/* A key that belongs to another call is dropped from the nearest keys, wherever it stands. The others keep their
   order. */
Test(nearest, one_that_is_dropped_leaves_the_others_in_order) {
    const autotune_key mine = KEY(8), all[] = {KEY(9), KEY(10), KEY(11)};
    for (size_t dropped = 0; dropped < 3; dropped++) {
        autotune__nearest nearest = {.most = 2};
        for (size_t i = 0; i < 3; i++)
            autotune__add_near(&nearest, &all[i], autotune__key_distance(&nearest, &mine, &all[i]), NULL, i);
        cr_assert_eq(nearest.count, 3u);
        autotune__drop_near(&nearest, dropped);
        cr_assert_eq(nearest.count, 2u);
        for (size_t i = 0; i < 2; i++) cr_expect_eq(nearest.keys[i].line, i + (i >= dropped), "without %zu", dropped);
    }
}

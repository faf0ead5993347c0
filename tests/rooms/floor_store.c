/* floor_store.c - lines of the cache as text: sound lines, torn lines that are skipped, older and newer lines. Also a
   file that is read in pieces, and finalists that are duelled again although memory runs out. */
#include <stdlib.h>
static long until_failure = -1; /* how many allocations succeed before one fails; -1: all succeed */
static void *allocate_or_fail(void *old, size_t bytes) {
    return until_failure >= 0 && until_failure-- == 0 ? NULL : realloc(old, bytes);
}
#define AUTOTUNE_REALLOC(old, bytes) allocate_or_fail(old, bytes)
#define AUTOTUNE_FREE(block)         free(block)
#include "../../src/site/statements.h"
#include "../../src/store/file.h"
#include "../../src/store/disk.h"
#include "../../src/store/lines.h"
#include "../../src/store/read_record.h"
#include "../../src/store/unsure_winner.h"

#include "../expect.h"

/* Returns a sound line with this identity and fingerprint, and with these members. */
static const char *line_of(unsigned id, unsigned fingerprint, const char *rest) {
    static char line[512];
    const int length = snprintf(line, sizeof line - AUTOTUNE__CRC_BYTES,
                                "{\"autotune\":1,\"id\":\"%016x\",\"fingerprint\":\"%016x\",\"machine\":"
                                "\"00000000000000aa\",\"date\":\"2026-11-20T14:05:09Z\",%s",
                                id, fingerprint, rest);
    snprintf(line + length, AUTOTUNE__CRC_BYTES + 1, ",\"crc\":\"%08x\"}", autotune__crc(line, (size_t)length));
    return line;
}
static autotune__soundness soundness(const char *line, autotune__head *head) {
    return autotune__read_head("autotune", line, strlen(line), true, head);
}

Test(lines, the_checksum_is_zlibs) {
    cr_expect(autotune__crc("123456789", 9) == 0xCBF43926u);
    /* long enough for steps of four bytes */
    cr_expect(autotune__crc("The quick brown fox jumps over the lazy dog", 43) == 0x414FA339u);
    cr_expect(autotune__crc("", 0) == 0);
}
Test(lines, a_sound_head_is_read) {
    autotune__head head;
    const char *line = line_of(0x12, 0x34, "\"unfinished\":true,\"tuner\":\"a\\\"}b\",\"key\":{\"n\":\"}\"}");
    cr_assert(soundness(line, &head) == AUTOTUNE__SOUND);
    cr_expect(head.identity.id == 0x12 && head.identity.fingerprint == 0x34 && head.identity.machine == 0xaa);
    cr_expect(head.unfinished && head.key_length == strlen("{\"n\":\"}\"}") &&
              !memcmp(line + head.key, "{\"n\":\"}\"}", head.key_length));
}
Test(lines, every_bit_that_flips_is_seen) {
    autotune__head head;
    char line[512];
    snprintf(line, sizeof line, "%s", line_of(1, 2, "\"tuner\":\"t\",\"key\":{}"));
    const size_t length = strlen(line);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        line[bit / 8] = (char)(line[bit / 8] ^ 1 << bit % 8);
        cr_expect(autotune__read_head("autotune", line, length, true, &head) == AUTOTUNE__DAMAGED, "bit %zu", bit);
        line[bit / 8] = (char)(line[bit / 8] ^ 1 << bit % 8);
    }
    cr_expect(soundness(line, &head) == AUTOTUNE__SOUND);
}
Test(lines, no_prefix_of_a_line_is_sound) {
    autotune__head head;
    const char *line = line_of(1, 2, "\"tuner\":\"t\",\"key\":{}");
    for (size_t length = 0; length < strlen(line); length++)
        cr_expect(autotune__read_head("autotune", line, length, true, &head) == AUTOTUNE__DAMAGED, "%zu", length);
}

Test(lines, a_date_has_one_form) {
    static const char *const others[] = {"*/#include</tmp/x>/*", "2026-11-20 14:05:09Z", "2026-11-20T14:05:09z",
                                         "2026-1a-20T14:05:09Z", "=2026-11-20T14:05:0Z", "\x1b[2J-11-20T14:05:09Z",
                                         "2026-11-20T14:05:9Z\""};
    static const char date[] = "2026-11-20T14:05:09Z";
    autotune__head head;
    char line[512];
    cr_assert(soundness(line_of(1, 2, "\"tuner\":\"t\",\"key\":{}"), &head) == AUTOTUNE__SOUND);
    cr_expect(!memcmp(head.date, date, AUTOTUNE__DATE_BYTES));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(line, sizeof line, "%s", line_of(1, 2, "\"tuner\":\"t\",\"key\":{}"));
        const size_t sound = strlen(line) - AUTOTUNE__CRC_BYTES;
        memcpy(strstr(line, date), others[i], AUTOTUNE__DATE_BYTES);
        snprintf(line + sound, AUTOTUNE__CRC_BYTES + 1, ",\"crc\":\"%08x\"}", autotune__crc(line, sound));
        cr_expect(soundness(line, &head) == AUTOTUNE__DAMAGED, "%s", others[i]);
    }
}
Test(lines, nothing_follows_what_is_not_there) {
    /* the byte before the text is a bracket */
    static const char rows[] = "[[],1],5", members[] = "{{\"a\":1},\"b\":1}";
    const autotune__json array = {rows + 1, (int)strlen(rows + 1)}, object = {members + 1, (int)strlen(members + 1)};
    EXPECT_INT(autotune__next_row(&array, 0, -1), -1);
    EXPECT_INT(autotune__next_member(&object, 0, -1), -1);
}

static autotune__reading read_text(const char *text) {
    autotune__reading reading;
    memset(&reading, 0, sizeof reading);
    reading.source = 1;
    autotune__read_text(&reading, text, strlen(text));
    return reading;
}
Test(lines, a_torn_line_is_skipped_and_named) {
    static char text[2048];
    strcat(strcat(text, line_of(1, 1, "\"tuner\":\"t\",\"key\":{}")), "\n");
    strcat(text, "{\"autotune\":1,\"id\":\"00\n");
    strcat(text, "cut short and said to be so\x18\n");
    strcat(strcat(text, line_of(2, 1, "\"tuner\":\"t\",\"key\":{}")), "\n");
    strcat(text, "no line feed");
    const autotune__reading reading = read_text(text);
    EXPECT_INT(reading.sound, 2);
    EXPECT_INT(reading.unsound, 1);
    EXPECT_INT(reading.first_unsound, 2);
    EXPECT_STRING(reading.why, "is damaged or no record");
    EXPECT_INT(reading.offset, strlen(text) - strlen("no line feed"));
}
Test(lines, one_without_its_line_feed_is_counted_with_it) {
    autotune__reading reading = read_text(line_of(1, 1, "\"tuner\":\"t\",\"key\":{}"));
    static const char rest[] = "\ndamaged\n"; /* another process has appended this */
    autotune__read_text(&reading, rest, strlen(rest));
    EXPECT_INT(reading.sound, 1);
    EXPECT_INT(reading.first_unsound, 2);
}
Test(lines, the_newest_of_an_identity_is_found_first) {
    static char text[2048];
    for (unsigned fingerprint = 1; fingerprint <= 3; fingerprint++)
        strcat(strcat(text, line_of(7, fingerprint, "\"tuner\":\"t\",\"key\":{}")), "\n");
    strcat(strcat(text, line_of(7, 1, "\"tuner\":\"t\",\"key\":{}")), "\n"); /* makes the first line dead */
    EXPECT_INT(read_text(text).sound, 4);
    size_t seen[8], count = 0;
    const autotune__identity identity = {.id = 7, .machine = 0xaa};
    for (size_t at = *autotune__newest(&identity); at && count < 8; at = autotune__disk.lines[at - 1].older)
        seen[count++] = (size_t)autotune__disk.lines[at - 1].head.identity.fingerprint;
    cr_expect(count == 3 && seen[0] == 1 && seen[1] == 3 && seen[2] == 2, "%zu: %zu %zu %zu", count, seen[0], seen[1],
              seen[2]);
}

static void add_damaged(char *text, const char *line) {
    char damaged[512];
    snprintf(damaged, sizeof damaged, "%s", line);
    strstr(damaged, "\"t\"")[1] ^= 4;
    strcat(strcat(text, damaged), "\n");
}
Test(lines, a_checksum_is_looked_at_when_a_line_is_to_count) {
    static char text[2048];
    autotune__reading reading;
    memset(&reading, 0, sizeof reading);
    strcat(strcat(text, line_of(7, 1, "\"tuner\":\"t\",\"key\":{}")), "\n");
    /* if it were sound, it would make the first line dead */
    add_damaged(text, line_of(7, 1, "\"tuner\":\"t\",\"key\":{}"));
    add_damaged(text, line_of(8, 1, "\"tuner\":\"t\",\"key\":{}"));
    autotune__read_text(&reading, text, strlen(text));
    EXPECT_INT(reading.sound, 2);
    EXPECT_INT(reading.unsound, 1);
    EXPECT_INT(reading.first_unsound, 2);
    cr_expect(!autotune__disk.lines[0].dead);
    autotune__forget_file();
}

#ifndef _WIN32 /* on Windows file numbers differ */
/* Writes five lines, some of which are larger than a piece; then a torn line and an empty line. */
static void write_lines(FILE *file) {
    static const unsigned sizes[] = {10, 65200, 3000, 300000, 1000};
    static char padding[300001];
    for (unsigned i = 0; i < 5; i++) {
        char head[512];
        memset(padding, 'x', sizes[i]);
        padding[sizes[i]] = 0;
        const int length = snprintf(head, sizeof head, "{\"autotune\":1,\"id\":\"%016x\",\"fingerprint\":\"%016x\","
                                    "\"machine\":\"00000000000000aa\",\"date\":\"2026-11-20T14:05:09Z\","
                                    "\"tuner\":\"t\",\"key\":{},\"program\":\"", 100 + i, 1u);
        char *line = malloc((size_t)length + sizes[i] + 64);
        const size_t bytes = (size_t)sprintf(line, "%s%s\"", head, padding);
        fprintf(file, "%s,\"crc\":\"%08x\"}%s", line, autotune__crc(line, bytes), i < 4 ? "\n" : "");
        if (i == 2) fprintf(file, "torn\x18\n\ndamaged\n");
        free(line);
    }
}
Test(file, is_read_in_pieces_as_it_would_be_in_one) {
    FILE *file = tmpfile();
    char *all;
    write_lines(file);
    const size_t bytes = (size_t)ftell(file);
    fflush(file);
    rewind(file);
    all = malloc(bytes + 1);
    EXPECT_INT(fread(all, 1, bytes, file), bytes);
    autotune__reading whole, pieces;
    memset(&whole, 0, sizeof whole);
    autotune__read_text(&whole, all, bytes);
    autotune__line lines[5];
    cr_assert(whole.sound == 5 && autotune__count(autotune__disk.lines) == 5);
    memcpy(lines, autotune__disk.lines, sizeof lines);
    autotune__forget_file();
    memset(&pieces, 0, sizeof pieces);
    cr_assert(autotune__read_pieces(&pieces, fileno(file), bytes));
    cr_assert(pieces.sound == 5 && autotune__count(autotune__disk.lines) == 5);
    EXPECT_INT(pieces.offset, bytes);
    EXPECT_INT(pieces.lines, whole.lines);
    EXPECT_INT(pieces.unsound, 1);
    EXPECT_INT(pieces.first_unsound, whole.first_unsound);
    for (size_t i = 0; i < 5; i++) {
        const autotune__line *line = &autotune__disk.lines[i];
        cr_expect(line->offset == lines[i].offset && line->length == lines[i].length, "line %zu", i);
        EXPECT_INT(line->head.identity.id, 100 + i);
    }
    /* a file that has become shorter is read to its end */
    autotune__forget_file();
    memset(&pieces, 0, sizeof pieces);
    cr_assert(autotune__read_pieces(&pieces, fileno(file), bytes + 1000000));
    EXPECT_INT(pieces.sound, 5);
    autotune__forget_file();
    fclose(file);
    free(all);
}
#endif

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

Test(json, strings_are_written_in_one_way_and_read_back) {
    autotune__text text = {NULL, false};
    autotune__append_string(&text, "a\"b\\c\n\t\x01\xC3\xA4");
    EXPECT_STRING(autotune__string(&text), "\"a\\\"b\\\\c\\u000a\\u0009\\u0001\xC3\xA4\"");
    autotune__clear_text(&text);
    autotune__append_string(&text, NULL);
    EXPECT_STRING(autotune__string(&text), "null");
    autotune__free_text(&text);
}
Test(json, doubles_read_back_as_they_were) {
    static const double doubles[] = {0.1, 1.0 / 3, 1e-300, 123456789.0, -2.5e17, 5e-324};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        autotune__text text = {NULL, false};
        autotune__append_double(&text, doubles[i]);
        cr_expect(autotune__number_of(text.at, autotune__count(text.at)) == doubles[i], "%s",
                  autotune__string(&text));
        autotune__free_text(&text);
    }
}
static int rows_of(const char *text) { /* counts the rows of member a; -1: the text is no object */
    autotune__json json;
    int rows, at = 0, count = 0;
    if (!autotune__parse(&json, text, strlen(text))) return -1;
    rows = autotune__member(&json, 0, "a");
    while ((at = autotune__next_row(&json, rows, at)) > 0) count++;
    return count;
}
Test(json, rows_are_counted) {
    EXPECT_INT(rows_of("{\"a\":[]}"), 0);
    EXPECT_INT(rows_of("{\"b\":\"}]\\\"\",\"a\":[{\"a\":[1,2]},[],\"]\",4]}"), 4);
    EXPECT_INT(rows_of("{\"a\":{\"b\":1}}"), 0);
    EXPECT_INT(rows_of("{}"), 0);
}
/* Nothing beyond the end of the text is read. No zero follows the text here. */
Test(json, what_is_no_json_is_refused_or_has_some_value) {
    static const char *const refused[] = {"", "{", "}", "[]", "{\"a\":[1,2]", "{\"a", "{}{"},
                      *const read[] = {"{\"a\\\"}", "{}}", "{\"a\":\"}", "{\"a\"}", "{\"a\":}", "{a:[1]}",
                                       "{,\"a\":[1]}", "{\"a\":[1}]}", "{\"a\":[}", "{\"a\":[\"}", "{\"a\":[[1,}"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) EXPECT_INT(rows_of(refused[i]), -1);
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        char *const copy = malloc(strlen(read[i]));
        autotune__json json;
        memcpy(copy, read[i], strlen(read[i]));
        cr_assert(autotune__parse(&json, copy, strlen(read[i])));
        for (int at = 0, rows = autotune__member(&json, 0, "a"); (at = autotune__next_row(&json, rows, at)) > 0;)
            cr_expect(at < json.length, "%s", read[i]);
        free(copy);
    }
    EXPECT_INT(rows_of("{\"a\":[1,,2]}"), 3);
}
Test(json, members_of_members_are_none) {
    const char *const object = "{\"a\":{\"b\":[1,2]},\"c\":3}";
    autotune__json json;
    cr_assert(autotune__parse(&json, object, strlen(object)));
    cr_expect(autotune__number_at(&json, autotune__member(&json, 0, "c")) == 3);
    cr_expect(autotune__member(&json, 0, "b") < 0, "a member of a member is none");
}
/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static bool written_as(autotune_key key, const char *object) {
    char record[64];
    autotune__json json;
    snprintf(record, sizeof record, "{\"key\":%s}", object);
    cr_assert(autotune__parse(&json, record, strlen(record)));
    return autotune__is_of_key(&json, &key);
}
Test(keys, a_value_has_one_spelling) { /* a double without a fraction is written as an integer */
    const bool truths = written_as(KEY((bool)0), "{\"k\":false}") && written_as(KEY((bool)1), "{\"k\":true}"),
               numbers = written_as(KEY(3.0), "{\"k\":3}") && written_as(KEY(3), "{\"k\":3}"),
               others = written_as(KEY(1), "{\"k\":true}") || written_as(KEY(3), "{\"k\":3.0}");
    cr_expect(truths && numbers && !others);
}
Test(keys, what_is_not_equal_is_told_apart) {
    const bool truths = written_as(KEY(2), "{\"k\":true}") || written_as(KEY((bool)1), "{\"k\":false}"),
               strings = written_as(KEY("1"), "{\"k\":1}") || written_as(KEY(1), "{\"k\":\"1\"}"),
               doubles = written_as(KEY((int64_t)9007199254740992), "{\"k\":9007199254740993}"),
               parts = written_as(KEY(1), "{\"k\":1,\"l\":1}") || written_as(KEY(1, 1), "{\"k\":1}");
    cr_expect(!truths && !strings && !doubles && !parts);
}

/* ---- A winner that is not sure ----------------------------------------------------------------------------------- */

Test(unsure, a_duel_without_memory_for_a_finalist_is_known_to_be_a_part) {
    const char *const record = "{\"configurations\":[{\"config\":{\"x\":1},\"stage\":\"winner\",\"state\":\"ok\"},"
                               "{\"config\":{\"x\":3},\"stage\":\"duel\",\"state\":\"ok\"},"
                               "{\"config\":{\"x\":0},\"stage\":\"duel\",\"state\":\"ok\"}]}";
    static autotune__space space;
    static autotune__subject subject;
    static autotune__store store;
    static autotune__prior prior;
    autotune__json json;
    bool failed = true;
    space.points = 1;
    space.located = SIZE_MAX;
    autotune__add_rule(&space, "x", AUTOTUNE__STEPS, 0, 1, 4, AUTOTUNE_I32);
    subject.space = &space;
    store.subject = &subject;
    store.prior = &prior;
    cr_assert(autotune__parse(&json, record, strlen(record)));
    for (long n = 0; failed; n++) {
        until_failure = n;
        const bool found = autotune__read_finalists(&store, &json, AUTOTUNE__FINALISTS);
        const size_t count = autotune__count(prior.rows);
        failed = until_failure < 0;
        until_failure = -1;
        cr_expect(!found || count == 3 || prior.rest == AUTOTUNE__REST_HAS_FINALISTS, "%ld allocations", n);
        cr_expect(failed || (found && count == 3 && prior.rest == AUTOTUNE__REST_UNKNOWN));
        AUTOTUNE__FREE_ARRAY(prior.rows);
        prior.rest = AUTOTUNE__REST_UNKNOWN;
    }
}

#ifndef _WIN32 /* on Windows a folder cannot be opened as a file */
/* A path that is no file of the library is not opened. `why` says why, and no file stays open. */
Test(folder, what_is_no_file_of_ours_is_closed_again) {
    const char *why = NULL;
    const int before = autotune__open_file("/", AUTOTUNE__READ);
    cr_assert(before >= 0);
    autotune__close_file(before);
    for (int i = 0; i < 3; i++) {
        EXPECT_INT(autotune__open_ours("/", AUTOTUNE__READ, &why), -1);
        EXPECT_CONTAINS(why, "is no regular file");
    }
    const int after = autotune__open_file("/", AUTOTUNE__READ);
    EXPECT_INT(after, before);
    autotune__close_file(after);
}
#endif

/* suite_audit.c - AUTOTUNE_MODE=audit: is .restore complete? The environment is read once per process, and every test
   is a process of its own. */
#include "expect.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#ifndef _WIN32
#include <unistd.h>
#endif

enum { COUNT = 100 };
static double x[COUNT], y[COUNT], sums[COUNT];
static size_t launches, verified;
static int last_tile;

static autotune_status launch(int tile) { /* of a call that does nothing but count */
    launches++;
    last_tile = tile;
    virtual_ns += 1000;
    return AUTOTUNE_OK;
}
static autotune_status add(int tile) {
    for (int i = 0; i < COUNT; i++) y[i] += x[i] + 1;
    return launch(tile);
}
static void audit(void) {
    setenv("AUTOTUNE_MODE", "audit", 1);
    autotune_set_log(keep_line, NULL);
}
#define OPTIONS .name = "add", .backend = virtual_backend(), .result = &result
#define DIFFERS(what) \
    "add: two launches from the same buffers differ (wrong output: " what \
    "): a buffer that the call changes is missing in .restore, or the call is not deterministic\n"
static void made_its_call(autotune_result result, size_t made) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.verdict, AUTOTUNE_DEFAULT);
    EXPECT_INT(launches, made);
    EXPECT_INT(last_tile, 8);
}

Test(audit, a_list_that_is_complete_is_told_once) {
    autotune_result result;
    setenv("AUTOTUNE_LOG", "full", 1);          /* what was not measured is no line of the log */
    audit();
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(AXIS(tile, 4, 8, 16), WHERE(tile > 4)), 1, add(tile), OPTIONS,
                 .restore = BUFFERS({y, sizeof y}, {x, sizeof x}));
        made_its_call(result, 4 + (size_t)i);
    }
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT((int)y[5], 2);                   /* two calls, and no trial */
    EXPECT_STRING(logged, "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, all_is_launched_in_this_process) {
    autotune_result result;
    setenv("AUTOTUNE_ISOLATE", "child", 1);
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .restore = BUFFERS({y, sizeof y}),
             .isolate = AUTOTUNE_CHILD);
    made_its_call(result, 4);
    EXPECT_STRING(logged, "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, a_forgotten_buffer_is_seen_in_what_is_computed_from_it) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add(tile), memcpy(sums, y, sizeof sums), AUTOTUNE_OK), OPTIONS,
             .outputs = BUFFERS({sums, sizeof sums, AUTOTUNE_F64}));
    made_its_call(result, 4);
    EXPECT_STRING(logged, DIFFERS("element 0 is 2, not 1, in buffer 1 of .outputs"));
}
Test(audit, a_short_count_of_bytes_is_seen_behind_it) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (add(tile), memcpy(sums, y, sizeof sums), AUTOTUNE_OK), OPTIONS,
             .restore = BUFFERS({y, sizeof y / 2}), .zero = BUFFERS({sums, sizeof sums}));
    EXPECT_STRING(logged, DIFFERS("element 406 is 0x00, not 0xf0, in buffer 1 of .zero"));
}
Test(audit, a_static_counter_is_seen) {
    static int calls;
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[3] = ++calls > 2, launch(tile)), OPTIONS,
             .restore = BUFFERS({x, sizeof x}, {y, sizeof y, AUTOTUNE_F64}));
    made_its_call(result, 4);
    EXPECT_STRING(logged, DIFFERS("element 30 is 0xf0, not 0x00, in buffer 2 of .restore"));
}
Test(audit, what_is_no_output_is_compared_bit_by_bit_whatever_its_type) {
    static int calls;
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[3] = 1 + 1e-14 * ++calls, launch(tile)), OPTIONS,
             .restore = BUFFERS({y, sizeof y, AUTOTUNE_F64}));
    EXPECT_CONTAINS(logged, "two launches from the same buffers differ (wrong output: element 24 is ");
}
Test(audit, random_numbers_are_seen) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[99] = 1 + rand(), launch(tile)), OPTIONS, .zero = BUFFERS({y, sizeof y}));
    EXPECT_CONTAINS(logged, "in buffer 1 of .zero");
}
Test(audit, outputs_may_differ_by_their_tolerance) {
    static int calls;
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, (y[3] = 1 + 1e-6 * ++calls, launch(tile)), OPTIONS,
             .restore = BUFFERS({y, sizeof y}), .outputs = BUFFERS({y, sizeof y, AUTOTUNE_F64, 1e-3}));
    EXPECT_STRING(logged, "add: 3 launches from the same buffers left the same in them\n");
}
Test(audit, without_buffers_nothing_is_compared) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS);
    made_its_call(result, 4);
    EXPECT_STRING(logged, "add: nothing is compared after 3 launches: .restore, .zero and .outputs name no buffer; if "
                          "the call reads what it writes, name that in .restore\n");
}
static autotune_status fail_second(int tile) { return launch(tile), launches == 2 ? AUTOTUNE_FAILED : AUTOTUNE_OK; }
static bool accept(void *user) { return (void)user, ++verified; }
Test(audit, a_launch_that_fails_ends_it) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, fail_second(tile), OPTIONS,
             .restore = BUFFERS({y, sizeof y}), .verify = accept);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_CONTAINS(logged, "none of 1 configurations works, so the call was not made: tile=8: ");
    EXPECT_INT(launches, 2);
    EXPECT_INT(verified, 1);
}
Test(audit, who_may_not_tune_is_not_audited) {
    autotune_result result;
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .mode = AUTOTUNE_CACHED);
    made_its_call(result, 1);
    EXPECT_STRING(logged, "");
}
#ifndef _WIN32
Test(audit, nothing_is_kept_on_disk) {
    char folder[] = "/tmp/autotune-test-XXXXXX";
    autotune_result result;
    cr_assert(mkdtemp(folder) != NULL);
    unsetenv("AUTOTUNE_CACHE");
    setenv("AUTOTUNE_CACHE_DIR", folder, 1);
    audit();
    AUTOTUNE(SPACE(AXIS(tile, 8, 16)), 1, add(tile), OPTIONS, .restore = BUFFERS({y, sizeof y}));
    made_its_call(result, 4);
    cr_expect(rmdir(folder) == 0, "the folder is empty");
}
#endif

/* floor_device.c - snapshots of buffers if a backend's memory fails; emptying the caches. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static size_t asked_for; /* the size of the last allocation */
static bool no_memory;
static void *allocate_or_not(void *old, size_t bytes) {
    asked_for = bytes;
    return no_memory ? NULL : realloc(old, bytes);
}
#define AUTOTUNE_REALLOC(old, bytes) allocate_or_not(old, bytes)
#define AUTOTUNE_FREE(block)         free(block)
#include "../../src/site/statements.h"
#include "../../src/device/buffers.h"

static size_t last_level; /* the size of the last-level cache in bytes; 0: unknown */
#define autotune__cache_bytes(level) ((level) == 3 ? last_level : 0)
#include "../../src/device/cpu.h"

#include "../expect.h"

static int copies, failing_copy; /* how many copies were made; the copy with number failing_copy fails */
static autotune_status copy_or_fail(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self;
    if (++copies == failing_copy) return AUTOTUNE_ERR_DEVICE;
    memcpy(to, from, bytes);
    return AUTOTUNE_OK;
}
static void *allocate(autotune_backend *self, size_t bytes) {
    (void)self;
    return malloc(bytes);
}
static void release(autotune_backend *self, void *memory) {
    (void)self;
    free(memory);
}

/* If a buffer cannot be restored, this is reported, whichever buffer it is. The other buffers are restored. */
Test(buffers, one_that_cannot_be_put_back_is_told_of_and_the_others_are_put_back) {
    autotune_backend backend = {.copy = copy_or_fail, .allocate = allocate, .release = release};
    for (int failing = 0; failing <= 3; failing++) {
        autotune__memories all = {.count = 0};
        int a = 1, b = 2, c = 3;
        const autotune_options options = {.restore = BUFFERS({&a, sizeof a}, {&b, sizeof b}, {&c, sizeof c})};
        copies = 0;
        failing_copy = failing ? 3 + failing : -1;
        cr_assert(autotune__snapshot(&all, &options, &backend) == AUTOTUNE_OK);
        a = b = c = 0;
        EXPECT_INT(autotune__put_back(&all, &backend), failing ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_OK);
        cr_expect(a == (failing == 1 ? 0 : 1) && b == (failing == 2 ? 0 : 2) && c == (failing == 3 ? 0 : 3));
        autotune__free_memories(&all, &backend);
    }
}

/* ---- Cold launches ---- */

static void expect_flush_of(size_t bytes) {
    autotune_backend cpu = autotune_cpu();
    unsigned char before;
    cr_assert_eq(cpu.flush(&cpu), AUTOTUNE_OK);
    cr_assert_eq(asked_for, bytes, "%zu bytes", asked_for);
    asked_for = 0;
    before = autotune__flush_memory[bytes - 64];
    cr_assert(cpu.flush(&cpu) == AUTOTUNE_OK && !asked_for, "the memory is kept");
    cr_assert(autotune__flush_memory[bytes - 64] == (unsigned char)(before + 1), "the last line is written, too");
}
Test(flush, writes_twice_as_much_as_the_last_cache_holds) {
    last_level = 3 << 20;
    expect_flush_of(6 << 20);
}
Test(flush, writes_64_mebibytes_where_no_cache_is_known) { expect_flush_of(64 << 20); }
Test(flush, writes_a_gibibyte_at_most) {
    autotune_backend cpu = autotune_cpu();
    last_level = (size_t)1 << 30;
    no_memory = true;
    cr_assert_eq(cpu.flush(&cpu), AUTOTUNE_ERR_MEMORY);
    cr_assert_eq(asked_for, (size_t)1 << 30, "%zu bytes", asked_for);
}

/* ---- The branch predictor ---------------------------------------------------------------------------------------- */

enum { BYTES = 256, LAUNCHES = 50 };
static unsigned char random_bytes[BYTES];
static volatile unsigned taken;
static void branch_by_bits(void) {
    for (int i = 0; i < BYTES; i++)
        for (int bit = 0; bit < 8; bit++)
            if (random_bytes[i] >> bit & 1) taken = (unsigned)bit;
}
static double median_ns(autotune_backend *flushed) {
    double ns[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
        if (flushed) cr_assert_eq(flushed->flush(flushed), AUTOTUNE_OK);
        const uint64_t from = autotune__monotonic_ns();
        branch_by_bits();
        ns[i] = (double)(autotune__monotonic_ns() - from);
    }
    return autotune__median(ns, LAUNCHES);
}
/* The processor has learnt the branches of a function. After a flush it mispredicts them. The caches are small here, so
   a flush does nothing else. Other programs on the same core may disturb a try. */
Test(many_races, a_flush_empties_the_branch_predictor) {
    autotune_backend cpu = autotune_cpu();
    double learnt = 0, emptied = 0;
    last_level = 4096;
    for (int i = 0; i < BYTES; i++) random_bytes[i] = (unsigned char)rand();
    for (int tries = 0; tries < 50 && !(emptied > 1.25 * learnt); tries++) {
        for (int i = 0; i < 1000; i++) branch_by_bits();
        learnt = median_ns(NULL);
        emptied = median_ns(&cpu);
    }
    printf("%.1f us learnt, %.1f us after a flush\n", learnt / 1e3, emptied / 1e3);
    cr_assert_gt(emptied, 1.25 * learnt);
}

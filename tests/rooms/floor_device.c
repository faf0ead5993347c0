/* floor_device.c - snapshots of buffers, where the memory of a backend fails. */
#include "../../src/site/statements.h"
#include "../../src/device/buffers.h"

#include "../expect.h"

static int copies, failing_copy; /* the copy with this number fails */
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

/* A buffer that cannot be put back is told of, whichever it is, and the others are put back all the same. */
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

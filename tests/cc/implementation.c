/* implementation.c - the bodies of the headers, with an allocator that fails once when a test asks for that. */
#include <stddef.h>
#include <stdlib.h>

long allocations_before_failure = -1;
static void *allocate_or_fail(void *old, size_t bytes) {
    const int counts = __atomic_load_n(&allocations_before_failure, __ATOMIC_RELAXED) >= 0;
    return counts && !__atomic_fetch_sub(&allocations_before_failure, 1, __ATOMIC_RELAXED) ? NULL : realloc(old, bytes);
}
#define AUTOTUNE_REALLOC(old, bytes) allocate_or_fail(old, bytes)
#define AUTOTUNE_FREE(block)         free(block)
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"

/* suite_roofline.c - the least time that bytes and operations take on a device: from what it is computed, and where it
   is unknown. */
#include "../sanitized.h"
#include "saxpy.h"

#include <math.h>

/* The stand-in's memory has 4096 bits and 2.5 GHz; 80 multiprocessors, of 128 units each, have 1.5 GHz. */
static const double BYTES_IN_NS = 2 * 2.5 * 4096 / 8, OPERATIONS_IN_NS = 2 * 1.5 * 80 * 128;
TestSuite(roofline, .init = start_cuda, .fini = expect_no_misuse);
static bool is_near(double a, double b) { return a > 0.999 * b && a < 1.001 * b; }

Test(roofline, it_is_what_takes_longer_moving_or_computing) {
    const double moving = autotune_roofline(1e6, 0), computing = autotune_roofline(0, 1e9);
    cr_expect(is_near(moving, 1e6 / BYTES_IN_NS), "%g", moving);
    cr_expect(is_near(computing, 1e9 / OPERATIONS_IN_NS), "%g", computing);
    cr_expect(autotune_roofline(1e6, 1e9) == (moving > computing ? moving : computing));
    cr_expect(autotune_roofline(1e6, 1) == moving && autotune_roofline(1, 1e9) == computing);
    cr_expect(autotune_roofline(0, 0) == 0);
}
Test(roofline, it_is_that_of_the_current_device) {
    CUcontext other;
    const double first = autotune_roofline(0, 1e9);
    MUST(cuCtxCreate(&other, NULL, 0, 1)); /* of capability 8.0, with half the multiprocessors */
    cr_expect(is_near(autotune_roofline(0, 1e9), 4 * first), "%g: 64 units each", autotune_roofline(0, 1e9));
}
Test(roofline, what_is_no_number_has_none) {
    cr_expect(autotune_roofline(-1, 0) == 0 && autotune_roofline(0, -1) == 0 && autotune_roofline((double)NAN, 1) == 0);
}
Test(roofline, what_the_driver_does_not_tell_is_unknown) {
    standin_fail("cuDeviceGetAttribute", 5, CUDA_ERROR_INVALID_VALUE); /* the clock of memory */
    cr_expect(autotune_roofline(1e6, 1e6) == 0);
}
static autotune_result tune_until(double share) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512)), cld(N, (unsigned)block),
             launch(saxpy_function, blocks.x, (unsigned)block), .backend = CUDA(stream),
             .stop_at_ns = share * autotune_roofline(50e3 * BYTES_IN_NS, 0), .key = KEY(share), .result = &result);
    return result;
}
Test(roofline, a_race_ends_there) {
    const autotune_result whole = tune_until(0.5), ended = tune_until(1.1);      /* both may have a warm-up */
    cr_assert(2 * ended.launches < whole.launches && ended.verdict == AUTOTUNE_UNRESOLVED, "%zu %zu", whole.launches,
              ended.launches);
    USE(tune_until(1.1));
    const unsigned all = standin_all_calls();
    cr_assert(tune_until(1.1).cache_hit);
#if defined __OPTIMIZE__ && !ADDRESS_SANITIZED /* not optimised for debugging */
    cr_assert_leq(standin_all_calls(), all + 2, "a hit does not ask for it");
#else
    cr_assert_leq(standin_all_calls(), all + 6, "a hit asks for what is known");
#endif
}

/* suite_attributes.c - attributes of launches (clusters, cooperative launches), and which of them are refused. */
#include "saxpy.h"

static const char text[] = "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) {\n"
                           "    for (int i = 0; i < TILE; i++) {\n"
                           "        const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x) * TILE + i;\n"
                           "        if (at < n) y[at] = a * x[at] + y[at];\n"
                           "    }\n"
                           "}\n";
static autotune_cuda_program tile = CUDA_PROGRAM(text);

TestSuite(attributes, .init = start_cuda, .fini = expect_no_misuse);

static bool error_has(const char *part) { return contains(autotune_last_error(), part); }
#define EXPECT_ERROR(part) cr_expect(error_has(part), "%s", autotune_last_error())
static unsigned in_clusters_of(unsigned cluster, unsigned blocks) { return (blocks + cluster - 1) / cluster * cluster; }

/* ---- Clusters and cooperative launches ------------------------------------------------------------------------------
 */

Test(attributes, a_plain_launch_has_none) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1)), cld(N, 256),
             CUDA_LAUNCH(&tile, "tile_saxpy", CLUSTER(THREADS(256), 1), SHARED(0), N, 2.0f, x, y),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK && y_was_updated(1), "%s", autotune_last_error());
    cr_assert(standin_calls("cuLaunchKernel") == 1 && standin_calls("cuLaunchKernelEx") == 0,
              "1 is a launch without clusters");
}
static autotune_result tune_clusters(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1), AXIS(cluster, 1u, 2u, 4u, 16u, 32u)), in_clusters_of(cluster, cld(N, 128)),
             CUDA_LAUNCH(&tile, "tile_saxpy", CLUSTER(THREADS(128), cluster), SHARED(0), N, 2.0f, x, y),
             .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}), .result = &result);
    return result;
}
static double cost_by_grid(const char *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)kernel, (void)block, (void)shared_bytes;
    return grid[0] == 16 ? 30e3 : 50e3; /* 8 blocks are needed; with clusters of 16 blocks the grid has 16 */
}
Test(attributes, the_size_of_a_cluster_may_be_an_axis) {
    standin_set_cost(cost_by_grid);
    autotune_result result = tune_clusters();
    cr_assert(result.status == AUTOTUNE_OK && result.index == 3 && result.failed == 1, "%s", logged);
    cr_assert(contains(logged, "cluster=32  (CUDA_ERROR_INVALID_CLUSTER_SIZE (912))"), "%s", logged);
    cr_assert_str_eq(standin_last_attributes(), "clusters of 16 x 1 x 1");
    const unsigned launched = standin_calls("cuLaunchKernelEx"), questions = standin_calls("cuFuncSetAttribute");
    result = tune_clusters();
    cr_assert(result.cache_hit && standin_calls("cuLaunchKernelEx") == launched + 1);
    cr_assert_eq(standin_calls("cuFuncSetAttribute"), questions, "a hit asks for nothing");
    cr_assert(y_was_updated(2));
}
Test(attributes, where_a_kernel_gets_no_leave_it_cannot_be_loaded) {
    for (unsigned asked = 1; asked <= 2; asked++) { /* the first call is for shared memory, the second for clusters */
        standin_fail("cuFuncSetAttribute", asked, 803);
        cr_expect_eq(tune_clusters().status, AUTOTUNE_ERR_ENVIRONMENT);
        EXPECT_ERROR("the program has no kernel tile_saxpy that can be loaded: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH");
    }
}
Test(attributes, clusters_and_cooperation_compose_in_either_order) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1)), GRID(8, 4, 2),
             CUDA_LAUNCH(&tile, "tile_saxpy", COOPERATIVE(CLUSTER(THREADS(8, 4, 4), 2, 2, 2)), SHARED(0), N, 2.0f, x,
                         y),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK, "%s", autotune_last_error());
    cr_assert_str_eq(standin_last_attributes(), "clusters of 2 x 2 x 2, cooperative");
    AUTOTUNE(SPACE(AXIS(TILE, 1)), GRID(8, 4),
             CUDA_LAUNCH(&tile, "tile_saxpy", CLUSTER(COOPERATIVE(32), 1, 4), SHARED(0), N, 2.0f, x, y),
             .backend = CUDA(stream), .result = &result);
    cr_assert(result.status == AUTOTUNE_OK, "%s", autotune_last_error());
    cr_assert_str_eq(standin_last_attributes(), "clusters of 1 x 4 x 1, cooperative");
    cr_assert_eq(standin_calls("cuLaunchKernel"), 0);
}
static autotune_result launch_shape(autotune_grid grid, autotune_cuda_shape shape, size_t shared_bytes) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1)), grid, CUDA_LAUNCH(&tile, "tile_saxpy", shape, SHARED(shared_bytes), N, 2.0f, x, y),
             .backend = CUDA(stream), .mode = AUTOTUNE_OFF, .result = &result);
    return result;
}
/* The user sees the name that the driver gives to the error. */
Test(attributes, what_cannot_be_launched_the_driver_refuses) {
    static const autotune_cuda_shape none = {{0, 1, 1}, {1, 1, 1}, 0};
    cr_expect(launch_shape(GRID(7), CLUSTER(THREADS(32), 2), 0).status == AUTOTUNE_FAILED);
    EXPECT_ERROR("CUDA_ERROR_INVALID_CLUSTER_SIZE (912)");
    launch_shape(GRID(64), CLUSTER(THREADS(32), 32), 0);
    EXPECT_ERROR("CUDA_ERROR_INVALID_CLUSTER_SIZE (912)");
    launch_shape(GRID(641), COOPERATIVE(THREADS(256)), 0);
    EXPECT_ERROR("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE (720)");
    launch_shape(GRID(1), none, 0);
    EXPECT_ERROR("CUDA_ERROR_INVALID_VALUE (1)");
    launch_shape(GRID(1), autotune__cuda_shape_grid(GRID(32)), SIZE_MAX);
    EXPECT_ERROR("SHARED gives tile_saxpy 18446744073709551615 bytes, and a block of it can have 232448");
    /* The driver's number of bytes has 32 bits. These bytes must not reach the driver as 16. */
    launch_shape(GRID(1), autotune__cuda_shape_grid(GRID(32)), ((size_t)1 << 32) + 16);
    EXPECT_ERROR("SHARED gives tile_saxpy 4294967312 bytes, and a block of it can have 232448 on this device");
    cr_assert(launch_shape(GRID(640), COOPERATIVE(THREADS(256)), 0).status == AUTOTUNE_OK, "%s", autotune_last_error());
}
Test(attributes, numbers_that_are_none_are_refused) {
    autotune_result result;
#define REFUSED(blocks, threads)                                                                                    \
    do {                                                                                                            \
        AUTOTUNE(SPACE(AXIS(TILE, 1)), blocks, CUDA_LAUNCH(&tile, "tile_saxpy", threads, SHARED(0), N, 2.0f, x, y), \
                 .backend = CUDA(stream), .result = &result);                                                       \
        cr_expect(result.status == AUTOTUNE_FAILED);                                                                \
        EXPECT_ERROR("a number of blocks or threads is negative or above INT32_MAX");                               \
    } while (0)
    REFUSED((int64_t)1 << 31, THREADS(32));
    REFUSED(1, THREADS(-1));
    REFUSED(1, UINT64_MAX);
    REFUSED(16, CLUSTER(THREADS(32), -1));
}
Test(attributes, a_device_without_clusters_says_so) {
    CUcontext other;
    MUST(cuCtxCreate(&other, NULL, 0, 1));
    MUST(cuStreamCreate(&stream, 0));
    launch_shape(GRID(8), CLUSTER(THREADS(32), 2), 0);
    EXPECT_ERROR("CUDA_ERROR_NOT_SUPPORTED (801)");
}

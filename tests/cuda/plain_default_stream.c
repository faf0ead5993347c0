/* plain_default_stream.c - in a file that is compiled for per-thread default streams, CUDA(0) is the default stream of
   the thread. */
/* cuda.h comes before the macro: the macro makes cuda.h rename functions, and the stand-in lacks the new names. */
#include <cuda.h>
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "autotune_cuda.h"

#include "../plain.h"

/* A blocking stream is captured. Meanwhile the legacy stream takes no launches, so nothing can be tuned on it. The
   default stream of the thread takes launches, so the statement is tuned. */
static void it_is_tuned_where_the_legacy_stream_cannot_be(void) {
    CUcontext context;
    CUstream captured;
    CUgraph graph;
    CUdeviceptr memory;
    autotune_result result;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS &&
          cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
    CHECK(cuStreamCreate(&captured, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
    CHECK(cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    AUTOTUNE(SPACE(AXIS(bytes, (size_t)64, (size_t)32)), 1, cuMemsetD8Async(memory, 0, bytes, CU_STREAM_PER_THREAD),
             .backend = CUDA(0), .preset = AUTOTUNE_FAST, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 2);
    CHECK(autotune__cuda_named(0) == CU_STREAM_PER_THREAD && autotune__cuda_named(captured) == captured);
    CHECK(cuStreamEndCapture(captured, &graph) == CUDA_SUCCESS);
}

int main(void) {
    const plain_test tests[] = {
        {"it_is_tuned_where_the_legacy_stream_cannot_be", it_is_tuned_where_the_legacy_stream_cannot_be}};
    return RUN_PLAIN_TESTS(tests);
}

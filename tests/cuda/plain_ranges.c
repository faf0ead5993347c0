/* plain_ranges.c - each trial is a range of NVTX, for an attached tool. Here the tool is a part of the program. */
#include "../plain.h"

#if !__has_include(<nvtx3/nvToolsExt.h>)
int main(void) { return puts("SKIPPED: nvtx3/nvToolsExt.h is not beside cuda.h"), 77; }
#else
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include "autotune_cuda.h"

enum { CONFIGURATIONS = 2 };
static int state;
static unsigned depth, deepest, ranges, named[CONFIGURATIONS];
static int begin_range(const char *name) {
    ranges++;
    for (int i = 0; i < CONFIGURATIONS; i++) {
        char trial[80];
        snprintf(trial, sizeof trial, "autotune: ranges [state=%d] tried bytes=%d", state, 64 >> i);
        named[i] += strcmp(name, trial) == 0;
    }
    if (++depth > deepest) deepest = depth;
    return (int)depth - 1;
}
static int end_range(void) { return (int)--depth; }
static int NVTX_API attach(NvtxGetExportTableFunc_t export_table) {
    const NvtxExportTableCallbacks *callbacks =
        (const NvtxExportTableCallbacks *)export_table(NVTX_ETID_CALLBACKS);
    NvtxFunctionTable table;
    unsigned size;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) return 0;
    *table[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)begin_range;
    *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)end_range;
    return 1;
}
NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = attach;

static CUdeviceptr memory;
static CUresult set(size_t bytes, bool trial) {
    CHECK(depth == (unsigned)trial);
    return cuMemsetD8Async(memory, 0, bytes, CU_STREAM_PER_THREAD);
}
static autotune_result tune(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(bytes, 64, 32)), 1, set((size_t)bytes, autotune_trial), .backend = CUDA(CU_STREAM_PER_THREAD),
             .name = "ranges",
             .key = KEY(state), .cache_state = (autotune_cache_state)state, .preset = AUTOTUNE_FAST, .result = &result);
    return result;
}
static void each_trial_is_a_range(void) {
    CUcontext context;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, NULL, 0, 0) == CUDA_SUCCESS &&
          cuMemAlloc(&memory, 64) == CUDA_SUCCESS);
    for (state = AUTOTUNE_HOT; state <= AUTOTUNE_COLD; state++) {
        const unsigned before = ranges;
        CHECK(tune().tried == CONFIGURATIONS);
        CHECK(ranges > before + 2 && depth == 0 && deepest == 1);
    }
    CHECK(named[0] > 2 && named[1] > 2 && named[0] + named[1] == ranges);
}

int main(void) {
    const plain_test tests[] = {{"each trial is a range", each_trial_is_a_range}};
    return RUN_PLAIN_TESTS(tests);
}
#endif

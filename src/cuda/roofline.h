/* The roofline: how many bytes and operations a device manages in a second, measured once for each context. */
#pragma once
#include <cuda.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "context.h"
#include "session.h"
#include "memory.h"
#include "timing.h"
#include "nvrtc.h"
#include "load.h"
#include "backend.h"
#include "hit.h"

typedef struct autotune__cuda_probe {           /* what is measured: a copy, or a kernel */
    CUdeviceptr from, to;
    size_t bytes;
    CUfunction function;                        /* NULL: the copy */
    unsigned blocks;
    int rounds;
    double cost_ns;                             /* the time that starting and stopping the clock takes */
} autotune__cuda_probe;

/* Each thread computes eight chains of multiplications and additions, so that the latency of one hides behind the
   others. */
enum { AUTOTUNE__CUDA_PROBE_THREADS = 256, AUTOTUNE__CUDA_PROBE_OPERATIONS = 16 };       /* of a thread in a round */
static const char autotune__cuda_probe_text[] =
    "extern \"C\" __global__ void multiply_add(float *result, float a, float b, int rounds) {\n"
    "    float x0 = threadIdx.x, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, "
    "x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;\n"
    "#pragma unroll 16\n"
    "    for (int i = 0; i < rounds; i++) {\n"
    "        x0 = x0 * a + b; x1 = x1 * a + b; x2 = x2 * a + b; x3 = x3 * a + b;\n"
    "        x4 = x4 * a + b; x5 = x5 * a + b; x6 = x6 * a + b; x7 = x7 * a + b;\n"
    "    }\n"
    "    x0 += x1 + x2 + x3 + x4 + x5 + x6 + x7;\n"
    "    if (x0 == 0.123f) *result = x0;\n"
    "}\n";

static autotune_status autotune__cuda_run_probe(autotune__cuda_session *session, const autotune__cuda_probe *probe) {
    CUdeviceptr result = 0;
    float a = 0.999f, b = 0.5f;
    int rounds = probe->rounds;
    void *arguments[] = { &result, &a, &b, &rounds };
    return probe->function
               ? AUTOTUNE__CUDA_CALL(session, cuLaunchKernel, probe->function, probe->blocks, 1, 1,
                                     AUTOTUNE__CUDA_PROBE_THREADS, 1, 1, 0, session->stream, arguments, NULL)
               : AUTOTUNE__CUDA_CALL(session, cuMemcpyAsync, probe->to, probe->from, probe->bytes, session->stream);
}
/* The time of one probe; AUTOTUNE__NEVER: it failed. */
static double autotune__cuda_time_probe(autotune__cuda_session *session, const autotune__cuda_probe *probe) {
    double ns = 0;
    if (autotune__begin_batch(&session->common.backend) != AUTOTUNE_OK ||
        autotune__cuda_run_probe(session, probe) != AUTOTUNE_OK ||
        autotune__cuda_stop(&session->common.backend, &ns) != AUTOTUNE_OK || !(ns > probe->cost_ns))
        return AUTOTUNE__NEVER;
    return ns - probe->cost_ns;
}
/* The least time of all probes that 50 ms have room for, and of at least five: an idle device needs some time to reach
   its full clock rate. */
static double autotune__cuda_least_of_probes(autotune__cuda_session *session, const autotune__cuda_probe *probe) {
    const uint64_t began = autotune__wait_clock();
    double least = AUTOTUNE__NEVER;
    int i;
    for (i = 0; i < 5 || autotune__wait_clock() - began < 50000000u; i++) {
        const double ns = autotune__cuda_time_probe(session, probe);
        if (!autotune__is_definite(ns)) return AUTOTUNE__NEVER;
        if (ns < least) least = ns;
    }
    return least;
}
/* Bytes that memory moves in a nanosecond; 0: they could not be measured. */
static double autotune__cuda_peak_of_memory(autotune__cuda_session *session, autotune__cuda_probe probe) {
    const size_t least = (size_t)16 << 20, beyond_cache = 2 * session->common.accelerator->flushed_bytes;
    void *to, *from;
    double ns = AUTOTUNE__NEVER;
    probe.bytes = beyond_cache > least ? beyond_cache : least;
    to = autotune__cuda_allocate(&session->common.backend, probe.bytes);
    from = to ? autotune__cuda_allocate(&session->common.backend, probe.bytes) : NULL;
    probe.to = autotune__cuda_address(to);
    probe.from = autotune__cuda_address(from);
    if (from) ns = autotune__cuda_least_of_probes(session, &probe);
    if (from) autotune__cuda_release(&session->common.backend, from);
    if (to) autotune__cuda_release(&session->common.backend, to);
    return autotune__is_definite(ns) ? 2 * (double)probe.bytes / ns : 0;                /* they are read, and written */
}
static CUfunction autotune__cuda_probe_function(autotune__cuda_session *session) {          /* NULL: without NVRTC */
    static autotune_cuda_program program = AUTOTUNE_CUDA_PROGRAM(autotune__cuda_probe_text);
    const autotune__text none = { NULL, false };
    const autotune__target *target = session->common.kernels.target;
    autotune__compilation *compilation = NULL;
    autotune__kernel *kernel = NULL;
    autotune__program *source;
    autotune_status status;
    int error;
    if (!autotune__nvrtc_works()) return NULL;
    autotune__lock_mutex(&autotune__kernels_lock);
    if ((source = autotune__program_from(&program.source, target->compiler)) != NULL)
        compilation = autotune__compilation_of(target, source, "multiply_add", &none);
    if (compilation)
        kernel = autotune__make_kernel(&session->common.kernels, target, NULL, compilation, &status, &error);
    if (kernel) autotune__use_kernel(&session->common.kernels.used, kernel);       /* until the session is closed */
    autotune__unlock_mutex(&autotune__kernels_lock);
    return kernel ? autotune__cuda_kernel_of(kernel)->function : NULL;
}
/* Operations in a nanosecond; 0: they could not be measured. */
static double autotune__cuda_peak_of_arithmetic(autotune__cuda_session *session, autotune__cuda_probe probe) {
    const int most = 1 << 20;
    const double enough_ns = 100e3;     /* so that beginning and end of a launch matter little */
    double ns = AUTOTUNE__NEVER;
    probe.blocks = 8 * (unsigned)autotune__cuda_context_in(session)->multiprocessors;   /* 2048 threads on each, the
                                                                                           most there are */
    if ((probe.function = autotune__cuda_probe_function(session)) != NULL)
        for (probe.rounds = 16; (ns = autotune__cuda_time_probe(session, &probe)) < enough_ns && probe.rounds < most;)
            probe.rounds *= 2;
    if (autotune__is_definite(ns)) ns = autotune__cuda_least_of_probes(session, &probe);
    return autotune__is_definite(ns) ? (double)AUTOTUNE__CUDA_PROBE_OPERATIONS *
                                           (double)AUTOTUNE__CUDA_PROBE_THREADS * probe.rounds * probe.blocks / ns
                                     : 0;
}
/* Measures the peaks on a stream of its own, in the session's context. What is unknown stays 0, and a later call tries
   again. */
static void autotune__cuda_measure_peaks(autotune__cuda_session *session) {
    autotune__cuda_context *context = autotune__cuda_context_in(session);
    autotune__cuda_probe probe;
    CUstream stream = NULL;
    double resolution_ns;
    if (autotune__cuda_ready(&session->common.backend) != AUTOTUNE_OK ||
        AUTOTUNE__CUDA_CALL(session, cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING) != AUTOTUNE_OK) return;
    memset(&probe, 0, sizeof probe);
    session->stream = stream;
    autotune__cuda_calibrate(&session->common.backend, &resolution_ns, &probe.cost_ns);
    context->peak.bytes = autotune__cuda_peak_of_memory(session, probe);
    context->peak.operations = autotune__cuda_peak_of_arithmetic(session, probe);
    (void)AUTOTUNE__CUDA_CALL(session, cuStreamDestroy, stream);
}
static autotune__mutex autotune__cuda_peaks_lock = AUTOTUNE__MUTEX;        /* one thread measures */
AUTOTUNE__API double autotune_roofline(double bytes, double operations) {
    static const autotune_options usual;
    autotune__cuda_context *context;
    autotune_backend *opened;
    double moving = 0, computing = 0;
    if (!autotune__is_within(bytes, 0, AUTOTUNE__NEVER) || !autotune__is_within(operations, 0, AUTOTUNE__NEVER))
        return 0;
    context = autotune__cuda_context_of(autotune__accelerator_named(autotune__cuda_current_backend(CU_STREAM_LEGACY)));
    if (!context->common.handle || autotune__lost_accelerator(&context->common)) return 0;
    autotune__lock_mutex(&autotune__cuda_peaks_lock);
    if (!(context->peak.bytes > 0 && context->peak.operations > 0) &&
        (opened = autotune__cuda_open(&context->common.backend, CU_STREAM_LEGACY, &usual)) != NULL) {
        autotune__cuda_measure_peaks(autotune__cuda_session_of(opened));
        opened->close(opened);
    }
    if (context->peak.bytes > 0 && context->peak.operations > 0 && !autotune__lost_accelerator(&context->common)) {
        moving = bytes / context->peak.bytes;
        computing = operations / context->peak.operations;
    }
    autotune__unlock_mutex(&autotune__cuda_peaks_lock);
    return moving > computing ? moving : computing;
}

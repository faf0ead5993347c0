/* standin.c - libcuda.so.1 without a GPU: see standin.h. One device call runs at a time. The asynchronous work of a
   real driver happens here at once, but the next call that waits reports errors of a kernel. */
#define _GNU_SOURCE
#include "standin.h"

#include <cuda.h>
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* ---- State ------------------------------------------------------------------------------------------------------- */

enum {
    L2_BYTES = 1 << 16,
    MOST_THREADS = 1024,
    MOST_SHARED = 48 << 10,
    MOST_SHARED_OPTED_IN = 227 << 10,
    REGISTERS = 65536
};
/* The limits of one multiprocessor: threads, blocks, and bytes of shared memory. */
enum { MOST_RESIDENT_THREADS = 2048, MOST_RESIDENT_BLOCKS = 32, SHARED = 228 << 10, RESERVED_SHARED = 1 << 10 };
enum { PORTABLE_CLUSTER = 8, LARGEST_CLUSTER = 16 };
enum { PAGE = 4096, STACK = 1 << 16, CANARY = 0xA5 };

struct CUctx_st {
    int device;
    unsigned long long id;
    int sticky, pending;
    bool destroyed;
};
struct CUstream_st {
    CUcontext context;
    CUstreamCaptureStatus capture;
    CUstreamCaptureMode mode;
    CUgraph graph; /* of its last capture */
    bool blocking, destroyed;
    struct CUstream_st *next; /* the next stream that is captured in global mode; see `capturing` */
};
struct CUevent_st {
    double ns;
    bool recorded, never, destroyed, asked;
    unsigned launched;
    CUstream captured_on;
};
struct CUfunc_st {
    char name[64];
    struct CUmod_st *module;
    struct standin_kernel *kernel;
    int opted_in; /* bytes of shared memory of a block that cuFuncSetAttribute() allowed; 0: MOST_SHARED */
    bool large_clusters;
};
struct CUmod_st {
    void *library;
    struct standin_device *device;
    int static_shared;
    struct CUfunc_st functions[16];
    size_t count;
    bool unloaded;
};
struct CUgraph_st {
    bool destroyed;
    struct CUgraph_st *next; /* the list of all graphs; a graph is in it from the beginning of its capture */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int driver_version = 13000, device_count = 2;
static bool driver_started, forked; /* in a child made by fork() all calls fail, as with a real driver */
static size_t memory_of_device = (size_t)1 << 30, memory_used[2], objects;
static CUstream clocked_stream; /* the stream on which an event was recorded last; NULL: a default stream */
/* device_ns, cpu_ns: the virtual time of the device and of the CPU, in ns. overhead, noise, quantum: see standin.h. */
static double device_ns, cpu_ns, overhead, noise, quantum = 512;
static bool flushed = true, hangs;
static uint64_t seed = 1;
static standin_cost *cost_model;
static double slower = 1; /* without a cost model, times of launches are multiplied by this */
static char misuse[256], broken_kernel[64], hanging_kernel[64];
static int broken_code;
static unsigned captured, missing_parameters;
static CUgraph graphs;
static bool busy; /* the device has earlier work */
static unsigned busy_questions; /* the earlier work ends after so many queries of events; 0: queries do not end it */
static unsigned depth_of_queue; /* an event completes after so many later launches */
static unsigned launched;       /* launches so far */
static bool lasts;        /* a launch keeps the device busy until a call waits for it */
static CUstream lasts_on; /* the stream of this launch; NULL: the legacy stream */
static bool late; /* the first query of an event says that it has not completed */
static CUstream capturing;  /* the first of the streams that are captured in global mode; NULL: none */
static char attributes[64]; /* of the last launch */
static struct CUctx_st primary[2];
static unsigned long long next_id = 1;
static struct count {
    char name[64];
    unsigned calls, fail_at;
    int code;
} counts[96], launches[32];
static struct block_of_memory {
    char *map;
    size_t mapped;
    unsigned char *first;
    size_t bytes;
    int device;
    bool freed, open;
} memory[4096];
static size_t memory_count;
static __thread CUcontext stack[8];
static __thread int depth;
static __thread CUstreamCaptureMode thread_mode;

static void blame(const char *format, ...) {
    va_list list;
    if (*misuse) return;
    va_start(list, format);
    vsnprintf(misuse, sizeof misuse, format, list);
    va_end(list);
}
/* Makes an object of the driver. Its memory is never used again, so that a use after its destruction is noticed. */
static void *new_object(size_t bytes) {
    static char arena[1 << 24];
    static size_t used;
    void *object = arena + used;
    used += (bytes + 15) & ~(size_t)15;
    if (used > sizeof arena) abort();
    return object;
}
static struct count *count_of(struct count *table, const char *name) {
    while (*table->name && strcmp(table->name, name)) table++;
    if (!*table->name) snprintf(table->name, sizeof table->name, "%s", name);
    return table;
}

/* ---- The control functions --------------------------------------------------------------------------------------- */

void standin_set_cost(standin_cost *cost) { cost_model = cost; }
void standin_set_noise(double relative) { noise = relative; }
void standin_set_quantum(double ns) { quantum = ns; }
void standin_set_overhead(double ns) { overhead = ns; }
void standin_set_version(int version) { driver_version = version; }
void standin_set_memory(size_t bytes) { memory_of_device = bytes; }
void standin_fail(const char *function, unsigned nth, int code) {
    struct count *count = count_of(counts, function);
    count->fail_at = count->calls + nth;
    count->code = code;
}
void standin_break(const char *kernel, int code) {
    snprintf(broken_kernel, sizeof broken_kernel, "%s", kernel), broken_code = code;
}
void standin_keep_busy(void) { busy = true; }
void standin_keep_busy_for(unsigned questions) { busy = true, busy_questions = questions; }
void standin_last(void) { lasts = true; }
void standin_end_late(void) { late = true; }
void standin_set_depth(unsigned count) { depth_of_queue = count; }
void standin_hang(const char *kernel) {
    snprintf(hanging_kernel, sizeof hanging_kernel, "%s", kernel), hangs = hangs && *kernel;
}
unsigned standin_calls(const char *function) { return count_of(counts, function)->calls; }
unsigned standin_all_calls(void) {
    unsigned sum = 0;
    for (const struct count *count = counts; *count->name; count++) sum += count->calls;
    return sum;
}
unsigned standin_launches(const char *kernel) { return count_of(launches, kernel)->calls; }
unsigned standin_captured(void) { return captured; }
unsigned standin_missing_parameters(void) { return missing_parameters; }
size_t standin_memory_in_use(void) { return memory_used[0] + memory_used[1]; }
size_t standin_objects(void) { return objects; }
const char *standin_last_attributes(void) { return attributes; }
const char *standin_misuse(void) { return misuse; }

/* ---- Entry points ------------------------------------------------------------------------------------------------

   Each function of the driver begins with ENTER, which
   - lets one thread at a time into the driver,
   - counts the call,
   - makes the call fail if standin_fail() asked for it,
   - makes all calls fail after a sticky error of the context. */

static void leave(int *entered) {
    if (*entered) pthread_mutex_unlock(&lock);
}
static CUcontext current(void) { return depth ? stack[depth - 1] : NULL; }
static CUresult enter(const char *function, bool needs_context) {
    struct count *count = count_of(counts, function);
    if (++count->calls == count->fail_at) return (CUresult)count->code;
    if (!driver_started || forked) return CUDA_ERROR_NOT_INITIALIZED;
    if (!needs_context) return CUDA_SUCCESS;
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
    if (current()->destroyed) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (current()->sticky) blame("%s after error %d", function, current()->sticky);
    return (CUresult)current()->sticky;
}
#define LOCK()                                               \
    int entered __attribute__((cleanup(leave), unused)) = 1; \
    pthread_mutex_lock(&lock)
#define ENTER_AS(name, needs_context)                   \
    LOCK();                                             \
    const CUresult answer = enter(name, needs_context); \
    if (answer != CUDA_SUCCESS) return answer
#define ENTER(name) ENTER_AS(name, true)

/* A host function that a program queued; NULL: none. It is called when a call waits for the device. Until then the
   work that is queued behind it does not begin. */
static CUhostFn held;
static void *held_data;
/* Advances the time of the CPU by `cpu_costs` ns, and then starts work on the device: now, or after earlier work. */
static void reach_device(double cpu_costs) {
    cpu_ns += cpu_costs;
    if (held) return;
    if (device_ns < cpu_ns) device_ns = cpu_ns;
}
/* Waits for the device. Returns the error of a kernel that ran before, or CUDA_SUCCESS. */
static CUresult told(void) {
    if (held) held(held_data), held = NULL;
    if (cpu_ns < device_ns) cpu_ns = device_ns;
    if (current()->pending) current()->sticky = current()->pending;
    return (CUresult)current()->sticky;
}
/* For calls that are forbidden while a stream is captured in global mode, unless this thread has the relaxed mode. A
   forbidden call fails, and makes the captures invalid. */
static CUresult unsafe(const char *function) {
    if (!capturing || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
    blame("%s while a stream is captured", function);
    for (CUstream stream = capturing; stream; stream = stream->next)
        stream->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
/* The legacy stream waits for all blocking streams. So it cannot be used while a blocking stream is captured. */
static bool legacy_is_captured(void) {
    CUstream stream = capturing;
    while (stream && !stream->blocking) stream = stream->next;
    return stream != NULL;
}
#define UNSAFE(name) \
    if (unsafe(name) != CUDA_SUCCESS) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED

/* Says what happens to work on a stream. Returns
   -1: the stream is captured, so the work becomes a part of the graph,
   0: the work runs now,
   otherwise the error of the call. */
static int queue(CUstream stream) {
    const uintptr_t named = (uintptr_t)stream;
    if (named <= 2) return named < 2 && legacy_is_captured() ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : 0;
    if (stream->destroyed || stream->context != current()) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture == CU_STREAM_CAPTURE_STATUS_NONE) return 0;
    if (stream->capture == CU_STREAM_CAPTURE_STATUS_INVALIDATED) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    captured++;
    return -1;
}
#define QUEUE(stream)                 \
    const int queued = queue(stream); \
    if (queued) return queued < 0 ? CUDA_SUCCESS : (CUresult)queued

/* ---- Device memory: pages that only kernels and copies may touch, between pages that nobody may ------------------ */

/* Usually the program may access device memory until it is freed, and only the pages around it are protected. If a test
   calls standin_watch_memory(), device memory is protected, too, and a launch takes ten times as long. Builds with a
   sanitizer never protect device memory: they run the same tests once more. */
static bool watched;
void standin_watch_memory(void) {
#ifndef STANDIN_OPEN_MEMORY
    watched = true;
#endif
}

/* Returns the block that has this address, in its memory or in the protected pages around it; NULL: none. */
static struct block_of_memory *block_at(const void *at) {
    for (size_t i = 0; i < memory_count; i++)
        if ((uintptr_t)at - (uintptr_t)memory[i].map < memory[i].mapped) return &memory[i];
    return NULL;
}
/* Removes the protection of the block that has this address. Returns false if there is no such block, or if the block
   has no protection. */
static bool open_memory(const void *at) {
    struct block_of_memory *block = block_at(at);
    if (!block || block->freed || block->open) return false;
    return block->open = mprotect(block->map + PAGE, block->mapped - 2 * PAGE, PROT_READ | PROT_WRITE) == 0;
}
static void close_memory(void) {
    for (size_t i = 0; i < memory_count; i++)
        if (memory[i].open && (watched || memory[i].freed))
            memory[i].open = mprotect(memory[i].map, memory[i].mapped, PROT_NONE) != 0;
}
/* Returns an error for a null pointer, and for a range in or next to device memory that is not inside one allocated
   block. Memory of the CPU is no error. */
static CUresult reachable(const void *at, size_t bytes) {
    const uintptr_t first = (uintptr_t)at;
    const struct block_of_memory *block = block_at(at);
    if (!block) return first < PAGE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    const uintptr_t start = (uintptr_t)block->first;
    return !block->freed && first >= start && first + bytes <= start + block->bytes ? CUDA_SUCCESS
                                                                                    : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    ENTER("cuMemAlloc");
    UNSAFE("cuMemAlloc");
    const size_t padded = (bytes + 255) & ~(size_t)255, mapped = ((padded + PAGE - 1) & ~(size_t)(PAGE - 1)) + 2 * PAGE;
    const int device = current()->device;
    if (!bytes || !pointer) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > memory_of_device - memory_used[device] || memory_count == sizeof memory / sizeof *memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    char *map = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    struct block_of_memory *block = &memory[memory_count++];
    *block = (struct block_of_memory){map,   mapped, (unsigned char *)map + mapped - PAGE - padded, bytes, device,
                                      false, false};
    memset(map + PAGE, CANARY, mapped - 2 * PAGE);
    mprotect(map, mapped, PROT_NONE);
    if (!watched) open_memory(block->first);
    memory_used[device] += bytes;
    *pointer = (CUdeviceptr)(uintptr_t)block->first;
    return CUDA_SUCCESS;
}
CUresult cuMemFree(CUdeviceptr pointer) {
    ENTER("cuMemFree");
    UNSAFE("cuMemFree");
    for (size_t i = 0; i < memory_count; i++) {
        struct block_of_memory *block = &memory[i];
        if ((CUdeviceptr)(uintptr_t)block->first != pointer || block->freed) continue;
        open_memory(block->first);
        for (size_t at = block->bytes; at < ((block->bytes + 255) & ~(size_t)255); at++)
            if (block->first[at] != CANARY) blame("a kernel wrote behind %zu bytes of device memory", block->bytes);
        block->freed = true;
        close_memory();
        memory_used[block->device] -= block->bytes;
        return told();
    }
    blame("cuMemFree of memory that is not allocated");
    return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr at) {
    ENTER("cuPointerGetAttribute");
    const struct block_of_memory *block = block_at((void *)(uintptr_t)at);
    if (!block || block->freed) return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) *(unsigned *)value = CU_MEMORYTYPE_DEVICE;
    else if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *(int *)value = block->device;
    else blame("cuPointerGetAttribute(%d) is not known here", (int)attribute);
    return CUDA_SUCCESS;
}
static void moved(size_t bytes) { device_ns += 1000 + (double)bytes / 1000; }

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    ENTER("cuMemcpyAsync");
    QUEUE(stream);
    void *target = (void *)(uintptr_t)to, *source = (void *)(uintptr_t)from;
    if (reachable(target, bytes) != CUDA_SUCCESS || reachable(source, bytes) != CUDA_SUCCESS)
        return CUDA_ERROR_INVALID_VALUE;
    open_memory(target), open_memory(source);
    memcpy(target, source, bytes);
    close_memory();
    moved(bytes);
    return CUDA_SUCCESS;
}
static CUresult fill(CUdeviceptr at, int byte, size_t bytes, CUstream stream) {
    QUEUE(stream);
    if (reachable((void *)(uintptr_t)at, bytes) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
    open_memory((void *)(uintptr_t)at);
    memset((void *)(uintptr_t)at, byte, bytes);
    close_memory();
    moved(bytes);
    /* A fill takes several steps of the clock. The clock has no noise, so a shorter time would always be the same
       number of steps. */
    device_ns += 3000;
    if (bytes >= L2_BYTES) flushed = true;
    return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char byte, size_t count, CUstream stream) {
    ENTER("cuMemsetD8Async");
    return fill(at, byte, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned word, size_t count, CUstream stream) {
    ENTER("cuMemsetD32Async");
    return fill(at, (int)(word & 255), 4 * count, stream); /* callers only fill with 0 */
}
static CUresult copy_now(const char *function, CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    if (unsafe(function) != CUDA_SUCCESS) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (lasts) busy = false;
    const CUresult result = cuMemcpyAsync(to, from, bytes, NULL);
    return result != CUDA_SUCCESS ? result : told();
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
    return copy_now("cuMemcpyHtoD", to, (CUdeviceptr)(uintptr_t)from, bytes);
}
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    return copy_now("cuMemcpyDtoH", (CUdeviceptr)(uintptr_t)to, from, bytes);
}

/* ---- Devices and contexts ---------------------------------------------------------------------------------------- */

static void after_fork(void) { forked = true; }
CUresult cuInit(unsigned flags) {
    LOCK();
    if (forked) return CUDA_ERROR_NOT_INITIALIZED;
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    struct count *count = count_of(counts, "cuInit");
    const char *set = getenv("STANDIN"); /* for programs that do not call the functions of standin.h */
    int code = 0;
    if (set && sscanf(set, "init=%d", &code) == 1) return (CUresult)code;
    if (set) sscanf(set, "devices=%d", &device_count);
    if (++count->calls == count->fail_at) return (CUresult)count->code;
    if (!device_count) return CUDA_ERROR_NO_DEVICE;
    if (!driver_started) pthread_atfork(NULL, NULL, after_fork);
    driver_started = true;
    return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) {
    ENTER_AS("cuDriverGetVersion", false);
    return *version = driver_version, CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char **name) {
    static const struct {
        CUresult code;
        const char *name;
    } known[] = {
#define NAMED(code) {code, #code}
        NAMED(CUDA_ERROR_INVALID_VALUE), NAMED(CUDA_ERROR_OUT_OF_MEMORY), NAMED(CUDA_ERROR_NOT_INITIALIZED),
        NAMED(CUDA_ERROR_DEINITIALIZED), NAMED(CUDA_ERROR_NO_DEVICE), NAMED(CUDA_ERROR_INVALID_DEVICE),
        NAMED(CUDA_ERROR_INVALID_IMAGE), NAMED(CUDA_ERROR_INVALID_CONTEXT), NAMED(CUDA_ERROR_NO_BINARY_FOR_GPU),
        NAMED(CUDA_ERROR_ECC_UNCORRECTABLE), NAMED(CUDA_ERROR_INVALID_PTX), NAMED(CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
        NAMED(CUDA_ERROR_INVALID_SOURCE), NAMED(CUDA_ERROR_INVALID_HANDLE), NAMED(CUDA_ERROR_NOT_FOUND),
        NAMED(CUDA_ERROR_NOT_READY), NAMED(CUDA_ERROR_ILLEGAL_ADDRESS), NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
        NAMED(CUDA_ERROR_LAUNCH_TIMEOUT), NAMED(CUDA_ERROR_CONTEXT_IS_DESTROYED), NAMED(CUDA_ERROR_ASSERT),
        NAMED(CUDA_ERROR_MISALIGNED_ADDRESS), NAMED(CUDA_ERROR_LAUNCH_FAILED), NAMED(CUDA_ERROR_ILLEGAL_STATE),
        NAMED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE), NAMED(CUDA_ERROR_NOT_SUPPORTED),
        NAMED(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH), NAMED(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
        NAMED(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED), NAMED(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
        NAMED(CUDA_ERROR_CAPTURED_EVENT), NAMED(CUDA_ERROR_INVALID_CLUSTER_SIZE),
        NAMED(CUDA_ERROR_UNKNOWN)};
    *name = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == error) *name = known[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuDeviceGetCount(int *count) {
    ENTER_AS("cuDeviceGetCount", false);
    return *count = device_count, CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    ENTER_AS("cuDeviceGet", false);
    return *device = ordinal, ordinal >= 0 && ordinal < device_count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
static int multiprocessors(CUdevice device) { return device ? 40 : 80; }

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
    ENTER_AS("cuDeviceGetName", false);
    return snprintf(name, (size_t)bytes, "Stand-in %d", multiprocessors(device)), CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    ENTER_AS("cuDeviceTotalMem", false);
    return (void)device, *bytes = memory_of_device, CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    ENTER_AS("cuDeviceGetAttribute", false);
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = device ? 8 : 9; break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = REGISTERS; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = MOST_RESIDENT_THREADS; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = multiprocessors(device); break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = L2_BYTES; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = MOST_THREADS; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = MOST_SHARED; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = MOST_SHARED_OPTED_IN; break;
    default: blame("cuDeviceGetAttribute(%d) is not known here", (int)attribute); return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}
static CUresult push(CUcontext context) {
    if (depth == 8) return CUDA_ERROR_INVALID_VALUE;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters, unsigned flags, CUdevice device) {
    ENTER_AS("cuCtxCreate", false);
    (void)parameters, (void)flags;
    *context = new_object(sizeof **context);
    **context = (struct CUctx_st){device, next_id++, 0, 0, false};
    return push(*context);
}
/* The context that was destroyed last. Its memory is kept, so that a test can make a new context at the same
   address. */
static CUcontext destroyed;
CUresult cuCtxDestroy(CUcontext context) {
    ENTER_AS("cuCtxDestroy", false);
    if (context == current()) depth--;
    context->destroyed = true;
    destroyed = context;
    return CUDA_SUCCESS;
}
void standin_create_in_place(CUcontext *context) {
    *destroyed = (struct CUctx_st){destroyed->device, next_id++, 0, 0, false};
    push(*context = destroyed);
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    ENTER_AS("cuDevicePrimaryCtxRetain", false);
    if (!primary[device].id) primary[device] = (struct CUctx_st){device, next_id++, 0, 0, false};
    return *context = &primary[device], CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context) {
    ENTER_AS("cuCtxGetCurrent", false);
    return *context = current(), CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    ENTER_AS("cuCtxSetCurrent", false);
    if (depth) depth--;
    return context ? push(context) : CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
    ENTER_AS("cuCtxPushCurrent", false);
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    return context->destroyed ? CUDA_ERROR_INVALID_CONTEXT : push(context);
}
CUresult cuCtxPopCurrent(CUcontext *context) {
    ENTER_AS("cuCtxPopCurrent", false);
    if (!depth) return CUDA_ERROR_INVALID_CONTEXT;
    *context = stack[--depth];
    return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device) {
    ENTER("cuCtxGetDevice");
    return *device = current()->device, CUDA_SUCCESS;
}
CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    ENTER_AS("cuCtxGetId", false);
    return *id = context->id, CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) {
    ENTER("cuCtxSynchronize");
    UNSAFE("cuCtxSynchronize");
    busy = false;
    return told();
}

/* ---- Streams, capture, events ------------------------------------------------------------------------------------ */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    ENTER("cuStreamCreate");
    *stream = new_object(sizeof **stream);
    (*stream)->context = current();
    (*stream)->blocking = !(flags & CU_STREAM_NON_BLOCKING);
    objects++;
    return CUDA_SUCCESS;
}
CUresult cuStreamDestroy(CUstream stream) {
    ENTER("cuStreamDestroy");
    if (stream->destroyed) blame("a stream is destroyed twice");
    stream->destroyed = true;
    objects--;
    return CUDA_SUCCESS;
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    ENTER_AS("cuStreamGetCtx", false);
    *context = (uintptr_t)stream > 2 ? stream->context : current();
    return *context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuStreamSynchronize(CUstream stream) {
    ENTER("cuStreamSynchronize");
    UNSAFE("cuStreamSynchronize");
    (void)stream;
    if (hangs) blame("cuStreamSynchronize waits for a kernel that never ends");
    busy = false;
    return told();
}
CUresult cuStreamQuery(CUstream stream) {
    ENTER("cuStreamQuery");
    UNSAFE("cuStreamQuery");
    if ((uintptr_t)stream < 2 && legacy_is_captured()) {
        blame("cuStreamQuery of the legacy stream while a stream is captured");
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    const CUresult result = told();
    if (result != CUDA_SUCCESS) return result;
    return busy && lasts_on == (stream == CU_STREAM_LEGACY ? NULL : stream) ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    ENTER("cuLaunchHostFunc");
    QUEUE(stream);
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    if (held) held(held_data);
    held = function, held_data = data;
    return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    ENTER("cuStreamIsCapturing");
    if ((uintptr_t)stream <= 1 && legacy_is_captured()) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    *status = (uintptr_t)stream > 2 ? stream->capture : CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
    ENTER_AS("cuThreadExchangeStreamCaptureMode", false);
    const CUstreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    ENTER("cuStreamBeginCapture");
    if ((uintptr_t)stream <= 2) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_ILLEGAL_STATE;
    stream->capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    stream->mode = mode;
    stream->graph = calloc(1, sizeof *stream->graph);
    stream->graph->next = graphs;
    graphs = stream->graph;
    if (mode != CU_STREAM_CAPTURE_MODE_GLOBAL) return CUDA_SUCCESS;
    stream->next = capturing;
    capturing = stream;
    return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    ENTER("cuStreamEndCapture");
    if (stream->capture == CU_STREAM_CAPTURE_STATUS_NONE) {
        blame("the capture of a stream ends that is not captured");
        return CUDA_ERROR_ILLEGAL_STATE;
    }
    const bool whole = stream->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE;
    for (CUstream *at = &capturing; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    stream->capture = CU_STREAM_CAPTURE_STATUS_NONE;
    objects += whole;
    return *graph = whole ? stream->graph : NULL, whole ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    ENTER("cuEventCreate");
    (void)flags;
    *event = new_object(sizeof **event);
    objects++;
    return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent event) {
    ENTER("cuEventDestroy");
    if (event->destroyed) blame("an event is destroyed twice");
    event->destroyed = true;
    objects--;
    return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    ENTER("cuEventRecord");
    if ((uintptr_t)stream > 2) event->captured_on = stream->capture == CU_STREAM_CAPTURE_STATUS_NONE ? NULL : stream;
    QUEUE(stream);
    if (event->destroyed) blame("cuEventRecord of a destroyed event");
    reach_device(0);
    device_ns += 2000;
    clocked_stream = (uintptr_t)stream > 2 ? stream : NULL;
    event->ns = device_ns;
    event->recorded = true;
    event->asked = false;
    event->never = hangs;
    event->launched = launched;
    return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent event) {
    ENTER("cuEventQuery");
    if (event->captured_on)
        return event->captured_on->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED, CUDA_ERROR_CAPTURED_EVENT;
    UNSAFE("cuEventQuery");
    if (!event->recorded) blame("cuEventQuery of an event that was not recorded");
    if (launched < event->launched + depth_of_queue) return CUDA_ERROR_NOT_READY;
    if (late && !event->asked) return event->asked = true, CUDA_ERROR_NOT_READY;
    const bool was_busy = busy;
    if (busy_questions && --busy_questions == 0) busy = false;
    return event->never || was_busy ? CUDA_ERROR_NOT_READY : told();
}
CUresult cuEventSynchronize(CUevent event) {
    ENTER("cuEventSynchronize");
    UNSAFE("cuEventSynchronize");
    if (event->never) blame("cuEventSynchronize waits for a kernel that never ends");
    return told();
}
#undef cuEventElapsedTime /* a macro since CUDA 12.8; this is the older function */
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
    ENTER("cuEventElapsedTime");
    const double from = (double)(uint64_t)(start->ns / quantum), to = (double)(uint64_t)(stop->ns / quantum);
    if (!start->recorded || !stop->recorded) return CUDA_ERROR_INVALID_HANDLE;
    if (start->never || stop->never) return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)((to - from) * quantum / 1e6);
    return CUDA_SUCCESS;
}

/* ---- Modules: a shared object, from memory ----------------------------------------------------------------------- */

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned options, CUjit_option *option,
                            void **values) {
    ENTER("cuModuleLoadDataEx");
    UNSAFE("cuModuleLoadDataEx");
    (void)options, (void)option, (void)values;
    const Elf64_Ehdr *head = image;
    char path[64];
    /* The library has the kernel autotune_elements as PTX. The stand-in loads an image that was compiled from the
       source of this kernel. */
    static char elements[1 << 17];
    if (strstr(image, ".entry autotune_elements(")) {
        FILE *kept = fopen(ELEMENTS, "rb");
        head = kept && fread(elements, 1, sizeof elements, kept) ? image = elements : image;
        if (kept) fclose(kept);
    }
    if (memcmp(head->e_ident, ELFMAG, SELFMAG)) return CUDA_ERROR_INVALID_IMAGE;
    const size_t bytes = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    const int file = memfd_create("cubin", 0);
    if (file < 0 || write(file, image, bytes) != (ssize_t)bytes) return CUDA_ERROR_OPERATING_SYSTEM;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct standin_device *device = library ? dlsym(library, "standin_device") : NULL;
    size_t (*static_shared)(void) = library ? (size_t(*)(void))dlsym(library, "standin_static_shared") : NULL;
    /* The file stays open. A closed file would give its number, and so its path, to the next library, and dlopen()
       would return the old library. */
    if (!device || !static_shared) return close(file), CUDA_ERROR_INVALID_IMAGE;
    *module = new_object(sizeof **module);
    (*module)->library = library;
    (*module)->device = device;
    (*module)->static_shared = (int)static_shared();
    objects++;
    return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}
CUresult cuModuleLoad(CUmodule *module, const char *path) {
    static char image[1 << 20];
    FILE *file = fopen(path, "rb");
    const size_t bytes = file ? fread(image, 1, sizeof image, file) : 0;
    if (file) fclose(file);
    return bytes ? cuModuleLoadData(module, image) : CUDA_ERROR_FILE_NOT_FOUND;
}
CUresult cuModuleUnload(CUmodule module) {
    ENTER("cuModuleUnload");
    UNSAFE("cuModuleUnload");
    if (module->unloaded) blame("a module is unloaded twice");
    module->unloaded = true;
    objects--;
    return told();
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    ENTER("cuModuleGetFunction");
    char symbol[96];
    for (size_t i = 0; i < module->count; i++)
        if (!strcmp(module->functions[i].name, name)) return *function = &module->functions[i], CUDA_SUCCESS;
    snprintf(symbol, sizeof symbol, "standin_kernel_%s", name);
    struct standin_kernel *kernel = dlsym(module->library, symbol);
    if (!kernel || module->count == 16) return CUDA_ERROR_NOT_FOUND;
    *function = &module->functions[module->count++];
    snprintf((*function)->name, sizeof(*function)->name, "%s", name);
    (*function)->module = module;
    (*function)->kernel = kernel;
    return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule module, const char *name) {
    ENTER("cuModuleGetGlobal");
    UNSAFE("cuModuleGetGlobal");
    void *variable = dlsym(module->library, name), *symbol = NULL;
    Dl_info info;
    if (!variable || !dladdr1(variable, &info, &symbol, RTLD_DL_SYMENT) || !symbol) return CUDA_ERROR_NOT_FOUND;
    *at = (CUdeviceptr)(uintptr_t)variable;
    *bytes = ((const Elf64_Sym *)symbol)->st_size;
    return CUDA_SUCCESS;
}

/* ---- Attributes of kernels ------------------------------------------------------------------------------------------
 */

static struct count registers[8]; /* for each kernel: `calls` is its number of registers */

void standin_set_registers(const char *kernel, int value) { count_of(registers, kernel)->calls = (unsigned)value; }
static int value_of(struct count *table, const char *kernel, int otherwise) {
    while (*table->name && strcmp(table->name, kernel)) table++;
    return *table->name ? (int)table->calls : otherwise;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    ENTER("cuFuncGetAttribute");
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = value_of(registers, function->name, 32); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = 16; break;
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = MOST_THREADS; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = function->module->static_shared; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = (function->opted_in ? function->opted_in : MOST_SHARED) - function->module->static_shared;
        break;
    default: blame("cuFuncGetAttribute(%d) is not known here", (int)attribute); return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    ENTER("cuFuncSetAttribute");
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        return function->large_clusters = value, CUDA_SUCCESS;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
        value + function->module->static_shared > MOST_SHARED_OPTED_IN)
        return CUDA_ERROR_INVALID_VALUE;
    function->opted_in = value + function->module->static_shared;
    return CUDA_SUCCESS;
}
CUresult cuFuncLoad(CUfunction function) {
    ENTER("cuFuncLoad");
    UNSAFE("cuFuncLoad");
    (void)function;
    return CUDA_SUCCESS;
}
static CUresult own_cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    ENTER("cuFuncGetParamInfo");
    if (index >= function->kernel->count) return missing_parameters++, CUDA_ERROR_INVALID_VALUE;
    *offset = 0;
    *size = function->kernel->sizes[index];
    return CUDA_SUCCESS;
}
static CUresult own_cuFuncGetParamCount(CUfunction function, size_t *count) {
    ENTER("cuFuncGetParamCount");
    return *count = function->kernel->count, CUDA_SUCCESS;
}
static int at_most(int a, int b) { return a < b ? a : b; }
static bool is_shared_allowed(CUfunction function, size_t dynamic) {
    return dynamic + (size_t)function->module->static_shared <=
           (size_t)(function->opted_in ? function->opted_in : MOST_SHARED);
}
/* Returns how many blocks of the kernel one multiprocessor can run at the same time. */
static int resident_blocks(CUfunction function, int threads, size_t dynamic) {
    const size_t shared_bytes = dynamic + (size_t)function->module->static_shared + RESERVED_SHARED;
    const int warps = (threads + 31) / 32,
              by_registers = REGISTERS / (value_of(registers, function->name, 32) * warps * 32);
    if (threads > MOST_THREADS || !is_shared_allowed(function, dynamic)) return 0;
    return at_most(at_most(by_registers, MOST_RESIDENT_THREADS / (warps * 32)),
                   at_most(MOST_RESIDENT_BLOCKS, SHARED / (int)shared_bytes));
}

/* The attributes of a launch: the blocks of a cluster (1 without the attribute), and whether it is cooperative. */
struct how {
    unsigned cluster[3];
    bool cooperative;
};
static struct how how(const CUlaunchConfig *config) {
    struct how found = {{1, 1, 1}, false};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttributeValue *value = &config->attrs[i].value;
        if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            memcpy(found.cluster, (unsigned[]){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z},
                   sizeof found.cluster);
        else if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            found.cooperative = value->cooperative;
        else
            blame("launch attribute %d is not known here", (int)config->attrs[i].id);
    }
    return found;
}
static CUresult check_cluster(CUfunction function, const CUlaunchConfig *config, const struct how *how) {
    const unsigned *cluster = how->cluster, size = cluster[0] * cluster[1] * cluster[2];
    if (size == 1) return CUDA_SUCCESS;
    if (!size) return CUDA_ERROR_INVALID_VALUE;
    if (config->gridDimX % cluster[0] || config->gridDimY % cluster[1] || config->gridDimZ % cluster[2])
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (current()->device) return CUDA_ERROR_NOT_SUPPORTED;
    return size > PORTABLE_CLUSTER && !function->large_clusters ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
}
/* ---- Launches ----------------------------------------------------------------------------------------------------

   One fiber runs the threads of a block, one after the other. If a thread waits at a barrier, it keeps the fiber, and
   another fiber runs the rest of the threads. */

static struct fiber {
    void *place; /* its stack pointer when it stopped */
    ucontext_t context;
    char *stack;
    bool started, waits;
    unsigned thread;
} fibers[MOST_THREADS], scheduler;
static struct fiber *running;
static struct launch {
    CUfunction function;
    void **arguments;
    unsigned next, total;
    struct standin_device *device;
} launch;
static sigjmp_buf after_fault;
static bool in_kernel;

static void set_thread(unsigned thread) {
    const struct standin_index size = launch.device->block_size;
    running->thread = thread;
    if (size.x == launch.total) /* most blocks have one dimension; divisions take longer than a small kernel's thread */
        launch.device->thread = (struct standin_index){thread, 0, 0};
    else
        launch.device->thread =
            (struct standin_index){thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}
static void run_threads(void);

/* Switches from one fiber to another. swapcontext() would also do it, but makes a system call for the signal mask each
   time. A barrier would spend most of its time in this call. */
#ifdef __x86_64__
void standin_switch(void **from, void *to);
__asm__(".text\n.globl standin_switch\n.hidden standin_switch\n.type standin_switch, @function\nstandin_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\nmov %rsp, (%rdi)\n"
        "mov %rsi, %rsp\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");
static void switch_fibers(struct fiber *from, struct fiber *to) { standin_switch(&from->place, to->place); }
/* Writes a stack as standin_switch() leaves it: six registers, and the address of run_threads(). */
static void begin(struct fiber *fiber) {
    void **top = (void **)(void *)(fiber->stack + STACK) - 8;
    memset(top, 0, 8 * sizeof *top);
    top[6] = (void *)run_threads;
    fiber->place = top;
}
#else
static void switch_fibers(struct fiber *from, struct fiber *to) { swapcontext(&from->context, &to->context); }
static void begin(struct fiber *fiber) {
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack;
    fiber->context.uc_stack.ss_size = STACK;
    makecontext(&fiber->context, run_threads, 0);
}
#endif
static void run_threads(void) {
    for (;;) {
        while (launch.next < launch.total) {
            set_thread(launch.next++);
            launch.function->kernel->run(launch.function->kernel->function, launch.arguments);
        }
        switch_fibers(running, &scheduler);
    }
}
static void barrier(void) {
    struct fiber *self = running;
    self->waits = true;
    switch_fibers(self, &scheduler);
    set_thread(self->thread);
}
static void resume(struct fiber *fiber) {
    running = fiber;
    fiber->waits = false;
    if (!fiber->stack) fiber->stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!fiber->started) begin(fiber);
    fiber->started = true;
    switch_fibers(&scheduler, fiber);
}
static void run_block(void) {
    size_t used = 0;
    bool waiting = true;
    for (launch.next = 0; launch.next < launch.total; used++) resume(&fibers[used]);
    while (waiting) {
        waiting = false;
        for (size_t i = 0; i < used; i++)
            if (fibers[i].waits) {
                resume(&fibers[i]);
                waiting = waiting || fibers[i].waits;
            }
    }
}
/* The handlers of SIGSEGV and SIGBUS that the program had before the first kernel. The handlers of the stand-in stay
   set: to set them takes as long as a small launch. */
static struct sigaction before_kernels[2];
static void on_fault(int signal_number, siginfo_t *fault, void *context) {
    (void)context;
    if (in_kernel && open_memory(fault->si_addr)) return; /* the first access of a kernel to this block is allowed */
    if (in_kernel) siglongjmp(after_fault, 1);
    /* The fault is not of a kernel: host code accessed device memory, or has a bug. The access is repeated, and the
       handler of the program gets the fault. */
    sigaction(signal_number, &before_kernels[signal_number == SIGBUS], NULL);
}
static void handle_faults(void) {
    const struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    static bool set;
    if (set) return;
    set = true;
    sigaction(SIGSEGV, &action, &before_kernels[0]);
    sigaction(SIGBUS, &action, &before_kernels[1]);
}
/* Runs all blocks of a launch. Returns false if the kernel accessed memory that is not device memory. */
static bool run_grid(CUfunction function, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes,
                     void **arguments) {
    static char shared[MOST_SHARED_OPTED_IN] __attribute__((aligned(256)));
    struct standin_device *device = function->module->device;
    volatile bool ended = false; /* volatile, because it is read after siglongjmp() */
    launch = (struct launch){function, arguments, 0, block[0] * block[1] * block[2], device};
    device->block_size = (struct standin_index){block[0], block[1], block[2]};
    device->grid_size = (struct standin_index){grid[0], grid[1], grid[2]};
    device->barrier = barrier;
    device->shared = shared + sizeof shared - ((shared_bytes + 15) & ~15u); /* its end is the end of the array */
    handle_faults();
    in_kernel = true;
    if (!sigsetjmp(after_fault, 1)) {
        for (unsigned z = 0; z < grid[2]; z++)
            for (unsigned y = 0; y < grid[1]; y++)
                for (unsigned x = 0; x < grid[0]; x++) {
                    device->block = (struct standin_index){x, y, z};
                    run_block();
                }
        ended = true;
    }
    for (size_t i = 0; !ended && i < MOST_THREADS; i++) fibers[i].started = fibers[i].waits = false;
    in_kernel = false;
    close_memory();
    return ended;
}
static double cost_of(CUfunction function, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    const double threads = (double)grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2];
    const double ns = cost_model ? cost_model(function->name, grid, block, shared_bytes) : slower * (5000 + threads);
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return ns * (flushed ? 1 : 0.5) * (1 + noise * (double)(seed >> 11) / (double)((uint64_t)1 << 53));
}
static void run(CUfunction function, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes,
                void **arguments) {
    count_of(launches, function->name)->calls++;
    device_ns += cost_of(function, grid, block, shared_bytes);
    flushed = false;
    if (!strcmp(function->name, hanging_kernel))
        hangs = true;
    else if (!strcmp(function->name, broken_kernel))
        current()->pending = broken_code;
    else if (!run_grid(function, grid, block, shared_bytes, arguments))
        current()->pending = CUDA_ERROR_ILLEGAL_ADDRESS;
}
static CUresult check_launch(CUfunction function, const CUlaunchConfig *c, const struct how *asked) {
    const unsigned long long threads = (unsigned long long)c->blockDimX * c->blockDimY * c->blockDimZ,
                             blocks = (unsigned long long)c->gridDimX * c->gridDimY * c->gridDimZ;
    if (!function || function->module->unloaded) return CUDA_ERROR_INVALID_HANDLE;
    if (!blocks || !threads || threads > MOST_THREADS || !is_shared_allowed(function, c->sharedMemBytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (!resident_blocks(function, (int)threads, c->sharedMemBytes)) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    const CUresult result = check_cluster(function, c, asked);
    if (result != CUDA_SUCCESS) return result;
    if (asked->cluster[0] * asked->cluster[1] * asked->cluster[2] > LARGEST_CLUSTER)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    return asked->cooperative &&
                   blocks > (unsigned long long)resident_blocks(function, (int)threads, c->sharedMemBytes) *
                                (unsigned)multiprocessors(current()->device)
               ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
               : CUDA_SUCCESS;
}
/* Launches a kernel, or refuses the launch. A refused launch makes the capture of its stream invalid. */
static CUresult start(CUfunction function, const CUlaunchConfig *c, void **arguments) {
    const unsigned grid[3] = {c->gridDimX, c->gridDimY, c->gridDimZ},
                   block[3] = {c->blockDimX, c->blockDimY, c->blockDimZ};
    const struct how asked = how(c);
    const CUresult result = check_launch(function, c, &asked);
    if (result != CUDA_SUCCESS && (uintptr_t)c->hStream > 2 && c->hStream->capture == CU_STREAM_CAPTURE_STATUS_ACTIVE)
        c->hStream->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    if (result != CUDA_SUCCESS) return result;
    QUEUE(c->hStream);
    snprintf(attributes, sizeof attributes, "clusters of %u x %u x %u%s", asked.cluster[0], asked.cluster[1],
             asked.cluster[2], asked.cooperative ? ", cooperative" : "");
    reach_device(overhead);
    const double before = device_ns;
    launched++;
    run(function, grid, block, c->sharedMemBytes, arguments);
    if (lasts && ((uintptr_t)c->hStream <= 2 || c->hStream->blocking)) {
        busy = true;
        lasts_on = c->hStream == CU_STREAM_LEGACY ? NULL : c->hStream;
    }
    /* A launch on another stream takes no time on the stream of the events. */
    if (clocked_stream && c->hStream != clocked_stream) device_ns = before;
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared_bytes, CUstream stream, void **arguments, void **extra) {
    ENTER("cuLaunchKernel");
    (void)extra;
    return start(function, &(CUlaunchConfig){gx, gy, gz, bx, by, bz, shared_bytes, stream, NULL, 0}, arguments);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                                     void **extra) {
    ENTER("cuLaunchKernelEx");
    (void)extra;
    return start(function, config, arguments);
}

CUresult cuGraphDestroy(CUgraph graph) {
    ENTER("cuGraphDestroy");
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    if (graph->destroyed) blame("a graph is destroyed twice");
    graph->destroyed = true;
    objects--;
    return CUDA_SUCCESS;
}

/* ---- Functions that older drivers lack ---------------------------------------------------------------------------

   The loader calls find_NAME() to find the function NAME. It returns NULL if the version of the driver is too old. */

#define SINCE(version, name)                                                                          \
    static __attribute__((__used__)) __typeof__(&own_##name) find_##name(void) {                              \
        return driver_version >= version ? own_##name : NULL;                                                  \
    }                                                                                                          \
    __typeof__(own_##name) name __attribute__((ifunc("find_" #name)))
SINCE(12040, cuFuncGetParamInfo);
SINCE(13020, cuFuncGetParamCount);
static void __attribute__((constructor)) read_version(void) {
    const char *set = getenv("STANDIN");        /* for programs that do not call the functions of standin.h */
    if (set) sscanf(set, "version=%d", &driver_version);
    if (set) sscanf(set, "slower=%lf", &slower);
}

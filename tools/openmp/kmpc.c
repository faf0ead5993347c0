/* Regions of programs that clang compiled: the functions that stand in the place of libomp's. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "library.h"
#include "tune.h"

#define EXPORTED __attribute__((visibility("default")))
typedef void body_function(int *, int *, ...);
typedef void fork_call(void *location, int count, body_function *, ...);

/* Did this thread say how many threads its next region has? */
static __thread bool is_given;

/* NULL: the runtime does not have this function. */
static openmp_function *find_once(openmp_function **place, const char *name, const void *address) {
    openmp_function *found = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (found) return found;
    found = openmp_real_function(name, address);
    __atomic_store_n(place, found, __ATOMIC_RELAXED);
    return found;
}
/* The function of this name, called as ever if the runtime has it: from then on the thread has said it, or has not. */
#define ENTRY(name, parameters, arguments, given) \
    EXPORTED void name parameters { \
        typedef void real_function parameters; \
        static openmp_function *place; \
        openmp_function *const real = find_once(&place, #name, __builtin_return_address(0)); \
        is_given = given; \
        if (real) ((real_function *)real) arguments; \
    }
ENTRY(__kmpc_push_num_threads, (void *location, int thread, int threads), (location, thread, threads), true)
ENTRY(__kmpc_push_num_threads_strict, (void *location, int thread, int threads, int severity, const char *message),
      (location, thread, threads, severity, message), true)
ENTRY(__kmpc_push_num_threads_list, (void *location, int thread, unsigned count, int *threads),
      (location, thread, count, threads), true)
ENTRY(__kmpc_push_num_threads_list_strict,
      (void *location, int thread, unsigned count, int *threads, int severity, const char *message),
      (location, thread, count, threads, severity, message), true)
/* The region has one thread because of its `if`: what was said was said of this one. */
ENTRY(__kmpc_serialized_parallel, (void *location, int thread), (location, thread), false)

/* A call in C names its arguments: here it is so many, of which the runtime reads those that it is told of. A region
   that has more begins with a single one, which tells where they are; then each thread has a function of the runtime
   call the body with all of them. */
enum { NAMED = 32 };
#define LIST8(a, i) (a)[i], (a)[(i) + 1], (a)[(i) + 2], (a)[(i) + 3], (a)[(i) + 4], (a)[(i) + 5], (a)[(i) + 6], \
    (a)[(i) + 7]
typedef int call_body(body_function *, int thread, int place, int count, void **arguments, void **frame);
typedef struct large_region { call_body *call; body_function *body; int count; void **arguments; } large_region;
static void run_large(int *thread, int *place, const large_region *region) {
    void *frame;
    (void)region->call(region->body, *thread, *place, region->count, region->arguments, &frame);
}
static void begin_large(fork_call *real, void *location, int count, body_function *body, void **arguments) {
    static openmp_function *place;
    const void *const runtime = (const void *)(uintptr_t)real;
    const large_region region = { (call_body *)find_once(&place, "__kmp_invoke_microtask", runtime), body, count,
                                  arguments };
    if (region.call) { real(location, 1, (body_function *)run_large, &region); return; }
    openmp_say(AUTOTUNE_LOG_ERRORS, "openmp: a region has %d variables, and the runtime has no "
               "__kmp_invoke_microtask() to hand them on: run the program without libautotune_openmp.so", count);
    abort();                                    /* it would compute something else */
}
static void call_real(fork_call *real, void *location, int count, body_function *body, va_list list) {
    void *a[count > NAMED ? count : NAMED];
    memset(a, 0, NAMED * sizeof *a);
    for (int i = 0; i < count; i++) a[i] = va_arg(list, void *);
    if (count > NAMED) begin_large(real, location, count, body, a);
    else real(location, count, body, LIST8(a, 0), LIST8(a, 8), LIST8(a, 16), LIST8(a, 24));
}
static openmp_call begin(const void *address, body_function *body, const char *entry, void *location, bool alone) {
    const bool given = is_given || alone;
    const openmp_call call = openmp_begin(address, (openmp_function *)body, entry, given);
    is_given = false;
    if (!given && call.threads)
        openmp_only_runtime.push_threads(location, openmp_only_runtime.thread(location), call.threads);
    return call;
}
EXPORTED void __kmpc_fork_call(void *location, int count, body_function *body, ...) {
    const openmp_call call = begin(__builtin_return_address(0), body, __func__, location, false);
    va_list list;
    va_start(list, body);
    call_real((fork_call *)call.real, location, count, body, list);
    va_end(list);
    openmp_end(&call);
}
/* A region with `if`, as newer versions of clang begin it. */
EXPORTED void __kmpc_fork_call_if(void *location, int count, body_function *body, int condition, void *argument) {
    typedef void real_function(void *, int, body_function *, int, void *);
    const openmp_call call = begin(__builtin_return_address(0), body, __func__, location, !condition);
    ((real_function *)call.real)(location, count, body, condition, argument);
    openmp_end(&call);
}

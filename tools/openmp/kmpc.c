/* Regions of programs that clang compiled: the functions that stand in the place of libomp's. */
#include <stdarg.h>
#include "tune.h"

#define EXPORTED __attribute__((visibility("default")))
typedef void body_function(int *, int *, ...);
typedef void fork_call(void *location, int count, body_function *, ...);

/* Did this thread say how many threads its next region has? */
static __thread bool is_given;

/* The function of this name, called as ever: from then on the thread has said it, or has not. */
#define ENTRY(name, parameters, arguments, given) \
    EXPORTED void name parameters { \
        typedef void real_function parameters; \
        static openmp_function *real; \
        openmp_function *known = __atomic_load_n(&real, __ATOMIC_RELAXED); \
        if (!known) known = openmp_real_function(#name, __builtin_return_address(0)); \
        __atomic_store_n(&real, known, __ATOMIC_RELAXED); \
        is_given = given; \
        ((real_function *)known) arguments; \
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

/* A function of any number of arguments, all of them pointers, is called with a number that is known here: it reads
   those that it was told of. */
#define LIST8(a, i) (a)[i], (a)[(i) + 1], (a)[(i) + 2], (a)[(i) + 3], (a)[(i) + 4], (a)[(i) + 5], (a)[(i) + 6], \
    (a)[(i) + 7]
#define LIST64(a, i) LIST8(a, i), LIST8(a, (i) + 8), LIST8(a, (i) + 16), LIST8(a, (i) + 24), LIST8(a, (i) + 32), \
    LIST8(a, (i) + 40), LIST8(a, (i) + 48), LIST8(a, (i) + 56)
#define LIST512(a) LIST64(a, 0), LIST64(a, 64), LIST64(a, 128), LIST64(a, 192), LIST64(a, 256), LIST64(a, 320), \
    LIST64(a, 384), LIST64(a, 448)
static __attribute__((__noinline__)) void call_large(fork_call *real, void *location, int count, body_function *body,
                                                     va_list list) {
    void *a[512] = { 0 };
    for (int i = 0; i < count && i < 512; i++) a[i] = va_arg(list, void *);
    real(location, count, body, LIST512(a));
}
static void call_real(fork_call *real, void *location, int count, body_function *body, va_list list) {
    void *a[8] = { 0 };
    if (count > 8) call_large(real, location, count, body, list);
    else {
        for (int i = 0; i < count; i++) a[i] = va_arg(list, void *);
        real(location, count, body, LIST8(a, 0));
    }
}
EXPORTED void __kmpc_fork_call(void *location, int count, body_function *body, ...) {
    const bool given = is_given;
    openmp_call call = openmp_begin(__builtin_return_address(0), (openmp_function *)body, __func__, given);
    va_list list;
    is_given = false;
    if (!given && call.threads)
        openmp_only_runtime.push_threads(location, openmp_only_runtime.thread(location), call.threads);
    va_start(list, body);
    call_real((fork_call *)call.real, location, count, body, list);
    va_end(list);
    openmp_end(&call);
}

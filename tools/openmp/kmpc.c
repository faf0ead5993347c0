/* Regions of programs that clang compiled: functions that replace those of libomp. */
#include <stdarg.h>
#include "library.h"
#include "tune.h"

typedef void body_function(int *, int *, ...);
typedef void fork_call(void *location, int count, body_function *, ...);

/* The program has given the number of threads of this thread's next region. */
static __thread bool is_given;

/* Defines the function of this name. It sets is_given to `given`, and calls the real function unchanged. */
#define ENTRY(name, parameters, arguments, given) \
    EXPORTED void name parameters { \
        typedef void real_function parameters; \
        static openmp_function *place; \
        openmp_function *const real = openmp_find_once(&place, #name, __builtin_return_address(0)); \
        is_given = given; \
        ((real_function *)real) arguments; \
    }
ENTRY(__kmpc_push_num_threads, (void *location, int thread, int threads), (location, thread, threads), true)
ENTRY(__kmpc_push_num_threads_strict, (void *location, int thread, int threads, int severity, const char *message),
      (location, thread, threads, severity, message), true)
ENTRY(__kmpc_push_num_threads_list, (void *location, int thread, unsigned count, int *threads),
      (location, thread, count, threads), true)
ENTRY(__kmpc_push_num_threads_list_strict,
      (void *location, int thread, unsigned count, int *threads, int severity, const char *message),
      (location, thread, count, threads, severity, message), true)
/* The region has one thread because its `if` is false. A number of threads that was given was for this region. */
ENTRY(__kmpc_serialized_parallel, (void *location, int thread), (location, thread), false)

/* A call in C has a fixed number of arguments: FEW or MANY. The runtime reads only the first `count` of them. */
enum { FEW = 32, MANY = 128 };
#define LIST8(a, i) (a)[i], (a)[(i) + 1], (a)[(i) + 2], (a)[(i) + 3], (a)[(i) + 4], (a)[(i) + 5], (a)[(i) + 6], \
    (a)[(i) + 7]
#define LIST32(a, i) LIST8(a, i), LIST8(a, (i) + 8), LIST8(a, (i) + 16), LIST8(a, (i) + 24)
static void call_real(fork_call *real, void *location, int count, body_function *body, va_list list) {
    void *a[MANY];
    for (int i = 0; i < (count > FEW ? MANY : FEW); i++) a[i] = i < count ? va_arg(list, void *) : NULL;
    if (count <= FEW) real(location, count, body, LIST32(a, 0));
    else real(location, count, body, LIST32(a, 0), LIST32(a, 32), LIST32(a, 64), LIST32(a, 96));
}
static openmp_call begin(const void *address, body_function *body, const char *function_name, void *location,
                         bool alone) {
    const bool given = is_given || alone;
    const openmp_call call = openmp_begin(address, (openmp_function *)body, function_name, given);
    is_given = false;
    if (!given && call.threads)
        openmp_first_runtime.push_threads(location, openmp_first_runtime.thread(location), call.threads);
    return call;
}
/* The assembly below calls this function and the next one. */
void openmp_fork_call(void *location, int count, body_function *body, ...) {
    const openmp_call call = begin(__builtin_return_address(0), body, "__kmpc_fork_call", location, false);
    va_list list;
    va_start(list, body);
    call_real((fork_call *)call.real, location, count, body, list);
    va_end(list);
    openmp_end(&call);
}
openmp_function *openmp_real_fork_call(const void *address) {
    static openmp_function *place;
    is_given = false;
    return openmp_find_once(&place, "__kmpc_fork_call", address);
}
/* __kmpc_fork_call(): a region with more than MANY variables (128) is left alone. C cannot pass on any number of
   arguments. So the code jumps to the real function, with registers and stack unchanged. This jump is assembly. For a
   processor without this assembly, __kmpc_fork_call() is not replaced, and regions of clang's programs are left
   alone. */
#define JUMP(code) \
    __asm__(".text; .globl __kmpc_fork_call; .type __kmpc_fork_call, %function; __kmpc_fork_call:" code)
#if defined __x86_64__ && defined __LP64__
JUMP("endbr64; cmpl $128, %esi; jle openmp_fork_call;"
     "push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax;"
     "movq 56(%rsp), %rdi; call openmp_real_fork_call; movq %rax, %r11;"
     "pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi; jmp *%r11");
#elif defined __aarch64__
JUMP("hint #34; cmp w1, #128; b.gt 1f; b openmp_fork_call; 1:"
     "stp x29, x30, [sp, #-80]!; stp x0, x1, [sp, #16]; stp x2, x3, [sp, #32]; stp x4, x5, [sp, #48];"
     "stp x6, x7, [sp, #64]; mov x0, x30; bl openmp_real_fork_call; mov x16, x0; ldp x0, x1, [sp, #16];"
     "ldp x2, x3, [sp, #32]; ldp x4, x5, [sp, #48]; ldp x6, x7, [sp, #64]; ldp x29, x30, [sp], #80; br x16");
#endif

/* A region with `if`, as newer versions of clang begin it. */
EXPORTED void __kmpc_fork_call_if(void *location, int count, body_function *body, int condition, void *argument) {
    typedef void real_function(void *, int, body_function *, int, void *);
    const openmp_call call = begin(__builtin_return_address(0), body, __func__, location, !condition);
    ((real_function *)call.real)(location, count, body, condition, argument);
    openmp_end(&call);
}

/* kmpc.c - with -DRUNTIME a stand-in for the runtime of clang's programs. A region runs in the thread that begins it,
   and reports how many threads were asked for. Without -DRUNTIME this file is a program like clang's, which asks for
   this number in each possible way. */
#include <stdarg.h>
#include <stdio.h>

typedef void body_function(int *, int *, ...);
void __kmpc_fork_call(void *location, int count, body_function *body, ...);
void __kmpc_fork_call_if(void *location, int count, body_function *body, int condition, void *argument);
void __kmpc_push_num_threads(void *location, int thread, int threads);
void __kmpc_push_num_threads_strict(void *location, int thread, int threads, int severity, const char *message);
void __kmpc_push_num_threads_list(void *location, int thread, unsigned count, int *threads);
void __kmpc_push_num_threads_list_strict(void *location, int thread, unsigned count, int *threads, int severity,
                                         const char *message);
void __kmpc_serialized_parallel(void *location, int thread);
void __kmpc_end_serialized_parallel(void *location, int thread);
int __kmpc_global_thread_num(void *location);
int omp_get_level(void);
int omp_get_max_threads(void);

#ifdef RUNTIME
enum { MAXIMUM = 8 };                          /* a runtime does not call its own omp_get_max_threads() */
static int pushed, level;
/* Passes only the first and the last argument to the body of the region. */
void __kmpc_fork_call(void *location, int count, body_function *body, ...) {
    int threads = pushed ? pushed : MAXIMUM, zero = 0;
    void *first, *last;
    va_list list;
    (void)location;
    va_start(list, body);
    first = last = va_arg(list, void *);
    while (--count > 0) last = va_arg(list, void *);
    pushed = 0;
    level++;
    body(&zero, &threads, first, last);
    level--;
    va_end(list);
}
#define SAY (void)location, (void)thread, pushed =
void __kmpc_push_num_threads(void *location, int thread, int threads) { SAY threads; }
void __kmpc_push_num_threads_strict(void *location, int thread, int threads, int severity, const char *message) {
    SAY severity == 2 && message ? threads : -1;
}
void __kmpc_push_num_threads_list(void *location, int thread, unsigned count, int *threads) {
    SAY count == 2 ? threads[0] : -1;
}
void __kmpc_push_num_threads_list_strict(void *location, int thread, unsigned count, int *threads, int severity,
                                         const char *message) {
    SAY count == 2 && severity == 2 && message ? threads[0] : -1;
}
void __kmpc_fork_call_if(void *location, int count, body_function *body, int condition, void *argument) {
    int one = 1, zero = 0;
    if (condition) __kmpc_fork_call(location, count, body, argument);
    else body(&zero, &one, argument);
    pushed = 0;
}
void __kmpc_serialized_parallel(void *location, int thread) { SAY 0; }
void __kmpc_end_serialized_parallel(void *location, int thread) { (void)location, (void)thread; }
int __kmpc_global_thread_num(void *location) { return (void)location, 0; }
int omp_get_level(void) { return level; }
int omp_get_max_threads(void) { return MAXIMUM; }
#else
static void tell(int *thread, int *threads, ...) {
    va_list list;
    (void)thread;
    va_start(list, threads);
    printf("%s: %d\n", va_arg(list, const char *), *threads);
    va_end(list);
}
static void tell_large(int *thread, int *threads, const char *first, const char *last) {
    (void)thread;
    printf("%s %s: %d\n", first, last, *threads);
}
#define TEN "", "", "", "", "", "", "", "", "", ""
#define HUNDRED TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN
static void say_large(void) {
    __kmpc_fork_call(NULL, 32, (body_function *)tell_large, "small", TEN, TEN, TEN, "region");
    __kmpc_fork_call(NULL, 33, (body_function *)tell_large, "middle", TEN, TEN, TEN, "", "region");
    __kmpc_fork_call(NULL, 128, (body_function *)tell_large, "large", HUNDRED, TEN, TEN, "", "", "", "", "", "",
                     "region");
    __kmpc_fork_call(NULL, 129, (body_function *)tell_large, "larger", HUNDRED, TEN, TEN, "", "", "", "", "", "", "",
                     "region");
    __kmpc_push_num_threads(NULL, 0, 3);
    __kmpc_fork_call(NULL, 602, (body_function *)tell_large, "huge", HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED,
                     HUNDRED, "region");
    __kmpc_fork_call(NULL, 1, tell, "after it");
}
int main(void) {
    int list[2] = {3, 1};
    __kmpc_fork_call(NULL, 1, tell, "plain");
    __kmpc_push_num_threads(NULL, 0, 3);
    __kmpc_fork_call(NULL, 1, tell, "number");
    __kmpc_push_num_threads_strict(NULL, 0, 3, 2, "no");
    __kmpc_fork_call(NULL, 1, tell, "strict number");
    __kmpc_push_num_threads_list(NULL, 0, 2, list);
    __kmpc_fork_call(NULL, 1, tell, "list");
    __kmpc_push_num_threads_list_strict(NULL, 0, 2, list, 2, "no");
    __kmpc_fork_call(NULL, 1, tell, "strict list");
    __kmpc_push_num_threads(NULL, 0, 3);        /* for a region whose `if` is false, and not for the next region */
    __kmpc_serialized_parallel(NULL, 0);
    __kmpc_end_serialized_parallel(NULL, 0);
    __kmpc_fork_call(NULL, 1, tell, "next");
    __kmpc_fork_call_if(NULL, 1, tell, 1, "if");
    __kmpc_fork_call_if(NULL, 1, tell, 0, "if not");
    __kmpc_push_num_threads(NULL, 0, 3);
    __kmpc_fork_call_if(NULL, 1, tell, 1, "number if");
    say_large();
    return 0;
}
#endif

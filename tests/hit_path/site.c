/* site.c - the call site that hit_path_calls.sh examines. With PLANTED its body does things that a hit must not do, and
   the script must find them. */
#include "autotune.h"
#ifdef PLANTED
#include <pthread.h>
#include <stdlib.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
void kernel(long n, long m, int tile, int unroll);

#ifdef PLANTED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
extern void *memory;
extern long launches;
#define BODY(...) \
    (pthread_mutex_lock(&mutex), memory = malloc(1), __atomic_fetch_add(&launches, 1, __ATOMIC_SEQ_CST), \
     kernel(__VA_ARGS__))
#else
#define BODY(...) kernel(__VA_ARGS__)
#endif

void tuned(long n, long m);
void tuned(long n, long m) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64), AXIS(unroll, 1, 2, 4), WHERE(unroll < tile)), 1, BODY(n, m, tile, unroll),
             .key = KEY(n, m));
}

void answered(long n, long m, autotune_result *result);
void answered(long n, long m, autotune_result *result) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(n, m, tile, 1), .key = KEY(n, m), .result = result);
}

void watched(long n, long m);
void watched(long n, long m) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(n, m, tile, 1), .key = KEY(n, m), .watch = 256);
}
#ifdef __cplusplus
}
#endif

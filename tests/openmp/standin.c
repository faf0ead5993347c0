/* standin.c - in the place of libgomp: a region runs in the thread that begins it, and nowhere else. */
#include <stddef.h>

typedef void body_function(void *);
void GOMP_parallel(body_function *body, void *data, unsigned threads, unsigned flags);
int omp_get_level(void);
int omp_get_max_threads(void);
static __thread int level;
void GOMP_parallel(body_function *body, void *data, unsigned threads, unsigned flags) {
    (void)threads, (void)flags;
    level++;
    body(data);
    level--;
}
int omp_get_level(void) { return level; }
int omp_get_max_threads(void) { return 8; }

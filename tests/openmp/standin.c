/* standin.c - replaces libgomp: a region runs only in the thread that begins it. */
#include <stddef.h>

typedef void body_function(void *);
void GOMP_parallel(body_function *body, void *data, unsigned threads, unsigned flags);
int omp_get_level(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
static __thread int level, team = 1;
void GOMP_parallel(body_function *body, void *data, unsigned threads, unsigned flags) {
    (void)flags;
    level++;
    team = threads ? (int)threads : omp_get_max_threads();
    body(data);
    team = 1;
    level--;
}
int omp_get_level(void) { return level; }
int omp_get_num_threads(void) { return team; }
int omp_get_max_threads(void) { return 8; }

/* Regions of programs that gcc and gfortran compiled: the functions that stand in the place of libgomp's. */
#include "tune.h"

typedef void body_function(void *);

/* The function of this name: `threads`, among its parameters, becomes the chosen number. Its result is kept. */
#define ENTRY_OF(type, keep, give, name, parameters, arguments) \
    EXPORTED type name parameters { \
        typedef type real_function parameters; \
        openmp_call call = openmp_begin(__builtin_return_address(0), (openmp_function *)body, #name, (int)threads); \
        threads = (unsigned)call.threads; \
        keep ((real_function *)call.real) arguments; \
        openmp_end(&call); \
        give; \
    }
#define ENTRY(name, parameters, arguments) ENTRY_OF(void, (void), (void)0, name, parameters, arguments)
/* A loop whose schedule has a chunk size, and one whose schedule is told by OMP_SCHEDULE. */
#define CHUNKS(name) \
    ENTRY(name, (body_function *body, void *data, unsigned threads, long start, long end, long step, long chunk, \
                 unsigned flags), (body, data, threads, start, end, step, chunk, flags))
#define LOOP(name) \
    ENTRY(name, (body_function *body, void *data, unsigned threads, long start, long end, long step, unsigned flags), \
          (body, data, threads, start, end, step, flags))
ENTRY(GOMP_parallel, (body_function *body, void *data, unsigned threads, unsigned flags), (body, data, threads, flags))
ENTRY(GOMP_parallel_sections, (body_function *body, void *data, unsigned threads, unsigned count, unsigned flags),
      (body, data, threads, count, flags))
CHUNKS(GOMP_parallel_loop_static)
CHUNKS(GOMP_parallel_loop_dynamic)
CHUNKS(GOMP_parallel_loop_guided)
CHUNKS(GOMP_parallel_loop_nonmonotonic_dynamic)
CHUNKS(GOMP_parallel_loop_nonmonotonic_guided)
LOOP(GOMP_parallel_loop_runtime)
LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* This one tells how many threads there were. */
ENTRY_OF(unsigned, const unsigned had =, return had, GOMP_parallel_reductions,
         (body_function *body, void *data, unsigned threads, unsigned flags), (body, data, threads, flags))

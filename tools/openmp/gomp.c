/* Regions of programs that gcc and gfortran compiled: functions that replace those of libgomp. */
#include "tune.h"

typedef void body_function(void *);

/* Defines the function of this name. It calls the real function with the chosen number as `threads`, and returns the
   result of the real function. */
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
/* CHUNKS: a loop whose schedule has a chunk size. LOOP: a loop with the schedule of OMP_SCHEDULE. */
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

/* This function returns the number of threads. */
ENTRY_OF(unsigned, const unsigned had =, return had, GOMP_parallel_reductions,
         (body_function *body, void *data, unsigned threads, unsigned flags), (body, data, threads, flags))

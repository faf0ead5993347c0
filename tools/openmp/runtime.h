/* The OpenMP runtime of the process: libgomp or libomp. This library replaces some of its functions. */
#pragma once
#include "library.h"

typedef void openmp_function(void);
typedef struct openmp_runtime {
    const void *base;                           /* its load address, which identifies the runtime */
    char path[4096];
    int (*level)(void);                         /* omp_get_level(): how many regions are around the caller */
    int (*max_threads)(void);                   /* omp_get_max_threads(): the threads of a region without num_threads */
    int (*thread)(void *location);              /* __kmpc_global_thread_num(); libgomp has none */
    void (*push_threads)(void *location, int thread, int threads);      /* __kmpc_push_num_threads() */
} openmp_runtime;

/* Returns the function of this name that the code at the address would call without this library. NULL: none. */
openmp_function *openmp_real_function(const char *name, const void *address);
/* Does the same, and remembers the function at `place`. */
openmp_function *openmp_find_once(openmp_function **place, const char *name, const void *address);
/* Fills in the runtime that contains this function. Returns false if the runtime lacks a function that is needed. */
bool openmp_find_runtime(openmp_runtime *runtime, openmp_function *function);
/* Closes a handle of dlopen(). */
int openmp_close(void *handle);

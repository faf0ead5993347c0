/* implementation.c - the one unit that holds the implementation of autotune. */
#define _GNU_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdlib.h>

/* The benchmarks measure the first call of a process that knows nothing, unless a benchmark says otherwise. */
static __attribute__((__constructor__)) void no_cache(void) { setenv("AUTOTUNE_CACHE", "off", 0); }

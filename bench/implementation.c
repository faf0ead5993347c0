/* implementation.c - contains the implementation of autotune. */
#define _GNU_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"
#include <stdlib.h>

/* Without a cache, so that a process knows no winner at its start. A benchmark may turn the cache on. */
static __attribute__((__constructor__)) void no_cache(void) { setenv("AUTOTUNE_CACHE", "off", 0); }

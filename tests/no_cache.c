/* no_cache.c - a part of every test program: turns the cache on disk off, so that no test reads or writes the cache of
   the user. Tests of the cache turn it on, and set its folder. */
#define _POSIX_C_SOURCE 200809L
#include "set_environment.h"

static __attribute__((__constructor__)) void no_cache(void) { setenv("AUTOTUNE_CACHE", "off", 0); }

/* no_cache.c - a part of every test program: none reads or writes the cache of whoever runs it, by CTest or by hand.
   Those that test the cache say so, and where it is. */
#define _POSIX_C_SOURCE 200809L
#include "set_environment.h"

static __attribute__((__constructor__)) void no_cache(void) { setenv("AUTOTUNE_CACHE", "off", 0); }

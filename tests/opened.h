/* opened.h - what opened.c, an implementation for tests, has besides. Its allocations are counted, and fail when a test
   asks for that. Some of its private functions can be called. C and C++. */
#ifndef OPENED_H
#define OPENED_H

#include <stdbool.h>
#include <stdint.h>

#include "autotune.h"

#ifdef __cplusplus
extern "C" {
#endif
extern struct allocator {
    long living;        /* blocks */
    long until_failure; /* allocations that still succeed, then one fails; -1: all succeed */
    uint64_t random;    /* not 0: one allocation in five fails */
    bool failed;        /* one did */
} allocator;
extern long configured_cache_bytes; /* not 0: of the last level, where the system is asked by sysconf() */

uint64_t hash_of_key(const autotune_key *key);
uint64_t hash_of_string(const char *text);
uint64_t id_of_rule(const char *tuner); /* as it is written, with quotes */
void end_race_of_trial(void); /* as if the trial had changed the memory of the library */
void mistake_trial(void);     /* for that of the next configuration, likewise */
void write_misses(void);
void make_misses_due(void); /* after the first miss: the next one is written as soon as it is timed */
#ifdef __cplusplus
}
#endif

#endif

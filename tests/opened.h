/* opened.h - extra functions of opened.c, an implementation for tests. It counts its allocations, and lets them fail if
   a test asks for it. Tests can call some of its private functions. For C and C++. */
#ifndef OPENED_H
#define OPENED_H

#include <stdbool.h>
#include <stdint.h>

#include "autotune.h"

#ifdef __cplusplus
extern "C" {
#endif
extern struct allocator {
    long living;        /* how many blocks are allocated now */
    long until_failure; /* how many allocations succeed before one fails; -1: none fails */
    uint64_t random;    /* not 0: one allocation in five fails */
    bool failed;        /* an allocation has failed */
} allocator;
extern long configured_cache_bytes; /* not 0: the size of the last cache level, instead of sysconf() */

uint64_t hash_of_key(const autotune_key *key);
uint64_t hash_of_string(const char *text);
uint64_t id_of_rule(const char *tuner); /* the JSON string, with quotes */
void end_race_of_trial(void); /* ends the race, as a trial does that wrote into the library's memory */
void swap_trial(void); /* makes the library take the trial for the trial of the next configuration */
void write_misses(void);
void make_misses_due(void); /* call it after the first miss: the next miss is written at once */
#ifdef __cplusplus
}
#endif

#endif

/* implementation.c - the one unit that holds the implementation of autotune. */
#define _GNU_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

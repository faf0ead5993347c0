/* The one unit that holds the implementation, for every test program that does not bring its own. */
#define _POSIX_C_SOURCE 200809L /* strict C11 hides clock_gettime otherwise */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

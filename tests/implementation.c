/* Compiles the implementation as programs do. Scripts use this file; test programs use opened.c. */
#define _POSIX_C_SOURCE 200809L /* strict C11 hides clock_gettime otherwise */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

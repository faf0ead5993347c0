/* The implementation as programs have it: what scripts compile. Test programs have that of opened.c. */
#define _POSIX_C_SOURCE 200809L /* strict C11 hides clock_gettime otherwise */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

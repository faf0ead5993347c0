/* The implementation, as C or as C++. Strict C11 and C17 need _POSIX_C_SOURCE, which check.sh gives. */
#define AUTOTUNE_IMPLEMENTATION
#include "autotune.h"

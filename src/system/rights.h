/* The rights of the process: has it more than the user who started it? */
#pragma once
#include <unistd.h>
#include "../api/floor.h"

#ifdef __linux__
#include <sys/auxv.h>
/* The kernel knows it, also of rights that come from the capabilities of a file. */
static bool autotune__is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#else
static bool autotune__is_privileged(void) { return getuid() != geteuid() || getgid() != getegid(); }
#endif

/* Tells whether the process has more rights than the user who started it. */
#pragma once
#include <unistd.h>
#include "../api/floor.h"

#ifdef __linux__
#include <sys/auxv.h>
/* The kernel also counts rights that come from a file's capabilities. */
static bool autotune__is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#elif defined __APPLE__ || defined __FreeBSD__ || defined __NetBSD__ || defined __OpenBSD__ || defined __DragonFly__
#ifdef __APPLE__
extern int autotune__asks_rights(void) __asm__("_issetugid");     /* headers for strict POSIX hide it */
#else
extern int autotune__asks_rights(void) __asm__("issetugid");
#endif
static bool autotune__is_privileged(void) { return autotune__asks_rights() != 0; }
#else
static bool autotune__is_privileged(void) { return getuid() != geteuid() || getgid() != getegid(); }
#endif

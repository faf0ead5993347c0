/* The rights of the process: has it more than the user who started it? */
#pragma once
#include <unistd.h>
#include "../api/floor.h"

#ifdef __linux__
#include <sys/auxv.h>
/* The kernel knows it, also of rights that come from the capabilities of a file. */
static bool autotune__is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#elif defined __APPLE__ || defined __FreeBSD__ || defined __NetBSD__ || defined __OpenBSD__ || defined __DragonFly__
#ifdef __APPLE__
extern int autotune__asks_rights(void) __asm__("_issetugid");     /* headers that keep to POSIX do not declare it */
#else
extern int autotune__asks_rights(void) __asm__("issetugid");
#endif
static bool autotune__is_privileged(void) { return autotune__asks_rights() != 0; }
#else
static bool autotune__is_privileged(void) { return getuid() != geteuid() || getgid() != getegid(); }
#endif

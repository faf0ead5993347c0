/* set_environment.h - setenv() and unsetenv() for C libraries with other names for them. */
#ifndef SET_ENVIRONMENT_H
#define SET_ENVIRONMENT_H

#include <stdlib.h>

#ifdef _WIN32
static inline int setenv(const char *name, const char *value, int replace) {
    return replace || !getenv(name) ? _putenv_s(name, value) : 0;
}
static inline int unsetenv(const char *name) { return _putenv_s(name, ""); }
#endif

#endif

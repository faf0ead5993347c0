/* version.c - the version of the library, from autotune.h */
#define AUTOTUNE_NO_SHORT_NAMES
#include "../../autotune.h"
#include "command.h"

#define DIGITS(number) #number
#define TEXT(number)   DIGITS(number)

const char version[] = TEXT(AUTOTUNE_VERSION_MAJOR) "." TEXT(AUTOTUNE_VERSION_MINOR) "." TEXT(AUTOTUNE_VERSION_PATCH);

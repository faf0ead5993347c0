#define AUTOTUNE_IMPLEMENTATION
#include <autotune.h>

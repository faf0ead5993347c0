/* Stands for Criterion's header of this name. */
#include "../harness.h"

#define AUTOTUNE_MPI_IMPLEMENTATION
#include "autotune_mpi.h"

/* plain_ranks_cpp.cpp - ranks of an MPI program in C++. The program has an implementation of its own, or with
   IMPLEMENTED_IN_C the implementation of a file in C. */
#ifndef IMPLEMENTED_IN_C
#define AUTOTUNE_MPI_IMPLEMENTATION
#endif
#include "autotune_mpi.h"
#include "plain.h"

int main(int count, char **arguments) {
    int rank, extremes[2], called = -1;
    alarm(600);
    setenv("AUTOTUNE_CACHE", "off", 1);
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_result result;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    AUTOTUNE(SPACE(AXIS(tile, 1, 2, 3)), 1,
             (spend(static_cast<uint64_t>(1000000 * (1 + (tile + rank) % 3))), called = tile),
             .ranks = MPI_RANKS(MPI_COMM_WORLD), .agree = AUTOTUNE_FIRST, .backend = &own_clock, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && called == 3);
    extremes[0] = called;
    extremes[1] = -called;
    MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(extremes[0] == -extremes[1]);
    return MPI_Finalize() == MPI_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}

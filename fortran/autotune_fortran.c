/* autotune_fortran.c - the C half of autotune.f90: the implementation of autotune.h, and functions that cannot be
   written in Fortran.

       gcc -O2 -c autotune_fortran.c                             without MPI
       mpicc -O2 -DAUTOTUNE_FORTRAN_MPI -c autotune_fortran.c    with the ranks of autotune_mpi.h

   If another file of the program has the implementation, compile this file with AUTOTUNE_FORTRAN_NO_IMPLEMENTATION.

   MIT License, as autotune.h. */
#ifdef AUTOTUNE_FORTRAN_MPI
#ifndef AUTOTUNE_FORTRAN_NO_IMPLEMENTATION
#define AUTOTUNE_MPI_IMPLEMENTATION
#endif
#include "autotune_mpi.h"
#else
#ifndef AUTOTUNE_FORTRAN_NO_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#endif

void autotune_fortran_explain(const char *reason);
void autotune_fortran_keep(void **first, void **next, void *kept);
bool autotune_fortran_has_layout(const size_t *sizes, size_t count);

/* autotune_explain() has a variable number of arguments, and cannot be called from Fortran. */
void autotune_fortran_explain(const char *reason) { autotune_explain("%s", reason); }

/* Puts `kept` at the head of a list. next: the member of `kept` that points to the next one. The exchange is atomic,
   since several threads may queue cases at once. */
void autotune_fortran_keep(void **first, void **next, void *kept) {
    *next = __atomic_load_n(first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(first, next, kept, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
}

/* Returns true if the structs have these sizes, as they do if autotune.f90 belongs to this version. */
bool autotune_fortran_has_layout(const size_t *sizes, size_t count) {
    const size_t own[] = {sizeof(autotune_options), sizeof(autotune_result), sizeof(autotune_axis),
                          sizeof(autotune_desc), sizeof(autotune_step)};
    return count == sizeof own / sizeof *own && !memcmp(own, sizes, sizeof own);
}

#ifdef AUTOTUNE_FORTRAN_MPI
autotune_ranks *autotune_fortran_mpi_ranks(MPI_Fint communicator);
autotune_ranks *autotune_fortran_mpi_ranks(MPI_Fint communicator) {
    return autotune_mpi_ranks(MPI_Comm_f2c(communicator));
}
#endif

#include <stdint.h>
#include <time.h>

/* Ranks that wait read a clock that runs faster than real time by this factor. */
int clock_speed = 1;
static int quicker(clockid_t clock, struct timespec *time) {
    const int error = clock_gettime(clock, time);
    if (!error && clock == CLOCK_MONOTONIC && clock_speed != 1) {
        const int64_t ns = ((int64_t)time->tv_sec * 1000000000 + time->tv_nsec) * clock_speed;
        time->tv_sec = (time_t)(ns / 1000000000), time->tv_nsec = (long)(ns % 1000000000);
    }
    return error;
}
#define clock_gettime(clock, time) quicker(clock, time)
#define AUTOTUNE_MPI_IMPLEMENTATION
#include "autotune_mpi.h"

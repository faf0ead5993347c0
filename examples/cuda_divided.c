/* cuda_divided.c [N [GPUS]] - GPUs that divide the work of tuning. One process for each GPU tries its part of the
   configurations of a matrix product (cuda_gemm.cu). Then all processes compare the best configurations of all parts.
   The program makes the processes by fork(); they exchange values in shared memory. Ranks of MPI do the same with
   .ranks = MPI_RANKS(communicator). N is a multiple of 64. Without GPUS the program uses all GPUs. It needs libnvrtc
   when it runs.

       cc -O2 -I.. cuda_divided.c -lcuda -lm -pthread && ./a.out 4096 2 */
#define _DEFAULT_SOURCE
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(call) ((call) == CUDA_SUCCESS ? (void)0 : (fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)))
#ifndef GEMM_FILE
#define GEMM_FILE "cuda_gemm.cu"
#endif
static autotune_cuda_program program = CUDA_PROGRAM_FILE(GEMM_FILE);

/* The memory that all ranks share. */
enum { MOST_RANKS = 16, MOST_VALUES = 64, PIECE = 65536 };
typedef struct meeting {
    atomic_int arrived, round;
    double values[MOST_RANKS][MOST_VALUES];
    char bytes[PIECE];
} meeting;

static void meet(const autotune_ranks *self) {
    meeting *const m = self->user;
    const int round = atomic_load(&m->round);
    if (atomic_fetch_add(&m->arrived, 1) + 1 < self->count) while (atomic_load(&m->round) == round) usleep(20);
    else {
        atomic_store(&m->arrived, 0);
        atomic_fetch_add(&m->round, 1);
    }
}
static autotune_status greatest(autotune_ranks *self, double *values, size_t count) {
    meeting *const m = self->user;
    memcpy(m->values[self->rank], values, count * sizeof *values);
    meet(self);
    for (int rank = 0; rank < self->count; rank++)
        for (size_t i = 0; i < count; i++) if (m->values[rank][i] > values[i]) values[i] = m->values[rank][i];
    meet(self);                                         /* no rank writes before all ranks have read */
    return AUTOTUNE_OK;
}
static autotune_status share(autotune_ranks *self, void *bytes, size_t count) {
    meeting *const m = self->user;
    for (size_t at = 0; at < count; at += PIECE) {
        const size_t piece = count - at < PIECE ? count - at : PIECE;
        if (self->rank == 0) memcpy(m->bytes, (char *)bytes + at, piece);
        meet(self);
        memcpy((char *)bytes + at, m->bytes, piece);
        meet(self);
    }
    return AUTOTUNE_OK;
}

#define PER_BLOCK (BLOCK_M / ROWS * (BLOCK_N / COLUMNS))
static autotune_result multiply(autotune_ranks *ranks, int n, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c,
                                CUstream stream) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(BLOCK_M, 64, 128), AXIS(BLOCK_N, 64, 128, 256), AXIS(BLOCK_K, 8, 16), AXIS(ROWS, 4, 8),
                   AXIS(COLUMNS, 8, 16), AXIS(VECTOR, 1, 2, 4), AXIS(STAGES, 1, 2), AXIS(UNROLL, 8, 2),
                   AXIS(RESIDENT, 1, 2), WHERE(n % BLOCK_M == 0 && n % BLOCK_N == 0 && BLOCK_N % (8 * COLUMNS) == 0),
                   WHERE(PER_BLOCK >= 64 && PER_BLOCK <= 256 && ROWS * COLUMNS >= 64),
                   WHERE(BLOCK_M * BLOCK_K % (VECTOR * PER_BLOCK) == 0 &&
                         BLOCK_K * BLOCK_N % (VECTOR * PER_BLOCK) == 0),
                   WHERE(STAGES * BLOCK_K * (BLOCK_M + 4 + BLOCK_N) <= 12288),
                   WHERE(RESIDENT == 1 ? UNROLL == 8 : PER_BLOCK == 256 && ROWS * COLUMNS == 64)),
             GRID(n / BLOCK_N, n / BLOCK_M), CUDA_LAUNCH(&program, "gemm", THREADS(PER_BLOCK), SHARED(0), n, a, b, c),
             .backend = CUDA(stream), .key = KEY(n), .ranks = ranks, .agree = AUTOTUNE_DIVIDED,
             .max_seconds = 60, .result = &result);
    return result;
}

/* Returns the number of GPUs. A child process calls CUDA for this, since a process that has used CUDA must not fork. */
static int count_gpus(void) {
    int count = 0, status;
    const pid_t child = fork();
    if (child == 0) {
        MUST(cuInit(0));
        MUST(cuDeviceGetCount(&count));
        _exit(count);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Runs one rank, on the GPU with the number of the rank. Returns false if the last element of C is wrong. */
static bool run_rank(autotune_ranks *ranks, int n) {
    const size_t bytes = sizeof(float) * (size_t)n * (size_t)n;
    float *const ones = malloc(bytes);
    CUdeviceptr matrix[3];
    CUdevice device;
    CUcontext context;
    CUstream stream;
    float corner = 0;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, ranks->rank));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    for (size_t at = 0; at < bytes / sizeof *ones; at++) ones[at] = 1;
    for (int i = 0; i < 3; i++) {
        MUST(cuMemAlloc(&matrix[i], bytes));
        MUST(cuMemcpyHtoD(matrix[i], ones, bytes));
    }
    free(ones);
    const autotune_result r = multiply(ranks, n, matrix[0], matrix[1], matrix[2], stream);
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH(&corner, matrix[2] + bytes - sizeof corner, sizeof corner));
    if (r.status != AUTOTUNE_OK) return puts(autotune_last_error()), false;
    if (ranks->rank == 0) {
        printf("%d GPUs, n = %d: %.2f s, %.1f us,", ranks->count, n, r.seconds, r.median_ns / 1e3);
        for (size_t i = 0; i < r.config.count; i++) printf(" %s %s", r.config.names[i], r.config.labels[i]);
        printf("; GPU 0 tried %zu of %zu\n", r.tried, r.space_size);
    }
    return !(corner < (float)n) && !(corner > (float)n);
}

int main(int count, char **arguments) {
    const int n = count > 1 ? atoi(arguments[1]) : 4096, gpus = count > 2 ? atoi(arguments[2]) : count_gpus();
    meeting *const m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool right = true;
    if (gpus < 1 || gpus > MOST_RANKS || m == MAP_FAILED) return puts("there are no GPUs here"), EXIT_FAILURE;
    for (int rank = 0; rank < gpus; rank++)
        if (fork() == 0) {
            autotune_ranks ranks = {rank, gpus, greatest, share, m};
            return run_rank(&ranks, n) ? EXIT_SUCCESS : EXIT_FAILURE;
        }
    for (int status, rank = 0; rank < gpus; rank++) right = wait(&status) > 0 && status == 0 && right;
    puts(right ? "all ranks are right" : "a rank is WRONG");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

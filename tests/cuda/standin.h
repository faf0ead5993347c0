/* standin.h - a stand-in for a GPU and its driver, so that the CUDA backend is tested where there is none.

   standin.c is built as libcuda.so.1. Kernels are the same .cu files. compile.sh compiles them by the host's C++
   compiler with device.h, so that every configuration really computes. A block's threads are fibers, which
   __syncthreads switches. Time is virtual: it moves by what the cost model says. Device memory lies between pages that
   nobody may touch, and is open only to kernels and copies.

   These functions set the stage and look behind it. Not thread-safe: call them while nothing else runs. */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cost of a launch, in nanoseconds. Half of it if the second-level cache was not overwritten since the launch
   before. */
typedef double standin_cost(const char *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes);
void standin_set_cost(standin_cost *cost); /* NULL: 5 us, and 1 ns for each thread; with STANDIN=slower=1000 in the
                                              environment a thousand times as long */
void standin_set_noise(double relative);   /* each launch takes up to that much longer, by a fixed seed; at first 0 */
void standin_set_quantum(double ns);       /* the steps of events; at first 512 */
void standin_set_overhead(double ns);      /* what each launch costs the CPU; at first 0 */

/* A condition that only the stand-in sees is not asked of a real device. */
#ifdef REAL_DEVICE
#define SEEN(condition) true
#else
#define SEEN(condition) (condition)
#endif

/* The environment; before the first call of the driver. */
void standin_set_version(int version); /* of the driver; at first 13000 */
void standin_set_memory(size_t bytes); /* of each device; at first 1 GiB */

struct CUctx_st;
void standin_create_in_place(struct CUctx_st **context); /* a context at the address of the one destroyed last, and
                                                            current */

/* Attributes of a kernel; at first 32 registers and 1024 threads. A multiprocessor has 65536 registers, room for 2048
   threads and 32 blocks, and 228 KiB of shared memory. The second device has no clusters. */
void standin_set_registers(const char *kernel, int registers);

/* Faults. */
void standin_fail(const char *function, unsigned nth, int code); /* the nth call from now on (1: the next) returns code
                                                                    and does nothing */
void standin_break(const char *kernel, int code);                /* its launches succeed and then end with code, which
                                                                    is found later */
void standin_keep_busy(void);                                    /* with earlier work, which ends when a stream is
                                                                    synchronised */
void standin_keep_busy_for(unsigned questions);                  /* which ends when events were asked for so often */
void standin_last(void);                                         /* from now on a launch keeps the device busy until
                                                                    somebody waits for it. The legacy stream sees this
                                                                    of streams that block */
void standin_end_late(void);                                     /* what an event stands behind has not ended when
                                                                    that is asked for the first time */
void standin_set_depth(unsigned launches);                       /* what an event stands behind has ended when so many
                                                                    launches came after it */
void standin_hang(const char *kernel);                           /* its launches never end; "": none hangs any more */

/* The calls that were seen. */
unsigned standin_calls(const char *function);
unsigned standin_all_calls(void);              /* of all functions */
unsigned standin_launches(const char *kernel); /* that ran */
const char *standin_last_attributes(void);     /* of the last launch that ran: "clusters of 2 x 1 x 1, cooperative" */
unsigned standin_captured(void);               /* launches, copies and fills that went into a graph */
unsigned standin_missing_parameters(void);     /* that were asked for */
size_t standin_memory_in_use(void);            /* of all devices, bytes */
void standin_watch_memory(void);               /* from now on who touches device memory himself is stopped, and a launch
                                                  takes longer */
size_t standin_objects(void);                  /* events, modules, streams and graphs that exist */
const char *standin_misuse(void);              /* the first thing done that a driver forbids, or that is never right;
                                                  "" */

/* Figures of libnvrtc.so.13, standin_nvrtc.c: compilations so far, those now, the most at the same time, and the
   options of the last. */
unsigned standin_compilations(void);
unsigned standin_compiling(void);
unsigned standin_most_at_once(void);
void standin_let_meet(unsigned count); /* no compilation ends before so many were in work at once */
const char *standin_last_options(void);
unsigned standin_cancelled(void);                /* compilations that a callback stopped */
void standin_set_nvrtc_version(int version);          /* before its first call; at first 13000 */
void standin_set_newest_architecture(int capability); /* that it knows; at first 100: 75, 80, 90, 100 */
void standin_set_before_compilation(void (*f)(void)); /* called in the thread that compiles, for each; NULL: nothing */
void standin_fail_nvrtc(const char *function, unsigned nth); /* as standin_fail, with NVRTC_ERROR_INTERNAL_ERROR */

#ifdef __cplusplus
}
#endif

/* Between a compiled .cu file and standin.c. */
struct standin_index {
    unsigned x, y, z;
};
struct standin_device {
    struct standin_index thread, block, block_size, grid_size;
    void *shared;          /* the dynamic shared memory of the block */
    void (*barrier)(void); /* __syncthreads */
};
struct standin_kernel {
    void (*function)(void);
    void (*run)(void (*function)(void), void **arguments);
    const size_t *sizes; /* of its parameters */
    size_t count;
};

#endif

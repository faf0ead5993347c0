/* standin.h - a stand-in for a GPU and its driver, so that the CUDA backend is tested where there is none.

   standin.c is built as libcuda.so.1. Kernels are the same .cu files. compile.sh compiles them by the host's C++
   compiler with device.h, so that every configuration really computes. A block's threads are fibers;
   __syncthreads switches between them. Time is virtual: a cost model moves it. Protected pages surround device memory,
   and only kernels and copies can access the memory.

   The functions below control the stand-in and read its counters. They are not thread-safe: call them while no other
   thread calls the driver. */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the time of a launch in nanoseconds. The launch takes half of this time if the L2 cache was not overwritten
   since the launch before. */
typedef double standin_cost(const char *kernel, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes);
void standin_set_cost(standin_cost *cost); /* NULL: a launch takes 5 us, and 1 ns for each thread. The variable
                                              STANDIN=slower=1000 makes this a thousand times as long */
void standin_set_noise(double relative);   /* a launch takes up to this share longer, with a fixed seed; at first 0 */
void standin_set_quantum(double ns);       /* the steps of events; at first 512 */
void standin_set_overhead(double ns);      /* the time of each launch on the CPU; at first 0 */

/* A condition that only the stand-in can check; on a real device it counts as true. */
#ifdef REAL_DEVICE
#define SEEN(condition) true
#else
#define SEEN(condition) (condition)
#endif

/* The machine. Call these before the first call of the driver. */
void standin_set_version(int version); /* the version of the driver; at first 13000 */
void standin_set_memory(size_t bytes); /* the memory of each device; at first 1 GiB */

struct CUctx_st;
/* Makes a context at the address of the context that was destroyed last, and makes it current. */
void standin_create_in_place(struct CUctx_st **context);

/* Attributes of a kernel; at first 32 registers and 1024 threads. A multiprocessor has 65536 registers, room for 2048
   threads and 32 blocks, and 228 KiB of shared memory. The second device has no clusters. */
void standin_set_registers(const char *kernel, int registers);

/* ---- Faults ---- */
/* The nth call from now on (1: the next call) returns `code`, and does nothing. */
void standin_fail(const char *function, unsigned nth, int code);
/* Launches of the kernel succeed, and end with the error `code`, which a later call returns. */
void standin_break(const char *kernel, int code);
/* The device has earlier work, which ends when a stream is synchronised. */
void standin_keep_busy(void);
/* The device has earlier work, which ends after so many queries of events, or when a stream is synchronised. */
void standin_keep_busy_for(unsigned questions);
/* From now on a launch keeps the device busy until a call waits for it. The legacy stream also waits for launches of
   blocking streams. */
void standin_last(void);
/* From now on the first query of an event says that the work before the event has not ended. */
void standin_end_late(void);
/* From now on the work before an event ends after so many later launches. */
void standin_set_depth(unsigned launches);
/* Launches of the kernel never end. "": no launch hangs any more. */
void standin_hang(const char *kernel);

/* Counters of calls. */
unsigned standin_calls(const char *function);
unsigned standin_all_calls(void);              /* calls of all functions */
unsigned standin_launches(const char *kernel); /* launches that ran */
const char *standin_last_attributes(void);     /* the last launch: "clusters of 2 x 1 x 1, cooperative" */
unsigned standin_captured(void);               /* launches, copies and fills captured into a graph */
unsigned standin_missing_parameters(void);     /* queries for parameters that a kernel does not have */
size_t standin_memory_in_use(void);            /* bytes, of all devices */
void standin_watch_memory(void);               /* from now on a host access to device memory ends the program, and a
                                                  launch takes longer */
size_t standin_objects(void);                  /* events, modules, streams and graphs that exist */
const char *standin_misuse(void);              /* the first forbidden or wrong use of the driver; "": there was none */

/* Counters of libnvrtc.so.13 (standin_nvrtc.c): compilations so far, compilations now, the most at the same time, and
   the options of the last compilation. */
unsigned standin_compilations(void);
unsigned standin_compiling(void);
unsigned standin_most_at_once(void);
void standin_let_meet(unsigned count); /* no compilation ends before `count` compilations run at the same time */
const char *standin_last_options(void);
unsigned standin_cancelled(void);                /* compilations that a callback cancelled */
void standin_set_nvrtc_version(int version);          /* call this before the first call of NVRTC; at first 13000 */
void standin_set_newest_architecture(int capability); /* it knows 75, 80, 90 and 100 up to this; at first 100 */
void standin_set_before_compilation(void (*f)(void)); /* called before each compilation, in its thread; NULL: none */
void standin_fail_nvrtc(const char *function, unsigned nth); /* like standin_fail(): NVRTC_ERROR_INTERNAL_ERROR */

#ifdef __cplusplus
}
#endif

/* The interface between a compiled .cu file and standin.c. */
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
    const size_t *sizes; /* the sizes of its parameters */
    size_t count;
};

#endif

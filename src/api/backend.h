/* Types: a backend, which measures the time of launches and knows where the memory of buffers is. */
#pragma once
#include "types.h"

/* The meaning of a failed launch for the race. A worse error has a greater number. */
typedef enum autotune_error_class {
    AUTOTUNE_ERROR_CONFIGURATION,               /* the configuration fails, and the race goes on */
    AUTOTUNE_ERROR_ENVIRONMENT,                 /* the backend does not work: the race ends, and no call is made */
    AUTOTUNE_ERROR_DEVICE                       /* the device is lost: the race ends, and nothing more is launched */
} autotune_error_class;

/* The most launches between two calls of a backend's stop(). */
enum { AUTOTUNE_MOST_QUEUED = 64 };
/* The most calls of a key in mode ONLINE that may wait for their times. */
enum { AUTOTUNE_MOST_OPEN = 8 };
/* The work of a device on the elements of an output, for work_on() of a backend. */
typedef enum autotune_work {
    AUTOTUNE_WRITE_POISON,
    AUTOTUNE_FIND_LARGEST,                      /* *answer: 0: all elements are NaNs; 1: no element is finite; else 1 +
                                                   the bits of the largest finite magnitude, as a double */
    AUTOTUNE_FIND_DIFFERENCE                    /* *answer: 0: each element is near the expected one; else the index of
                                                   the first element that differs, with all bits inverted */
} autotune_work;
typedef struct autotune_elements {
    void *memory;                               /* the pointer or handle that .outputs names */
    const void *expected;                       /* for FIND_DIFFERENCE: the expected elements, in allocate()'s memory */
    uint64_t work;                              /* an autotune_work */
    uint64_t count, size;                       /* the number of elements; bytes of each: 1, 2, 4 or 8 */
    uint64_t exponent;                          /* a mask of the exponent's bits; 0: no floating-point type */
    uint64_t nan;                               /* the bits of poison that are set in each 8 bytes */
    double relative, absolute;                  /* the tolerances: an element may differ by one or the other */
} autotune_elements;
typedef struct autotune_backend autotune_backend;
typedef struct autotune_options autotune_options;
/* The content of the caches of the device when a trial starts. */
typedef enum autotune_cache_state {
    AUTOTUNE_CACHE_STATE_DEFAULT,               /* the backend's default: hot on the CPU, cold on a GPU */
    AUTOTUNE_HOT,                               /* the data that the launch before left in the caches */
    AUTOTUNE_COLD                               /* no data of the call: the backend's flush() empties the caches */
} autotune_cache_state;
/* To make your own backend, copy autotune_cpu() and replace some members:

       autotune_backend replay = autotune_cpu();
       replay.device = "recorded times";
       replay.now = recorded_now;

   The backend must live until the last call that names it in .backend has returned. In mode ONLINE the race of a key
   also measures calls that name other backends of its family: the backend must live until these calls have returned.
   The thread that tunes calls the functions, for one device in one race at a time. The end of the program calls none.
   `self` is the backend itself, or the result of its open(). All memory belongs to the backend or the program: the
   library frees memory only by release().
   A function may be NULL only if its comment says so. If a function returns another status than AUTOTUNE_OK, it gives
   the reason by autotune_explain(); classify() gets the status. */
struct autotune_backend {
    /* The device */
    const char *device;                         /* its description, not NULL: backends with equal ones take turns */
    /* Backends with the same family and equal devices share winners; NULL: this backend shares with no other. */
    const void *family;
    void *user;                                 /* for the functions of the backend; the library ignores it */

    /* The clock of the race, in nanoseconds. It never goes back. It may stand still between launches, and move in
       steps. It also measures the launches, unless the device has its own clock: see start. */
    uint64_t (*now)(autotune_backend *self);

    /* Memory, for .restore, .zero and .outputs. The `memory` of a buffer is the value in the option: an address, or a
       handle such as a cl_mem. The library does no arithmetic with a handle. */
    void *(*allocate)(autotune_backend *self, size_t bytes);    /* for a copy of a buffer; NULL: there is no memory */
    void (*release)(autotune_backend *self, void *memory);      /* memory: a result of allocate() */
    /* Copy and fill whole buffers. copy() may return before the copy is complete, if later work on the device waits for
       it. */
    autotune_status (*copy)(autotune_backend *self, void *to, const void *from, size_t bytes);
    autotune_status (*fill)(autotune_backend *self, void *memory, int byte, size_t bytes);
    /* Copy `bytes` bytes of a buffer, from the offset on, to or from memory of the CPU. Both wait for the copy. */
    autotune_status (*read)(autotune_backend *self, void *host, const void *memory, size_t offset, size_t bytes);
    autotune_status (*write)(autotune_backend *self, void *memory, size_t offset, const void *host, size_t bytes);

    /* The launches */
    autotune_cache_state cache_state;           /* counts if .cache_state is the default; 0: hot */
    /* Empties the caches, for AUTOTUNE_COLD. The CPU writes memory of twice the last-level cache, at most 1 GiB. If the
       size is not known, it writes 64 MiB. It keeps this memory, and empties the branch predictor. */
    autotune_status (*flush)(autotune_backend *self);
    /* Called before the first launch of a configuration. *prepared is kept with the configuration. The time of this
       call does not count against the default limit of a race. May be NULL. */
    autotune_status (*prepare)(autotune_backend *self, const autotune_config *, uint64_t *prepared);
    /* Returns the meaning of an error of a launch or of a function of the backend. NULL: it is always
       AUTOTUNE_ERROR_CONFIGURATION. */
    autotune_error_class (*classify)(autotune_backend *self, autotune_status);

    /* A device beside the CPU with its own clock. All following functions may be NULL: now() then measures. A backend
       has both start() and stop(), or neither. */
    /* Called before a launch, or before a batch of launches. */
    autotune_status (*start)(autotune_backend *self);
    /* Waits until the launches since start() have ended. *ns: their time in sum, with failed launches. Returns an error
       that a launch shows only now, or an error if nothing was launched. If a launch has failed before, its own error
       counts, unless the new error means AUTOTUNE_ERROR_DEVICE. */
    autotune_status (*stop)(autotune_backend *self, double *ns);
    /* Called instead of stop() after a launch if another start() follows. At most AUTOTUNE_MOST_QUEUED - 1 such calls
       come in a row. stop() then returns the sum of all times. NULL: stop() waits for every launch. */
    autotune_status (*mark)(autotune_backend *self);
    /* resolution_ns: the step of the device's clock. cost_ns: the time that a start and a stop add to a measured time.
       0: not known. NULL: the library measures both with now(). */
    void (*calibrate)(autotune_backend *self, double *resolution_ns, double *cost_ns);
    /* The least time of a launch between start and stop. A shorter launch fails its configuration. 0: no least time. */
    double least_launch_ns;

    /* A statement that is no hit. All these functions may be NULL. */
    /* Returns the place on the device to which the launches go, such as a stream or a queue; never NULL. The expression
       in .backend names it besides the backend. It is called once, first, in the thread that wrote the option. So the
       place may be in a variable of this thread. open() gets the result. */
    void *(*place)(autotune_backend *self);
    /* Called at the beginning of a statement, maybe later than place() and in another thread (autotune_tune_all()).
       place: NULL if there is no place(). Returns the backend for the statement, which may be self. NULL: there is no
       memory, and no call is made. */
    autotune_backend *(*open)(autotune_backend *self, void *place, const autotune_options *);
    /* Called before a race. AUTOTUNE_REJECTED: the backend cannot race now, and the statement behaves as in mode
       CACHED. Another error: no call is made. */
    autotune_status (*ready)(autotune_backend *opened);
    /* Called at the end of the statement. In mode ONLINE this is the end of the race, at the latest autotune_destroy()
       or autotune_shutdown(). A first call of a winner ends when its time is asked for, at the latest in
       autotune_shutdown(). The result of open(), and a backend with close(), must live until then or until the program
       ends. */
    void (*close)(autotune_backend *opened);

    /* Mode ONLINE on a device with its own clock: each call is made for real, no thread waits for it, and its time
       comes later. The same holds for the first calls of a known winner; each of these opens the backend. These
       functions must not wait for the device. Threads that make calls of the key call them, one thread at a time. All
       may be NULL. A backend that has start() but not clock_call() and ask() refuses the mode. */
    /* Called before a call that goes to `place`, with self if there is no open(). AUTOTUNE_REJECTED, or an error: this
       call is not measured. Else leave() follows after the call, in the same thread. */
    autotune_status (*enter)(autotune_backend *opened, void *place);
    void (*leave)(autotune_backend *opened);
    /* Called directly before the launches of a call, and with `ended` after them. number: for ask(), from 0 to
       AUTOTUNE_MOST_OPEN - 1. A status other than AUTOTUNE_OK means: before the launches, the call is not measured;
       after the launches, the call failed. */
    autotune_status (*clock_call)(autotune_backend *opened, size_t number, bool ended);
    /* Returns the time of the call in *ns, in nanoseconds. Below 0: the call has not ended, and a later call asks
       again. A status other than AUTOTUNE_OK: the call failed. */
    autotune_status (*ask)(autotune_backend *opened, size_t number, double *ns);
    /* Returns true if this configuration can be launched for the first time without waiting. Returns false if it is
       being compiled, for instance: another configuration is then launched in its place. index: as in result.index.
       NULL: always true. */
    bool (*is_prepared)(autotune_backend *opened, size_t index);

    /* For large .outputs: lets the device fill and compare elements, so that they are not copied to the CPU. The rules
       are in device/ of the sources. answer: NULL for AUTOTUNE_WRITE_POISON; the work may then continue after the
       return. AUTOTUNE_REJECTED: the CPU does the work, by read() and write(). NULL: the CPU always does it. */
    autotune_status (*work_on)(autotune_backend *opened, const autotune_elements *elements, uint64_t *answer);
};

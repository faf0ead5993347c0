/* Types: a backend, which measures the time of launches and knows where memory lives. */
#pragma once
#include "types.h"

/* The meaning of a failed launch for the race: the worse, the greater. */
typedef enum autotune_error_class {
    AUTOTUNE_ERROR_CONFIGURATION,               /* the configuration fails, and the race goes on */
    AUTOTUNE_ERROR_ENVIRONMENT,                 /* the backend does not work here: the race ends, and no call is made */
    AUTOTUNE_ERROR_DEVICE                       /* the device is lost: the race ends, and nothing more is launched */
} autotune_error_class;

/* So many launches may stand between two calls of a backend's stop(). */
enum { AUTOTUNE_MOST_QUEUED = 64 };
/* So many calls of a key in mode ONLINE may have a time that is not known yet. */
enum { AUTOTUNE_MOST_OPEN = 8 };
/* The work of a device on the elements of an output, for work_on() of a backend. */
typedef enum autotune_work {
    AUTOTUNE_WRITE_POISON,
    AUTOTUNE_FIND_LARGEST,                      /* *answer: 0 if all are NaNs; else 1 more than the bits of the largest
                                                   magnitude of a finite element, as a double; 1 if there is none */
    AUTOTUNE_FIND_DIFFERENCE                    /* *answer: 0 if each is what is expected, or near it; else the index of
                                                   the first that is not, with all bits inverted */
} autotune_work;
typedef struct autotune_elements {
    void *memory;                               /* as .outputs name it */
    const void *expected;                       /* for FIND_DIFFERENCE: what allocate() returned, with a copy */
    uint64_t work;                              /* an autotune_work */
    uint64_t count, size;                       /* how many there are; bytes of each: 1, 2, 4 or 8 */
    uint64_t exponent;                          /* the bits of the exponent; 0: no floating-point type */
    uint64_t nan;                               /* the bits of poison that are set in each 8 bytes */
    double relative, absolute;                  /* by how much an element may differ */
} autotune_elements;
typedef struct autotune_backend autotune_backend;
typedef struct autotune_options autotune_options;
/* The content of the caches of the device when a trial starts. */
typedef enum autotune_cache_state {
    AUTOTUNE_CACHE_STATE_DEFAULT,               /* the backend's default: hot on the CPU, cold on a GPU */
    AUTOTUNE_HOT,                               /* what the launch before left there */
    AUTOTUNE_COLD                               /* nothing of the call: the backend's flush() empties the caches */
} autotune_cache_state;
/* A backend of one's own is a copy of autotune_cpu() with some members replaced:

       autotune_backend replay = autotune_cpu();
       replay.device = "recorded times";
       replay.now = recorded_now;

   It must live until the last call has returned that names it in .backend. In mode ONLINE the race of a key measures
   calls that name other backends of its family, too: then it must live until the last one of these has returned. Its
   functions are called from the thread that tunes, and for one device from one race at a time. None is called when the
   program ends. `self` is the backend itself, or what its open() returned. All memory is the backend's or the
   program's: the library frees nothing but by release().
   A function may be NULL only where this is said. A status other than AUTOTUNE_OK that a function returns goes through
   classify(). The function gives the reason by autotune_explain(). */
struct autotune_backend {
    /* The device */
    const char *device;                         /* in words, not NULL: backends with equal words race one by one */
    /* Backends with the same family and equal devices share winners; NULL: this backend shares with no other. */
    const void *family;
    void *user;                                 /* for the functions of the backend; the library ignores it */

    /* The clock of the race: nanoseconds. It never goes back; it may stand still between launches, and move in steps.
       It measures the launches too, unless the device has a clock of its own: see start. */
    uint64_t (*now)(autotune_backend *self);

    /* Memory, for .restore, .zero and .outputs. The `memory` of a buffer is what the option names: an address, or a
       handle as a cl_mem is, with which nobody computes. */
    void *(*allocate)(autotune_backend *self, size_t bytes);    /* for a copy of a buffer; NULL: there is no memory */
    void (*release)(autotune_backend *self, void *memory);      /* which allocate() returned */
    /* Whole buffers are copied and filled; copy() may still be at work when it returns, if what follows on the device
       waits for it. */
    autotune_status (*copy)(autotune_backend *self, void *to, const void *from, size_t bytes);
    autotune_status (*fill)(autotune_backend *self, void *memory, int byte, size_t bytes);
    /* So many bytes of a buffer, from the offset on, to or from memory of the CPU. They are there on return. */
    autotune_status (*read)(autotune_backend *self, void *host, const void *memory, size_t offset, size_t bytes);
    autotune_status (*write)(autotune_backend *self, void *memory, size_t offset, const void *host, size_t bytes);

    /* The launches */
    autotune_cache_state cache_state;           /* where .cache_state is the default; 0: hot */
    /* Empties the caches, for AUTOTUNE_COLD. The CPU writes to twice the size of the last-level cache, at most 1 GiB,
       or to 64 MiB if the size is not known. It keeps this memory, and empties the branch predictor. */
    autotune_status (*flush)(autotune_backend *self);
    /* Called before the first launch of a configuration; *prepared is kept with the configuration. The time that it
       takes does not count against the default limit of a race. May be NULL. */
    autotune_status (*prepare)(autotune_backend *self, const autotune_config *, uint64_t *prepared);
    /* The meaning of an error of a function of the backend or of a launch. NULL: AUTOTUNE_ERROR_CONFIGURATION,
       always. */
    autotune_error_class (*classify)(autotune_backend *self, autotune_status);

    /* A device beside the CPU, which has a clock of its own. All that follows may be NULL: then now() measures. start()
       and stop() come together. */
    /* Called before a launch, or before a batch of launches. */
    autotune_status (*start)(autotune_backend *self);
    /* Waits until the launches since start() have ended: *ns is what they took together, of failed launches too. An
       error that a launch shows only now is returned here, as is that nothing was launched. If a launch has failed
       before, its own error stands, unless this one is AUTOTUNE_ERROR_DEVICE. */
    autotune_status (*stop)(autotune_backend *self, double *ns);
    /* Called instead of stop() after a launch that another start() follows, at most AUTOTUNE_MOST_QUEUED - 1 times in a
       row; stop() then tells the sum of all. NULL: every launch is waited for. */
    autotune_status (*mark)(autotune_backend *self);
    /* The step of the device's clock, and what a start and a stop together add to a measured time; 0: not known. NULL:
       both are learnt from now(). */
    void (*calibrate)(autotune_backend *self, double *resolution_ns, double *cost_ns);
    /* The least time that a launch can take between start and stop: a shorter one fails its configuration. 0: none. */
    double least_launch_ns;

    /* A statement that is no hit. All of this may be NULL. */
    /* The place on the device to which the launches go, such as a stream or a queue. The expression in .backend said it
       besides the backend. The backend is asked once, in the thread that wrote the option and before anything else. So
       the place may stand in a variable of that thread. open() gets the answer, which is not NULL. */
    void *(*place)(autotune_backend *self);
    /* The statement begins, maybe in another thread and later than place() was asked (autotune_tune_all()). place:
       NULL without place(). Returns the backend that the statement works with, which may be self; NULL: there is no
       memory, and no call is made. */
    autotune_backend *(*open)(autotune_backend *self, void *place, const autotune_options *);
    /* Asked before a race. AUTOTUNE_REJECTED: not now, and the statement behaves as in mode CACHED. Another error: no
       call is made. */
    autotune_status (*ready)(autotune_backend *opened);
    /* The statement ends; in mode ONLINE the race, at the latest in autotune_destroy() or autotune_shutdown(). One of a
       winner's first calls ends when its time is asked for, at the latest in autotune_shutdown(). The backend that
       open() returned, and a backend that has close(), must live until then, or until the program ends. */
    void (*close)(autotune_backend *opened);

    /* Mode ONLINE on a device that has a clock of its own: calls are made for real, nobody waits for them, and their
       times come later. So it is with the first calls of a known winner, each of which opens the backend. None of these
       functions may wait for the device. They are called in threads that make calls of the key, in one at a time. All
       may be NULL; without clock_call() and ask(), a backend with start() refuses the mode. */
    /* A call begins that goes to `place`; without open() self is asked. AUTOTUNE_REJECTED, or an error: it is not
       measured, and nothing else is asked for it. Else leave() follows in the same thread, after the call. */
    autotune_status (*enter)(autotune_backend *opened, void *place);
    void (*leave)(autotune_backend *opened);
    /* Directly before the launches of a call, and with `ended` behind them: its time is asked for later, by this number
       from 0 to AUTOTUNE_MOST_OPEN - 1. Another status than AUTOTUNE_OK: before them, the call is not measured; behind
       them, it failed. */
    autotune_status (*clock_call)(autotune_backend *opened, size_t number, bool ended);
    /* Tells the time of the call. AUTOTUNE_OK: *ns, in nanoseconds; below 0: it has not ended, and is asked for again
       at a later call. Another status: it failed. */
    autotune_status (*ask)(autotune_backend *opened, size_t number, double *ns);
    /* Returns true if this configuration, which was never launched, can be launched at once. Returns false if, for
       instance, it is being compiled: another one is launched in its place. index: its number, as in result.index.
       NULL: always. */
    bool (*is_prepared)(autotune_backend *opened, size_t index);

    /* For large .outputs: the device itself fills and compares elements, which saves their way to the CPU. device/ of
       the sources has the rules. The work may still be done when this returns, if there is no answer; `answer` is NULL
       for AUTOTUNE_WRITE_POISON. AUTOTUNE_REJECTED: the device does not do it, and the CPU does, by read() and write().
       NULL: it never does. */
    autotune_status (*work_on)(autotune_backend *opened, const autotune_elements *elements, uint64_t *answer);
};

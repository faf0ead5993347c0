/* Types: a backend, which measures the time of launches and knows where the memory of buffers is. */
#pragma once
#include "types.h"

/* The consequence of a failed launch, or of a failed function of a backend. A worse error has a greater number. */
typedef enum autotune_error_class {
    AUTOTUNE_ERROR_CONFIGURATION,               /* the configuration fails, and the race goes on */
    AUTOTUNE_ERROR_ENVIRONMENT,                 /* the backend does not work here: the race ends, and no call is made */
    AUTOTUNE_ERROR_DEVICE                       /* the device is lost: the race ends, and nothing more is launched */
} autotune_error_class;

/* The most launches between two calls of a backend's stop(). */
enum { AUTOTUNE_MOST_QUEUED = 64 };
/* The most calls of one key in mode ONLINE whose times are not known yet. */
enum { AUTOTUNE_MOST_OPEN = 8 };
/* The work of a device on the elements of an output, for work_on() of a backend. `answer` is the argument of
   work_on(). */
typedef enum autotune_work {
    AUTOTUNE_WRITE_POISON,                      /* fills the output with poison: see .outputs; no answer */
    /* *answer: 0 if all elements are NaNs; 1 if no element is finite, but not all are NaNs. Else 1 + the bits of the
       largest finite magnitude, as a double. */
    AUTOTUNE_FIND_LARGEST,
    /* *answer: 0 if each element is near the expected element. Else the index of the first element that differs, with
       all bits inverted. */
    AUTOTUNE_FIND_DIFFERENCE
} autotune_work;
/* The elements of one output, for work_on(). The library fills in all members. */
typedef struct autotune_elements {
    void *memory;                               /* the pointer or handle that .outputs names */
    const void *expected;                       /* for FIND_DIFFERENCE: the expected elements, in allocate()'s memory */
    uint64_t work;                              /* an autotune_work */
    uint64_t count, size;                       /* the number of elements; bytes of each: 1, 2, 4 or 8 */
    uint64_t exponent;                          /* a mask of the exponent's bits; 0: no floating-point type */
    uint64_t nan;                               /* bits that are set in each 8 bytes of poison: elements are NaNs */
    /* The tolerances. An element may differ from the expected element by `relative` times the expected element, or by
       `absolute`. */
    double relative, absolute;
} autotune_elements;
typedef struct autotune_backend autotune_backend;
typedef struct autotune_options autotune_options;
/* The content of the caches of the device when a trial launch starts. */
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
   may go on in calls that name another backend of the same family. The backend must live until these calls, too, have
   returned.

   The thread that tunes calls the functions. For one device, one race at a time calls them. No function is called when
   the program ends. `self` is the backend itself, or the result of its open(). All memory belongs to the backend or the
   program: the library frees memory only by release().

   A function may be NULL only if its comment says so. If a function returns another status than AUTOTUNE_OK, it gives
   the reason by autotune_explain(), and the library passes the status to classify(). */
struct autotune_backend {
    /* The device */
    /* The description of the device; not NULL. Backends with equal descriptions race one at a time. */
    const char *device;
    /* Backends with the same family and equal devices share winners. NULL: this backend shares its winners with no
       other backend. */
    const void *family;
    void *user;                                 /* for the functions of the backend; the library ignores it */

    /* The clock of the race, in nanoseconds. It never goes back. It may stand still between launches, and move in
       steps. It also measures the launches, unless the backend has start() and stop(). */
    uint64_t (*now)(autotune_backend *self);

    /* Memory, for .restore, .zero and .outputs. The `memory` of a buffer is the value in the option: an address, or a
       handle such as a cl_mem. The library does no arithmetic with a handle. */
    void *(*allocate)(autotune_backend *self, size_t bytes);    /* for a copy of a buffer; NULL: there is no memory */
    void (*release)(autotune_backend *self, void *memory);      /* memory: a result of allocate() */
    /* Copy and fill whole buffers. copy() may return before the copy is complete, if all later work on the device waits
       for the copy. */
    autotune_status (*copy)(autotune_backend *self, void *to, const void *from, size_t bytes);
    autotune_status (*fill)(autotune_backend *self, void *memory, int byte, size_t bytes);
    /* Copy `bytes` bytes of a buffer, from the offset on, to or from memory of the CPU. Both wait for the copy. */
    autotune_status (*read)(autotune_backend *self, void *host, const void *memory, size_t offset, size_t bytes);
    autotune_status (*write)(autotune_backend *self, void *memory, size_t offset, const void *host, size_t bytes);

    /* The launches */
    autotune_cache_state cache_state;           /* the default of the option .cache_state; 0: hot */
    /* Empties the caches, for AUTOTUNE_COLD. The CPU backend writes to memory of twice the size of the last-level
       cache, at most 1 GiB. If the size of the cache is not known, it writes to 64 MiB. It keeps this memory for later
       calls. It also empties the branch predictor. */
    autotune_status (*flush)(autotune_backend *self);
    /* Called before the first launch of a configuration, for instance to compile it. The library keeps *prepared with
       the configuration. The time of this call does not count against the default limit of a race. May be NULL. */
    autotune_status (*prepare)(autotune_backend *self, const autotune_config *, uint64_t *prepared);
    /* Returns the class of an error that a launch or a function of the backend returned. NULL: each error is of the
       class AUTOTUNE_ERROR_CONFIGURATION. */
    autotune_error_class (*classify)(autotune_backend *self, autotune_status);

    /* A device that measures launches by its own clock. All functions of this part may be NULL: then now() measures. A
       backend has both start() and stop(), or neither. */
    /* Called before a launch, or before a batch of launches. */
    autotune_status (*start)(autotune_backend *self);
    /* Waits until the launches since start() have ended. *ns: the sum of their times, including failed launches.
       Returns an error that shows only when the launches have ended, or an error if nothing was launched. If a launch
       itself returned an error before, that error counts, unless the error of stop() is of the class
       AUTOTUNE_ERROR_DEVICE. */
    autotune_status (*stop)(autotune_backend *self, double *ns);
    /* Called in place of stop() after a launch, if another start() follows. So the CPU does not wait for each launch.
       After at most AUTOTUNE_MOST_QUEUED - 1 such calls stop() follows, and returns the sum of all times. NULL: stop()
       is called after every launch. */
    autotune_status (*mark)(autotune_backend *self);
    /* Returns two properties of the clock; 0: not known. resolution_ns: the step of the device's clock. cost_ns: the
       time that start() and stop() add to a measured time. NULL: the library measures both properties with now(). */
    void (*calibrate)(autotune_backend *self, double *resolution_ns, double *cost_ns);
    /* The least time of a launch between start() and stop(). A shorter launch did no work on the device, and fails its
       configuration. 0: no least time. */
    double least_launch_ns;

    /* A statement that is no hit. All functions of this part may be NULL. */
    /* Returns the place on the device to which the launches go, such as a stream or a queue; never NULL. The expression
       in .backend may store the place in a variable of its thread: place() is called first, once, in the thread that
       evaluated .backend. open() gets the result. */
    void *(*place)(autotune_backend *self);
    /* Called at the beginning of a statement. With autotune_tune_all() this may be long after place(), and in another
       thread. place: the result of place(); NULL if the backend has no place(). Returns the backend for the statement,
       which may be self. NULL: there is no memory, and no call is made. */
    autotune_backend *(*open)(autotune_backend *self, void *place, const autotune_options *);
    /* Called before a race. AUTOTUNE_REJECTED: the backend cannot race now, and the statement behaves as in mode
       CACHED. With any other error no call is made. */
    autotune_status (*ready)(autotune_backend *opened);
    /* Called at the end of the statement. The result of open(), and a backend with close(), must live until then, or
       until the program ends. The end may come late:
       - in mode ONLINE at the end of the race, at the latest in autotune_destroy() or autotune_shutdown();
       - for one of the first calls of a known winner when ask() has returned the time, at the latest in
         autotune_shutdown(). */
    void (*close)(autotune_backend *opened);

    /* Calls for real on a device with its own clock, whose times the library asks for later. These are the calls of
       mode ONLINE, and the first calls of a known winner. No thread waits for such a call. For each first call of a
       winner the library calls open(). The functions of this part must not wait for the device. Threads that make calls
       of the key call these functions, one thread at a time. All may be NULL. A backend that has start(), but lacks
       clock_call() or ask(), refuses mode ONLINE. */
    /* Called before a call that goes to `place`. opened: the result of open(), or self if the backend has no open().
       AUTOTUNE_OK: leave() follows after the call, in the same thread. AUTOTUNE_REJECTED, or an error: this call is not
       measured. */
    autotune_status (*enter)(autotune_backend *opened, void *place);
    void (*leave)(autotune_backend *opened);
    /* Called directly before the launches of a call with ended = false, and directly after them with ended = true.
       number: the same number is passed to ask(), from 0 to AUTOTUNE_MOST_OPEN - 1. With a status other than
       AUTOTUNE_OK before the launches, the call is not measured. With such a status after the launches, the call
       failed. */
    autotune_status (*clock_call)(autotune_backend *opened, size_t number, bool ended);
    /* Returns the time of the call in *ns, in nanoseconds. Below 0: the call has not ended, and a later call asks
       again. A status other than AUTOTUNE_OK: the call failed. */
    autotune_status (*ask)(autotune_backend *opened, size_t number, double *ns);
    /* Returns true if the first launch of a configuration need not wait. Returns false, for instance, if its kernel is
       being compiled: another configuration is then launched in its place. index: as in result.index. NULL: no first
       launch has to wait. */
    bool (*is_prepared)(autotune_backend *opened, size_t index);

    /* Lets the device fill and compare the elements of large .outputs, so that they are not copied to the CPU. The
       rules of poison and of comparisons are in src/device. answer: NULL for AUTOTUNE_WRITE_POISON; the work may then
       continue after the return. AUTOTUNE_REJECTED: the CPU does this work, by read() and write(). If work_on is NULL,
       the CPU always does the work. */
    autotune_status (*work_on)(autotune_backend *opened, const autotune_elements *elements, uint64_t *answer);
};

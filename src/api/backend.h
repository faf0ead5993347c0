/* Types: a backend, which measures the time of launches and knows where memory lives. */
#pragma once
#include "types.h"

/* What a failed launch means for the race. */
typedef enum autotune_error_class {
    AUTOTUNE_ERROR_CONFIGURATION,               /* the configuration fails, and the race goes on */
    AUTOTUNE_ERROR_DEVICE,                      /* the device is lost: the race ends, and nothing more is launched */
    AUTOTUNE_ERROR_ENVIRONMENT                  /* the backend does not work here: the race ends, and no call is made */
} autotune_error_class;

enum { AUTOTUNE__MOST_QUEUED = 64 };            /* the most launches between two calls of stop() */
typedef struct autotune_backend autotune_backend;
typedef struct autotune_options autotune_options;
/* What the caches of the device hold when a trial starts. */
typedef enum autotune_cache_state {
    AUTOTUNE_CACHE_STATE_DEFAULT,               /* the backend's default: hot on the CPU, cold on a GPU */
    AUTOTUNE_HOT,                               /* what the launch before left there */
    AUTOTUNE_COLD                               /* nothing of the call: the backend's flush() empties the caches */
} autotune_cache_state;
/* A backend of one's own is a copy of autotune_cpu() with some members replaced. It must live until the last call that
   names it in .backend has returned, since tuners keep its address. Its functions are called from the thread that
   tunes; for one device, from one race at a time. A function may be NULL only where this is said. */
struct autotune_backend {
    const char *device;                         /* the device in words: backends with equal words race one by one */
    /* The time in nanoseconds. It never goes back; it may stand still between launches, and move in steps. */
    uint64_t (*now)(autotune_backend *self);
    void *(*allocate)(autotune_backend *self, size_t bytes);    /* memory for snapshots; NULL: there is none */
    void (*release)(autotune_backend *self, void *memory);
    autotune_status (*copy)(autotune_backend *self, void *to, const void *from, size_t bytes);
    autotune_status (*fill)(autotune_backend *self, void *memory, int byte, size_t bytes);
    autotune_status (*read)(autotune_backend *self, void *host, const void *memory, size_t bytes);
    autotune_status (*write)(autotune_backend *self, void *memory, const void *host, size_t bytes);
    /* Empties the caches, for AUTOTUNE_COLD. The CPU writes to twice the size of the last-level cache, at most 1 GiB,
       and keeps this memory. */
    autotune_status (*flush)(autotune_backend *self);
    /* Called before the first launch of a configuration; *prepared is kept with the configuration. May be NULL. */
    autotune_status (*prepare)(autotune_backend *self, const autotune_config *, uint64_t *prepared);
    /* What an error of a launch means. NULL: every error is AUTOTUNE_ERROR_CONFIGURATION. */
    autotune_error_class (*classify)(autotune_backend *self, autotune_status);
    /* Waits for a device that became slower during a race: 50 ms, at most ten times in a race. NULL: nothing waits. */
    void (*pause)(autotune_backend *self, uint64_t ns);
    void *user;                                 /* for the functions of the backend; the library ignores it */
    /* What follows is for devices that work beside the CPU. All of it may be 0: then now() measures the launches. */
    autotune_cache_state cache_state;           /* where .cache_state is the default; 0: hot */
    /* Backends with the same family and equal devices share winners; NULL: this backend shares with no other. */
    const void *family;
    /* What the option .backend says besides, such as a stream. It is asked in the thread that writes the option. */
    void *(*place)(autotune_backend *self);
    /* A statement that is no hit begins. Returns the backend that it works with; NULL: there is no memory. */
    autotune_backend *(*open)(autotune_backend *self, const autotune_options *);
    void (*close)(autotune_backend *opened);    /* the statement ends */
    /* Asked before a race. AUTOTUNE_REJECTED: not now, and the statement behaves as in mode CACHED. Another error: no
       call is made. */
    autotune_status (*ready)(autotune_backend *self);
    /* The step of the device's clock, and what a start and a stop together add to a measured time. */
    void (*calibrate)(autotune_backend *self, double *resolution_ns, double *cost_ns);
    autotune_status (*start)(autotune_backend *self);               /* before a launch, or a batch of launches */
    autotune_status (*stop)(autotune_backend *self, double *ns);    /* waits for the end: the time since start() */
    /* Called instead of stop() after a launch that another start() follows, at most 63 times in a row; stop() then
       tells the sum. NULL: every launch is waited for. */
    autotune_status (*mark)(autotune_backend *self);
    /* The least time that a launch can take between start and stop: a shorter one fails its configuration. 0: none. */
    double least_launch_ns;
};

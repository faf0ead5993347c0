/* Types: a backend, which times launches and knows where memory lives */
#pragma once
#include "types.h"

/* What an error of a launch means for the race. */
typedef enum autotune_error_class {
    AUTOTUNE_ERROR_CONFIGURATION,               /* this configuration fails, the race goes on */
    AUTOTUNE_ERROR_DEVICE,                      /* the device is gone: tuning ends at once, nothing more is launched */
    AUTOTUNE_ERROR_ENVIRONMENT                  /* the backend does not work here: tuning ends, no call is made */
} autotune_error_class;

enum { AUTOTUNE__MOST_QUEUED = 64 };            /* launches that are waited for together */
/* Who times, and where memory lives. Start from autotune_cpu() and replace members; `user` is yours. It must outlive
   the process's last call that names it: tuners keep the pointer. Functions are called from the thread that tunes, one
   race at a time per device. */
typedef struct autotune_backend autotune_backend;
typedef struct autotune_options autotune_options;
typedef enum autotune_cache_state {
    AUTOTUNE_CACHE_STATE_DEFAULT,               /* the backend's: hot on the CPU, cold on a GPU */
    AUTOTUNE_HOT, AUTOTUNE_COLD                 /* as the launch before left them; flushed before every launch, on the
                                                   CPU by writing twice the last-level cache, whose memory (1 GiB at
                                                   most) is kept */
} autotune_cache_state;
struct autotune_backend {
    /* which device, in words; equal words, one race at a time */
    const char *device;
    /* nanoseconds, never going back; may stand still between launches, and move in steps */
    uint64_t (*now)(autotune_backend *self);
    /* memory for snapshots; NULL when there is none */
    void *(*allocate)(autotune_backend *self, size_t bytes);
    void (*release)(autotune_backend *self, void *memory);
    autotune_status (*copy)(autotune_backend *self, void *to, const void *from, size_t bytes);
    autotune_status (*fill)(autotune_backend *self, void *memory, int byte, size_t bytes);
    /* to where the CPU can compare it */
    autotune_status (*read)(autotune_backend *self, void *host, const void *memory, size_t bytes);
    autotune_status (*write)(autotune_backend *self, void *memory, const void *host, size_t bytes);
    /* empty the caches, for AUTOTUNE_COLD */
    autotune_status (*flush)(autotune_backend *self);
    autotune_status (*prepare)(autotune_backend *self, const autotune_config *,
                               uint64_t *prepared);                            /* before a configuration's first trial;
                                                                                  may be NULL */
    /* may be NULL: every error is the configuration's */
    autotune_error_class (*classify)(autotune_backend *self, autotune_status);
    /* for a device that got slower in the middle of a race, at most ten times 50 ms; may be NULL: no pause */
    void (*pause)(autotune_backend *self, uint64_t ns);
    void *user;
    /* For devices that work beside the CPU. All may be 0: then now() clocks the launches. */
    /* where .cache_state says nothing; 0: hot */
    autotune_cache_state cache_state;
    /* backends of one family and equal devices share winners; NULL: this one shares with none */
    const void *family;
    /* what its option said besides, a stream: asked in the thread that gave the option, and kept with it */
    void *(*place)(autotune_backend *self);
    /* a statement begins that is no hit: the backend that it works with; NULL when there is no memory */
    autotune_backend *(*open)(autotune_backend *self, const autotune_options *);
    /* and ends */
    void (*close)(autotune_backend *opened);
    /* before a race: AUTOTUNE_REJECTED: not now, as in mode CACHED; another error: no call is made */
    autotune_status (*ready)(autotune_backend *self);
    /* of a start and a stop */
    void (*calibrate)(autotune_backend *self, double *resolution_ns, double *cost_ns);
    /* its clock, before a launch or a batch */
    autotune_status (*start)(autotune_backend *self);
    /* after it: waits for its end; since the start */
    autotune_status (*stop)(autotune_backend *self, double *ns);
    /* in the place of stop, 63 times in a row at most: another start follows, and stop tells the sum. NULL: every
       launch is waited for by itself */
    autotune_status (*mark)(autotune_backend *self);
    /* between start and stop no launch takes less: the configuration of one that does fails; 0: any may */
    double least_launch_ns;
};

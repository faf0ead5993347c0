/* Accelerators: contexts of devices beside the processor. The struct of a context is never freed, since hits compare
   its address, and read the struct without a lock. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"

struct autotune__accelerator;
struct autotune__accelerator_session;
/* The functions and texts by which this floor uses a driver. Each backend has one such struct, which lives as long as
   the process. */
typedef struct autotune__driver_interface {
    autotune_status (*status_of)(int error);    /* returns the status for an error.
                                                   FAILED: this configuration does not work.
                                                   ERR_ENVIRONMENT: the driver does not work in this process, or not
                                                   now.
                                                   ERR_DEVICE: the device is lost. */
    const char *(*error_name)(int error);
    const char *lost;                           /* the message about a lost device */
    const char *named;                          /* how a statement names the backend: "CUDA(stream)" */
    size_t bytes, session_bytes;                /* sizes of the backend's structs for an accelerator and a session */
    /* The backend of statements without a context, for instance if the driver does not work: */
    struct autotune__accelerator *without_context;
    autotune__compiler *compiler;               /* compiles kernels */
    const autotune_backend *backend;            /* the functions of the backend; its `device` describes accelerators
                                                   without a context, such as `without_context` */
    /* Names the device, and sets the members that differ between drivers. Returns false if the context is not valid. */
    bool (*describe)(struct autotune__accelerator *accelerator);
    /* Explains why there is no context. */
    void (*explain_absence)(void);
    /* Returns AUTOTUNE_OK if a call of mode ONLINE, or on probation, may be measured in this session. See enter() of
       the backend. */
    autotune_status (*enter)(struct autotune__accelerator_session *session);
    /* The clock (clock.h) calls these two functions directly before and after the launches of batch `session->number`.
       end_batch may be NULL. */
    autotune_status (*begin_batch)(struct autotune__accelerator_session *session);
    autotune_status (*end_batch)(struct autotune__accelerator_session *session);
    /* Waits until the device has ended all batches of the session that begin_batch() and end_batch() have queued, but
       no longer than autotune__wait_for_kernel() waits. */
    autotune_status (*await)(struct autotune__accelerator_session *session);
    /* Returns true if the device has ended this batch. Does not wait. *error: the error of the batch; 0: no error. */
    bool (*has_done)(struct autotune__accelerator_session *session, size_t number, int *error);
    /* Measures the time of a batch that the device has ended. */
    autotune_status (*measure)(struct autotune__accelerator_session *session, size_t number, double *ns);
    /* Called at the end of the session: frees the members that only the backend knows. */
    void (*end)(struct autotune__accelerator_session *session);
    /* Keeps a lost context, so that no other context gets its address. NULL if contexts have numbers, as in CUDA. */
    void (*keep)(const struct autotune__accelerator *accelerator);
    /* Returns true if the device has reached the event. *error: the error of the work before the event; 0: no error. */
    bool (*has_ended)(void *event, int *error);
    /* Returns the status for an error. of_kernel: a kernel ended with the error. */
    autotune_status (*judge)(struct autotune__accelerator_session *session, int error, bool of_kernel);
    /* For work_on() of the backend. Prepares the kernel that works on elements, once in a session. Returns true if the
       kernel can work on these elements. */
    bool (*can_work_on)(struct autotune__accelerator_session *session, const autotune_elements *elements);
    /* Starts the kernel that works on elements. The kernel writes its answer to session->answer. */
    autotune_status (*start_work)(struct autotune__accelerator_session *session, const autotune_elements *elements);
} autotune__driver_interface;

typedef struct autotune__accelerator {
    autotune_backend backend;                   /* the backend that a statement names */
    const autotune__driver_interface *driver;
    void *handle;                               /* the context; NULL: the driver does not work */
    uint64_t id;                                /* CUDA: the number of the context, which differs between contexts with
                                                   the same address. OpenCL: the device, since one context may have
                                                   several devices */
    autotune__target target;                    /* the target for kernels */
    char words[400];                            /* the device and the driver, in words */
    bool is_cpu;                                /* the device is the processor of this program */
    bool said;                                  /* the backend has logged why it cannot measure on this device; see
                                                   opencl/session.h */
    size_t flushed_bytes;                       /* how many bytes are written to empty the caches */
    const char *lost;                           /* why the context must not be used any more; NULL: it works */
    void *hung;                                 /* the event after the launch that hangs; NULL: no launch hangs */
    const char *was_lost;                       /* the former `lost` of a device that works again; kept, since other
                                                   threads may still read this text */
    struct autotune__accelerator *next;
} autotune__accelerator;

AUTOTUNE__DEFINE_AROUND(autotune__accelerator_at, autotune__accelerator, target, const autotune__target)
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_named, autotune__accelerator, backend, autotune_backend)

static autotune__mutex autotune__accelerators_lock = AUTOTUNE__MUTEX;           /* held to make accelerators */
static autotune__accelerator *autotune__accelerators;

static autotune__accelerator *autotune__find_accelerator(const autotune__driver_interface *driver, const void *handle,
                                                         uint64_t id) {                    /* NULL: not found */
    autotune__accelerator *at = __atomic_load_n(&autotune__accelerators, __ATOMIC_ACQUIRE);
    while (at && (at->driver != driver || at->handle != handle || at->id != id)) at = at->next;
    return at;
}
/* Describes the device in a new accelerator, whose driver, handle and id are set. Returns false if the context is not
   valid. */
static bool autotune__complete_accelerator(autotune__accelerator *accelerator) {
    const autotune__driver_interface *driver = accelerator->driver;
    autotune__put_text(accelerator->words, sizeof accelerator->words, "%s", driver->backend->device);
    accelerator->target.compiler = driver->compiler;
    accelerator->target.architecture = accelerator->words;
    accelerator->backend = *driver->backend;
    accelerator->backend.device = accelerator->words;
    accelerator->backend.family = driver;
    if (accelerator->handle && !driver->describe(accelerator)) return false;
    accelerator->backend.cache_state = accelerator->is_cpu ? AUTOTUNE_HOT : AUTOTUNE_COLD;
    return true;
}
/* Finds or makes an accelerator. NULL: there is no memory, or the context is not valid. */
static autotune__accelerator *autotune__accelerator_of(const autotune__driver_interface *driver, void *handle,
                                                       uint64_t id) {
    autotune__accelerator *accelerator = autotune__find_accelerator(driver, handle, id);
    if (accelerator) return accelerator;
    AUTOTUNE__WITH_LOCK(&autotune__accelerators_lock);
    accelerator = autotune__find_accelerator(driver, handle, id);               /* another thread may have made it */
    if (accelerator || !(accelerator = (autotune__accelerator *)autotune__allocate(driver->bytes))) return accelerator;
    accelerator->driver = driver;
    accelerator->handle = handle;
    accelerator->id = id;
    accelerator->next = autotune__accelerators;
    if (!autotune__complete_accelerator(accelerator)) {
        autotune__free(accelerator);
        return NULL;
    }
    __atomic_store_n(&autotune__accelerators, accelerator, __ATOMIC_RELEASE);
    return accelerator;
}
/* Returns the backend of a context. handle: the context; NULL: no context. Returns the backend without context if there
   is no context, if the context is not valid, or if there is no memory. */
static autotune_backend *autotune__backend_at(const autotune__driver_interface *driver, void *handle, uint64_t id) {
    autotune__accelerator *accelerator = handle ? autotune__accelerator_of(driver, handle, id) : NULL;
    if (accelerator) return &accelerator->backend;
    AUTOTUNE__WITH_LOCK(&autotune__accelerators_lock);
    if (!driver->without_context->backend.device) {
        driver->without_context->driver = driver;
        (void)autotune__complete_accelerator(driver->without_context);
    }
    return &driver->without_context->backend;
}

/* autotune_shutdown() keeps the accelerators, since threads keep pointers to them. */
static void autotune__begin_accelerators_of_child(void) { autotune__make_mutex(&autotune__accelerators_lock); }
AUTOTUNE__ENTER_FLOOR(autotune__enter_accelerators, autotune__begin_accelerators_of_child, NULL)

/* Accelerators: contexts of devices beside the processor. The memory that is kept for a context is never freed, since
   hits compare the addresses of backends, and read them without a lock. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"

struct autotune__accelerator;
struct autotune__accelerator_session;
/* The functions and texts that a driver gives this floor. There is one such struct for each backend; it lives as long
   as the process. */
typedef struct autotune__driver_interface {
    autotune_status (*status_of)(int error);    /* whose fault it is. FAILED: this configuration does not work.
                                                   ERR_ENVIRONMENT: the driver does not work here, or not now.
                                                   ERR_DEVICE: the device is lost */
    const char *(*error_name)(int error);
    const char *lost;                           /* what is said of a lost device */
    const char *named;                          /* how a statement names the backend: "CUDA(stream)" */
    size_t bytes, session_bytes;                /* of the backend's structs for an accelerator and a session */
    struct autotune__accelerator *nowhere;      /* for statements where the driver does not work: a backend without a
                                                   context */
    autotune__compiler *compiler;               /* of kernels */
    const autotune_backend *backend;            /* its functions, of which many are those of this floor, and a word for
                                                   the device where there is none */
    /* Says which device it is, and sets the members that are not common to all. Returns false if the context is not
       valid. */
    bool (*describe)(struct autotune__accelerator *accelerator);
    /* Explains why there is no context. */
    void (*explain_absence)(void);
    /* From now on the launches of the session go to this place, which place() told. */
    void (*go_to)(struct autotune__accelerator_session *session, void *place);
    /* May a call of mode ONLINE be measured in this session, which goes to its place? See the backend's enter(). */
    autotune_status (*enter)(struct autotune__accelerator_session *session);
    /* The clock: see clock.h. Directly before and behind the launches of a batch, whose number is the session's. NULL
       at its end: nothing is to be done there. */
    autotune_status (*begin_batch)(struct autotune__accelerator_session *session);
    autotune_status (*end_batch)(struct autotune__accelerator_session *session);
    /* Waits for all batches that ended. */
    autotune_status (*await)(struct autotune__accelerator_session *session);
    /* Has the device done this batch, and with which error? 0: none. Does not wait. */
    bool (*has_done)(struct autotune__accelerator_session *session, size_t number, int *error);
    /* Measures the time of a batch. The device has done the batch. */
    autotune_status (*measure)(struct autotune__accelerator_session *session, size_t number, double *ns);
    /* The session ends: frees what only the backend knows of. */
    void (*end)(struct autotune__accelerator_session *session);
    /* Keeps a lost context, so that no other one gets its address. NULL: contexts have numbers. */
    void (*keep)(const struct autotune__accelerator *accelerator);
    /* Has the device reached the event, and with which error? 0: none. */
    bool (*has_ended)(void *event, int *error);
    /* Returns the meaning of the error. of_kernel: a kernel ended with it. */
    autotune_status (*judge)(struct autotune__accelerator_session *session, int error, bool of_kernel);
    /* For work_on() of the backend. Makes the kernel ready that works on elements, once in a session. Returns true if
       it can work on these. */
    bool (*can_work_on)(struct autotune__accelerator_session *session, const autotune_elements *elements);
    /* Starts that kernel. Its answer goes to the session's memory for it. */
    autotune_status (*start_work)(struct autotune__accelerator_session *session, const autotune_elements *elements);
} autotune__driver_interface;

typedef struct autotune__accelerator {
    autotune_backend backend;                   /* which a statement names */
    const autotune__driver_interface *driver;
    void *handle;                               /* the context; NULL: the driver does not work here */
    uint64_t id;                                /* tells contexts apart that have the same address */
    autotune__target target;                    /* for kernels */
    char words[400];                            /* the device and the driver, in words */
    bool is_cpu;                                /* the device computes where this program does */
    bool said;                                  /* what the driver's backend says once for each device was said */
    size_t flushed_bytes;                       /* so much memory is overwritten to empty the caches */
    const char *lost;                           /* why nothing may be done with it any more; NULL: it works */
    void *hung;                                 /* the event behind the launch that it is lost by, which does not end;
                                                   NULL: it is lost by an error, or works */
    const char *was_lost;                       /* why; other threads may still read it */
    struct autotune__accelerator *next;
} autotune__accelerator;

AUTOTUNE__DEFINE_AROUND(autotune__accelerator_at, autotune__accelerator, target, const autotune__target)
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_named, autotune__accelerator, backend, autotune_backend)

static autotune__mutex autotune__accelerators_lock = AUTOTUNE__MUTEX;           /* of who adds to the list */
static autotune__accelerator *autotune__accelerators;

static autotune__accelerator *autotune__find_accelerator(const autotune__driver_interface *driver, const void *handle,
                                                         uint64_t id) {                    /* NULL: none is kept */
    autotune__accelerator *at = __atomic_load_n(&autotune__accelerators, __ATOMIC_ACQUIRE);
    while (at && (at->driver != driver || at->handle != handle || at->id != id)) at = at->next;
    return at;
}
/* Sets all but what tells the accelerator apart. Returns false if the context is not valid. */
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
/* Found or made. NULL: there is no memory, or the context is not valid. */
static autotune__accelerator *autotune__accelerator_of(const autotune__driver_interface *driver, void *handle,
                                                       uint64_t id) {
    autotune__accelerator *accelerator = autotune__find_accelerator(driver, handle, id);
    if (accelerator) return accelerator;
    autotune__lock_mutex(&autotune__accelerators_lock);
    accelerator = autotune__find_accelerator(driver, handle, id);               /* another thread made it */
    if (!accelerator && (accelerator = (autotune__accelerator *)autotune__allocate(driver->bytes))) {
        accelerator->driver = driver;
        accelerator->handle = handle;
        accelerator->id = id;
        accelerator->next = autotune__accelerators;
        if (autotune__complete_accelerator(accelerator))
            __atomic_store_n(&autotune__accelerators, accelerator, __ATOMIC_RELEASE);
        else {
            autotune__free(accelerator);
            accelerator = NULL;
        }
    }
    autotune__unlock_mutex(&autotune__accelerators_lock);
    return accelerator;
}
/* The backend of a context. handle: NULL where there is none. */
static autotune_backend *autotune__backend_at(const autotune__driver_interface *driver, void *handle, uint64_t id) {
    autotune__accelerator *accelerator = handle ? autotune__accelerator_of(driver, handle, id) : NULL;
    if (accelerator) return &accelerator->backend;
    autotune__lock_mutex(&autotune__accelerators_lock);
    if (!driver->nowhere->backend.device) {
        driver->nowhere->driver = driver;
        (void)autotune__complete_accelerator(driver->nowhere);
    }
    autotune__unlock_mutex(&autotune__accelerators_lock);
    return &driver->nowhere->backend;
}

/* The identities of contexts stay in autotune_shutdown(): threads remember theirs. */
static void autotune__begin_accelerators_of_child(void) { autotune__make_mutex(&autotune__accelerators_lock); }
AUTOTUNE__ENTER_FLOOR(autotune__enter_accelerators, autotune__begin_accelerators_of_child, NULL)

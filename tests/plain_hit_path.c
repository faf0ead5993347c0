/* plain_hit_path.c - what a hit must not do: it allocates no memory, takes no lock, makes no system call, and writes
   only memory of the caller.

   Each promise has a watch that no code can evade. malloc() and the pthread locks are functions of this program, which
   count their calls. The strict mode of seccomp kills a process that makes a system call. The heap and the program's
   writable data are read-only, so that a write faults. Hits of every kind run under each watch, each in its own
   process. To check the watch itself, the test also runs a body that breaks the promise: the watch must notice it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE     /* RTLD_NEXT, dl_iterate_phdr */
#endif
#include "sanitized.h"
#include <stdio.h>

enum { SKIPPED = 77 };

#if !defined __linux__
int main(void) { return puts("SKIPPED: seccomp and dl_iterate_phdr are Linux's"), SKIPPED; }
#elif SANITIZED
int main(void) {
    return puts("SKIPPED: a sanitizer has its own malloc, writes on every access and makes system calls"), SKIPPED;
}
#else

#include "autotune.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/seccomp.h>

enum { HITS = 100000, KEYS = 64 };

/* ---- The heap: one mapping, given out from its beginning and never taken back ------------------------------------ */

enum { ALIGNMENT = 16, HEAP_BYTES = 1 << 28 };

static char *heap;
static atomic_size_t heap_used, allocations;

static void *take(size_t bytes) {
    atomic_fetch_add(&allocations, 1);
    if (!heap) {
        heap = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (heap == MAP_FAILED) _exit(EXIT_FAILURE);
    }
    if (bytes > HEAP_BYTES) return NULL;
    const size_t whole = ALIGNMENT + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
                 at = atomic_fetch_add(&heap_used, whole);
    if (at + whole > HEAP_BYTES) return errno = ENOMEM, NULL;
    memcpy(heap + at, &bytes, sizeof bytes);
    return heap + at + ALIGNMENT;
}

void *malloc(size_t bytes) { return take(bytes); }
/* mmap() gives zeros, so the memory need not be cleared */
void *calloc(size_t count, size_t bytes) { return bytes && count > SIZE_MAX / bytes ? NULL : take(count * bytes); }
void free(void *memory) { if (memory) atomic_fetch_add(&allocations, 1); }
void *realloc(void *memory, size_t bytes) {
    size_t old = 0;
    void *grown = take(bytes);
    if (memory) memcpy(&old, (char *)memory - ALIGNMENT, sizeof old);
    return grown && memory ? memcpy(grown, memory, old < bytes ? old : bytes) : grown;
}

/* ---- The locks: each function counts its call, and calls the function of the C library --------------------------- */

static atomic_size_t locks;

/* Stores the C library's function of this name. It copies the bytes, since ISO C has no cast from the address of an
   object to the address of a function. */
static void original(const char *name, void *function) {
    void *address = dlsym(RTLD_NEXT, name);
    if (!address) abort();
    memcpy(function, &address, sizeof address);
}

#define COUNTED(function, parameters, arguments) \
    int function parameters { \
        static int (*next) parameters; \
        atomic_fetch_add(&locks, 1); \
        if (!next) original(#function, &next); \
        return next arguments; \
    }
COUNTED(pthread_mutex_lock, (pthread_mutex_t *m), (m))
COUNTED(pthread_mutex_trylock, (pthread_mutex_t *m), (m))
COUNTED(pthread_mutex_timedlock, (pthread_mutex_t *m, const struct timespec *t), (m, t))
COUNTED(pthread_mutex_unlock, (pthread_mutex_t *m), (m))
COUNTED(pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l))
COUNTED(pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l))
COUNTED(pthread_rwlock_unlock, (pthread_rwlock_t *l), (l))
COUNTED(pthread_spin_lock, (pthread_spinlock_t *l), (l))
COUNTED(pthread_spin_unlock, (pthread_spinlock_t *l), (l))
COUNTED(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m))
COUNTED(pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t), (c, m, t))
COUNTED(pthread_cond_signal, (pthread_cond_t *c), (c))
COUNTED(pthread_cond_broadcast, (pthread_cond_t *c), (c))

/* ---- The hits: each kind makes `calls` statements and returns how often their bodies ran ------------------------- */

typedef void deed(void);
static void nothing(void) {}

/* The work of each tuned body. A hit may write only memory of the caller, such as `launches`. */
static void run(long *launches, deed *also, int tile) { *launches += tile > 0, also(); }

#define BRIEFLY .max_trials = 1, .preset = AUTOTUNE_FAST        /* it does not matter which configuration wins */

static long no_key(int calls, deed *also) {
    long launches = 0;
    for (int i = 0; i < calls; i++) AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY);
    return launches;
}
static long one_key(int calls, deed *also) {
    long launches = 0, n = 512, m = 256;
    for (int i = 0; i < calls; i++)
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY, .key = KEY(n, m));
    return launches;
}
static long many_keys(int calls, deed *also) {
    long launches = 0;
    for (int i = 0; i < calls; i++) {
        const int n = i % KEYS, m = n / 8;
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY, .key = KEY(n, m));
    }
    return launches;
}
static long string_keys(int calls, deed *also) {
    static const char *const name[] = { "conv2d_nhwc_3x3", "conv2d_nchw_1x1" };
    long launches = 0;
    for (int i = 0; i < calls; i++)
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY, .key = KEY(name[i % 2]));
    return launches;
}
static long with_result(int calls, deed *also) {
    long launches = 0, hits = 0;
    for (int i = 0; i < calls; i++) {
        autotune_result result;
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY, .key = KEY(i % 3),
                 .result = &result);
        hits += result.cache_hit && result.status == AUTOTUNE_OK;
    }
    return launches == hits ? launches : -hits;
}
static long block(int calls, deed *also) {
    long launches = 0;
    for (int i = 0; i < calls; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32), WHERE(tile > 0)), BRIEFLY, .key = KEY(i % 3)) {
            run(&launches, also, tile);
        }
    }
    return launches;
}
static long select_one(int calls, deed *also) {
    long launches = 0;
    for (int i = 0; i < calls; i++)
        AUTOTUNE_SELECT((BRIEFLY, .key = KEY(i % 3)), run(&launches, also, 1), run(&launches, also, 2));
    return launches;
}
static long known_mode(int calls, deed *also) {
    /* in rounds that tune, `calls` is less than HITS */
    const autotune_mode mode = calls == HITS ? AUTOTUNE_CACHED : AUTOTUNE_ON;
    long launches = 0;
    for (int i = 0; i < calls; i++)
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY, .key = KEY(i % 3), .mode = mode);
    return launches;
}
static autotune_backend cpu;
static long own_backend(int calls, deed *also) {
    long launches = 0;
    for (int i = 0; i < calls; i++)
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, run(&launches, also, tile), BRIEFLY, .key = KEY(i % 3), .backend = &cpu);
    return launches;
}

static const struct kind { const char *name; long (*hits)(int calls, deed *also); } kinds[] = {
    { "no key", no_key }, { "one key", one_key }, { "64 keys", many_keys }, { "string keys", string_keys },
    { "with .result", with_result }, { "AUTOTUNE_BLOCK", block }, { "AUTOTUNE_SELECT", select_one },
    { "mode CACHED", known_mode }, { "with .backend", own_backend },
};

/* ---- The watches: a child starts a watch, makes the hits, and its exit status says what the watch saw ------------ */

/* the exit status of a child. A child that ends by a signal counts as SEEN */
enum { CLEAN, SEEN, NOT_HITS, UNAVAILABLE };

/* Ends this process by the one system call that seccomp's strict mode still allows for it. */
__attribute__((__noreturn__)) static void end(int code) {
    for (;;) syscall(SYS_exit, code);
}

static size_t allocations_before, locks_before;
static int start_counting(void) {
    allocations_before = atomic_load(&allocations), locks_before = atomic_load(&locks);
    return 1;
}
static int allocated(void) { return atomic_load(&allocations) != allocations_before; }
static int locked(void) { return atomic_load(&locks) != locks_before; }
static int nothing_to_ask(void) { return 0; }   /* this watch ends the process if it sees anything */

static int forbid_system_calls(void) { return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0; }

/* Makes the writable segments of the program read-only. They hold its static variables, also those of call sites. The
   program is the first object in the list. */
static int protect_program(struct dl_phdr_info *info, size_t size, void *failed) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W)) continue;
        const uintptr_t first = (info->dlpi_addr + segment->p_vaddr) / page * page;
        const uintptr_t last = (info->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) / page * page;
        if (mprotect((void *)first, last - first, PROT_READ) != 0) *(int *)failed = 1;
    }
    return 1;
}
static int forbid_writes(void) {
    int failed = mprotect(heap, HEAP_BYTES, PROT_READ) != 0;
    dl_iterate_phdr(protect_program, &failed);
    return !failed;
}

static void *volatile kept;      /* volatile: a compiler may leave out malloc() if nothing uses the memory */
static void allocate(void) { kept = malloc(1), free(kept); }
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex); }
static void call_system(void) { syscall(SYS_getppid); }
static volatile int shared;
static void write_static(void) { shared = 1; }
static volatile int *shared_on_heap;
static void write_heap(void) { *shared_on_heap = 1; }

static const struct watch { const char *what; int (*start)(void), (*saw)(void); deed *planted; } watches[] = {
    { "allocates nothing",            start_counting,      allocated,      allocate },
    { "takes no lock",                start_counting,      locked,         lock },
    { "makes no system call",         forbid_system_calls, nothing_to_ask, call_system },
    { "writes no static of the program", forbid_writes,    nothing_to_ask, write_static },
    { "writes nothing on the heap",   forbid_writes,       nothing_to_ask, write_heap },
};

static int observe(const struct watch *w, const struct kind *k, int calls, deed *also) {
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!w->start()) end(UNAVAILABLE);
        const long launches = k->hits(calls, also);
        end(w->saw() ? SEEN : launches != calls ? NOT_HITS : CLEAN);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) return UNAVAILABLE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SEEN;
}

static const char *const endings[] = {"yes", "NO", "NO: these were no hits, a body ran more or less than once",
                                      "cannot be watched here"};

int main(void) {
    int failures = 0, skipped = 0;
    shared_on_heap = malloc(sizeof *shared_on_heap);
    cpu = autotune_cpu();
    /* each kind tunes its keys, makes the calls on probation, and then hits */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) kinds[k].hits(32 * KEYS, nothing);
    /* the first call of a function that is bound lazily writes its address, so each function is called once before */
    for (size_t i = 0; i < sizeof watches / sizeof *watches; i++) watches[i].planted();
    for (size_t i = 0; i < sizeof watches / sizeof *watches; i++) {
        const struct watch *w = &watches[i];
        if (observe(w, &kinds[0], 0, nothing) == UNAVAILABLE) {
            printf("SKIPPED: a hit %s: %s\n", w->what, endings[UNAVAILABLE]), skipped++;
            continue;
        }
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const int ending = observe(w, &kinds[k], HITS, nothing), planted = observe(w, &kinds[k], HITS, w->planted);
            printf("%s: a hit %s: %s\n", kinds[k].name, w->what, endings[ending]);
            if (planted != SEEN) printf("%s: a hit %s: the watch did not see a planted one\n", kinds[k].name, w->what);
            failures += ending != CLEAN, failures += planted != SEEN;
        }
    }
    return failures ? EXIT_FAILURE : skipped ? SKIPPED : EXIT_SUCCESS;
}
#endif

/* The list of regions: finds or adds a region, and decides if it is left alone. */
#include "library.h"
#include "region.h"

openmp_region *openmp_regions[OPENMP_HASHES], *openmp_newest;
openmp_runtime openmp_first_runtime;
static openmp_runtime *only_runtime;            /* NULL: no runtime is known yet, or the process has two */
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;      /* held by a thread that changes the lists */
bool openmp_is_child;

static void begin_child(void) {
    openmp_is_child = true;
    pthread_mutex_init(&lists, NULL);
}
static __attribute__((__constructor__)) void watch_forks(void) { pthread_atfork(NULL, NULL, begin_child); }

int openmp_default_threads(void) {
    const openmp_runtime *runtime = __atomic_load_n(&only_runtime, __ATOMIC_ACQUIRE);
    return openmp_is_child || !runtime || runtime->level() > 0 ? 0 : runtime->max_threads();
}
/* Returns false if the process has a second runtime: a runtime does not know the regions and threads of another one. */
static bool is_only_runtime(openmp_function *real) {
    static openmp_function *last;               /* remembered, since finding the runtime of a function takes 10 us */
    openmp_runtime runtime;
    if (real && real == __atomic_load_n(&last, __ATOMIC_ACQUIRE))
        return __atomic_load_n(&only_runtime, __ATOMIC_RELAXED) != NULL;
    if (!openmp_find_runtime(&runtime, real)) return false;
    pthread_mutex_lock(&lists);
    if (!openmp_first_runtime.base) {
        openmp_first_runtime = runtime;
        __atomic_store_n(&only_runtime, &openmp_first_runtime, __ATOMIC_RELEASE);
    }
    const bool second = runtime.base != openmp_first_runtime.base &&
                        __atomic_exchange_n(&only_runtime, NULL, __ATOMIC_RELAXED) != NULL;
    pthread_mutex_unlock(&lists);
    __atomic_store_n(&last, real, __ATOMIC_RELEASE);
    if (second)
        openmp_log(AUTOTUNE_LOG_ERRORS, "openmp: the process has two OpenMP runtimes, %s and %s: threads are no longer "
                   "chosen; link all of it with one of them", openmp_first_runtime.path, runtime.path);
    return __atomic_load_n(&only_runtime, __ATOMIC_RELAXED) != NULL;
}
/* Fills in all members that the address and the body determine. In a child process dlsym() never waits for a lock that
   another thread held at the fork, because glibc's fork() resets the locks of the dynamic linker. */
static void fill_in(openmp_region *region, const void *address, openmp_function *body, const char *function_name,
                    bool given) {
    region->address = address;
    region->body = body;
    region->real = openmp_real_function(function_name, address);
    const bool can_be_tuned = !openmp_is_child && openmp_find_module(&region->module, address) &&
                              is_only_runtime(region->real);
    region->default_threads = given ? 0 : openmp_default_threads();
    const int length = snprintf(region->version, sizeof region->version, "%s%+ld", region->module.build,
                                (long)((intptr_t)body - (intptr_t)address));
    const bool is_named = (size_t)length < sizeof region->version;
    /* A region that the runtime itself begins is left alone. */
    region->left_alone = !can_be_tuned || !is_named ||
                         region->default_threads < 2 || region->module.base == openmp_first_runtime.base;
}
/* Returns true if both are the same region: the build, the body, and the distance of body and address are equal, so the
   address is equal, too. If a module is unloaded, and is loaded again to the same place, the race of its region goes
   on. */
static bool is_same(const openmp_region *region, const openmp_region *added) {
    return region->body == added->body && region->default_threads == added->default_threads &&
           strcmp(region->version, added->version) == 0;
}
/* Returns true if the module of the region was unloaded, and is now loaded where the added region is. */
static bool has_moved(const openmp_region *region, const openmp_region *added) {
    return !region->address && !region->left_alone && !added->left_alone &&
           region->default_threads == added->default_threads && region->module.offset == added->module.offset &&
           strcmp(region->version, added->version) == 0 &&
           strcmp(region->module.place, added->module.place) == 0;
}
/* Puts a region into the list of its hash. A thread may search the old list of the region without the lock, and get
   into the new list. Then the thread finds nothing, and searches again with the lock. */
static void list_region(openmp_region *region, const void *address) {
    openmp_region **const first = openmp_first_region(address);
    __atomic_store_n(&region->next, *first, __ATOMIC_RELEASE);
    __atomic_store_n(first, region, __ATOMIC_RELEASE);
    __atomic_store_n(&region->address, address, __ATOMIC_RELEASE);
}
/* Moves a region to another address, where its race goes on. An open step is ended, since no call would end it. */
static void move_region(openmp_region *region, const openmp_region *added) {
    openmp_region **link = openmp_first_region((const char *)region->module.base + region->module.offset);
    while (*link != region) link = &(*link)->next;
    __atomic_store_n(link, region->next, __ATOMIC_RELEASE);
    region->body = added->body;
    region->real = added->real;
    region->module = added->module;
    list_region(region, added->address);
}
/* The dynamic linker has its own lock. Constructors of modules run under this lock, and may begin regions. So this
   function calls the linker before it takes the lock of the lists. */
openmp_region *openmp_add_region(const void *address, openmp_function *body, const char *function_name, bool given) {
    openmp_region *added = calloc(1, sizeof *added), *region;
    if (!added) return NULL;
    fill_in(added, address, body, function_name, given);
    pthread_mutex_lock(&lists);
    for (region = *openmp_first_region(address); region && !is_same(region, added);) region = region->next;
    if (region) __atomic_store_n(&region->address, address, __ATOMIC_RELEASE);
    else {
        for (region = openmp_newest; region && !has_moved(region, added);) region = region->older;
        if (region) move_region(region, added);
        else {
            list_region(added, address);
            added->older = openmp_newest;
            __atomic_store_n(&openmp_newest, added, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&lists);
    if (region) free(added);
    return region ? region : added;
}

/* Returns true if the module of the region was unloaded. Another module at the same place has other regions. */
static bool is_unloaded(const openmp_region *region) {
    openmp_module now;
    return !openmp_find_module(&now, region->address) || now.offset != region->module.offset ||
           strcmp(now.build, region->module.build) != 0;
}
/* Replaces dlclose() of the C library, to notice regions of unloaded modules. */
__attribute__((visibility("default"))) int dlclose(void *handle) {
    const int status = openmp_close(handle);
    openmp_region *region = openmp_is_child ? NULL : __atomic_load_n(&openmp_newest, __ATOMIC_ACQUIRE);
    for (; region; region = region->older)
        if (!region->left_alone && __atomic_load_n(&region->address, __ATOMIC_RELAXED) && is_unloaded(region))
            __atomic_store_n(&region->address, NULL, __ATOMIC_RELAXED);
    return status;
}

/* Finds the functions of the OpenMP runtime. */
#include <dlfcn.h>
#include "runtime.h"

/* Calls dlclose() of the C library, since this library has its own dlclose(): see region.c. */
int openmp_close(void *handle) {
    return ((int (*)(void *))openmp_real_function("dlclose", NULL))(handle);
}
/* Finds the function in the shared library or program with this path, or in a library that it needs. */
static openmp_function *function_of(const char *path, const char *name) {
    void *library = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    openmp_function *function = library ? (openmp_function *)(uintptr_t)dlsym(library, name) : NULL;
    if (library) openmp_close(library);         /* the library was loaded before, and stays loaded */
    return function;
}
/* The dynamic linker searches the global scope of the program, and then the libraries that the module was loaded
   with. */
openmp_function *openmp_real_function(const char *name, const void *address) {
    openmp_function *function = (openmp_function *)(uintptr_t)dlsym(RTLD_NEXT, name);
    Dl_info module;
    return function || !dladdr(address, &module) ? function : function_of(module.dli_fname, name);
}
openmp_function *openmp_find_once(openmp_function **place, const char *name, const void *address) {
    openmp_function *found = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (!found) __atomic_store_n(place, found = openmp_real_function(name, address), __ATOMIC_RELAXED);
    return found;
}
bool openmp_find_runtime(openmp_runtime *runtime, openmp_function *function) {
    Dl_info found;
    if (!function || !dladdr((void *)(uintptr_t)function, &found)) return false;
    runtime->base = found.dli_fbase;
    const int length = snprintf(runtime->path, sizeof runtime->path, "%s", found.dli_fname);
    if ((size_t)length >= sizeof runtime->path) return false;
    runtime->level = (int (*)(void))function_of(runtime->path, "omp_get_level");
    runtime->max_threads = (int (*)(void))function_of(runtime->path, "omp_get_max_threads");
    runtime->thread = (int (*)(void *))function_of(runtime->path, "__kmpc_global_thread_num");
    runtime->push_threads = (void (*)(void *, int, int))function_of(runtime->path, "__kmpc_push_num_threads");
    return runtime->level && runtime->max_threads;
}

/* host.c - a program without OpenMP, which unloads a module that is linked with libautotune_openmp.so, and ends. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void spend(uint64_t ns);
void spend(uint64_t ns) { (void)ns; }
int main(void) {
    int (*sweep)(void) = NULL;
    void *const handle = dlopen("./linked.so", RTLD_NOW | RTLD_LOCAL),
               *const function = handle ? dlsym(handle, "module_sweep") : NULL;
    if (!function) return puts(dlerror()), 3;
    memcpy(&sweep, &function, sizeof sweep);
    for (int call = 0; call < 300; call++) (void)sweep();
    dlclose(handle);
    pthread_exit(NULL);
}

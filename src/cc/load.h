/* Loads machine code as functions of this process. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../statement/floor.h"
#include "../kernels/floor.h"

typedef struct autotune__cc_kernel {
    autotune__kernel loaded;
    void *library;
} autotune__cc_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__cc_kernel_of, autotune__cc_kernel, loaded, autotune__kernel)

static void autotune__cc_unload(autotune__kernel *loaded) {
    autotune__cc_kernel *kernel = autotune__cc_kernel_of(loaded);
    autotune__unload_code(kernel->library);
    autotune__free(kernel);
}
static autotune__kernel *autotune__cc_load(const autotune__target *target, const autotune__compilation *compilation,
                                           int *error) {
    autotune__cc_kernel *kernel = (autotune__cc_kernel *)autotune__allocate(sizeof *kernel);
    const char *why = "out of memory";
    (void)target; (void)error;
    if (kernel) kernel->library = autotune__load_code(compilation->image, compilation->image_bytes, &why);
    if (kernel && kernel->library) return &kernel->loaded;
    autotune_explain("what was compiled cannot be loaded: %s", why);
    autotune__free(kernel);
    return NULL;
}
static void (*autotune__cc_function_in(const autotune__kernel *loaded, const char *name))(void) {
    const autotune__cc_kernel *kernel = autotune__cc_kernel_of((autotune__kernel *)(uintptr_t)loaded);
    void *const symbol = autotune__symbol_of(kernel->library, name);
    void (*address)(void);
    memcpy(&address, &symbol, sizeof address);  /* ISO C has no cast from void * to a function */
    return address;
}

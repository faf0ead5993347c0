/* NVRTC, opened at run time; its option for the architecture. */
#pragma once
#include <nvrtc.h>
#include "../system/floor.h"
#include "../store/floor.h"

#define AUTOTUNE__NVRTC_FUNCTIONS(X) \
    X(nvrtcVersion) X(nvrtcGetNumSupportedArchs) X(nvrtcGetSupportedArchs) X(nvrtcCreateProgram) \
    X(nvrtcDestroyProgram) X(nvrtcAddNameExpression) X(nvrtcGetLoweredName) X(nvrtcCompileProgram) \
    X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog) X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetPTXSize) \
    X(nvrtcGetPTX)

static struct autotune__nvrtc_library {
#define AUTOTUNE__NVRTC_FUNCTION(name) __typeof__(&name) name##_;
    AUTOTUNE__NVRTC_FUNCTIONS(AUTOTUNE__NVRTC_FUNCTION)
    /* NULL: an older NVRTC */
    nvrtcResult (*nvrtcSetFlowCallback_)(nvrtcProgram program, int (*callback)(void *, void *), void *payload);
    nvrtcResult (*nvrtcGetPCHHeapSize_)(size_t *bytes);         /* all three NULL: an older NVRTC */
    nvrtcResult (*nvrtcGetPCHHeapSizeRequired_)(nvrtcProgram program, size_t *bytes);
    nvrtcResult (*nvrtcSetPCHHeapSize_)(size_t bytes);
    int version;                                /* 13000 for 13.0 */
    char words[24];
    char file[40];                              /* the identity of the library's file; an update changes it */
    char problem[192];                          /* why NVRTC does not work; "": it works */
} autotune__nvrtc;

static void autotune__open_nvrtc(void) {
    static const autotune__optional_library of = {
        { "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL },
        "kernels cannot be compiled",
        "libnvrtc, which the CUDA Toolkit installs, was not found: put its folder into LD_LIBRARY_PATH",
        "one of CUDA 12.0 or later is needed"
    };
    struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    void *library = autotune__open_functions(&of, AUTOTUNE__NVRTC_FUNCTIONS(AUTOTUNE__NAME_OF_FUNCTION), nvrtc,
                                             nvrtc->problem, sizeof nvrtc->problem);
    int major = 0, minor = 0;
    if (!library) return;
    (void)autotune__find_functions(library, "nvrtcSetFlowCallback\0nvrtcGetPCHHeapSize\0"
                                   "nvrtcGetPCHHeapSizeRequired\0nvrtcSetPCHHeapSize\0",
                                   (void *)&nvrtc->nvrtcSetFlowCallback_);
    if (nvrtc->nvrtcVersion_(&major, &minor) == NVRTC_SUCCESS) nvrtc->version = 1000 * major + 10 * minor;
    autotune__put_text(nvrtc->words, sizeof nvrtc->words, "NVRTC %d.%d", major, minor);
    if (nvrtc->version && nvrtc->version < 12000)               /* NVRTC before 12.0 is not safe with several threads */
        autotune__put_text(nvrtc->problem, sizeof nvrtc->problem,
                           "kernels cannot be compiled: libnvrtc is of CUDA %d.%d: one of 12.0 or later is needed",
                           major, minor);
    (void)autotune__identify_program(autotune__symbol_of(library, "nvrtcVersion"), nvrtc->file, sizeof nvrtc->file);
}
AUTOTUNE__DEFINE_WORKS(autotune__nvrtc_works, autotune__open_nvrtc, autotune__nvrtc.problem)
/* Appends the option for the architecture. With the device's own architecture the compiler makes a cubin. If the device
   is newer than the compiler, the option names the newest architecture that both know. Then the compiler makes PTX,
   which the driver compiles. */
static void autotune__nvrtc_add_architecture(autotune__text *options, int capability) {
    int known[64], count = 0, best = 0, i;
    if (autotune__nvrtc.nvrtcGetNumSupportedArchs_(&count) != NVRTC_SUCCESS || count > 64 ||
        autotune__nvrtc.nvrtcGetSupportedArchs_(known) != NVRTC_SUCCESS) count = 0;
    for (i = 0; i < count; i++) if (known[i] <= capability && known[i] > best) best = known[i];
    autotune__append(options, "--gpu-architecture=%s_%d%c", best == capability || !best ? "sm" : "compute",
                     best ? best : capability, 0);
}

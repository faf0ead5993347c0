/* Compiling with NVRTC: the functions that the floor `kernels` calls. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "site.h"
#include "context.h"
#include "nvrtc.h"
#include "load.h"

static const autotune__known_option autotune__nvrtc_options[] = {
    { "include-path", AUTOTUNE__OPTION_FOLDER },  { "I", AUTOTUNE__OPTION_FOLDER },
    { "pre-include", AUTOTUNE__OPTION_FILE },     { "include", AUTOTUNE__OPTION_FILE },
    { "pch", AUTOTUNE__OPTION_FILE },             { "create-pch", AUTOTUNE__OPTION_FILE },
    { "use-pch", AUTOTUNE__OPTION_FILE },         { "time", AUTOTUNE__OPTION_FILE },
    { "fdevice-time-trace", AUTOTUNE__OPTION_FILE }, { "apply-controls", AUTOTUNE__OPTION_FILE },
    { NULL, AUTOTUNE__OPTION_OTHER }
};
static bool autotune__nvrtc_has(const char *folder, const char *file) {
    char *path AUTOTUNE__OWNED = autotune__joined(folder, file);
    autotune__file_facts facts;
    return path && autotune__facts_of_path(path, &facts);
}
/* See version_file in kernels/compiler.h. A folder belongs to the toolkit if it has headers of CUDA and no headers of a
   system. Since CUDA 13 the core libraries are in a folder within the toolkit's folder. */
static const char *autotune__nvrtc_version_file(const char *folder) {
    const bool cub = autotune__nvrtc_has(folder, "cub/version.cuh");
    if (autotune__nvrtc_has(folder, "cuda.h") && autotune__nvrtc_has(folder, "vector_types.h") &&
        !autotune__nvrtc_has(folder, "stdio.h")) return "cuda.h";
    if (!cub && !autotune__nvrtc_has(folder, "cuda/std/version")) return NULL;
    return cub && autotune__nvrtc_has(folder, "../cuda.h") && !autotune__nvrtc_has(folder, "../stdio.h")
               ? "cub/version.cuh" : "";
}
static void autotune__nvrtc_add_options(autotune__text *options, const autotune__program *program,
                                        const autotune__target *target) {
    const char *option;
    AUTOTUNE__EACH_OPTION(option, &program->options)
        if (!strncmp(option, "--gpu-architecture", 18) || !strncmp(option, "-arch", 5)) return;
    autotune__nvrtc_add_architecture(options, autotune__cuda_context_at(target)->capability);
}

static void autotune__nvrtc_refuse(autotune__compilation *compilation, nvrtcProgram program, nvrtcResult result) {
    size_t bytes = 0;
    const bool has_log = program && autotune__nvrtc.nvrtcGetProgramLogSize_(program, &bytes) == NVRTC_SUCCESS;
    char otherwise[64], *log AUTOTUNE__OWNED = has_log ? (char *)autotune__allocate(bytes + 1) : NULL;
    if (log) (void)autotune__nvrtc.nvrtcGetProgramLog_(program, log);
    autotune__put_text(otherwise, sizeof otherwise, "NVRTC gives no reason (%d)", (int)result);
    autotune__refuse_by_log(compilation, log, otherwise);
}
static void autotune__nvrtc_take_image(autotune__compilation *compilation, nvrtcProgram program) {
    const struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    const char *lowered = NULL;
    size_t bytes;
    const bool cubin = nvrtc->nvrtcGetCUBINSize_(program, &bytes) == NVRTC_SUCCESS && bytes,
               known = (cubin || nvrtc->nvrtcGetPTXSize_(program, &bytes) == NVRTC_SUCCESS) &&
                       nvrtc->nvrtcGetLoweredName_(program, compilation->instance, &lowered) == NVRTC_SUCCESS;
    if (known && !autotune__take_room(compilation, bytes, lowered)) return;
    if (known && (cubin ? nvrtc->nvrtcGetCUBIN_(program, compilation->image)
                        : nvrtc->nvrtcGetPTX_(program, compilation->image)) == NVRTC_SUCCESS)
        compilation->progress = AUTOTUNE__CODE_MADE;
    else autotune__refuse(compilation, "was compiled, but NVRTC gives no kernel %s", compilation->instance);
}
typedef struct autotune__nvrtc_patience {       /* how long a compilation may take */
    const autotune__compile_limits *limits;
    uint64_t began;
    bool late;                                  /* the compilation took longer, and was given up */
} autotune__nvrtc_patience;
static int autotune__nvrtc_gives_up(void *of, void *reserved AUTOTUNE__UNUSED) {   /* called by NVRTC */
    autotune__nvrtc_patience *patience = (autotune__nvrtc_patience *)of;
    patience->late = (double)(autotune__wait_clock() - patience->began) > 1e9 * patience->limits->seconds;
    return patience->late || autotune__is_unwanted(patience->limits);
}
/* Compiles `text` in place of the program's text. Returns the result of NVRTC. */
static nvrtcResult autotune__nvrtc_compile_text(autotune__compilation *compilation, const char *text,
                                                const char **options, const autotune__compile_limits *limits) {
    autotune__nvrtc_patience patience = { limits, autotune__wait_clock(), false };
    const struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    const autotune__program *source = compilation->program;
    nvrtcProgram program = NULL;
    nvrtcResult result;
    size_t needs = 0, has = 0;                  /* memory for compiled headers */
    result = nvrtc->nvrtcCreateProgram_(&program, text,
                                        source->declared->file ? source->declared->file : "program.cu", 0, NULL, NULL);
    if (result == NVRTC_SUCCESS) result = nvrtc->nvrtcAddNameExpression_(program, compilation->instance);
    if (result == NVRTC_SUCCESS && nvrtc->nvrtcSetFlowCallback_)
        nvrtc->nvrtcSetFlowCallback_(program, autotune__nvrtc_gives_up, &patience);
    if (result == NVRTC_SUCCESS) result = nvrtc->nvrtcCompileProgram_(program, (int)autotune__count(options), options);
    if (result == NVRTC_SUCCESS && nvrtc->nvrtcSetPCHHeapSize_ &&       /* for the headers of the next program */
        nvrtc->nvrtcGetPCHHeapSizeRequired_(program, &needs) == NVRTC_SUCCESS &&
        nvrtc->nvrtcGetPCHHeapSize_(&has) == NVRTC_SUCCESS && needs > has) (void)nvrtc->nvrtcSetPCHHeapSize_(needs);
    if (result == NVRTC_SUCCESS) autotune__nvrtc_take_image(compilation, program);
    else if (!autotune__is_unwanted(limits) && patience.late)
        autotune__refuse(compilation, "does not compile: NVRTC did not end within %g s, .compile_timeout",
                         limits->seconds);
    else if (!autotune__is_unwanted(limits) && result != NVRTC_ERROR_OUT_OF_MEMORY)
        autotune__nvrtc_refuse(compilation, program, result);
    if (program) nvrtc->nvrtcDestroyProgram_(&program);
    return result;
}
/* Returns true if the text includes no header, and names nothing that --minimal leaves out: textures, surfaces, the
   CUDA runtime, launches by kernels. Before 12.4 NVRTC has no --minimal, and the function returns false. */
static bool autotune__nvrtc_needs_little(const char *text) {
    static const char *const more[] = { "include", "tex", "surf", "cuda", "<<<" };
    size_t i = 0;
    while (i < sizeof more / sizeof *more && !strstr(text, more[i])) i++;
    return i == sizeof more / sizeof *more && autotune__nvrtc.version >= 12040;
}
/* From 12.8 on NVRTC compiles the headers of a program once, and keeps the result in a file. NVRTC uses the file again
   if the text of the headers and the options are the same. Reading the file takes less than a tenth of the time that
   compiling the headers takes. NVRTC makes one such file at a time, and other threads wait for it.

   With --minimal NVRTC makes the same code and maps less memory. Threads that map memory wait for each other: eight
   threads compiled 48 small kernels in two thirds of the time. If NVRTC refuses the text, the text is compiled again
   without --minimal. */
static void autotune__nvrtc_compile(autotune__compilation *compilation, const autotune__target *target,
                                    const autotune__compile_limits *limits) {
    const size_t length = autotune__nvrtc.version < 12080 ? 0 : compilation->shared_bytes;
    char *headed AUTOTUNE__OWNED =              /* NULL: the headers are not compiled apart */
        length ? autotune__text_with_definitions(compilation, length, "#pragma nv_hdrstop\n") : NULL;
    const char *const text = headed ? headed : autotune__source_of(compilation->program),
               *const definitions = autotune__own_options_end(compilation), *option, **list = NULL;
    const bool minimal = !headed && autotune__nvrtc_needs_little(text);
    bool complete = true;
    (void)target;                               /* the options name the architecture */
    AUTOTUNE__EACH_OPTION(option, &compilation->options)    /* the text has the definitions if `headed` is made */
        if (!headed || option < definitions) complete = complete && AUTOTUNE__PUSH(list, option);
    if (headed) complete = complete && AUTOTUNE__PUSH(list, "--pch") && AUTOTUNE__PUSH(list, "--pch-messages=false");
    if (minimal) complete = complete && AUTOTUNE__PUSH(list, "--minimal");
    if (complete && autotune__nvrtc_compile_text(compilation, text, list, limits) == NVRTC_ERROR_COMPILATION &&
        minimal) {
        autotune__free(compilation->reason);
        compilation->reason = NULL;
        compilation->progress = AUTOTUNE__CODE_WAITING;
        autotune__set_count(list, autotune__count(list) - 1);           /* removes --minimal */
        (void)autotune__nvrtc_compile_text(compilation, text, list, limits);
    }
    AUTOTUNE__FREE_ARRAY(list);
}

static autotune__compiler autotune__nvrtc_compiler = {
    "cubins", "cubin", autotune__nvrtc.words, autotune__nvrtc.file, false, true, autotune__nvrtc_options, NULL,
    autotune__nvrtc_version_file, autotune__nvrtc_add_options, autotune__nvrtc_compile, NULL,
    autotune__cuda_load, autotune__cuda_unload, NULL, 0
};

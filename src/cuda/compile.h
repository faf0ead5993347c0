/* Compiling: one compilation made by NVRTC, or read from disk. */
#pragma once
#include <nvrtc.h>
#include <pthread.h>
#include <stdio.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "site.h"
#include "nvrtc.h"
#include "digest.h"
#include "cubins.h"
#include "compilation.h"

/* What NVRTC says of an error: its first line that has one, else the first line. */
static void autotune__nvrtc_complaint(nvrtcProgram program, nvrtcResult result, char *line, size_t bytes) {
    size_t length = 0;
    const char *at, *end;
    char *log = program && autotune__nvrtc.nvrtcGetProgramLogSize_(program, &length) == NVRTC_SUCCESS
                    ? (char *)autotune__allocate(length + 1) : NULL;
    snprintf(line, bytes, "NVRTC gives no reason (nvrtcResult %d)", (int)result);
    if (log && autotune__nvrtc.nvrtcGetProgramLog_(program, log) == NVRTC_SUCCESS && *log) {
        for (at = strstr(log, "error"); at && at > log && at[-1] != '\n'; at--) {}
        if (!at) at = log;
        end = strchr(at, '\n');
        snprintf(line, bytes, "%.*s", (int)(end ? end - at : (ptrdiff_t)strlen(at)), at);
    }
    autotune__free(log);
}
static bool autotune__nvrtc_take_image(autotune__cuda_compilation *compilation, nvrtcProgram program, size_t *bytes) {
    const struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    const char *lowered = NULL;
    const bool cubin = nvrtc->nvrtcGetCUBINSize_(program, bytes) == NVRTC_SUCCESS && *bytes;
    if (!cubin && nvrtc->nvrtcGetPTXSize_(program, bytes) != NVRTC_SUCCESS) return false;
    if (nvrtc->nvrtcGetLoweredName_(program, compilation->name, &lowered) != NVRTC_SUCCESS) return false;
    compilation->lowered = autotune__copy_string(lowered);
    compilation->image = (char *)autotune__allocate(*bytes + 1);
    if (!compilation->lowered || !compilation->image) return false;
    return (cubin ? nvrtc->nvrtcGetCUBIN_(program, compilation->image)
                  : nvrtc->nvrtcGetPTX_(program, compilation->image)) == NVRTC_SUCCESS;
}
enum { AUTOTUNE__CUDA_ALL_OPTIONS = (int)AUTOTUNE_CUDA_MAX_OPTIONS + (int)AUTOTUNE_MAX_AXES + 3 };
/* The options in their order: architecture, the folder of the file, the program's own, the definitions and a limit of
   registers. */
static int autotune__cuda_options(const autotune__cuda_compilation *compilation, const char **options,
                                  char *architecture, char *folder, size_t bytes, int capability) {
    const autotune_cuda_program *program = compilation->program;
    const char *slash = program->file ? strrchr(program->file, '/') : NULL, *at;
    bool own = false;
    int count = 0, i;
    for (i = 0; i < AUTOTUNE_CUDA_MAX_OPTIONS && program->options[i]; i++)
        own = own || !strncmp(program->options[i], "--gpu-architecture", 18) ||
              !strncmp(program->options[i], "-arch", 5);
    if (!own) { autotune__nvrtc_architecture(architecture, bytes, capability); options[count++] = architecture; }
    if (program->file) {
        snprintf(folder, bytes, "--include-path=%.*s", slash ? (int)(slash - program->file) + 1 : 1,
                 slash ? program->file : ".");
        options[count++] = folder;
    }
    for (i = 0; i < AUTOTUNE_CUDA_MAX_OPTIONS && program->options[i]; i++) options[count++] = program->options[i];
    for (at = compilation->definitions; *at && count < AUTOTUNE__CUDA_ALL_OPTIONS; at += strlen(at) + 1)
        options[count++] = at;
    return count;
}
static bool autotune__cuda_is_definition_of(const autotune__cuda_compilation *compilation, const char *option) {
    const char *at = compilation->definitions;
    while (*at && at != option) at += strlen(at) + 1;
    return *at && !strncmp(option, "-D", 2);
}
static int autotune__nvrtc_is_unwanted(void *unwanted, void *reserved) {           /* asked by NVRTC now and then */
    (void)reserved;
    return __atomic_load_n((bool *)unwanted, __ATOMIC_RELAXED);
}
/* Without the lock, and in any thread: takes from milliseconds to seconds. It is given up once unwanted is true, and
   waits as before. Below 12.0 NVRTC is not safe in several at once. The bytes of the image; 0: it does not compile. */
static size_t autotune__nvrtc_compile_text(autotune__cuda_compilation *compilation, const char *text,
                                           const char *const *options, int count, bool *unwanted) {
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    const struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    const autotune_cuda_program *source = compilation->program;
    const char *names[64], *texts[64];
    char complaint[512];
    int headers = 0;
    size_t bytes = 0;
    nvrtcProgram program = NULL;
    nvrtcResult result;
    for (; source->headers && source->headers[headers].name && headers < 64; headers++) {
        names[headers] = source->headers[headers].name;
        texts[headers] = source->headers[headers].text;
    }
    if (nvrtc->version < 12000) pthread_mutex_lock(&one_at_a_time);
    result = nvrtc->nvrtcCreateProgram_(&program, text, source->file ? source->file : "program.cu", headers, texts,
                                        names);
    if (result == NVRTC_SUCCESS) result = nvrtc->nvrtcAddNameExpression_(program, compilation->name);
    if (result == NVRTC_SUCCESS && unwanted && nvrtc->nvrtcSetFlowCallback_)
        nvrtc->nvrtcSetFlowCallback_(program, autotune__nvrtc_is_unwanted, unwanted);
    if (result == NVRTC_SUCCESS) result = nvrtc->nvrtcCompileProgram_(program, count, options);
    if (result != NVRTC_SUCCESS && unwanted && autotune__nvrtc_is_unwanted(unwanted, NULL))
        compilation->progress = AUTOTUNE__CUDA_WAITING;
    else if (result != NVRTC_SUCCESS) {
        autotune__nvrtc_complaint(program, result, complaint, sizeof complaint);
        autotune__cuda_not_compiled(compilation, "does not compile: %s", complaint);
    } else if (autotune__nvrtc_take_image(compilation, program, &bytes))
        compilation->progress = AUTOTUNE__CUDA_COMPILED;
    else
        autotune__cuda_not_compiled(compilation, "was compiled, but has no kernel %s, or there is no memory for it",
                                    compilation->name);
    if (program) nvrtc->nvrtcDestroyProgram_(&program);
    if (nvrtc->version < 12000) pthread_mutex_unlock(&one_at_a_time);
    return compilation->progress == AUTOTUNE__CUDA_COMPILED ? bytes : 0;
}
/* The text of a compilation with its definitions behind the headers, so that these are the same for all configurations;
   NULL: no memory. */
static char *autotune__cuda_text_behind_headers(const autotune__cuda_compilation *compilation) {
    const char *const text = compilation->text, *at;
    const size_t length = compilation->shared_headers;
    autotune__text whole = { NULL, false };
    unsigned long line = 1;
    char *copy;
    for (at = text; at < text + length; at++) line += *at == '\n';
    autotune__append(&whole, "%.*s#pragma nv_hdrstop\n", (int)length, text);
    for (at = compilation->definitions; *at; at += strlen(at) + 1) {
        const int name = (int)strcspn(at, "=");
        if (!strncmp(at, "-D", 2)) autotune__append(&whole, "#define %.*s %s\n", name - 2, at + 2, at + name + 1);
    }
    autotune__append(&whole, "#line %lu\n%s", line, text + length);
    copy = whole.broken ? NULL : autotune__copy_string(autotune__string(&whole));
    autotune__free_text(&whole);
    return copy;
}
/* NVRTC compiles the headers of a program once, if their text and all options are the same, and reads in less than a
   tenth of the time what it kept of them. It makes one such file at a time, and others of the program wait for it: so
   its work is not done twice. */
static size_t autotune__nvrtc_compile(autotune__cuda_compilation *compilation, const char *const *options, int count,
                                      bool *unwanted) {
    static pthread_mutex_t compiling_headers = PTHREAD_MUTEX_INITIALIZER;
    struct autotune__cuda_source *source = compilation->program->source;
    char *text = compilation->shared_headers ? autotune__cuda_text_behind_headers(compilation) : NULL;
    const char *others[AUTOTUNE__CUDA_ALL_OPTIONS + 2];
    int i, left = 0;
    size_t bytes;
    bool first;
    if (!text) return autotune__nvrtc_compile_text(compilation, compilation->text, options, count, unwanted);
    for (i = 0; i < count; i++)
        if (!autotune__cuda_is_definition_of(compilation, options[i])) others[left++] = options[i];
    others[left++] = "--pch";
    others[left++] = "--pch-messages=false";
    pthread_mutex_lock(&compiling_headers);
    if (!(first = !source->has_compiled_headers)) pthread_mutex_unlock(&compiling_headers);
    bytes = autotune__nvrtc_compile_text(compilation, text, others, left, unwanted);
    if (first) {
        source->has_compiled_headers = bytes > 0;
        pthread_mutex_unlock(&compiling_headers);
    }
    autotune__free(text);
    return bytes;
}
/* Taken from the disk, or compiled and kept there. A file that was edited while it was compiled is of two digests: that
   is not kept. False: it was taken. */
static bool autotune__cuda_compile(autotune__cuda_compilation *compilation, int capability, autotune_cache policy,
                                   bool *unwanted) {
    const char *options[AUTOTUNE__CUDA_ALL_OPTIONS];
    char architecture[512], folder[512];
    const int count = autotune__cuda_options(compilation, options, architecture, folder, sizeof folder, capability);
#ifndef AUTOTUNE_NO_CACHE
    const autotune_cuda_program *program = compilation->program;
    autotune__digest digest, after;
    const bool may_be_kept = policy != AUTOTUNE_CACHE_OFF && autotune__digest_code(&digest, program, compilation->text,
                                                                                   compilation->name, options, count);
    size_t bytes;
    if (may_be_kept &&
        (compilation->image = autotune__read_cubin(&digest, policy == AUTOTUNE_CACHE_ON, &compilation->lowered))) {
        compilation->progress = AUTOTUNE__CUDA_COMPILED;
        compilation->on_disk = true;
        return false;
    }
    bytes = autotune__nvrtc_compile(compilation, options, count, unwanted);
    compilation->on_disk = bytes && may_be_kept && policy == AUTOTUNE_CACHE_ON &&
                           autotune__digest_code(&after, program, compilation->text, compilation->name, options,
                                                 count) &&
                           !memcmp(&digest, &after, sizeof digest) &&
                           autotune__keep_cubin(&digest, compilation->image, bytes, compilation->lowered);
#else
    (void)policy;
    autotune__nvrtc_compile(compilation, options, count, unwanted);
#endif
    return true;
}
/* With the lock, which it gives up meanwhile: compiles it here, or waits for whoever does; again, if the image was let
   go before we woke. unwanted: once that is true, it may be left to others; NULL: it is needed.
   True: NVRTC compiled it here. */
static bool autotune__cuda_finish(autotune__cuda_compilation *compilation, int capability, autotune_cache policy,
                                  bool *unwanted) {
    bool compiled = false;
    while ((compilation->progress == AUTOTUNE__CUDA_WAITING || compilation->progress == AUTOTUNE__CUDA_IN_WORK) &&
           !(unwanted && *unwanted)) {
        autotune__cuda_compilation done = *compilation;
        if (compilation->progress == AUTOTUNE__CUDA_IN_WORK) {
            pthread_cond_wait(&autotune__cuda_progressed, &autotune__cuda_programs_lock);
            continue;
        }
        compilation->progress = AUTOTUNE__CUDA_IN_WORK;
        pthread_mutex_unlock(&autotune__cuda_programs_lock);
        compiled = autotune__cuda_compile(&done, capability, policy, unwanted);
        pthread_mutex_lock(&autotune__cuda_programs_lock);
        compilation->image = done.image;
        compilation->lowered = done.lowered;
        compilation->reason = done.reason;
        compilation->on_disk = done.on_disk;
        compilation->progress = done.progress;
        pthread_cond_broadcast(&autotune__cuda_progressed);
    }
    return compiled;
}
/* With the lock: what is on disk need not stay here. */
static void autotune__cuda_forget_image(autotune__cuda_compilation *compilation) {
    if (compilation->progress != AUTOTUNE__CUDA_COMPILED || !compilation->on_disk) return;
    autotune__free(compilation->image);
    autotune__free(compilation->lowered);
    compilation->image = compilation->lowered = NULL;
    compilation->progress = AUTOTUNE__CUDA_WAITING;
}

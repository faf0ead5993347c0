/* standin_nvrtc.c - a libnvrtc.so.13 that compiles by compile.sh, with the host's C++ compiler: see standin.h. The
   build defines COMPILE_SH, COMPILER and KEPT, the folder of earlier results. */
#define _GNU_SOURCE
#include "standin.h"

#include <dirent.h>
#include <fcntl.h>
#include <nvrtc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 8, MOST_OPTIONS = 64 };
struct _nvrtcProgram {
    char *text, *name, *expressions[MOST], lowered[MOST][16], *log, *image;
    int expression_count;
    size_t image_bytes;
    int (*callback)(void *, void *); /* NULL: none */
    void *payload;
    bool virtual_only; /* the architecture is virtual (compute_90): there is PTX, and no cubin */
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned compilations, at_once, most_at_once, cancelled;
static unsigned meeting; /* set by standin_let_meet() */
static char last_options[1024];
static char faulty[64];    /* the function that fails; see standin_fail_nvrtc() */
static unsigned faulty_in; /* the call of this function that fails, counted from now on; 0: none */
static int version = 13000, newest_architecture = 100;
static void (*before_compilation)(void);

unsigned standin_cancelled(void) { return cancelled; }
unsigned standin_compilations(void) { return compilations; }
unsigned standin_compiling(void) {
    pthread_mutex_lock(&lock);
    const unsigned now = at_once;
    pthread_mutex_unlock(&lock);
    return now;
}
unsigned standin_most_at_once(void) { return most_at_once; }
void standin_let_meet(unsigned count) { meeting = count; }
const char *standin_last_options(void) { return last_options; }
void standin_set_nvrtc_version(int new_version) { version = new_version; }
void standin_set_newest_architecture(int capability) { newest_architecture = capability; }
void standin_set_before_compilation(void (*f)(void)) { before_compilation = f; }
void standin_fail_nvrtc(const char *function, unsigned nth) {
    snprintf(faulty, sizeof faulty, "%s", function), faulty_in = nth;
}
static bool fails(const char *function) {
    pthread_mutex_lock(&lock);
    const bool now = !strcmp(function, faulty) && faulty_in && --faulty_in == 0;
    pthread_mutex_unlock(&lock);
    return now;
}
#define ENTER(function) \
    if (fails(#function)) return NVRTC_ERROR_INTERNAL_ERROR

nvrtcResult nvrtcVersion(int *major, int *minor) {
    ENTER(nvrtcVersion);
    return *major = version / 1000, *minor = version % 1000 / 10, NVRTC_SUCCESS;
}
static const int architectures_of_13[] = {75, 80, 90, 100};
static int known_architectures(void) {
    int count = 4;
    while (architectures_of_13[count - 1] > newest_architecture) count--;
    return count;
}
nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    ENTER(nvrtcGetNumSupportedArchs);
    return *count = known_architectures(), NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *architectures) {
    ENTER(nvrtcGetSupportedArchs);
    return memcpy(architectures, architectures_of_13, (size_t)known_architectures() * sizeof *architectures),
           NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name, int headers,
                               const char *const *texts, const char *const *names) {
    ENTER(nvrtcCreateProgram);
    (void)texts, (void)names;
    if (headers) return NVRTC_ERROR_PROGRAM_CREATION_FAILURE; /* autotune never passes headers */
    *program = calloc(1, sizeof **program);
    (*program)->text = strdup(text);
    (*program)->name = strdup(strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void *, void *), void *payload) {
    ENTER(nvrtcSetFlowCallback);
    return program->callback = callback, program->payload = payload, NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    ENTER(nvrtcDestroyProgram);
    for (int i = 0; i < (*program)->expression_count; i++) free((*program)->expressions[i]);
    free((*program)->text), free((*program)->name), free((*program)->log), free((*program)->image), free(*program);
    return *program = NULL, NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
    ENTER(nvrtcAddNameExpression);
    if (program->expression_count == MOST) return NVRTC_ERROR_OUT_OF_MEMORY;
    snprintf(program->lowered[program->expression_count], sizeof *program->lowered, "instance_%d",
             program->expression_count);
    program->expressions[program->expression_count++] = strdup(expression);
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
    ENTER(nvrtcGetLoweredName);
    if (!program->image) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (int i = 0; i < program->expression_count; i++)
        if (!strcmp(program->expressions[i], expression)) return *name = program->lowered[i], NVRTC_SUCCESS;
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fputs(text, file);
    fclose(file);
}
/* Returns the content of a file, or NULL if the file cannot be opened. */
static char *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *text = malloc((size_t)1 << 20);
    *bytes = fread(text, 1, ((size_t)1 << 20) - 1, file);
    text[*bytes] = 0;
    fclose(file);
    return text;
}
/* Removes a folder and its files. It tries again and again, because a compiler that gets SIGTERM may still make a
   file. */
static void remove_folder(const char *folder) {
    const struct timespec pause = {0, 10 * 1000 * 1000};
    for (int i = 0; i < 500; i++, nanosleep(&pause, NULL)) {
        DIR *files = opendir(folder);
        for (struct dirent *file; files && (file = readdir(files));) unlinkat(dirfd(files), file->d_name, 0);
        if (files) closedir(files);
        if (!rmdir(folder)) return;
    }
    abort();
}
/* Waits for the compiler, and returns its status. If the callback of the program cancels the compilation, it stops the
   compiler and returns -1. */
static int await(nvrtcProgram program, pid_t child) {
    const struct timespec pause = {0, 2 * 1000 * 1000};
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (program->callback && program->callback(program->payload, NULL)) {
            kill(child, SIGTERM); /* the processes that the child started end soon, too */
            waitpid(child, &status, 0);
            return -1;
        }
        nanosleep(&pause, NULL);
    }
    return status;
}
static int run(nvrtcProgram program, char **arguments, const char *log) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    int status = -1;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_CREAT | O_WRONLY, 0600);
    if (posix_spawn(&child, arguments[0], &actions, &attributes, arguments, environ) == 0)
        status = await(program, child);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}
/* ---- Earlier results ---------------------------------------------------------------------------------------------
   A text that includes nothing is compiled once for the same options, and its image is kept in the folder KEPT.
   compile.sh keeps the images of other texts. It finds them by the output of the preprocessor. */

static uint64_t hash_of(uint64_t hash, const void *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    return hash;
}
static uint64_t hash_of_text(uint64_t hash, const char *text) { return hash_of(hash, text, strlen(text) + 1); }
/* Adds the times and sizes of the tools to the hash. So no kept image is found after a tool has changed. */
static uint64_t hash_of_tools(uint64_t hash) {
    static const char *const tools[] = {"compile.sh", "device.h", "standin.h"};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char path[512];
        struct stat known;
        snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(COMPILE_SH, '/') - COMPILE_SH), COMPILE_SH, tools[i]);
        if (stat(path, &known)) abort();
        hash = hash_of(hash, &known.st_mtim, sizeof known.st_mtim);
        hash = hash_of(hash, &known.st_size, sizeof known.st_size);
    }
    return hash;
}
/* Sets `path` to the file that keeps the image of the program. Returns false if the text or an option includes a
   file. */
static bool kept_at(nvrtcProgram program, const char *options, char path[512]) {
    uint64_t hashes[2] = {14695981039346656037u, 1099511628211u * 31};
    if (strstr(program->text, "include") || strstr(options, "include")) return false;
    for (int i = 0; i < 2; i++) {
        hashes[i] = hash_of_text(hash_of_text(hash_of_tools(hashes[i]), program->text), program->name);
        hashes[i] = hash_of_text(hash_of_text(hashes[i], options), COMPILER);
        for (int k = 0; k < program->expression_count; k++)
            hashes[i] = hash_of_text(hashes[i], program->expressions[k]);
    }
    snprintf(path, 512, "%s/%016llx%016llx.text", KEPT, (unsigned long long)hashes[0], (unsigned long long)hashes[1]);
    return true;
}
/* Keeps the image of the program. It renames a complete file, because another process may read the same path now. */
static void keep(nvrtcProgram program, const char *path) {
    char made[600];
    static unsigned count;
    snprintf(made, sizeof made, "%s.%ld.%u", path, (long)getpid(), __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED));
    mkdir(KEPT, 0777);
    FILE *file = fopen(made, "w");
    if (!file) return;
    const bool whole = fwrite(program->image, 1, program->image_bytes, file) == program->image_bytes;
    if ((fclose(file) == 0 && whole) ? rename(made, path) : 1) unlink(made);
}
/* For a program whose image was kept. It waits for 10 ms, so that other compilations can begin meanwhile, as with a
   real compiler. Returns -1 if the callback cancels the compilation. */
static int take_kept(nvrtcProgram program) {
    const struct timespec pause = {0, 2 * 1000 * 1000};
    for (int i = 0; i < 5; i++, nanosleep(&pause, NULL))
        if (program->callback && program->callback(program->payload, NULL)) return -1;
    return 0;
}

static int compile(nvrtcProgram program, int count, const char *const *options, bool by_preprocessor) {
    char folder[] = "/tmp/standin.XXXXXX", source[512], log[512], output[512], named[MOST][600],
         *arguments[MOST_OPTIONS + MOST + 6];
    int used = 0;
    size_t bytes = 0;
    if (!mkdtemp(folder)) abort();
    snprintf(source, sizeof source, "%s/%s", folder, program->name);
    snprintf(output, sizeof output, "%s/image", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    write_file(source, program->text);
    arguments[used++] = COMPILE_SH, arguments[used++] = COMPILER, arguments[used++] = source,
    arguments[used++] = output;
    if (by_preprocessor) arguments[used++] = "--kept=" KEPT;
    for (int i = 0; i < count; i++) arguments[used++] = (char *)options[i];
    for (int i = 0; i < program->expression_count; i++) {
        snprintf(named[i], sizeof named[i], "--expression=%s=%s", program->lowered[i], program->expressions[i]);
        arguments[used++] = named[i];
    }
    arguments[used] = NULL;
    const int status = run(program, arguments, log);
    if (status == 0) program->image = read_file(output, &program->image_bytes);
    program->log = read_file(log, &bytes);
    remove_folder(folder);
    return status;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
    ENTER(nvrtcCompileProgram);
    char options_used[1024] = "", path[512];
    if (count > MOST_OPTIONS) return NVRTC_ERROR_INVALID_OPTION;
    if (before_compilation) before_compilation();
    for (int i = 0; i < count; i++)
        snprintf(options_used + strlen(options_used), sizeof options_used - strlen(options_used), "%s ", options[i]);
    pthread_mutex_lock(&lock);
    compilations++;
    if (++at_once > most_at_once) most_at_once = at_once;

    const struct timespec pause = {0, 2 * 1000 * 1000};
    const time_t late = time(NULL) + 60; /* after a minute it no longer waits for other compilations */
    bool stopped = false;
    while (most_at_once < meeting && !stopped) {
        pthread_mutex_unlock(&lock);
        nanosleep(&pause, NULL);
        stopped = program->callback && program->callback(program->payload, NULL);
        pthread_mutex_lock(&lock);
        if (time(NULL) > late) meeting = 0;
    }
    strcpy(last_options, options_used);
    pthread_mutex_unlock(&lock);
    program->virtual_only = strstr(options_used, "--gpu-architecture=compute_") != NULL;

    stopped = stopped || (program->callback && program->callback(program->payload, NULL));
    const bool keeps = kept_at(program, options_used, path);
    int status = stopped ? -1 : 0;
    if (!stopped && keeps) program->image = read_file(path, &program->image_bytes);
    if (program->image) status = take_kept(program);
    else if (!stopped) {
        status = compile(program, count, options, !keeps);
        if (program->image && keeps) keep(program, path);
    }
    pthread_mutex_lock(&lock);
    at_once--;
    cancelled += status == -1;
    pthread_mutex_unlock(&lock);
    return status == -1 ? NVRTC_ERROR_CANCELLED : program->image ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes) {
    ENTER(nvrtcGetProgramLogSize);
    return *bytes = program->log ? strlen(program->log) + 1 : 1, NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    ENTER(nvrtcGetProgramLog);
    return strcpy(log, program->log ? program->log : ""), NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes) {
    ENTER(nvrtcGetCUBINSize);
    return *bytes = program->virtual_only ? 0 : program->image_bytes, NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image) {
    ENTER(nvrtcGetCUBIN);
    if (program->virtual_only) return NVRTC_ERROR_INVALID_INPUT;
    return memcpy(image, program->image, program->image_bytes), NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes) {
    ENTER(nvrtcGetPTXSize);
    return *bytes = program->image_bytes, NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image) {
    ENTER(nvrtcGetPTX);
    return memcpy(image, program->image, program->image_bytes), NVRTC_SUCCESS;
}

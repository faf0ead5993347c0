/* The machine and the program: the words that name a device, and the identity of the file that holds a call site. */
#pragma once
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../api/backend.h"
#include "../system/files.h"
#include "../base/text.h"
#include "../system/processor.h"
#include "../device/cpu.h"

/* The words for the CPU name what stays the same on a virtual machine, whatever host it wakes up on: the model, and the
   caches of one core. A cache that is shared is left out, since how much of it a virtual machine sees differs from host
   to host. */
static char autotune__cpu_words[256];
static void autotune__describe_cpu(void) {
    static const char *const caches[] = { "L1d", "L2" };
    FILE *file = autotune__open_to_read("/proc/cpuinfo");
    char line[256], model[128] = "", part[64] = "";
    size_t i, used;
    while (file && !*model && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = 0;
        if (!colon) continue;
        /* an ARM processor has no model name */
        if (!strncmp(line, "model name", 10)) snprintf(model, sizeof model, "%s", colon + 1 + strspn(colon + 1, " "));
        else if (!strncmp(line, "CPU implementer", 15) || !strncmp(line, "CPU part", 8)) {
            if (strlen(part) < 32) snprintf(part + strlen(part), sizeof part - strlen(part), "%.24s", colon + 1);
        }
    }
    if (file) fclose(file);
    snprintf(autotune__cpu_words, sizeof autotune__cpu_words, "%s%s, %ld cores", *model ? model : "CPU",
             *model ? "" : part, autotune__processor_count());
    for (i = 0; i < sizeof caches / sizeof *caches; i++) {
        const unsigned long bytes = (unsigned long)autotune__cache_bytes((int)i + 1);
        used = strlen(autotune__cpu_words);
        if (!bytes) continue;
        snprintf(autotune__cpu_words + used, sizeof autotune__cpu_words - used, ", %s %lu KiB", caches[i],
                 bytes / 1024);
    }
}
static const char *autotune__device_words(const autotune_backend *backend) {
    static pthread_once_t described = PTHREAD_ONCE_INIT;
    if (strcmp(backend->device, autotune__cpu_backend.device)) return backend->device;
    pthread_once(&described, autotune__describe_cpu);
    return autotune__cpu_words;
}
/* The identity of the program or library that holds an address: when its file was written, and the size. NULL: it
   cannot be told. anew: the mapping that was found last may be gone, and another file be at its address. Threads call
   this one at a time. */
static const char *autotune__program_of(const void *address, bool anew) {
    static unsigned long low, high;             /* the mapping that was found last, nearly always the one asked for */
    static char words[40];
    const unsigned long place = (unsigned long)(uintptr_t)address;
    char line[4400];
    struct stat status;
    FILE *maps;
    int path;
    if (!anew && place >= low && place < high) return *words ? words : NULL;
    low = high = 0;
    words[0] = 0;
    if (!(maps = autotune__open_to_read("/proc/self/maps"))) return NULL;
    while (fgets(line, sizeof line, maps)) {
        path = 0;
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &low, &high, &path) < 2 || place < low || place >= high)
            continue;
        line[strcspn(line, "\n")] = 0;
        if (path && line[path] == '/' && stat(line + path, &status) == 0)
            snprintf(words, sizeof words, "%llx-%llx", (unsigned long long)status.st_mtime,
                     (unsigned long long)status.st_size);
        break;
    }
    fclose(maps);
    return *words ? words : NULL;
}

/* The processor: on which one a thread runs, and holding it there; preemptions; caches; its name. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/resource.h>
#include <unistd.h>
#endif
#include "../api/language.h"
#include "files.h"

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#ifndef __cplusplus
extern long syscall(long number, ...);          /* strict POSIX hides it, and sched_setaffinity with its types */
#endif
#endif

/* The processors on which a thread may run, as they were before autotune__pin(). Threads that a thread starts while it
   is held on a processor are held there, too. */
typedef struct autotune__affinity {
#ifdef _WIN32
    GROUP_AFFINITY former;
    bool held;
#else
    unsigned long former[1024 / sizeof(unsigned long)];     /* a bit for each processor: 8192 at most */
    size_t bytes;                               /* that the system knows of them; 0: the thread is not held */
#endif
} autotune__affinity;
typedef struct autotune__pinned {               /* the thread that races */
    autotune__affinity affinity;
    int processor;                              /* on which it was at the last RUN; -1: nobody looked */
    size_t moves;                               /* how often it was on another than before */
} autotune__pinned;
/* What the calling thread used so far; of all threads of the process, and no time, where the system does not tell it of
   one. */
typedef struct autotune__usage {
    uint64_t computed_ns;                       /* in steps of a microsecond; 0: unknown */
    long preempted;                             /* how often it lost its processor, though it could have computed on */
    long waited;                                /* how often it waited for something else than a processor */
} autotune__usage;

#ifndef _WIN32
#ifdef __linux__
enum { AUTOTUNE__CAN_PIN = true };
static int autotune__processor(void) {          /* on which the thread runs; -1: nobody knows */
    unsigned processor;
    return syscall(SYS_getcpu, &processor, NULL, NULL) == 0 ? (int)processor : -1;
}
/* Holds the thread on the processor on which it runs. False: the system refuses. */
static bool autotune__pin(autotune__affinity *affinity) {
    enum { BITS = 8 * sizeof(unsigned long) };
    unsigned long here[sizeof affinity->former / sizeof *affinity->former] = { 0 };
    const int processor = autotune__processor();
    const long bytes = processor < 0 ? -1
                                     : syscall(SYS_sched_getaffinity, 0, sizeof affinity->former, affinity->former);
    if (bytes <= 0) return false;
    here[processor / BITS] = 1ul << processor % BITS;
    if (syscall(SYS_sched_setaffinity, 0, (size_t)bytes, here) != 0) return false;
    affinity->bytes = (size_t)bytes;
    return true;
}
static void autotune__unpin(autotune__affinity *affinity) {
    if (affinity->bytes) syscall(SYS_sched_setaffinity, 0, affinity->bytes, affinity->former);
    affinity->bytes = 0;
}
#else
enum { AUTOTUNE__CAN_PIN = false };
static int autotune__processor(void) { return -1; }
/* true: that AUTOTUNE_PIN is ignored was said when the environment was read */
static bool autotune__pin(autotune__affinity *affinity) { (void)affinity; return true; }
static void autotune__unpin(autotune__affinity *affinity) { (void)affinity; }
#endif

#if defined RUSAGE_THREAD
#define AUTOTUNE__RUSAGE_THREAD RUSAGE_THREAD
#elif defined __linux__ && !defined __cplusplus
#define AUTOTUNE__RUSAGE_THREAD 1               /* strict POSIX hides its name */
#endif
static autotune__usage autotune__thread_usage(void) {
    autotune__usage usage = { 0, 0, 0 };
    struct rusage said;
#ifdef AUTOTUNE__RUSAGE_THREAD
    if (getrusage(AUTOTUNE__RUSAGE_THREAD, &said) != 0) return usage;
    usage.computed_ns = (uint64_t)(said.ru_utime.tv_sec + said.ru_stime.tv_sec) * 1000000000u +
                        (uint64_t)(said.ru_utime.tv_usec + said.ru_stime.tv_usec) * 1000u;
#else
    if (getrusage(RUSAGE_SELF, &said) != 0) return usage;
#endif
    usage.preempted = said.ru_nivcsw;
    usage.waited = said.ru_nvcsw;
    return usage;
}

static AUTOTUNE__UNUSED long autotune__processor_count(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

#ifdef __APPLE__
/* Of the fast cores where there are two kinds: calls that are worth tuning run there. Intel's processors have one kind,
   and no such name. */
static size_t autotune__cache_bytes(int level) {        /* of the data cache of level 1, 2 or 3; 0: unknown */
    static const char *const names[][2] = { { "hw.perflevel0.l1dcachesize", "hw.l1dcachesize" },
                                            { "hw.perflevel0.l2cachesize", "hw.l2cachesize" },
                                            { "hw.perflevel0.l3cachesize", "hw.l3cachesize" } };
    int i;
    for (i = 0; i < 2; i++) {
        int64_t bytes = 0;                      /* little endian: one of 32 bits fills the lower half */
        size_t room = sizeof bytes;
        if (sysctlbyname(names[level - 1][i], &bytes, &room, NULL, 0) == 0 && bytes > 0) return (size_t)bytes;
    }
    return 0;
}
/* The name of the processor, "CPU" where nobody knows it. */
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    size_t length = room;
    if (sysctlbyname("machdep.cpu.brand_string", model, &length, NULL, 0) != 0 || !*model)
        snprintf(model, room, "CPU");
}
#else
/* Caches of the first processor, by sysfs. sysconf is asked where there is no sysfs: it may multiply the size of a
   shared cache by the number of processors of a virtual machine. */
static const char *autotune__caches_folder = "/sys/devices/system/cpu/cpu0/cache";
static bool autotune__cache_says(int index, const char *what, char word[16]) {
    char path[256];
    FILE *file;
    bool known;
    snprintf(path, sizeof path, "%s/index%d/%s", autotune__caches_folder, index, what);
    if (!(file = autotune__open_to_read(path))) return false;
    known = fgets(word, 16, file) != NULL;
    fclose(file);
    return known;
}
static size_t autotune__configured_cache(int level) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const long bytes = sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : level == 2 ? _SC_LEVEL2_CACHE_SIZE
                                                                                : _SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : 0;
#else
    (void)level;
    return 0;
#endif
}
static size_t autotune__cache_bytes(int level) {        /* of the data cache of level 1, 2 or 3; 0: unknown */
    char word[16], *unit;
    int i;
    for (i = 0; autotune__cache_says(i, "level", word); i++) {
        unsigned long size;
        if (strtol(word, NULL, 10) != level || !autotune__cache_says(i, "type", word) || *word == 'I') continue;
        if (!autotune__cache_says(i, "size", word)) continue;
        size = strtoul(word, &unit, 10);
        return (size_t)size << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
    }
    return autotune__configured_cache(level);
}
/* The name of the processor, "CPU" where nobody knows it. */
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    FILE *file = autotune__open_to_read("/proc/cpuinfo");
    char line[256], name[128] = "", part[64] = "";
    while (file && !*name && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = 0;
        if (!colon) continue;
        if (!strncmp(line, "model name", 10)) snprintf(name, sizeof name, "%s", colon + 1 + strspn(colon + 1, " "));
        /* ARM has no model name */
        else if (!strncmp(line, "CPU implementer", 15) || !strncmp(line, "CPU part", 8)) {
            if (strlen(part) < 32) snprintf(part + strlen(part), sizeof part - strlen(part), "%.24s", colon + 1);
        }
    }
    if (file) fclose(file);
    if (*name) snprintf(model, room, "%s", name);
    else snprintf(model, room, "CPU%s", part);
}
#endif
#else
enum { AUTOTUNE__CAN_PIN = true };
static int autotune__processor(void) {
    PROCESSOR_NUMBER here;
    GetCurrentProcessorNumberEx(&here);
    return 64 * here.Group + here.Number;
}
static bool autotune__pin(autotune__affinity *affinity) {
    GROUP_AFFINITY only;
    PROCESSOR_NUMBER here;
    GetCurrentProcessorNumberEx(&here);
    memset(&only, 0, sizeof only);
    only.Group = here.Group;
    only.Mask = (KAFFINITY)1 << here.Number;
    affinity->held = SetThreadGroupAffinity(GetCurrentThread(), &only, &affinity->former) != 0;
    return affinity->held;
}
static void autotune__unpin(autotune__affinity *affinity) {
    if (affinity->held) SetThreadGroupAffinity(GetCurrentThread(), &affinity->former, NULL);
    affinity->held = false;
}

static autotune__usage autotune__thread_usage(void) {           /* Windows does not count preemptions */
    const autotune__usage unknown = { 0, 0, 0 };
    return unknown;
}

static AUTOTUNE__UNUSED long autotune__processor_count(void) {
    return (long)GetActiveProcessorCount(0xFFFF);               /* of all groups */
}
static size_t autotune__cache_bytes(int level) {
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION *all = NULL;
    size_t bytes = 0, i;
    DWORD room = 0;
    (void)GetLogicalProcessorInformation(NULL, &room);
    if (room) all = (SYSTEM_LOGICAL_PROCESSOR_INFORMATION *)HeapAlloc(GetProcessHeap(), 0, room);
    if (!all) return 0;
    if (!GetLogicalProcessorInformation(all, &room)) room = 0;
    for (i = 0; !bytes && i < room / sizeof *all; i++)
        if (all[i].Relationship == RelationCache && all[i].Cache.Level == level &&
            all[i].Cache.Type != CacheInstruction && all[i].Cache.Type != CacheTrace)
            bytes = all[i].Cache.Size;
    HeapFree(GetProcessHeap(), 0, all);
    return bytes;
}
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    static const char place[] = "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0";
    DWORD bytes = (DWORD)room;
    if (RegGetValueA(HKEY_LOCAL_MACHINE, place, "ProcessorNameString", RRF_RT_REG_SZ, NULL, model, &bytes) != 0 ||
        !*model)
        snprintf(model, room, "CPU");
}
#endif

/* The processor: times and preemptions of a thread, sizes of caches, the processor's name, how many processors the
   process may use, and whether other threads run. */
#pragma once
#include <sys/resource.h>
#include <unistd.h>
#include "../api/floor.h"
#include "clock.h"
#include "files.h"
#include "types.h"

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

/* autotune__thread_usage() takes the counts from getrusage(), but not the time: the kernel updates the time of
   getrusage() only at its ticks, every 4 ms. */
#if defined RUSAGE_THREAD
#define AUTOTUNE__RUSAGE_THREAD RUSAGE_THREAD
#elif defined __linux__ && !defined __cplusplus
#define AUTOTUNE__RUSAGE_THREAD 1               /* strict POSIX hides the name */
#else
#define AUTOTUNE__RUSAGE_THREAD RUSAGE_SELF
#endif
static autotune__usage autotune__thread_usage(void) {
    autotune__usage usage = { 0, 0, 0, 0 };
    struct rusage said;
    if (getrusage(AUTOTUNE__RUSAGE_THREAD, &said) != 0) return usage;
    usage.cpu_ns = autotune__read_clock(CLOCK_THREAD_CPUTIME_ID);
    usage.preempted = said.ru_nivcsw;
    usage.waited = said.ru_nvcsw;
    usage.faults = said.ru_minflt;
    return usage;
}

/* Returns a number that identifies the instruction set of the processor. Code that is compiled for this processor runs
   on any processor with the same model name and the same number. 0: the model name is enough. */
#if defined __x86_64__ || defined __i386__
static AUTOTUNE__UNUSED uint64_t autotune__processor_features(void) {
    uint64_t features = 0xCBF29CE484222325u;
    unsigned words[4], leaf, i;
    for (leaf = 1; leaf <= 7; leaf += 6) {      /* leaf 1: model and features. Leaf 7: more features; on old processors
                                                   a constant */
        __cpuid_count(leaf, 0, words[0], words[1], words[2], words[3]);
        for (i = 0; i < 4; i++)                 /* each cpuid takes 9 us in a virtual machine */
            if (leaf > 1 || i != 1)             /* word 1 of leaf 1 differs from core to core */
                features = (features ^ words[i]) * 0x100000001B3u;
    }
    return features;
}
#else
static AUTOTUNE__UNUSED uint64_t autotune__processor_features(void) { return 0; }
#endif

/* Reads the first characters of a file of the kernel, such as one in /proc, and puts a zero behind them. Returns false
   if there are none. */
static bool autotune__read_beginning(const char *path, char *text, size_t room) {
    const int file = autotune__open_file(path, AUTOTUNE__READ);
    const ssize_t length = file >= 0 ? read(file, text, room - 1) : 0;
    autotune__close_file(file);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}
/* Returns the size of the data cache of level 1, 2 or 3, in bytes; 0: unknown. In a virtual machine, sysconf() may
   multiply the size of the last level by the number of processors. So on Linux the size of level 3 is read from a file
   of the kernel, which has the right size. */
static size_t autotune__cache_bytes(int level) {
    char text[16];                              /* such as "32768K" */
    long bytes = 0;
    if (level == 3 && autotune__read_beginning("/sys/devices/system/cpu/cpu0/cache/index3/size", text, sizeof text))
        return (size_t)atol(text) << 10;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    bytes = sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#endif
    return bytes > 0 ? (size_t)bytes : 0;
}
static long autotune__processor_count(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

#ifndef __linux__
static AUTOTUNE__UNUSED long autotune__usable_processors(long all) { return all; }
#else
/* Headers for strict POSIX hide sched_getaffinity(). */
AUTOTUNE__BEGIN_C
int autotune__read_affinity(pid_t process, size_t bytes, void *mask) __asm__("sched_getaffinity");
int autotune__openmp_processors(void) __asm__("omp_get_num_procs") __attribute__((__weak__));
AUTOTUNE__END_C
/* Returns how many processors the first thread of the process may use, by its affinity; 0: unknown. */
static long autotune__allowed_processors(void) {
    uint64_t mask[128] = { 0 };                 /* for 8,192 processors */
    long count = 0;
    size_t i;
    if (autotune__read_affinity(getpid(), sizeof mask, mask) != 0) return 0;
    for (i = 0; i < sizeof mask / sizeof *mask; i++) count += __builtin_popcountll(mask[i]);
    return count;
}
/* Returns the least quota of a control group and of its parents, in processors, rounded up; LONG_MAX: there is no
   quota. path: the path of the group below `root`, of `length` characters. The quota of a group is in its file cpu.max:
   "200000 100000" means 2 processors. */
static long autotune__least_quota(const char *root, const char *path, size_t length) {
    char file[1100], text[40];
    long least = LONG_MAX, quota, period;
    while (length && path[length - 1] == '/') length--;
    for (;; length -= length > 0) {
        autotune__put_text(file, sizeof file, "%s%.*s/cpu.max", root, (int)length, path);
        if (autotune__read_beginning(file, text, sizeof text) &&
            sscanf(text, "%ld %ld", &quota, &period) == 2 && quota > 0 && period > 0 &&
            (quota + period - 1) / period < least)
            least = (quota + period - 1) / period;
        if (!length) return least;
        while (path[length - 1] != '/') length--;
    }
}
/* Returns the quota of this process, in processors; LONG_MAX: there is no quota. The path of its control group is in
   the line "0::/path" of /proc/self/cgroup. Version 1 of control groups has no such line, and is ignored. */
static long autotune__quota(void) {
    char text[1024];
    const char *line = autotune__read_beginning("/sys/fs/cgroup/cgroup.controllers", text, sizeof text) &&
                       autotune__read_beginning("/proc/self/cgroup", text, sizeof text) ? strstr(text, "0::/") : NULL;
    return line ? autotune__least_quota("/sys/fs/cgroup", line + 3, strcspn(line + 3, "\n")) : LONG_MAX;
}
/* Returns how many of `all` processors the process may use, by its affinity and the quotas of its control groups. An
   OpenMP runtime may have bound the first thread to one processor. Then the runtime knows how many processors the
   process may use. */
static AUTOTUNE__UNUSED long autotune__usable_processors(long all) {
    long usable = autotune__allowed_processors(), quota;
    if (usable < 1 || usable > all) usable = all;
    if (usable < all && autotune__openmp_processors && autotune__openmp_processors() > usable)
        usable = autotune__openmp_processors();
    quota = usable > 1 ? autotune__quota() : 1;
    return usable < quota ? usable : quota;
}
#endif

/* Returns how many threads this process has; 0: unknown. */
static AUTOTUNE__UNUSED long autotune__thread_count(void) {
    char text[1024];
    const char *at = autotune__read_beginning("/proc/self/stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    int field;
    for (field = 2; at && field < 20; field++) at = strchr(at + 1, ' ');
    return at ? atol(at) : 0;
}
/* Returns true if another thread of the machine runs at this moment. Only Linux tells this. */
static AUTOTUNE__UNUSED bool autotune__others_run(void) {
    char text[64];                              /* three averages, and "running/all" threads: "0.10 0.20 0.30 2/345" */
    int running;
    return autotune__read_beginning("/proc/loadavg", text, sizeof text) &&
           sscanf(text, "%*s %*s %*s %d", &running) == 1 && running > 1;
}
#ifdef __APPLE__
/* Writes the name of the processor, or "CPU". */
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    size_t length = room;
    if (sysctlbyname("machdep.cpu.brand_string", model, &length, NULL, 0) != 0 || !*model)
        autotune__put_text(model, room, "CPU");
}
#else
/* Writes the name of the processor from /proc/cpuinfo. If this file names no model, as on ARM, writes the numbers of
   the implementer and of the part. Reads only the lines of the first processor, since the kernel takes long to write
   the lines of each processor. */
static AUTOTUNE__UNUSED void autotune__read_processor_model(char *model, size_t room) {
    char text[1024], part[64] = "";
    const char *at, *feed, *value;
    (void)autotune__read_beginning("/proc/cpuinfo", text, sizeof text);
    for (at = text; (feed = strchr(at, '\n')) != NULL; at = feed + 1) {
        value = (const char *)memchr(at, ':', (size_t)(feed - at));
        if (!value++) continue;
        if (!strncmp(at, "model name", 10)) {
            value += strspn(value, " ");
            autotune__put_text(model, room, "%.*s", (int)(feed - value), value);
            if (*model) return;
        } else if ((!strncmp(at, "CPU implementer", 15) || !strncmp(at, "CPU part", 8)) && strlen(part) < 32)
            autotune__put_text(part + strlen(part), sizeof part - strlen(part), "%.*s",
                               (int)(feed - value < 24 ? feed - value : 24), value);
    }
    autotune__put_text(model, room, "CPU%s", part);
}
#endif

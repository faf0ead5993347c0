/* At the end of the program: which regions gained by another number of threads. */
#include <stdio.h>
#include <string.h>
#include "library.h"
#include "region.h"

/* The first configuration, which is tried first, is what the program asked for. What it takes is not known where it was
   not compared with the winner. */
static void say_gain(void *user, const autotune_known *known) {
    const autotune_result *result = &known->result;
    const double gain = result->default_ns / result->median_ns;
    const openmp_region *region = openmp_newest;
    char times[64] = "runs";
    (void)user;
    while (region && strcmp(region->module.place, known->name) != 0) region = region->older;
    if (!region || result->config.index == 0 || gain <= 1.02) return;
    if (gain > 1) snprintf(times, sizeof times, "is %.2f times as fast", gain);
    openmp_say(AUTOTUNE_LOG_WINNER,
               "openmp: %s %s with %s of %lld threads; its line in the source: addr2line -e '%s' 0x%lx",
               known->name, times, result->config.labels[0], (long long)known->key.word[0],
               region->module.path, (unsigned long)region->module.offset - 1);
}
static __attribute__((__destructor__)) void report(void) {
    if (openmp_runtimes && !openmp_is_child) autotune_each(say_gain, NULL);
}

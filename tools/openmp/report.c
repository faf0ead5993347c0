/* At the end of the program: which regions gained by another number of threads. */
#include <stdio.h>
#include "library.h"
#include "tune.h"

static void say_gain(const openmp_region *region, const openmp_gain *gain) {
    char times[64] = "runs";
    if (gain->times <= 1.02) return;
    if (gain->times > 1)
        snprintf(times, sizeof times, "is %s%.2f times as fast", gain->known ? "" : "about ", gain->times);
    openmp_say(AUTOTUNE_LOG_WINNER,
               "openmp: %s %s with %d of %d threads; its line in the source: addr2line -e '%s' 0x%lx",
               region->module.place, times, gain->threads, gain->asked, region->module.path,
               (unsigned long)region->module.offset - 1);
}
static __attribute__((__destructor__)) void report(void) {
    if (openmp_runtimes && !openmp_is_child) openmp_each_gain(say_gain);
}

/* What a process hands over to the next one of an online race that it could not end: what each configuration takes, and
   what is in use. The comparison of those that are near the best begins anew. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "online.h"
#include "incumbent.h"
#include "rule.h"

/* What a configuration took; calls: 1, or 2 for any more. */
typedef struct autotune__handed_time { size_t point; double ns; size_t calls; } autotune__handed_time;
typedef struct autotune__handover {
    autotune__handed_time *times;               /* of those that were tried, and work */
    double work;                                /* that takes so long */
    size_t in_use;                              /* a point; SIZE_MAX: the first configuration */
} autotune__handover;

static double autotune__handed_ns(const autotune__handover *handed, size_t point) {
    size_t i;
    for (i = 0; i < autotune__count(handed->times); i++)
        if (handed->times[i].point == point) return handed->times[i].ns;
    return AUTOTUNE__NEVER;
}
/* What is in use from the first call on. */
static void autotune__use_handed(autotune__online *online, size_t point) {
    const size_t row = autotune__find_row(&online->race, point);
    if (row != SIZE_MAX && row != 0 && !autotune__failed(&online->race.rows[row]))
        autotune__take_over(online, row, autotune__online_ratio(online, row), "it was the best in an earlier run");
}
/* Times count as ratios to that of the first configuration: without it nothing is taken over. */
static void autotune__take_handover(autotune__online *online, const autotune__handover *handed) {
    const double first_ns = autotune__handed_ns(handed, online->race.rows[0].index);
    size_t i;
    if (!autotune__is_definite(first_ns) || !(first_ns > 0)) return;
    autotune__refer_to(online, first_ns, handed->work);
    for (i = 0; i < autotune__count(handed->times); i++)
        autotune__restore_row(online, handed->times[i].point, handed->times[i].ns / first_ns, handed->times[i].calls);
    autotune__use_handed(online, handed->in_use);
}

/* Data that the processor has learnt: a branch predictor remembers the branches of a call that often gets the same
   data. So this room empties the predictor before three launches of each finalist. It compares the times of these three
   launches with the times of usual launches. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "statement.h"
#include "options.h"

/* Returns true if the next launch is made with an empty predictor. If each launch of a sample gets the same data, such
   launches are made in the first round of a duel. In this round each sample is repeated, and the least time counts.
   Only the first repetition has launches with an empty predictor. */
static bool autotune__forgets_before_launch(const autotune__trial_state *trial) {
    const autotune_options *o = &trial->subject->options;
    const autotune__race *race = trial->turn->race;
    const uint32_t several = 6;
    return (o->restore.count || o->zero.count) && !o->setup && trial->subject->backend->flush == autotune__cpu_flush &&
           !autotune__is_cold(trial->subject) && race->stage == AUTOTUNE__DUELLING && !autotune__rounds(race) &&
           !race->round.repetition && trial->request.occasion == AUTOTUNE__LAUNCHED_BEFORE &&
           trial->request.launches >= several && trial->sampling.launched < AUTOTUNE__FORGETFUL;
}
/* Called at the end of the sample. Adds a note to the answer if an empty predictor made launches much slower. */
static void autotune__tell_of_learnt_data(autotune__trial_state *trial) {
    const autotune__sampling *sampling = &trial->sampling;
    const bool knows = trial->forgetful_ns[AUTOTUNE__FORGETFUL - 1] > 0;
    const double usual_ns = sampling->alone_ns[sampling->alone / 4], some_ns = 200,
                 forgetful_ns = autotune__median(trial->forgetful_ns, AUTOTUNE__FORGETFUL);
    memset(trial->forgetful_ns, 0, sizeof trial->forgetful_ns);
    if (knows && forgetful_ns > 2 * usual_ns && forgetful_ns > usual_ns + some_ns)
        trial->answer.note = "the processor may have learnt the data, which are the same in each trial: with new data "
                             "a launch may take several times as long; .setup can make new data";
}

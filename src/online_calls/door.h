/* The table through which rooms of other floors reach mode ONLINE. */
#pragma once
#include "../base/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "race.h"
#include "end.h"
#include "first_call.h"
#include "later_call_of_ranks.h"
#include "measure.h"
#include "steps.h"

AUTOTUNE__DEFINE_TABLE(autotune__measured_calls_table, autotune__measured_calls, autotune__continue_online,
                       autotune__begin_watched, autotune__begin_online, autotune__watch_known,
                       autotune__take_online_answer, autotune__end_call_and_unlock, autotune__drop_all_call_races,
                       autotune__begin_measured_step, autotune__count_unmeasured_step, autotune__end_measured_step)

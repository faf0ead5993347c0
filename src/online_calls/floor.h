/* The floor online_calls: its rooms, in their order. */
#pragma once
#include "call_lock.h"
#include "race.h"
#include "open_calls.h"
#ifdef AUTOTUNE_WITHOUT_RANKS
#include "alone.h"
#else
#include "ranks.h"
#endif
#include "measure.h"
#include "later_call.h"
#include "later_call_of_ranks.h"
#include "steps.h"
#include "end.h"
#include "first_call.h"
#include "door.h"

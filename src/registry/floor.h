/* The floor registry: its rooms, in their order. */
#pragma once
#include "hit.h"
#include "measured_calls.h"
#include "tuners.h"
#include "entries.h"
#include "ranks.h"
#include "subject.h"
#include "probation.h"
#include "pins.h"
#include "look_up.h"
#include "thread_turns.h"
#include "results.h"
#include "guessing.h"
#include "stand_ins.h"
#include "race_log.h"
#include "known.h"
#ifndef AUTOTUNE_WITHOUT_GUESSES
#include "nearest_keys.h"
#include "guesses.h"
#endif

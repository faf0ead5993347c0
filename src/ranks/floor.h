/* The floor ranks: its rooms, in their order. */
#pragma once
#ifdef AUTOTUNE_WITHOUT_RANKS
#include "left_out.h"
#else
#include "reduction.h"
#include "group.h"
#include "differences.h"
#include "all_reduce.h"
#include "meet.h"
#include "agree_on_winners.h"
#endif

/* The floor ranks: its rooms, in their order. */
#pragma once
#include "reduction.h"
#include "group.h"
#include "meet.h"
#include "agree_on_winners.h"

/* The floor online: its rooms, in their order. */
#pragma once
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "watch.h"
#include "online.h"
#include "incumbent.h"
#include "order.h"
#include "winner.h"
#include "second_calls.h"
#include "rule.h"
#include "handover.h"
